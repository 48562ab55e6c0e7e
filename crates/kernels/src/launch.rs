//! Kernels with their arguments, and what each of their threads does.
//!
//! Arguments are passed by value. They contain addresses in the memory of the device; on the CPU,
//! ordinary addresses.
#![allow(
    unsafe_code,
    reason = "the memory of a batch is shared by threads and passed as addresses"
)]

use core::sync::atomic::Ordering;

use fourfold_env::{DeviceGame, Illegal, Stage};

use crate::masks::sixteen_bits;
use crate::{
    Address, Memory, Quad, ReportArrays, Sizes, WriteIndices, begin, for_every, is_legal,
    packed_word, restart,
};

/// The place of a thread.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The index of the block.
    pub block: usize,
    /// The index of the thread in its block.
    pub thread: usize,
    /// The number of threads of each block.
    pub threads: usize,
}

impl Place {
    /// Returns the index of the thread among those of all blocks.
    #[inline(always)]
    pub(crate) const fn index(self) -> usize {
        self.block * self.threads + self.thread
    }
}

/// How many threads run a kernel, and the words of shared memory of each block.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    /// The number of blocks.
    pub blocks: usize,
    /// The number of threads of each block.
    pub threads: usize,
    /// The words of shared memory of each block.
    pub shared_words: usize,
}

impl Grid {
    /// Returns a grid with at least this many threads, without shared memory.
    pub const fn of(threads: usize) -> Grid {
        const BLOCK: usize = 128;
        Grid { blocks: threads.div_ceil(BLOCK), threads: BLOCK, shared_words: 0 }
    }

    /// Returns a grid with `lanes` threads for each row, in blocks of up to `most` rows of whole games. Each row and
    /// each thread has so many words of shared memory, the rows for `most` of them.
    pub(crate) const fn of_rows(
        sizes: &Sizes,
        most: usize,
        lanes: usize,
        row_words: usize,
        thread_words: usize,
    ) -> Grid {
        let rows = sizes.rows as usize;
        let games = games_of_rows(most, rows);
        let threads = lanes * rows * games;
        Grid {
            blocks: (sizes.games as usize).div_ceil(games),
            threads,
            shared_words: row_words * most + thread_words * threads,
        }
    }
}

/// Returns how many games of so many rows, at most four, have no more than `most` rows, without a division.
#[inline(always)]
pub(crate) const fn games_of_rows(most: usize, rows: usize) -> usize {
    match rows {
        1 => most,
        2 => most / 2,
        3 => most / 3,
        _ => most / 4,
    }
}

/// The last phase of a kernel, except for those that are repeated.
pub const LAST_PHASE: usize = 13;
/// The first of the phases that are repeated.
pub const FIRST_REPEATED: usize = 100;

/// A kernel with its arguments.
///
/// All threads of a block finish a phase before any of them begins the next one. Between phases they
/// exchange data through shared memory.
///
/// Phases follow each other in ascending order, from 0 to at most [`LAST_PHASE`]. Only between 2 and 3 there may be others,
/// from [`FIRST_REPEATED`] on, and these may be repeated. A loop over all phases would keep what they have in common in
/// registers.
pub trait Kernel: Copy {
    /// The name, without the name of the game.
    const NAME: &'static str;
    /// Whether there is more than one phase.
    const HAS_PHASES: bool = true;
    /// Whether there are phases that are repeated.
    const REPEATS: bool = false;

    /// Does one phase of the work of a thread.
    ///
    /// # Safety
    /// The addresses must be valid for the sizes of the batch. The threads must be launched as the
    /// kernel documents.
    unsafe fn run(&self, phase: usize, place: Place, shared: &mut [u32]);

    /// Returns the phase that follows. All threads of a block must come to the same result, so the
    /// following phase may not change the shared memory that it depends on.
    #[inline(always)]
    fn next(&self, _phase: usize, _shared: &[u32]) -> Option<usize> {
        None
    }

    /// Runs the kernel on the CPU, one thread after another.
    ///
    /// # Safety
    /// As for [`Kernel::run`].
    unsafe fn run_on_cpu(&self, blocks: usize, threads: usize, shared: &mut [u32]) {
        for block in 0..blocks {
            // What an earlier block left there must not matter.
            shared.fill(0xdead_beef);
            let mut phase = Some(0);
            while let Some(current) = phase {
                for thread in 0..threads {
                    // SAFETY: the caller promises it.
                    unsafe { self.run(current, Place { block, thread, threads }, shared) };
                }
                phase = self.next(current, shared);
            }
        }
    }
}

