//! Four-player chess: the rules as a table needs them.

mod end;
mod record;
mod refusal;
mod view;

use fourfold_common::quote_short;
use fourfold_four_player::pgn4::{Game, GameResult, Node, Ply};
use fourfold_four_player::{
    History, Mode, Move, Player, Position, Rules, StartPosition, WithdrawalReason,
};

use crate::files::only;
use crate::game_table::State;
use crate::{
    Choice, Declaration, Edge, GameTable, Outcome, PlayError, Played, ReadError, Scene, Seat,
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

/// Returns the id of the game that a position belongs to.
pub(crate) const fn id(position: &Position) -> &'static str {
    match position.rules().mode {
        Mode::FreeForAll => FREE_FOR_ALL,
        Mode::Teams => TEAMS,
    }
}

fn seat(player: Player) -> Seat {
    Seat::new(player as u8)
}

fn player(seat: Seat) -> Option<Player> {
    Player::ALL.get(seat.index()).copied()
}

/// A game of four-player chess. The seats are Red, Blue, Yellow and Green.
///
/// ```
/// use fourfold_four_player::{StartPosition, Rules};
/// use fourfold_table::{Declaration, FourPlayerTable, Seat, Table};
///
/// let mut table = FourPlayerTable::new(StartPosition::Modern, Rules::FREE_FOR_ALL);
/// table.play("h2h4")?;
/// let (blue, yellow) = (Seat::new(1), Seat::new(2));
/// table.declare(Declaration::Resign(blue))?; // the others play on
/// assert_eq!(table.acting(), [yellow]);
/// assert_eq!((table.scene().eliminated, table.ply()), (vec![blue], 1));
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
/// [`Table::import`](crate::Table::import) keeps the tags and the moves with their comments, annotations and variations;
/// the start position and the rules are given by the tags. A result that does not follow from the
/// moves is kept as the last step. A new step discards `Termination` and the steps that it
/// replaces, with everything attached to them.
pub type FourPlayerTable = GameTable<FourPlayerState>;

/// A position, or the end of a game as its file gives it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FourPlayerState {
    position: Position,
    /// The result of the file, if it does not follow from the moves.
    recorded: Option<GameResult>,
    captured: view::Captured,
}

/// A step from one state to the next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    Ply(Node),
    /// A result from a file that does not follow from the moves. Always the last step.
    Recorded(GameResult),
}

impl FourPlayerTable {
    /// Creates a game from an opening.
    pub fn new(opening: StartPosition, rules: Rules) -> FourPlayerTable {
        FourPlayerTable::from_position(Position::start(opening, rules))
    }

    /// Creates a game from the name of an opening and the words for the rules, such as `modern` and
    /// `teams`.
    ///
    /// # Errors
    /// Returns an error if there is no such opening or rule.
    pub fn named(opening: &str, rules: &str) -> Result<FourPlayerTable, ReadError> {
        let rules = Rules::parse(rules).map_err(ReadError::position)?;
        let known = StartPosition::ALL.map(StartPosition::name).join(", ");
        let unknown = || {
            let opening = quote_short(opening);
            ReadError::position(format!("unknown setup '{opening}': expected one of {known}"))
        };
        let opening = StartPosition::from_name(opening).ok_or_else(unknown)?;
        Ok(FourPlayerTable::new(opening, rules))
    }

    /// Returns the number of sequences of exactly `depth` plies from the current position, ignoring
    /// draw rules.
    pub fn perft(&self, depth: u32) -> u64 {
        fourfold_four_player::perft(&self.current(), depth)
    }

    /// Returns the same number, or `None` if `stop` returns true meanwhile.
    pub fn perft_with_stop(&self, depth: u32, stop: &dyn Fn() -> bool) -> Option<u64> {
        fourfold_four_player::perft_with_stop(&self.current(), depth, stop)
    }

    /// Creates a game that starts from any position.
    pub fn from_position(position: Position) -> FourPlayerTable {
        let mut record = Game::new(position);
        record.set_result(GameResult::Open);
        let state = FourPlayerState { position, recorded: None, captured: Default::default() };
        GameTable::begin(record, state)
    }

