//! Four-player chess in teams, in the dialect of UCI that the engine 4pchess speaks.
//!
//! Positions are FEN4s, and moves are written `h2-h4` and `d10-d11=Q`. Options need not be announced. The
//! score has no unit and follows the line. An engine may ignore a limit of nodes, and may have no move
//! to answer with when its time is short.

use std::time::{Duration, Instant};

use fourfold_common::quote_short;
use fourfold_four_player::{Position, Role, Rules};

use super::{GRACE, POLL, apply_info, shake_hands};
use crate::program::{CpuLimit, EngineError, HANDSHAKE, MAX_SEARCH, MAX_WAIT, Program};
use crate::{Bot, BotMove, Budget, Score, Situation, ThinkError};

/// How far an engine may exceed its time before it is stopped.
const LATE: Duration = Duration::from_millis(250);
/// How many characters of an engine's reason are shown.
const MAX_REASON: usize = 200;
/// Scores from here on mean that somebody is mated.
const MATE: i32 = 90_000_000;

/// A running engine for four-player chess in teams. Dropping it ends the process.
#[derive(Debug)]
pub struct Engine {
    program: Program,
    name: String,
    movetime: Option<Duration>,
    cputime: bool,
}

impl Engine {
    /// Starts an engine and performs the UCI handshake. `command` is the path of the program
    /// followed by arguments, separated by spaces. Options are set by name.
    ///
    /// # Errors
    /// Returns an error if the program does not start, does not answer as UCI requires, or refuses
    /// one of the options.
    pub fn start(command: &str, options: &[(String, String)]) -> Result<Engine, EngineError> {
        let mut program = Program::start(command)?;
        let (name, _) = shake_hands(&mut program)?;
        let mut engine = Engine { program, name, movetime: None, cputime: false };
        for (name, value) in options {
            let what = format!("the option '{}'", quote_short(name));
            engine.tell(&format!("setoption name {name} value {value}"), &what)?;
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
        self.tell("ucinewgame", "'ucinewgame'")
    }

    /// Sends a command that has no answer, and waits until the engine is ready. It says so if it
    /// refuses a command, which `what` describes in errors.
    fn tell(&mut self, command: &str, what: &str) -> Result<(), EngineError> {
        self.program.send(command)?;
        self.program.send("isready")?;
        self.wait_until_ready(what)
    }

    fn wait_until_ready(&mut self, what: &str) -> Result<(), EngineError> {
        let deadline = Instant::now() + HANDSHAKE;
        loop {
            let line = self.program.receive(deadline, "'readyok'")?;
            if let Some(reason) = line.strip_prefix("info string ") {
                let reason: String = reason.chars().take(MAX_REASON).collect();
                return Err(self.program.error(format!("refused {what}: {}", reason.trim())));
            }
            if line.trim() == "readyok" {
                return Ok(());
            }
        }
    }

    fn ask(
        &mut self,
        situation: &Situation<'_>,
        budget: Budget<'_>,
    ) -> Result<BotMove, EngineError> {
        let mut position = format!("position fen {}", situation.start);
        if !situation.moves.is_empty() {
            let moves: Vec<String> = situation.moves.iter().map(|code| to_dialect(code)).collect();
            position = format!("{position} moves {}", moves.join(" "));
        }
        self.tell(&position, "the position")?;
        let cpu_time = self.movetime.filter(|_| self.cputime);
        let movetime = match cpu_time {
            Some(time) => Some(time.saturating_mul(MAX_WAIT)),
            None => self.movetime,
        };
        let go = match movetime {
            Some(time) => format!("go movetime {}", time.as_millis().max(1)),
            None => format!("go nodes {}", budget.nodes.max(1)),
        };
        // With a fixed time, the engine stops by itself.
        let limit = match (cpu_time, self.movetime) {
            (Some(time), _) => Limit::Cpu(self.program.cpu_limit(time)?),
            (None, Some(_)) => Limit::None,
            (None, None) => Limit::Budget(budget),
        };
        if let Some(thought) = self.search(&go, movetime, &limit, situation)? {
            return Ok(thought);
        }
        // It was stopped before it had found any move.
        let found = self.search("go depth 1", None, &Limit::None, situation)?;
        found.ok_or_else(|| self.program.error("found no move".to_owned()))
    }

    /// Searches for some time, or until the limit is reached. Returns `None` if the engine was stopped
    /// too early to have a move.
    fn search(
        &mut self,
        go: &str,
        time: Option<Duration>,
        limit: &Limit<'_>,
        situation: &Situation<'_>,
    ) -> Result<Option<BotMove>, EngineError> {
        self.program.send(go)?;
        let began = Instant::now();
        let late = time.map(|time| began + time + LATE);
        let mut deadline = began + time.map_or(MAX_SEARCH, |time| time + GRACE);
        let (mut thought, mut stopped, mut ready) = (BotMove::new(""), false, false);
        loop {
            // 4pchess can be stopped safely only after its first report.
            let is_enough = thought.depth > 0 && limit.is_reached(thought.nodes);
            if !stopped && (is_enough || late.is_some_and(|late| Instant::now() >= late)) {
                self.program.send("stop")?;
                self.program.send("isready")?;
                stopped = true;
                deadline = deadline.min(Instant::now() + GRACE);
            }
            let polls = late.is_some() || limit.polls();
            let patience = if polls && !stopped { Instant::now() + POLL } else { deadline };
            let line = match self.program.receive(patience.min(deadline), "a best move") {
                Ok(line) => line,
                Err(error) if self.program.has_ended() || Instant::now() >= deadline => {
                    return Err(error);
                }
                Err(_) => continue,
            };
            if let Some(rest) = line.strip_prefix("bestmove ") {
                let code = rest.split_whitespace().next().unwrap_or_default();
                thought.code = from_dialect(code);
                thought.lines.iter_mut().for_each(translate);
                if stopped && !ready {
                    self.wait_until_ready("'stop'")?;
                }
                return Ok(Some(thought));
            } else if line.starts_with("info string Game completed") {
                return self.capture_king(situation, &line).map(Some);
            } else if let Some(rest) = line.strip_prefix("info ") {
                apply_info(&mut thought, rest);
            } else if line.trim() == "readyok" {
                ready = true;
                if thought.depth == 0 {
                    return Ok(None);
                }
            }
        }
    }

    /// Returns the capture of a king. 4pchess calls a game over when a king can be captured.
    fn capture_king(&self, situation: &Situation<'_>, said: &str) -> Result<BotMove, EngineError> {
        let error = || self.program.error(format!("has no move: it sent '{}'", quote_short(said)));
        let mut position =
            Position::from_fen4(situation.start, Rules::TEAMS).map_err(|_| error())?;
        for code in situation.moves {
            let mv = position.parse_move(code).map_err(|_| error())?;
            position.play_unchecked(mv);
        }
        let is_king = |role| role == Some(Role::King);
        let moves = position.legal_moves();
        let capture = moves
            .iter()
            .find(|mv| is_king(position.piece_at(mv.to()).map(|piece| piece.role)))
            .ok_or_else(error)?;
        Ok(BotMove::new(capture.to_string()))
    }
}

/// When an engine is stopped before it stops by itself.
enum Limit<'a> {
    None,
    Budget(Budget<'a>),
    Cpu(CpuLimit),
}

impl Limit<'_> {
    fn is_reached(&self, nodes: u64) -> bool {
        match self {
            Limit::None => false,
            Limit::Budget(budget) => budget.is_spent(nodes),
            Limit::Cpu(limit) => limit.is_reached(),
        }
    }

