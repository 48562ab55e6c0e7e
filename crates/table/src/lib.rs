//! Interactive games on top of the rules crates: moves as text, unlimited undo and redo, scenes to
//! draw, and games and positions as files. The rules themselves are in each game's own crate.
//!
//! [`Table`] is the common interface for the arena, the command line, matches and the Python
//! boards. [`ChessTable`], [`FourPlayerTable`] and [`BlokusTable`] implement it. Players are
//! identified by [`Seat`], and any number of seats may act at once. [`GAMES`] and [`make`] create a
//! table from a game's id. [`game_file`] reads files of any game, [`study`] works with trees of chess moves and analyzed positions, and
//! [`kung_fu`] with replays and pictures of kung fu chess.
//!
//! ```
//! use fourfold_table::{ChessTable, Declaration, Seat, Table};
//!
//! let mut table: Box<dyn Table> = Box::new(ChessTable::new());
//! table.play("e4")?; // SAN
//! table.play("e7e5")?; // UCI
//! assert_eq!(table.played()[1].text, "e5");
//! assert_eq!(table.play("Ke3").unwrap_err().to_string(),
//!     "'Ke3' is not legal in rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2");
//! assert_eq!(table.play("f1f3").unwrap_err().to_string(), "a bishop does not move from f1 to f3");
//!
//! table.undo()?;
//! table.play("c5")?;
//! let black = Seat::new(1);
//! table.declare(Declaration::Resign(black))?;
//! assert_eq!(table.outcome().expect("it is over").text, "white wins by resignation");
//! assert!(table.export().ends_with("1. e4 c5 1-0\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod blokus;
mod chess;
mod error;
mod files;
mod four_player;
pub mod game_file;
mod game_table;
mod games;
pub mod kung_fu;
mod moves;
mod outcome;
mod scene;
pub mod study;
mod table;

pub use blokus::BlokusTable;
pub use chess::ChessTable;
pub use error::{DeclareError, HistoryError, PlayError, ReadError, TagError, TurnError};
pub use four_player::FourPlayerTable;
pub use fourfold_common::{capitalize, ensure, quote_short};
pub use fourfold_draw::{Edge, PlacedPiece, Seat, SeatColors, SeatInfo, Shape, Surface};
pub use game_table::GameTable;
pub use games::{GAMES, GameInfo, UnknownGame, make, read};
pub use moves::{Choice, Played, Targets, targets};
pub use outcome::{Declaration, Outcome};
pub use scene::{CapturedPiece, Color, PieceShape, Scene};
pub use table::Table;
