//! Chess: oracle and engine against the rules page, and against each other.

mod games;
mod implementations;
mod page;
