//! Reading and writing games of Blokus as SGF.

use fourfold_blokus::sgf::{self, Game, SgfError, Withdrawal, WithdrawalReason};

use super::{BlokusTable, State, Step, seat};
use crate::files::tag_value;
use crate::{ReadError, Seat, Table, TagError};

/// The property for the result.
const RESULT: &str = "RE";

/// Properties whose values are derived from the game.
const DERIVED: [&str; 9] = ["GM", "START", RESULT, "1", "2", "3", "4", "B", "W"];

/// The names of two players in SGF.
const TWO: [&str; 2] = ["B", "W"];

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
        let game = Game::parse(text).map_err(|error| match error {
            SgfError::NoGame => ReadError::NoGame,
            error => ReadError::Record { reason: error.to_string() },
        })?;
        let mut table = BlokusTable::from_position(game.start);
        for step in game.steps() {
            table.follow(step)?;
        }
        let result = game.tags.iter().find(|(name, _)| name == RESULT);
        if let Some((_, result)) = result {
            table.end_as(result)?;
        }
        table.tags = game.tags.into_iter().filter(|(name, _)| name != RESULT).collect();
        Ok(table)
    }

    /// Takes a step that was read from a file.
    fn follow(&mut self, step: sgf::Step) -> Result<(), ReadError> {
        match step {
            sgf::Step::Place(placement) => {
                if self.outcome().is_some() {
                    return Err(self.wrong("the game is over"));
                }
                let taken = self.take(Step::Place(placement));
                taken.map_err(|refusal| self.wrong(&refusal.to_string()))
            }
            // The shared color was already withdrawn with the first player who left.
            sgf::Step::Withdraw(Withdrawal { color, why, .. }) => match self.variant().owner(color)
            {
                Some(owner) => self.go(seat(owner), why),
                None => Ok(()),
            },
        }
    }

    /// Withdraws a seat. Does nothing if it has already withdrawn or if the game is over.
    fn go(&mut self, seat: Seat, why: WithdrawalReason) -> Result<(), ReadError> {
        if self.outcome().is_some() || self.state().has_left(seat) {
            return Ok(());
        }
        self.leave(seat, why).map_err(|error| self.wrong(&error.to_string()))
    }

    fn wrong(&self, reason: &str) -> ReadError {
        ReadError::Record { reason: format!("move {}: {reason}", self.ply() + 1) }
    }

    /// Ends a game in progress with the result of its file: `0` is a draw, `B+R` a resignation of
    /// White.
    fn end_as(&mut self, result: &str) -> Result<(), ReadError> {
        if self.outcome().is_some() {
            return Ok(());
        }
        if ["0", "Draw"].contains(&result) {
            return self.take(Step::Draw).map_err(|refusal| self.wrong(&refusal.to_string()));
        }
        let Some((winner, how)) = result.split_once('+') else { return Ok(()) };
        let winner = TWO.iter().position(|name| *name == winner);
        let why = match how {
            "R" | "Resign" => WithdrawalReason::Resigned,
            "T" | "Time" => WithdrawalReason::OutOfTime,
            _ => return Ok(()),
        };
        match winner {
            Some(winner) if self.variant().players() == 2 => self.go(seat(1 - winner), why),
            _ => Ok(()),
        }
    }

    /// Returns the game as an SGF record with the steps in effect.
    pub fn record(&self) -> Game {
        let mut record = Game::new(*self.states[0].standing.position());
        record.tags = self.tags.clone();
        for (state, &step) in self.states.iter().zip(&self.steps[..self.at]) {
            match step {
                Step::Place(placement) => record.placements.push(placement),
                Step::Leave(seat, why) => {
                    let after = record.placements.len();
                    let colors = state.colors_of(seat);
                    let gone = colors.filter(|&color| !state.standing.has_withdrawn(color));
                    record.withdrawals.extend(gone.map(|color| Withdrawal { after, color, why }));
                }
                Step::Draw => {}
            }
        }
        record.tags.extend(self.result().map(|result| (RESULT.to_owned(), result)));
        record
    }

    /// Returns the value of `RE`: a draw, or how one of two players has won. `None` if the game is
    /// in progress, or if one of more than two players has won.
    fn result(&self) -> Option<String> {
        let outcome = self.outcome()?;
        let State { standing, left, drawn } = self.state();
        if *drawn {
            return Some("0".to_owned());
        }
        let &[first, second] = &standing.position().player_scores()[..] else { return None };
        let winner = match outcome.winners[..] {
            [winner] => TWO.get(winner.index())?,
            [..] => return Some("0".to_owned()),
        };
        Some(match left.last() {
            Some((_, WithdrawalReason::Resigned)) => format!("{winner}+R"),
            Some((_, WithdrawalReason::OutOfTime)) => format!("{winner}+T"),
            None => format!("{winner}+{}", first.abs_diff(second)),
        })
    }

    /// Sets a tag of the file. The name of a seat stands for the property that holds its player's
    /// name.
    pub(super) fn put_tag(&mut self, name: &str, value: &str) -> Result<(), TagError> {
        let named = self.seats().iter().position(|seat| seat.eq_ignore_ascii_case(name));
        let name = match named {
            Some(seat) if self.variant().players() == 2 => format!("P{}", TWO[seat]),
            Some(seat) => format!("P{}", seat + 1),
            None => name.to_owned(),
        };
        let value = tag_value(&name, value, &DERIVED)?;
        if name.contains('_') {
            return Err(TagError::Malformed { name });
        }
        match self.tags.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = value,
            None => self.tags.push((name, value)),
        }
        Ok(())
    }
}
