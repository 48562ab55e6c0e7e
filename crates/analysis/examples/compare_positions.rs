//! Compares every fact of the engine's chess analysis with the oracle's on random positions of
//! every kind:
//! `cargo run --release -p fourfold-analysis --example compare_positions -- 100000`.

#![allow(dead_code, unused_imports, reason = "the tests use more of these modules")]

#[path = "../tests/it/compare.rs"]
mod compare;
#[path = "../tests/it/engine.rs"]
mod engine;
#[path = "../tests/it/fact_rows.rs"]
mod fact_rows;
#[path = "../tests/it/positions.rs"]
mod positions;

use std::process::ExitCode;

fn main() -> ExitCode {
    let count: usize =
        std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(100_000);
    let mut done = 0;
    while done < count {
        let some = (count - done).min(5000);
        if let Err(difference) =
            compare::agree::<compare::Oracle, engine::Engine>(some, 100 + done as u64)
        {
            eprintln!("{difference}");
            return ExitCode::FAILURE;
        }
        done += some;
        println!("{done} of {count} positions: engine and oracle agree");
    }
    ExitCode::SUCCESS
}
