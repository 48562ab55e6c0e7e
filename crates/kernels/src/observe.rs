//! Observations in every format.
#![allow(
    unsafe_code,
    reason = "the memory of a batch is shared by threads and passed as addresses"
)]

use alloc::vec::Vec;
use core::ops::Range;

use bytemuck::{Pod, Zeroable};
use fourfold_env::{Channel, DeviceGame, Layout, Value};
use half::{bf16, f16};

use crate::launch::{Kernel, Place};
use crate::{Address, Memory, Quad, Sizes, for_every, shared, step};

/// Where a value of an unpacked observation comes from: the index of a bit in the memory of a row, or of a
/// converted scalar.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(transparent)]
pub struct Source(u16);

impl Source {
    const SCALAR: u16 = 0x8000;
}

/// Returns the source of each value of an observation, and as many as are needed for whole words.
pub fn sources(layout: &Layout) -> Vec<Source> {
    let row_bits = 8 * layout.width.div_ceil(8);
    let shown = shown_scalars(layout);
    // Behind the planes and scalars of a row is a word that is always 0.
    let zero = 32 * (layout.packed_bytes().div_ceil(4) + layout.scalars);
    let mut sources = Vec::new();
    for row in 0..layout.height {
        for column in 0..layout.width {
            sources.extend(layout.channels.iter().map(|channel| match *channel {
                Channel::Plane(plane) => {
                    Source((plane * layout.height * row_bits + row * row_bits + column) as u16)
                }
                Channel::Scalar(scalar) => Source(Source::SCALAR | (scalar - shown.start) as u16),
                Channel::Numbers => Source(zero as u16),
            }));
        }
    }
    let whole = sources.len().next_multiple_of(16);
    sources.resize(whole, Source(zero as u16));
    sources
}

/// Returns the range of the scalars that channels show.
pub fn shown_scalars(layout: &Layout) -> Range<usize> {
    let shown = layout.channels.iter().filter_map(|channel| match *channel {
        Channel::Scalar(scalar) => Some(scalar),
        Channel::Plane(_) | Channel::Numbers => None,
    });
    let last = shown.clone().max();
    shown.min().unwrap_or(0)..last.map_or(0, |last| last + 1)
}

/// A number type of observations, with a kernel of its own.
pub trait ValueFormat: Value {
    /// The name of the kernel.
    const KERNEL: &'static str;
    /// The number of bits.
    const BITS: u32;
    /// The number of values in 16 bytes.
    const IN_QUAD: usize = 128 / Self::BITS as usize;
    /// The bits of the value 1; those of 0 are all 0.
    const ONE_BITS: u32;
    /// Whether a scalar can be another value than 0.
    const HAS_SCALARS: bool = Self::BITS > 8;

    /// Returns the bits of a value.
    fn bits(self) -> u32;

    /// Returns the value with these bits.
    fn from_bits(bits: u32) -> Self;
}

/// Implements [`ValueFormat`] for a type, given how its bits are found.
macro_rules! formats {
    ($($type:ty: $kernel:literal, $to_bits:expr, $from_bits:expr, $one:literal;)+) => {
        $(impl ValueFormat for $type {
            const KERNEL: &'static str = $kernel;
            const BITS: u32 = 8 * size_of::<$type>() as u32;
            const ONE_BITS: u32 = $one;

            #[inline(always)]
            fn bits(self) -> u32 {
                $to_bits(self).into()
            }

            #[inline(always)]
            fn from_bits(bits: u32) -> $type {
                $from_bits(bits as _)
            }
        })+
    };
}

formats! {
    u8: "write_observations_u8", |value| value, |bits| bits, 1;
    f16: "write_observations_f16", f16::to_bits, f16::from_bits, 0x3c00;
    bf16: "write_observations_bf16", bf16::to_bits, bf16::from_bits, 0x3f80;
    f32: "write_observations_f32", f32::to_bits, f32::from_bits, 0x3f80_0000;
}

/// The shape of the observations that a kernel writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Shape {
    /// The number of rows to write.
    pub rows: u32,
    /// The number of rows that a block writes.
    pub rows_per_block: u32,
    /// The number of parts of each row that are observed at the same time: the number of threads divided by
    /// `rows_per_block`.
    pub parts_at_once: u32,
    /// The number of values of an unpacked observation.
    pub values: u32,
    /// The number of channels of an unpacked observation.
    pub channels: u32,
    /// Whether to write packed planes.
    pub packed: u32,
    /// The first scalar that a channel shows, by [`shown_scalars`], and their number.
    pub first_shown: u32,
    /// See `first_shown`.
    pub shown: u32,
}

