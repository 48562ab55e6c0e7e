//! The integration tests of this crate, in a single binary to save link time.

mod cli;
mod crash;
mod crates;
mod docs;
mod files;
mod gtp;
mod matches;
mod uci;
