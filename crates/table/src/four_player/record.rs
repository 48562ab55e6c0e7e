//! Reading and writing games of four-player chess as PGN4.

use fourfold_four_player::pgn4::{Game, GameResult, IllegalPly, Pgn4Error, Reader};

use super::{FourPlayerTable, Step};
use crate::ReadError;

/// The tag for why the game ended. It is removed when the end of the line is.
const TERMINATION: &str = "Termination";

/// Tags whose values are derived from the game.
pub(super) const DERIVED: [&str; 5] = ["Result", TERMINATION, "StartFen4", "Variant", "Rules"];

impl FourPlayerTable {
    /// Reads the games of a PGN4 file, each with all its steps in effect. An error contains its
    /// line and column, and does not keep the next game from being read.
    ///
    /// ```
    /// use fourfold_table::{FourPlayerTable, Table};
    ///
    /// let pgn4 = "1. h2-h3 {solid} .. R .. g13-g12 .. m8-l8\n2. Nj1-i3";
    /// let table = FourPlayerTable::read(pgn4).next().expect("a game")?;
    /// assert_eq!((table.ply(), table.scene().out.len()), (4, 1));
    /// assert_eq!(table.record().line.moves[0].comments, ["solid"]);
    /// # Ok::<(), fourfold_table::ReadError>(())
    /// ```
    pub fn read(pgn4: &str) -> impl Iterator<Item = Result<FourPlayerTable, ReadError>> + '_ {
        Reader::new(pgn4.as_bytes()).map(|game| match game {
            // This cannot fail: the reader has already played the plies.
            Ok(game) => FourPlayerTable::from_record(game)
                .map_err(|error| ReadError::Position { reason: error.to_string() }),
            Err(Pgn4Error { line, column, kind, .. }) => {
                Err(ReadError::Game { line, column, reason: kind.to_string() })
            }
        })
    }

    fn from_record(mut record: Game) -> Result<FourPlayerTable, IllegalPly> {
        let nodes = std::mem::take(&mut record.line.moves);
        let result = std::mem::replace(&mut record.result, GameResult::Open);
        record.set_result(GameResult::Open);
        let mut table = FourPlayerTable::from_position(record.start);
        for node in nodes {
            table.take(Step::Ply(node))?;
        }
        if result != GameResult::Open && result != GameResult::of(&table.current()) {
            table.take(Step::Recorded(result))?;
        }
        table.record = record;
        Ok(table)
    }

    /// Returns the game as a PGN4 record: the steps in effect with their comments, annotations and
    /// variations.
    pub fn record(&self) -> Game {
        let mut record = self.record.clone();
        let plies = self.steps[..self.at].iter().filter_map(|step| match step {
            Step::Ply(node) => Some(node.clone()),
            Step::Recorded(_) => None,
        });
        record.line.moves = plies.collect();
        if self.at < self.steps.len() {
            record.tags.retain(|(name, _)| name != TERMINATION);
        }
        record.set_result(self.recorded().unwrap_or_else(|| GameResult::of(&self.current())));
        record
    }

    /// Returns the result of the file, if it is in effect and does not follow from the moves.
    pub(super) fn recorded(&self) -> Option<GameResult> {
        match self.steps[..self.at].last() {
            Some(&Step::Recorded(result)) => Some(result),
            Some(Step::Ply(_)) | None => None,
        }
    }

    pub(super) fn forget_termination(&mut self) {
        self.record.tags.retain(|(name, _)| name != TERMINATION);
    }
}
