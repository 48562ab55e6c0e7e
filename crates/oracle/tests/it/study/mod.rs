//! Chess analysis: reference and engine against the page, against laws, and against each other.

#[path = "../common/mod.rs"]
#[allow(
    dead_code,
    reason = "this page plays no moves, so it needs a part of what the rules pages share"
)]
mod common;
mod engine;
mod laws;
mod mirrors;
mod page;
mod positions;
mod rows;
mod twins;
