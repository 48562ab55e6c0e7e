//! Facts about individual pieces, computed on request: attackers and defenders, mobility, x-rays.

use fourfold_board::Square;
use fourfold_chess::attacks::{
    bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks,
};
use fourfold_chess::{Bitboard, Piece, Position, Role};
use fourfold_common::cpu::Baseline;

/// Returns every piece with its attackers and its defenders, in square order.
pub fn attack_map(
    position: &Position,
) -> impl Iterator<Item = (Square, Piece, Bitboard, Bitboard)> + '_ {
    let occupied = position.board().occupied();
    position.board().iter_pieces().map(move |(square, man)| {
        let attackers = position.attackers(square, !man.color, occupied);
        let defenders = position.attackers(square, man.color, occupied);
        (square, man, attackers, defenders)
    })
}

/// Returns every piece with the number of squares that it attacks and that its own side does not
/// occupy.
pub fn mobility(position: &Position) -> impl Iterator<Item = (Square, Piece, usize)> + '_ {
    let board = position.board();
    board.iter_pieces().map(move |(square, man)| {
        let attacks = match man.role {
            Role::Pawn => pawn_attacks(man.color, square),
            Role::Knight => knight_attacks(square),
            Role::King => king_attacks(square),
            Role::Bishop | Role::Rook | Role::Queen => slides(man.role, square, board.occupied()),
        };
        (square, man, (attacks - board.color(man.color)).len())
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
    pub man: Piece,
    /// The additional squares.
    pub gained: Bitboard,
}

/// Returns the x-ray of every slider. Only pieces selected by `blockers` are removed.
pub fn x_rays(position: &Position, blockers: Blockers) -> impl Iterator<Item = XRay> + '_ {
    let board = position.board();
    let occupied = board.occupied();
    let sliders = board
        .iter_pieces()
        .filter(|(_, man)| matches!(man.role, Role::Bishop | Role::Rook | Role::Queen));
    sliders.map(move |(square, man)| {
        let attacks = slides(man.role, square, occupied);
        let lifted = match blockers {
            Blockers::Own => attacks & board.color(man.color),
            Blockers::Enemy => attacks & board.color(!man.color),
            Blockers::Any => attacks & occupied,
        };
        let gained = slides(man.role, square, occupied - lifted) - attacks;
        XRay { square, man, gained }
    })
}

fn slides(role: Role, square: Square, occupied: Bitboard) -> Bitboard {
    let mut attacks = Bitboard::EMPTY;
    if role != Role::Bishop {
        attacks |= rook_attacks(Baseline, square, occupied);
    }
    if role != Role::Rook {
        attacks |= bishop_attacks(Baseline, square, occupied);
    }
    attacks
}
