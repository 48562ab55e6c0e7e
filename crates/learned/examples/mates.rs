//! Counts in how many of 32 positions from random games a model finds a mate in one when it searches 200 positions.
//!
//! `cargo run --release -p fourfold-learned --example mates -- FOLDER`

use std::path::Path;

use fourfold_bots::{Budget, Situation};
use fourfold_learned::Model;

#[path = "../tests/it/mates.rs"]
mod mates;

const COUNT: usize = 32;
const NODES: u64 = 200;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("expected the folder of a model of chess")?;
    let model = Model::load(Path::new(&folder))?;
    let mut solved = 0;
    for mates::Mate { start, codes } in mates::mates(COUNT) {
        let situation = Situation { start: &start, moves: &[] };
        let found = model.bot(1).think(&situation, Budget::nodes(NODES))?.code;
        match codes.contains(&found) {
            true => solved += 1,
            false => println!("{start}: {found}, not {}", codes.join(" or ")),
        }
    }
    println!("{solved} of {COUNT} mates in one with {NODES} positions");
    Ok(())
}
