//! Runs any UCI engine as a bot: an external program that is controlled over its standard input and
//! output.
//!
//! It is the only kind of bot that waits for another process, so it is the only one with timeouts.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use fourfold_common::{ensure, quote_short};

use crate::{Bot, BotMove, Budget, Line, Score, Situation, ThinkError};

/// How long an engine may take to answer `uci` and `isready`.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// How long an engine may take beyond its time for a move, or after `stop`.
const GRACE: Duration = Duration::from_secs(10);
/// How long an engine may take when its search is limited by nodes.
const MAX_SEARCH: Duration = Duration::from_secs(600);
/// How often the stop flag of a budget is checked.
const POLL: Duration = Duration::from_millis(2);

/// A running engine. Dropping it ends the process.
#[derive(Debug)]
pub struct Engine {
    path: PathBuf,
    name: String,
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    movetime: Option<Duration>,
}

impl Engine {
    /// Starts an engine and performs the UCI handshake. `command` is the path of the program
    /// followed by arguments, separated by spaces. Options are set by name, and `chess960` sets
    /// `UCI_Chess960`.
    ///
    /// # Errors
    /// Returns an error if the program does not start, does not answer as UCI requires, or does not
    /// have one of the options.
    pub fn start(
        command: &str,
        options: &[(String, String)],
        chess960: bool,
    ) -> Result<Engine, UciError> {
        let mut words = command.split_whitespace();
        let path = PathBuf::from(words.next().unwrap_or_default());
        let failed = |reason: String| UciError { path: path.clone(), reason };
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
        let name = String::new();
        let mut engine = Engine { path: path.clone(), name, child, input, lines, movetime: None };
        engine.send("uci")?;
        let mut known = Vec::new();
        let deadline = Instant::now() + HANDSHAKE;
        loop {
            let line = engine.receive(deadline, "'uciok'")?;
            match line.split_once(' ') {
                Some(("id", rest)) => {
                    if let Some(name) = rest.strip_prefix("name ") {
                        engine.name = name.trim().to_owned();
                    }
                }
                Some(("option", rest)) => known.extend(option_name(rest)),
                _ if line.trim() == "uciok" => break,
                _ => {}
            }
        }
        for (name, value) in options {
            let has_option = known.iter().any(|known: &String| known.eq_ignore_ascii_case(name));
            ensure!(has_option, engine.error(format!("has no option '{}'", quote_short(name))));
            engine.send(&format!("setoption name {name} value {value}"))?;
        }
        if chess960 {
            engine.send("setoption name UCI_Chess960 value true")?;
        }
        engine.new_game()?;
        Ok(engine)
    }

    /// Returns the name that the engine reported; empty if it reported none.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Sets a fixed time per move, or with `None` returns to the node limit of the budget. With a
    /// fixed time, the stop flag of the budget is ignored as well.
    pub const fn set_movetime(&mut self, movetime: Option<Duration>) {
        self.movetime = movetime;
    }

    /// Tells the engine that a new game begins, and waits until it is ready.
    ///
    /// # Errors
    /// Returns an error if the engine does not answer.
    pub fn new_game(&mut self) -> Result<(), UciError> {
        self.send("ucinewgame")?;
        self.send("isready")?;
        let deadline = Instant::now() + HANDSHAKE;
        while self.receive(deadline, "'readyok'")?.trim() != "readyok" {}
        Ok(())
    }

    fn error(&self, reason: String) -> UciError {
        UciError { path: self.path.clone(), reason }
    }

    fn send(&mut self, line: &str) -> Result<(), UciError> {
        // A line break in an option or a position would start another command.
        let line = line.replace(char::is_control, " ");
        writeln!(self.input, "{line}")
            .and_then(|()| self.input.flush())
            .map_err(|error| self.error(format!("does not accept input: {error}")))
    }

