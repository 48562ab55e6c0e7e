//! Chess analysis: oracle and engine against the page, invariants, and each other.

mod engine;
mod laws;
mod mirrors;
mod page;
mod positions;
mod rows;
mod twins;
