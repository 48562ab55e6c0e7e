//! Legal moves: every pseudo-legal move is tried on a copy of the position.

use std::fmt;

use super::board::Piece;
use super::player::Player;
use super::position::{EnPassant, Position, Wing, corner};
use super::rules::{KingCapture, Mode, Rules};
use crate::board::{Role, Square};

/// A move of `player`, living or eliminated with a walking king.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Move {
    pub(super) player: Player,
    pub(super) role: Role,
    pub(super) from: Square,
    pub(super) to: Square,
    /// The squares of the captured pieces: none, one, or two in some en passant captures.
    pub(super) captured: Vec<Square>,
    pub(super) promotion: Option<Role>,
    /// In castling, the rook's origin and destination.
    pub(super) rook: Option<(Square, Square)>,
}

impl Move {
    /// Returns the en passant square that a pawn's double step leaves behind, and the pawn's
    /// square.
    pub(super) fn en_passant(&self) -> Option<EnPassant> {
        let skipped = self.from.step(self.player.forward());
        let pawn = skipped.step(self.player.forward());
        (self.role == Role::Pawn && self.to == pawn).then_some(EnPassant { skipped, pawn })
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        match self.promotion {
            Some(role) => write!(f, "{}", role.letter().to_ascii_lowercase()),
            None => Ok(()),
        }
    }
}

/// The distance from a player's first line at which pawns promote: on the 8th line in a
/// free-for-all, on the 11th in teams.
pub(super) fn promotion_depth(mode: Mode) -> i32 {
    [7, 10][mode as usize]
}

fn promotions(mode: Mode) -> &'static [Role] {
    match mode {
        Mode::FreeForAll => &[Role::OnePointQueen],
        Mode::Teams => &Role::PROMOTIONS,
    }
}

impl Position {
    /// Returns the player's legal moves, or those the player would have on turn.
    pub(super) fn legal_moves(&self, player: Player, rules: &Rules) -> Vec<Move> {
        if !self.is_alive(player) {
            return self.king_walks(player, rules);
        }
        let mut moves = self.castlings(player, rules);
        for (from, role) in self.board.pieces_of(player) {
            match role {
                Role::Pawn => moves.extend(self.pawn_moves(player, from, rules)),
                _ => moves.extend(self.piece_moves(player, from, role, rules)),
            }
        }
        moves.retain(|mv| self.is_safe(mv, rules));
        moves
    }

    /// Whether the mover's king is safe after the move. Capturing a king first eliminates its
    /// owner's army; in teams that ends the game, even if the mover's king is attacked.
    fn is_safe(&self, mv: &Move, rules: &Rules) -> bool {
        let after = self.after(mv, rules);
        let wins = rules.mode == Mode::Teams && after.alive != self.alive;
        wins || !after.is_check(mv.player, rules)
    }

    /// Returns the moves of a piece other than a pawn, without castling.
    fn piece_moves(&self, player: Player, from: Square, role: Role, rules: &Rules) -> Vec<Move> {
        let mut targets = self.board.attacks(from);
        targets.retain(|to| {
            self.board.at(*to).is_none_or(|piece| self.may_capture(player, piece, rules))
        });
        let captured = |to| if self.board.is_empty(to) { Vec::new() } else { vec![to] };
        let mv = |to| Move { captured: captured(to), ..plain_move(player, role, from, to) };
        targets.into_iter().map(mv).collect()
    }

    fn pawn_moves(&self, player: Player, from: Square, rules: &Rules) -> Vec<Move> {
        let mut moves = Vec::new();
        for to in self.pawn_steps(player, from) {
            moves.push(plain_move(player, Role::Pawn, from, to));
        }
        for to in self.board.attacks(from) {
            if let Some(captured) = self.captured_by_pawn(player, to, rules) {
                moves.push(Move { captured, ..plain_move(player, Role::Pawn, from, to) });
            }
        }
        moves.into_iter().flat_map(|mv| promoted(mv, rules.mode)).collect()
    }