/// Declares a kernel that is generic over the game.
macro_rules! kernel {
    ($(#[$about:meta])* $kernel:ident { $($(#[$note:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$about])*
        #[repr(C)]
        #[derive(Debug)]
        pub struct $kernel<G, const ROWS: bool = false> {
            /// The batch.
            pub memory: Memory<G, ROWS>,
            $($(#[$note])* pub $field: $type,)*
        }

        impl<G, const ROWS: bool> Clone for $kernel<G, ROWS> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<G, const ROWS: bool> Copy for $kernel<G, ROWS> {}
    };
}

pub(crate) use kernel;

kernel! {
    /// Finds the first illegal action of the batch, if these are errors: a thread for each row.
    Check {
        /// The actions.
        actions: Address<i32>,
    }
}

impl<G: DeviceGame> Kernel for Check<G> {
    const NAME: &'static str = "check";
    const HAS_PHASES: bool = false;

    #[inline(always)]
    unsafe fn run(&self, _: usize, place: Place, _: &mut [u32]) {
        let Memory { sizes, .. } = &self.memory;
        let (index, rows) = (place.index(), sizes.rows as usize);
        if index >= sizes.all_rows() {
            return;
        }
        // SAFETY: the batch has this row.
        unsafe {
            let action = *self.actions.get(index);
            if is_legal(sizes, self.memory.mask(index), action) {
                return;
            }
            // Actions in a finished game are ignored, so none is illegal.
            if self.memory.status(index / rows).unpack().stage == Stage::Ongoing {
                let first = (index as u64) << 32 | u64::from(action as u32);
                self.memory.first_illegal.get(0).fetch_min(first, Ordering::Relaxed);
            }
        }
    }
}

kernel! {
    /// Plays the actions, after [`Check`] and before [`Finish`](crate::Finish): `spread` threads for each
    /// game, of which only the first one works.
    ///
    /// The threads of a warp that follow different paths wait for each other, so a small batch is
    /// faster if its games are spread over more warps.
    Begin {
        /// The actions.
        actions: Address<i32>,
        /// Threads per game: a power of two, as its exponent.
        spread: u32,
    }
}

impl<G: DeviceGame, const ROWS: bool> Kernel for Begin<G, ROWS> {
    const NAME: &'static str = "begin";
    const HAS_PHASES: bool = false;

    #[inline(always)]
    unsafe fn run(&self, _: usize, place: Place, _: &mut [u32]) {
        let Memory { sizes, .. } = &self.memory;
        let (index, rows) = (place.index() >> self.spread, sizes.rows as usize);
        if index << self.spread != place.index() || index >= sizes.games as usize {
            return;
        }
        // SAFETY: the batch has this game, and only this thread works on it.
        unsafe {
            if self.memory.has_illegal_action() {
                return;
            }
            let actions = &*self.actions.slice(index * rows, rows);
            let mut game = self.memory.game(index);
            let first_illegal = || {
                let is_illegal = |row: &usize| {
                    !is_legal(sizes, self.memory.mask(index * rows + row), actions[*row])
                };
                if ROWS {
                    (*self.memory.ended.get(index) as usize).checked_sub(1)
                } else if sizes.illegal() == Illegal::Error {
                    None
                } else {
                    (0..rows).find(is_illegal)
                }
            };
            let progress =
                self.memory.with_shared(|shared| begin(shared, &mut game, actions, first_illegal));
            *self.memory.progress.get(index) = progress.0;
        }
    }
}

kernel! {
    /// Reports the current status: a thread for each game.
    Show {
        /// The outputs.
        report: ReportArrays,
    }
}

impl<G: DeviceGame> Kernel for Show<G> {
    const NAME: &'static str = "show";
    const HAS_PHASES: bool = false;

    #[inline(always)]
    unsafe fn run(&self, _: usize, place: Place, _: &mut [u32]) {
        let Memory { sizes, .. } = &self.memory;
        let index = place.index();
        if index >= sizes.games as usize {
            return;
        }
        // SAFETY: the batch has this game, and only this thread works on it.
        unsafe {
            let mut report = self.report.of(index, sizes.players as usize);
            let status = self.memory.status(index).unpack();
            report.write(sizes, self.memory.state(index), &status, true);
        }
    }
}

kernel! {
    /// Starts games again, before [`Finish`](crate::Finish): a thread for each game.
    Restart {
        /// Whether to start each game again; all if there is no address.
        chosen: Address<u8>,
    }
}

impl<G: DeviceGame> Kernel for Restart<G> {
    const NAME: &'static str = "restart";
    const HAS_PHASES: bool = false;

    #[inline(always)]
    unsafe fn run(&self, _: usize, place: Place, _: &mut [u32]) {
        let index = place.index();
        if index >= self.memory.sizes.games as usize {
            return;
        }
        // SAFETY: the batch has this game, and only this thread works on it.
        unsafe {
            if self.chosen.slice(index, 1).first().is_none_or(|&chosen| chosen != 0) {
                let mut game = self.memory.game(index);
                self.memory.with_shared(|shared| restart(shared, &mut game));
            }
        }
    }
}

kernel! {
    /// Writes masks with one bit per action: a thread for four bytes. The last thread may write up to three
    /// bytes too many, but not with `ROWS`.
    WritePackedMasks {
        /// The masks.
        out: Address<u32>,
    }
}

impl<G: DeviceGame, const ROWS: bool> Kernel for WritePackedMasks<G, ROWS> {
    const NAME: &'static str = "write_packed_masks";
    const HAS_PHASES: bool = false;

    #[inline(always)]
    unsafe fn run(&self, _: usize, place: Place, _: &mut [u32]) {
        let Memory { sizes, masks, .. } = &self.memory;
        let (index, rows) = (place.index(), sizes.all_rows());
        if index >= (rows * sizes.actions.div_ceil(8) as usize).div_ceil(4) {
            return;
        }
        // SAFETY: every row has a mask, and only this thread writes these bytes.
        unsafe {
            let masks = masks.slice(0, rows * sizes.mask_words as usize);
            let word = packed_word(sizes, masks, index);
            let end = rows * sizes.actions.div_ceil(8) as usize;
            if ROWS && 4 * index + 4 > end {
                let out = Address::<u8>::new(self.out.0);
                for byte in 4 * index..end {
                    *out.get(byte) = (word >> (byte % 4 * 8)) as u8;
                }
                return;
            }
            *self.out.get(index) = word;
        }
    }
}

kernel! {
    /// Writes masks with one byte per action: a block for each row. Threads write 16 bytes at a time; those
    /// that belong to two rows are written with the first one. Up to 15 bytes too many may be written, but not
    /// with `ROWS`.
    WriteBoolMasks {
        /// The masks.
        out: Address<Quad>,
    }
}

impl<G: DeviceGame, const ROWS: bool> Kernel for WriteBoolMasks<G, ROWS> {
    const NAME: &'static str = "write_bool_masks";
    const HAS_PHASES: bool = false;

    #[inline(always)]
    unsafe fn run(&self, _: usize, place: Place, _: &mut [u32]) {
        let Memory { sizes, masks, .. } = &self.memory;
        let (row, words) = (place.block, sizes.mask_words as usize);
        // The bytes of this row, and the 16-byte units that begin there.
        let start = row as u64 * u64::from(sizes.actions);
        let first = start.div_ceil(16);
        let skipped = (16 * first - start) as usize;
        // SAFETY: every row has a mask, and threads write different bytes.
        unsafe {
            let mask = masks.slice(row * words, words);
            if sizes.actions < 16 {
                // More than two rows may share 16 bytes.
                let out = Address::<u8>::new(self.out.0 + start);
                for_every(place.thread, place.threads, sizes.actions as usize, |action| {
                    *out.get(action) = (mask[0] >> action & 1) as u8;
                });
                return;
            }
            let units = (sizes.actions as usize - skipped).div_ceil(16);
            let has_next = row + 1 < sizes.all_rows();
            let next = if has_next { masks.slice((row + 1) * words, 1) } else { &mut [] };
            let out = self.out.at(first as usize);
            for_every(place.thread, place.threads, units, |unit| {
                let action = (skipped + 16 * unit) as u32;
                let bits = sixteen_bits(sizes.actions, mask, next, action);
                // The end of the last row, in memory that has no room behind it.
                let end = sizes.actions as usize - action as usize;
                if ROWS && !has_next && end < 16 {
                    let out = Address::<u8>::new(self.out.0 + start + u64::from(action));
                    for byte in 0..end {
                        *out.get(byte) = (bits >> byte & 1) as u8;
                    }
                    return;
                }
                *out.get(unit) = Quad::of_bits(bits);
            });
        }
    }
}

kernel! {
    /// Writes masks as lists of actions: a block for each row, with up to 1,024 threads and as many
    /// words of shared memory.
    WriteSparseMasks {
        /// The number of actions of each row.
        counts: Address<i32>,
        /// The actions, [`Sizes::max_legal`](crate::Sizes::max_legal) for each row.
        indices: Address<i32>,
    }
}

impl<G: DeviceGame, const ROWS: bool> Kernel for WriteSparseMasks<G, ROWS> {
    const NAME: &'static str = "write_sparse_masks";

    #[inline(always)]
    fn next(&self, phase: usize, _: &[u32]) -> Option<usize> {
        (phase == 0).then_some(1)
    }

    #[inline(always)]
    unsafe fn run(&self, phase: usize, place: Place, shared: &mut [u32]) {
        let Memory { sizes, masks, .. } = &self.memory;
        let (words, most) = (sizes.mask_words as usize, sizes.max_legal as usize);
        // SAFETY: there are as many blocks as rows, and threads write different elements.
        unsafe {
            let mut write = WriteIndices {
                mask: masks.slice(place.block * words, words),
                out: self.indices.slice(place.block * most, most),
                count: self.counts.get(place.block),
            };
            // In rows, there may be fewer slots than legal actions. All of them are allowed in a finished game.
            let limit = |all: usize, room: usize| {
                if ROWS && all != sizes.actions as usize { all } else { all.min(room) }
            };
            write.run(phase, place.thread, place.threads, shared, limit);
        }
    }
}
