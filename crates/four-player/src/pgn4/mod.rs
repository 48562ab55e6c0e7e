//! PGN4: games of four-player chess with tags, comments, annotations and variations, as chess.com
//! writes them; read from streams of any length and written back.
//!
//! ```
//! use fourfold_four_player::Player;
//! use fourfold_four_player::pgn4::{Ply, Reader};
//!
//! let text = r#"[Variant "Teams"]
//! [StartFen4 "4PCo"]
//! [Red "Ann"]
//!
//! 1. h2-h3 .. b8-c8 .. g13-g12 ( .. h13-h12 {is safer} ) .. m7-l7
//! 2. Qg1xQn8+! .. R"#;
//! let game = Reader::new(text.as_bytes()).next().expect("a game")?;
//! assert_eq!(game.tag("Red"), Some("Ann"));
//! assert_eq!(game.line.plies[2].variations[0].plies[0].comments, ["is safer"]);
//! assert!(matches!(game.line.plies[5].ply, Ply::Leave(Player::Blue, _)));
//! let end = game.positions().last().expect("a game has a start");
//! assert_eq!(end.winners().letters(), "RY");
//! # Ok::<(), fourfold_four_player::pgn4::Pgn4Error>(())
//! ```
//!
//! A player's place holds a move, or how the player goes: `R` resigns, `T` has no time left; `#` is
//! mated and `S` stalemated when the turn comes, which follows from the moves and is held to it. A
//! king that walks at once when its player goes has the letter behind its move: `Kd13-d12R`. Our own
//! additions are a small letter for a player who goes out of turn (`yR`), `D` for a draw that is
//! agreed, and the tag `Rules` with the words of [`Rules::parse`](crate::Rules::parse) where the other
//! tags do not say enough.

mod error;
mod fate;
mod lexer;
mod movetext;
mod reader;
mod result;
mod tags;
mod writer;

pub use error::{IllegalPly, Pgn4Error, Pgn4ErrorKind};
pub use fate::Fate;
pub use movetext::MAX_NESTING;
pub use reader::Reader;
pub use result::GameResult;

use crate::{History, Leave, Move, Player, Position};

/// A game as PGN4 keeps it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// Names and values in the order of the file. `Variant`, `StartFen4` and `Rules` are not among
    /// them: they follow from the start position.
    pub tags: Vec<(String, String)>,
    /// Where the game starts, with its rules.
    pub start: Position,
    /// What was played, with all that hangs on it.
    pub line: Line,
    /// How the game ended.
    pub result: GameResult,
}

/// A sequence of plies: the game itself or a variation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line {
    /// Comments before the first ply.
    pub comments: Vec<String>,
    /// The plies in order.
    pub plies: Vec<Node>,
}

/// A ply in a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// The ply.
    pub ply: Ply,
    /// Numeric annotations: 1 is `!`, 2 is `?`, and so on.
    pub nags: Vec<u8>,
    /// Comments after the ply.
    pub comments: Vec<String>,
    /// What might have been played in its place.
    pub variations: Vec<Line>,
}

impl Node {
    /// A ply with nothing hanging on it.
    pub const fn new(ply: Ply) -> Node {
        Node { ply, nags: Vec::new(), comments: Vec::new(), variations: Vec::new() }
    }
}

/// What happens in a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ply {
    /// The player on turn moves.
    Move(Move),
    /// A player leaves, on turn or not.
    Leave(Player, Leave),
    /// All agree on a draw.
    Draw,
}

impl Ply {
    /// Plays the ply, repetition included.
    ///
    /// # Errors
    /// If the move is not legal, or a player leaves who cannot; nothing is then changed.
    pub fn play(self, position: &mut Position, history: &mut History) -> Result<(), IllegalPly> {
        match self {
            Ply::Move(mv) => return history.play(position, mv).map_err(IllegalPly::Move),
            Ply::Leave(player, how) => position.leave(player, how).map_err(IllegalPly::Leave)?,
            Ply::Draw => position.agree_on_draw(),
        }
        history.push(position);
        Ok(())
    }
}

impl Game {
    /// A game without plies and without tags.
    pub const fn new(start: Position) -> Game {
        Game {
            tags: Vec::new(),
            start,
            line: Line { comments: Vec::new(), plies: Vec::new() },
            result: GameResult::Open,
        }
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Sets a tag, in its place or at the end.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        match self.tags.iter_mut().find(|(key, _)| key == name) {
            Some((_, old)) => value.clone_into(old),
            None => self.tags.push((name.to_owned(), value.to_owned())),
        }
    }

    /// Sets the result, the tag included: there the points stand behind the players' names.
    pub fn set_result(&mut self, result: GameResult) {
        let names = ["Red", "Blue", "Yellow", "Green"].map(|colour| {
            let name = self.tag(colour).filter(|name| !name.trim().is_empty());
            name.filter(|name| !name.contains(':')).unwrap_or(colour).to_owned()
        });
        self.result = result;
        self.set_tag("Result", &result.text(names.each_ref().map(String::as_str)));
    }

    /// What was played.
    pub fn plies(&self) -> impl Iterator<Item = Ply> + '_ {
        self.line.plies.iter().map(|node| node.ply)
    }

    /// The positions of the game, the start first, up to a ply that is not legal.
    pub fn positions(&self) -> impl Iterator<Item = Position> + '_ {
        let mut position = self.start;
        let mut history = History::new(&self.start);
        let rest = self.plies().map_while(move |ply| {
            ply.play(&mut position, &mut history).ok()?;
            Some(position)
        });
        std::iter::once(self.start).chain(rest)
    }
}