    /// Returns whether it may be reached while the engine says nothing.
    fn polls(&self) -> bool {
        match self {
            Limit::None => false,
            Limit::Budget(budget) => budget.stop.is_some(),
            Limit::Cpu(_) => true,
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

/// Translates the moves of a line, and the score if it is a mate.
fn translate(line: &mut crate::Line) {
    line.codes.iter_mut().for_each(|code| *code = from_dialect(code));
    if let Score::Points(points) = line.score
        && points.unsigned_abs() >= MATE.unsigned_abs()
    {
        // A line ends with the mate, and a team makes every other move of it.
        let moves = line.codes.len().div_ceil(2) as i32;
        line.score = Score::Mate(points.signum() * moves);
    }
}

/// Writes a move such as `h2h4` or `d10d11q` in the dialect: `h2-h4`, `d10-d11=Q`.
///
/// ```
/// use fourfold_bots::uci::four_player::to_dialect;
/// assert_eq!(to_dialect("d10d11q"), "d10-d11=Q");
/// ```
pub fn to_dialect(code: &str) -> String {
    let mut text = String::new();
    let mut letters = 0;
    for letter in code.chars() {
        if letter.is_ascii_alphabetic() {
            letters += 1;
            match letters {
                2 => text.push('-'),
                3 => text.push('='),
                _ => {}
            }
        }
        text.push(if letters == 3 { letter.to_ascii_uppercase() } else { letter });
    }
    text
}

/// Reads a move in the dialect. It may also be in our own notation.
///
/// ```
/// use fourfold_bots::uci::four_player::from_dialect;
/// assert_eq!(from_dialect("d10-d11=Q"), "d10d11q");
/// assert_eq!(from_dialect("h2h4"), "h2h4");
/// ```
pub fn from_dialect(code: &str) -> String {
    code.replace(['-', '='], "").to_ascii_lowercase()
}
