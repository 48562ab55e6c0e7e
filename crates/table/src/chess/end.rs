//! How a game of chess ends: by declaration, by its file or by the rules.

use fourfold_chess::pgn::GameResult;
use fourfold_chess::{Color, Ending};

use super::{ChessState, SEATS, seat};
use crate::{Declaration, Outcome};

const RESIGNATION: &str = "resignation";
const AGREEMENT: &str = "agreement";
const TIME_FORFEIT: &str = "time forfeit";

/// An end that was declared or read from a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct End {
    pub(super) result: GameResult,
    /// The reason, as in the `Termination` tag. `None` if the file does not give a known one.
    pub(super) termination: Option<String>,
}

impl End {
    /// Returns the end for a declaration. `None` if there is nothing to claim.
    pub(super) fn declared(declaration: Declaration, state: &ChessState) -> Option<End> {
        let color = |index: usize| Color::ALL.get(index).copied();
        let (result, termination) = match declaration {
            Declaration::Claim(_) => (GameResult::Drawn, state.claim?.to_string()),
            Declaration::Resign(seat) => {
                (GameResult::Won(!color(seat.index())?), RESIGNATION.to_owned())
            }
            Declaration::Flag(seat) => {
                let winner = !color(seat.index())?;
                // A player with only a king cannot win.
                let alone = !state.position.board().color(winner).more_than_one();
                let result = if alone { GameResult::Drawn } else { GameResult::Won(winner) };
                (result, TIME_FORFEIT.to_owned())
            }
            Declaration::Draw => (GameResult::Drawn, AGREEMENT.to_owned()),
        };
        Some(End { result, termination: Some(termination) })
    }

    /// Returns the end for the result and the `Termination` tag of a file.
    pub(super) fn from_record(result: GameResult, termination: Option<&str>) -> End {
        let drawn = result == GameResult::Drawn;
        let possible = [
            (RESIGNATION.to_owned(), !drawn),
            (AGREEMENT.to_owned(), drawn),
            (TIME_FORFEIT.to_owned(), true),
            (Ending::ThreefoldRepetition.to_string(), drawn),
            (Ending::FiftyMoves.to_string(), drawn),
        ];
        let known = possible.into_iter().find(|(text, possible)| {
            *possible && termination.is_some_and(|given| given.eq_ignore_ascii_case(text))
        });
        End { result, termination: known.map(|(text, _)| text) }
    }

    pub(super) fn outcome(&self) -> Outcome {
        let reason = match (self.termination.as_deref(), self.result) {
            (Some(TIME_FORFEIT), GameResult::Drawn) => "timeout vs insufficient material",
            (termination, _) => termination.unwrap_or("recorded result"),
        };
        outcome(self.result, reason.to_owned())
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
    let winners = if let GameResult::Won(color) = result { vec![seat(color)] } else { Vec::new() };
    Outcome::new(winners, reason, &SEATS)
}
