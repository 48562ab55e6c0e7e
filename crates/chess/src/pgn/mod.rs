//! Portable Game Notation: games with tags, comments, annotations and variations, read from streams
//! of any length and written back.
//!
//! [`Reader::new`](fourfold_movetext::Reader::new) reads leniently: it keeps the moves before an
//! error. A game may contain null moves ([`Move::NULL`]), which are not legal.
//!
//! ```
//! use fourfold_chess::pgn::Reader;
//!
//! let text = r#"[White "Légal"] [Black "Saint Brie"]
//!
//! 1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 $6 {pins} (3... Be7 {is safer}) 4. Nc3 g6 5. Nxe5! Bxd1
//! 6. Bxf7+ Ke7 7. Nd5# 1-0"#;
//! let game = Reader::new(text.as_bytes()).next().expect("a game")?;
//! assert_eq!(game.tag("White"), Some("Légal"));
//! assert_eq!(game.moves().count(), 13);
//! assert_eq!(game.line.moves[5].variations[0].moves[0].comments, ["is safer"]);
//! # Ok::<(), fourfold_chess::pgn::PgnError>(())
//! ```

mod commands;
mod fen;
mod lenient;
mod null_move;
mod reader;
mod writer;

pub use commands::{Commands, Evaluation, Score, Shape, ShapeColor};
pub use fourfold_movetext::{MAX_NESTING, MAX_PROBLEMS};
pub use reader::{GameError, Pgn, PgnError, PgnErrorKind, Reader};

use crate::{Color, Move, Position};

/// A game as recorded in PGN.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// Tag names and values in file order. `FEN`, `SetUp` and `Variant` are not included, because
    /// they follow from the start position.
    pub tags: Vec<(String, String)>,
    /// The start position.
    pub start: Position,
    /// The moves of the game, with annotations, comments and variations.
    pub line: Line,
    /// The result of the game.
    pub result: GameResult,
}

/// A sequence of moves: the game itself or a variation.
pub type Line = fourfold_movetext::Line<Move>;

/// A move in a line, with annotations, comments and variations.
pub type Node = fourfold_movetext::Node<Move>;

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameResult {
    /// One side won.
    Won(Color),
    /// The game was drawn.
    Drawn,
    /// The game is unfinished, or its result is unknown.
    Open,
}

impl GameResult {
    /// Returns the result as PGN text: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub const fn text(self) -> &'static str {
        match self {
            GameResult::Won(Color::White) => "1-0",
            GameResult::Won(Color::Black) => "0-1",
            GameResult::Drawn => "1/2-1/2",
            GameResult::Open => "*",
        }
    }

    /// Parses a result as PGN text; `1/2` is accepted too.
    pub fn from_text(text: &str) -> Option<GameResult> {
        match text {
            "1-0" => Some(GameResult::Won(Color::White)),
            "0-1" => Some(GameResult::Won(Color::Black)),
            "1/2-1/2" | "1/2" => Some(GameResult::Drawn),
            "*" => Some(GameResult::Open),
            _ => None,
        }
    }
}

impl Game {
    /// Creates a game without moves, with the seven standard tags set to unknown.
    pub fn new(start: Position) -> Game {
        let tags = [
            ("Event", "?"),
            ("Site", "?"),
            ("Date", "????.??.??"),
            ("Round", "?"),
            ("White", "?"),
            ("Black", "?"),
            ("Result", "*"),
        ];
        Game {
            tags: tags.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec(),
            start,
            line: Line::default(),
            result: GameResult::Open,
        }
    }

    /// Returns the value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        fourfold_movetext::tag(&self.tags, name)
    }

    /// Sets a tag; a new tag is added at the end.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        fourfold_movetext::set_tag(&mut self.tags, name, value);
    }

    /// Sets the result, including its tag.
    pub fn set_result(&mut self, result: GameResult) {
        self.result = result;
        self.set_tag("Result", result.text());
    }

    /// Iterates over the moves of the game, without variations.
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.line.moves.iter().map(|node| node.mv)
    }

    /// Iterates over the positions of the game, the start first.
    pub fn positions(&self) -> impl Iterator<Item = Position> + '_ {
        let mut position = self.start;
        let rest = self.moves().map(move |mv| {
            position.play_recorded(mv);
            position
        });
        std::iter::once(self.start).chain(rest)
    }
}
