//! The integration tests of this crate, in a single binary to save link time.

mod bytes;
mod comparison;
mod orders;
mod properties;
mod replays;
mod snapshots;
mod time;
