//! A position: the board and all that the rules need to know beside it.

use std::collections::{BTreeMap, BTreeSet};

use super::board::{Board, Kind, Man, Square};
use super::player::Player;
use super::rules::{Mode, Rules};

/// The most points a player can have, and the largest clock; both stop there.
pub(super) const LAST_NUMBER: u32 = 9999;

/// The two ways to castle: with the rook three squares away, or four.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Wing {
    Short,
    Long,
}

impl Wing {
    pub(super) const BOTH: [Wing; 2] = [Wing::Short, Wing::Long];

    /// How far the rook is from the king.
    pub(super) fn distance(self) -> usize {
        match self {
            Wing::Short => 3,
            Wing::Long => 4,
        }
    }
}

/// The corner of the wing, as seen from a king on one of the two middle squares of its first line;
/// from any other square there is none.
pub(super) fn corner(player: Player, king: Square, wing: Wing) -> Option<Square> {
    let along = player.along(king);
    let at_home = player.depth(king) == 0 && (along == 6 || along == 7);
    let corner = [3, 10].into_iter().find(|corner| along.abs_diff(*corner) == wing.distance());
    corner.filter(|_| at_home).and_then(|corner| player.first_line(corner))
}

/// A pawn that has just gone two steps and may be captured en passant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Offer {
    pub(super) skipped: Square,
    pub(super) pawn: Square,
}

/// All that a FEN4 says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Position {
    pub(super) board: Board,
    pub(super) turn: Player,
    pub(super) living: BTreeSet<Player>,
    pub(super) rights: BTreeSet<(Player, Wing)>,
    /// The offers by their owners.
    pub(super) offers: BTreeMap<Player, Offer>,
    pub(super) points: [u32; 4],
    /// Plies since the last capture or pawn move.
    pub(super) clock: u32,
    pub(super) resigned: BTreeSet<Player>,
    pub(super) flagged: BTreeSet<Player>,
}

impl Position {
    pub(super) fn lives(&self, player: Player) -> bool {
        self.living.contains(&player)
    }

    /// Whether the player is dead by resigning or by the clock, not by losing the king.
    pub(super) fn has_left(&self, player: Player) -> bool {
        self.resigned.contains(&player) || self.flagged.contains(&player)
    }

    /// Whether the player is dead but has a king that goes on walking.
    pub(super) fn walks(&self, player: Player, rules: &Rules) -> bool {
        rules.walking_king && self.has_left(player) && self.board.king(player).is_some()
    }

    /// The living players who can attack this one.
    pub(super) fn opponents(&self, player: Player, rules: &Rules) -> Vec<Player> {
        let mut opponents = player.others().to_vec();
        opponents.retain(|other| self.lives(*other));
        if rules.mode == Mode::Teams {
            opponents.retain(|other| *other != player.opposite());
        }
        opponents
    }

    /// Whether a living opponent of the player attacks the square.
    pub(super) fn is_attacked(&self, square: Square, player: Player, rules: &Rules) -> bool {
        self.opponents(player, rules).iter().any(|other| self.board.is_attacked(square, *other))
    }

    /// The living opponents who attack the player's king.
    pub(super) fn checkers(&self, player: Player, rules: &Rules) -> Vec<Player> {
        let Some(king) = self.board.king(player) else {
            return Vec::new();
        };
        let mut checkers = self.opponents(player, rules);
        checkers.retain(|other| self.board.is_attacked(king, *other));
        checkers
    }

    pub(super) fn in_check(&self, player: Player, rules: &Rules) -> bool {
        !self.checkers(player, rules).is_empty()
    }

    /// Turns the player's army grey.
    pub(super) fn die(&mut self, player: Player) {
        self.living.remove(&player);
        self.rights.retain(|(owner, _)| *owner != player);
        self.offers.remove(&player);
    }

    pub(super) fn add_points(&mut self, player: Player, points: u32) {
        let total = &mut self.points[player.index()];
        *total = (*total + points).min(LAST_NUMBER);
    }

    /// What the capture of a man gives. The men of the dead give nothing, but for the king of a
    /// player who resigned or was flagged.
    pub(super) fn value(&self, man: Man, rules: &Rules) -> u32 {
        let table = &rules.points;
        match (man.owner, man.kind) {
            (None, _) => 0,
            (Some(owner), Kind::King) if self.has_left(owner) => table.king,
            (Some(owner), _) if !self.lives(owner) => 0,
            (_, Kind::Pawn) => table.pawn,
            (_, Kind::Knight) => table.knight,
            (_, Kind::Bishop) => table.bishop,
            (_, Kind::Rook) => table.rook,
            (_, Kind::Queen) => table.queen,
            (_, Kind::OnePointQueen) => table.one_point_queen,
            (_, Kind::King) => table.king,
        }
    }

    /// Whether both positions are the same for repetition: points and clock do not matter.
    pub(super) fn repeats(&self, earlier: &Position) -> bool {
        self.board == earlier.board
            && self.living == earlier.living
            && self.turn == earlier.turn
            && self.rights == earlier.rights
            && self.offers == earlier.offers
    }
}
