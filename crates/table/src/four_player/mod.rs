//! The [`Table`] for four-player chess.

mod end;
mod record;
mod refusal;
mod view;

use fourfold_common::quote_short;
use fourfold_four_player::pgn4::{Game, GameResult, IllegalPly, Node, Ply};
use fourfold_four_player::{History, Mode, Move, Opening, Player, Position, Rules, Withdrawal};

use crate::files::{only, tag_value};
use crate::table::{check_declaration, check_turn};
use crate::{
    Choice, Declaration, DeclareError, Edge, HistoryError, Outcome, PlayError, Played, ReadError,
    Scene, Seat, Table, TagError,
};

/// The id of the free-for-all.
pub(crate) const FREE_FOR_ALL: &str = "four-player";

/// The id of the team game, two against two.
pub(crate) const TEAMS: &str = "four-player-teams";

/// The names of the seats, by player.
pub(crate) const SEATS: [&str; 4] =
    [Player::Red.name(), Player::Blue.name(), Player::Yellow.name(), Player::Green.name()];

/// The edges where the seats are, by player.
const EDGES: [Edge; 4] = [Edge::Bottom, Edge::Left, Edge::Top, Edge::Right];

fn seat(player: Player) -> Seat {
    Seat::new(player as u8)
}

fn player(seat: Seat) -> Option<Player> {
    Player::ALL.get(seat.index()).copied()
}

/// A game of four-player chess. The seats are Red, Blue, Yellow and Green.
///
/// ```
/// use fourfold_four_player::{Opening, Rules};
/// use fourfold_table::{Declaration, FourPlayerTable, Seat, Table};
///
/// let mut table = FourPlayerTable::new(Opening::Modern, Rules::FREE_FOR_ALL);
/// table.play("h2h4")?;
/// let (blue, yellow) = (Seat::new(1), Seat::new(2));
/// table.declare(Declaration::Resign(blue))?; // the others play on
/// assert_eq!(table.acting(), [yellow]);
/// assert_eq!((table.scene().out, table.ply()), (vec![blue], 1));
/// table.undo()?;
/// assert_eq!(table.acting(), [blue]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Endings
/// In a free-for-all, a player who is checkmated, is stalemated, resigns or runs out of time is
/// eliminated. The others play on until one is left, and by default the player with the most points
/// wins. In teams, the first of these events ends the game. Draws by repetition, quiet plies and
/// bare kings happen automatically, so there is nothing to claim.
///
/// # Steps
/// Withdrawals and agreed draws are steps of the line, just like moves. Undo takes back the latest
/// step of any kind.
///
/// # Files
/// [`Table::import`] keeps the tags and the moves with their comments, annotations and variations;
/// the start position and the rules are given by the tags. A result that does not follow from the
/// moves is kept as the last step. A new step discards `Termination` and the steps that it
/// replaces, with everything attached to them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FourPlayerTable {
    /// The start position and the tags. Its line stays empty and its result open.
    record: Game,
    /// The whole line, undone steps included.
    steps: Vec<Step>,
    /// The positions of the whole line: one more than steps.
    positions: Vec<Position>,
    /// The moves of the whole line as text.
    moves: Vec<Played>,
    /// The positions in effect.
    history: History,
    /// How many steps are in effect.
    at: usize,
}

/// A step from one position to the next.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Step {
    Ply(Node),
    /// A result from a file that does not follow from the moves. Always the last step.
    Recorded(GameResult),
}

impl Step {
    fn as_move(&self) -> Option<Move> {
        match self {
            Step::Ply(Node { ply: Ply::Move(mv), .. }) => Some(*mv),
            Step::Ply(_) | Step::Recorded(_) => None,
        }
    }
}

impl FourPlayerTable {
    /// Creates a game from an opening.
    pub fn new(opening: Opening, rules: Rules) -> FourPlayerTable {
        FourPlayerTable::from_position(Position::start(opening, rules))
    }

