//! How a game has ended, and what players declare beside their moves.

use serde::{Deserialize, Serialize};

use crate::Seat;

/// How a game has ended.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
#[non_exhaustive]
pub struct Outcome {
    /// Who has won: nobody in a draw, several where a victory is shared.
    pub winners: Vec<Seat>,
    /// Why, in a few words: `checkmate`, `resignation`.
    pub reason: String,
    /// Both for a person: `white wins by checkmate`.
    pub text: String,
}

impl Outcome {
    /// An outcome for a game whose seats have these names.
    pub(crate) fn new(winners: Vec<Seat>, reason: String, seats: &[&str]) -> Outcome {
        let names: Vec<&str> = winners.iter().map(|winner| seats[winner.index()]).collect();
        let text = match names[..] {
            [] => format!("draw by {reason}"),
            [name] => format!("{name} wins by {reason}"),
            [..] => format!("{} win by {reason}", listed(&names)),
        };
        Outcome { winners, reason, text }
    }
}

/// Who wins with how many points: `red and blue win with 3 points each`.
pub(crate) fn on_points(winners: &[Seat], most: i32, seats: &[&str]) -> String {
    let points = if most == 1 { "point" } else { "points" };
    let names: Vec<&str> = winners.iter().map(|winner| seats[winner.index()]).collect();
    match names[..] {
        [name] => format!("{name} wins with {most} {points}"),
        [..] => format!("{} win with {most} {points} each", listed(&names)),
    }
}

/// Names in a sentence: `red, blue and green`.
fn listed(names: &[&str]) -> String {
    match names {
        [rest @ .., before, last] => [rest, &[&format!("{before} and {last}")]].concat().join(", "),
        [..] => names.concat(),
    }
}

/// What is said about a game from outside, beside the moves. As JSON: `{"resign":0}`, `"draw"`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Declaration {
    /// A seat claims the draw that [`Table::claimable`](crate::Table::claimable) names.
    Claim(Seat),
    /// A seat gives up.
    Resign(Seat),
    /// A seat's time is up.
    Flag(Seat),
    /// All have agreed on a draw.
    Draw,
}

impl Declaration {
    /// Whose it is, if it is one seat's.
    pub const fn seat(self) -> Option<Seat> {
        match self {
            Declaration::Claim(seat) | Declaration::Resign(seat) | Declaration::Flag(seat) => {
                Some(seat)
            }
            Declaration::Draw => None,
        }
    }
}
