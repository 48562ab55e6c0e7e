//! A game that players may leave before its end.

use crate::Position;

/// How a game stands in which colours may leave: who has left is passed over, and the others play
/// on. The rules know of no leaving, so a [`Position`] alone cannot say it.
///
/// ```
/// use fourfold_blokus::{Position, Standing, Variant};
///
/// let mut standing = Standing::new(Position::start(Variant::CLASSIC));
/// standing.leave(1);
/// standing.play(standing.position().parse_move("a20")?)?;
/// assert_eq!(standing.turn(), Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Standing {
    position: Position,
    /// Colours that have left, as bits.
    gone: u8,
}

impl Standing {
    /// A position that nobody has left.
    pub const fn new(position: Position) -> Standing {
        Standing { position, gone: 0 }
    }

    /// The position. It is the turn of somebody who is still there, unless none of them can place.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The colour to place next; nothing when nobody who is still there can place.
    pub fn turn(&self) -> Option<usize> {
        self.position.turn().filter(|&color| !self.has_left(color))
    }

    /// Whether a colour has left.
    pub const fn has_left(&self, color: usize) -> bool {
        self.gone >> color & 1 != 0
    }

    /// Lets a colour leave for good.
    pub fn leave(&mut self, color: usize) {
        if color < self.position.variant().colors() {
            self.gone |= 1 << color;
            self.pass_over();
        }
    }

    /// Plays a placement of the colour in turn.
    ///
    /// # Errors
    /// The rule that it breaks; nothing has changed then.
    pub fn play(&mut self, placement: crate::Placement) -> Result<(), crate::Refusal> {
        if self.turn().is_none() {
            return Err(crate::Refusal::GameOver);
        }
        self.position.play(placement)?;
        self.pass_over();
        Ok(())
    }

    /// Gives the turn of a colour that has left to the next that is there and can place.
    fn pass_over(&mut self) {
        let colors = self.position.variant().colors();
        let Some(turn) = self.position.turn() else { return };
        let around = (0..colors).map(|step| (turn + step) % colors);
        let next = around.filter(|&color| !self.has_left(color));
        if let Some(position) = next.filter_map(|color| self.position.with_turn(color)).next() {
            self.position = position;
        }
    }
}