    /// Creates a game from the name of an opening and the words for the rules, such as `modern` and
    /// `teams`.
    ///
    /// # Errors
    /// Returns an error if there is no such opening or rule.
    pub fn named(opening: &str, rules: &str) -> Result<FourPlayerTable, ReadError> {
        let wrong = |reason: String| ReadError::Position { reason };
        let rules = Rules::parse(rules).map_err(|error| wrong(error.to_string()))?;
        let known = Opening::ALL.map(Opening::name).join(", ");
        let unknown =
            || wrong(format!("unknown setup '{}': expected one of {known}", quote_short(opening)));
        let opening = Opening::from_name(opening).ok_or_else(unknown)?;
        Ok(FourPlayerTable::new(opening, rules))
    }

    /// Returns the number of sequences of exactly `depth` plies from the current position, ignoring
    /// draw rules.
    pub fn perft(&self, depth: u32) -> u64 {
        fourfold_four_player::perft(&self.current(), depth)
    }

    /// Creates a game that starts from any position.
    pub fn from_position(start: Position) -> FourPlayerTable {
        let mut record = Game::new(start);
        record.set_result(GameResult::Open);
        FourPlayerTable {
            record,
            steps: Vec::new(),
            positions: vec![start],
            moves: Vec::new(),
            history: History::new(&start),
            at: 0,
        }
    }

    /// Returns the current position.
    pub fn current(&self) -> Position {
        self.positions[self.at]
    }

    /// Returns the rules of the game.
    pub fn rules(&self) -> Rules {
        *self.positions[0].rules()
    }

    /// Returns the latest move in effect.
    pub fn latest(&self) -> Option<Move> {
        self.steps[..self.at].iter().rev().find_map(Step::as_move)
    }

    /// Returns the moves in effect, each with the position before it.
    fn moves_in_effect(&self) -> impl Iterator<Item = (&Position, Move)> {
        let steps = self.positions.iter().zip(&self.steps[..self.at]);
        steps.filter_map(|(before, step)| Some((before, step.as_move()?)))
    }

    /// Returns the number of moves in effect.
    fn ply_in_effect(&self) -> usize {
        self.steps[..self.at].iter().filter_map(Step::as_move).count()
    }

    /// Takes a step and discards the undone ones.
    fn take(&mut self, step: Step) -> Result<(), IllegalPly> {
        let mut after = self.current();
        match &step {
            Step::Ply(node) => node.ply.play(&mut after, &mut self.history)?,
            Step::Recorded(_) => self.history.push(&after),
        }
        if self.at < self.steps.len() {
            self.moves.truncate(self.ply_in_effect());
            self.steps.truncate(self.at);
            self.positions.truncate(self.at + 1);
        }
        self.forget_termination();
        if let Some(mv) = step.as_move() {
            self.moves.push(self.written(mv));
        }
        self.steps.push(step);
        self.positions.push(after);
        self.at += 1;
        Ok(())
    }

    fn leave(&mut self, seat: Seat, how: Withdrawal) -> Result<(), DeclareError> {
        let player = player(seat).ok_or(DeclareError::NoSeat { seat, seats: SEATS.len() })?;
        let step = Step::Ply(Node::new(Ply::Withdraw(player, how)));
        self.take(step).map_err(|_| DeclareError::Out { seat: player.name() })
    }

    /// Returns a move in the current position as text. Its number is that of the round, in which
    /// every remaining player has one move.
    fn written(&self, mv: Move) -> Played {
        let before = self.current();
        let seat = seat(before.turn());
        let number = match self.moves.last() {
            Some(last) => last.number + u32::from(seat <= last.seat),
            None => 1,
        };
        let (text, code) = (before.notation(mv), mv.to_string());
        Played { seat, number, text, code, color: None }
    }
}

