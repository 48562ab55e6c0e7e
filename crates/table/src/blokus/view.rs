//! How Blokus is displayed: legal placements and the board.

use fourfold_blokus::{
    CellSet, Orientation, ParseMoveError, Piece, Placement, Position, Variant, cell_name,
};

use super::BlokusState;
use crate::game_table::State;
use crate::{Choice, Color, Edge, PieceShape, PlayError, Scene, SeatColors, Shape};

const EXPECTED: &str = "a placement like 'a1,b1,a2' or 'V3 a1,b1,a2'";

/// Returns a placement in the notations for programs and for people. The latter includes the name
/// of the piece.
pub(super) fn texts(position: &Position, placement: Placement) -> (String, String) {
    let code = placement.to_text(position.variant().size());
    let text = format!("{} {code}", placement.piece().name());
    (code, text)
}

/// Returns a legal placement as text.
pub(super) fn choice(position: &Position, placement: Placement) -> Choice {
    let (code, text) = texts(position, placement);
    let to = code.split(',').next().unwrap_or_default().to_owned();
    Choice { code, text, from: placement.piece().name().to_owned(), to, promotion: None }
}

/// Parses a legal placement: its cells, with or without the name of the piece before them.
pub(super) fn parse(position: &Position, text: &str) -> Result<Placement, PlayError> {
    let text = text.trim();
    let (piece, cells) = match text.split_once(char::is_whitespace) {
        Some((name, cells)) if Piece::from_name(name).is_some() => (Piece::from_name(name), cells),
        _ => (None, text),
    };
    let cells: String = cells.split_whitespace().collect::<String>().to_ascii_lowercase();
    let illegal = |reason: String| PlayError::Illegal {
        text: text.to_owned(),
        position: position.to_string(),
        reason: Some(reason),
    };
    let placement = position.parse_move(&cells).map_err(|error| match error {
        ParseMoveError::Malformed { .. } => {
            PlayError::Malformed { text: text.to_owned(), expected: EXPECTED }
        }
        error => illegal(error.to_string()),
    })?;
    match piece {
        Some(piece) if piece != placement.piece() => {
            let (found, named) = (placement.piece().name(), piece.name());
            Err(illegal(format!("these cells form piece {found}, not {named}")))
        }
        _ => Ok(placement),
    }
}

/// Returns the edges where the seats are. The start square of each player is at the left end of
/// their edge or, in Duo, near it.
fn edges(variant: Variant) -> &'static [Edge] {
    match variant.players().len() {
        2 if variant.colors().len() == 2 => &[Edge::Top, Edge::Bottom],
        2 => &[Edge::Bottom, Edge::Top],
        _ => &[Edge::Left, Edge::Top, Edge::Right, Edge::Bottom],
    }
}

fn names(variant: Variant, cells: &CellSet) -> Vec<String> {
    cells.cells().map(|(row, column)| cell_name(variant.size(), row, column)).collect()
}

fn color(state: &BlokusState, color: fourfold_blokus::Color) -> Color {
    let (game, variant) = (&state.game, state.variant());
    let position = game.position();
    let done = game.has_withdrawn(color) || position.is_eliminated(color);
    Color {
        name: variant.color_name(color),
        seat: variant.owner(color).map(super::seat),
        turn: state.outcome().is_none() && game.turn() == Some(color),
        done,
        score: position.advanced_score(color),
        squares: names(variant, position.cells(color)),
        frontier: if done { Vec::new() } else { names(variant, position.frontier(color)) },
        left: position.remaining(color).map(Piece::name).collect(),
    }
}

fn piece_shape(piece: Piece) -> PieceShape {
    let shape = Orientation::from_index(piece.orientations().start);
    PieceShape { name: piece.name(), cells: shape.cells().to_vec() }
}

/// Returns the scene of a state, after `ply` moves.
pub(super) fn scene(state: &BlokusState, last: Option<Placement>, ply: usize) -> Scene {
    let variant = state.variant();
    let last = last.map(|placement| placement.to_text(variant.size()));
    Scene {
        scores: state.game.position().player_scores(),
        seat_colors: if variant.colors().len() == 2 { SeatColors::Duo } else { SeatColors::Blokus },
        colors: variant.colors().map(|each| color(state, each)).collect(),
        piece_shapes: Piece::all().map(piece_shape).collect(),
        last_move: last.iter().flat_map(|text| text.split(',')).map(str::to_owned).collect(),
        ..Scene::new(state, ply, Shape::square(variant.size()), edges(variant))
    }
}
