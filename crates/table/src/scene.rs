//! What to draw, as plain data.

use fourfold_draw::{Edge, Look, Mark, Picture, PlacedPiece, Seat, SeatColors, SeatInfo, Shape};
use serde::Serialize;

use crate::Outcome;
use crate::game_table::State;

/// Everything that is needed to draw the current state of a game, without knowing its rules.
///
/// Squares are given by name. Actual color values are up to the renderer.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Scene {
    /// The game's id.
    pub game: &'static str,
    /// The board. It does not change during a game.
    pub board: Shape,
    /// The seats, in seat order.
    pub seats: Vec<SeatInfo>,
    /// Groups of seats that win and lose together. Empty in games without teams.
    pub teams: Vec<Vec<Seat>>,
    /// The seats that have been eliminated or have withdrawn. Their pieces are drawn gray.
    pub eliminated: Vec<Seat>,
    /// The points, by seat. Empty in games without points.
    pub scores: Vec<i32>,
    /// The color scheme of the seats or, in Blokus, of the colors.
    pub seat_colors: SeatColors,
    /// The colors in Blokus. Empty in other games.
    pub colors: Vec<Color>,
    /// The pieces that every color starts with in Blokus. Empty in other games.
    pub piece_shapes: Vec<PieceShape>,
    /// The pieces on the board. A piece whose seat does not exist in the game has no owner and is
    /// drawn gray.
    pub pieces: Vec<PlacedPiece>,
    /// The captured pieces next to the board at each seat, the most valuable first.
    pub captured: Vec<Vec<CapturedPiece>>,
    /// The squares that the latest move came from and went to or, in Blokus, the cells that it
    /// covered. Empty before the first move.
    pub last_move: Vec<String>,
    /// The squares of kings in check.
    pub check: Vec<String>,
    /// The name of the opening in chess, with its ECO code: `C50 Italian Game`.
    pub opening: Option<&'static str>,
    /// The seats that may move now.
    pub acting: Vec<Seat>,
    /// The number of moves in effect.
    pub ply: usize,
    /// The draw that a seat to move may claim.
    pub claim: Option<String>,
    /// How the game has ended. `None` while it is in progress.
    pub outcome: Option<Outcome>,
}

/// A captured piece next to the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct CapturedPiece {
    /// The letter of its role, in upper case.
    pub piece: char,
    /// The seat that owned it.
    pub seat: Seat,
}

/// A color in Blokus.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct Color {
    /// Its name.
    pub name: &'static str,
    /// The seat that owns it. `None` if players share it.
    pub seat: Option<Seat>,
    /// Whether it is this color's turn.
    pub turn: bool,
    /// Whether it cannot place any more pieces.
    pub done: bool,
    /// Its score.
    pub score: i32,
    /// The squares covered by its pieces.
    pub squares: Vec<String>,
    /// The free squares at its corners, where its next piece can connect.
    pub frontier: Vec<String>,
    /// The pieces that it has not placed yet, by their names in [`Scene::piece_shapes`].
    pub left: Vec<&'static str>,
}

/// The shape of a Blokus piece.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct PieceShape {
    /// Its name.
    pub name: &'static str,
    /// Its cells as (row, column) from its top left corner, in one orientation. Pieces may be
    /// rotated and flipped.
    pub cells: Vec<(u8, u8)>,
}

impl Scene {
    /// Returns what every game shows, with nothing on the board. `edges` are those of the seats.
    pub(crate) fn new(state: &impl State, ply: usize, board: Shape, edges: &[Edge]) -> Scene {
        let (seats, outcome) = (state.seats(), state.outcome());
        Scene {
            game: state.game(),
            board,
            seats: seats.iter().zip(edges).map(|(name, &edge)| SeatInfo::new(name, edge)).collect(),
            eliminated: state.eliminated(),
            seat_colors: SeatColors::of(seats.len()),
            captured: vec![Vec::new(); seats.len()],
            acting: state.acting(),
            ply,
            claim: state.claimable().filter(|_| outcome.is_none()),
            outcome,
            ..Scene::default()
        }
    }

    /// Returns a picture of the scene, with the last move and checks marked and the game's id as
    /// its title. The caller may add more marks and arrows before rendering it.
    ///
    /// ```
    /// use fourfold_draw::{Ink, Look, Theme};
    /// use fourfold_table::{ChessTable, Table};
    ///
    /// let mut table = ChessTable::new();
    /// table.play("e4")?;
    /// let mut picture = table.scene().picture(Look { theme: Theme::Dark, ..Look::default() });
    /// picture.arrow("e7", "e5", Ink::Green);
    /// assert!(picture.svg().starts_with("<svg "));
    /// # Ok::<(), fourfold_table::PlayError>(())
    /// ```
    pub fn picture(&self, look: Look) -> Picture {
        let mut picture = Picture::new(self.game, self.board.clone(), self.seats.len());
        picture.look = look;
        picture.seat_colors = self.seat_colors;
        picture.pieces = self.pieces.clone();
        if self.colors.is_empty() {
            picture.eliminated = self.eliminated.clone();
        }
        for (index, color) in (0..).map(Seat::new).zip(&self.colors) {
            if color.seat.is_some_and(|seat| self.eliminated.contains(&seat)) {
                picture.eliminated.push(index);
            }
            for square in &color.squares {
                picture.tile(square, index);
            }
        }
        for square in &self.last_move {
            picture.mark(square, Mark::LastMove);
        }
        for square in &self.check {
            picture.mark(square, Mark::Check);
        }
        picture
    }
}
