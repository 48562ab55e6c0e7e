//! Chess analysis: reference and engine against the page, against laws, and against each other.

mod engine;
mod laws;
mod mirrors;
mod page;
mod positions;
mod rows;
mod twins;
