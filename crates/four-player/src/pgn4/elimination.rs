//! Determines how players are eliminated, according to the rules.

use std::fmt;

use super::Ply;
use crate::{Player, Players, Position, WithdrawalReason};

/// How a player was eliminated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Elimination {
    /// The player had no legal move and was in check.
    Mated,
    /// The player had no legal move and was not in check.
    Stalemated,
    /// The player's king was captured.
    KingCaptured,
    /// The player withdrew.
    Withdrew(WithdrawalReason),
    /// The player was already eliminated in the start position, for an unknown reason.
    Unknown,
}

/// Writes the end of a sentence that begins with the player's name: `was mated`.
impl fmt::Display for Elimination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Elimination::Mated => "was mated",
            Elimination::Stalemated => "was stalemated",
            Elimination::KingCaptured => "lost their king",
            Elimination::Withdrew(WithdrawalReason::Resign) => "has resigned",
            Elimination::Withdrew(WithdrawalReason::Flag) => "has run out of time",
            Elimination::Unknown => "was already eliminated at the start",
        })
    }
}

/// A player who is eliminated by a ply.
pub(super) struct EliminatedPlayer {
    pub(super) player: Player,
    pub(super) elimination: Elimination,
    /// Whether the elimination happened when the player's turn came, rather than at once.
    pub(super) on_turn: bool,
}

/// Returns the players who are eliminated by a ply that leads from `before` to `after`: first those
/// eliminated at once, then those eliminated on their turns, in turn order.
pub(super) fn eliminations(before: &Position, ply: Ply, after: &Position) -> Vec<EliminatedPlayer> {
    let mut stage = *before;
    let mut eliminated = Vec::new();
    let mut add = |player, elimination| {
        eliminated.push(EliminatedPlayer { player, elimination, on_turn: false });
    };
    match ply {
        Ply::Move(mv) => {
            for player in before.checks_and_eliminations(mv).1.iter() {
                let captured = after.king(player).is_none();
                add(player, if captured { Elimination::KingCaptured } else { Elimination::Mated });
            }
            stage.advance(mv);
        }
        Ply::Withdraw(player, how) => add(player, Elimination::Withdrew(how)),
        Ply::Draw => {}
    }
    for &EliminatedPlayer { player, .. } in &eliminated {
        if stage.alive().contains(player) {
            stage.eliminate(player);
        }
    }
    let on_turn = Players::from_bits(stage.alive().bits() & !after.alive().bits());
    for player in turn_order(before, ply).filter(|&player| on_turn.contains(player)) {
        let elimination =
            if stage.is_check(player) { Elimination::Mated } else { Elimination::Stalemated };
        stage.eliminate(player);
        eliminated.push(EliminatedPlayer { player, elimination, on_turn: true });
    }
    eliminated
}

/// Returns the players in the order in which the turn may reach them after a ply.
fn turn_order(before: &Position, ply: Ply) -> impl Iterator<Item = Player> + use<> {
    let first = match ply {
        Ply::Move(_) => before.turn().next(),
        Ply::Withdraw(..) | Ply::Draw => before.turn(),
    };
    std::iter::successors(Some(first), |player| Some(player.next())).take(4)
}

/// Returns the players whose turns were skipped after a ply, in order.
pub(super) fn skipped_players(before: &Position, ply: Ply, after: &Position) -> Vec<Player> {
    turn_order(before, ply).take_while(|&player| player != after.turn()).collect()
}
