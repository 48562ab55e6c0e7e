//! The move tables of the legacy interface as arrays: dense square indices from the top left, rows
//! padded with −1.

use alloc::vec::Vec;

use fourfold_four_player::legacy_tables::{Mover, between, destinations, far, max_len, near};
use fourfold_four_player::{Bitboard, Player, SQUARES, Square};

use super::labels::{dense_index, from_dense_index};

/// Returns the tables by name, each with its row length. There is one row per square, and in
/// `between` one per pair of squares.
pub fn all() -> Vec<(&'static str, usize, Vec<i16>)> {
    let mut all = Vec::new();
    let pawns = ["red_pawn", "blue_pawn", "yellow_pawn", "green_pawn"];
    for (name, player) in pawns.into_iter().zip(Player::ALL) {
        let to = move |from| destinations(Mover::Pawn(player), from);
        all.push((name, max_len::PAWN, rows(max_len::PAWN, to)));
    }
    let movers = [
        ("knight", max_len::KNIGHT, Mover::Knight),
        ("bishop", max_len::BISHOP, Mover::Bishop),
        ("rook", max_len::ROOK, Mover::Rook),
        ("queen", max_len::QUEEN, Mover::Queen),
        ("king", max_len::KING, Mover::King),
    ];
    for (name, length, mover) in movers {
        all.push((name, length, rows(length, move |from| destinations(mover, from))));
    }
    all.push(("near", max_len::NEAR, rows(max_len::NEAR, near)));
    all.push(("far", max_len::FAR, rows(max_len::FAR, far)));
    let pairs = squares().flat_map(|from| squares().map(move |to| between(from, to)));
    all.push((
        "between",
        max_len::BETWEEN,
        pairs.flat_map(|set| row(max_len::BETWEEN, set)).collect(),
    ));
    all
}

fn squares() -> impl Iterator<Item = Square> {
    (0..SQUARES).filter_map(|index| from_dense_index(Player::Red, index))
}

fn rows(length: usize, to: impl Fn(Square) -> Bitboard) -> Vec<i16> {
    squares().flat_map(|from| row(length, to(from))).collect()
}

/// Returns the members of a set in ascending order, padded with −1.
fn row(length: usize, set: Bitboard) -> Vec<i16> {
    let mut row: Vec<i16> =
        set.iter().map(|square| dense_index(Player::Red, square) as i16).collect();
    row.sort_unstable();
    row.resize(length, -1);
    row
}
