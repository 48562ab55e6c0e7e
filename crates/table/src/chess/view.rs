//! How chess is displayed: legal moves and the board.

use std::iter::repeat_n;

use fourfold_chess::{BOARD, Board, Color, Move, ParseMoveError, Position, Role};

use super::{ChessState, EDGES, seat};
use crate::{CapturedPiece, Choice, PlacedPiece, PlayError, Scene, Shape};

const EXPECTED: &str = "a move like 'e4', 'Nf3', 'e8=Q', 'O-O' or 'e2e4'";

/// Returns a legal move as text.
pub(super) fn choice(position: &Position, mv: Move) -> Choice {
    let code = mv.uci(position.variant());
    Choice {
        text: position.san(mv),
        // UCI names the squares that a user clicks, also for castling.
        from: code[..2].to_owned(),
        to: code[2..4].to_owned(),
        promotion: mv.promotion().map(Role::letter),
        code,
    }
}

/// Parses a legal move in UCI or SAN.
pub(super) fn parse(position: &Position, text: &str) -> Result<Move, PlayError> {
    let text = text.trim();
    // A text in UCI never means a different move in SAN.
    let parsed = match position.parse_uci(text) {
        Err(ParseMoveError::Malformed { .. }) => position.parse_san(text),
        found => found,
    };
    parsed.map_err(|error| match error {
        ParseMoveError::Malformed { text, .. } => PlayError::Malformed { text, expected: EXPECTED },
        ParseMoveError::Ambiguous { text, candidates } => PlayError::Ambiguous { text, candidates },
        _ => illegal(position, text),
    })
}

/// Returns the error for an illegal move, or for a promotion that does not say which role it
/// promotes to.
fn illegal(position: &Position, text: &str) -> PlayError {
    let fits = |choice: &Choice| {
        let rest = choice.code.strip_prefix(text).or_else(|| choice.text.strip_prefix(text));
        choice.promotion.is_some() && rest.is_some()
    };
    let legal = position.legal_moves();
    let legal = legal.iter().map(|&mv| choice(position, mv));
    let mut fitting: Vec<Choice> = legal.filter(fits).collect();
    fitting.sort_unstable();
    let candidates: Vec<String> = fitting.into_iter().map(|choice| choice.text).collect();
    let text = text.to_owned();
    if candidates.is_empty() {
        let reason = position.uci_refusal(&text).map(|refusal| refusal.to_string());
        PlayError::Illegal { text, position: position.fen(), reason }
    } else {
        PlayError::Ambiguous { text, candidates }
    }
}

/// Returns the pieces that a side has captured, the most valuable first.
fn captured_by(state: &ChessState, color: Color) -> Vec<CapturedPiece> {
    let captured = |role: Role| {
        let piece = CapturedPiece { piece: role.letter(), seat: seat(!color) };
        repeat_n(piece, state.captured[color as usize][role as usize].into())
    };
    Role::ALL.into_iter().rev().flat_map(captured).collect()
}

/// Returns the pieces to draw.
pub(crate) fn placed_pieces(board: &Board) -> Vec<PlacedPiece> {
    let placed = board.iter_pieces().map(|(square, piece)| {
        PlacedPiece::new(BOARD.name(square), piece.role.letter(), seat(piece.color))
    });
    placed.collect()
}

/// Returns the scene of a state, after `ply` moves.
pub(super) fn scene(state: &ChessState, last: Option<Move>, ply: usize) -> Scene {
    let position = &state.position;
    let last = last.filter(|mv| !mv.is_null()).map(|mv| [mv.from(), mv.target()]);
    let check = position.is_check().then(|| position.king(position.turn()));
    Scene {
        pieces: placed_pieces(position.board()),
        captured: Color::ALL.map(|color| captured_by(state, color)).to_vec(),
        last_move: last.into_iter().flatten().map(|square| BOARD.name(square)).collect(),
        opening: state.opening,
        check: check.into_iter().map(|square| BOARD.name(square)).collect(),
        ..Scene::new(state, ply, Shape::of(&BOARD), &EDGES)
    }
}
