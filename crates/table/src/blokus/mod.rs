//! Blokus: the rules as a table needs them.

mod end;
mod record;
mod view;

use fourfold_blokus::sgf::{Game, WithdrawalReason};
use fourfold_blokus::{Color, GameState, Placement, Player, Position, Variant};
use fourfold_common::ensure;

use crate::game_table::State;
use crate::{
    Choice, Declaration, GameTable, Outcome, PlayError, Played, ReadError, Scene, Seat, TagError,
    quote_short,
};

/// The id of Blokus for four players, also used for boards of other sizes.
pub(crate) const CLASSIC: &str = "blokus";
/// The id of Blokus for two players with two colors each.
pub(crate) const CLASSIC_2: &str = "blokus-2";
/// The id of Blokus for three players, who share the fourth color.
pub(crate) const CLASSIC_3: &str = "blokus-3";
/// The id of Blokus Duo, for two players on the small board.
pub(crate) const DUO: &str = "blokus-duo";

/// The seat names for four players.
pub(crate) const FOUR: [&str; 4] = ["blue", "yellow", "red", "green"];
/// The seat names for three players, who share green.
pub(crate) const THREE: [&str; 3] = ["blue", "yellow", "red"];
/// The seat names for two players with two colors each.
pub(crate) const PAIRS: [&str; 2] = ["blue-red", "yellow-green"];
/// The seat names for two players with one color each.
pub(crate) const TWO: [&str; 2] = ["purple", "orange"];

fn seat(player: Player) -> Seat {
    Seat::new(player.index() as u8)
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
pub type BlokusTable = GameTable<BlokusState>;

/// The state of the game between two steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlokusState {
    game: GameState,
    /// The seats that have withdrawn, in order.
    withdrawn: Vec<(Seat, WithdrawalReason)>,
    drawn: bool,
}

/// A step from one state to the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    Place(Placement),
    Withdraw(Seat, WithdrawalReason),
    Draw,
}

impl BlokusState {
    fn variant(&self) -> Variant {
        self.game.position().variant()
    }

    fn has_withdrawn(&self, seat: Seat) -> bool {
        self.withdrawn.iter().any(|&(other, _)| other == seat)
    }

    /// Returns the colors that are withdrawn with a seat: its own and the shared one.
    fn colors_of(&self, leaving: Seat) -> impl Iterator<Item = Color> + use<> {
        let variant = self.variant();
        variant
            .colors()
            .filter(move |&color| variant.owner(color).is_none_or(|owner| seat(owner) == leaving))
    }

    /// Returns the seats that have not withdrawn.
    fn remaining(&self) -> Vec<Seat> {
        let seats = self.variant().players().map(seat);
        seats.filter(|&seat| !self.has_withdrawn(seat)).collect()
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
        let found = Variant::from_name(variant).map(BlokusTable::new);
        found.ok_or_else(|| ReadError::position(reason()))
    }

    /// Returns the number of sequences of exactly `depth` placements from the current position,
    /// ignoring withdrawals.
    pub fn perft(&self, depth: u32) -> u64 {
        fourfold_blokus::perft(self.current(), depth)
    }

    /// Returns the same number, or `None` if `stop` returns true meanwhile.
    pub fn perft_with_stop(&self, depth: u32, stop: &dyn Fn() -> bool) -> Option<u64> {
        fourfold_blokus::perft_with_stop(self.current(), depth, stop)
    }

    /// Creates a game that starts from any position.
    pub fn from_position(start: Position) -> BlokusTable {
        let game = GameState::new(start);
        let state = BlokusState { game, withdrawn: Vec::new(), drawn: false };
        GameTable::begin(Game::new(start), state)
    }

    /// Returns the current position. It does not record which players have withdrawn.
    pub fn current(&self) -> &Position {
        self.state().game.position()
    }

    /// Returns the variant that is played.
    pub fn variant(&self) -> Variant {
        self.state().variant()
    }
}

impl State for BlokusState {
    type Step = Step;
    type Move = Placement;
    type Record = Game;
    type History = ();
    type Cache = ();

