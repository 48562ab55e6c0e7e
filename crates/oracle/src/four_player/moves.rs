//! Legal moves: every pseudo-legal move is tried on a copy of the position.

use std::fmt;

use super::board::{Kind, Man, Square};
use super::player::Player;
use super::position::{Offer, Position, Wing, corner};
use super::rules::{KingCapture, Mode, Rules};

/// A move of `player`, living or eliminated with a walking king.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Move {
    pub(super) player: Player,
    pub(super) kind: Kind,
    pub(super) from: Square,
    pub(super) to: Square,
    /// The squares of the captured pieces: none, one, or two in some en passant captures.
    pub(super) captured: Vec<Square>,
    pub(super) promotion: Option<Kind>,
    /// In castling, the rook's origin and destination.
    pub(super) rook: Option<(Square, Square)>,
}

impl Move {
    /// Returns the en passant square that a pawn's double step leaves behind, and the pawn's
    /// square.
    pub(super) fn offer(&self) -> Option<Offer> {
        let single = self.from.step(self.player.forward())?;
        let double = single.step(self.player.forward())?;
        let offered = self.kind == Kind::Pawn && self.to == double;
        offered.then_some(Offer { skipped: single, pawn: double })
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        match self.promotion {
            Some(kind) => write!(f, "{}", kind.letter().to_ascii_lowercase()),
            None => Ok(()),
        }
    }
}

/// The distance from a player's first line at which pawns promote: on the 8th line in a
/// free-for-all, on the 11th in teams.
pub(super) fn promotion_depth(mode: Mode) -> usize {
    match mode {
        Mode::FreeForAll => 7,
        Mode::Teams => 10,
    }
}

fn promotions(mode: Mode) -> &'static [Kind] {
    match mode {
        Mode::FreeForAll => &[Kind::OnePointQueen],
        Mode::Teams => &[Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight],
    }
}

impl Position {
    /// Returns the player's legal moves, or those the player would have on turn.
    pub(super) fn legal_moves(&self, player: Player, rules: &Rules) -> Vec<Move> {
        if !self.lives(player) {
            return self.king_walks(player, rules);
        }
        let mut moves = self.castlings(player, rules);
        for (from, kind) in self.board.men_of(player) {
            match kind {
                Kind::Pawn => moves.extend(self.pawn_moves(player, from, rules)),
                _ => moves.extend(self.piece_moves(player, from, kind, rules)),
            }
        }
        moves.retain(|mv| self.is_safe(mv, rules));
        moves
    }

    /// Whether the mover's king is safe after the move. Capturing a king first eliminates its
    /// owner's army; in teams that ends the game, even if the mover's king is attacked.
    fn is_safe(&self, mv: &Move, rules: &Rules) -> bool {
        let after = self.after(mv, rules);
        let wins = rules.mode == Mode::Teams && after.living != self.living;
        wins || !after.in_check(mv.player, rules)
    }

    /// Returns the moves of a piece other than a pawn, without castling.
    fn piece_moves(&self, player: Player, from: Square, kind: Kind, rules: &Rules) -> Vec<Move> {
        let mut moves = Vec::new();
        for to in self.board.attacks(from) {
            match self.board.at(to) {
                None => moves.push(plain_move(player, kind, from, to)),
                Some(man) if self.may_capture(player, man, rules) => {
                    moves.push(Move { captured: vec![to], ..plain_move(player, kind, from, to) });
                }
                Some(_) => {}
            }
        }
        moves
    }

    fn pawn_moves(&self, player: Player, from: Square, rules: &Rules) -> Vec<Move> {
        let mut moves = Vec::new();
        for to in self.pawn_steps(player, from) {
            moves.push(plain_move(player, Kind::Pawn, from, to));
        }
        for to in self.board.attacks(from) {
            if let Some(captured) = self.captured_by_pawn(player, to, rules) {
                moves.push(Move { captured, ..plain_move(player, Kind::Pawn, from, to) });
            }
        }
        moves.into_iter().flat_map(|mv| promoted(mv, rules.mode)).collect()
    }

