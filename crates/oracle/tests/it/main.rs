//! The integration tests of this crate, in a single binary so that they link only once.

mod blokus;
mod chess;
mod common;
mod four_player;
mod kung_fu;
mod study;
