//! Test cases in lines of the form `key: value`.

use std::collections::BTreeSet;

use fourfold_common::join;
use fourfold_four_player::{Move, Position, Rules};

use crate::cases::{Case, Check};
use crate::kung_fu;

/// Returns whether a text is a file of such cases.
pub(crate) fn is_lines(text: &str) -> bool {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
    first.is_some_and(|line| line.starts_with("case:"))
}

/// Parses the cases of a file. Each begins with its `case` line. A case with a position lists its
/// legal moves in four-player chess; any other is a game of kung fu chess.
pub(crate) fn read(text: &str) -> Vec<Case> {
    let mut cases: Vec<(usize, Vec<(&str, &str)>)> = Vec::new();
    let mut faults = Vec::new();
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match (line.split_once(':'), cases.last_mut()) {
            (Some(("case", name)), _) => cases.push((number, vec![("case", name.trim())])),
            (Some((key, value)), Some((_, case))) => case.push((key, value.trim())),
            _ => {
                let why = "expected 'key: value' in a case that begins with 'case: NAME'";
                let (line, title) = (Some(number), "line".to_owned());
                faults.push(Case { line, title, check: Err(why.to_owned()) });
            }
        }
    }
    let read = |(number, lines): (usize, Vec<(&str, &str)>)| {
        let of_moves = lines.iter().any(|(key, _)| ["position", "moves"].contains(key));
        let check = if of_moves {
            LegalMoves::read(&lines[1..]).map(Check::Moves)
        } else {
            kung_fu::from_lines(&lines[1..]).map(Check::Played)
        };
        Case { line: Some(number), title: lines[0].1.to_owned(), check }
    };
    faults.into_iter().chain(cases.into_iter().map(read)).collect()
}

/// A position of four-player chess with all its legal moves.
#[derive(Default)]
pub(crate) struct LegalMoves {
    rules: String,
    position: String,
    moves: BTreeSet<String>,
}

impl LegalMoves {
    fn read(lines: &[(&str, &str)]) -> Result<LegalMoves, String> {
        let mut case = LegalMoves::default();
        for &(key, value) in lines {
            match key {
                "note" => {}
                "rules" => case.rules = value.to_owned(),
                "position" => case.position = value.to_owned(),
                "moves" => case.moves = value.split_whitespace().map(str::to_owned).collect(),
                _ => {
                    return Err(format!(
                        "unknown key '{key}': expected one of note, rules, position, moves"
                    ));
                }
            }
        }
        Ok(case)
    }

    /// Generates the legal moves. Returns their number, or how they differ from the expected ones.
    pub(crate) fn verdict(&self) -> Result<usize, String> {
        let rules = Rules::parse(&self.rules).map_err(|error| error.to_string())?;
        let position =
            Position::from_fen4(&self.position, rules).map_err(|error| error.to_string())?;
        let got: BTreeSet<String> = position.legal_moves().iter().map(Move::to_string).collect();
        if got == self.moves {
            return Ok(got.len());
        }
        let missing = join(self.moves.difference(&got), " ");
        let unexpected = join(got.difference(&self.moves), " ");
        let parts = [("missing", missing), ("unexpected", unexpected)];
        let parts = parts.iter().filter(|(_, moves)| !moves.is_empty());
        Err(join(parts.map(|(what, moves)| format!("{what} moves: {moves}")), "; "))
    }
}
