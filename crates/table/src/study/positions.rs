//! Positions with their facts, facts over a whole game, and positions that are set up by hand.

use fourfold_analysis::{Analysis, FactGroups, SideFacts};
use fourfold_chess::{BOARD, Bitboard, Color, Fault, Piece, Role, Setup, at};
use fourfold_common::ensure;
use serde::{Deserialize, Serialize};

use super::facts::AttackMap;
use super::overlays::{Overlay, overlays};
use super::{LONGEST_LINE, StudyError, position};
use crate::chess::placed_pieces;
use crate::{ChessTable, Choice, PlacedPiece, Played, Scene, Seat, Table};

/// Everything that is shown about a position.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct StudyPosition {
    /// The position as a FEN.
    pub fen: String,
    /// The scene to draw.
    #[serde(flatten)]
    pub scene: Scene,
    /// The moves that lead to the position.
    pub moves: Vec<Played>,
    /// The legal moves. Empty if the game is over.
    pub legal_moves: Vec<Choice>,
    /// The facts about the position.
    pub facts: Vec<Overlay>,
    /// The attackers and defenders of each piece, as JSON of an [`AttackMap`].
    pub attack_map: serde_json::Value,
}

/// Returns the position after moves in UCI or SAN from a start position, given as a FEN.
///
/// # Errors
/// Returns an error if the start is not a valid position, if a move is not legal, or if there are
/// more than [`LONGEST_LINE`] moves.
pub fn position_after(start: &str, moves: &[String]) -> Result<StudyPosition, StudyError> {
    let table = through(start, moves)?;
    let position = table.current();
    let scene = table.scene();
    let legal_moves = scene.acting.iter().flat_map(|&seat| table.choices(seat)).collect();
    Ok(StudyPosition {
        fen: position.fen(),
        scene,
        moves: table.played().to_vec(),
        legal_moves,
        facts: overlays(&position, table.analysis()),
        // This cannot fail: all keys of the map are strings.
        attack_map: serde_json::to_value(AttackMap(&position)).unwrap_or_default(),
    })
}

/// Returns the game with these moves in UCI or SAN from a start position. The moves may continue
/// after a draw by rule.
///
/// # Errors
/// Returns an error in the same cases as [`position_after`].
pub fn through(start: &str, moves: &[String]) -> Result<ChessTable, StudyError> {
    ensure!(moves.len() <= LONGEST_LINE, StudyError::TooLong(LONGEST_LINE));
    Ok(ChessTable::through(position(start)?, moves)?)
}

/// A fact that is counted in every position of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct Series {
    /// Its id.
    pub id: &'static str,
    /// Its display name.
    pub name: &'static str,
    /// A single line, or one for each side.
    pub lines: Vec<SeriesLine>,
}

/// One number for every position of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct SeriesLine {
    /// Its label: a side, or `white's lead`.
    pub name: &'static str,
    /// The numbers, beginning with the start position.
    pub values: Vec<i32>,
}

/// Returns facts over the course of a game: material and mobility as White's lead, and the numbers
/// of hanging pieces and of pieces en prise for each side.
///
/// # Errors
/// Returns an error in the same cases as [`position_after`].
pub fn series(start: &str, moves: &[String]) -> Result<Vec<Series>, StudyError> {
    let table = through(start, moves)?;
    let wanted = FactGroups { exchanges: true, ..FactGroups::ONE_PASS };
    let analyses: Vec<Analysis> =
        table.record().positions().map(|position| Analysis::with(&position, wanted)).collect();
    let series = |id, name, is_lead: bool, count: fn(&SideFacts) -> usize| {
        let [white, black] = Color::ALL.map(|color| {
            let counts = analyses.iter().map(|analysis| count(analysis.side(color)) as i32);
            SeriesLine { name: color.name(), values: counts.collect() }
        });
        let lines = if is_lead {
            let both = white.values.iter().zip(black.values);
            let values = both.map(|(white, black)| white - black).collect();
            vec![SeriesLine { name: "white's lead", values }]
        } else {
            vec![white, black]
        };
        Series { id, name, lines }
    };
    Ok(vec![
        series("material", "Material", true, |side| side.material as usize),
        series("mobility", "Mobility", true, |side| side.mobility as usize),
        series("hanging", "Hanging", false, |side| side.hanging.len()),
        series("en_prise", "En prise", false, |side| side.en_prise.len()),
    ])
}

