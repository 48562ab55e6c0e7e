//! Reading and writing games of four-player chess as PGN4.

use fourfold_four_player::pgn4::{Game, GameResult, Reader};

use super::{FourPlayerState, FourPlayerTable, Step};
use crate::ReadError;
use crate::game_table::State;

impl FourPlayerTable {
    /// Reads the games of a PGN4 file, each with all its steps in effect. An error contains its
    /// line and column, and does not keep the next game from being read.
    ///
    /// ```
    /// use fourfold_table::{FourPlayerTable, Table};
    ///
    /// let pgn4 = "1. h2-h3 {solid} .. R .. g13-g12 .. m8-l8\n2. Nj1-i3";
    /// let table = FourPlayerTable::read(pgn4).next().expect("a game")?;
    /// assert_eq!((table.ply(), table.scene().eliminated.len()), (4, 1));
    /// assert_eq!(table.record().line.moves[0].comments, ["solid"]);
    /// # Ok::<(), fourfold_table::ReadError>(())
    /// ```
    pub fn read(pgn4: &str) -> impl Iterator<Item = Result<FourPlayerTable, ReadError>> + '_ {
        Reader::new(pgn4.as_bytes()).map(|game| {
            // This cannot fail: the reader has already played the plies.
            FourPlayerTable::from_record(game?).map_err(ReadError::position)
        })
    }

    fn from_record(mut record: Game) -> Result<FourPlayerTable, String> {
        let nodes = std::mem::take(&mut record.line.moves);
        let result = record.result;
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
        for (_, step) in self.steps() {
            if let Step::Ply(node) = step {
                record.line.moves.push(node.clone());
            }
        }
        if !self.is_at_end() {
            record.tags.retain(|(name, _)| name != FourPlayerState::END_TAG);
        }
        let FourPlayerState { position, recorded } = self.state();
        record.set_result(recorded.unwrap_or_else(|| GameResult::of(position)));
        record
    }
}