impl Table for FourPlayerTable {
    fn game(&self) -> &'static str {
        match self.rules().mode {
            Mode::FreeForAll => FREE_FOR_ALL,
            Mode::Teams => TEAMS,
        }
    }

    fn seats(&self) -> &[&'static str] {
        &SEATS
    }

    fn acting(&self) -> Vec<Seat> {
        match self.outcome() {
            None => vec![seat(self.current().turn())],
            Some(_) => Vec::new(),
        }
    }

    fn out(&self) -> Vec<Seat> {
        let alive = self.current().alive();
        Player::ALL.into_iter().filter(|&player| !alive.contains(player)).map(seat).collect()
    }

    fn choices(&self, seat: Seat) -> Vec<Choice> {
        if self.acting().contains(&seat) { view::choices(&self.current()) } else { Vec::new() }
    }

    fn play_as(&mut self, seat: Seat, text: &str) -> Result<&Played, PlayError> {
        check_turn(self, seat)?;
        let position = self.current();
        let mv = view::parse(&position, text)?;
        let step = Step::Ply(Node::new(Ply::Move(mv)));
        self.take(step).map_err(|_| view::illegal(&position, text))?;
        Ok(&self.moves[self.moves.len() - 1])
    }

    fn played(&self) -> &[Played] {
        &self.moves[..self.ply_in_effect()]
    }

    fn undone(&self) -> &[Played] {
        &self.moves[self.ply_in_effect()..]
    }

    fn undo(&mut self) -> Result<(), HistoryError> {
        self.at = self.at.checked_sub(1).ok_or(HistoryError::NothingToUndo)?;
        self.history.pop();
        Ok(())
    }

    fn redo(&mut self) -> Result<(), HistoryError> {
        let next = self.positions.get(self.at + 1).ok_or(HistoryError::NothingToRedo)?;
        self.history.push(next);
        self.at += 1;
        Ok(())
    }

    fn outcome(&self) -> Option<Outcome> {
        let recorded = self.recorded().map(end::recorded);
        recorded.or_else(|| end::outcome(&self.current()))
    }

    fn claimable(&self) -> Option<String> {
        None
    }

    fn declare(&mut self, declaration: Declaration) -> Result<(), DeclareError> {
        check_declaration(self, declaration)?;
        let nothing = DeclareError::NothingToClaim { position: self.position() };
        match declaration {
            Declaration::Resign(seat) => self.leave(seat, Withdrawal::Resign),
            Declaration::Flag(seat) => self.leave(seat, Withdrawal::Flag),
            Declaration::Draw => {
                // This cannot fail: players can agree to a draw in any position.
                self.take(Step::Ply(Node::new(Ply::Draw))).map_err(|_| nothing)
            }
            Declaration::Claim(_) => Err(nothing),
        }
    }

    fn scene(&self) -> Scene {
        view::scene(self)
    }

    fn position(&self) -> String {
        self.current().fen4()
    }

    fn start(&self) -> String {
        self.positions[0].fen4()
    }

    fn situation(&self) -> (String, Vec<String>) {
        let steps = &self.steps[..self.at];
        let other = steps.iter().rposition(|step| step.as_move().is_none());
        let since = other.map_or(0, |index| index + 1);
        let played = self.played();
        let moves = &played[played.len() - (self.at - since)..];
        let codes = moves.iter().map(|played| played.code.clone()).collect();
        (self.positions[since].fen4(), codes)
    }

    fn set(&mut self, position: &str) -> Result<(), ReadError> {
        let start = Position::from_fen4(position, self.rules())
            .map_err(|error| ReadError::Position { reason: error.to_string() })?;
        *self = FourPlayerTable::from_position(start);
        Ok(())
    }

    fn export(&self) -> String {
        self.record().to_string()
    }

    fn import(&mut self, text: &str) -> Result<(), ReadError> {
        *self = only(FourPlayerTable::read(text))?;
        Ok(())
    }

    fn tags(&self) -> Vec<(String, String)> {
        self.record().tags
    }

    fn set_tag(&mut self, name: &str, value: &str) -> Result<(), TagError> {
        self.record.set_tag(name, &tag_value(name, value, &record::DERIVED)?);
        Ok(())
    }

    fn fork(&self) -> Box<dyn Table> {
        Box::new(self.clone())
    }
}
