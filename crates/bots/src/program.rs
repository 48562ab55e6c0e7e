//! External programs that are controlled line by line over their standard input and output.
//!
//! Bots that are programs are the only ones that wait for another process, so they are the only ones
//! with timeouts.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::CpuClock;

/// How long a program may take to answer anything but a request for a move.
pub(crate) const HANDSHAKE: Duration = Duration::from_secs(10);
/// How long a program may take for a move if its time is not limited.
pub(crate) const MAX_SEARCH: Duration = Duration::from_secs(600);

/// How many times longer than its CPU time a program may take for a move: it waits while others run.
pub(crate) const MAX_WAIT: u32 = 20;

/// A running program. Dropping it ends the process.
#[derive(Debug)]
pub(crate) struct Program {
    path: PathBuf,
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Program {
    /// Starts a program. `command` is its path followed by arguments, separated by spaces.
    pub(crate) fn start(command: &str) -> Result<Program, EngineError> {
        let mut words = command.split_whitespace();
        let path = PathBuf::from(words.next().unwrap_or_default());
        let failed = |reason: String| EngineError { path: path.clone(), reason };
        let mut child = Command::new(&path)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| failed(format!("could not be started: {error}")))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failed("could not be connected to standard input and output".to_owned()));
        };
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Program { path, child, input, lines })
    }

    /// Returns an error of this program, whose reason follows its name.
    pub(crate) fn error(&self, reason: String) -> EngineError {
        EngineError { path: self.path.clone(), reason }
    }

    pub(crate) fn send(&mut self, line: &str) -> Result<(), EngineError> {
        // A line break in an option or a position would start another command.
        let line = line.replace(char::is_control, " ");
        writeln!(self.input, "{line}")
            .and_then(|()| self.input.flush())
            .map_err(|error| self.error(format!("does not accept input: {error}")))
    }

    /// Returns the next line. `what` describes it in errors.
    pub(crate) fn receive(&self, deadline: Instant, what: &str) -> Result<String, EngineError> {
        self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())).map_err(
            |error| match error {
                RecvTimeoutError::Timeout => self.error(format!("did not send {what} in time")),
                RecvTimeoutError::Disconnected => {
                    self.error(format!("exited before sending {what}"))
                }
            },
        )
    }

    /// Returns the id of the process.
    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    /// Returns a limit for the CPU time that the program uses from now on.
    pub(crate) fn cpu_limit(&self, time: Duration) -> Result<CpuLimit, EngineError> {
        let clock = CpuClock::of_process(self.process());
        let now = clock.read().map_err(|error| self.error(format!("has no clock: {error}")))?;
        Ok(CpuLimit { clock, end: now + time })
    }

    pub(crate) fn has_ended(&mut self) -> bool {
        self.child.try_wait().is_ok_and(|status| status.is_some())
    }
}

/// A limit of a program's CPU time.
pub(crate) struct CpuLimit {
    clock: CpuClock,
    end: Duration,
}

impl CpuLimit {
    /// Returns whether the time is used up. A program that has ended has no time left.
    pub(crate) fn is_reached(&self) -> bool {
        self.clock.read().map_or(true, |now| now >= self.end)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // Errors are ignored: the program may have exited already.
        let _ = writeln!(self.input, "quit");
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An error of an external engine.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the engine '{}' {reason}", .path.display())]
#[non_exhaustive]
pub struct EngineError {
    /// The path of the program.
    pub path: PathBuf,
    /// What it did wrong, worded to follow the name of the engine: `could not be started: ...`.
    pub reason: String,
}