/// A position as it was set up by hand, legal or not.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct EditedPosition {
    /// The pieces on the board.
    pub pieces: Vec<PlacedPiece>,
    /// The side to move.
    pub turn: Seat,
    /// The requested castling rights, as in a FEN: `KQkq`.
    #[serde(default)]
    pub castling: String,
}

/// The result of checking an [`EditedPosition`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct CheckedPosition {
    /// The position as a FEN, whether or not it can be played from.
    pub fen: String,
    /// Everything that is wrong with the position. Empty if it can be played from.
    pub errors: Vec<String>,
    /// The squares of the pieces that cause the errors.
    pub squares: Vec<String>,
    /// The castling rights that the pieces allow. Those that were requested are in the FEN.
    pub castling: String,
    /// The pieces to draw.
    pub pieces: Vec<PlacedPiece>,
}

/// Checks a position that was set up by hand.
///
/// # Errors
/// Returns an error if a square, a piece or a seat does not exist in chess.
pub fn check_position(edited: &EditedPosition) -> Result<CheckedPosition, StudyError> {
    let EditedPosition { pieces, turn, castling } = edited;
    let side = |seat: Seat| {
        Color::ALL
            .get(seat.index())
            .copied()
            .ok_or_else(|| StudyError::NoSuchPiece(format!("seat {seat}")))
    };
    let mut setup = Setup { turn: side(*turn)?, ..Setup::empty() };
    for PlacedPiece { square: name, piece, seat, .. } in pieces {
        let unknown = || StudyError::NoSuchPiece(format!("{piece}{name}"));
        let square = BOARD.parse(name).map_err(|_| unknown())?;
        let role = Role::from_letter(*piece).ok_or_else(unknown)?;
        setup.board.put(square, Piece { color: side(*seat)?, role });
    }
    let mut allowed = String::new();
    for (letter, rook, king, color) in RIGHTS {
        let stands = |square, role| setup.board.piece_at(at(square)) == Some(Piece { color, role });
        if stands(rook, Role::Rook) && stands(king, Role::King) {
            allowed.push(letter);
            if castling.contains(letter) {
                setup.castling |= Bitboard::of(at(rook));
            }
        }
    }
    let faults = setup.validate().err().map(|error| error.faults).unwrap_or_default();
    let blamed = faults.iter().map(|fault| blame(&setup, *fault));
    let blamed = blamed.fold(Bitboard::EMPTY, |all, set| all | set);
    Ok(CheckedPosition {
        fen: setup.fen(),
        errors: faults.iter().map(ToString::to_string).collect(),
        squares: super::squares(blamed),
        castling: allowed,
        pieces: placed_pieces(&setup.board),
    })
}

/// The castling rights: the letter, the squares of the rook and the king, and the side.
const RIGHTS: [(char, &str, &str, Color); 4] = [
    ('K', "h1", "e1", Color::White),
    ('Q', "a1", "e1", Color::White),
    ('k', "h8", "e8", Color::Black),
    ('q', "a8", "e8", Color::Black),
];

/// Returns the pieces that cause a fault. Empty if no particular pieces do.
fn blame(setup: &Setup, fault: Fault) -> Bitboard {
    match fault {
        Fault::PawnOnEndRank(square) => Bitboard::of(square),
        Fault::SeveralKings(color) | Fault::OpponentInCheck(color) => {
            setup.board.pieces(color, Role::King)
        }
        Fault::TooManyPawns(color) => setup.board.pieces(color, Role::Pawn),
        _ => Bitboard::EMPTY,
    }
}
