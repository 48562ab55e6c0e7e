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
    /// Number of channels.
    pub channels: u32,
}

impl Shape {
    /// Returns the number of values.
    #[inline(always)]
    pub const fn values(&self) -> usize {
        (self.height * self.width * self.channels) as usize
    }
}

/// Sixteen bytes of output, which a thread writes at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C, align(16))]
pub struct Quad(pub(crate) [u32; 4]);

impl Quad {
    /// Sixteen zeros.
    pub const ZERO: Quad = Quad([0; 4]);
}

/// Where the values of the observations of a block go.
pub enum Values<'a, T> {
    /// Nowhere.
    None,
    /// Packed planes that consist of whole words.
    Words(&'a mut [u32]),
    /// Packed planes of other sizes.
    Bytes(&'a mut [u8]),
    /// One value per square and channel.
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
    /// The channels, by [`sources`].
    pub sources: &'a [Source],
    /// The values of these rows.
    pub values: Values<'a, T>,
    /// The scalars of these rows; empty if they are not wanted.
    pub scalars: &'a mut [f32],
}

impl<T: Value> Observe<'_, T> {
    /// Returns the words of the planes and the scalars of a row in shared memory.
    #[inline(always)]
    pub fn words<'b>(&self, row: usize, shared: &'b mut [u32]) -> (&'b mut [u32], &'b mut [f32]) {
        let words = &mut shared[row * self.row_words..][..self.row_words];
        let (planes, scalars) = words.split_at_mut(self.sizes.plane_bytes.div_ceil(4) as usize);
        (planes, &mut bytemuck::cast_slice_mut(scalars)[..self.sizes.scalars as usize])
    }

    #[inline(always)]
    fn row<'b>(&self, row: usize, shared: &'b mut [u32]) -> (&'b mut [u8], &'b mut [f32]) {
        let (planes, scalars) = self.words(row, shared);
        (&mut bytemuck::cast_slice_mut(planes)[..self.sizes.plane_bytes as usize], scalars)
    }

    /// Writes this thread's part of the outputs.
    #[inline(always)]
    pub fn write(&mut self, thread: usize, threads: usize, shared: &mut [u32]) {
        let numbers = self.sizes.scalars as usize;
        if !self.scalars.is_empty() {
            for row in 0..self.rows {
                let (_, scalars) = self.words(row, shared);
                let out = &mut self.scalars[row * numbers..][..numbers];
                copy_part(out, scalars, thread, threads);
            }
        }
        let mut out = core::mem::replace(&mut self.values, Values::None);
        match &mut out {
            Values::None => {}
            Values::Words(out) => {
                let words = self.sizes.plane_bytes as usize / 4;
                for (row, out) in out.chunks_exact_mut(words).enumerate() {
                    let (planes, _) = self.words(row, shared);
                    copy_part(out, planes, thread, threads);
                }
            }
            Values::Bytes(out) => {
                let bytes = self.sizes.plane_bytes as usize;
                for (row, out) in out.chunks_exact_mut(bytes).enumerate() {
                    let (planes, _) = self.row(row, shared);
                    copy_part(out, planes, thread, threads);
                }
            }
            Values::Each(out) => {
                let Some(part) = self.part(thread, threads) else { return };
                for (row, out) in out.chunks_exact_mut(self.shape.values()).enumerate() {
                    let (planes, scalars) = self.row(row, shared);
                    part.write(planes, scalars, out, thread);
                }
            }
        }
        self.values = out;
    }

    /// Returns what a thread writes as the values of one channel on some squares of each row; `None` if it has
    /// nothing to write. Neighboring threads write neighboring values, and each thread always has the same
    /// channel, so that nothing is divided or looked up in the loop.
    #[inline(always)]
    pub(crate) fn part(&self, thread: usize, threads: usize) -> Option<ChannelPart> {
        let Shape { height, width, channels } = self.shape;
        let (thread, at_once) = (thread as u32, threads as u32 / channels);
        let stride = at_once * channels;
        let Source(source) = self.sources[(thread % channels) as usize];
        let row_bits = 8 * width.div_ceil(8);
        let plane = if source < Source::SCALAR { u32::from(source) * height * row_bits } else { 0 };
        let first = thread / channels;
        let (line, column) = (plane + first / width * row_bits, first % width);
        let part = ChannelPart { source, width, row_bits, at_once, stride, line, column };
        (thread < stride).then_some(part)
    }

    /// Sets the values on individual squares of a row.
    #[inline(always)]
    pub fn paint<G: Game>(&mut self, rules: &G::Rules, row: usize, shared: &mut [u32]) {
        let (_, scalars) = self.words(row, shared);
        let channels = self.shape.channels as usize;
        let values = self.shape.values();
        let out: &mut [T] = match &mut self.values {
            Values::None | Values::Words(_) | Values::Bytes(_) => return,
            Values::Each(out) => out,
        };
        G::paint(rules, scalars, |square, channel, number| {
            out[row * values + square * channels + channel] = T::from_scalar(number);
        });
    }
}

/// What a thread writes of each row: the values of one channel on every `at_once`th square.
#[derive(Clone, Copy)]
pub(crate) struct ChannelPart {
    source: u16,
    width: u32,
    /// Bits of a packed row of the board, and of all rows before it.
    row_bits: u32,
    at_once: u32,
    /// The distance of two values in the output.
    stride: u32,
    /// The first bit of the plane's row, and the column, of the first value.
    line: u32,
    column: u32,
}

impl ChannelPart {
    #[inline(always)]
    fn write<T: Value>(&self, planes: &[u8], scalars: &[f32], out: &mut [T], thread: usize) {
        // A channel that is not a plane has the same value everywhere.
        let (zero, one) = match self.source {
            ..Source::SCALAR => (T::ZERO, T::ONE),
            Source::NUMBERS => (T::ZERO, T::ZERO),
            scalar => {
                let value = T::from_scalar(scalars[(scalar - Source::SCALAR) as usize]);
                (value, value)
            }
        };
        let (mut line, mut column) = (self.line, self.column);
        let mut index = thread;
        while index < out.len() {
            let bit = line + column;
            let is_set = planes[bit as usize / 8] >> (bit % 8) & 1 != 0;
            out[index] = if is_set { one } else { zero };
            index += self.stride as usize;
            column += self.at_once;
            while column >= self.width && self.width < self.row_bits {
                (line, column) = (line + self.row_bits, column - self.width);
            }
        }
    }
}

/// Copies every `threads`th value, beginning with the value of this thread.
#[inline(always)]
fn copy_part<T: Copy>(out: &mut [T], from: &[T], thread: usize, threads: usize) {
    let mut index = thread;
    while let (Some(to), Some(from)) = (out.get_mut(index), from.get(index)) {
        *to = *from;
        index += threads;
    }
}
