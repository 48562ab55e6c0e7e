//! The outcome of a game of four-player chess.

use fourfold_four_player::pgn4::GameResult;
use fourfold_four_player::{Ending, Mode, Player, Position, Winner};

use super::{SEATS, seat};
use crate::{Outcome, Seat, outcome};

/// Returns how the game has ended, or `None` while it is in progress.
pub(super) fn outcome(position: &Position) -> Option<Outcome> {
    let ending = position.ending()?;
    let winners: Vec<Seat> = position.winners().iter().map(seat).collect();
    let rules = position.rules();
    Some(match (rules.mode, rules.winner) {
        (Mode::FreeForAll, Winner::MostPoints) => on_points(position, ending, winners),
        (Mode::Teams, _) | (Mode::FreeForAll, Winner::Survivors) => {
            Outcome::new(winners, reason(ending).to_owned(), &SEATS)
        }
    })
}

/// Returns the outcome for a result that only the game's file gives.
pub(super) fn recorded(result: GameResult) -> Outcome {
    let winners: Vec<Player> = match result {
        GameResult::Points(points) => {
            let most = points.into_iter().max();
            let best = |player: &Player| Some(points[*player as usize]) == most;
            Player::ALL.into_iter().filter(best).collect()
        }
        GameResult::RedYellow => vec![Player::Red, Player::Yellow],
        GameResult::BlueGreen => vec![Player::Blue, Player::Green],
        GameResult::Drawn | GameResult::Open => Vec::new(),
    };
    let winners = winners.into_iter().map(seat).collect();
    Outcome::new(winners, "recorded result".to_owned(), &SEATS)
}

/// Returns the outcome of a free-for-all that is won on points, no matter who survives.
fn on_points(position: &Position, ending: Ending, winners: Vec<Seat>) -> Outcome {
    let most = position.points().into_iter().max().unwrap_or(0);
    let won = outcome::on_points(&winners, i32::from(most), &SEATS);
    let drawn = match ending {
        Ending::LastSurvivor => String::new(),
        drawn => format!(" after a draw by {}", reason(drawn)),
    };
    Outcome { winners, reason: format!("points{drawn}"), text: format!("{won}{drawn}") }
}

/// Returns the reason for an ending, in the same words as in other games.
fn reason(ending: Ending) -> &'static str {
    match ending {
        Ending::LastSurvivor => "survival",
        Ending::KingCaptured => "king capture",
        Ending::Resigned => "resignation",
        Ending::Flagged => "time forfeit",
        Ending::QuietPlies => "too many moves without a capture or pawn move",
        other => other.name(),
    }
}
