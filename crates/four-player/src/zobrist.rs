//! Zobrist keys.
//!
//! The key of a position is the xor of one key for each piece, castling right, en passant square
//! and living player, and one for the turn. The values are part of the public interface: stored
//! keys stay valid from version to version.

use fourfold_common::SplitMix64;

use crate::pieces::Code;
use crate::{Player, Players};

static PIECES: [[u64; 256]; 40] = {
    let mut rng = SplitMix64::new(0x6372_6f73_7331_3630);
    let mut table = [[0; 256]; 40];
    let mut code = 0;
    while code < 40 {
        let mut cell = 0;
        while cell < 256 {
            table[code][cell] = rng.next();
            cell += 1;
        }
        code += 1;
    }
    table
};

const REST: [u64; 20] = SplitMix64::new(0x666f_7572).take();

#[inline(always)]
pub(crate) fn piece(code: Code, cell: u8) -> u64 {
    PIECES[code as usize][cell as usize]
}

/// Returns the key of an en passant square, which determines the player it belongs to.
#[inline(always)]
pub(crate) fn en_passant(skipped: u8) -> u64 {
    // Code 0 is not a piece, so its row is free.
    PIECES[0][skipped as usize]
}

/// Returns the combined key of some castling rights.
#[inline(always)]
pub(crate) fn castling(rights: u8) -> u64 {
    CASTLING[rights as usize]
}

static CASTLING: [u64; 256] = {
    let mut table = [0; 256];
    let mut rights = 0;
    while rights < 256 {
        let mut bit = 0;
        while bit < 8 {
            if rights >> bit & 1 != 0 {
                table[rights] ^= REST[bit];
            }
            bit += 1;
        }
        rights += 1;
    }
    table
};

/// Returns the key of the player to move.
#[inline(always)]
pub(crate) fn turn(player: Player) -> u64 {
    REST[8 + player as usize]
}

/// Returns the combined key of the living players.
pub(crate) fn alive(players: Players) -> u64 {
    players.iter().fold(0, |key, player| key ^ REST[12 + player as usize])
}
