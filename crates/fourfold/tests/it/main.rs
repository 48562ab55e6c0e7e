//! The integration tests of this crate, in one binary that links once.

mod killed;
mod matches;
mod pages;
mod rooms;
mod terminal;
mod uci;
