//! The [`Table`] for Blokus.

mod end;
mod record;
mod view;

use fourfold_blokus::sgf::WithdrawalReason;
use fourfold_blokus::{GameState, Placement, Position, Refusal, Variant};

use crate::table::{check_declaration, check_turn};
use crate::{
    Choice, Declaration, DeclareError, HistoryError, Outcome, PlayError, Played, ReadError, Scene,
    Seat, Table, TagError, quote_short,
};

/// The id of Blokus for four players, also used for boards of other sizes.
pub(crate) const CLASSIC: &str = "blokus";
/// The id of Blokus for two players with two colors each.
pub(crate) const CLASSIC_2: &str = "blokus-2";
/// The id of Blokus for three players, who share the fourth color.
pub(crate) const CLASSIC_3: &str = "blokus-3";
/// The id of Blokus Duo, for two players on the small board.
pub(crate) const DUO: &str = "blokus-duo";

/// The file extension.
pub(crate) const EXTENSION: &str = "blksgf";

/// The seat names for four players.
pub(crate) const FOUR: [&str; 4] = ["blue", "yellow", "red", "green"];
/// The seat names for three players, who share green.
pub(crate) const THREE: [&str; 3] = ["blue", "yellow", "red"];
/// The seat names for two players with two colors each.
pub(crate) const PAIRS: [&str; 2] = ["blue-red", "yellow-green"];
/// The seat names for two players with one color each.
pub(crate) const TWO: [&str; 2] = ["purple", "orange"];

fn seat(player: usize) -> Seat {
    Seat::new(player as u8)
}

/// A game of Blokus. A move is a placement, written as its cells, with or without the name of the
/// piece before them.
///
/// ```
/// use fourfold_blokus::Variant;
/// use fourfold_table::{BlokusTable, Table};
///
/// let mut table = BlokusTable::new(Variant::DUO);
/// table.play("e10,e9,f9")?;
/// assert_eq!(table.played()[0].text, "V3 e9,f9,e10");
/// assert_eq!(table.scene().scores, [-86, -89]);
/// assert_eq!(table.play("a1").unwrap_err().to_string(),
///     "the first piece must cover the start square j5");
/// # Ok::<(), fourfold_table::PlayError>(())
/// ```
///
/// # Endings
/// When nobody can place a piece anymore, the player with the most points wins. A player who
/// resigns or runs out of time cannot win; the others play on until only one is left. The color
/// that three players share is not played anymore once one of them has withdrawn.
///
/// # Steps
/// Withdrawals and agreed draws are steps of the line, just like moves.
///
/// # Files
/// The format is Blokus SGF. A withdrawal is written as a pass with a comment, and `RE` holds the
/// result of a game for two.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlokusTable {
    /// The tags of the file that are not derived from the game.
    tags: Vec<(String, String)>,
    /// The whole line, undone steps included.
    steps: Vec<Step>,
    /// The state before the first step and after each step: one more than steps.
    states: Vec<State>,
    /// The placements of the whole line as text.
    moves: Vec<Played>,
    /// How many steps are in effect.
    at: usize,
}

/// A step from one state to the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Place(Placement),
    Leave(Seat, WithdrawalReason),
    Draw,
}

impl Step {
    fn as_placement(self) -> Option<Placement> {
        match self {
            Step::Place(placement) => Some(placement),
            Step::Leave(..) | Step::Draw => None,
        }
    }
}

/// The state of the game between two steps.
#[derive(Clone, PartialEq, Eq, Debug)]
struct State {
    standing: GameState,
    /// The seats that have withdrawn, in order.
    left: Vec<(Seat, WithdrawalReason)>,
    drawn: bool,
}

impl State {
    fn variant(&self) -> Variant {
        self.standing.position().variant()
    }

    fn has_left(&self, seat: Seat) -> bool {
        self.left.iter().any(|&(other, _)| other == seat)
    }

    /// Returns the colors that are withdrawn with a seat: its own and the shared one.
    fn colors_of(&self, leaving: Seat) -> impl Iterator<Item = usize> + use<> {
        let variant = self.variant();
        (0..variant.colors())
            .filter(move |&color| variant.owner(color).is_none_or(|owner| seat(owner) == leaving))
    }

    /// Returns the seats that have not withdrawn.
    fn staying(&self) -> Vec<Seat> {
        let seats = (0..self.variant().players()).map(seat);
        seats.filter(|&seat| !self.has_left(seat)).collect()
    }
}

