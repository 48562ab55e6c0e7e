//! Runs any UCI engine as a bot: an external program that is controlled over its standard input and
//! output.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use fourfold_common::{ensure, quote_short};

use crate::program::{EngineError, HANDSHAKE, MAX_SEARCH, Program};
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
        let program = Program::start(command)?;
        let mut engine = Engine { program, name: String::new(), movetime: None };
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

/// The former name of [`EngineError`].
#[deprecated(note = "renamed to `EngineError`")]
pub type UciError = EngineError;

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
