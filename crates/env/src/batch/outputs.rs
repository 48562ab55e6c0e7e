//! The caller's buffers, which a step fills in place.

use half::f16;

use crate::game::{Stage, Status};

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
        // Only 0 is a multiple of 0.
        let fits = data.len().is_multiple_of(width);
        assert!(fits, "the length of the data is not a multiple of the width");
        Rows { data, width }
    }

    /// Returns an empty buffer, for an output that is not wanted.
    pub fn none() -> Rows<'a, T> {
        Rows { data: &mut [], width: 0 }
    }

    /// Returns whether there is one row for each game, or the output is not wanted.
    pub(crate) fn fit(&self, games: usize) -> bool {
        self.data.is_empty() || self.data.len() / self.width == games
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

    fn fit(&self, games: usize) -> bool {
        match self {
            ValueRows::None => true,
            ValueRows::Packed(rows) | ValueRows::Bytes(rows) => rows.fit(games),
            ValueRows::Half(rows) => rows.fit(games),
            ValueRows::Float(rows) => rows.fit(games),
        }
    }
}

impl<'a> ObservationRows<'a> {
    pub(crate) fn split_off(&mut self, games: usize) -> ObservationRows<'a> {
        let ObservationRows { values, scalars } = self;
        ObservationRows { values: values.split_off(games), scalars: scalars.split_off(games) }
    }

    pub(crate) fn fit(&self, games: usize) -> bool {
        self.values.fit(games) && self.scalars.fit(games)
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

    fn fit(&self, games: usize) -> bool {
        match self {
            MaskRows::None => true,
            MaskRows::Packed(rows) => rows.fit(games),
            MaskRows::Bool(rows) => rows.fit(games),
            MaskRows::Sparse { counts, indices } => counts.fit(games) && indices.fit(games),
        }
    }
}

/// Declares the outputs, and what is done with all of them.
macro_rules! outputs {
    ($($(#[$about:meta])* $name:ident: $rows:ident$(<$value:ty>)?,)+) => {
        /// All outputs of a step; only those with a buffer are written.
        #[derive(Debug, Default)]
        pub struct Outputs<'a> {
            $($(#[$about])* pub $name: $rows<'a $(, $value)?>,)+
        }

        impl<'a> Outputs<'a> {
            /// Returns outputs without buffers, so that nothing is written.
            pub fn none() -> Outputs<'a> {
                Outputs::default()
            }

            /// Keeps the rows of the first `games` games and returns the rest.
            pub(crate) fn split_off(&mut self, games: usize) -> Outputs<'a> {
                Outputs { $($name: self.$name.split_off(games),)+ }
            }

            /// Returns whether every buffer that is given has this many rows.
            pub fn fit(&self, games: usize) -> bool {
                $(self.$name.fit(games))&&+
            }
        }
    };
}

outputs! {
    /// Legal-action masks.
    mask: MaskRows,
    /// Observation of the acting player, or of all players in simultaneous games.
    observation: ObservationRows,
    /// Reward of each player.
    rewards: Rows<f32>,
    /// Score of each player.
    scores: Rows<f32>,
    /// Whether each player is still in the game.
    alive: Rows<bool>,
    /// Whether the game ended by the rules.
    terminated: Rows<bool>,
    /// Whether the game was truncated.
    truncated: Rows<bool>,
    /// The player to act next; −1 in simultaneous games.
    current_player: Rows<i32>,
    /// The winner; −1 if there is none.
    winner: Rows<i32>,
    /// Why the game ended, as an index into [`AnyBatch::endings`](crate::AnyBatch::endings); −1 if
    /// it has not.
    ending: Rows<i32>,
    /// Whether the action was legal.
    move_valid: Rows<bool>,
    /// For each player, whether the action was legal at the start of the step but refused when
    /// executed.
    order_refused: Rows<bool>,
}

impl Outputs<'_> {
    /// Writes the outputs that follow from the status of a game after a step.
    #[inline(always)]
    pub(crate) fn set_results(&mut self, index: usize, status: &Status, valid: bool) {
        self.rewards.set(index, &status.rewards);
        self.scores.set(index, &status.scores);
        self.alive.set(index, &status.alive);
        self.terminated.set(index, &[status.stage == Stage::Terminated]);
        self.truncated.set(index, &[status.stage == Stage::Truncated]);
        self.winner.set(index, &[status.winner.map_or(-1, i32::from)]);
        self.ending.set(index, &[status.ending.map_or(-1, i32::from)]);
        self.move_valid.set(index, &[valid]);
        self.order_refused.set(index, &status.refused);
    }
}
