//! The integration tests of this crate, in one binary that links once.

mod blokus;
mod chess;
mod four_player;
mod kung_fu;
mod page;
mod pictures;
mod players;
mod told;
