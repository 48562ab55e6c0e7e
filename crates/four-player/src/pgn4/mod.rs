//! PGN4 as written by chess.com: games of four-player chess with tags, comments, annotations and
//! variations. Games are read from streams of any length and can be written back.
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
//! assert_eq!(game.line.moves[2].variations[0].moves[0].comments, ["is safer"]);
//! assert!(matches!(game.line.moves[5].mv, Ply::Withdraw(Player::Blue, _)));
//! let end = game.positions().last().expect("a game has a start");
//! assert_eq!(end.winners().letters(), "RY");
//! # Ok::<(), fourfold_four_player::pgn4::Pgn4Error>(())
//! ```
//!
//! A player's place in a round holds a move or the reason why the player is out of the game: `R`
//! for a resignation, `T` for a timeout, `#` for checkmate and `S` for stalemate. `#` and `S` are
//! written when the player's turn comes; they follow from the moves, and the reader rejects those
//! that contradict the rules. If a player moves the king and then withdraws, the letter follows the
//! move: `Kd13-d12R`. This crate adds three extensions: a lowercase color letter for a player who
//! withdraws out of turn (`yR`), `D` for an agreed draw, and the tag `Rules` with the words of
//! [`Rules::parse`](crate::Rules::parse) when the other tags do not determine the rules.

mod elimination;
mod error;
mod lenient;
mod reader;
mod result;
mod tags;
mod writer;

pub use elimination::Elimination;
pub use error::{GameError, IllegalPlyError};
pub use fourfold_movetext::MAX_NESTING;
pub use reader::{Pgn4, Pgn4Error, Pgn4ErrorKind, Reader};
pub use result::GameResult;

use crate::{History, Move, Player, Position, StartPosition, WithdrawalReason};

/// A PGN4 game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// Names and values in file order, without `Variant`, `StartFen4` and `Rules`, which are
    /// derived from the start position.
    pub tags: Vec<(String, String)>,
    /// The start position, with the rules of the game.
    pub start: Position,
    /// The plies of the game, with comments and variations.
    pub line: Line,
    /// The result of the game.
    pub result: GameResult,
}

/// A sequence of plies: the game itself or a variation.
pub type Line = fourfold_movetext::Line<Ply>;

/// A ply in a line, with annotations, comments and variations.
pub type Node = fourfold_movetext::Node<Ply>;

/// An event in a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ply {
    /// The player to move makes a move.
    Move(Move),
    /// A player withdraws, on their turn or not.
    Withdraw(Player, WithdrawalReason),
    /// The players agree on a draw.
    Draw,
}

impl Ply {
    /// Plays the ply and checks for repetition.
    ///
    /// # Errors
    /// Returns an error, and changes nothing, if the move is not legal or the player cannot withdraw.
    pub fn play(
        self,
        position: &mut Position,
        history: &mut History,
    ) -> Result<(), IllegalPlyError> {
        match self {
            Ply::Move(mv) => return history.play(position, mv).map_err(IllegalPlyError::Move),
            Ply::Withdraw(player, how) => {
                position.withdraw(player, how).map_err(IllegalPlyError::Withdraw)?
            }
            Ply::Draw => position.agree_on_draw(),
        }
        history.push(position);
        Ok(())
    }
}

impl Game {
    /// Creates a game without plies and tags.
    pub const fn new(start: Position) -> Game {
        Game { tags: Vec::new(), start, line: Line::new(), result: GameResult::Open }
    }

    /// Returns the value of a tag. `Variant`, `StartFen4` and `Rules` are not available here.
    pub fn tag(&self, name: &str) -> Option<&str> {
        fourfold_movetext::tag(&self.tags, name)
    }

    /// Sets a tag: replaces its value, or appends the tag if it is missing.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        fourfold_movetext::set_tag(&mut self.tags, name, value);
    }

    /// Sets the result and the `Result` tag, which lists the points by the players' names.
    pub fn set_result(&mut self, result: GameResult) {
        let names = ["Red", "Blue", "Yellow", "Green"].map(|color| {
            let name = self.tag(color).filter(|name| !name.trim().is_empty());
            name.filter(|name| !name.contains(':')).unwrap_or(color).to_owned()
        });
        self.result = result;
        self.set_tag("Result", &result.text(names.each_ref().map(String::as_str)));
    }

    /// Returns the start position by name, or `None` if it is another one.
    pub fn setup(&self) -> Option<StartPosition> {
        let rules = self.start.rules();
        StartPosition::ALL.into_iter().find(|&start| Position::start(start, rules) == self.start)
    }

    /// Returns the plies of the main line.
    pub fn plies(&self) -> impl Iterator<Item = Ply> + '_ {
        self.line.moves.iter().map(|node| node.mv)
    }

    /// Returns the positions of the main line, beginning with the start, up to the first illegal
    /// ply.
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

/// The former name of [`Elimination`].
#[deprecated(note = "renamed to `Elimination`")]
pub type Fate = Elimination;
