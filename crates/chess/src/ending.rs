//! How games end: mate, stalemate, dead positions, clocks and repetition.

use std::fmt;

use crate::{Bitboard, Color, Position, Role};

/// Why a game is over, or may be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// The side to move is in check and has no legal move.
    Checkmate {
        /// Who wins.
        winner: Color,
    },
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// No sequence of moves leads to mate with the men that are left.
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
    /// Who has won; nobody in a draw.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Ending::Checkmate { winner } => Some(winner),
            Ending::Stalemate
            | Ending::InsufficientMaterial
            | Ending::SeventyFiveMoves
            | Ending::FivefoldRepetition
            | Ending::FiftyMoves
            | Ending::ThreefoldRepetition => None,
        }
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
    /// Whether the position alone ends the game; repetition needs a [`History`].
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

    /// Whether nobody can ever mate with the men that are left: bare kings, one knight, or bishops
    /// that all stand on squares of one colour.
    pub fn is_insufficient_material(&self) -> bool {
        const DARK: Bitboard = Bitboard::from_words([0xaa55_aa55_aa55_aa55]);
        let board = self.board();
        let heavy = board.role(Role::Pawn) | board.role(Role::Rook) | board.role(Role::Queen);
        let (knights, bishops) = (board.role(Role::Knight), board.role(Role::Bishop));
        if heavy.any() {
            return false;
        }
        if knights.any() {
            return bishops.is_empty() && !knights.has_several();
        }
        !bishops.meets(DARK) || !bishops.meets(!DARK)
    }
}

/// The positions of a game so far, by their keys: what repetition asks for.
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
    /// The history of a game that starts here.
    pub fn new(start: &Position) -> History {
        History { keys: vec![start.key()] }
    }

    /// The keys of its positions, the start first.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Adds the position after a move.
    pub fn push(&mut self, position: &Position) {
        self.keys.push(position.key());
    }

    /// Forgets the latest position; the start stays.
    pub fn pop(&mut self) {
        if self.keys.len() > 1 {
            self.keys.pop();
        }
    }

    /// How often the latest position, which is this one, has occurred: at least once.
    pub fn occurrences(&self, position: &Position) -> usize {
        debug_assert_eq!(self.keys.last(), Some(&position.key()), "a position was not pushed");
        // Captures and pawn moves cannot be taken back, so older positions are other ones.
        let reversible = position.halfmoves() as usize + 1;
        let recent = self.keys.iter().rev().take(reversible).step_by(2);
        recent.filter(|&&key| Some(&key) == self.keys.last()).count()
    }

    /// Whether the game is over in its latest position, without anybody's claim.
    pub fn ending(&self, position: &Position) -> Option<Ending> {
        position
            .ending()
            .or_else(|| (self.occurrences(position) >= 5).then_some(Ending::FivefoldRepetition))
    }

    /// The draw that a player may claim in the latest position.
    pub fn claim(&self, position: &Position) -> Option<Ending> {
        if self.occurrences(position) >= 3 {
            return Some(Ending::ThreefoldRepetition);
        }
        let fifty = position.halfmoves() >= 100 && position.has_legal_move();
        fifty.then_some(Ending::FiftyMoves)
    }
}
