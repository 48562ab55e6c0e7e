//! Facts about individual pieces, computed on request: attackers and defenders, mobility, x-rays.

use fourfold_board::Square;
use fourfold_chess::attacks::{
    bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks,
};
use fourfold_chess::{Bitboard, Piece, Position, Role};
use fourfold_common::cpu::{Baseline, Cpu};

/// Returns every piece with its attackers and its defenders, in square order.
pub fn attack_map(
    position: &Position,
) -> impl Iterator<Item = (Square, Piece, Bitboard, Bitboard)> + '_ {
    let occupied = position.board().occupied();
    position.board().iter_pieces().map(move |(square, piece)| {
        let attackers = position.attackers(square, !piece.color, occupied);
        let defenders = position.attackers(square, piece.color, occupied);
        (square, piece, attackers, defenders)
    })
}

/// Returns every piece with the number of squares that it attacks and that its own side does not
/// occupy.
pub fn mobility(position: &Position) -> impl Iterator<Item = (Square, Piece, usize)> + '_ {
    let board = position.board();
    board.iter_pieces().map(move |(square, piece)| {
        let attacks = attacks(Baseline, piece, square, board.occupied());
        (square, piece, (attacks - board.color(piece.color)).len())
    })
}

/// Which pieces an x-ray passes through.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Blockers {
    /// Pieces of the slider's own side.
    Own,
    /// Enemy pieces.
    Enemy,
    /// Pieces of either side.
    Any,
}

/// The x-ray of a slider: the squares it would attack in addition if the first piece on each of its
/// lines were removed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct XRay {
    /// The slider's square.
    pub square: Square,
    /// The slider.
    pub piece: Piece,
    /// The additional squares.
    pub gained: Bitboard,
}

/// Returns the x-ray of every slider. Only pieces selected by `blockers` are removed.
pub fn x_rays(position: &Position, blockers: Blockers) -> impl Iterator<Item = XRay> + '_ {
    let board = position.board();
    let occupied = board.occupied();
    let sliders = board
        .iter_pieces()
        .filter(|(_, piece)| matches!(piece.role, Role::Bishop | Role::Rook | Role::Queen));
    sliders.map(move |(square, piece)| {
        let attacked = attacks(Baseline, piece, square, occupied);
        let lifted = match blockers {
            Blockers::Own => attacked & board.color(piece.color),
            Blockers::Enemy => attacked & board.color(!piece.color),
            Blockers::Any => attacked & occupied,
        };
        let gained = attacks(Baseline, piece, square, occupied - lifted) - attacked;
        XRay { square, piece, gained }
    })
}

/// Returns the squares that a piece attacks.
#[inline(always)]
pub(crate) fn attacks<C: Cpu>(cpu: C, piece: Piece, from: Square, occupied: Bitboard) -> Bitboard {
    match piece.role {
        Role::Pawn => pawn_attacks(piece.color, from),
        Role::Knight => knight_attacks(from),
        Role::King => king_attacks(from),
        Role::Bishop => bishop_attacks(cpu, from, occupied),
        Role::Rook => rook_attacks(cpu, from, occupied),
        Role::Queen => bishop_attacks(cpu, from, occupied) | rook_attacks(cpu, from, occupied),
    }
}
