//! Measures how many Blokus playouts per second the search makes, from the opening and over whole
//! games.
//!
//! `cargo run --release -p fourfold-bots --example blokus [PLAYOUTS]`

use std::time::{Duration, Instant};

use fourfold_blokus::{Position, Variant, random_walk};
use fourfold_bots::{Budget, Situation, make};

fn main() {
    let given = std::env::args().nth(1).and_then(|text| text.parse().ok());
    let playouts = given.unwrap_or(5000);
    for (game, variant) in [("blokus", Variant::CLASSIC), ("blokus-duo", Variant::DUO)] {
        let start = Position::start(variant);
        // There are the most placements when one piece of each color is on the board.
        let opening: Vec<Position> =
            random_walk(start, 1).skip(variant.colors().len()).take(2).collect();
        let whole: Vec<Position> = random_walk(start, 1).step_by(6).collect();
        println!("{game} opening: {:.0} playouts/s", rate(game, &opening, playouts));
        println!("{game} whole game: {:.0} playouts/s", rate(game, &whole, playouts));
    }
}

/// Returns the playouts per second over some positions.
fn rate(game: &str, positions: &[Position], playouts: u64) -> f64 {
    let (mut nodes, mut spent) = (0, Duration::ZERO);
    for position in positions.iter().filter(|position| position.turn().is_some()) {
        let start = position.to_string();
        let Some(mut bot) = make(game, "master", 1) else { continue };
        let began = Instant::now();
        let thought = bot.think(&Situation { start: &start, moves: &[] }, Budget::nodes(playouts));
        spent += began.elapsed();
        nodes += thought.map_or(0, |thought| thought.nodes);
    }
    nodes as f64 / spent.as_secs_f64()
}
