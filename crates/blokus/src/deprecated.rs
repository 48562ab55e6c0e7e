//! Former names, for one release.

use alloc::string::String;
use alloc::vec::Vec;

use crate::{
    Color, GameState, MAX_PIECE_SIZE, Orientation, Piece, Placement, PlacementList, PlacementSink,
    Player, Position, Variant,
};

/// The former name of [`GameState`].
#[deprecated(note = "renamed to `GameState`")]
pub type Standing = GameState;

/// The former name of [`MAX_PIECE_SIZE`].
#[deprecated(note = "renamed to `MAX_PIECE_SIZE`")]
pub const LARGEST: usize = MAX_PIECE_SIZE;

/// The former name of [`CellSet`](crate::CellSet).
#[deprecated(note = "renamed to `CellSet`")]
pub type Rows = crate::CellSet;

impl Position {
    /// The former name of [`Self::legal_moves`].
    #[deprecated(note = "renamed to `legal_moves`")]
    pub fn legal(&self) -> Vec<Placement> {
        self.legal_moves()
    }

    /// The former name of [`Self::legal_moves_into`].
    #[deprecated(note = "renamed to `legal_moves_into`")]
    pub fn legal_into(&self, list: &mut PlacementList) {
        self.legal_moves_into(list);
    }

    /// The former name of [`Self::any_legal_move`].
    #[deprecated(note = "renamed to `any_legal_move`")]
    pub fn some_legal(&self, color: Color) -> Option<Placement> {
        self.any_legal_move(color)
    }

    /// The former name of [`Self::generate`].
    #[deprecated(note = "renamed to `generate`")]
    pub fn collect<S: PlacementSink>(&self, color: Color, sink: &mut S) {
        self.generate(color, sink);
    }

    /// The former name of [`Self::generate_inline`].
    #[deprecated(note = "renamed to `generate_inline`")]
    #[inline(always)]
    pub fn legal_rows<S: PlacementSink>(&self, color: Color, sink: &mut S) {
        self.generate_inline(color, sink);
    }

    /// The former name of [`Self::remaining`].
    #[deprecated(note = "renamed to `remaining`")]
    pub fn left(&self, color: Color) -> impl Iterator<Item = Piece> + '_ {
        self.remaining(color)
    }

    /// The former name of [`Self::is_eliminated`].
    #[deprecated(note = "renamed to `is_eliminated`")]
    pub fn is_out(&self, color: Color) -> bool {
        self.is_eliminated(color)
    }

    /// The former name of [`Self::player_to_move`].
    #[deprecated(note = "renamed to `player_to_move`")]
    pub fn mover(&self) -> Option<Player> {
        self.player_to_move()
    }
}

impl Variant {
    /// The former name of [`Self::placing_player`].
    #[deprecated(note = "renamed to `placing_player`")]
    pub const fn mover(self, color: Color, placed: usize) -> Player {
        self.placing_player(color, placed)
    }
}

impl Piece {
    /// The former name of [`Self::index`].
    #[deprecated(note = "renamed to `index`")]
    pub const fn number(self) -> usize {
        self.index()
    }
}

impl Orientation {
    /// The former name of [`Self::from_index`].
    #[deprecated(note = "renamed to `from_index`")]
    pub const fn numbered(index: usize) -> &'static Orientation {
        Orientation::from_index(index)
    }
}

impl Placement {
    /// The former name of [`Self::to_text`].
    #[deprecated(note = "renamed to `to_text`")]
    pub fn text(self, size: usize) -> String {
        self.to_text(size)
    }
}

#[cfg(feature = "std")]
impl crate::sgf::Game {
    /// The former name of [`Self::variant_name`].
    #[deprecated(note = "renamed to `variant_name`")]
    pub fn kind(&self) -> String {
        self.variant_name()
    }
}
