//! The integration tests of this crate, in one binary that links once.

mod blokus;
mod boards;
mod chess;
mod common;
mod diagrams;
mod four_player;
mod game_file;
mod kung_fu;
mod properties;
