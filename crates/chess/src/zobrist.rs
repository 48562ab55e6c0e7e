//! Zobrist keys.
//!
//! The key of a position is the exclusive or of one key for each piece, one for each castling
//! right, one if Black is to move, and one for the file of an en passant capture if one is legal.
//! The numbers are part of the public interface: stored keys stay valid from version to version.

use fourfold_board::Square;
use fourfold_common::SplitMix64;

use crate::{Bitboard, Board, Color, Role};

/// The keys of each piece on each square; the last four rows are unused and zero.
static PIECES: [[u64; 64]; 16] = {
    let mut table = [[0; 64]; 16];
    let mut piece = 0;
    while piece < 2 * 6 {
        table[piece] = keys_from(64 * piece);
        piece += 1;
    }
    table
};
static CASTLING: [u64; 64] = keys_from(2 * 6 * 64);
static EN_PASSANT: [u64; 8] = keys_from(2 * 6 * 64 + 64);
/// The key for Black to move.
pub(crate) const BLACK_TO_MOVE: u64 = KEYS[KEYS.len() - 1];

const KEYS: [u64; 2 * 6 * 64 + 64 + 8 + 1] = SplitMix64::new(0x666f_7572_666f_6c64).take();

#[inline(always)]
pub(crate) fn piece(color: Color, role: Role, square: Square) -> u64 {
    piece_by_index(color as usize * 6 + role as usize, square.index())
}

/// Returns the key of a piece by its index, with White's six roles before Black's; 0 for the unused
/// indices from 12 to 15.
#[inline(always)]
pub(crate) fn piece_by_index(kind: usize, square: usize) -> u64 {
    PIECES[kind & 15][square & 63]
}

/// Returns the key of the castling rights of these rooks.
#[inline(always)]
pub(crate) fn castling(rooks: Bitboard) -> u64 {
    rooks.iter().fold(0, |key, rook| key ^ CASTLING[rook.index() & 63])
}

pub(crate) fn en_passant(square: Square) -> u64 {
    EN_PASSANT[square.index() % 8]
}

/// Returns the key of all pieces.
pub(crate) fn board(board: &Board) -> u64 {
    let mut key = 0;
    for color in Color::ALL {
        for role in Role::ALL {
            for square in board.pieces(color, role) {
                key ^= piece(color, role, square);
            }
        }
    }
    key
}

/// Returns `N` keys, starting at index `first`.
const fn keys_from<const N: usize>(first: usize) -> [u64; N] {
    let mut keys = [0; N];
    let mut index = 0;
    while index < N {
        keys[index] = KEYS[first + index];
        index += 1;
    }
    keys
}
