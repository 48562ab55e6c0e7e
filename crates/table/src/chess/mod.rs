//! Chess: the rules as a table needs them.

mod cache;
mod end;
mod openings;
mod record;
mod view;

use fourfold_analysis::Analysis;
use fourfold_chess::pgn::{Commands, Game, Node};
use fourfold_chess::{Color, Ending, History, Move, Position, Role, Setup, Variant};

use crate::files::only;
use crate::game_table::State;
use crate::{
    Choice, Declaration, Edge, GameTable, Outcome, PlayError, Played, ReadError, Scene, Seat,
};
use cache::AnalysisCache;
use end::End;
pub(crate) use view::placed_pieces;

/// The names of the seats, by color.
pub(crate) const SEATS: [&str; 2] = [Color::White.name(), Color::Black.name()];

/// The edges where the seats are, by color.
const EDGES: [Edge; 2] = [Edge::Bottom, Edge::Top];

fn seat(color: Color) -> Seat {
    Seat::new(color as u8)
}

/// A game of chess or Chess960. Seat 0 is White, seat 1 is Black.
///
/// ```
/// use fourfold_table::{ChessTable, Table};
///
/// let mut table = ChessTable::new();
/// for text in ["f3", "e5", "g4", "Qh4"] {
///     table.play(text)?;
/// }
/// assert_eq!(table.outcome().expect("mate").text, "black wins by checkmate");
/// assert_eq!(table.play("a3").unwrap_err().to_string(),
///     "the game is over: black wins by checkmate");
/// table.jump(1)?;
/// assert_eq!(table.undone().len(), 3);
/// assert_eq!(table.position(), "rnbqkbnr/pppppppp/8/8/8/5P2/PPPPP1PP/RNBQKBNR b KQkq - 0 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Endings
/// Checkmate, stalemate, insufficient material, the seventy-five-move rule and fivefold repetition
/// end the game automatically. The side to move may claim a draw by threefold repetition or the
/// fifty-move rule. Either side may resign at any time. A side that runs out of time loses, or
/// draws if the opponent has only a king.
///
/// # Files
/// [`Table::import`](crate::Table::import) keeps the tags and the moves with their comments, annotations and variations;
/// the start position is given by `FEN`, `SetUp` and `Variant`. A result that does not follow from
/// the last position is kept as a declared end, with the reason from `Termination` if it is one
/// that [`Table::export`](crate::Table::export) writes. A new move or declaration discards `Termination` and the moves
/// that it replaces, with everything attached to them. A game that continued after a draw by rule
/// is kept as it was played.
pub type ChessTable = GameTable<ChessState>;

/// A position, and what the positions before it and a declaration add to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChessState {
    position: Position,
    /// The end by rule.
    ending: Option<Ending>,
    /// The draw that the side to move may claim.
    claim: Option<Ending>,
    /// The end that was declared or read from a file.
    end: Option<End>,
    /// How many pieces each color has captured, by color and role. A promoted piece has the role
    /// that it was promoted to.
    captured: [[u8; Role::ALL.len()]; 2],
    /// The name of the opening: that of the latest position with a name.
    opening: Option<&'static str>,
}

/// A step from one state to the next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    Move(Node),
    /// Always the last step.
    End(End),
}

impl ChessTable {
    /// Creates a game from the standard start position.
    pub fn new() -> ChessTable {
        ChessTable::from_position(Position::start())
    }

    /// Creates a game of Chess960 from the start position with this number. Returns `None` if it is
    /// not in `0..960`.
    ///
    /// ```
    /// use fourfold_table::{ChessTable, Table};
    ///
    /// let table = ChessTable::chess960(0).expect("there is a start 0");
    /// assert_eq!(table.position(), "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1");
    /// assert!(ChessTable::chess960(960).is_none());
    /// ```
    pub fn chess960(number: u16) -> Option<ChessTable> {
        let start = Setup::chess960(number)?.validate().ok()?;
        Some(ChessTable::from_position(start))
    }

