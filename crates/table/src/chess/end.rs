//! How a game of chess ends: by declaration, by its file or by the rules.

use fourfold_chess::pgn::GameResult;
use fourfold_chess::{Color, Ending, Position};

use super::{SEATS, seat};
use crate::Outcome;

/// An end that was declared or read from a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct End {
    pub(super) result: GameResult,
    pub(super) why: Why,
}

/// Why a game ended other than by the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Why {
    Resignation,
    Agreement,
    Time,
    Claim(Ending),
    /// The result comes from a file that does not give a known reason.
    Record,
}

impl End {
    pub(super) fn resignation(loser: Color) -> End {
        End { result: GameResult::Won(!loser), why: Why::Resignation }
    }

    pub(super) fn agreement() -> End {
        End { result: GameResult::Drawn, why: Why::Agreement }
    }

    pub(super) fn claim(ending: Ending) -> End {
        End { result: GameResult::Drawn, why: Why::Claim(ending) }
    }

    /// A player who runs out of time loses, or draws if the opponent has only a king.
    pub(super) fn flag(loser: Color, position: &Position) -> End {
        let alone = !position.board().color(!loser).more_than_one();
        let result = if alone { GameResult::Drawn } else { GameResult::Won(!loser) };
        End { result, why: Why::Time }
    }

    /// Returns the end for the result and the `Termination` tag of a file.
    pub(super) fn from_record(result: GameResult, termination: Option<&str>) -> End {
        let ends = [
            Why::Resignation,
            Why::Agreement,
            Why::Time,
            Why::Claim(Ending::ThreefoldRepetition),
            Why::Claim(Ending::FiftyMoves),
        ];
        let told = |end: &End| {
            let known = end.termination().zip(termination);
            end.is_possible() && known.is_some_and(|(ours, text)| ours.eq_ignore_ascii_case(text))
        };
        let known = ends.into_iter().map(|why| End { result, why }).find(told);
        known.unwrap_or(End { result, why: Why::Record })
    }

    /// Returns whether a game can have this result for this reason.
    fn is_possible(self) -> bool {
        match (self.why, self.result) {
            (_, GameResult::Open) => false,
            (Why::Time | Why::Record, GameResult::Won(_) | GameResult::Drawn) => true,
            (Why::Resignation, result) => result != GameResult::Drawn,
            (Why::Agreement | Why::Claim(_), result) => result == GameResult::Drawn,
        }
    }

    /// Returns the value of the `Termination` tag.
    pub(super) fn termination(self) -> Option<String> {
        match self.why {
            Why::Resignation => Some("resignation".to_owned()),
            Why::Agreement => Some("agreement".to_owned()),
            Why::Time => Some("time forfeit".to_owned()),
            Why::Claim(ending) => Some(ending.to_string()),
            Why::Record => None,
        }
    }

    pub(super) fn outcome(self) -> Outcome {
        let reason = match (self.why, self.result) {
            (Why::Time, GameResult::Drawn) => "timeout vs insufficient material".to_owned(),
            _ => self.termination().unwrap_or_else(|| "recorded result".to_owned()),
        };
        outcome(self.result, reason)
    }
}

/// Returns the outcome of a game that the rules have ended.
pub(super) fn by_rule(ending: Ending) -> Outcome {
    outcome(result(ending), ending.to_string())
}

/// Returns the result of a game that the rules have ended.
pub(super) fn result(ending: Ending) -> GameResult {
    ending.winner().map_or(GameResult::Drawn, GameResult::Won)
}

fn outcome(result: GameResult, reason: String) -> Outcome {
    let winners = match result {
        GameResult::Won(color) => vec![seat(color)],
        GameResult::Drawn | GameResult::Open => Vec::new(),
    };
    Outcome::new(winners, reason, &SEATS)
}
