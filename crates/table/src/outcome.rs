//! How a game has ended, and declarations, which are steps other than moves.

use serde::{Deserialize, Serialize};

use crate::Seat;

/// How a game has ended.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
#[non_exhaustive]
pub struct Outcome {
    /// The seats that have won: none in a draw, several if they share the victory.
    pub winners: Vec<Seat>,
    /// The reason, in a few words: `checkmate`, `resignation`.
    pub reason: String,
    /// The whole outcome for display: `white wins by checkmate`.
    pub text: String,
}

impl Outcome {
    /// Creates an outcome, with its text made from the names of the seats.
    pub(crate) fn new(winners: Vec<Seat>, reason: String, seats: &[&str]) -> Outcome {
        let text = match winners[..] {
            [] => format!("draw by {reason}"),
            _ => winners_text(&winners, seats, &format!("by {reason}")),
        };
        Outcome { winners, reason, text }
    }
}

impl Outcome {
    /// Returns the outcome of a game that was abandoned in its first moves: nobody has won, and it
    /// is not a draw either.
    pub fn aborted() -> Outcome {
        let (reason, text) = ("aborted".to_owned(), "game aborted".to_owned());
        Outcome { winners: Vec::new(), reason, text }
    }
}

/// Returns the text for a win on points: `red and blue win with 3 points each`.
pub(crate) fn on_points(winners: &[Seat], most: i32, seats: &[&str]) -> String {
    let points = if most == 1 { "point" } else { "points" };
    let each = if winners.len() == 1 { "" } else { " each" };
    winners_text(winners, seats, &format!("with {most} {points}{each}"))
}

fn winners_text(winners: &[Seat], seats: &[&str], how: &str) -> String {
    let names: Vec<&str> = winners.iter().map(|winner| seats[winner.index()]).collect();
    let verb = if names.len() == 1 { "wins" } else { "win" };
    format!("{} {verb} {how}", listed(&names))
}

/// Joins names for use in a sentence: `red, blue and green`.
fn listed(names: &[&str]) -> String {
    match names {
        [rest @ .., before, last] => [rest, &[&format!("{before} and {last}")]].concat().join(", "),
        [..] => names.concat(),
    }
}

/// A step of a game that is not a move. As JSON: `{"resign":0}`, `"draw"`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Declaration {
    /// A seat claims the draw that [`Table::claimable`](crate::Table::claimable) names.
    Claim(Seat),
    /// A seat resigns.
    Resign(Seat),
    /// A seat has run out of time.
    Flag(Seat),
    /// All players have agreed to a draw.
    Draw,
}

impl Declaration {
    /// Returns the seat that the declaration is about. `None` for an agreed draw.
    pub const fn seat(self) -> Option<Seat> {
        match self {
            Declaration::Claim(seat) | Declaration::Resign(seat) | Declaration::Flag(seat) => {
                Some(seat)
            }
            Declaration::Draw => None,
        }
    }
}
