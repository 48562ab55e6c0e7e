//! Null moves, with which annotators let a side pass.

use super::Game;
use crate::play::MAX_CLOCK;
use crate::{Color, Move, MoveKind, Position, Role, Square};

impl Move {
    /// A null move, with which an annotator lets a side pass. It is not legal, so
    /// [`Position::play`] rejects it and no list of moves contains it, but a [`Game`] may: use
    /// [`Position::play_recorded`] and [`Position::san_recorded`] for the moves of games.
    pub const NULL: Move = Move::new(Role::King, Square::new(0), Square::new(0), MoveKind::Normal);

    /// Returns whether this is [`Move::NULL`].
    pub const fn is_null(self) -> bool {
        self.from().index() == self.to().index()
    }
}

impl Position {
    /// Plays a move of a [`Game`], which is legal or a null move. A null move counts as a move for
    /// both clocks. A side in check cannot pass: the position is then unchanged.
    ///
    /// ```
    /// use fourfold_chess::{Move, Position};
    /// let mut position = Position::start();
    /// position.play_recorded(position.parse_san("e4")?);
    /// position.play_recorded(Move::NULL);
    /// assert_eq!(position.fen(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2");
    /// # Ok::<(), fourfold_chess::ParseMoveError>(())
    /// ```
    #[inline]
    pub fn play_recorded(&mut self, mv: Move) {
        if !mv.is_null() {
            self.play_unchecked(mv);
        } else if let Some(passed) = self.after_null_move() {
            let round = u16::from(self.turn() == Color::Black);
            *self = Position {
                halfmoves: (self.halfmoves + 1).min(MAX_CLOCK),
                fullmoves: (self.fullmoves + round).min(MAX_CLOCK),
                ..passed
            };
        }
    }

    /// Returns a move of a [`Game`] in standard algebraic notation; `--` for a null move.
    pub fn san_recorded(&self, mv: Move) -> String {
        if mv.is_null() { "--".to_owned() } else { self.san(mv) }
    }

    /// Returns a move of a [`Game`] in UCI notation; `0000` for a null move.
    pub fn uci_recorded(&self, mv: Move) -> String {
        if mv.is_null() { "0000".to_owned() } else { mv.uci(self.variant()) }
    }
}

impl Game {
    /// Returns whether a null move occurs in the main line.
    pub fn has_null_move(&self) -> bool {
        self.moves().any(Move::is_null)
    }
}
