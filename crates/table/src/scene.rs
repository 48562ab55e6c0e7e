//! What to draw, as plain data.

use fourfold_draw::{Look, Man, Mark, Picture, Place, Seat, Shape, Tints};
use serde::Serialize;

use crate::Outcome;

/// All that is needed to draw a game as it stands: whoever draws it needs no rules.
///
/// Squares go by their names. Colours are left to the one who draws.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct Scene {
    /// The game's name.
    pub game: &'static str,
    /// The board, the same all game long.
    pub board: Shape,
    /// The seats in their order.
    pub seats: Vec<Place>,
    /// Seats that win and lose together; none where everybody is alone.
    pub teams: Vec<Vec<Seat>>,
    /// The seats that are out of the game while it goes on for others: their men are grey.
    pub out: Vec<Seat>,
    /// The points, by seat; none in games without.
    pub scores: Vec<i32>,
    /// What the seats look like, or in games of tiles the colours.
    pub tints: Tints,
    /// The colours, in games in which pieces are laid on the board; else none.
    pub colors: Vec<Color>,
    /// The pieces that every colour has at the start, in games with colours.
    pub shapes: Vec<Form>,
    /// Everything that stands on the board. A man whose seat the game does not have is nobody's, and
    /// grey.
    pub men: Vec<Man>,
    /// What lies beside the board at each seat; in chess the men that it has taken, the most
    /// valuable first.
    pub trays: Vec<Vec<Lying>>,
    /// The squares that the latest move came from and went to; none before the first.
    pub last_move: Vec<String>,
    /// The squares of kings that stand in check.
    pub check: Vec<String>,
    /// Who may move now.
    pub acting: Vec<Seat>,
    /// How many moves are in effect.
    pub ply: usize,
    /// The draw that an acting seat may claim.
    pub claim: Option<String>,
    /// How the game has ended.
    pub outcome: Option<Outcome>,
}

/// A man beside the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct Lying {
    /// What it is, by its letter in upper case.
    pub piece: char,
    /// Whose it is or was.
    pub seat: Seat,
}

/// A colour whose pieces are laid on the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct Color {
    /// Its name.
    pub name: &'static str,
    /// Whose it is; nobody's if players share it.
    pub seat: Option<Seat>,
    /// Whether it is the one to be laid next.
    pub turn: bool,
    /// Whether nothing of it can be laid any more.
    pub done: bool,
    /// Its points.
    pub score: i32,
    /// The squares that it covers.
    pub squares: Vec<String>,
    /// The squares at its corners from which it can go on.
    pub frontier: Vec<String>,
    /// The pieces that it has left, by their names in [`Scene::shapes`].
    pub left: Vec<&'static str>,
}

/// A piece that is laid on the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct Form {
    /// Its name.
    pub name: &'static str,
    /// Its cells as rows and columns from its top left corner; it may be turned and flipped.
    pub cells: Vec<(u8, u8)>,
}

impl Scene {
    /// The scene as a picture, with its last move and checks marked, named after the game. More
    /// marks and arrows may be added before it is written.
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
        picture.tints = self.tints;
        picture.men = self.men.clone();
        if self.colors.is_empty() {
            picture.out = self.out.clone();
        }
        for (index, color) in (0..).map(Seat::new).zip(&self.colors) {
            if color.seat.is_some_and(|seat| self.out.contains(&seat)) {
                picture.out.push(index);
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
