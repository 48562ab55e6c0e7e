//! Names of chess openings, by position, so that transpositions are found.

use std::collections::HashMap;
use std::sync::LazyLock;

use fourfold_chess::Position;

/// A code of the Encyclopaedia of Chess Openings, a name, and moves in SAN on each line, separated
/// by tabs. Written for this project; the names are those in common use.
const TABLE: &str = include_str!("openings.tsv");

/// No line of the table is longer.
const LONGEST: usize = 20;

/// The names by the keys of the positions.
static NAMES: LazyLock<HashMap<u64, String>> = LazyLock::new(|| {
    let entry = |line: &str| {
        let (code, rest) = line.split_once('\t')?;
        let (name, moves) = rest.split_once('\t')?;
        Some((after(moves)?.key(), format!("{code} {name}")))
    };
    TABLE.lines().filter_map(entry).collect()
});

/// Returns the position after moves from the start, or `None` if one is not legal.
fn after(moves: &str) -> Option<Position> {
    moves.split_whitespace().try_fold(Position::start(), |position, text| {
        Some(position.after(position.parse_san(text).ok()?))
    })
}

/// Returns the name of a position after `plies` moves with its code, such as `C50 Italian Game`.
pub(super) fn name(position: &Position, plies: usize) -> Option<&'static str> {
    let names = (plies <= LONGEST).then(|| &*NAMES)?;
    names.get(&position.key()).map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ChessTable, Table};

    #[test]
    fn every_line_is_legal_and_has_a_code_and_a_position_of_its_own() {
        for line in TABLE.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            let [code, name, moves] = fields[..] else { panic!("three fields: {line}") };
            let (volume, number) = code.split_at(1);
            assert!("ABCDE".contains(volume) && number.len() == 2, "{line}");
            assert!(number.parse::<u8>().is_ok() && !name.is_empty(), "{line}");
            assert!(moves.split(' ').count() <= LONGEST, "{line}");
            let position = after(moves).unwrap_or_else(|| panic!("not legal: {line}"));
            assert_eq!(NAMES.get(&position.key()), Some(&format!("{code} {name}")), "{line}");
        }
        assert_eq!(NAMES.len(), TABLE.lines().count());
    }

    #[test]
    fn the_latest_named_position_counts_by_any_order_of_moves() {
        let named = |moves: &str| {
            let mut table = ChessTable::new();
            for text in moves.split_whitespace() {
                table.play(text).expect("legal");
            }
            table.scene().opening
        };
        assert_eq!(named(""), None);
        assert_eq!(named("e4"), Some("B00 King's Pawn Game"));
        assert_eq!(named("e4 e5 Nf3 Nc6 Bc4 a6 a3 h6"), Some("C50 Italian Game"));
        assert_eq!(named("d4 e6 c4 d5"), Some("D30 Queen's Gambit Declined"));
        assert_eq!(named("c4 e6 d4 d5 Nc3 Nf6"), named("d4 d5 c4 e6 Nc3 Nf6"));
        let mut table = ChessTable::new();
        table.set("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").expect("a position");
        table.play("e4").expect("legal");
        assert_eq!(table.scene().opening, None);
    }
}
