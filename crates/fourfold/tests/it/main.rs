//! The integration tests of this crate, in a single binary to save link time.

mod cli;
mod crash;
mod crates;
mod docs;
mod files;
mod gtp;
mod matches;
#[path = "../../../learned/tests/it/random_model.rs"]
#[allow(dead_code, reason = "a part is for other tests")]
mod random_model;
mod uci;
mod uci_four_player;