    /// Returns the squares straight ahead that a pawn can move to.
    fn pawn_steps(&self, player: Player, from: Square) -> Vec<Square> {
        let ahead = |square: Square| {
            square.step(player.forward()).filter(|next| self.board.is_empty(*next))
        };
        let Some(single) = ahead(from) else {
            return Vec::new();
        };
        let mut squares = vec![single];
        if player.depth(from) == 1 {
            squares.extend(ahead(single));
        }
        squares
    }

    /// Returns what a pawn captures by moving diagonally to `to`: the piece there, the pawn that
    /// has passed over the square, or both. Returns `None` if the pawn cannot move there.
    fn captured_by_pawn(&self, player: Player, to: Square, rules: &Rules) -> Option<Vec<Square>> {
        let mut captured = Vec::new();
        if let Some(man) = self.board.at(to) {
            if !self.may_capture(player, man, rules) {
                return None;
            }
            captured.push(to);
        }
        for (owner, offer) in &self.offers {
            let pawn = Man { owner: Some(*owner), kind: Kind::Pawn };
            if offer.skipped == to && self.may_capture(player, pawn, rules) {
                captured.push(offer.pawn);
            }
        }
        (!captured.is_empty()).then_some(captured)
    }

    /// Anybody may capture gray pieces; nobody may capture their own pieces or their partner's.
    fn may_capture(&self, player: Player, man: Man, rules: &Rules) -> bool {
        let Some(owner) = man.owner else {
            return true;
        };
        let friend = owner == player || (rules.mode == Mode::Teams && owner == player.opposite());
        let spared = rules.king_capture == KingCapture::Forbid
            && man.kind == Kind::King
            && self.lives(owner);
        !friend && !spared
    }

    fn castlings(&self, player: Player, rules: &Rules) -> Vec<Move> {
        Wing::BOTH
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
        let line = |range: std::ops::Range<usize>| {
            range.filter_map(|along| player.first_line(along)).collect::<Vec<Square>>()
        };
        // The squares between king and rook, starting next to the king.
        let mut between = line(from.min(corner) + 1..from.max(corner));
        if corner < from {
            between.reverse();
        }
        let (crossed, to) = (between[0], between[1]);
        let free = between.iter().all(|square| self.board.is_empty(*square));
        let safe =
            [king, crossed, to].iter().all(|square| !self.is_attacked(*square, player, rules));
        let mv = plain_move(player, Kind::King, king, to);
        (free && safe).then_some(Move { rook: Some((rook, crossed)), ..mv })
    }

    /// Returns the moves of an eliminated player's walking king: to empty squares that no living
    /// player attacks.
    fn king_walks(&self, player: Player, rules: &Rules) -> Vec<Move> {
        let Some(king) = self.board.king(player).filter(|_| self.walks(player, rules)) else {
            return Vec::new();
        };
        let mut moves: Vec<Move> = Vec::new();
        for to in self.board.attacks(king) {
            if self.board.is_empty(to) {
                moves.push(plain_move(player, Kind::King, king, to));
            }
        }
        moves.retain(|mv| self.is_safe(mv, rules));
        moves
    }
}

fn plain_move(player: Player, kind: Kind, from: Square, to: Square) -> Move {
    Move { player, kind, from, to, captured: Vec::new(), promotion: None, rook: None }
}

/// Returns the pawn's move itself, or one for each promotion if it reaches the promotion line.
fn promoted(mv: Move, mode: Mode) -> Vec<Move> {
    if mv.player.depth(mv.to) < promotion_depth(mode) {
        return vec![mv];
    }
    let promote = |kind: &Kind| Move { promotion: Some(*kind), ..mv.clone() };
    promotions(mode).iter().map(promote).collect()
}
