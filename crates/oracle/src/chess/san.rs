//! Standard algebraic notation.

use super::moves::Move;
use super::position::{Position, Wing};
use crate::board::Role;

/// Writes a legal move of the position in SAN.
pub(super) fn write(position: &Position, mv: &Move) -> String {
    let name = match mv.castling.map(|right| right.wing) {
        Some(Wing::King) => "O-O".to_string(),
        Some(Wing::Queen) => "O-O-O".to_string(),
        None => format!(
            "{}{}{}{}",
            mover(position, mv),
            if mv.captured.is_some() { "x" } else { "" },
            mv.to,
            promotion(mv),
        ),
    };
    name + check_mark(&position.after(mv))
}

/// Returns the piece's letter and the disambiguation. A pawn has no letter, and its file is written
/// only when it captures.
fn mover(position: &Position, mv: &Move) -> String {
    match mv.role {
        Role::Pawn if mv.captured.is_some() => mv.from.file_letter().to_string(),
        Role::Pawn => String::new(),
        role => format!("{}{}", role.letter(), disambiguation(position, mv)),
    }
}

/// Returns nothing if no other piece of the same role can move to the same square, else the file if
/// that is unique, else the rank if that is, else both.
fn disambiguation(position: &Position, mv: &Move) -> String {
    let mut rivals = position.legal_moves();
    rivals.retain(|other| other.role == mv.role && other.to == mv.to && other.from != mv.from);

    let from = mv.from;
    if rivals.is_empty() {
        String::new()
    } else if rivals.iter().all(|rival| rival.from.file != from.file) {
        from.file_letter().to_string()
    } else if rivals.iter().all(|rival| rival.from.rank != from.rank) {
        (from.rank + 1).to_string()
    } else {
        from.to_string()
    }
}

fn promotion(mv: &Move) -> String {
    match mv.promotion {
        Some(role) => format!("={}", role.letter()),
        None => String::new(),
    }
}

fn check_mark(after: &Position) -> &'static str {
    if !after.is_check(after.turn) {
        ""
    } else if after.legal_moves().is_empty() {
        "#"
    } else {
        "+"
    }
}
