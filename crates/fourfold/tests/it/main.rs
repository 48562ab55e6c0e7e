//! The integration tests of this crate, in a single binary to save link time.

mod killed;
mod matches;
mod pages;
mod rooms;
mod terminal;
mod uci;
