//! Chess: the oracle and the engine against the rules page, and against each other.

mod games;
mod page;
mod rules;
