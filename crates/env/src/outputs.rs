//! The caller's buffers, which a step fills in place.

use half::f16;

/// A buffer with one row per game, all of the same width.
#[derive(Debug, Default)]
pub struct Rows<'a, T> {
    data: &'a mut [T],
    width: usize,
}

impl<'a, T> Rows<'a, T> {
    /// Wraps `data` as rows of `width` values. If `data` is empty, nothing is written.
    ///
    /// # Panics
    /// Panics if the length of `data` is not a multiple of `width`.
    pub fn new(data: &'a mut [T], width: usize) -> Rows<'a, T> {
        let fits = width == 0 || data.len().is_multiple_of(width);
        assert!(fits, "the length of the data is not a multiple of the width");
        Rows { data, width }
    }

    /// Returns an empty buffer, for an output that is not wanted.
    pub fn none() -> Rows<'a, T> {
        Rows { data: &mut [], width: 0 }
    }

    /// Returns the number of rows, or `None` if the output is not wanted.
    pub(crate) fn count(&self) -> Option<usize> {
        (!self.data.is_empty()).then(|| self.data.len() / self.width)
    }

    /// Keeps the rows of the first `games` games and returns the rest.
    pub(crate) fn split_off(&mut self, games: usize) -> Rows<'a, T> {
        let at = (games * self.width).min(self.data.len());
        let rest = self.data.split_off_mut(at..).unwrap_or_default();
        Rows { data: rest, width: self.width }
    }

    #[inline]
    pub(crate) fn row(&mut self, game: usize) -> Option<&mut [T]> {
        let start = game * self.width;
        if self.data.is_empty() { None } else { Some(&mut self.data[start..start + self.width]) }
    }
}

impl<T> Rows<'_, T> {
    /// Returns one of the `parts` equal parts of a game's row.
    #[inline]
    pub(crate) fn part(&mut self, game: usize, part: usize, parts: usize) -> Option<&mut [T]> {
        let width = self.width / parts;
        self.row(game).map(|row| &mut row[part * width..][..width])
    }
}

impl<T: Copy> Rows<'_, T> {
    /// Fills a game's row with the leading `values`.
    #[inline]
    pub(crate) fn set(&mut self, game: usize, values: &[T]) {
        if let Some(row) = self.row(game) {
            let count = row.len();
            row.copy_from_slice(&values[..count]);
        }
    }
}

/// The buffers and format of legal-action masks.
#[derive(Debug, Default)]
pub enum MaskRows<'a> {
    /// Not wanted.
    #[default]
    None,
    /// One bit per action, lowest bit first, padded with zeros.
    Packed(Rows<'a, u8>),
    /// One `bool` per action.
    Bool(Rows<'a, bool>),
    /// The number of legal actions and their ids, padded with −1. In a finished game all actions
    /// are allowed, and the row holds as many of the first ones as fit.
    Sparse {
        /// The number of legal actions.
        counts: Rows<'a, i32>,
        /// Their ids.
        indices: Rows<'a, i32>,
    },
}

/// The buffers of observations. In simultaneous games, a game's row holds the observations of all
/// players one after another.
#[derive(Debug, Default)]
pub struct ObservationRows<'a> {
    /// The planes, packed or not.
    pub values: ValueRows<'a>,
    /// The scalars. Usually left empty for floats, because channels show them too.
    pub scalars: Rows<'a, f32>,
}

