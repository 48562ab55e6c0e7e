//! The [`Table`] trait.

use crate::{
    Choice, Declaration, DeclareError, HistoryError, Outcome, PlayError, Played, ReadError, Scene,
    Seat, TagError, TurnError,
};

/// A game with its history. Everything that users type, send or load goes through this interface.
///
/// The history is a line of moves. The first [`ply`](Table::ply) moves are in effect, the others
/// are undone. Undo takes back the latest step, which is a move or a declaration; redo repeats it;
/// a new step discards everything undone. A method that returns an error leaves the table
/// unchanged.
pub trait Table: Send {
    /// Returns the game's id, such as `chess`.
    fn game(&self) -> &'static str;

    /// Returns the names of the seats in seat order, such as `white` and `black`.
    fn seats(&self) -> &[&'static str];

    /// Returns the seats that may move now: one if players take turns, none when the game is over.
    fn acting(&self) -> Vec<Seat>;

    /// Returns the seats that have been eliminated or have withdrawn, even if the game has ended
    /// since.
    fn eliminated(&self) -> Vec<Seat>;

    /// Returns the legal moves of a seat, sorted by code. Empty if the seat may not move now.
    /// [`targets`](crate::targets) groups the moves by square.
    fn choices(&self, seat: Seat) -> Vec<Choice>;

    /// Plays a move for a seat, in either notation of [`Choice`].
    ///
    /// # Errors
    /// Returns an error if the seat may not move now, or if the text is not exactly one legal move.
    fn play_as(&mut self, seat: Seat, text: &str) -> Result<&Played, PlayError>;

    /// Plays a move for the only seat that may move now.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Table::play_as`], and if several seats may move.
    fn play(&mut self, text: &str) -> Result<&Played, PlayError> {
        match (&self.acting()[..], self.outcome()) {
            (&[seat], _) => self.play_as(seat, text),
            (_, Some(outcome)) => Err(TurnError::GameOver(outcome).into()),
            (acting, None) => {
                Err(PlayError::SeatNeeded { text: text.to_owned(), acting: acting.len() })
            }
        }
    }

    /// Returns the error that [`Table::play_as`] would return, or `None` if it would play the move.
    fn refusal(&self, seat: Seat, text: &str) -> Option<PlayError>;

    /// Returns the moves in effect.
    fn played(&self) -> &[Played];

    /// Returns the undone moves, starting with the one that redo would play next.
    fn undone(&self) -> &[Played];

    /// Returns the number of moves in effect.
    fn ply(&self) -> usize {
        self.played().len()
    }

    /// Takes back the latest step, which is a move or a declaration.
    ///
    /// # Errors
    /// Returns an error if no step is in effect.
    fn undo(&mut self) -> Result<(), HistoryError>;

    /// Repeats the step that was taken back last.
    ///
    /// # Errors
    /// Returns an error if no step is undone.
    fn redo(&mut self) -> Result<(), HistoryError>;

    /// Undoes or redoes until `ply` moves are in effect, together with the declarations that follow
    /// the last of them. At the end of the line this includes a declared end.
    ///
    /// # Errors
    /// Returns an error if the line has fewer than `ply` moves.
    fn jump(&mut self, ply: usize) -> Result<(), HistoryError>;

    /// Returns how the game has ended, by its rules or by declaration. `None` while it is in
    /// progress.
    fn outcome(&self) -> Option<Outcome>;

    /// Returns the draw that a seat to move may claim, such as `threefold repetition`.
    fn claimable(&self) -> Option<String>;

    /// Makes a declaration: a draw claim, a resignation, a timeout or an agreed draw.
    ///
    /// # Errors
    /// Returns an error if the game is over, the seat does not exist, or the declaration is not
    /// allowed now.
    fn declare(&mut self, declaration: Declaration) -> Result<(), DeclareError>;

    /// Returns everything that is needed to draw the current state of the game.
    fn scene(&self) -> Scene;

    /// Returns the scene after [`jump`](Table::jump)`(ply)`, without jumping.
    ///
    /// # Errors
    /// Returns an error if the line has fewer than `ply` moves.
    fn scene_at(&self, ply: usize) -> Result<Scene, HistoryError>;

    /// Returns the current position in the game's own notation, such as FEN for chess.
    fn position(&self) -> String;

    /// Returns the position that the line of moves starts from, in the game's own notation.
    fn start(&self) -> String;

    /// Returns a position in the game's own notation and the codes of the moves that lead from it
    /// to the current position. This is what bots receive. It is the start of the line, unless a
    /// player has withdrawn since: a withdrawal is not a move.
    fn situation(&self) -> (String, Vec<String>);

    /// Starts a new game of the same variant from a position in the game's own notation.
    ///
    /// # Errors
    /// Returns an error if the text is not a position that can be played from.
    fn set(&mut self, position: &str) -> Result<(), ReadError>;

    /// Returns the game in the game's own file format, such as PGN for chess. Undone moves are not
    /// included.
    fn export(&self) -> String;

    /// Like [`Table::export`], with what the game itself does not know: a comment for each move,
    /// such as `[%clk 0:05:00]`, and the `Termination` of a game that was not ended by a
    /// declaration. Only PGN has them; other formats leave them out.
    fn export_annotated(&self, comments: &[String], termination: &str) -> String;

    /// Replaces this game with the only game of a file, with all its moves in effect.
    ///
    /// # Errors
    /// Returns an error if the text does not contain exactly one game, or if a move in it is not
    /// legal.
    fn import(&mut self, text: &str) -> Result<(), ReadError>;

    /// Returns the milliseconds left on the player's clock after each move in effect, as far as the
    /// game's file says so: in PGN, by the comment `[%clk 0:05:00]`.
    fn clocks(&self) -> Vec<Option<u64>>;

    /// Returns the names and values of the file's tags, as [`Table::export`] would write them.
    fn tags(&self) -> Vec<(String, String)>;

    /// Sets a tag of the file, such as `White` or `Date`. Control characters in the value are
    /// replaced with spaces.
    ///
    /// # Errors
    /// Returns an error if the name is malformed, or if the tag's value is derived from the game.
    fn set_tag(&mut self, name: &str, value: &str) -> Result<(), TagError>;

    /// Returns an independent copy of the table, for example for a spectator who steps through the
    /// game.
    fn fork(&self) -> Box<dyn Table>;
}