    /// Returns the squares straight ahead that a pawn can move to.
    fn pawn_steps(&self, player: Player, from: Square) -> Vec<Square> {
        let single = from.step(player.forward());
        let mut squares = vec![single];
        if player.depth(from) == 1 && self.board.is_empty(single) {
            squares.push(single.step(player.forward()));
        }
        squares.retain(|square| self.board.is_empty(*square));
        squares
    }

    /// Returns what a pawn captures by moving diagonally to `to`: the piece there, the pawn that
    /// has passed over the square, or both. Returns `None` if the pawn cannot move there.
    fn captured_by_pawn(&self, player: Player, to: Square, rules: &Rules) -> Option<Vec<Square>> {
        let mut captured = Vec::new();
        if let Some(piece) = self.board.at(to) {
            if !self.may_capture(player, piece, rules) {
                return None;
            }
            captured.push(to);
        }
        for (owner, EnPassant { skipped, pawn }) in &self.en_passant {
            let piece = Piece { owner: Some(*owner), role: Role::Pawn };
            if *skipped == to && self.may_capture(player, piece, rules) {
                captured.push(*pawn);
            }
        }
        (!captured.is_empty()).then_some(captured)
    }

    /// Anybody may capture gray pieces; nobody may capture their own pieces or their partner's.
    fn may_capture(&self, player: Player, piece: Piece, rules: &Rules) -> bool {
        let Some(owner) = piece.owner else {
            return true;
        };
        let friend = owner == player || (rules.mode == Mode::Teams && owner == player.opposite());
        let spared = rules.king_capture == KingCapture::Forbid
            && piece.role == Role::King
            && self.is_alive(owner);
        !friend && !spared
    }

    fn castlings(&self, player: Player, rules: &Rules) -> Vec<Move> {
        Wing::ALL
            .into_iter()
            .filter(|wing| self.rights.contains(&(player, *wing)))
            .filter_map(|wing| self.castling(player, wing, rules))
            .collect()
    }

    /// The king moves two squares toward the rook, and the rook to the square the king has crossed.
    /// All squares between them must be empty, and the king may not start on, cross or reach an
    /// attacked square.
    fn castling(&self, player: Player, wing: Wing, rules: &Rules) -> Option<Move> {
        let king = self.board.king(player)?;
        let rook = corner(player, king, wing)?;
        let (from, corner) = (player.along(king), player.along(rook));
        let between = from.min(corner) + 1..from.max(corner);
        // The squares between king and rook, starting next to the king.
        let mut between: Vec<Square> = between.map(|along| player.first_line(along)).collect();
        if corner < from {
            between.reverse();
        }
        let (crossed, to) = (between[0], between[1]);
        let free = between.iter().all(|square| self.board.is_empty(*square));
        let safe =
            [king, crossed, to].iter().all(|square| !self.is_attacked(*square, player, rules));
        let mv = plain_move(player, Role::King, king, to);
        (free && safe).then_some(Move { rook: Some((rook, crossed)), ..mv })
    }

    /// Returns the moves of an eliminated player's walking king: to empty squares that no living
    /// player attacks.
    fn king_walks(&self, player: Player, rules: &Rules) -> Vec<Move> {
        let Some(king) = self.board.king(player).filter(|_| self.has_walking_king(player, rules))
        else {
            return Vec::new();
        };
        let targets = self.board.attacks(king).into_iter().filter(|to| self.board.is_empty(*to));
        let mut moves: Vec<Move> =
            targets.map(|to| plain_move(player, Role::King, king, to)).collect();
        moves.retain(|mv| self.is_safe(mv, rules));
        moves
    }
}

fn plain_move(player: Player, role: Role, from: Square, to: Square) -> Move {
    Move { player, role, from, to, captured: Vec::new(), promotion: None, rook: None }
}

/// Returns the pawn's move itself, or one for each promotion if it reaches the promotion line.
fn promoted(mv: Move, mode: Mode) -> Vec<Move> {
    if mv.player.depth(mv.to) < promotion_depth(mode) {
        return vec![mv];
    }
    let promote = |role: &Role| Move { promotion: Some(*role), ..mv.clone() };
    promotions(mode).iter().map(promote).collect()
}