/// Writes observations: blocks for `rows_per_block` rows each, with [`WriteObservations::THREADS`].
#[repr(C)]
#[derive(Debug)]
pub struct WriteObservations<G, T, const ROWS: bool = false> {
    /// The batch.
    pub memory: Memory<G, ROWS>,
    /// Sizes and format.
    pub shape: Shape,
    /// The player whose view is wanted. −1 for the acting player, or in simultaneous games for each
    /// player.
    pub player: i32,
    /// Whether to write stored observations instead of observing games.
    pub stored: u32,
    /// The values, by [`sources`].
    pub sources: Address<u32>,
    /// The stored row of each row to write.
    pub stored_rows: Address<u32>,
    /// The values.
    pub values: Address<T>,
    /// The scalars.
    pub scalars: Address<f32>,
}

impl<G, T, const ROWS: bool> Clone for WriteObservations<G, T, ROWS> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G, T, const ROWS: bool> Copy for WriteObservations<G, T, ROWS> {}

impl<G: DeviceGame, T, const ROWS: bool> WriteObservations<G, T, ROWS> {
    /// The number of threads of a block.
    pub const THREADS: usize = 256;

    /// Returns the words of shared memory for one row: planes, scalars, a word that is always 0, the scalars
    /// that channels show, converted to the format of the values, and one more if the sum is even, so that the
    /// rows begin in different banks.
    pub const fn row_words(sizes: &Sizes, shown: usize) -> usize {
        (Self::first_converted(sizes) + shown) | 1
    }

    /// Returns the index of the first converted scalar in the memory of a row.
    const fn first_converted(sizes: &Sizes) -> usize {
        sizes.plane_words() + sizes.scalars as usize + 1
    }

    /// Returns the number of rows that a block should write, so that all `multiprocessors` of a device are
    /// busy.
    pub fn rows_per_block(
        sizes: &Sizes,
        shown: usize,
        rows: usize,
        multiprocessors: usize,
    ) -> usize {
        const MOST_WORDS: usize = 11 * 1024;
        let by_words = MOST_WORDS / Self::row_words(sizes, shown);
        // A few parts are done at once. If there are many, the threads of a warp do the same part of many rows,
        // because different parts may take different paths.
        let by_parts = if G::PARTS <= 16 { Self::THREADS / G::PARTS } else { 32 };
        let most = by_words.min(by_parts).clamp(1, 32);
        // So many blocks run at the same time, once or several times. All of them should be busy to the end.
        let at_once = 3 * multiprocessors;
        let times = rows.div_ceil(at_once * most).max(1);
        rows.div_ceil(at_once * times).clamp(1, most)
    }
}

/// The phases. Without [`DeviceGame::ADDS_TO_OBSERVATIONS`], the first one reads.
const CLEAR: usize = 0;
const READ: usize = 1;
const CONVERT: usize = 2;
const WRITE: usize = 3;
const PAINT: usize = 4;

impl<G: DeviceGame, T: ValueFormat, const ROWS: bool> Kernel for WriteObservations<G, T, ROWS> {
    const NAME: &'static str = T::KERNEL;

    #[inline(always)]
    fn next(&self, phase: usize, _: &[u32]) -> Option<usize> {
        match phase {
            // Nothing was cleared.
            CLEAR if !G::ADDS_TO_OBSERVATIONS => Some(CONVERT),
            CLEAR..PAINT => Some(phase + 1),
            _ => None,
        }
    }

    #[inline(always)]
    unsafe fn run(&self, phase: usize, place: Place, shared: &mut [u32]) {
        let Shape { rows, rows_per_block, .. } = self.shape;
        let per_block = rows_per_block as usize;
        let first = place.block * per_block;
        let count = (rows as usize - first).min(per_block);
        let row_words = self.words_of_row();
        // Neighboring threads observe the same part of different rows.
        let (row, part) =
            (place.thread as u32 % rows_per_block, place.thread as u32 / rows_per_block);
        let (row, part) = (row as usize, part as usize);
        let step = self.shape.parts_at_once as usize;
        // SAFETY: every row has room in the outputs, and threads write different elements.
        unsafe {
            match phase {
                CLEAR if G::ADDS_TO_OBSERVATIONS => {
                    let words = &mut shared[..count * row_words];
                    for_every(place.thread, place.threads, words.len(), |index| words[index] = 0);
                }
                CLEAR | READ if row < count && part < step => {
                    let words = &mut shared[row * row_words..][..row_words];
                    for_every(part, step, G::PARTS, |part| self.read(first + row, part, words));
                }
                CONVERT if row < count && part < step => {
                    let words = &mut shared[row * row_words..][..row_words];
                    self.convert(part, step, words);
                }
                WRITE => self.write(first, count, place, shared),
                PAINT if row < count && part < step => {
                    let words = &shared[row * row_words..][..row_words];
                    self.paint(first + row, part, step, words);
                }
                _ => {}
            }
        }
    }
}

