//! Former names, for one release.

use crate::{Animation, Overlay, Picture, PlacedPiece, Seat, SeatColors, SeatInfo, Tint};

/// The former name of [`Animation`].
#[deprecated(note = "renamed to `Animation`")]
pub type Film = Animation;

/// The former name of [`Overlay`].
#[deprecated(note = "renamed to `Overlay`")]
pub type Wash = Overlay;

/// The former name of [`SeatColors`].
#[deprecated(note = "renamed to `SeatColors`")]
pub type Tints = SeatColors;

/// The former name of [`PlacedPiece`].
#[deprecated(note = "renamed to `PlacedPiece`")]
pub type Man = PlacedPiece;

/// The former name of [`SeatInfo`].
#[deprecated(note = "renamed to `SeatInfo`")]
pub type Place = SeatInfo;

/// The former name of [`gray`](crate::gray).
#[deprecated(note = "renamed to `gray`")]
pub fn grey() -> Tint {
    crate::gray()
}

impl Picture {
    /// The former name of [`Picture::piece`].
    #[deprecated(note = "renamed to `piece`")]
    pub fn man(&mut self, square: impl Into<String>, piece: char, seat: Seat) -> &mut Picture {
        self.piece(square, piece, seat)
    }
}
