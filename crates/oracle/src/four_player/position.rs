//! A position: the board and everything else the rules need to know.

use std::collections::{BTreeMap, BTreeSet};

use super::board::{Board, Piece};
use super::player::Player;
use super::rules::{Mode, Rules};
use crate::board::{Role, Square};

/// The limit of a player's points and of the clock; both saturate there.
pub(super) const MAX_COUNTER: u32 = 9999;

/// The two castling sides: with the rook three squares away, or four.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Wing {
    Short,
    Long,
}

impl Wing {
    pub(super) const ALL: [Wing; 2] = [Wing::Short, Wing::Long];

    /// The distance from the king to the rook.
    pub(super) fn distance(self) -> i32 {
        [3, 4][self as usize]
    }
}

/// Returns the rook's home square on that wing, or `None` unless the king is on one of the two
/// middle squares of its first line.
pub(super) fn corner(player: Player, king: Square, wing: Wing) -> Option<Square> {
    let along = player.along(king);
    let at_home = player.depth(king) == 0 && (along == 6 || along == 7);
    let corner = [3, 10].into_iter().find(|corner| (along - *corner).abs() == wing.distance());
    corner.filter(|_| at_home).map(|corner| player.first_line(corner))
}

/// A pawn that has just made a double step and may be captured en passant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct EnPassant {
    pub(super) skipped: Square,
    pub(super) pawn: Square,
}

/// Everything that a FEN4 describes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Position {
    pub(super) board: Board,
    pub(super) turn: Player,
    pub(super) alive: BTreeSet<Player>,
    pub(super) rights: BTreeSet<(Player, Wing)>,
    /// The pawns that may be captured en passant, by owner.
    pub(super) en_passant: BTreeMap<Player, EnPassant>,
    pub(super) points: [u32; 4],
    /// Plies since the last capture or pawn move.
    pub(super) clock: u32,
    pub(super) resigned: BTreeSet<Player>,
    pub(super) flagged: BTreeSet<Player>,
}

impl Position {
    pub(super) fn is_alive(&self, player: Player) -> bool {
        self.alive.contains(&player)
    }

    /// Whether the player has withdrawn: resigned or run out of time.
    pub(super) fn has_withdrawn(&self, player: Player) -> bool {
        self.resigned.contains(&player) || self.flagged.contains(&player)
    }

    /// Whether the player is eliminated but still has a walking king.
    pub(super) fn has_walking_king(&self, player: Player, rules: &Rules) -> bool {
        rules.walking_king && self.has_withdrawn(player) && self.board.king(player).is_some()
    }

    /// Returns the living players who can attack this one.
    pub(super) fn opponents(&self, player: Player, rules: &Rules) -> Vec<Player> {
        let mut opponents = player.others().to_vec();
        opponents.retain(|other| self.is_alive(*other));
        if rules.mode == Mode::Teams {
            opponents.retain(|other| *other != player.opposite());
        }
        opponents
    }

    /// Whether a living opponent of the player attacks the square.
    pub(super) fn is_attacked(&self, square: Square, player: Player, rules: &Rules) -> bool {
        self.opponents(player, rules).iter().any(|other| self.board.is_attacked(square, *other))
    }

    /// Returns the living opponents who attack the player's king.
    pub(super) fn checkers(&self, player: Player, rules: &Rules) -> Vec<Player> {
        let Some(king) = self.board.king(player) else {
            return Vec::new();
        };
        let mut checkers = self.opponents(player, rules);
        checkers.retain(|other| self.board.is_attacked(king, *other));
        checkers
    }

    pub(super) fn is_check(&self, player: Player, rules: &Rules) -> bool {
        !self.checkers(player, rules).is_empty()
    }

    /// Eliminates the player, whose pieces turn gray.
    pub(super) fn eliminate(&mut self, player: Player) {
        self.alive.remove(&player);
        self.rights.retain(|(owner, _)| *owner != player);
        self.en_passant.remove(&player);
    }

    pub(super) fn add_points(&mut self, player: Player, points: u32) {
        let total = &mut self.points[player as usize];
        *total = (*total + points).min(MAX_COUNTER);
    }

    /// Returns the points for capturing a piece. An eliminated player's pieces are worth nothing,
    /// except for the king of a player who has withdrawn.
    pub(super) fn value(&self, piece: Piece, rules: &Rules) -> u32 {
        let counts = piece.owner.is_some_and(|owner| {
            self.is_alive(owner) || piece.role == Role::King && self.has_withdrawn(owner)
        });
        if counts { rules.points.captures[piece.role as usize] } else { 0 }
    }

    /// Whether both positions count as the same for repetition, which ignores points and clock.
    pub(super) fn repeats(&self, earlier: &Position) -> bool {
        self.board == earlier.board
            && self.alive == earlier.alive
            && self.turn == earlier.turn
            && self.rights == earlier.rights
            && self.en_passant == earlier.en_passant
    }
}
