//! Facts about the current position of a game: check, mate and the draw rules.

use super::board::Board;
use super::moves::Move;
use super::position::Position;
use crate::board::{Role, Square};

/// Returns the facts about the current position, in alphabetical order.
pub(super) fn of(earlier: &[Position], current: &Position) -> Vec<String> {
    let check = current.is_check(current.turn);
    let stuck = current.legal_moves().is_empty();
    let mate = check && stuck;
    let times = occurrences(earlier, current);
    let facts = [
        ("check", check),
        ("checkmate", mate),
        ("fifty moves", current.halfmoves >= 100 && !mate),
        ("fivefold repetition", times >= 5),
        ("insufficient material", is_insufficient(&current.board)),
        ("seventy-five moves", current.halfmoves >= 150 && !mate),
        ("stalemate", stuck && !check),
        ("threefold repetition", times >= 3),
    ];
    facts.into_iter().filter(|(_, holds)| *holds).map(|(fact, _)| fact.to_string()).collect()
}

/// Counts how often the current position has occurred, including this time.
fn occurrences(earlier: &[Position], current: &Position) -> usize {
    let current = repeatable(current);
    1 + earlier.iter().filter(|position| repeatable(position) == current).count()
}

/// Returns the position without the parts that repetition ignores: the two counters, and an en
/// passant square on which no capture is legal.
fn repeatable(position: &Position) -> Position {
    let can_capture = position.legal_moves().iter().any(Move::is_en_passant);
    Position {
        en_passant: position.en_passant.filter(|_| can_capture),
        halfmoves: 0,
        fullmove: 1,
        ..position.clone()
    }
}

/// Whether no sequence of moves can lead to mate: bare kings, a single knight, or only bishops on
/// squares of one color.
fn is_insufficient(board: &Board) -> bool {
    let pieces: Vec<_> = board.pieces().filter(|(_, piece)| piece.role != Role::King).collect();
    let one_knight = pieces.len() == 1 && pieces[0].1.role == Role::Knight;
    let only_bishops = pieces.iter().all(|(_, piece)| piece.role == Role::Bishop);
    let is_light = |square: &Square| (square.file + square.rank) % 2 == 1;
    let light = pieces.iter().filter(|(square, _)| is_light(square)).count();
    one_knight || (only_bishops && (light == 0 || light == pieces.len()))
}
