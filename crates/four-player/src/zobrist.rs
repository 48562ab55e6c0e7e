//! Keys that tell positions apart.
//!
//! A position's key is the sum (xor) of one key per man, one per right to castle, one per offer, one
//! per living player and one for the turn. The numbers are part of the interface: stored keys stay
//! valid from version to version.

use fourfold_board::Keys;

use crate::men::Code;
use crate::{Player, Players};

static MEN: [[u64; 256]; 40] = {
    let mut keys = Keys::new(0x6372_6f73_7331_3630);
    let mut table = [[0; 256]; 40];
    let mut code = 0;
    while code < 40 {
        let mut cell = 0;
        while cell < 256 {
            table[code][cell] = keys.next();
            cell += 1;
        }
        code += 1;
    }
    table
};

const REST: [u64; 20] = Keys::new(0x666f_7572).take();

#[inline(always)]
pub(crate) fn man(code: Code, cell: u8) -> u64 {
    MEN[code as usize][cell as usize]
}

/// The key of an offer: of the skipped square, whose owner follows from it.
#[inline(always)]
pub(crate) fn offer(skipped: u8) -> u64 {
    // Code 0 stands for no man, so its keys are free.
    MEN[0][skipped as usize]
}

/// The keys of some rights to castle.
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

/// The key of a turn.
#[inline(always)]
pub(crate) fn turn(player: Player) -> u64 {
    REST[8 + player as usize]
}

/// The keys of the players who live.
pub(crate) fn alive(players: Players) -> u64 {
    players.iter().fold(0, |key, player| key ^ REST[12 + player as usize])
}
