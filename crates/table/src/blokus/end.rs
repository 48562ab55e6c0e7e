//! The outcome of a game of Blokus.

use fourfold_blokus::sgf::WithdrawalReason;

use super::BlokusState;
use crate::game_table::State;
use crate::{Outcome, Seat, outcome};

/// Returns how the game has ended, or `None` while it is in progress.
pub(super) fn outcome(state: &BlokusState) -> Option<Outcome> {
    let seats = state.seats();
    if state.drawn {
        return Some(Outcome::new(Vec::new(), "agreement".to_owned(), seats));
    }
    let remaining = state.remaining();
    if let (Some((_, why)), [winner]) = (state.withdrawn.last(), &remaining[..]) {
        let reason = match why {
            WithdrawalReason::Resigned => "resignation",
            WithdrawalReason::OutOfTime => "time forfeit",
        };
        return Some(Outcome::new(vec![*winner], reason.to_owned(), seats));
    }
    if state.game.turn().is_some() {
        return None;
    }
    let scores = state.game.position().player_scores();
    let score = |seat: &Seat| scores.get(seat.index()).copied().unwrap_or(i32::MIN);
    let most = remaining.iter().map(score).max()?;
    let winners: Vec<Seat> = remaining.into_iter().filter(|seat| score(seat) == most).collect();
    let text = outcome::on_points(&winners, most, seats);
    Some(Outcome { winners, reason: "points".to_owned(), text })
}
