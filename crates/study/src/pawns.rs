//! How pawns stand, by filling files and ranks.

use fourfold_chess::{Bitboard, Board, Color, Role};

use crate::SideFacts;

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

/// Squares ahead of a set on its files, seen from White.
#[inline(always)]
const fn ahead(mut set: u64) -> u64 {
    set |= set << 8;
    set |= set << 16;
    set |= set << 32;
    set << 8
}

/// A set's squares and the squares behind it on its files, seen from White.
#[inline(always)]
const fn up_to(mut set: u64) -> u64 {
    set |= set >> 8;
    set |= set >> 16;
    set |= set >> 32;
    set
}

/// The squares beside a set.
#[inline(always)]
const fn beside(set: u64) -> u64 {
    (set & !FILE_H) << 1 | (set & !FILE_A) >> 1
}

/// Whole files of a set.
#[inline(always)]
const fn files(set: u64) -> u64 {
    up_to(set) | ahead(set)
}

/// Fills in what follows from the pawns of both sides.
#[inline(always)]
pub(crate) fn judge(board: &Board, color: Color, facts: &mut SideFacts) {
    // Everything is done as White sees it.
    let turned = |set: Bitboard| match color {
        Color::White => set.words()[0],
        Color::Black => set.words()[0].swap_bytes(),
    };
    let back = |set: u64| match color {
        Color::White => Bitboard::from_words([set]),
        Color::Black => Bitboard::from_words([set.swap_bytes()]),
    };
    let own = turned(board.pieces(color, Role::Pawn));
    let enemy = turned(board.pieces(!color, Role::Pawn));
    let minor = board.role(Role::Knight) | board.role(Role::Bishop);
    let minor = turned(minor & board.color(color));

    let doubled = own & (ahead(own) | up_to(own >> 8));
    let isolated = own & !beside(files(own));
    // A pawn beside it or behind it on a neighbouring file reaches it when filled forward.
    let backward = own & !isolated & !beside(own | ahead(own));
    let enemy_attacks = beside(enemy >> 8);
    let held = (enemy | enemy_attacks) >> 8;
    // Enemy pawns come down their files.
    let met = up_to(enemy >> 8);
    let passed = own & !(met | beside(met));
    let attacks = beside(own << 8);
    let outposts = minor & OUTPOST_RANKS & attacks & !beside(met);

    facts.pawns.all = back(own);
    facts.pawns.doubled = back(doubled);
    facts.pawns.isolated = back(isolated);
    facts.pawns.backward = back(backward);
    facts.pawns.backward_held = back(backward & held);
    facts.pawns.passed = back(passed);
    facts.outposts = back(outposts);
    facts.developed = back(minor & !0xff);
}

/// The fourth to sixth rank.
const OUTPOST_RANKS: u64 = 0x0000_ffff_ff00_0000;
