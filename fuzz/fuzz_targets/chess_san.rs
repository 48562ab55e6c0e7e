//! Any text is a legal move that reads back, or an error, in a position from random play.
#![no_main]

#[path = "../../crates/chess/tests/laws/mod.rs"]
#[allow(dead_code)]
mod laws;

use fourfold_chess::{Position, random_walk};

libfuzzer_sys::fuzz_target!(|input: (u64, u8, &str)| {
    let (seed, plies, text) = input;
    if let Some(position) = random_walk(Position::start(), seed).nth(plies as usize) {
        laws::san(&position, text);
    }
});
