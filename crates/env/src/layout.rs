//! What observations look like, and how packed ones are unfolded.

use bytemuck::Pod;
use fourfold_board::cpu;
use half::f16;

use crate::game::ArraySpec;

/// The shape of an observation and what its channels are.
///
/// A game writes planes of bits, one after another, each row by row from the top, `ceil(width / 8)`
/// bytes a row, bit 0 first; and scalars, each of which stands for a plane of one value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Rows.
    pub height: usize,
    /// Columns.
    pub width: usize,
    /// What each channel shows, in order.
    pub channels: Vec<Channel>,
    /// How many planes of bits there are.
    pub planes: usize,
    /// How many scalars there are.
    pub scalars: usize,
    /// What the first of the scalars are where no channel shows them: an array that comes beside the
    /// planes, in every form.
    pub beside: Option<ArraySpec>,
}

/// What a channel shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Channel {
    /// A plane of bits, by its index.
    Plane(usize),
    /// One value on every square, by its index among the scalars.
    Scalar(usize),
    /// Numbers on single squares, which the game [works out](crate::Game::paint) from the scalars; 0
    /// elsewhere, and everywhere in forms of whole numbers.
    Numbers,
}

impl Layout {
    /// How many of the scalars come as an array of their own.
    pub fn beside_len(&self) -> usize {
        self.beside.map_or(0, |array| array.shape.iter().product())
    }

    /// Bytes in a packed plane.
    pub const fn plane_bytes(&self) -> usize {
        self.height * self.width.div_ceil(8)
    }

    /// Bytes in all packed planes.
    pub const fn packed_bytes(&self) -> usize {
        self.planes * self.plane_bytes()
    }

    /// Values in an unfolded observation.
    pub fn values(&self) -> usize {
        self.height * self.width * self.channels.len()
    }

    /// Unfolds planes and scalars to one value for each square and channel, channels last. Numbers on
    /// single squares are left to the game.
    pub fn unfold<T: Value>(&self, planes: &[u8], scalars: &[f32], out: &mut [T]) {
        let channels = self.channels.len();
        let plane_bytes = self.plane_bytes();
        // Most planes are all of one value: they make a pattern that every square starts from. It is
        // doubled until it covers the board, so that each byte is written by a large copy.
        for (index, channel) in self.channels.iter().enumerate() {
            out[index] = match *channel {
                Channel::Scalar(scalar) => T::from_scalar(scalars[scalar]),
                Channel::Plane(plane) if self.is_full(&planes[plane * plane_bytes..]) => T::ONE,
                Channel::Plane(_) | Channel::Numbers => T::ZERO,
            };
        }
        let mut covered = channels;
        while covered < out.len() {
            let more = covered.min(out.len() - covered);
            out.copy_within(..more, covered);
            covered += more;
        }
        for (index, channel) in self.channels.iter().enumerate() {
            if let Channel::Plane(plane) = *channel {
                let plane = &planes[plane * plane_bytes..][..plane_bytes];
                if !self.is_full(plane) {
                    self.mark(plane, |square| out[square * channels + index] = T::ONE);
                }
            }
        }
    }

    /// As [`Layout::unfold`], for an `out` that nobody here reads again soon: the values are made in
    /// a scratch that stays in the cache, painted there, and go past it from there.
    #[inline(always)]
    pub(crate) fn unfold_past<T: Value>(
        &self,
        planes: &[u8],
        scalars: &[f32],
        scratch: &mut Scratch,
        paint: impl FnOnce(&mut [T]),
        out: &mut [T],
    ) {
        match bytemuck::cast_slice_mut::<u32, T>(&mut scratch.0).get_mut(..out.len()) {
            Some(scratch) => {
                self.unfold(planes, scalars, scratch);
                paint(scratch);
                cpu::stream(bytemuck::cast_slice(scratch), bytemuck::cast_slice_mut(out));
            }
            None => {
                self.unfold(planes, scalars, out);
                paint(out);
            }
        }
    }

