//! Plays random games of kung fu chess on engine and oracle, compares every event, and prints the
//! progress:
//! `cargo run --release -p fourfold-kung-fu --example compare_games -- 20000`.

#![allow(dead_code, reason = "the tests use more of these modules")]

#[path = "../tests/it/comparison/compare.rs"]
mod compare;
#[path = "../tests/it/comparison/implementations.rs"]
mod implementations;
#[path = "../tests/it/comparison/random_games.rs"]
mod random_games;

use fourfold_common::SplitMix64;

fn main() {
    let count = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(20_000);
    let mut rng = SplitMix64::new(3);
    let mut ticks = 0;
    for game in 0..count {
        ticks += compare::game(random_games::RULES[game % random_games::RULES.len()], &mut rng);
        if (game + 1) % 1000 == 0 {
            println!("{} of {count} games, {ticks} ticks: engine and oracle agree", game + 1);
        }
    }
}
