//! Compares every fact of the engine's chess analysis with the oracle's on random positions of
//! every kind:
//! `cargo run --release -p fourfold-oracle --example study_positions -- 100000`.

#![allow(dead_code, unused_imports, reason = "the tests use more of these modules")]

#[path = "../tests/it/study/engine.rs"]
mod engine;
#[path = "../tests/it/study/positions.rs"]
mod positions;
#[path = "../tests/it/study/rows.rs"]
mod rows;
#[path = "../tests/it/study/twins.rs"]
mod twins;

use std::process::ExitCode;

fn main() -> ExitCode {
    let count: usize =
        std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(100_000);
    let mut done = 0;
    while done < count {
        let some = (count - done).min(5000);
        if let Err(difference) =
            twins::agree::<twins::Oracle, engine::Engine>(some, 100 + done as u64)
        {
            eprintln!("{difference}");
            return ExitCode::FAILURE;
        }
        done += some;
        println!("{done} of {count} positions: engine and oracle agree");
    }
    ExitCode::SUCCESS
}
