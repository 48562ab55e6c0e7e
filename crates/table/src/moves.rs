//! Moves as text: those that may be played, and those that were.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::Seat;

/// A move that a seat may play now.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
#[non_exhaustive]
pub struct Choice {
    /// The move as programs write it, in chess UCI: `g1f3`, `e7e8q`.
    pub code: String,
    /// The move as people write it, in chess SAN: `Nf3`, `e8=Q`.
    pub text: String,
    /// Where a hand takes the man from: a square, or a name in the tray.
    pub from: String,
    /// Where a hand puts it: a square. For castling that is the king's target, in Chess960 the
    /// rook's square.
    pub to: String,
    /// What the man becomes, as the letter of a [`Man`](crate::Man), if the player chooses it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub becomes: Option<char>,
}

/// Choices by where they come from, then by where they go. Several with both in common differ in
/// what the man becomes.
pub type Targets<'a> = BTreeMap<&'a str, BTreeMap<&'a str, Vec<&'a Choice>>>;

/// Groups choices as a board asks for them: a man is lifted, its targets light up, and if a target
/// has several choices the player is asked which.
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
    /// Who played it.
    pub seat: Seat,
    /// The number that people give the move; in chess White's and Black's share it.
    pub number: u32,
    /// The move as people write it, in chess SAN.
    pub text: String,
    /// The move as programs write it, in chess UCI.
    pub code: String,
    /// The colour that was laid, by its place in [`Scene::colors`](crate::Scene::colors), in games
    /// that have them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<u8>,
}
