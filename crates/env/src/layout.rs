//! The layout of observations, and unpacking them.

use alloc::vec::Vec;

use bytemuck::Pod;
use fourfold_common::cpu;
use half::{bf16, f16};

use crate::game::ArraySpec;

/// The shape of an observation and the meaning of its channels.
///
/// A game writes bit planes and scalars. Planes follow one another, each row by row from the top,
/// with `ceil(width / 8)` bytes per row, lowest bit first. A scalar that has a channel fills it
/// with one value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Number of rows.
    pub height: usize,
    /// Number of columns.
    pub width: usize,
    /// The contents of each channel, in order.
    pub channels: Vec<Channel>,
    /// Number of bit planes.
    pub planes: usize,
    /// Number of scalars.
    pub scalars: usize,
    /// The array that the leading scalars form, if no channel shows them. It accompanies the
    /// observation in every format.
    pub scalar_array: Option<ArraySpec>,
}

/// The contents of a channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Channel {
    /// A bit plane, by index.
    Plane(usize),
    /// The same value on every square: a scalar, by index.
    Scalar(usize),
    /// Values on individual squares, which [`Game::paint`](crate::Game::paint) derives from the
    /// scalars; 0 elsewhere, and everywhere in integer formats.
    Numbers,
}

impl Layout {
    /// Returns the number of leading scalars that form the separate array.
    pub fn scalar_array_len(&self) -> usize {
        self.scalar_array.map_or(0, |array| array.shape.iter().product())
    }

    /// Returns the size of a packed plane in bytes.
    pub const fn plane_bytes(&self) -> usize {
        self.height * self.width.div_ceil(8)
    }

    /// Returns the size of all packed planes in bytes.
    pub const fn packed_bytes(&self) -> usize {
        self.planes * self.plane_bytes()
    }

    /// Returns the number of values in an unpacked observation.
    pub fn values(&self) -> usize {
        self.height * self.width * self.channels.len()
    }

    /// Unpacks planes and scalars to one value per square and channel, channels last. Channels of
    /// [`Channel::Numbers`] are set to 0.
    pub fn unpack<T: Value>(&self, planes: &[u8], scalars: &[f32], out: &mut [T]) {
        let channels = self.channels.len();
        let plane_bytes = self.plane_bytes();
        // Most planes are constant: they form a pattern that every square starts from. The pattern
        // is doubled until it covers the board, so that most bytes are written by large copies.
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

    /// Like [`Layout::unpack`], for an `out` that is not read again soon: the values are computed
    /// and painted in a scratch buffer that stays in the cache, then copied with streaming stores.
    #[inline(always)]
    pub(crate) fn unpack_streaming<T: Value>(
        &self,
        planes: &[u8],
        scalars: &[f32],
        scratch: &mut [u32],
        paint: impl FnOnce(&mut [T]),
        out: &mut [T],
    ) {
        let scratch = &mut bytemuck::cast_slice_mut::<u32, T>(scratch)[..out.len()];
        self.unpack(planes, scalars, scratch);
        paint(scratch);
        cpu::copy_streaming(bytemuck::cast_slice(scratch), bytemuck::cast_slice_mut(out));
    }

    /// Calls `mark` with the index of every square that is set in the plane.
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

    /// Returns whether all squares are set in the plane at the start of `bytes`.
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

/// A number type that observations can be unpacked to.
pub trait Value: Pod {
    /// The value of a bit that is not set.
    const ZERO: Self;
    /// The value of a bit that is set.
    const ONE: Self;

    /// Converts a scalar. Integer types return 0.
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

impl Value for bf16 {
    const ZERO: bf16 = bf16::ZERO;
    const ONE: bf16 = bf16::ONE;

    fn from_scalar(scalar: f32) -> bf16 {
        bf16::from_f32(scalar)
    }
}

/// Integers cannot represent the scalars: their channels are 0, and the scalars are output
/// separately.
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

    /// Unpacks by definition, square by square and channel by channel.
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
    fn boards_of_any_width_are_unpacked() {
        let mut rng = fourfold_common::SplitMix64::new(1);
        for (height, width) in [(8, 8), (14, 14), (20, 20), (12, 12), (4, 16), (8, 5)] {
            let channels =
                vec![Channel::Plane(1), Channel::Scalar(0), Channel::Plane(0), Channel::Plane(2)];
            let layout =
                Layout { height, width, channels, planes: 3, scalars: 1, scalar_array: None };
            let mut planes = vec![0; layout.packed_bytes()];
            for (index, byte) in planes.iter_mut().enumerate() {
                let valid = match width - index % width.div_ceil(8) * 8 {
                    bits @ 0..8 => (1 << bits) - 1,
                    _ => 0xff,
                };
                // The last plane is full.
                let full = index >= 2 * layout.plane_bytes();
                *byte = if full { valid } else { rng.next() as u8 & valid };
            }
            let mut out = vec![9.0; layout.values()];
            layout.unpack(&planes, &[0.25], &mut out);
            assert_eq!(out, unfolded(&layout, &planes, &[0.25]), "{height} by {width}");
        }
    }
}