    /// Returns the current position.
    pub fn current(&self) -> Position {
        self.state().position
    }

    /// Returns the rules of the game.
    pub fn rules(&self) -> Rules {
        self.state().position.rules()
    }
}

impl State for FourPlayerState {
    type Step = Step;
    type Move = Move;
    type Record = Game;
    type History = History;
    type Cache = ();

    const DERIVED: &'static [&'static str] =
        &["Result", Self::END_TAG, "StartFen4", "Variant", "Rules"];
    const END_TAG: &'static str = "Termination";

    fn game(&self) -> &'static str {
        id(&self.position)
    }

    fn seats(&self) -> &'static [&'static str] {
        &SEATS
    }

    fn turn(&self) -> Option<Seat> {
        Some(seat(self.position.turn()))
    }

    fn eliminated(&self) -> Vec<Seat> {
        let alive = self.position.alive();
        Player::ALL.into_iter().filter(|&player| !alive.contains(player)).map(seat).collect()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.recorded.map(end::recorded).or_else(|| end::outcome(&self.position))
    }

    fn position(&self) -> String {
        self.position.fen4()
    }

    fn choices(&self) -> Vec<Choice> {
        self.position.legal_moves().iter().map(|&mv| view::choice(&self.position, mv)).collect()
    }

    fn parse(&self, text: &str) -> Result<Step, PlayError> {
        Ok(Step::Ply(Node::new(Ply::Move(view::parse(&self.position, text)?))))
    }

    fn declared(&self, declaration: Declaration) -> Option<Step> {
        let ply = match declaration {
            Declaration::Resign(seat) => Ply::Withdraw(player(seat)?, WithdrawalReason::Resign),
            Declaration::Flag(seat) => Ply::Withdraw(player(seat)?, WithdrawalReason::Flag),
            Declaration::Draw => Ply::Draw,
            Declaration::Claim(_) => return None,
        };
        Some(Step::Ply(Node::new(ply)))
    }

    fn history(&self) -> History {
        History::new(&self.position)
    }

    fn after(&self, history: &mut History, step: &Step) -> Result<FourPlayerState, String> {
        let mut after = FourPlayerState { recorded: None, ..self.clone() };
        match step {
            Step::Recorded(result) => {
                after.recorded = Some(*result);
                history.push(&self.position);
            }
            Step::Ply(node) => {
                node.mv.play(&mut after.position, history).map_err(|error| error.to_string())?;
                if let Ply::Move(mv) = node.mv {
                    after.captured.add(&self.position, mv);
                }
            }
        }
        Ok(after)
    }

    fn forget_latest(history: &mut History) {
        history.pop();
    }

    fn as_move(step: &Step) -> Option<Move> {
        if let Step::Ply(Node { mv: Ply::Move(mv), .. }) = step { Some(*mv) } else { None }
    }

    /// Returns a move as text. Its number is that of the round, in which every remaining player has
    /// one move.
    fn to_played(&self, mv: Move, last: Option<&Played>) -> Played {
        let seat = seat(self.position.turn());
        let number = last.map_or(1, |last| last.number + u32::from(seat <= last.seat));
        let (text, code) = (self.position.notation(mv), mv.to_string());
        Played { seat, number, text, code, color: None }
    }

    fn replayable(steps: &[Step]) -> usize {
        let other = steps.iter().rposition(|step| Self::as_move(step).is_none());
        other.map_or(0, |index| index + 1)
    }

    fn set(&self, position: &str) -> Result<FourPlayerTable, ReadError> {
        Position::from_fen4_lenient(position, self.position.rules())
            .map(FourPlayerTable::from_position)
            .map_err(ReadError::position)
    }

    fn import(text: &str) -> Result<FourPlayerTable, ReadError> {
        only(FourPlayerTable::read(text))
    }

    fn record(table: &FourPlayerTable) -> Game {
        table.record()
    }

    fn tags(record: &mut Game) -> &mut Vec<(String, String)> {
        &mut record.tags
    }

    fn scene(&self, last: Option<Move>, ply: usize) -> Scene {
        view::scene(self, last, ply)
    }
}