/// The buffer and format of the planes of observations.
#[derive(Debug, Default)]
pub enum ValueRows<'a> {
    /// Not wanted.
    #[default]
    None,
    /// Bit planes.
    Packed(Rows<'a, u8>),
    /// One byte per square and channel, channels last.
    Bytes(Rows<'a, u8>),
    /// One `f16` per square and channel, channels last.
    Half(Rows<'a, f16>),
    /// One `f32` per square and channel, channels last.
    Float(Rows<'a, f32>),
}

impl<'a> ValueRows<'a> {
    fn split_off(&mut self, games: usize) -> ValueRows<'a> {
        match self {
            ValueRows::None => ValueRows::None,
            ValueRows::Packed(rows) => ValueRows::Packed(rows.split_off(games)),
            ValueRows::Bytes(rows) => ValueRows::Bytes(rows.split_off(games)),
            ValueRows::Half(rows) => ValueRows::Half(rows.split_off(games)),
            ValueRows::Float(rows) => ValueRows::Float(rows.split_off(games)),
        }
    }

    fn count(&self) -> Option<usize> {
        match self {
            ValueRows::None => None,
            ValueRows::Packed(rows) | ValueRows::Bytes(rows) => rows.count(),
            ValueRows::Half(rows) => rows.count(),
            ValueRows::Float(rows) => rows.count(),
        }
    }
}

impl<'a> MaskRows<'a> {
    fn split_off(&mut self, games: usize) -> MaskRows<'a> {
        use MaskRows::{Bool, None, Packed, Sparse};
        match self {
            None => None,
            Packed(rows) => Packed(rows.split_off(games)),
            Bool(rows) => Bool(rows.split_off(games)),
            Sparse { counts, indices } => {
                Sparse { counts: counts.split_off(games), indices: indices.split_off(games) }
            }
        }
    }
}

/// All outputs of a step; only those with a buffer are written.
#[derive(Debug, Default)]
pub struct Outputs<'a> {
    /// Legal-action masks.
    pub mask: MaskRows<'a>,
    /// Observation of the acting player, or of all players in simultaneous games.
    pub observation: ObservationRows<'a>,
    /// Reward of each player.
    pub rewards: Rows<'a, f32>,
    /// Score of each player.
    pub scores: Rows<'a, f32>,
    /// Whether each player is still in the game.
    pub alive: Rows<'a, bool>,
    /// Whether the game ended by the rules.
    pub terminated: Rows<'a, bool>,
    /// Whether the game was truncated.
    pub truncated: Rows<'a, bool>,
    /// The player to act next; −1 in simultaneous games.
    pub current_player: Rows<'a, i32>,
    /// The winner; −1 if there is none.
    pub winner: Rows<'a, i32>,
    /// Why the game ended, as an index into [`Spec::endings`](crate::Spec::endings); −1 if it has
    /// not.
    pub ending: Rows<'a, i32>,
    /// Whether the action was legal.
    pub move_valid: Rows<'a, bool>,
    /// For each player, whether the action was legal at the start of the step but refused when
    /// executed.
    pub order_refused: Rows<'a, bool>,
}

impl<'a> Outputs<'a> {
    /// Returns outputs without buffers, so that nothing is written.
    pub fn none() -> Outputs<'a> {
        Outputs::default()
    }

    /// Keeps the rows of the first `games` games and returns the rest.
    pub(crate) fn split_off(&mut self, games: usize) -> Outputs<'a> {
        Outputs {
            mask: self.mask.split_off(games),
            observation: ObservationRows {
                values: self.observation.values.split_off(games),
                scalars: self.observation.scalars.split_off(games),
            },
            rewards: self.rewards.split_off(games),
            scores: self.scores.split_off(games),
            alive: self.alive.split_off(games),
            terminated: self.terminated.split_off(games),
            truncated: self.truncated.split_off(games),
            current_player: self.current_player.split_off(games),
            winner: self.winner.split_off(games),
            ending: self.ending.split_off(games),
            move_valid: self.move_valid.split_off(games),
            order_refused: self.order_refused.split_off(games),
        }
    }

    /// Returns whether every buffer that is given has this many rows.
    pub fn fit(&self, games: usize) -> bool {
        let mask = match &self.mask {
            MaskRows::None => [None, None],
            MaskRows::Packed(rows) => [rows.count(), None],
            MaskRows::Bool(rows) => [rows.count(), None],
            MaskRows::Sparse { counts, indices } => [counts.count(), indices.count()],
        };
        let rest = [
            self.observation.values.count(),
            self.observation.scalars.count(),
            self.rewards.count(),
            self.scores.count(),
            self.alive.count(),
            self.terminated.count(),
            self.truncated.count(),
            self.current_player.count(),
            self.winner.count(),
            self.ending.count(),
            self.move_valid.count(),
            self.order_refused.count(),
        ];
        mask.into_iter().chain(rest).flatten().all(|count| count == games)
    }
}
