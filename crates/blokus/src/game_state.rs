//! The state of a game from which colors can withdraw.

use fourfold_common::ensure;

use crate::{Color, Position};

/// The state of a game from which colors can withdraw: their turns are skipped, and the other
/// colors play on. The rules do not provide for this, so a [`Position`] does not record it.
///
/// ```
/// use fourfold_blokus::{Color, GameState, Position, Variant};
///
/// let mut game = GameState::new(Position::start(Variant::CLASSIC));
/// game.withdraw(Color::ALL[1]);
/// game.play(game.position().parse_move("a20")?)?;
/// assert_eq!(game.turn(), Some(Color::ALL[2]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct GameState {
    position: Position,
    /// The colors that have withdrawn, as bits.
    withdrawn: u8,
}

impl GameState {
    /// Returns the state of a game from which no color has withdrawn.
    pub const fn new(position: Position) -> GameState {
        GameState { position, withdrawn: 0 }
    }

    /// Returns the position. Its color to move has not withdrawn, unless none of the remaining
    /// colors can place a piece.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the color to move, or `None` if none of the remaining colors can place a piece.
    pub fn turn(&self) -> Option<Color> {
        self.position.turn().filter(|&color| !self.has_withdrawn(color))
    }

    /// Returns whether a color has withdrawn.
    pub const fn has_withdrawn(&self, color: Color) -> bool {
        self.withdrawn & color.bit() != 0
    }

    /// Withdraws a color from the rest of the game.
    pub fn withdraw(&mut self, color: Color) {
        self.withdrawn |= color.bit();
        self.skip_withdrawn();
    }

    /// Plays a placement of the color to move.
    ///
    /// # Errors
    /// Returns the rule that the placement breaks. The state is then unchanged.
    pub fn play(&mut self, placement: crate::Placement) -> Result<(), crate::Refusal> {
        ensure!(self.turn().is_some(), crate::Refusal::GameOver);
        self.position.play(placement)?;
        self.skip_withdrawn();
        Ok(())
    }

    /// If the color to move has withdrawn, passes the turn to the next remaining color that can
    /// place.
    fn skip_withdrawn(&mut self) {
        let colors = self.position.variant().colors().len();
        let Some(turn) = self.position.turn() else { return };
        let around = (0..colors).map(|step| Color::ALL[(turn.index() + step) % colors]);
        let next = around.filter(|&color| !self.has_withdrawn(color));
        if let Some(position) = next.filter_map(|color| self.position.with_turn(color)).next() {
            self.position = position;
        }
    }
}
