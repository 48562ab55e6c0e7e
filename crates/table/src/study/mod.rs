//! Positions of chess to study: where they come from, facts by their names and as text, work on
//! threads.

mod facts;
mod read;
mod spread;

pub use facts::{
    ATTACK_MAP, Chosen, NAMES, PAWN_SETS, PawnSet, UnknownFact, Value, captures, forks, set,
    squares, value,
};
pub use read::{At, Fault, Found, Holds, Item, Source, Unreadable, position};
pub use spread::spread;