    fn receive(&self, deadline: Instant, what: &str) -> Result<String, UciError> {
        self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())).map_err(
            |error| match error {
                RecvTimeoutError::Timeout => self.error(format!("did not send {what} in time")),
                RecvTimeoutError::Disconnected => {
                    self.error(format!("exited before sending {what}"))
                }
            },
        )
    }

    fn ask(&mut self, situation: &Situation<'_>, budget: Budget<'_>) -> Result<BotMove, UciError> {
        let mut position = format!("position fen {}", situation.start);
        if !situation.moves.is_empty() {
            position = format!("{position} moves {}", situation.moves.join(" "));
        }
        self.send(&position)?;
        let mut deadline = match self.movetime {
            Some(time) => {
                self.send(&format!("go movetime {}", time.as_millis().max(1)))?;
                Instant::now() + time + GRACE
            }
            None => {
                self.send(&format!("go nodes {}", budget.nodes.max(1)))?;
                Instant::now() + MAX_SEARCH
            }
        };
        let mut thought = BotMove::new("");
        let mut stopped = false;
        loop {
            let stop_requested = budget.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
            // With a fixed time per move, the engine stops by itself.
            if stop_requested && !stopped && self.movetime.is_none() {
                self.send("stop")?;
                stopped = true;
                deadline = deadline.min(Instant::now() + GRACE);
            }
            let patience = if budget.stop.is_some() && !stopped {
                deadline.min(Instant::now() + POLL)
            } else {
                deadline
            };
            let line = match self.receive(patience, "a best move") {
                Ok(line) => line,
                Err(error) if self.has_ended() || Instant::now() >= deadline => return Err(error),
                Err(_) => continue,
            };
            if let Some(rest) = line.strip_prefix("bestmove ") {
                thought.code = rest.split_whitespace().next().unwrap_or_default().to_owned();
                return Ok(thought);
            }
            if let Some(rest) = line.strip_prefix("info ") {
                apply_info(&mut thought, rest);
            }
        }
    }

    fn has_ended(&mut self) -> bool {
        self.child.try_wait().is_ok_and(|status| status.is_some())
    }
}

impl Bot for Engine {
    fn think(
        &mut self,
        situation: &Situation<'_>,
        budget: Budget<'_>,
    ) -> Result<BotMove, ThinkError> {
        self.ask(situation, budget)
            .map_err(|error| ThinkError::Failed { reason: error.to_string() })
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // Errors are ignored: the engine may have exited already.
        let _ = writeln!(self.input, "quit");
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the option name in `name Skill Level type spin default 20`.
fn option_name(text: &str) -> Option<String> {
    let name = text.strip_prefix("name ")?.split(" type ").next()?;
    Some(name.trim().to_owned())
}

/// Updates a thought from an `info` line: `depth 8 score cp 31 nodes 12000 pv e2e4 e7e5`.
fn apply_info(thought: &mut BotMove, info: &str) {
    let mut words = info.split_whitespace();
    let (mut score, mut line) = (None, 1);
    while let Some(word) = words.next() {
        match word {
            "string" => return,
            "depth" => thought.depth = number(words.next()).unwrap_or(thought.depth),
            "nodes" => thought.nodes = number(words.next()).unwrap_or(thought.nodes),
            "multipv" => line = number(words.next()).unwrap_or(1),
            "score" => {
                score = match (words.next(), number(words.next())) {
                    (Some("cp"), Some(points)) => Some(Score::Points(points)),
                    (Some("mate"), Some(moves)) => Some(Score::Mate(moves)),
                    _ => None,
                }
            }
            "pv" => {
                let codes: Vec<String> = words.by_ref().map(str::to_owned).collect();
                let Some(score) = score.filter(|_| !codes.is_empty() && line > 0) else { return };
                thought.lines.truncate(line - 1);
                thought.lines.push(Line { score, codes });
            }
            _ => {}
        }
    }
}

fn number<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
    word?.parse().ok()
}

/// An error of an external engine.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the engine '{}' {reason}", .path.display())]
#[non_exhaustive]
pub struct UciError {
    /// The path of the program.
    pub path: PathBuf,
    /// What it did wrong, worded to follow the name of the engine: `could not be started: ...`.
    pub reason: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn info_lines_are_parsed() {
        let mut thought = BotMove::new("e2e4");
        for info in [
            "depth 7 seldepth 9 multipv 1 score cp -12 nodes 999 nps 5 pv e2e4 e7e5",
            "depth 7 multipv 2 score mate -3 nodes 1200 pv d2d4",
            "string pv is not a variation",
            "depth x score cp nodes pv",
        ] {
            apply_info(&mut thought, info);
        }
        assert_eq!((thought.depth, thought.nodes, thought.lines.len()), (7, 1200, 2));
        assert_eq!(thought.lines[0].score, Score::Points(-12));
        assert_eq!(thought.lines[0].codes, ["e2e4", "e7e5"]);
        assert_eq!(thought.lines[1].score, Score::Mate(-3));
        assert_eq!(option_name("name Skill Level type spin"), Some("Skill Level".to_owned()));
    }

    #[test]
    fn programs_that_are_not_engines_are_an_error() {
        let error = Engine::start("/nowhere/at/all", &[], false).unwrap_err();
        assert!(error.to_string().contains("could not be started"), "{error}");
        // `true` exits at once, without any output.
        let error = Engine::start("true", &[], false).unwrap_err().to_string();
        assert!(error.contains("exited") || error.contains("does not accept input"), "{error}");
    }
}
