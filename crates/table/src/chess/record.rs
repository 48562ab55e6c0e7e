//! Reading and writing games of chess as PGN.

use fourfold_chess::pgn::{Game, GameResult, Reader};

use super::end::{self, End};
use super::{ChessState, ChessTable, Step};
use crate::ReadError;
use crate::game_table::State;

impl ChessTable {
    /// Reads the games of a PGN file, each with all its moves in effect. A game of which something
    /// could not be read is an error, which contains its line and column, and does not keep the next
    /// game from being read. [`ChessTable::read_lenient`] keeps the moves before the error.
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
        ChessTable::read_lenient(pgn).map(|game| match game? {
            (_, problems) if !problems.is_empty() => Err(problems[0].clone()),
            (table, _) => Ok(table),
        })
    }

    /// Reads the games of a PGN file, each with what could not be read of it. Only a game whose start
    /// is unknown is an error.
    ///
    /// ```
    /// use fourfold_table::{ChessTable, Table};
    ///
    /// let (table, problems) =
    ///     ChessTable::read_lenient("1. e4 e5 2. Ke3 Nc6 1-0").next().expect("a game")?;
    /// assert_eq!(table.ply(), 2);
    /// assert!(problems[0].to_string().starts_with("line 1, column 13: 'Ke3' is not legal"));
    /// # Ok::<(), fourfold_table::ReadError>(())
    /// ```
    pub fn read_lenient(
        pgn: &str,
    ) -> impl Iterator<Item = Result<(ChessTable, Vec<ReadError>), ReadError>> + '_ {
        let mut reader = Reader::new(pgn.as_bytes());
        std::iter::from_fn(move || {
            let game = reader.next()?;
            let problems = reader.take_problems().into_iter().map(ReadError::from).collect();
            Some(match game {
                Ok(game) => Ok((ChessTable::from_record(game), problems)),
                Err(error) => Err(error.into()),
            })
        })
    }

    /// Creates a table from a game of the PGN reader, whose moves are legal or null moves.
    pub(crate) fn from_record(mut record: Game) -> ChessTable {
        let nodes = std::mem::take(&mut record.line.moves);
        let result = record.result;
        record.set_result(GameResult::Open);
        let mut table = ChessTable::from_position(record.start);
        nodes.into_iter().for_each(|node| table.push(Step::Move(node)));
        if result != GameResult::Open && table.result() != result {
            let end = End::from_record(result, record.tag(ChessState::END_TAG));
            table.push(Step::End(end));
        }
        table.record = record;
        if table.state().end.as_ref().is_some_and(|end| end.termination.is_some()) {
            table.forget_end();
        }
        table
    }

    /// Returns the game as a PGN record: the moves in effect with their comments, annotations and
    /// variations.
    pub fn record(&self) -> Game {
        let mut record = self.record.clone();
        for step in self.steps() {
            if let Step::Move(node) = step {
                record.line.moves.push(node.clone());
            }
        }
        if !self.is_at_end() {
            record.tags.retain(|(name, _)| name != ChessState::END_TAG);
        }
        if let Some(End { termination: Some(text), .. }) = &self.state().end {
            record.set_tag(ChessState::END_TAG, text);
        }
        record.set_result(self.result());
        record
    }

    /// Returns the result of the game in its current state.
    fn result(&self) -> GameResult {
        let ChessState { end, ending, .. } = self.state();
        let result = end.as_ref().map(|end| end.result).or_else(|| ending.map(end::result));
        result.unwrap_or(GameResult::Open)
    }
}
