//! Reading and writing games of four-player chess as PGN4.

use fourfold_four_player::pgn4::{Game, GameError, GameResult, Pgn4Error, Pgn4ErrorKind, Reader};

use super::{FourPlayerState, FourPlayerTable, Step};
use crate::ReadError;
use crate::game_table::State;

impl FourPlayerTable {
    /// Reads the games of a PGN4 file, each with all its steps in effect. A game of which something
    /// could not be read is an error, which contains its line and column, and does not keep the next
    /// game from being read. [`FourPlayerTable::read_lenient`] keeps the moves before the error.
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
        let mut reader = Reader::new(pgn4.as_bytes());
        std::iter::from_fn(move || {
            let game = reader.next()?;
            // Nothing is lost if only the start position had to be found.
            let is_error = |error: &Pgn4Error| {
                !matches!(error.kind, Pgn4ErrorKind::Game(GameError::AssumedStart { .. }))
            };
            let error = reader.take_problems().into_iter().find(is_error);
            Some(match (game, error) {
                (Ok(game), None) => FourPlayerTable::of(game),
                (Err(error), _) | (_, Some(error)) => Err(error.into()),
            })
        })
    }

    /// Reads the games of a PGN4 file, each with what could not be read of it. Only a game whose
    /// start is unknown is an error.
    ///
    /// ```
    /// use fourfold_table::{FourPlayerTable, Table};
    ///
    /// let pgn4 = "1. h2-h3 .. b7-b9 .. g13-g12";
    /// let (table, problems) = FourPlayerTable::read_lenient(pgn4).next().expect("a game")?;
    /// assert_eq!(table.ply(), 1);
    /// assert_eq!(problems[0].to_string(), "line 1, column 13: 'b7-b9' is not legal here");
    /// # Ok::<(), fourfold_table::ReadError>(())
    /// ```
    pub fn read_lenient(
        pgn4: &str,
    ) -> impl Iterator<Item = Result<(FourPlayerTable, Vec<ReadError>), ReadError>> + '_ {
        let mut reader = Reader::new(pgn4.as_bytes());
        std::iter::from_fn(move || {
            let game = reader.next()?;
            let problems = reader.take_problems().into_iter().map(ReadError::from).collect();
            Some(match game {
                Ok(game) => FourPlayerTable::of(game).map(|table| (table, problems)),
                Err(error) => Err(error.into()),
            })
        })
    }

    /// Creates a table from a game of the PGN4 reader, which has already played the plies.
    fn of(record: Game) -> Result<FourPlayerTable, ReadError> {
        FourPlayerTable::from_record(record).map_err(ReadError::position)
    }

    pub(crate) fn from_record(mut record: Game) -> Result<FourPlayerTable, String> {
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
        for step in self.steps() {
            if let Step::Ply(node) = step {
                record.line.moves.push(node.clone());
            }
        }
        if !self.is_at_end() {
            record.tags.retain(|(name, _)| name != FourPlayerState::END_TAG);
        }
        let FourPlayerState { position, recorded, .. } = self.state();
        record.set_result(recorded.unwrap_or_else(|| GameResult::of(position)));
        record
    }
}
