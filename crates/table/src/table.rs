//! The seam for people.

use crate::{
    Choice, Declaration, DeclareError, HistoryError, Outcome, PlayError, Played, ReadError, Scene,
    Seat, TagError,
};

/// A game as people handle it: whatever is typed, sent or loaded goes through here.
///
/// The game has a line of moves, of which the first [`ply`](Table::ply) are in effect and the others
/// undone. Undo takes back the latest step, be it a move or a declaration; redo does it again; a new
/// step drops what is undone. Every error leaves the table as it was.
pub trait Table: Send {
    /// The game's name: `chess`.
    fn game(&self) -> &'static str;

    /// The names of the seats, in their order: `white`, `black`.
    fn seats(&self) -> &[&'static str];

    /// Who may move now: one seat where players take turns, nobody when the game is over.
    fn acting(&self) -> Vec<Seat>;

    /// The seats that are out of a game which goes on for others, or did.
    fn out(&self) -> Vec<Seat> {
        Vec::new()
    }

    /// The moves that a seat may play now, in the order of their codes. [`targets`](crate::targets)
    /// groups them for a board.
    fn choices(&self, seat: Seat) -> Vec<Choice>;

    /// Plays a seat's move, written as people or as programs write it.
    ///
    /// # Errors
    /// If the seat may not move now, or the text is not one legal move.
    fn play_as(&mut self, seat: Seat, text: &str) -> Result<&Played, PlayError>;

    /// Plays a move of the one seat that may move now.
    ///
    /// # Errors
    /// As [`Table::play_as`], and if several seats may move.
    fn play(&mut self, text: &str) -> Result<&Played, PlayError> {
        match (&self.acting()[..], self.outcome()) {
            (&[seat], _) => self.play_as(seat, text),
            (_, Some(outcome)) => Err(PlayError::GameOver { outcome }),
            (acting, None) => {
                Err(PlayError::SeatNeeded { text: text.to_owned(), acting: acting.len() })
            }
        }
    }

    /// Why a seat's move would not be played now; nothing if it would. This is for those who try a
    /// move before they make it.
    fn refusal(&self, seat: Seat, text: &str) -> Option<PlayError> {
        self.fork().play_as(seat, text).err()
    }

    /// The moves in effect.
    fn played(&self) -> &[Played];

    /// The moves that redo would play again, the next one first.
    fn undone(&self) -> &[Played];

    /// How many moves are in effect.
    fn ply(&self) -> usize {
        self.played().len()
    }

    /// Takes back the latest step, be it a declaration or a move.
    ///
    /// # Errors
    /// If there is none.
    fn undo(&mut self) -> Result<(), HistoryError>;

    /// Does the step again that was taken back last.
    ///
    /// # Errors
    /// If there is none.
    fn redo(&mut self) -> Result<(), HistoryError>;

    /// Undoes or redoes until this many moves are in effect, and what was declared before the next
    /// one. At the end of the line that is a declared end.
    ///
    /// # Errors
    /// If the line is shorter.
    fn jump(&mut self, ply: usize) -> Result<(), HistoryError> {
        let last = self.ply() + self.undone().len();
        if ply > last {
            return Err(HistoryError::NoPly { ply, last });
        }
        while self.ply() > ply {
            self.undo()?;
        }
        while self.redo().is_ok() {
            if self.ply() > ply {
                return self.undo();
            }
        }
        Ok(())
    }

    /// How the game has ended, by its rules or by declaration; nothing while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// The draw that an acting seat may claim: `threefold repetition`.
    fn claimable(&self) -> Option<String>;

    /// Declares what is not a move: a claim, a resignation, a fallen flag, an agreement.
    ///
    /// # Errors
    /// If the game is over, has no such seat, or does not allow it now.
    fn declare(&mut self, declaration: Declaration) -> Result<(), DeclareError>;

    /// All that is needed to draw the game as it stands.
    fn scene(&self) -> Scene;

    /// The position as it stands, in the game's own notation: FEN in chess.
    fn position(&self) -> String;

    /// The position that the line of moves started from, in the game's own notation.
    fn start(&self) -> String {
        let mut first = self.fork();
        first.jump(0).expect("every line has a ply 0");
        first.position()
    }

    /// A position in the game's own notation from which moves alone lead to where the game stands,
    /// and the codes of those moves: what a bot is told. In games that a declaration ends, that is
    /// the start.
    fn situation(&self) -> (String, Vec<String>) {
        (self.start(), self.played().iter().map(|played| played.code.clone()).collect())
    }

    /// Starts a new game from a position in the game's own notation; its variant stays.
    ///
    /// # Errors
    /// If the text is no position that can be played from.
    fn set(&mut self, position: &str) -> Result<(), ReadError>;

    /// The game as a file in the game's own format: PGN in chess. It holds the moves in effect;
    /// undone ones are not part of it.
    fn export(&self) -> String;

    /// Puts the one game of a file in place of this one, with all its moves in effect.
    ///
    /// # Errors
    /// If the text is not one game, or a move in it is not legal.
    fn import(&mut self, text: &str) -> Result<(), ReadError>;

    /// What the file says about the game, by name, as [`Table::export`] would write it.
    fn tags(&self) -> Vec<(String, String)>;

    /// Says something about the game, for its file: `White`, `Date`. Control characters become
    /// spaces.
    ///
    /// # Errors
    /// If the name cannot be written, or its value follows from the game.
    fn set_tag(&mut self, name: &str, value: &str) -> Result<(), TagError>;

    /// A table of its own in the same state, to look around in: watchers step through a copy.
    fn fork(&self) -> Box<dyn Table>;
}

/// Whether a seat may move now.
pub(crate) fn check_turn(table: &dyn Table, seat: Seat) -> Result<(), PlayError> {
    if let Some(outcome) = table.outcome() {
        return Err(PlayError::GameOver { outcome });
    }
    let seats = table.seats();
    let name = *seats.get(seat.index()).ok_or(PlayError::NoSeat { seat, seats: seats.len() })?;
    if table.acting().contains(&seat) { Ok(()) } else { Err(PlayError::NotActing { seat: name }) }
}

/// Whether the game goes on and has the seat that something is declared for, and whether a draw that
/// is claimed is there to claim.
pub(crate) fn check_declaration(
    table: &dyn Table,
    declaration: Declaration,
) -> Result<(), DeclareError> {
    if let Some(outcome) = table.outcome() {
        return Err(DeclareError::GameOver { outcome });
    }
    let seats = table.seats();
    let Some(seat) = declaration.seat() else { return Ok(()) };
    let name = *seats.get(seat.index()).ok_or(DeclareError::NoSeat { seat, seats: seats.len() })?;
    match declaration {
        Declaration::Claim(_) if !table.acting().contains(&seat) => {
            Err(DeclareError::NotActing { seat: name })
        }
        Declaration::Claim(_) if table.claimable().is_none() => {
            Err(DeclareError::NothingToClaim { position: table.position() })
        }
        Declaration::Claim(_)
        | Declaration::Resign(_)
        | Declaration::Flag(_)
        | Declaration::Draw => Ok(()),
    }
}
