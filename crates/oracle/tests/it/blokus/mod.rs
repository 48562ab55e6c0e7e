//! Blokus: oracle and engine against the rules page, known counts and whole games.

mod games;
mod page;
mod rules;
#[path = "../../../../blokus/tests/slow/mod.rs"]
#[allow(dead_code, reason = "the tests of other crates use the rest")]
mod slow;
mod vectors;