    const DERIVED: &'static [&'static str] =
        &["GM", "START", Self::END_TAG, "1", "2", "3", "4", "B", "W"];
    const END_TAG: &'static str = "RE";

    fn game(&self) -> &'static str {
        match self.variant() {
            Variant::CLASSIC_2 => CLASSIC_2,
            Variant::CLASSIC_3 => CLASSIC_3,
            Variant::DUO => DUO,
            _ => CLASSIC,
        }
    }

    fn seats(&self) -> &'static [&'static str] {
        match (self.variant().players().len(), self.variant().colors().len()) {
            (2, 2) => &TWO,
            (2, _) => &PAIRS,
            (3, _) => &THREE,
            _ => &FOUR,
        }
    }

    fn turn(&self) -> Option<Seat> {
        self.game.position().player_to_move().map(seat)
    }

    fn eliminated(&self) -> Vec<Seat> {
        let mut seats: Vec<Seat> = self.withdrawn.iter().map(|&(seat, _)| seat).collect();
        seats.sort_unstable();
        seats
    }

    fn outcome(&self) -> Option<Outcome> {
        end::outcome(self)
    }

    fn position(&self) -> String {
        self.game.position().to_string()
    }

    fn choices(&self) -> Vec<Choice> {
        let position = self.game.position();
        position.legal_moves().iter().map(|&placement| view::choice(position, placement)).collect()
    }

    fn parse(&self, text: &str) -> Result<Step, PlayError> {
        view::parse(self.game.position(), text).map(Step::Place)
    }

    fn declared(&self, declaration: Declaration) -> Option<Step> {
        match declaration {
            Declaration::Resign(seat) => Some(Step::Withdraw(seat, WithdrawalReason::Resigned)),
            Declaration::Flag(seat) => Some(Step::Withdraw(seat, WithdrawalReason::OutOfTime)),
            Declaration::Draw => Some(Step::Draw),
            Declaration::Claim(_) => None,
        }
    }

    fn history(&self) {}

    fn after(&self, (): &mut (), step: &Step) -> Result<BlokusState, String> {
        let mut after = self.clone();
        match *step {
            Step::Place(placement) => {
                after.game.play(placement).map_err(|refusal| refusal.to_string())?;
            }
            Step::Withdraw(seat, why) => {
                after.withdrawn.push((seat, why));
                for color in after.colors_of(seat) {
                    after.game.withdraw(color);
                }
            }
            Step::Draw => after.drawn = true,
        }
        Ok(after)
    }

    fn forget_latest((): &mut ()) {}

    fn as_move(step: &Step) -> Option<Placement> {
        if let Step::Place(placement) = *step { Some(placement) } else { None }
    }

    /// Returns a placement as text. Its number is that of the round, in which every color that can
    /// place has one turn.
    fn to_played(&self, placement: Placement, last: Option<&Played>) -> Played {
        let color = self.game.turn().map(|color| color.index() as u8);
        let seat = self.turn().expect("a placement is legal only on a player's turn");
        let number = last.map_or(1, |last| last.number + u32::from(color <= last.color));
        let (code, text) = view::texts(self.game.position(), placement);
        Played { seat, number, text, code, color }
    }

    /// Positions cannot express a withdrawal, so after one only the current position is right.
    fn replayable(steps: &[Step]) -> usize {
        let withdrawn = steps.iter().any(|step| matches!(step, Step::Withdraw(..)));
        if withdrawn { steps.len() } else { 0 }
    }

    fn set(&self, position: &str) -> Result<BlokusTable, ReadError> {
        let start = Position::parse(position).map_err(ReadError::position)?;
        let (found, played) = (start.variant(), self.variant());
        let reason = || format!("expected a position of variant {played}, got {found}");
        ensure!(found == played, ReadError::position(reason()));
        Ok(BlokusTable::from_position(start))
    }

    fn import(text: &str) -> Result<BlokusTable, ReadError> {
        BlokusTable::read(text)
    }

    fn record(table: &BlokusTable) -> Game {
        table.record()
    }

    fn tags(record: &mut Game) -> &mut Vec<(String, String)> {
        &mut record.tags
    }

    fn first_tag(record: &Game) -> Option<(String, String)> {
        Some(("GM".to_owned(), record.variant_name()))
    }

    /// The name of a seat stands for the property that holds its player's name.
    fn tag_name(&self, name: &str) -> Result<String, TagError> {
        match self.seats().iter().position(|seat| seat.eq_ignore_ascii_case(name)) {
            Some(seat) if self.variant().players().len() == 2 => {
                Ok(format!("P{}", record::TWO[seat]))
            }
            Some(seat) => Ok(format!("P{}", seat + 1)),
            None if name.contains('_') => Err(TagError::Malformed(name.to_owned())),
            None => Ok(name.to_owned()),
        }
    }

    fn scene(&self, last: Option<Placement>, ply: usize) -> Scene {
        view::scene(self, last, ply)
    }
}
