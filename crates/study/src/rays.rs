//! Facts for single men, on request: who attacks and defends them, how far they move, what they see
//! through others.

use fourfold_board::Square;
use fourfold_board::cpu::Plain;
use fourfold_chess::attacks::{
    bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks,
};
use fourfold_chess::{Bitboard, Piece, Position, Role};

/// The men on the board with those who attack and those who defend them, in the order of the squares.
pub fn attack_map(
    position: &Position,
) -> impl Iterator<Item = (Square, Piece, Bitboard, Bitboard)> + '_ {
    let occupied = position.board().occupied();
    position.board().men().map(move |(square, man)| {
        let attackers = position.attackers(square, !man.color, occupied);
        let defenders = position.attackers(square, man.color, occupied);
        (square, man, attackers, defenders)
    })
}

/// Every man with the number of squares that it attacks and no own man holds.
pub fn mobility(position: &Position) -> impl Iterator<Item = (Square, Piece, usize)> + '_ {
    let board = position.board();
    board.men().map(move |(square, man)| {
        let attacks = match man.role {
            Role::Pawn => pawn_attacks(man.color, square),
            Role::Knight => knight_attacks(square),
            Role::King => king_attacks(square),
            Role::Bishop | Role::Rook | Role::Queen => slides(man.role, square, board.occupied()),
        };
        (square, man, (attacks - board.color(man.color)).len())
    })
}

/// Whose men are looked through.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Blockers {
    /// The slider's own.
    Own,
    /// The enemy's.
    Enemy,
    /// Both.
    Any,
}

/// What a slider would attack besides, if the first man on each of its lines were lifted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct XRay {
    /// Where the slider stands.
    pub square: Square,
    /// The slider.
    pub man: Piece,
    /// What it gains.
    pub gained: Bitboard,
}

/// What every slider gains when the first men on its lines are lifted, as far as they are those
/// that are asked for.
pub fn x_rays(position: &Position, blockers: Blockers) -> impl Iterator<Item = XRay> + '_ {
    let board = position.board();
    let occupied = board.occupied();
    let sliders =
        board.men().filter(|(_, man)| matches!(man.role, Role::Bishop | Role::Rook | Role::Queen));
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
        attacks |= rook_attacks(Plain, square, occupied);
    }
    if role != Role::Rook {
        attacks |= bishop_attacks(Plain, square, occupied);
    }
    attacks
}
