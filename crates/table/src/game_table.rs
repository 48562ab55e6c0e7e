//! The [`Table`] for every game: the history of steps, on top of what a game says about its state.

use std::fmt::{Debug, Display};

use fourfold_common::ensure;

use crate::files::tag_value;
use crate::{
    Choice, Declaration, DeclareError, HistoryError, Outcome, PlayError, Played, ReadError, Scene,
    Seat, Table, TagError, TurnError,
};

/// The state of a game between two steps. It decides everything except the history, which is the
/// same for every game.
pub trait State: Clone + Eq + Debug + Send + 'static {
    /// A step from one state to the next: a move or a declaration.
    type Step: Clone + Eq + Debug + Send;
    type Move: Copy;
    /// A game in the game's own file format.
    type Record: Clone + Eq + Debug + Send + Display;
    /// What the rules need of the states before the current one, such as their keys.
    type History: Clone + Eq + Debug + Send;
    /// What a table remembers about its current state, until the state changes.
    type Cache: Clone + Default + Eq + Debug + Send;

    /// Tags of the file whose values are derived from the game.
    const DERIVED: &'static [&'static str];
    /// The tag of the file that is discarded with the end of the line.
    const END_TAG: &'static str;

    fn game(&self) -> &'static str;
    fn seats(&self) -> &'static [&'static str];
    /// Returns the seat whose turn it is, even if the game is over.
    fn turn(&self) -> Option<Seat>;
    /// Returns the seats that may move now.
    fn acting(&self) -> Vec<Seat> {
        self.turn().into_iter().filter(|_| self.outcome().is_none()).collect()
    }
    fn eliminated(&self) -> Vec<Seat> {
        Vec::new()
    }
    fn outcome(&self) -> Option<Outcome>;
    /// Returns the draw that the seat to move may claim in a game in progress.
    fn claimable(&self) -> Option<String> {
        None
    }
    /// Returns the position in the game's own notation.
    fn position(&self) -> String;
    /// Returns the legal moves, in any order.
    fn choices(&self) -> Vec<Choice>;
    /// Parses a legal move.
    fn parse(&self, text: &str) -> Result<Self::Step, PlayError>;
    /// Returns the step for a declaration that is allowed now. `None` if there is nothing to claim.
    fn declared(&self, declaration: Declaration) -> Option<Self::Step>;
    /// Returns the history of a game that starts with this state.
    fn history(&self) -> Self::History;
    /// Returns the state after a step, and adds it to the history, which ends with this state. The
    /// error says why the step is not possible; the history is then unchanged.
    fn after(&self, history: &mut Self::History, step: &Self::Step) -> Result<Self, String>;
    /// Removes the latest state from a history.
    fn forget_latest(history: &mut Self::History);
    /// Returns the move that a step is. `None` for other steps.
    fn as_move(step: &Self::Step) -> Option<Self::Move>;
    /// Returns a legal move as text, given the move before it.
    fn to_played(&self, mv: Self::Move, last: Option<&Played>) -> Played;
    /// Returns the index of the first state from which moves alone lead to the current one.
    fn replayable(_: &[Self::Step]) -> usize {
        0
    }

    /// Starts a new game of the same variant.
    fn set(&self, position: &str) -> Result<GameTable<Self>, ReadError>;
    /// Reads the only game of a file.
    fn import(text: &str) -> Result<GameTable<Self>, ReadError>;
    fn record(table: &GameTable<Self>) -> Self::Record;
    /// Returns the record with a comment for each move, and with the reason for the end if the game
    /// does not have one. The same as [`State::record`] in formats without comments.
    fn annotated(table: &GameTable<Self>, _: &[String], _: &str) -> Self::Record {
        Self::record(table)
    }
    /// Returns the milliseconds left on the player's clock after a step, if it says so.
    fn clock(_: &Self::Step) -> Option<u64> {
        None
    }
    fn tags(record: &mut Self::Record) -> &mut Vec<(String, String)>;
    /// Returns a tag that is not among those of the record, but is listed before them.
    fn first_tag(_: &Self::Record) -> Option<(String, String)> {
        None
    }
    /// Returns the name of the tag that a user means.
    fn tag_name(&self, name: &str) -> Result<String, TagError> {
        Ok(name.to_owned())
    }
    /// Returns the scene of this state, given the latest move and the number of moves.
    fn scene(&self, last: Option<Self::Move>, ply: usize) -> Scene;
    /// Clears the cache, because the state has changed.
    fn forget(_: &mut Self::Cache) {}
}