impl<G: DeviceGame, T: ValueFormat, const ROWS: bool> WriteObservations<G, T, ROWS> {
    #[inline(always)]
    fn words_of_row(&self) -> usize {
        Self::row_words(&self.memory.sizes, self.shape.shown as usize)
    }

    /// Returns the planes and scalars of a row in shared memory.
    #[inline(always)]
    fn split<'a>(&self, words: &'a mut [u32]) -> (&'a mut [u32], &'a mut [f32]) {
        let (planes, scalars) = words.split_at_mut(self.memory.sizes.plane_words());
        (planes, &mut bytemuck::cast_slice_mut(scalars)[..self.memory.sizes.scalars as usize])
    }

    /// Observes a part of a game, or reads a part of a stored observation.
    #[inline(always)]
    unsafe fn read(&self, row: usize, part: usize, words: &mut [u32]) {
        let sizes = &self.memory.sizes;
        let zero = sizes.plane_words() + sizes.scalars as usize;
        if part == 0 {
            words[zero] = 0;
        }
        let (planes, scalars) = self.split(words);
        // SAFETY: the batch has a game for this row, or a stored observation.
        unsafe {
            if !ROWS && self.stored != 0 {
                let row = *self.stored_rows.get(row) as usize;
                let from = self.memory.final_planes.slice(row * planes.len(), planes.len());
                copy_every(planes, from, part, G::PARTS);
                let from = self.memory.final_scalars.slice(row * scalars.len(), scalars.len());
                copy_every(scalars, from, part, G::PARTS);
                return;
            }
            let views = if self.player >= 0 { 1 } else { sizes.rows as usize };
            let game = &*self.memory.state(row / views);
            let player = match usize::try_from(self.player) {
                Ok(player) => player,
                Err(_) if sizes.simultaneous != 0 => row % views,
                Err(_) => step::player(game),
            };
            self.memory.with_shared(|own| {
                game.observe_part(own.rules, player, part, planes, scalars, shared::or);
            });
        }
    }

    /// Converts every `step`th scalar that a channel shows to the format of the values.
    #[inline(always)]
    fn convert(&self, part: usize, step: usize, words: &mut [u32]) {
        let sizes = &self.memory.sizes;
        let from = sizes.plane_words() + self.shape.first_shown as usize;
        let to = Self::first_converted(sizes);
        for_every(part, step, self.shape.shown as usize, |scalar| {
            words[to + scalar] = T::from_scalar(f32::from_bits(words[from + scalar])).bits();
        });
    }

    /// Writes this thread's part of the outputs of some rows.
    #[inline(always)]
    unsafe fn write(&self, first: usize, count: usize, place: Place, shared: &mut [u32]) {
        let Place { thread, threads, .. } = place;
        let sizes = &self.memory.sizes;
        let (row_words, bytes) = (self.words_of_row(), sizes.plane_bytes as usize);
        let numbers = sizes.scalars as usize;
        let length = self.shape.values as usize;
        // Neighboring threads copy neighboring words of a row.
        let (lane, warp, warps) = (thread % 32, thread / 32, threads / 32);
        // SAFETY: every row has room in the outputs, and threads write different elements.
        unsafe {
            if self.scalars.0 != 0 {
                for_every(warp, warps, count, |row| {
                    let (_, scalars) = self.split(&mut shared[row * row_words..][..row_words]);
                    let out = self.scalars.slice((first + row) * numbers, numbers);
                    copy_every(out, scalars, lane, 32);
                });
            }
            if self.values.0 == 0 {
                return;
            }
            if self.shape.packed != 0 {
                for_every(warp, warps, count, |row| {
                    let (planes, _) = self.split(&mut shared[row * row_words..][..row_words]);
                    if bytes.is_multiple_of(4) {
                        let start = (first + row) * planes.len();
                        let out = Address::new(self.values.0).slice(start, planes.len());
                        copy_every(out, planes, lane, 32);
                    } else {
                        let out = Address::new(self.values.0).slice((first + row) * bytes, bytes);
                        copy_every(out, bytemuck::cast_slice::<u32, u8>(planes), lane, 32);
                    }
                });
                return;
            }
            if length.is_multiple_of(T::IN_QUAD) {
                self.write_quads(first, count, place, shared);
            } else {
                let sources = self.sources.slice(0, length.div_ceil(2));
                let sources: &[u16] = bytemuck::cast_slice(sources);
                for row in 0..count {
                    let words = &shared[row * row_words..][..row_words];
                    let out = self.values.slice((first + row) * length, length);
                    for_every(thread, threads, length, |index| {
                        let (word, shift, mask, factor) = self.lookup(sources[index]);
                        let bits = (words[word as usize] >> shift & mask) * factor;
                        out[index] = T::from_bits(bits);
                    });
                }
            }
        }
    }

    /// Writes this thread's part of the values of some rows, 16 bytes at a time: the same values of each row,
    /// so that their sources are read only once.
    #[inline(always)]
    unsafe fn write_quads(&self, first: usize, count: usize, place: Place, shared: &[u32]) {
        let row_words = self.words_of_row() as u32;
        let quads = self.shape.values as usize / T::IN_QUAD;
        assert!(shared.len() >= count * row_words as usize, "every row has shared memory");
        let shared = shared::Words::new(shared);
        for_every(place.thread, place.threads, quads, |quad| {
            // SAFETY: every row has room in the outputs, and threads write different elements. The index of a
            // source is less than the number of words of a row, because the host made it so.
            unsafe {
                let sources: &[u32] = self.sources.slice(quad * T::IN_QUAD / 2, T::IN_QUAD / 2);
                let lookups: [Lookup; MOST_IN_QUAD] = core::array::from_fn(|index| {
                    let pair = if index < T::IN_QUAD { sources[index / 2] } else { 0 };
                    self.lookup((pair >> (index % 2 * 16)) as u16)
                });
                let mut out = Address::<Quad>::new(self.values.0).at(first * quads + quad);
                let mut start = 0;
                for _ in 0..count {
                    *out.get(0) = quad_of::<T>(|index| {
                        let (word, shift, mask, factor) = lookups[index];
                        (shared.get(start + word) >> shift & mask) * factor
                    });
                    start += row_words;
                    out = out.at(quads);
                }
            }
        });
    }

    /// Returns how to find a value: the word in the memory of a row, how far to shift it, the bits that belong to
    /// the value, and what to multiply them with. There is no branch, because some threads of a warp have scalars.
    #[inline(always)]
    fn lookup(&self, source: u16) -> Lookup {
        let converted = Self::first_converted(&self.memory.sizes) as u32;
        if source & Source::SCALAR != 0 {
            let word = converted + u32::from(source & !Source::SCALAR);
            if T::HAS_SCALARS { (word, 0, u32::MAX, 1) } else { (word, 0, 1, T::ONE_BITS) }
        } else {
            (u32::from(source / 32), u32::from(source % 32), 1, T::ONE_BITS)
        }
    }

    /// Sets this part's values on individual squares of a row.
    #[inline(always)]
    unsafe fn paint(&self, row: usize, part: usize, parts: usize, words: &[u32]) {
        if self.values.0 == 0 || self.shape.packed != 0 {
            return;
        }
        let length = self.shape.values as usize;
        let (_, scalars) = words.split_at(self.memory.sizes.plane_words());
        let scalars = &bytemuck::cast_slice(scalars)[..self.memory.sizes.scalars as usize];
        // SAFETY: the row has room in the outputs, and no other thread sets the same value.
        unsafe {
            let out = self.values.slice(row * length, length);
            self.memory.with_shared(|own| {
                G::paint_part(own.rules, scalars, part, parts, |square, channel, number| {
                    out[square * self.shape.channels as usize + channel] = T::from_scalar(number);
                });
            });
        }
    }
}

/// The largest number of values in 16 bytes.
const MOST_IN_QUAD: usize = 16;

/// A word, a shift, a mask and a factor: see [`WriteObservations::lookup`].
type Lookup = (u32, u32, u32, u32);

/// Returns 16 bytes of values, given the bits of each.
#[inline(always)]
fn quad_of<T: ValueFormat>(bits: impl Fn(usize) -> u32) -> Quad {
    let each = 32 / T::BITS as usize;
    // Not a loop, which would put what is looked up in slow memory.
    let part = |word: usize, index: usize| {
        if index < each { bits(word * each + index) << (index as u32 * T::BITS % 32) } else { 0 }
    };
    let word = |word: usize| part(word, 0) | part(word, 1) | part(word, 2) | part(word, 3);
    Quad([word(0), word(1), word(2), word(3)])
}

/// Copies every `threads`th value, beginning with the value of this thread.
#[inline(always)]
fn copy_every<T: Copy>(out: &mut [T], from: &[T], thread: usize, threads: usize) {
    for_every(thread, threads, out.len().min(from.len()), |index| out[index] = from[index]);
}
