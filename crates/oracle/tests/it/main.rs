//! The integration tests of this crate, in one binary that links once.

mod blokus;
mod chess;
mod common;
mod four_player;
mod kung_fu;
mod study;