    /// Creates a game that starts from any position, of either variant.
    pub fn from_position(start: Position) -> ChessTable {
        GameTable::begin(Game::new(start), ChessState::start(start))
    }

    /// Creates a game and plays moves given as text. Moves after a draw by rule are allowed,
    /// because a study may continue there, as a file may, and so are null moves, `0000`.
    ///
    /// # Errors
    /// Returns an error if a move is not legal.
    pub(crate) fn through(start: Position, moves: &[String]) -> Result<ChessTable, PlayError> {
        let mut table = ChessTable::from_position(start);
        for text in moves {
            let passes = text == "0000" && !table.current().is_check();
            table.push(match passes {
                true => Step::Move(Node::new(Move::NULL)),
                false => table.state().parse(text)?,
            });
        }
        Ok(table)
    }

    /// Returns the id that bots know the variant by. Bots for `chess` cannot read games of
    /// `chess960`.
    pub fn variant_id(&self) -> &'static str {
        match self.current().variant() {
            Variant::Standard => "chess",
            Variant::Chess960 => "chess960",
        }
    }

    /// Returns the current position.
    pub fn current(&self) -> Position {
        self.state().position
    }

    /// Returns the analysis of the current position. It is computed on first use and cached until
    /// the next move, undo or redo.
    ///
    /// ```
    /// use fourfold_chess::{Color, at};
    /// use fourfold_table::{ChessTable, Table};
    ///
    /// let mut table = ChessTable::new();
    /// table.play("e4")?;
    /// table.play("d5")?;
    /// assert!(table.analysis().side(Color::Black).attacked.contains(at("d5")));
    /// assert_eq!((table.analysis().side(Color::White).material, table.analyses()), (39, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn analysis(&self) -> &Analysis {
        self.cache.get(&self.state().position)
    }

    /// Returns how many analyses this table has computed.
    pub fn analyses(&self) -> u32 {
        self.cache.computed()
    }

    /// Returns whether this is a game of Chess960.
    ///
    /// ```
    /// use fourfold_table::{ChessTable, Table};
    ///
    /// let mut table = ChessTable::new();
    /// assert!(!table.is_chess960());
    /// let start = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1";
    /// table.import(&format!("[Variant \"Chess960\"]\n[FEN \"{start}\"]\n\n1. e4 *"))?;
    /// assert!(table.is_chess960());
    /// # Ok::<(), fourfold_table::ReadError>(())
    /// ```
    pub fn is_chess960(&self) -> bool {
        self.record.start.variant() == Variant::Chess960
    }

    /// Returns the number of sequences of exactly `depth` legal moves from the current position.
    pub fn perft(&self, depth: u32) -> u64 {
        fourfold_chess::perft(&self.current(), depth)
    }

    /// Returns the same number, or `None` if `stop` returns true meanwhile.
    pub fn perft_with_stop(&self, depth: u32, stop: &dyn Fn() -> bool) -> Option<u64> {
        fourfold_chess::perft_with_stop(&self.current(), depth, stop)
    }

    /// Takes a step that is known to be possible.
    fn push(&mut self, step: Step) {
        self.take(step).expect("legal moves and ends can always be taken");
    }
}

impl Default for ChessTable {
    fn default() -> ChessTable {
        ChessTable::new()
    }
}

impl ChessState {
    fn start(position: Position) -> ChessState {
        let history = History::new(&position);
        let (ending, claim) = (history.ending(&position), history.claim(&position));
        ChessState {
            position,
            ending,
            claim,
            end: None,
            captured: Default::default(),
            opening: None,
        }
    }

    /// Returns the state after a move, and adds it to the history.
    fn after_move(&self, history: &mut History, mv: Move) -> ChessState {
        let mut after = ChessState { end: None, ..self.clone() };
        if let Some(role) = self.position.captured(mv).filter(|_| !mv.is_null()) {
            after.captured[self.position.turn() as usize][role as usize] += 1;
        }
        after.position.play_recorded(mv);
        let position = &after.position;
        history.push(position);
        // After 150 plies without a capture or pawn move the game is over, so repetitions no longer
        // matter, and a file that goes on does not need longer and longer to read.
        let recent = (position.halfmoves() >= 150).then(|| History::new(position));
        let recent = recent.as_ref().unwrap_or(history);
        (after.ending, after.claim) = (recent.ending(position), recent.claim(position));
        let plies = history.keys().len() - 1;
        after.opening = openings::name(position, plies).or(self.opening);
        after
    }
}

