//! Chess analysis: reference and engine against the page, against laws, and against each other.

// This page plays no moves, so it needs a part of what the rules pages share.
#[allow(dead_code)]
#[path = "../common/mod.rs"]
mod common;
mod engine;
mod laws;
mod mirrors;
mod page;
mod positions;
mod rows;
mod twins;
