//! Legal moves and played moves, as text.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::Seat;

/// A legal move of a seat. Choices are ordered by their codes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[non_exhaustive]
pub struct Choice {
    /// The move in the notation for programs. In chess this is UCI: `g1f3`, `e7e8q`.
    pub code: String,
    /// The move in the notation for people. In chess this is SAN: `Nf3`, `e8=Q`.
    pub text: String,
    /// The square that the piece moves from. In Blokus, the name of the piece.
    pub from: String,
    /// The square that the piece moves to. For castling, the king's target square or, in Chess960,
    /// the rook's square. In Blokus, the first cell in the code.
    pub to: String,
    /// The promotion, as the letter of a [`PlacedPiece`](crate::PlacedPiece), if the player can
    /// choose it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub promotion: Option<char>,
}

/// Choices grouped by `from`, then by `to`. Choices that share both are different promotions or, in
/// Blokus, different placements.
pub type Targets<'a> = BTreeMap<&'a str, BTreeMap<&'a str, Vec<&'a Choice>>>;

/// Groups choices the way a board UI needs them: it highlights the targets of the selected piece,
/// and asks the player if a target has several choices.
///
/// ```
/// use fourfold_table::{ChessTable, Table, targets};
///
/// let mut table = ChessTable::new();
/// table.set("8/4P3/8/8/8/8/1k6/4K3 w - - 0 1")?;
/// let choices = table.choices(table.acting()[0]);
/// let targets = targets(&choices);
/// assert_eq!(targets["e1"].keys().copied().collect::<Vec<_>>(), ["d1", "d2", "e2", "f1", "f2"]);
/// let codes: Vec<&str> = targets["e7"]["e8"].iter().map(|choice| choice.code.as_str()).collect();
/// assert_eq!(codes, ["e7e8b", "e7e8n", "e7e8q", "e7e8r"]);
/// # Ok::<(), fourfold_table::ReadError>(())
/// ```
pub fn targets(choices: &[Choice]) -> Targets<'_> {
    let mut targets = Targets::new();
    for choice in choices {
        let from = targets.entry(choice.from.as_str()).or_default();
        from.entry(choice.to.as_str()).or_default().push(choice);
    }
    targets
}

/// A move that was played.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
#[non_exhaustive]
pub struct Played {
    /// The seat that played it.
    pub seat: Seat,
    /// The move number. All moves of a round share it, as White's and Black's do in chess.
    pub number: u32,
    /// The move in the notation for people, as in [`Choice::text`].
    pub text: String,
    /// The move in the notation for programs, as in [`Choice::code`].
    pub code: String,
    /// In Blokus, the color of the placed piece, as an index into
    /// [`Scene::colors`](crate::Scene::colors).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<u8>,
}
