//! The Rust in the pages of `docs` is compiled and run with the tests. There is nothing else here.

/// Five minutes with Rust.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/rust.md")]
struct Start;

/// A game from beginning to end.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/adding-a-game.md")]
struct AddingAGame;
