//! The move tables of the legacy interface as arrays: dense square indices from the top left, rows
//! padded with −1.

use fourfold_four_player::tables::{self, Mover, most};
use fourfold_four_player::{Bitboard, Player, SQUARES, Square};

use super::labels::{dense_index, from_dense_index};

/// Returns the tables by name, each with its row length. There is one row per square, and in
/// `between` one per pair of squares.
pub fn all() -> Vec<(&'static str, usize, Vec<i16>)> {
    let mut all = Vec::new();
    let pawns = ["red_pawn", "blue_pawn", "yellow_pawn", "green_pawn"];
    for (name, player) in pawns.into_iter().zip(Player::ALL) {
        let to = move |from| tables::destinations(Mover::Pawn(player), from);
        all.push((name, most::PAWN, rows(most::PAWN, to)));
    }
    let movers = [
        ("knight", most::KNIGHT, Mover::Knight),
        ("bishop", most::BISHOP, Mover::Bishop),
        ("rook", most::ROOK, Mover::Rook),
        ("queen", most::QUEEN, Mover::Queen),
        ("king", most::KING, Mover::King),
    ];
    for (name, length, mover) in movers {
        all.push((name, length, rows(length, move |from| tables::destinations(mover, from))));
    }
    all.push(("near", most::NEAR, rows(most::NEAR, tables::near)));
    all.push(("far", most::FAR, rows(most::FAR, tables::far)));
    let pairs = squares().flat_map(|from| squares().map(move |to| tables::between(from, to)));
    all.push(("between", most::BETWEEN, pairs.flat_map(|set| row(most::BETWEEN, set)).collect()));
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
