//! Pawn structure and outposts, computed by filling files.

use fourfold_chess::{Bitboard, Board, Color, Role};

use crate::SideFacts;

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

/// Returns the squares ahead of a set on its files, from White's point of view.
#[inline(always)]
const fn front_span(mut set: u64) -> u64 {
    set |= set << 8;
    set |= set << 16;
    set |= set << 32;
    set << 8
}

/// Returns a set together with the squares behind it (its rear fill), from White's point of view.
#[inline(always)]
const fn rear_fill(mut set: u64) -> u64 {
    set |= set >> 8;
    set |= set >> 16;
    set |= set >> 32;
    set
}

/// Returns the squares directly to the left and right of a set.
#[inline(always)]
const fn beside(set: u64) -> u64 {
    (set & !FILE_H) << 1 | (set & !FILE_A) >> 1
}

/// Returns all squares on the files of a set.
#[inline(always)]
const fn files(set: u64) -> u64 {
    rear_fill(set) | front_span(set)
}

/// Fills in the pawn structure, outposts and developed pieces of one side.
#[inline(always)]
pub(crate) fn collect(board: &Board, color: Color, facts: &mut SideFacts) {
    // Boards are flipped for Black, so that pawns always move up.
    let to_white_view = |set: Bitboard| match color {
        Color::White => set.words()[0],
        Color::Black => set.words()[0].swap_bytes(),
    };
    let from_white_view = |set: u64| match color {
        Color::White => Bitboard::from_words([set]),
        Color::Black => Bitboard::from_words([set.swap_bytes()]),
    };
    let own = to_white_view(board.pieces(color, Role::Pawn));
    let enemy = to_white_view(board.pieces(!color, Role::Pawn));
    let minor = board.role(Role::Knight) | board.role(Role::Bishop);
    let minor = to_white_view(minor & board.color(color));

    let doubled = own & (front_span(own) | rear_fill(own >> 8));
    let isolated = own & !beside(files(own));
    // A pawn is not backward if another one is level with it or behind it on a neighboring file.
    let backward = own & !isolated & !beside(own | front_span(own));
    let enemy_attacks = beside(enemy >> 8);
    let blocked = (enemy | enemy_attacks) >> 8;
    // All squares in front of enemy pawns, which move down.
    let enemy_front_spans = rear_fill(enemy >> 8);
    let passed = own & !(enemy_front_spans | beside(enemy_front_spans));
    let attacks = beside(own << 8);
    let outposts = minor & OUTPOST_RANKS & attacks & !beside(enemy_front_spans);

    facts.pawns.all = from_white_view(own);
    facts.pawns.doubled = from_white_view(doubled);
    facts.pawns.isolated = from_white_view(isolated);
    facts.pawns.backward = from_white_view(backward);
    facts.pawns.backward_blocked = from_white_view(backward & blocked);
    facts.pawns.passed = from_white_view(passed);
    facts.outposts = from_white_view(outposts);
    facts.developed = from_white_view(minor & !0xff);
}

/// Ranks 4 to 6, from White's point of view.
const OUTPOST_RANKS: u64 = 0x0000_ffff_ff00_0000;
