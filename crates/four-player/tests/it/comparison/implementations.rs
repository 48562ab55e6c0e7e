//! A common text interface to oracle and engine.

use fourfold_four_player::{self as engine, History, Player, Players, Position, WithdrawalReason};
use fourfold_oracle::four_player::{self, KingCapture, MateTiming, Mode, Report, Rules, Winner};

/// The queries that the rules page and the test data need, with text input and output.
pub(crate) trait Implementation {
    /// Returns all legal moves, in any order; none if the game is over.
    fn moves(&self, fen4: &str, rules: &Rules) -> Result<Vec<String>, String>;
    /// Returns the position after a legal move, ignoring repetition.
    fn play(&self, fen4: &str, mv: &str, rules: &Rules) -> Result<String, String>;
    /// Returns the position itself, settled and in canonical form.
    fn state(&self, fen4: &str, rules: &Rules) -> Result<String, String>;
    /// Returns the status of a game after these plies: moves, or `R:resign` and `R:flag`.
    fn game(&self, fen4: &str, plies: &[&str], rules: &Rules) -> Result<Report, String>;
    /// Returns the number of move sequences of length `depth`.
    fn perft(&self, fen4: &str, depth: u32, rules: &Rules) -> Result<u64, String>;
    /// Whether a living player among these letters attacks the square.
    fn attacked(&self, fen4: &str, square: &str, by: &str, rules: &Rules) -> Result<bool, String>;
}

/// The slow reference implementation.
pub(crate) struct Oracle;

impl Implementation for Oracle {
    fn moves(&self, fen4: &str, rules: &Rules) -> Result<Vec<String>, String> {
        four_player::moves(fen4, rules).map_err(|error| error.to_string())
    }

    fn play(&self, fen4: &str, mv: &str, rules: &Rules) -> Result<String, String> {
        four_player::play(fen4, mv, rules).map_err(|error| error.to_string())
    }

    fn state(&self, fen4: &str, rules: &Rules) -> Result<String, String> {
        four_player::state(fen4, rules).map_err(|error| error.to_string())
    }

    fn game(&self, fen4: &str, plies: &[&str], rules: &Rules) -> Result<Report, String> {
        four_player::game(fen4, plies, rules).map_err(|error| error.to_string())
    }

    fn perft(&self, fen4: &str, depth: u32, rules: &Rules) -> Result<u64, String> {
        four_player::perft(fen4, depth, rules).map_err(|error| error.to_string())
    }

    fn attacked(&self, fen4: &str, square: &str, by: &str, rules: &Rules) -> Result<bool, String> {
        four_player::attacked(fen4, square, by, rules).map_err(|error| error.to_string())
    }
}

/// The engine, behind the same text interface.
pub(crate) struct Engine;

impl Engine {
    pub(crate) fn rules(rules: &Rules) -> engine::Rules {
        let Rules { mode, king_capture, mate_timing, winner, walking_king, award_kings, .. } =
            *rules;
        engine::Rules {
            mode: match mode {
                Mode::FreeForAll => engine::Mode::FreeForAll,
                Mode::Teams => engine::Mode::Teams,
            },
            king_capture: match king_capture {
                KingCapture::Allow => engine::KingCapture::Allow,
                KingCapture::Forbid => engine::KingCapture::Forbid,
            },
            mate_timing: match mate_timing {
                MateTiming::OnTurn => engine::MateTiming::OnTurn,
                MateTiming::Immediate => engine::MateTiming::Immediate,
                MateTiming::Off => engine::MateTiming::Off,
            },
            points: if rules.points == four_player::Points::legacy() {
                engine::Points::LEGACY
            } else {
                engine::Points::STANDARD
            },
            winner: match winner {
                Winner::Points => engine::Winner::MostPoints,
                Winner::Survivor => engine::Winner::Survivors,
            },
            walking_king,
            award_kings,
            repetitions: rules.repetition as u8,
            quiet_plies: rules.quiet as u16,
            bare_kings: rules.bare_kings,
        }
    }

    pub(crate) fn position(fen4: &str, rules: &Rules) -> Result<Position, String> {
        Position::from_fen4(fen4, Engine::rules(rules)).map_err(|error| error.to_string())
    }

    /// Plays a move, or withdraws a player: `R:resign`.
    pub(crate) fn ply(
        position: &mut Position,
        history: &mut History,
        ply: &str,
    ) -> Result<(), String> {
        if let Some((player, how)) = ply.split_once(':') {
            let player = player.chars().next().and_then(Player::from_letter).ok_or("no player")?;
            let how = if how == "flag" { WithdrawalReason::Flag } else { WithdrawalReason::Resign };
            position.withdraw(player, how).map_err(|error| error.to_string())?;
            history.push(position);
            return Ok(());
        }
        let mv = position.legal_moves().iter().copied().find(|mv| mv.to_string() == ply);
        let mv = mv.ok_or_else(|| format!("{ply} is not legal"))?;
        history.play(position, mv).map_err(|error| error.to_string())
    }

    pub(crate) fn report(position: &Position) -> Report {
        let in_check = Player::ALL.into_iter().filter(|&player| position.is_check(player));
        Report {
            fen4: position.fen4(),
            ending: position.ending().map(|ending| ending.to_string().replace(' ', "-")),
            winners: position.winners().letters(),
            in_check: in_check.collect::<Players>().letters(),
        }
    }
}

impl Implementation for Engine {
    fn moves(&self, fen4: &str, rules: &Rules) -> Result<Vec<String>, String> {
        let position = Engine::position(fen4, rules)?;
        Ok(position.legal_moves().iter().map(|mv| mv.to_string()).collect())
    }

    fn play(&self, fen4: &str, mv: &str, rules: &Rules) -> Result<String, String> {
        Ok(self.game(fen4, &[mv], &Rules { repetition: 0, ..rules.clone() })?.fen4)
    }

    fn state(&self, fen4: &str, rules: &Rules) -> Result<String, String> {
        Ok(Engine::position(fen4, rules)?.fen4())
    }

    fn game(&self, fen4: &str, plies: &[&str], rules: &Rules) -> Result<Report, String> {
        let mut position = Engine::position(fen4, rules)?;
        let mut history = History::new(&position);
        for ply in plies {
            Engine::ply(&mut position, &mut history, ply)?;
        }
        Ok(Engine::report(&position))
    }

    fn perft(&self, fen4: &str, depth: u32, rules: &Rules) -> Result<u64, String> {
        let position = Engine::position(fen4, rules)?;
        let counted = engine::perft(&position, depth);
        // Compare both perft implementations where that is fast.
        if counted < 100_000 {
            assert_eq!(counted, engine::perft_by_playing(&position, depth), "D{depth} of {fen4}");
        }
        Ok(counted)
    }

    fn attacked(&self, fen4: &str, square: &str, by: &str, rules: &Rules) -> Result<bool, String> {
        let position = Engine::position(fen4, rules)?;
        let square = engine::BOARD.parse(square).map_err(|error| error.to_string())?;
        Ok(position.is_attacked(square, by.chars().filter_map(Player::from_letter).collect()))
    }
}
