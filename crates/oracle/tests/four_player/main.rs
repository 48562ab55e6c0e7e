//! Four-player chess: the oracle against the rules page and against known counts.

#[path = "../common/mod.rs"]
mod common;
mod games;
mod page;
mod rules;
mod vectors;
