//! Attacks with blockers, rays on an empty board, and the lines between squares.

mod magics;
mod sliders;
mod tables;

pub(crate) use sliders::line_through;
pub use sliders::{bishop_attacks, relevant_blockers, rook_attacks};
pub use tables::{
    between, bishop_rays, king_attacks, knight_attacks, line, pawn_attacks, rook_rays,
};
