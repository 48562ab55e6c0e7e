//! Compiles and runs the Rust examples in `docs` as doctests. The crate contains nothing else.

/// The Rust quick start.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/rust.md")]
struct Start;
