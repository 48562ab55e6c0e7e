//! The integration tests of this crate, in one binary that links once.

mod blokus;
mod chess;
mod chess_suites;
mod four_player;
mod kung_fu;
mod suites;
