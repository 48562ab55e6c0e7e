//! The [`Table`] for chess.

mod end;
mod lazy;
mod record;
mod view;

use fourfold_analysis::Analysis;
use fourfold_chess::pgn::{Game, Node};
use fourfold_chess::{Color, History, Move, Position, Role, Setup, Variant};

use crate::files::only;
use crate::table::{check_declaration, check_turn};
use crate::{
    Choice, Declaration, DeclareError, Edge, HistoryError, Outcome, PlayError, Played, ReadError,
    Scene, Seat, Table, TagError,
};
use end::End;
use lazy::Lazy;

/// The names of the seats, by color.
pub(crate) const SEATS: [&str; 2] = [Color::White.name(), Color::Black.name()];

/// The edges where the seats are, by color.
const EDGES: [Edge; 2] = [Edge::Bottom, Edge::Top];

fn seat(color: Color) -> Seat {
    Seat::new(color as u8)
}

fn color(seat: Seat) -> Option<Color> {
    Color::ALL.get(seat.index()).copied()
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
/// [`Table::import`] keeps the tags and the moves with their comments, annotations and variations;
/// the start position is given by `FEN`, `SetUp` and `Variant`. A result that does not follow from
/// the last position is kept as a declared end, with the reason from `Termination` if it is one
/// that [`Table::export`] writes. A new move or declaration discards `Termination` and the moves
/// that it replaces, with everything attached to them. A game that continued after a draw by rule
/// is kept as it was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChessTable {
    /// The start position, the tags and the whole line, including undone moves. Its result stays
    /// open.
    record: Game,
    /// The positions of the whole line: one more than moves.
    positions: Vec<Position>,
    /// The moves of the whole line as text.
    moves: Vec<Played>,
    /// The positions in effect.
    history: History,
    /// The declared end of the whole line.
    end: Option<End>,
    /// How many steps are in effect: the moves of the line, then its declared end.
    at: usize,
    /// The cached analysis of the current position.
    known: Lazy,
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
        ChessTable {
            record: Game::new(start),
            positions: vec![start],
            moves: Vec::new(),
            history: History::new(&start),
            end: None,
            at: 0,
            known: Lazy::default(),
        }
    }

    /// Creates a game and plays moves given as text. Moves after a draw by rule are allowed,
    /// because a study may continue there, as a file may.
    ///
    /// # Errors
    /// Returns an error if a move is not legal.
    pub(crate) fn through(start: Position, moves: &[String]) -> Result<ChessTable, PlayError> {
        let mut table = ChessTable::from_position(start);
        for text in moves {
            let mv = view::parse(&table.current(), text)?;
            table.push(Node::new(mv));
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
        self.positions[self.ply_in_effect()]
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
    /// assert!(table.analysis().of_color(Color::Black).attacked.contains(at("d5")));
    /// assert_eq!((table.analysis().of_color(Color::White).material, table.analyses()), (39, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn analysis(&self) -> &Analysis {
        self.known.get(&self.positions[self.ply_in_effect()])
    }

    /// Returns how many analyses this table has computed.
    pub fn analyses(&self) -> u32 {
        self.known.computed()
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

    /// Returns the latest move in effect.
    pub fn latest(&self) -> Option<Move> {
        let index = self.ply_in_effect().checked_sub(1)?;
        Some(self.record.line.moves[index].mv)
    }

    /// Returns the roles of the pieces that a side has captured with its moves in effect.
    fn captures(&self, color: Color) -> impl Iterator<Item = Role> + '_ {
        let moves = self.positions.iter().zip(&self.record.line.moves).take(self.ply_in_effect());
        let own = moves.filter(move |(position, _)| position.turn() == color);
        own.filter_map(|(position, node)| position.captured(node.mv))
    }

    fn ply_in_effect(&self) -> usize {
        self.at.min(self.moves.len())
    }

    fn is_at_end(&self) -> bool {
        self.at == self.moves.len() + usize::from(self.end.is_some())
    }

    fn end_in_effect(&self) -> Option<End> {
        self.end.filter(|_| self.at > self.moves.len())
    }

    /// Discards the undone steps, because a new one replaces them.
    fn drop_undone(&mut self) {
        let ply = self.ply_in_effect();
        self.record.line.moves.truncate(ply);
        self.positions.truncate(ply + 1);
        self.moves.truncate(ply);
        self.end = None;
        self.forget_termination();
    }

    /// Appends a legal move to the line, which must have no undone steps.
    fn push(&mut self, node: Node) {
        let before = self.current();
        let after = before.after(node.mv);
        self.moves.push(Played {
            seat: seat(before.turn()),
            number: before.fullmoves().into(),
            text: before.san(node.mv),
            code: node.mv.uci(before.variant()),
            color: None,
        });
        self.record.line.moves.push(node);
        self.positions.push(after);
        self.known.forget();
        self.history.push(&after);
        self.at += 1;
    }

    fn claim(&self) -> Result<End, DeclareError> {
        let position = self.current();
        let ending = self.history.claim(&position).map(End::claim);
        ending.ok_or_else(|| DeclareError::NothingToClaim { position: position.fen() })
    }
}