    /// Calls `mark` with the index of every square that is set in a plane.
    #[inline(always)]
    fn mark(&self, plane: &[u8], mut mark: impl FnMut(usize)) {
        if let (8, Ok(rows)) = (self.width, plane.try_into()) {
            let mut rest = u64::from_le_bytes(rows);
            while rest != 0 {
                mark(rest.trailing_zeros() as usize);
                rest &= rest - 1;
            }
            return;
        }
        let row_bytes = self.width.div_ceil(8);
        for (index, &byte) in plane.iter().enumerate() {
            let first = index / row_bytes * self.width + index % row_bytes * 8;
            let mut rest = byte;
            while rest != 0 {
                mark(first + rest.trailing_zeros() as usize);
                rest &= rest - 1;
            }
        }
    }

    /// Whether all squares are set in the plane that these bytes begin with.
    #[inline(always)]
    fn is_full(&self, bytes: &[u8]) -> bool {
        if let (8, Some(rows)) = (self.width * self.height / 8, bytes.first_chunk()) {
            return self.width == 8 && u64::from_le_bytes(*rows) == u64::MAX;
        }
        let last = match self.width % 8 {
            0 => 0xff,
            bits => (1u8 << bits) - 1,
        };
        let rows = bytes[..self.plane_bytes()].chunks_exact(self.width.div_ceil(8));
        rows.into_iter().all(|row| {
            row.split_last()
                .is_some_and(|(end, full)| *end == last && full.iter().all(|&byte| byte == 0xff))
        })
    }
}

/// The values of the largest observation that is known here: 68 channels of 12 by 12.
const SCRATCH: usize = 68 * 12 * 12;

/// Room for one unfolded observation, if it is not too large.
pub(crate) struct Scratch([u32; SCRATCH]);

impl Scratch {
    pub(crate) const EMPTY: Scratch = Scratch([0; SCRATCH]);
}

/// A number type that observations can be unfolded to.
pub trait Value: Pod {
    /// No.
    const ZERO: Self;
    /// Yes.
    const ONE: Self;

    /// What stands for a scalar.
    fn from_scalar(scalar: f32) -> Self;
}

impl Value for f32 {
    const ZERO: f32 = 0.0;
    const ONE: f32 = 1.0;

    fn from_scalar(scalar: f32) -> f32 {
        scalar
    }
}

impl Value for f16 {
    const ZERO: f16 = f16::ZERO;
    const ONE: f16 = f16::ONE;

    fn from_scalar(scalar: f32) -> f16 {
        f16::from_f32(scalar)
    }
}

/// Whole numbers cannot hold the scalars: their channels are 0, and the scalars come beside.
impl Value for u8 {
    const ZERO: u8 = 0;
    const ONE: u8 = 1;

    fn from_scalar(_: f32) -> u8 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Unfolding by its definition: square by square, channel by channel.
    fn unfolded(layout: &Layout, planes: &[u8], scalars: &[f32]) -> Vec<f32> {
        let row_bytes = layout.width.div_ceil(8);
        let mut out = Vec::new();
        for row in 0..layout.height {
            for column in 0..layout.width {
                out.extend(layout.channels.iter().map(|channel| match *channel {
                    Channel::Scalar(scalar) => scalars[scalar],
                    Channel::Numbers => 0.0,
                    Channel::Plane(plane) => {
                        let byte = (plane * layout.height + row) * row_bytes + column / 8;
                        f32::from(planes[byte] >> (column % 8) & 1)
                    }
                }));
            }
        }
        out
    }

    #[test]
    fn boards_of_any_width_unfold() {
        let mut keys = fourfold_board::Keys::new(1);
        for (height, width) in [(8, 8), (14, 14), (20, 20), (12, 12), (4, 16), (8, 5)] {
            let channels =
                vec![Channel::Plane(1), Channel::Scalar(0), Channel::Plane(0), Channel::Plane(2)];
            let layout = Layout { height, width, channels, planes: 3, scalars: 1, beside: None };
            let mut planes = vec![0; layout.packed_bytes()];
            for (index, byte) in planes.iter_mut().enumerate() {
                let valid = match width - index % width.div_ceil(8) * 8 {
                    bits @ 0..8 => (1 << bits) - 1,
                    _ => 0xff,
                };
                // The last plane is full.
                let full = index >= 2 * layout.plane_bytes();
                *byte = if full { valid } else { keys.next() as u8 & valid };
            }
            let mut out = vec![9.0; layout.values()];
            layout.unfold(&planes, &[0.25], &mut out);
            assert_eq!(out, unfolded(&layout, &planes, &[0.25]), "{height} by {width}");
        }
    }
}
