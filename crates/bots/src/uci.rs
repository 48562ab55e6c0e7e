//! Runs any UCI engine as a bot: an external program that is controlled over its standard input and
//! output.

pub mod four_player;

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use fourfold_common::{ensure, quote_short};

use crate::program::{EngineError, HANDSHAKE, MAX_SEARCH, MAX_WAIT, Program};
use crate::{Bot, BotMove, Budget, Line, Score, Situation, ThinkError};

/// How long an engine may take beyond its time for a move, or after `stop`.
const GRACE: Duration = Duration::from_secs(10);
/// How often the stop flag of a budget is checked.
const POLL: Duration = Duration::from_millis(2);

/// A running engine. Dropping it ends the process.
#[derive(Debug)]
pub struct Engine {
    program: Program,
    name: String,
    movetime: Option<Duration>,
    cputime: bool,
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
    ) -> Result<Engine, EngineError> {
        let mut program = Program::start(command)?;
        let (name, known) = shake_hands(&mut program)?;
        let mut engine = Engine { program, name, movetime: None, cputime: false };
        for (name, value) in options {
            let has_option = known.iter().any(|known: &String| known.eq_ignore_ascii_case(name));
            let missing = || format!("has no option '{}'", quote_short(name));
            ensure!(has_option, engine.program.error(missing()));
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

    /// Counts the time per move in CPU time of the engine's process, and stops the engine when it is used
    /// up. An engine that ends its search by itself is told twenty times as much.
    pub const fn set_cputime(&mut self, cputime: bool) {
        self.cputime = cputime;
    }

    /// Returns the id of the engine's process.
    pub fn process(&self) -> u32 {
        self.program.process()
    }

    /// Tells the engine that a new game begins, and waits until it is ready.
    ///
    /// # Errors
    /// Returns an error if the engine does not answer.
    pub fn new_game(&mut self) -> Result<(), EngineError> {
        self.send("ucinewgame")?;
        self.send("isready")?;
        let deadline = Instant::now() + HANDSHAKE;
        while self.receive(deadline, "'readyok'")?.trim() != "readyok" {}
        Ok(())
    }

    fn send(&mut self, line: &str) -> Result<(), EngineError> {
        self.program.send(line)
    }

    fn receive(&self, deadline: Instant, what: &str) -> Result<String, EngineError> {
        self.program.receive(deadline, what)
    }

    fn ask(
        &mut self,
        situation: &Situation<'_>,
        budget: Budget<'_>,
    ) -> Result<BotMove, EngineError> {
        let mut position = format!("position fen {}", situation.start);
        if !situation.moves.is_empty() {
            position = format!("{position} moves {}", situation.moves.join(" "));
        }
        self.send(&position)?;
        let cpu_time = self.movetime.filter(|_| self.cputime);
        let cpu_limit = cpu_time.map(|time| self.program.cpu_limit(time)).transpose()?;
        let movetime = match cpu_time {
            Some(time) => Some(time.saturating_mul(MAX_WAIT)),
            None => self.movetime,
        };
        let mut deadline = match movetime {
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
            let is_enough = match &cpu_limit {
                Some(limit) => limit.is_reached(),
                None => stop_requested && self.movetime.is_none(),
            };
            if is_enough && !stopped {
                self.send("stop")?;
                stopped = true;
                deadline = deadline.min(Instant::now() + GRACE);
            }
            let polls = budget.stop.is_some() || cpu_limit.is_some();
            let patience =
                if polls && !stopped { deadline.min(Instant::now() + POLL) } else { deadline };
            let line = match self.receive(patience, "a best move") {
                Ok(line) => line,
                Err(error) if self.program.has_ended() || Instant::now() >= deadline => {
                    return Err(error);
                }
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

/// Begins a session, and returns the name of the engine and the names of its options.
fn shake_hands(program: &mut Program) -> Result<(String, Vec<String>), EngineError> {
    program.send("uci")?;
    let (mut name, mut options) = (String::new(), Vec::new());
    let deadline = Instant::now() + HANDSHAKE;
    loop {
        let line = program.receive(deadline, "'uciok'")?;
        match line.split_once(' ') {
            Some(("id", rest)) => {
                if let Some(own) = rest.strip_prefix("name ") {
                    name = own.trim().to_owned();
                }
            }
            Some(("option", rest)) => options.extend(option_name(rest)),
            _ if line.trim() == "uciok" => return Ok((name, options)),
            _ => {}
        }
    }
}

/// The former name of [`EngineError`].
#[deprecated(note = "renamed to `EngineError`")]
pub type UciError = EngineError;

/// Returns the option name in `name Skill Level type spin default 20`.
fn option_name(text: &str) -> Option<String> {
    let name = text.strip_prefix("name ")?.split(" type ").next()?;
    Some(name.trim().to_owned())
}

/// Updates a thought from an `info` line: `depth 8 score cp 31 nodes 12000 pv e2e4 e7e5`. The score may
/// follow the moves, and lack the word `cp`.
fn apply_info(thought: &mut BotMove, info: &str) {
    let mut words = info.split_whitespace().peekable();
    let (mut score, mut line, mut codes) = (None, 1, Vec::new());
    while let Some(word) = words.next() {
        match word {
            "string" => return,
            "depth" => thought.depth = number(words.next()).unwrap_or(thought.depth),
            "nodes" => thought.nodes = number(words.next()).unwrap_or(thought.nodes),
            "multipv" => line = number(words.next()).unwrap_or(1),
            "score" => {
                score = match words.next() {
                    Some("cp") => number(words.next()).map(Score::Points),
                    Some("mate") => number(words.next()).map(Score::Mate),
                    points => number(points).map(Score::Points),
                }
            }
            "pv" => {
                while let Some(code) = words.next_if(|word| is_move(word)) {
                    codes.push(code.to_owned());
                }
            }
            _ => {}
        }
    }
    let Some(score) = score.filter(|_| !codes.is_empty() && line > 0) else { return };
    thought.lines.truncate(line - 1);
    thought.lines.push(Line { score, codes });
}

/// Returns whether a word is a move, which has letters and digits, or the null move.
fn is_move(word: &str) -> bool {
    let has_digit = word.contains(|letter: char| letter.is_ascii_digit());
    word == "0000" || has_digit && word.starts_with(|letter: char| letter.is_ascii_alphabetic())
}

fn number<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
    word?.parse().ok()
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
        // As 4pchess writes it.
        apply_info(
            &mut thought,
            "depth 4 time 247 nodes 782 pv b10-d10 g13-g12 score -174 nps 3165",
        );
        assert_eq!((thought.depth, thought.nodes), (4, 782));
        assert_eq!(thought.lines[0].score, Score::Points(-174));
        assert_eq!(thought.lines[0].codes, ["b10-d10", "g13-g12"]);
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
