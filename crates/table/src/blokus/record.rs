//! Blokus as files keep it.

use fourfold_blokus::sgf::{self, Game, Leave, SgfError, Why};

use super::{BlokusTable, State, Step, seat};
use crate::files::tag_value;
use crate::{ReadError, Seat, Table, TagError};

/// What the file says of the result.
const RESULT: &str = "RE";

/// Properties whose values follow from the game.
const DERIVED: [&str; 9] = ["GM", "START", RESULT, "1", "2", "3", "4", "B", "W"];

/// What the format calls two players.
const TWO: [&str; 2] = ["B", "W"];

impl BlokusTable {
    /// A game from a file, at its end.
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
    /// If there is no game of Blokus in the text, or a move in it cannot be played; its number and
    /// the reason are told.
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

    /// Takes a step of a file.
    fn follow(&mut self, step: sgf::Step) -> Result<(), ReadError> {
        match step {
            sgf::Step::Place(placement) => {
                if self.outcome().is_some() {
                    return Err(self.wrong("the game is over"));
                }
                let taken = self.take(Step::Place(placement));
                taken.map_err(|refusal| self.wrong(&refusal.to_string()))
            }
            // What players share is gone with the first of them.
            sgf::Step::Leave(Leave { color, why, .. }) => match self.variant().owner(color) {
                Some(owner) => self.go(seat(owner), why),
                None => Ok(()),
            },
        }
    }

    /// Lets a seat leave that is still there, as long as the game goes on.
    fn go(&mut self, seat: Seat, why: Why) -> Result<(), ReadError> {
        if self.outcome().is_some() || self.state().has_left(seat) {
            return Ok(());
        }
        self.leave(seat, why).map_err(|error| self.wrong(&error.to_string()))
    }

    fn wrong(&self, reason: &str) -> ReadError {
        ReadError::Record { reason: format!("move {}: {reason}", self.ply() + 1) }
    }

    /// Ends a game that goes on as its file says: `0` is a draw, `B+R` a resignation of White.
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
            "R" | "Resign" => Why::Resigned,
            "T" | "Time" => Why::OutOfTime,
            _ => return Ok(()),
        };
        match winner {
            Some(winner) if self.variant().players() == 2 => self.go(seat(1 - winner), why),
            _ => Ok(()),
        }
    }

    /// The game as a file keeps it: the steps in effect.
    pub fn record(&self) -> Game {
        let mut record = Game::new(*self.states[0].standing.position());
        record.tags = self.tags.clone();
        for (state, &step) in self.states.iter().zip(&self.steps[..self.at]) {
            match step {
                Step::Place(placement) => record.placements.push(placement),
                Step::Leave(seat, why) => {
                    let after = record.placements.len();
                    let colors = state.colors_of(seat);
                    let gone = colors.filter(|&color| !state.standing.has_left(color));
                    record.leaves.extend(gone.map(|color| Leave { after, color, why }));
                }
                Step::Draw => {}
            }
        }
        record.tags.extend(self.result().map(|result| (RESULT.to_owned(), result)));
        record
    }

    /// What the file says of the result: a draw, or how one of two has won.
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
            Some((_, Why::Resigned)) => format!("{winner}+R"),
            Some((_, Why::OutOfTime)) => format!("{winner}+T"),
            None => format!("{winner}+{}", first.abs_diff(second)),
        })
    }

    /// Says something about the game, for its file. A seat's name stands for the property with the
    /// name of its player.
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
