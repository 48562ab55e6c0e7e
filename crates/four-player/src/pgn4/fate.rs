//! How players go out of a game, as the rules have it.

use std::fmt;

use super::Ply;
use crate::{Leave, Player, Players, Position};

/// How a player went out of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fate {
    /// Without a legal move, in check.
    Mated,
    /// Without a legal move, not in check.
    Stalemated,
    /// The king was taken.
    KingTaken,
    /// By leaving.
    Left(Leave),
    /// Before the game began.
    Unknown,
}

/// Ends a sentence that begins with a player's name.
impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fate::Mated => "was mated",
            Fate::Stalemated => "was stalemated",
            Fate::KingTaken => "has lost the king",
            Fate::Left(Leave::Resign) => "has resigned",
            Fate::Left(Leave::Flag) => "has run out of time",
            Fate::Unknown => "was out from the start",
        })
    }
}

/// A player who goes out by a ply.
pub(super) struct Fall {
    pub(super) player: Player,
    pub(super) fate: Fate,
    /// When the turn came, not at once.
    pub(super) on_turn: bool,
}

/// Who goes out by a ply that leads from a position to another one, in the order of the turns.
pub(super) fn falls(before: &Position, ply: Ply, after: &Position) -> Vec<Fall> {
    let mut stage = *before;
    let mut falls = Vec::new();
    let mut fall = |player, fate, on_turn| falls.push(Fall { player, fate, on_turn });
    match ply {
        Ply::Move(mv) => {
            for player in before.struck(mv).1.iter() {
                let taken = after.king(player).is_none();
                fall(player, if taken { Fate::KingTaken } else { Fate::Mated }, false);
            }
            stage.advance(mv);
        }
        Ply::Leave(player, how) => {
            fall(player, Fate::Left(how), false);
        }
        Ply::Draw => {}
    }
    for fallen in &falls {
        if stage.alive().contains(fallen.player) {
            stage.kill(fallen.player);
        }
    }
    let on_turn = Players::from_bits(stage.alive().bits() & !after.alive().bits());
    for player in seats(before, ply).filter(|&player| on_turn.contains(player)) {
        let fate = if stage.in_check(player) { Fate::Mated } else { Fate::Stalemated };
        stage.kill(player);
        falls.push(Fall { player, fate, on_turn: true });
    }
    falls
}

/// The players whose turn may come with a ply, in order.
fn seats(before: &Position, ply: Ply) -> impl Iterator<Item = Player> + use<> {
    let first = match ply {
        Ply::Move(_) => before.turn().next(),
        Ply::Leave(..) | Ply::Draw => before.turn(),
    };
    std::iter::successors(Some(first), |player| Some(player.next())).take(4)
}

/// The players whom the turn has passed over with a ply, in order.
pub(super) fn passed_over(before: &Position, ply: Ply, after: &Position) -> Vec<Player> {
    seats(before, ply).take_while(|&player| player != after.turn()).collect()
}