/// A table for a game with this state: see [`ChessTable`](crate::ChessTable),
/// [`FourPlayerTable`](crate::FourPlayerTable) and [`BlokusTable`](crate::BlokusTable).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameTable<S: State> {
    /// The start position and the tags, without any steps.
    pub(crate) record: S::Record,
    /// The whole line, undone steps included.
    steps: Vec<S::Step>,
    /// The state before the first step, and after every [`INTERVAL`] steps. The others are replayed
    /// when they are needed, because moves are much smaller than positions.
    checkpoints: Vec<S>,
    /// The number of moves before each state.
    plies: Vec<usize>,
    /// The moves of the whole line as text.
    moves: Vec<Played>,
    current: Current<S>,
    pub(crate) cache: S::Cache,
}

/// How many steps apart the kept states are.
const INTERVAL: usize = 32;

/// A state of the line, with what is needed to continue from it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Current<S: State> {
    /// The number of steps before it.
    at: usize,
    state: S,
    history: S::History,
}

impl<S: State> Current<S> {
    /// Goes to the state after `at` of the steps.
    fn go(&mut self, at: usize, steps: &[S::Step], checkpoints: &[S]) {
        if at < self.at {
            let checkpoint = at / INTERVAL;
            (checkpoint * INTERVAL..self.at).for_each(|_| S::forget_latest(&mut self.history));
            self.state = checkpoints[checkpoint].clone();
            self.at = checkpoint * INTERVAL;
        }
        for step in &steps[self.at..at] {
            let after = self.state.after(&mut self.history, step);
            self.state = after.expect("the step was possible when it was taken");
        }
        self.at = at;
    }
}

impl<S: State> GameTable<S> {
    pub(crate) fn begin(record: S::Record, start: S) -> GameTable<S> {
        GameTable {
            record,
            steps: Vec::new(),
            plies: vec![0],
            moves: Vec::new(),
            current: Current { at: 0, history: start.history(), state: start.clone() },
            checkpoints: vec![start],
            cache: S::Cache::default(),
        }
    }

    pub(crate) fn state(&self) -> &S {
        &self.current.state
    }

    /// Returns the state after `at` steps.
    fn state_at(&self, at: usize) -> S {
        let mut current = self.current.clone();
        current.go(at, &self.steps, &self.checkpoints);
        current.state
    }

    /// Returns the steps in effect.
    pub(crate) fn steps(&self) -> &[S::Step] {
        &self.steps[..self.current.at]
    }

    /// Returns the latest move in effect.
    pub fn latest(&self) -> Option<S::Move> {
        latest_move::<S>(self.steps())
    }

    /// Returns how many steps are in effect after a jump to `ply`.
    fn steps_at(&self, ply: usize) -> Result<usize, HistoryError> {
        let last = self.moves.len();
        ensure!(ply <= last, HistoryError::NoPly { ply, last });
        Ok(self.plies.partition_point(|&before| before <= ply) - 1)
    }

    /// Returns whether no step is undone.
    pub(crate) fn is_at_end(&self) -> bool {
        self.current.at == self.steps.len()
    }

    /// Takes a step and discards the undone ones.
    pub(crate) fn take(&mut self, step: S::Step) -> Result<(), String> {
        let Current { at, state, history } = &mut self.current;
        let after = state.after(history, &step)?;
        self.moves.truncate(self.plies[*at]);
        self.steps.truncate(*at);
        self.plies.truncate(*at + 1);
        self.checkpoints.truncate(*at / INTERVAL + 1);
        if let Some(mv) = S::as_move(&step) {
            self.moves.push(state.to_played(mv, self.moves.last()));
        }
        self.steps.push(step);
        self.plies.push(self.moves.len());
        *at += 1;
        *state = after;
        if at.is_multiple_of(INTERVAL) {
            self.checkpoints.push(state.clone());
        }
        self.forget_end();
        S::forget(&mut self.cache);
        Ok(())
    }

