//! Chess analysis: the reference against its page and against laws.
//!
//! An implementation is compared with all of this, and with the reference, once it is a [`Twin`].

// This page plays no moves, so it needs a part of what the rules pages share.
#[allow(dead_code)]
#[path = "../common/mod.rs"]
mod common;
mod laws;
mod mirrors;
mod page;
mod positions;
mod rows;
mod twins;
