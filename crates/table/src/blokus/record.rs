//! Reading and writing games of Blokus as SGF.

use fourfold_blokus::sgf::{self, Game, SgfError, Withdrawal, WithdrawalReason};

use super::{BlokusState, BlokusTable, Step, seat};
use crate::files::only;
use crate::game_table::State;
use crate::{ReadError, Seat, Table};

/// The names of two players in SGF.
pub(super) const TWO: [&str; 2] = ["B", "W"];

impl BlokusTable {
    /// Reads a game from a file, with all its steps in effect.
    ///
    /// ```
    /// use fourfold_table::{BlokusTable, Table};
    ///
    /// let table = BlokusTable::read("(;GM[Blokus Duo];B[e10];W[j5,k5])")?;
    /// assert_eq!(table.ply(), 2);
    /// let error = BlokusTable::read("(;GM[Blokus Duo];B[e10];W[e11])").unwrap_err();
    /// assert_eq!(error.to_string(), "move 2: the first piece must cover the start square j5");
    /// # Ok::<(), fourfold_table::ReadError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the text contains no game of Blokus, or if a move in it cannot be
    /// played. The error contains the number of the move and the reason.
    pub fn read(text: &str) -> Result<BlokusTable, ReadError> {
        only(BlokusTable::read_all(text))
    }

    /// Reads the games of a file, each with all its steps in effect.
    pub fn read_all(text: &str) -> impl Iterator<Item = Result<BlokusTable, ReadError>> + '_ {
        sgf::games(text).map(|game| match game {
            Ok(game) => BlokusTable::from_record(game),
            Err(SgfError::NoGame) => Err(ReadError::NoGame),
            Err(error) => Err(ReadError::Record(error.to_string())),
        })
    }

    fn from_record(game: Game) -> Result<BlokusTable, ReadError> {
        let mut table = BlokusTable::from_position(game.start);
        for step in game.steps() {
            table.follow(step)?;
        }
        let (results, tags): (Vec<_>, Vec<_>) =
            game.tags.into_iter().partition(|(name, _)| name == BlokusState::END_TAG);
        if let Some((_, result)) = results.first() {
            table.end_as(result)?;
        }
        table.record.tags = tags;
        Ok(table)
    }

    /// Takes a step that was read from a file.
    fn follow(&mut self, step: sgf::Step) -> Result<(), ReadError> {
        match step {
            sgf::Step::Place(_) if self.outcome().is_some() => Err(self.wrong("the game is over")),
            sgf::Step::Place(placement) => self.read_step(Step::Place(placement)),
            // The shared color was already withdrawn with the first player who left.
            sgf::Step::Withdraw(Withdrawal { color, reason, .. }) => {
                match self.variant().owner(color) {
                    Some(owner) => self.withdraw(seat(owner), reason),
                    None => Ok(()),
                }
            }
        }
    }

    /// Withdraws a seat. Does nothing if it has already withdrawn or if the game is over.
    fn withdraw(&mut self, seat: Seat, reason: WithdrawalReason) -> Result<(), ReadError> {
        if self.outcome().is_some() || self.state().has_withdrawn(seat) {
            return Ok(());
        }
        self.read_step(Step::Withdraw(seat, reason))
    }

    fn read_step(&mut self, step: Step) -> Result<(), ReadError> {
        self.take(step).map_err(|reason| self.wrong(&reason))
    }

    fn wrong(&self, reason: &str) -> ReadError {
        ReadError::Record(format!("move {}: {reason}", self.ply() + 1))
    }

    /// Ends a game in progress with the result of its file: `0` is a draw, `B+R` a resignation of
    /// White.
    fn end_as(&mut self, result: &str) -> Result<(), ReadError> {
        if self.outcome().is_some() {
            return Ok(());
        }
        if ["0", "Draw"].contains(&result) {
            return self.read_step(Step::Draw);
        }
        let Some((winner, how)) = result.split_once('+') else { return Ok(()) };
        let winner = TWO.iter().position(|name| *name == winner);
        let reason = match how {
            "R" | "Resign" => WithdrawalReason::Resigned,
            "T" | "Time" => WithdrawalReason::OutOfTime,
            _ => return Ok(()),
        };
        match winner {
            Some(winner) if self.variant().players().len() == 2 => {
                self.withdraw(Seat::new(1 - winner as u8), reason)
            }
            _ => Ok(()),
        }
    }

    /// Returns the game as an SGF record with the steps in effect.
    pub fn record(&self) -> Game {
        let mut record = self.record.clone();
        for &step in self.steps() {
            match step {
                Step::Place(placement) => record.placements.push(placement),
                Step::Withdraw(seat, reason) => {
                    let after = record.placements.len();
                    for color in self.state().colors_of(seat) {
                        // The shared color is withdrawn with the first player who leaves.
                        if record.withdrawals.iter().all(|before| before.color != color) {
                            record.withdrawals.push(Withdrawal { after, color, reason });
                        }
                    }
                }
                Step::Draw => {}
            }
        }
        let result = self.result().map(|result| (BlokusState::END_TAG.to_owned(), result));
        record.tags.extend(result);
        record
    }

    /// Returns the value of `RE`: a draw, or how one of two players has won. `None` if the game is
    /// in progress, or if one of more than two players has won.
    fn result(&self) -> Option<String> {
        let outcome = self.outcome()?;
        let BlokusState { game, withdrawn, drawn } = self.state();
        if *drawn {
            return Some("0".to_owned());
        }
        let &[first, second] = &game.position().player_scores()[..] else { return None };
        let winner = match outcome.winners[..] {
            [winner] => TWO.get(winner.index())?,
            [..] => return Some("0".to_owned()),
        };
        Some(match withdrawn.last() {
            Some((_, WithdrawalReason::Resigned)) => format!("{winner}+R"),
            Some((_, WithdrawalReason::OutOfTime)) => format!("{winner}+T"),
            None => format!("{winner}+{}", first.abs_diff(second)),
        })
    }
}