    pub(crate) fn forget_end(&mut self) {
        S::tags(&mut self.record).retain(|(name, _)| name != S::END_TAG);
    }

    fn go(&mut self, at: usize) {
        self.current.go(at, &self.steps, &self.checkpoints);
        S::forget(&mut self.cache);
    }

    /// Returns the name of a seat, if the game is in progress and, if `moves` is set, the seat may
    /// move now.
    fn check_seat(&self, seat: Seat, moves: bool) -> Result<&'static str, TurnError> {
        let seats = self.state().seats();
        let name = seats.get(seat.index()).ok_or(TurnError::NoSeat { seat, seats: seats.len() });
        match self.outcome() {
            Some(outcome) => Err(TurnError::GameOver(outcome)),
            None if moves && !self.acting().contains(&seat) => Err(TurnError::NotActing(name?)),
            None => Ok(name?),
        }
    }

    /// Returns the step for a declaration, if it is allowed now.
    fn check_declaration(&self, declaration: Declaration) -> Result<S::Step, DeclareError> {
        // All seats agree to a draw, the first among them.
        let seat = declaration.seat().unwrap_or(Seat::new(0));
        let seat_name = self.check_seat(seat, matches!(declaration, Declaration::Claim(_)))?;
        let withdraws = matches!(declaration, Declaration::Resign(_) | Declaration::Flag(_));
        let gone = withdraws && self.eliminated().contains(&seat);
        ensure!(!gone, DeclareError::Eliminated(seat_name));
        let nothing = || DeclareError::NothingToClaim(self.position());
        self.state().declared(declaration).ok_or_else(nothing)
    }
}

impl<S: State> Table for GameTable<S> {
    fn game(&self) -> &'static str {
        self.state().game()
    }

    fn seats(&self) -> &[&'static str] {
        self.state().seats()
    }

    fn acting(&self) -> Vec<Seat> {
        self.state().acting()
    }

    fn eliminated(&self) -> Vec<Seat> {
        self.state().eliminated()
    }

    fn choices(&self, seat: Seat) -> Vec<Choice> {
        if !self.acting().contains(&seat) {
            return Vec::new();
        }
        let mut choices = self.state().choices();
        choices.sort_unstable();
        choices
    }

    fn play_as(&mut self, seat: Seat, text: &str) -> Result<&Played, PlayError> {
        self.check_seat(seat, true)?;
        let step = self.state().parse(text)?;
        let position = self.position();
        self.take(step).map_err(|reason| PlayError::Illegal {
            text: text.to_owned(),
            position,
            reason: Some(reason),
        })?;
        Ok(&self.moves[self.moves.len() - 1])
    }

    fn refusal(&self, seat: Seat, text: &str) -> Option<PlayError> {
        let checked = self.check_seat(seat, true).map_err(PlayError::from);
        checked.and_then(|_| self.state().parse(text)).err()
    }

    fn played(&self) -> &[Played] {
        &self.moves[..self.plies[self.current.at]]
    }

    fn undone(&self) -> &[Played] {
        &self.moves[self.plies[self.current.at]..]
    }

    fn undo(&mut self) -> Result<(), HistoryError> {
        self.go(self.current.at.checked_sub(1).ok_or(HistoryError::NothingToUndo)?);
        Ok(())
    }

    fn redo(&mut self) -> Result<(), HistoryError> {
        ensure!(!self.is_at_end(), HistoryError::NothingToRedo);
        self.go(self.current.at + 1);
        Ok(())
    }

    fn jump(&mut self, ply: usize) -> Result<(), HistoryError> {
        self.go(self.steps_at(ply)?);
        Ok(())
    }

    fn outcome(&self) -> Option<Outcome> {
        self.state().outcome()
    }

    fn claimable(&self) -> Option<String> {
        self.state().claimable().filter(|_| self.outcome().is_none())
    }

    fn declare(&mut self, declaration: Declaration) -> Result<(), DeclareError> {
        let step = self.check_declaration(declaration)?;
        // This cannot fail: the declaration is allowed.
        let position = self.position();
        self.take(step).map_err(|_| DeclareError::NothingToClaim(position))
    }

    fn scene(&self) -> Scene {
        self.state().scene(self.latest(), self.ply())
    }

    fn scene_at(&self, ply: usize) -> Result<Scene, HistoryError> {
        let at = self.steps_at(ply)?;
        Ok(self.state_at(at).scene(latest_move::<S>(&self.steps[..at]), ply))
    }

    fn position(&self) -> String {
        self.state().position()
    }

    fn start(&self) -> String {
        self.checkpoints[0].position()
    }

    fn situation(&self) -> (String, Vec<String>) {
        let since = S::replayable(self.steps());
        let moves = &self.played()[self.plies[since]..];
        (self.state_at(since).position(), moves.iter().map(|played| played.code.clone()).collect())
    }

    fn set(&mut self, position: &str) -> Result<(), ReadError> {
        *self = self.state().set(position)?;
        Ok(())
    }

    fn export(&self) -> String {
        S::record(self).to_string()
    }

    fn export_annotated(&self, comments: &[String], termination: &str) -> String {
        S::annotated(self, comments, termination).to_string()
    }

    fn import(&mut self, text: &str) -> Result<(), ReadError> {
        *self = S::import(text)?;
        Ok(())
    }

    fn clocks(&self) -> Vec<Option<u64>> {
        let moves = self.steps().iter().filter(|step| S::as_move(step).is_some());
        moves.map(S::clock).collect()
    }

    fn tags(&self) -> Vec<(String, String)> {
        let mut record = S::record(self);
        S::first_tag(&record).into_iter().chain(S::tags(&mut record).drain(..)).collect()
    }

    fn set_tag(&mut self, name: &str, value: &str) -> Result<(), TagError> {
        let name = self.state().tag_name(name)?;
        let value = tag_value(&name, value, S::DERIVED)?;
        let tags = S::tags(&mut self.record);
        match tags.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = value,
            None => tags.push((name, value)),
        }
        Ok(())
    }

    fn fork(&self) -> Box<dyn Table> {
        Box::new(self.clone())
    }
}