impl State for ChessState {
    type Step = Step;
    type Move = Move;
    type Record = Game;
    type History = History;
    type Cache = AnalysisCache;

    const DERIVED: &'static [&'static str] = &["Result", Self::END_TAG, "FEN", "SetUp", "Variant"];
    const END_TAG: &'static str = "Termination";

    fn game(&self) -> &'static str {
        "chess"
    }

    fn seats(&self) -> &'static [&'static str] {
        &SEATS
    }

    fn turn(&self) -> Option<Seat> {
        Some(seat(self.position.turn()))
    }

    fn outcome(&self) -> Option<Outcome> {
        self.end.as_ref().map(End::outcome).or_else(|| self.ending.map(end::by_rule))
    }

    fn claimable(&self) -> Option<String> {
        self.claim.map(|ending| ending.to_string())
    }

    fn position(&self) -> String {
        self.position.fen()
    }

    fn choices(&self) -> Vec<Choice> {
        self.position.legal_moves().iter().map(|&mv| view::choice(&self.position, mv)).collect()
    }

    fn parse(&self, text: &str) -> Result<Step, PlayError> {
        Ok(Step::Move(Node::new(view::parse(&self.position, text)?)))
    }

    fn declared(&self, declaration: Declaration) -> Option<Step> {
        End::declared(declaration, self).map(Step::End)
    }

    fn history(&self) -> History {
        History::new(&self.position)
    }

    fn after(&self, history: &mut History, step: &Step) -> Result<ChessState, String> {
        Ok(match step {
            Step::Move(node) => self.after_move(history, node.mv),
            Step::End(end) => {
                history.push(&self.position);
                ChessState { end: Some(end.clone()), ..self.clone() }
            }
        })
    }

    fn forget_latest(history: &mut History) {
        history.pop();
    }

    fn as_move(step: &Step) -> Option<Move> {
        if let Step::Move(node) = step { Some(node.mv) } else { None }
    }

    fn to_played(&self, mv: Move, _: Option<&Played>) -> Played {
        let position = &self.position;
        let (text, code) = (position.san_recorded(mv), position.uci_recorded(mv));
        let (seat, number) = (seat(position.turn()), position.fullmoves().into());
        Played { seat, number, text, code, color: None }
    }

    fn set(&self, position: &str) -> Result<ChessTable, ReadError> {
        Position::from_fen_in(position, self.position.variant())
            .map(ChessTable::from_position)
            .map_err(ReadError::position)
    }

    fn import(text: &str) -> Result<ChessTable, ReadError> {
        only(ChessTable::read(text))
    }

    fn record(table: &ChessTable) -> Game {
        table.record()
    }

    fn annotated(table: &ChessTable, comments: &[String], termination: &str) -> Game {
        let mut record = table.record();
        for (node, comment) in record.line.moves.iter_mut().zip(comments) {
            node.comments.insert(0, comment.clone());
        }
        if record.tag(Self::END_TAG).is_none() {
            record.set_tag(Self::END_TAG, termination);
        }
        record
    }

    fn clock(step: &Step) -> Option<u64> {
        let Step::Move(node) = step else { return None };
        let clock = node.comments.iter().find_map(|comment| Commands::parse(comment).clock)?;
        u64::try_from(clock.as_millis()).ok()
    }

    fn tags(record: &mut Game) -> &mut Vec<(String, String)> {
        &mut record.tags
    }

    fn scene(&self, last: Option<Move>, ply: usize) -> Scene {
        view::scene(self, last, ply)
    }

    fn forget(cache: &mut AnalysisCache) {
        cache.forget();
    }
}
