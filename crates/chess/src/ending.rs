//! How games end: checkmate, stalemate, insufficient material, move clocks and repetition.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use crate::{Bitboard, Color, Position, Role};

/// Why a game is over, or why a player may claim a draw.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// The side to move is in check and has no legal move.
    Checkmate {
        /// The side that gave checkmate.
        winner: Color,
    },
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// No sequence of moves can lead to checkmate with the remaining pieces.
    InsufficientMaterial,
    /// 75 moves by each side without a capture or a pawn move.
    SeventyFiveMoves,
    /// The position has occurred five times.
    FivefoldRepetition,
    /// 50 moves by each side without a capture or a pawn move: a player may claim a draw.
    FiftyMoves,
    /// The position has occurred three times: a player may claim a draw.
    ThreefoldRepetition,
}

impl Ending {
    /// Returns the winner, or `None` for a draw.
    pub const fn winner(self) -> Option<Color> {
        if let Ending::Checkmate { winner } = self { Some(winner) } else { None }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ending::Checkmate { .. } => "checkmate",
            Ending::Stalemate => "stalemate",
            Ending::InsufficientMaterial => "insufficient material",
            Ending::SeventyFiveMoves => "seventy-five moves",
            Ending::FivefoldRepetition => "fivefold repetition",
            Ending::FiftyMoves => "fifty moves",
            Ending::ThreefoldRepetition => "threefold repetition",
        })
    }
}

impl Position {
    /// Returns the ending that follows from the position alone, if any. Repetition needs a
    /// [`History`].
    pub fn ending(&self) -> Option<Ending> {
        if !self.has_legal_move() {
            return Some(if self.is_check() {
                Ending::Checkmate { winner: !self.turn() }
            } else {
                Ending::Stalemate
            });
        }
        if self.is_insufficient_material() {
            return Some(Ending::InsufficientMaterial);
        }
        (self.halfmoves() >= 150).then_some(Ending::SeventyFiveMoves)
    }

    /// Returns whether no sequence of moves can lead to checkmate with the remaining pieces: bare
    /// kings, a single knight, or only bishops on squares of one color.
    pub fn is_insufficient_material(&self) -> bool {
        const DARK: Bitboard = Bitboard::from_words([0xaa55_aa55_aa55_aa55]);
        let board = self.board();
        let heavy = board.role(Role::Pawn) | board.role(Role::Rook) | board.role(Role::Queen);
        let (knights, bishops) = (board.role(Role::Knight), board.role(Role::Bishop));
        if heavy.any() {
            return false;
        }
        if knights.any() {
            return bishops.is_empty() && !knights.more_than_one();
        }
        !bishops.intersects(DARK) || !bishops.intersects(!DARK)
    }
}

/// The Zobrist keys of all positions of a game so far, for detecting repetition.
///
/// ```
/// use fourfold_chess::{Ending, History, Position};
///
/// let mut position = Position::start();
/// let mut history = History::new(&position);
/// for text in ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"] {
///     position.play(position.parse_san(text)?)?;
///     history.push(&position);
/// }
/// assert_eq!(history.claim(&position), Some(Ending::ThreefoldRepetition));
/// assert_eq!(history.ending(&position), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct History {
    keys: Vec<u64>,
}

impl History {
    /// Creates the history of a game that starts from this position.
    pub fn new(start: &Position) -> History {
        History { keys: vec![start.key()] }
    }

    /// Returns the keys of all positions, the start first.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Appends the position after a move.
    pub fn push(&mut self, position: &Position) {
        self.keys.push(position.key());
    }

    /// Removes the latest position. The start position always stays.
    pub fn pop(&mut self) {
        if self.keys.len() > 1 {
            self.keys.pop();
        }
    }

    /// Returns how often `position`, which must be the latest one, has occurred: at least once.
    pub fn occurrences(&self, position: &Position) -> usize {
        debug_assert_eq!(self.keys.last(), Some(&position.key()), "a position was not pushed");
        // Captures and pawn moves are irreversible, so older positions cannot be the same.
        let reversible = position.halfmoves() as usize + 1;
        let recent = self.keys.iter().rev().take(reversible).step_by(2);
        recent.filter(|&&key| Some(&key) == self.keys.last()).count()
    }

    /// Returns the ending if the game is over in its latest position, without any claim.
    pub fn ending(&self, position: &Position) -> Option<Ending> {
        position
            .ending()
            .or_else(|| (self.occurrences(position) >= 5).then_some(Ending::FivefoldRepetition))
    }

    /// Returns the draw that a player may claim in the latest position, if any.
    pub fn claim(&self, position: &Position) -> Option<Ending> {
        if self.occurrences(position) >= 3 {
            return Some(Ending::ThreefoldRepetition);
        }
        let fifty = position.halfmoves() >= 100 && position.has_legal_move();
        fifty.then_some(Ending::FiftyMoves)
    }
}
