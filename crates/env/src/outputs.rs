//! The caller's buffers, which a step fills in place.

use half::f16;

/// A buffer with one row per game, all of the same width.
#[derive(Debug)]
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

    pub(crate) fn split(self, games: usize) -> (Rows<'a, T>, Rows<'a, T>) {
        let at = (games * self.width).min(self.data.len());
        let (left, right) = self.data.split_at_mut(at);
        (Rows { data: left, width: self.width }, Rows { data: right, width: self.width })
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
#[derive(Debug)]
pub enum MaskRows<'a> {
    /// Not wanted.
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

/// The buffers and format of observations. In simultaneous games, a game's row holds the
/// observations of all players one after another.
#[derive(Debug)]
pub enum ObservationRows<'a> {
    /// Not wanted.
    None,
    /// Bit planes and scalars.
    Packed {
        /// The packed planes.
        planes: Rows<'a, u8>,
        /// The scalars.
        scalars: Rows<'a, f32>,
    },
    /// One byte per square and channel, and scalars.
    Bytes {
        /// The values, channels last.
        values: Rows<'a, u8>,
        /// The scalars.
        scalars: Rows<'a, f32>,
    },
    /// One `f16` per square and channel, and scalars.
    Half {
        /// The values, channels last.
        values: Rows<'a, f16>,
        /// The scalars. Usually left empty, because channels show them too.
        scalars: Rows<'a, f32>,
    },
    /// One `f32` per square and channel, and scalars.
    Float {
        /// The values, channels last.
        values: Rows<'a, f32>,
        /// The scalars. Usually left empty, because channels show them too.
        scalars: Rows<'a, f32>,
    },
}

impl<'a> ObservationRows<'a> {
    fn split(self, games: usize) -> (ObservationRows<'a>, ObservationRows<'a>) {
        match self {
            ObservationRows::None => (ObservationRows::None, ObservationRows::None),
            ObservationRows::Packed { planes, scalars } => {
                let (planes, scalars) = (planes.split(games), scalars.split(games));
                (
                    ObservationRows::Packed { planes: planes.0, scalars: scalars.0 },
                    ObservationRows::Packed { planes: planes.1, scalars: scalars.1 },
                )
            }
            ObservationRows::Bytes { values, scalars } => {
                let (values, scalars) = (values.split(games), scalars.split(games));
                (
                    ObservationRows::Bytes { values: values.0, scalars: scalars.0 },
                    ObservationRows::Bytes { values: values.1, scalars: scalars.1 },
                )
            }
            ObservationRows::Half { values, scalars } => {
                let (values, scalars) = (values.split(games), scalars.split(games));
                (
                    ObservationRows::Half { values: values.0, scalars: scalars.0 },
                    ObservationRows::Half { values: values.1, scalars: scalars.1 },
                )
            }
            ObservationRows::Float { values, scalars } => {
                let (values, scalars) = (values.split(games), scalars.split(games));
                (
                    ObservationRows::Float { values: values.0, scalars: scalars.0 },
                    ObservationRows::Float { values: values.1, scalars: scalars.1 },
                )
            }
        }
    }
}

impl<'a> MaskRows<'a> {
    fn split(self, games: usize) -> (MaskRows<'a>, MaskRows<'a>) {
        match self {
            MaskRows::None => (MaskRows::None, MaskRows::None),
            MaskRows::Packed(rows) => {
                let (left, right) = rows.split(games);
                (MaskRows::Packed(left), MaskRows::Packed(right))
            }
            MaskRows::Bool(rows) => {
                let (left, right) = rows.split(games);
                (MaskRows::Bool(left), MaskRows::Bool(right))
            }
            MaskRows::Sparse { counts, indices } => {
                let (counts, indices) = (counts.split(games), indices.split(games));
                (
                    MaskRows::Sparse { counts: counts.0, indices: indices.0 },
                    MaskRows::Sparse { counts: counts.1, indices: indices.1 },
                )
            }
        }
    }
}

/// All outputs of a step; only those with a buffer are written.
#[derive(Debug)]
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
        Outputs {
            mask: MaskRows::None,
            observation: ObservationRows::None,
            rewards: Rows::none(),
            scores: Rows::none(),
            alive: Rows::none(),
            terminated: Rows::none(),
            truncated: Rows::none(),
            current_player: Rows::none(),
            winner: Rows::none(),
            ending: Rows::none(),
            move_valid: Rows::none(),
            order_refused: Rows::none(),
        }
    }

    /// Splits into the rows of the first `games` games and the rest.
    pub(crate) fn split(self, games: usize) -> (Outputs<'a>, Outputs<'a>) {
        let mask = self.mask.split(games);
        let observation = self.observation.split(games);
        let rewards = self.rewards.split(games);
        let scores = self.scores.split(games);
        let alive = self.alive.split(games);
        let terminated = self.terminated.split(games);
        let truncated = self.truncated.split(games);
        let current_player = self.current_player.split(games);
        let winner = self.winner.split(games);
        let ending = self.ending.split(games);
        let move_valid = self.move_valid.split(games);
        let order_refused = self.order_refused.split(games);
        (
            Outputs {
                mask: mask.0,
                observation: observation.0,
                rewards: rewards.0,
                scores: scores.0,
                alive: alive.0,
                terminated: terminated.0,
                truncated: truncated.0,
                current_player: current_player.0,
                winner: winner.0,
                ending: ending.0,
                move_valid: move_valid.0,
                order_refused: order_refused.0,
            },
            Outputs {
                mask: mask.1,
                observation: observation.1,
                rewards: rewards.1,
                scores: scores.1,
                alive: alive.1,
                terminated: terminated.1,
                truncated: truncated.1,
                current_player: current_player.1,
                winner: winner.1,
                ending: ending.1,
                move_valid: move_valid.1,
                order_refused: order_refused.1,
            },
        )
    }

    /// Returns whether every buffer that is given has this many rows.
    pub fn fit(&self, games: usize) -> bool {
        let mask = match &self.mask {
            MaskRows::None => [None, None],
            MaskRows::Packed(rows) => [rows.count(), None],
            MaskRows::Bool(rows) => [rows.count(), None],
            MaskRows::Sparse { counts, indices } => [counts.count(), indices.count()],
        };
        let observation = match &self.observation {
            ObservationRows::None => [None, None],
            ObservationRows::Packed { planes, scalars } => [planes.count(), scalars.count()],
            ObservationRows::Bytes { values, scalars } => [values.count(), scalars.count()],
            ObservationRows::Half { values, scalars } => [values.count(), scalars.count()],
            ObservationRows::Float { values, scalars } => [values.count(), scalars.count()],
        };
        let rest = [
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
        mask.into_iter().chain(observation).chain(rest).flatten().all(|count| count == games)
    }
}
