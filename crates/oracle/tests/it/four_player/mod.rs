//! Four-player chess: the oracle against the rules page and against known counts.

mod games;
mod page;
mod rules;
mod vectors;
