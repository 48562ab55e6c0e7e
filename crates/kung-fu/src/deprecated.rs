//! Former names, for one release.

use alloc::vec::Vec;

use crate::{
    Board, CreateError, DrawRefusal, EventKind, Game, Order, Piece, PlacedPiece, Player, Players,
    Refusal, ResignRefusal, Role, Rules, SnapshotError,
};

/// The former name of [`Role`].
#[deprecated(note = "renamed to `Role`")]
pub type Kind = Role;

/// The former name of [`PlacedPiece`].
#[deprecated(note = "renamed to `PlacedPiece`")]
pub type Man = PlacedPiece;

/// The former name of [`EventKind`].
#[deprecated(note = "renamed to `EventKind`")]
pub type What = EventKind;

/// The former name of [`ParseRulesError`](crate::ParseRulesError).
#[deprecated(note = "renamed to `ParseRulesError`")]
pub type UnknownRule = crate::ParseRulesError;

/// The former name of [`PlayerAction`](crate::PlayerAction).
#[deprecated(note = "renamed to `PlayerAction`")]
pub type Act = crate::PlayerAction;

/// The former name of [`EliminatedPieces`](crate::EliminatedPieces).
#[deprecated(note = "renamed to `EliminatedPieces`")]
pub type Eliminated = crate::EliminatedPieces;

/// The former name of [`Timing`](crate::Timing).
#[deprecated(note = "renamed to `Timing`")]
pub type Speed = crate::Timing;

impl Board {
    /// The former name of [`Self::players`].
    #[deprecated(note = "renamed to `players`")]
    pub const fn seats(self) -> Players {
        self.players()
    }
}

#[expect(non_upper_case_globals, reason = "these are former names of variants")]
impl Refusal {
    /// The former name of [`Self::NotPlaying`].
    #[deprecated(note = "renamed to `NotPlaying`")]
    pub const NotSeated: Refusal = Refusal::NotPlaying;
    /// The former name of [`Self::NotYourPiece`].
    #[deprecated(note = "renamed to `NotYourPiece`")]
    pub const NotYours: Refusal = Refusal::NotYourPiece;
}

#[expect(non_upper_case_globals, reason = "this is the former name of a variant")]
impl ResignRefusal {
    /// The former name of [`Self::NotPlaying`].
    #[deprecated(note = "renamed to `NotPlaying`")]
    pub const NotSeated: ResignRefusal = ResignRefusal::NotPlaying;
}

#[expect(non_upper_case_globals, reason = "this is the former name of a variant")]
impl DrawRefusal {
    /// The former name of [`Self::NotPlaying`].
    #[deprecated(note = "renamed to `NotPlaying`")]
    pub const NotSeated: DrawRefusal = DrawRefusal::NotPlaying;
}

impl Piece {
    /// The former name of [`Self::is_alive`].
    #[deprecated(note = "renamed to `is_alive`")]
    pub const fn is_there(&self) -> bool {
        self.is_alive()
    }

    /// The former name of [`Self::role`].
    #[deprecated(note = "renamed to `role`")]
    pub const fn kind(&self) -> Role {
        self.role()
    }
}

impl Game {
    /// The former name of [`Self::from_text`].
    ///
    /// # Errors
    /// See [`Self::from_text`].
    #[deprecated(note = "renamed to `from_text`")]
    pub fn read(rules: Rules, text: &str) -> Result<Game, SnapshotError> {
        Game::from_text(rules, text)
    }

    /// The former name of [`Self::legal_orders_into`].
    #[deprecated(note = "renamed to `legal_orders_into`")]
    pub fn legal_orders(&self, player: Player, list: &mut Vec<Order>) {
        self.legal_orders_into(player, list);
    }

    /// The former name of [`Self::eliminated`].
    #[deprecated(note = "renamed to `eliminated`")]
    pub const fn out(&self) -> Players {
        self.eliminated()
    }

    /// The former name of [`Self::with_pieces`].
    ///
    /// # Errors
    /// See [`Self::with_pieces`].
    #[deprecated(note = "renamed to `with_pieces`")]
    pub fn with_men(rules: Rules, pieces: &[PlacedPiece]) -> Result<Game, CreateError> {
        Game::with_pieces(rules, pieces)
    }
}