impl BlokusTable {
    /// Creates a game at the start.
    pub fn new(variant: Variant) -> BlokusTable {
        BlokusTable::from_position(Position::start(variant))
    }

    /// Creates a game at the start from the name of its variant, such as `classic`, `duo` or
    /// `four-10`.
    ///
    /// ```
    /// use fourfold_table::BlokusTable;
    /// assert_eq!(BlokusTable::named("duo")?.perft(1), 414);
    /// assert!(BlokusTable::named("duet").unwrap_err().to_string().contains("'duet': expected classic, "));
    /// # Ok::<(), fourfold_table::ReadError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if there is no such variant.
    pub fn named(variant: &str) -> Result<BlokusTable, ReadError> {
        let known = "classic, classic-2, classic-3, duo, four-N or two-N with N from 1 to 22";
        let reason = || format!("unknown variant '{}': expected {known}", quote_short(variant));
        let found = Variant::from_name(variant);
        Ok(BlokusTable::new(found.ok_or_else(|| ReadError::Position { reason: reason() })?))
    }

    /// Returns the number of sequences of exactly `depth` placements from the current position,
    /// ignoring withdrawals.
    pub fn perft(&self, depth: u32) -> u64 {
        fourfold_blokus::perft(self.current(), depth)
    }

    /// Creates a game that starts from any position.
    pub fn from_position(start: Position) -> BlokusTable {
        let standing = GameState::new(start);
        BlokusTable {
            tags: Vec::new(),
            steps: Vec::new(),
            states: vec![State { standing, left: Vec::new(), drawn: false }],
            moves: Vec::new(),
            at: 0,
        }
    }

    /// Returns the current position. It does not record which players have withdrawn.
    pub fn current(&self) -> &Position {
        self.state().standing.position()
    }

    /// Returns the variant that is played.
    pub fn variant(&self) -> Variant {
        self.current().variant()
    }

    /// Returns the latest placement in effect.
    pub fn latest(&self) -> Option<Placement> {
        self.steps[..self.at].iter().rev().find_map(|step| step.as_placement())
    }

    fn state(&self) -> &State {
        &self.states[self.at]
    }

    /// Returns the number of placements in effect.
    fn ply_in_effect(&self) -> usize {
        self.steps[..self.at].iter().filter(|step| step.as_placement().is_some()).count()
    }

    /// Takes a step and discards the undone ones.
    fn take(&mut self, step: Step) -> Result<(), Refusal> {
        let mut after = self.state().clone();
        let mut written = None;
        match step {
            Step::Place(placement) => {
                written = self.written(placement);
                after.standing.play(placement)?;
            }
            Step::Leave(seat, why) => {
                after.left.push((seat, why));
                for color in self.state().colors_of(seat) {
                    after.standing.withdraw(color);
                }
            }
            Step::Draw => after.drawn = true,
        }
        self.moves.truncate(self.ply_in_effect());
        self.steps.truncate(self.at);
        self.states.truncate(self.at + 1);
        self.moves.extend(written);
        self.steps.push(step);
        self.states.push(after);
        self.at += 1;
        Ok(())
    }

    /// Returns a placement in the current position as text. Its number is that of the round, in
    /// which every color that can place has one turn.
    fn written(&self, placement: Placement) -> Option<Played> {
        let color = self.state().standing.turn()? as u8;
        let seat = seat(self.current().player_to_move()?);
        let number = match self.moves[..self.ply_in_effect()].last() {
            Some(last) => last.number + u32::from(Some(color) <= last.color),
            None => 1,
        };
        let (code, text) = view::texts(self.current(), placement);
        Some(Played { seat, number, text, code, color: Some(color) })
    }

    fn leave(&mut self, seat: Seat, why: WithdrawalReason) -> Result<(), DeclareError> {
        let name = *self.seats().get(seat.index()).unwrap_or(&"");
        if self.state().has_left(seat) {
            return Err(DeclareError::Out { seat: name });
        }
        self.take(Step::Leave(seat, why)).map_err(|_| DeclareError::Out { seat: name })
    }
}

