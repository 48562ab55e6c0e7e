//! The caller's buffers, which a step fills in place.

use half::f16;

/// Rows of one length, one for each game.
#[derive(Debug)]
pub struct Rows<'a, T> {
    data: &'a mut [T],
    width: usize,
}

impl<'a, T> Rows<'a, T> {
    /// Rows of `width` values; nothing is written where `data` is empty.
    ///
    /// # Panics
    /// If `data` is not a whole number of rows.
    pub fn new(data: &'a mut [T], width: usize) -> Rows<'a, T> {
        assert!(width == 0 || data.len().is_multiple_of(width), "rows are of one length");
        Rows { data, width }
    }

    /// No rows: nobody wants to know.
    pub fn none() -> Rows<'a, T> {
        Rows { data: &mut [], width: 0 }
    }

    /// How many rows there are; none if nobody wants them.
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
    /// One of the equal parts of a game's row.
    #[inline]
    pub(crate) fn part(&mut self, game: usize, part: usize, parts: usize) -> Option<&mut [T]> {
        let width = self.width / parts;
        self.row(game).map(|row| &mut row[part * width..][..width])
    }
}

impl<T: Copy> Rows<'_, T> {
    /// Writes the only value, or the first values, of a row.
    #[inline]
    pub(crate) fn set(&mut self, game: usize, values: &[T]) {
        if let Some(row) = self.row(game) {
            let count = row.len();
            row.copy_from_slice(&values[..count]);
        }
    }
}

/// Where legal masks go, and in what form.
#[derive(Debug)]
pub enum MaskRows<'a> {
    /// Nowhere.
    None,
    /// Bits, little-endian, with a zero tail.
    Packed(Rows<'a, u8>),
    /// One byte for each action.
    Bool(Rows<'a, bool>),
    /// How many actions are legal, and which; the rest of the row is −1. In a finished game all
    /// actions are allowed, and the row holds the first of them, as many as it has room for.
    Sparse {
        /// How many.
        counts: Rows<'a, i32>,
        /// Which.
        indices: Rows<'a, i32>,
    },
}

/// Where observations go, and in what form. Where all players act, a game's row holds their views one
/// after the other.
#[derive(Debug)]
pub enum ObservationRows<'a> {
    /// Nowhere.
    None,
    /// Planes of bits, and scalars.
    Packed {
        /// The planes.
        planes: Rows<'a, u8>,
        /// The scalars.
        scalars: Rows<'a, f32>,
    },
    /// One byte for each square and channel, and scalars.
    Bytes {
        /// The values, channels last.
        values: Rows<'a, u8>,
        /// The scalars.
        scalars: Rows<'a, f32>,
    },
    /// One half float for each square and channel, and scalars.
    Half {
        /// The values, channels last.
        values: Rows<'a, f16>,
        /// The scalars: few want them beside the channels that show them.
        scalars: Rows<'a, f32>,
    },
    /// One float for each square and channel, and scalars.
    Float {
        /// The values, channels last.
        values: Rows<'a, f32>,
        /// The scalars: few want them beside the channels that show them.
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

/// All that a step can tell; each part only where a buffer is given.
#[derive(Debug)]
pub struct Outputs<'a> {
    /// Legal masks.
    pub mask: MaskRows<'a>,
    /// What the acting player sees, or all players where all act.
    pub observation: ObservationRows<'a>,
    /// What each player got.
    pub rewards: Rows<'a, f32>,
    /// Points of each player.
    pub scores: Rows<'a, f32>,
    /// Who is still in the game.
    pub alive: Rows<'a, bool>,
    /// Whether the rules have ended the game.
    pub terminated: Rows<'a, bool>,
    /// Whether the game was cut off.
    pub truncated: Rows<'a, bool>,
    /// Who acts next; −1 if several do.
    pub current_player: Rows<'a, i32>,
    /// Who has won; −1 for nobody.
    pub winner: Rows<'a, i32>,
    /// Why the game ended, by its index among the endings; −1 if it has not.
    pub ending: Rows<'a, i32>,
    /// Whether the action was legal.
    pub move_valid: Rows<'a, bool>,
    /// Whose action was legal when the step began, and refused when its turn came.
    pub order_refused: Rows<'a, bool>,
}

impl<'a> Outputs<'a> {
    /// Nothing at all.
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

    /// The rows of the first games, and those of the rest.
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

    /// Whether every buffer that is given has this many rows.
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
