//! The integration tests of this crate, in a single binary to save link time.

mod crates;
mod killed;
mod matches;
mod pages;
mod terminal;
mod uci;