impl Table for BlokusTable {
    fn game(&self) -> &'static str {
        match self.variant() {
            Variant::CLASSIC_2 => CLASSIC_2,
            Variant::CLASSIC_3 => CLASSIC_3,
            Variant::DUO => DUO,
            _ => CLASSIC,
        }
    }

    fn seats(&self) -> &[&'static str] {
        match (self.variant().players(), self.variant().colors()) {
            (2, 2) => &TWO,
            (2, _) => &PAIRS,
            (3, _) => &THREE,
            _ => &FOUR,
        }
    }

    fn acting(&self) -> Vec<Seat> {
        match self.outcome() {
            None => self.current().player_to_move().map(seat).into_iter().collect(),
            Some(_) => Vec::new(),
        }
    }

    fn out(&self) -> Vec<Seat> {
        let mut left: Vec<Seat> = self.state().left.iter().map(|&(seat, _)| seat).collect();
        left.sort_unstable();
        left
    }

    fn choices(&self, seat: Seat) -> Vec<Choice> {
        if self.acting().contains(&seat) { view::choices(self.current()) } else { Vec::new() }
    }

    fn play_as(&mut self, seat: Seat, text: &str) -> Result<&Played, PlayError> {
        check_turn(self, seat)?;
        let placement = view::parse(self.current(), text)?;
        let illegal = view::illegal(self.current(), text);
        self.take(Step::Place(placement)).map_err(|refusal| illegal(&refusal))?;
        Ok(&self.moves[self.moves.len() - 1])
    }

    fn refusal(&self, seat: Seat, text: &str) -> Option<PlayError> {
        check_turn(self, seat).and_then(|()| view::parse(self.current(), text)).err()
    }

    fn played(&self) -> &[Played] {
        &self.moves[..self.ply_in_effect()]
    }

    fn undone(&self) -> &[Played] {
        &self.moves[self.ply_in_effect()..]
    }

    fn undo(&mut self) -> Result<(), HistoryError> {
        self.at = self.at.checked_sub(1).ok_or(HistoryError::NothingToUndo)?;
        Ok(())
    }

    fn redo(&mut self) -> Result<(), HistoryError> {
        if self.at == self.steps.len() {
            return Err(HistoryError::NothingToRedo);
        }
        self.at += 1;
        Ok(())
    }

    fn outcome(&self) -> Option<Outcome> {
        end::outcome(self.state(), self.seats())
    }

    fn claimable(&self) -> Option<String> {
        None
    }

    fn declare(&mut self, declaration: Declaration) -> Result<(), DeclareError> {
        check_declaration(self, declaration)?;
        let nothing = DeclareError::NothingToClaim { position: self.position() };
        match declaration {
            Declaration::Resign(seat) => self.leave(seat, WithdrawalReason::Resigned),
            Declaration::Flag(seat) => self.leave(seat, WithdrawalReason::OutOfTime),
            // This cannot fail: players can agree to a draw in any position.
            Declaration::Draw => self.take(Step::Draw).map_err(|_| nothing),
            Declaration::Claim(_) => Err(nothing),
        }
    }

    fn scene(&self) -> Scene {
        view::scene(self)
    }

    fn position(&self) -> String {
        self.current().to_string()
    }

    fn start(&self) -> String {
        self.states[0].standing.position().to_string()
    }

    /// Moves cannot express a withdrawal. After one, returns the current position and no moves.
    fn situation(&self) -> (String, Vec<String>) {
        match self.state().left[..] {
            [] => (self.start(), self.played().iter().map(|played| played.code.clone()).collect()),
            [..] => (self.position(), Vec::new()),
        }
    }

    fn set(&mut self, position: &str) -> Result<(), ReadError> {
        let wrong = |reason: String| ReadError::Position { reason };
        let start = Position::parse(position).map_err(|error| wrong(error.to_string()))?;
        let (found, played) = (start.variant(), self.variant());
        if found != played {
            return Err(wrong(format!("expected a position of variant {played}, got {found}")));
        }
        *self = BlokusTable::from_position(start);
        Ok(())
    }

    fn export(&self) -> String {
        self.record().to_string()
    }

    fn import(&mut self, text: &str) -> Result<(), ReadError> {
        *self = BlokusTable::read(text)?;
        Ok(())
    }

    fn tags(&self) -> Vec<(String, String)> {
        let record = self.record();
        [vec![("GM".to_owned(), record.variant_name())], record.tags].concat()
    }

    fn set_tag(&mut self, name: &str, value: &str) -> Result<(), TagError> {
        self.put_tag(name, value)
    }

    fn fork(&self) -> Box<dyn Table> {
        Box::new(self.clone())
    }
}
