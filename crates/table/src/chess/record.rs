//! Reading and writing games of chess as PGN.

use fourfold_chess::pgn::{Game, GameResult, PgnError, Reader};

use super::ChessTable;
use super::end::{self, End};
use crate::files::tag_value;
use crate::{ReadError, TagError};

/// The tag for why the game ended. It is removed when the end of the line is.
pub(super) const TERMINATION: &str = "Termination";

/// Tags whose values are derived from the game.
const DERIVED: [&str; 5] = ["Result", TERMINATION, "FEN", "SetUp", "Variant"];

impl ChessTable {
    /// Reads the games of a PGN file, each with all its moves in effect. An error contains its line
    /// and column, and does not keep the next game from being read.
    ///
    /// ```
    /// use fourfold_table::{ChessTable, Table};
    ///
    /// let pgn = "1. e4 {best by test} c5 * 1. f3 e5 2. g4 Qh4# 0-1";
    /// let games = ChessTable::read(pgn).collect::<Result<Vec<_>, _>>()?;
    /// assert_eq!(games[0].record().line.moves[0].comments, ["best by test"]);
    /// assert_eq!(games[1].outcome().expect("it is over").text, "black wins by checkmate");
    /// # Ok::<(), fourfold_table::ReadError>(())
    /// ```
    pub fn read(pgn: &str) -> impl Iterator<Item = Result<ChessTable, ReadError>> + '_ {
        Reader::new(pgn.as_bytes()).map(|game| match game {
            Ok(game) => Ok(ChessTable::from_record(game)),
            Err(PgnError { line, column, kind, .. }) => {
                Err(ReadError::Game { line, column, reason: kind.to_string() })
            }
        })
    }

    /// Creates a table from a game of the PGN reader, whose moves are legal.
    fn from_record(mut record: Game) -> ChessTable {
        let nodes = std::mem::take(&mut record.line.moves);
        let result = std::mem::replace(&mut record.result, GameResult::Open);
        record.set_result(GameResult::Open);
        let mut table = ChessTable::from_position(record.start);
        table.record = record;
        nodes.into_iter().for_each(|node| table.push(node));
        let by_rule = table.history.ending(&table.current()).map(end::result);
        if result != GameResult::Open && by_rule != Some(result) {
            let end = End::from_record(result, table.record.tag(TERMINATION));
            if end.termination().is_some() {
                table.forget_termination();
            }
            table.end = Some(end);
            table.at += 1;
        }
        table
    }

    /// Returns the game as a PGN record: the moves in effect with their comments, annotations and
    /// variations.
    pub fn record(&self) -> Game {
        let mut record = self.record.clone();
        record.line.moves.truncate(self.ply_in_effect());
        if !self.is_at_end() {
            record.tags.retain(|(name, _)| name != TERMINATION);
        }
        if let Some(text) = self.end_in_effect().and_then(End::termination) {
            record.set_tag(TERMINATION, &text);
        }
        record.set_result(self.result());
        record
    }

    /// Returns the result of the game in its current state.
    fn result(&self) -> GameResult {
        let by_rule = || self.history.ending(&self.current()).map(end::result);
        let result = self.end_in_effect().map(|end| end.result).or_else(by_rule);
        result.unwrap_or(GameResult::Open)
    }

    pub(super) fn forget_termination(&mut self) {
        self.record.tags.retain(|(name, _)| name != TERMINATION);
    }

    pub(super) fn write_tag(&mut self, name: &str, value: &str) -> Result<(), TagError> {
        self.record.set_tag(name, &tag_value(name, value, &DERIVED)?);
        Ok(())
    }
}