impl Default for ChessTable {
    fn default() -> ChessTable {
        ChessTable::new()
    }
}

impl Table for ChessTable {
    fn game(&self) -> &'static str {
        "chess"
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

    fn choices(&self, seat: Seat) -> Vec<Choice> {
        if self.acting().contains(&seat) { view::choices(&self.current()) } else { Vec::new() }
    }

    fn play_as(&mut self, seat: Seat, text: &str) -> Result<&Played, PlayError> {
        check_turn(self, seat)?;
        let mv = view::parse(&self.current(), text)?;
        self.drop_undone();
        self.push(Node::new(mv));
        Ok(&self.moves[self.moves.len() - 1])
    }

    fn played(&self) -> &[Played] {
        &self.moves[..self.ply_in_effect()]
    }

    fn undone(&self) -> &[Played] {
        &self.moves[self.ply_in_effect()..]
    }

    fn undo(&mut self) -> Result<(), HistoryError> {
        let before = self.at.checked_sub(1).ok_or(HistoryError::NothingToUndo)?;
        if self.end_in_effect().is_none() {
            self.history.pop();
        }
        self.at = before;
        self.known.forget();
        Ok(())
    }

    fn redo(&mut self) -> Result<(), HistoryError> {
        if self.is_at_end() {
            return Err(HistoryError::NothingToRedo);
        }
        self.at += 1;
        self.known.forget();
        if self.end_in_effect().is_none() {
            self.history.push(&self.positions[self.at]);
        }
        Ok(())
    }

    fn outcome(&self) -> Option<Outcome> {
        let by_rule = || self.history.ending(&self.current()).map(end::by_rule);
        self.end_in_effect().map(End::outcome).or_else(by_rule)
    }

    fn claimable(&self) -> Option<String> {
        let ending = self.history.claim(&self.current())?;
        self.outcome().is_none().then(|| ending.to_string())
    }

    fn declare(&mut self, declaration: Declaration) -> Result<(), DeclareError> {
        check_declaration(self, declaration)?;
        let known = |seat| color(seat).ok_or(DeclareError::NoSeat { seat, seats: SEATS.len() });
        let end = match declaration {
            Declaration::Claim(_) => self.claim()?,
            Declaration::Resign(seat) => End::resignation(known(seat)?),
            Declaration::Flag(seat) => End::flag(known(seat)?, &self.current()),
            Declaration::Draw => End::agreement(),
        };
        self.drop_undone();
        self.end = Some(end);
        self.at += 1;
        Ok(())
    }

    fn scene(&self) -> Scene {
        view::scene(self)
    }

    fn position(&self) -> String {
        self.current().fen()
    }

    fn set(&mut self, position: &str) -> Result<(), ReadError> {
        let start = Position::from_fen_in(position, self.record.start.variant())
            .map_err(|error| ReadError::Position { reason: error.to_string() })?;
        *self = ChessTable::from_position(start);
        Ok(())
    }

    fn export(&self) -> String {
        self.record().to_string()
    }

    fn import(&mut self, text: &str) -> Result<(), ReadError> {
        *self = only(ChessTable::read(text))?;
        Ok(())
    }

    fn tags(&self) -> Vec<(String, String)> {
        self.record().tags
    }

    fn set_tag(&mut self, name: &str, value: &str) -> Result<(), TagError> {
        self.write_tag(name, value)
    }

    fn fork(&self) -> Box<dyn Table> {
        Box::new(self.clone())
    }
}
