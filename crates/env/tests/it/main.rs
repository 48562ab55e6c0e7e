//! The integration tests of this crate, in one binary that links once.

mod batches;
mod blokus;
mod captions;
mod chess;
mod docs;
mod final_observations;
mod four_player;
mod kung_fu;
mod lanes;
mod make;
mod players;
mod rows;
mod sampling;
mod seeding;
mod states;
mod step_outputs;
mod tiny_games;
