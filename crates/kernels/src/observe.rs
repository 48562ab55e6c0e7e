//! Observations in every format.

use alloc::vec::Vec;

use bytemuck::{Pod, Zeroable};
use fourfold_env::{Channel, Game, Layout, Value};

use crate::Sizes;

/// What a channel shows: a plane or a scalar, by index, or neither.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(transparent)]
pub struct Source(u16);

impl Source {
    const SCALAR: u16 = 0x8000;
    const NUMBERS: u16 = 0xffff;
}

/// Returns the source of each channel of a layout.
pub fn sources(layout: &Layout) -> Vec<Source> {
    let source = |channel: &Channel| match *channel {
        Channel::Plane(plane) => Source(plane as u16),
        Channel::Scalar(scalar) => Source(Source::SCALAR | scalar as u16),
        Channel::Numbers => Source(Source::NUMBERS),
    };
    layout.channels.iter().map(source).collect()
}

/// The shape of unpacked observations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Shape {
    /// Number of rows.
    pub height: u32,
    /// Number of columns.
    pub width: u32,
}

/// Sixteen bytes of output, which a thread writes at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C, align(16))]
pub struct Quad(pub(crate) [u32; 4]);

/// Where the values of the observations of a block go.
pub enum Values<'a, T> {
    /// Nowhere.
    None,
    /// Packed planes, byte by byte.
    Packed(&'a mut [u8]),
    /// Values whose rows consist of whole [`Quad`]s.
    Quads(&'a mut [Quad]),
    /// Values of other sizes.
    Each(&'a mut [T]),
}

/// Writes the observations of some rows, which a block has read into shared memory.
pub struct Observe<'a, T> {
    /// The sizes of the batch.
    pub sizes: &'a Sizes,
    /// The number of rows.
    pub rows: usize,
    /// The words of shared memory for each row.
    pub row_words: usize,
    /// The shape of the observations.
    pub shape: Shape,
    /// The channels of the observations.
    pub sources: &'a [Source],
    /// The values of these rows.
    pub values: Values<'a, T>,
    /// The scalars of these rows; empty if they are not wanted.
    pub scalars: &'a mut [f32],
}

impl<T: Value> Observe<'_, T> {
    /// Returns the packed planes and the scalars of a row in shared memory.
    #[inline(always)]
    pub fn row<'b>(&self, row: usize, shared: &'b mut [u32]) -> (&'b mut [u8], &'b mut [f32]) {
        let (bytes, numbers) = (self.sizes.plane_bytes as usize, self.sizes.scalars as usize);
        let words = &mut shared[row * self.row_words..][..self.row_words];
        let (planes, scalars) = words.split_at_mut(bytes.div_ceil(4));
        let planes = &mut bytemuck::cast_slice_mut(planes)[..bytes];
        (planes, &mut bytemuck::cast_slice_mut(scalars)[..numbers])
    }

    /// Returns the value of a channel on a square.
    #[inline(always)]
    fn value(&self, square: usize, channel: usize, planes: &[u8], scalars: &[f32]) -> T {
        let Source(source) = self.sources[channel];
        if source < Source::SCALAR {
            let width = self.shape.width as usize;
            let row_bytes = width.div_ceil(8);
            let (row, column) = (square / width, square % width);
            let plane = source as usize * self.shape.height as usize;
            let byte = planes[(plane + row) * row_bytes + column / 8];
            if byte >> (column % 8) & 1 != 0 { T::ONE } else { T::ZERO }
        } else if source == Source::NUMBERS {
            T::ZERO
        } else {
            T::from_scalar(scalars[(source - Source::SCALAR) as usize])
        }
    }

    /// Writes this thread's part of the outputs.
    #[inline(always)]
    pub fn write(&mut self, thread: usize, threads: usize, shared: &mut [u32]) {
        let (bytes, numbers) = (self.sizes.plane_bytes as usize, self.sizes.scalars as usize);
        let channels = self.sources.len();
        let values = (self.shape.height * self.shape.width) as usize * channels;
        let mine = |count: usize| (thread..count).step_by(threads);
        if !self.scalars.is_empty() {
            for index in mine(self.rows * numbers) {
                let (_, scalars) = self.row(index / numbers, shared);
                self.scalars[index] = scalars[index % numbers];
            }
        }
        let mut out = core::mem::replace(&mut self.values, Values::None);
        match &mut out {
            Values::None => {}
            Values::Packed(out) => {
                for index in mine(self.rows * bytes) {
                    let (planes, _) = self.row(index / bytes, shared);
                    out[index] = planes[index % bytes];
                }
            }
            Values::Quads(out) => {
                let lanes = size_of::<Quad>() / size_of::<T>();
                let quads = values / lanes;
                for index in mine(self.rows * quads) {
                    let (planes, scalars) = self.row(index / quads, shared);
                    let first = index % quads * lanes;
                    let (mut square, mut channel) = (first / channels, first % channels);
                    let mut quad = Quad([0; 4]);
                    for lane in bytemuck::cast_slice_mut(core::slice::from_mut(&mut quad)) {
                        *lane = self.value(square, channel, planes, scalars);
                        channel += 1;
                        if channel == channels {
                            (square, channel) = (square + 1, 0);
                        }
                    }
                    out[index] = quad;
                }
            }
            Values::Each(out) => {
                for index in mine(self.rows * values) {
                    let (planes, scalars) = self.row(index / values, shared);
                    let (square, channel) = (index % values / channels, index % channels);
                    out[index] = self.value(square, channel, planes, scalars);
                }
            }
        }
        self.values = out;
    }

    /// Sets the values on individual squares of a row.
    #[inline(always)]
    pub fn paint<G: Game>(&mut self, rules: &G::Rules, row: usize, shared: &mut [u32]) {
        let (_, scalars) = self.row(row, shared);
        let channels = self.sources.len();
        let values = (self.shape.height * self.shape.width) as usize * channels;
        let out: &mut [T] = match &mut self.values {
            Values::None | Values::Packed(_) => return,
            Values::Quads(out) => bytemuck::cast_slice_mut(out),
            Values::Each(out) => out,
        };
        G::paint(rules, scalars, |square, channel, number| {
            out[row * values + square * channels + channel] = T::from_scalar(number);
        });
    }
}
