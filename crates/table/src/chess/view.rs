//! How chess is displayed: legal moves and the board.

use fourfold_chess::{BOARD, Color, Move, ParseMoveError, Position, Role};

use super::{ChessTable, EDGES, SEATS, seat};
use crate::{Choice, Lying, PlacedPiece, PlayError, Scene, SeatColors, SeatInfo, Shape, Table};

const EXPECTED: &str = "a move like 'e4', 'Nf3', 'e8=Q', 'O-O' or 'e2e4'";

/// Returns the legal moves of a position, sorted by code.
pub(super) fn choices(position: &Position) -> Vec<Choice> {
    let legal = position.legal_moves();
    let mut choices: Vec<Choice> = legal.iter().map(|&mv| choice(position, mv)).collect();
    choices.sort_unstable_by(|one, other| one.code.cmp(&other.code));
    choices
}

fn choice(position: &Position, mv: Move) -> Choice {
    let code = mv.uci(position.variant());
    Choice {
        text: position.san(mv),
        // UCI names the squares that a user clicks, also for castling.
        from: code[..2].to_owned(),
        to: code[2..4].to_owned(),
        becomes: mv.promotion().map(Role::letter),
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
        choice.becomes.is_some() && rest.is_some()
    };
    let candidates: Vec<String> =
        choices(position).into_iter().filter(fits).map(|choice| choice.text).collect();
    let text = text.to_owned();
    if candidates.is_empty() {
        let reason = position.refusal_of(&text).map(|refusal| refusal.to_string());
        PlayError::Illegal { text, position: position.fen(), reason }
    } else {
        PlayError::Ambiguous { text, candidates }
    }
}

/// Returns the pieces that a side has captured, the most valuable first. A promoted piece has the
/// role that it was promoted to.
fn tray(table: &ChessTable, color: Color) -> Vec<Lying> {
    let mut taken: Vec<Role> = table.captures(color).collect();
    taken.sort_unstable_by(|one, other| other.cmp(one));
    let lying = |role: Role| Lying { piece: role.letter(), seat: seat(!color) };
    taken.into_iter().map(lying).collect()
}

/// Returns the scene of a table.
pub(super) fn scene(table: &ChessTable) -> Scene {
    let position = table.current();
    let place = |color: Color| SeatInfo::new(SEATS[color as usize], EDGES[color as usize]);
    let last = table.latest().map(|mv| [mv.from(), mv.target()]);
    let check = position.is_check().then(|| position.king(position.turn()));
    let men = position.board().iter_pieces().map(|(square, piece)| {
        PlacedPiece::new(BOARD.name(square), piece.role.letter(), seat(piece.color))
    });
    Scene {
        game: table.game(),
        board: Shape::of(&BOARD),
        seats: Color::ALL.map(place).to_vec(),
        teams: Vec::new(),
        out: Vec::new(),
        scores: Vec::new(),
        tints: SeatColors::of(SEATS.len()),
        colors: Vec::new(),
        shapes: Vec::new(),
        men: men.collect(),
        trays: Color::ALL.map(|color| tray(table, color)).to_vec(),
        last_move: last.into_iter().flatten().map(|square| BOARD.name(square)).collect(),
        check: check.into_iter().map(|square| BOARD.name(square)).collect(),
        acting: table.acting(),
        ply: table.ply(),
        claim: table.claimable(),
        outcome: table.outcome(),
    }
}
