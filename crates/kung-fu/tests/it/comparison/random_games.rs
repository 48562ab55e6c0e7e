//! Helpers for random games over many different rules.

use fourfold_common::SplitMix64;

use super::implementations::{Implementation, split_order};

/// The rules of the games, used in turn. Fast pieces and short rests lead to many captures.
pub(crate) const RULES: [&str; 12] = [
    "8x8 lightning",
    "8x8 ticks-per-square=4 rest=9",
    "8x8 ticks-per-square=3 rest=0 no-move=20 no-capture=60 no-draw-before=100",
    "12x12 lightning",
    "12x12 ticks-per-square=4 rest=9 freeze",
    "12x12 ticks-per-square=4 rest=5 teams",
    "12x12 ticks-per-square=5 rest=9 teams freeze",
    "12x12 ticks-per-square=1 rest=3 players=134",
    "12x12 ticks-per-square=7 rest=4 players=24",
    "12x12 ticks-per-square=2 rest=6 players=123 freeze",
    "12x12 ticks-per-square=3 rest=2 players=234 teams bots=3",
    "12x12 standard rest=30",
];

pub(crate) fn below(rng: &mut SplitMix64, number: usize) -> usize {
    (rng.next() % number as u64) as usize
}

pub(crate) fn pick<'a, A>(rng: &mut SplitMix64, items: &'a [A]) -> Option<&'a A> {
    if items.is_empty() { None } else { items.get(below(rng, items.len())) }
}

/// Returns a random subset of the pieces of the start position, so that lines are open; sometimes
/// all of them.
pub(crate) fn some_pieces<T: Implementation>(words: &str, rng: &mut SplitMix64) -> String {
    let start = T::create(words, None).unwrap_or_else(|error| panic!("{words}: {error}"));
    let state = start.state();
    let all = rng.next().is_multiple_of(4);
    let stays = |id: &&str| {
        let among_ten = match &id[..1] {
            "K" => 10,
            "R" => 8,
            _ => 4,
        };
        all || below(rng, 10) < among_ten
    };
    let ids = state.split("; ").skip(1).filter_map(|piece| piece.split(' ').next());
    ids.filter(stays).collect::<Vec<_>>().join(" ")
}

/// Returns a random legal order of the player, preferring castling and captures.
pub(crate) fn some_order<T: Implementation>(
    game: &T,
    player: i64,
    rng: &mut SplitMix64,
) -> Option<String> {
    let orders = game.legal_orders(player);
    let state = game.state();
    let captures = |order: &&String| {
        let target = order.split("->").nth(1).unwrap_or_default();
        state.split("; ").skip(1).any(|piece| piece.split(' ').nth(2) == Some(target))
    };
    let preferred: Vec<&String> =
        orders.iter().filter(|order| captures(order) || is_castling(order)).collect();
    let chosen = match rng.next().is_multiple_of(2) {
        true => pick(rng, &preferred).copied(),
        false => None,
    };
    chosen.or_else(|| pick(rng, &orders)).cloned()
}

fn is_castling(order: &str) -> bool {
    let Some((piece, row, col)) = split_order(order) else { return false };
    let fields: Vec<i64> = piece.split(':').skip(2).filter_map(|text| text.parse().ok()).collect();
    piece.starts_with('K') && ((fields[0] - row).abs() == 2 || (fields[1] - col).abs() == 2)
}

/// Gives an order that must be legal.
pub(crate) fn give<T: Implementation>(game: &mut T, player: i64, order: &str) {
    let (piece, row, col) = split_order(order).expect(order);
    let answer = game.order(player, piece, row, col);
    assert_eq!(answer, Ok(()), "{player} {order} in {}", game.state());
}
