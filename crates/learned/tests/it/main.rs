//! Tests of models with random weights.

mod bots;
mod damaged;
mod mates;
mod properties;
mod random_model;
mod slow;
