//! Runs a program that plays Blokus as a bot: one that speaks the dialect of the Go Text Protocol (GTP)
//! that Pentobi's engine `pentobi-gtp` speaks.

use std::time::{Duration, Instant};

use fourfold_blokus::{Position, Variant, sgf};
use fourfold_common::{ensure, quote_short};

use crate::program::{EngineError, HANDSHAKE, MAX_SEARCH, Program};
use crate::{Bot, BotMove, Budget, Rules, Situation, ThinkError};

/// A running engine. Dropping it ends the process.
#[derive(Debug)]
pub struct Engine {
    program: Program,
    name: String,
    /// The game that the engine has on its board.
    position: Position,
    played: Vec<String>,
}

impl Engine {
    /// Starts an engine for a game, which is an id of `fourfold-table` such as `blokus-duo`. `command`
    /// is the path of the program followed by arguments, separated by spaces.
    ///
    /// # Errors
    /// Returns an error if the program does not start, does not answer as GTP requires, or does not
    /// play the game.
    pub fn start(command: &str, game: &str) -> Result<Engine, EngineError> {
        let mut program = Program::start(command)?;
        let Some(Rules::Blokus(variant)) = Rules::of(game) else {
            return Err(program.error(format!("cannot play {game}, only games of Blokus")));
        };
        let name = ask(&mut program, "name", HANDSHAKE)?;
        ask(&mut program, &format!("set_game {}", sgf::variant_name(variant)), HANDSHAKE)?;
        Ok(Engine { program, name, position: Position::start(variant), played: Vec::new() })
    }

    /// Returns the name that the engine reported.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the id of the engine's process.
    pub fn process(&self) -> u32 {
        self.program.process()
    }

    /// Clears the board for a new game.
    ///
    /// # Errors
    /// Returns an error if the engine does not answer.
    pub fn new_game(&mut self) -> Result<(), EngineError> {
        ask(&mut self.program, "clear_board", HANDSHAKE)?;
        self.position = Position::start(self.position.variant());
        self.played.clear();
        Ok(())
    }

    /// Sends the moves that the engine does not know.
    fn catch_up(&mut self, moves: &[String]) -> Result<(), EngineError> {
        if !moves.starts_with(&self.played) {
            self.new_game()?;
        }
        for code in &moves[self.played.len()..] {
            let color = self.color()?;
            ask(&mut self.program, &format!("play {color} {code}"), HANDSHAKE)?;
            self.play(code)?;
        }
        Ok(())
    }

    /// Plays a move on our own board, and returns its usual code.
    fn play(&mut self, code: &str) -> Result<String, EngineError> {
        let illegal = || format!("played '{}', which is not legal", quote_short(code));
        let placement = self.position.parse_move(code);
        let placement = placement.map_err(|_| self.program.error(illegal()))?;
        self.position.play_unchecked(placement);
        let code = placement.to_text(self.position.variant().size());
        self.played.push(code.clone());
        Ok(code)
    }

    /// Returns the name of the color to move.
    fn color(&self) -> Result<&'static str, EngineError> {
        let over = || self.program.error("was asked for a move after the end".to_owned());
        let color = self.position.turn().ok_or_else(over)?;
        Ok(sgf::color_name(self.position.variant(), color))
    }

    fn choose(&mut self, situation: &Situation<'_>) -> Result<BotMove, EngineError> {
        self.catch_up(situation.moves)?;
        let color = self.color()?;
        let answer = ask(&mut self.program, &format!("genmove {color}"), MAX_SEARCH)?;
        let code = answer.to_ascii_lowercase();
        let is_move = !matches!(&code[..], "pass" | "resign");
        let no_move = || format!("answered '{code}' (pentobi-gtp has --noresign)");
        ensure!(is_move, self.program.error(no_move()));
        self.play(&code).map(BotMove::new)
    }
}

impl Bot for Engine {
    /// Chooses a move. The engine decides by itself how long it thinks.
    fn think(&mut self, situation: &Situation<'_>, _: Budget<'_>) -> Result<BotMove, ThinkError> {
        let start = Position::parse(situation.start).map_err(ThinkError::start)?;
        let usual = Position::start(self.position.variant());
        let reason = "engines that speak GTP can only play from the start of a game";
        ensure!(start == usual, ThinkError::start(reason.to_owned()));
        self.choose(situation).map_err(|error| {
            // What the engine has on its board is unknown, so it is told again.
            self.played.clear();
            self.position = Position::start(self.position.variant());
            ThinkError::Failed { reason: error.to_string() }
        })
    }
}

/// Sends a command, and returns the answer in one line.
fn ask(program: &mut Program, command: &str, limit: Duration) -> Result<String, EngineError> {
    program.send(command)?;
    let deadline = Instant::now() + limit;
    let what = format!("an answer to '{}'", quote_short(command));
    let mut answer = String::new();
    loop {
        let line = program.receive(deadline, &what)?;
        match line.trim() {
            // An answer ends with an empty line.
            "" if !answer.is_empty() => break,
            "" => {}
            text if answer.is_empty() => {
                let said = || format!("does not speak GTP: it sent '{}'", quote_short(text));
                ensure!(text.starts_with(['=', '?']), program.error(said()));
                answer = text.to_owned();
            }
            text => answer = format!("{answer} {text}"),
        }
    }
    match answer.strip_prefix('=') {
        Some(result) => Ok(result.trim().to_owned()),
        None => {
            let said = answer.trim_start_matches('?').trim();
            Err(program.error(format!("refused '{}': {}", quote_short(command), quote_short(said))))
        }
    }
}

/// Returns whether a game is one that engines can play over GTP.
pub fn can_play(game: &str) -> bool {
    matches!(Rules::of(game), Some(Rules::Blokus(variant)) if is_named(variant))
}

/// Returns whether other programs know a variant by name.
fn is_named(variant: Variant) -> bool {
    variant.to_string() != sgf::variant_name(variant)
}
