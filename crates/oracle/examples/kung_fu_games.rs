//! Plays random games of kung fu chess on engine and oracle, compares every event, and prints the
//! progress:
//! `cargo run --release -p fourfold-oracle --example kung_fu_games -- 20000`.

#[path = "../tests/it/common/mod.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod common;
#[path = "../tests/it/kung_fu/engine.rs"]
mod engine;
#[path = "../tests/it/kung_fu/games.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod games;
#[path = "../tests/it/kung_fu/rules.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod rules;
#[path = "../tests/it/kung_fu/twins.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod twins;

use fourfold_common::SplitMix64;

fn main() {
    let count = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(20_000);
    let mut keys = SplitMix64::new(3);
    let mut ticks = 0;
    for game in 0..count {
        ticks += twins::game(games::RULES[game % games::RULES.len()], &mut keys);
        if (game + 1) % 1000 == 0 {
            println!("{} of {count} games, {ticks} ticks: engine and oracle agree", game + 1);
        }
    }
}