/// Returns the last move among steps.
fn latest_move<S: State>(steps: &[S::Step]) -> Option<S::Move> {
    steps.iter().rev().find_map(S::as_move)
}

#[cfg(test)]
mod tests {
    use fourfold_blokus::Variant;
    use fourfold_common::SplitMix64;
    use fourfold_four_player::{Rules, StartPosition};

    use super::*;
    use crate::{BlokusTable, ChessTable, FourPlayerTable};

    /// Returns how many bytes a table keeps per move of a random game, and the size of a state.
    fn bytes_per_move<S: State>(mut table: GameTable<S>) -> (usize, usize) {
        let mut rng = SplitMix64::new(7);
        while table.ply() < 320 && table.outcome().is_none() {
            let choices = table.choices(table.acting()[0]);
            let choice = &choices[rng.next() as usize % choices.len()];
            table.play(&choice.code).expect("legal");
        }
        let GameTable { steps, checkpoints, plies, moves, .. } = &table;
        let text = moves.iter().map(|played| played.text.capacity() + played.code.capacity());
        let history = size_of::<u64>() * steps.len();
        let bytes = size_of_val(&steps[..])
            + size_of_val(&checkpoints[..])
            + size_of_val(&plies[..])
            + size_of_val(&moves[..])
            + text.sum::<usize>()
            + history;
        assert!(moves.len() > 40, "{}", moves.len());
        assert_eq!(checkpoints.len(), steps.len() / INTERVAL + 1);
        (bytes / moves.len(), size_of::<S>())
    }

    #[test]
    fn a_move_needs_much_less_memory_than_a_position() {
        let start = FourPlayerTable::new(StartPosition::Modern, Rules::FREE_FOR_ALL);
        let (four_player, state) = bytes_per_move(start);
        assert!(state > 900 && four_player < 300, "{four_player} of {state}");
        let (blokus, state) = bytes_per_move(BlokusTable::new(Variant::CLASSIC));
        assert!(state > 700 && blokus < 300, "{blokus} of {state}");
        let (chess, state) = bytes_per_move(ChessTable::new());
        assert!(chess < 300, "{chess} of {state}");
    }
}
