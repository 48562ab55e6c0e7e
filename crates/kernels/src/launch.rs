//! The arguments of every kernel, and what each of its threads does.
//!
//! Arguments are passed by value. They contain addresses in the memory of the device; on the CPU,
//! ordinary addresses.
#![allow(
    unsafe_code,
    reason = "the memory of a batch is shared by threads and passed as addresses"
)]

use core::marker::PhantomData;
use core::slice;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use fourfold_env::{DeviceGame, Illegal, PlainStatus, Stage, Stream, Value};
use half::{bf16, f16};

use crate::{
    GameMemory, Masks, Observe, Quad, Report, Shape, Shared, Sizes, Source, Values, WriteIndices,
    bools, is_legal, packed_word, refresh, restart, sample, step,
};

/// The address of values in the memory of the device; 0 if there are none.
#[repr(transparent)]
#[derive(Debug)]
pub struct Address<T>(pub u64, PhantomData<fn() -> T>);

impl<T> Clone for Address<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Address<T> {}

impl<T> Address<T> {
    /// The address of nothing.
    pub const NONE: Address<T> = Address::new(0);

    /// Creates an address.
    pub const fn new(address: u64) -> Address<T> {
        Address(address, PhantomData)
    }

    /// Returns `count` values from `first` on, or none if there is no address.
    ///
    /// # Safety
    /// They must exist, and no other thread may use them at the same time, except by the rules of
    /// phases.
    #[inline(always)]
    unsafe fn slice<'a>(self, first: usize, count: usize) -> &'a mut [T] {
        if self.0 == 0 {
            return &mut [];
        }
        // SAFETY: the caller promises it.
        unsafe { slice::from_raw_parts_mut((self.0 as *mut T).add(first), count) }
    }

    /// Returns one value.
    ///
    /// # Safety
    /// As for [`Address::slice`]; there must be an address.
    #[inline(always)]
    unsafe fn get<'a>(self, index: usize) -> &'a mut T {
        // SAFETY: the caller promises it.
        unsafe { &mut *(self.0 as *mut T).add(index) }
    }
}

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
    const fn index(self) -> usize {
        self.block * self.threads + self.thread
    }
}

/// A kernel with its arguments.
///
/// All threads of a block finish a phase before any of them begins the next one. Between phases they
/// exchange data through shared memory.
pub trait Kernel: Copy {
    /// The name, without the name of the game.
    const NAME: &'static str;
    /// The number of phases.
    const PHASES: usize = 1;

    /// Does one phase of the work of a thread.
    ///
    /// # Safety
    /// The addresses must be valid for the sizes of the batch. The threads must be launched as the
    /// kernel documents.
    unsafe fn run(&self, phase: usize, place: Place, shared: &mut [u32]);

    /// Runs the kernel on the CPU, one thread after another.
    ///
    /// # Safety
    /// As for [`Kernel::run`].
    unsafe fn run_on_cpu(&self, blocks: usize, threads: usize, shared: &mut [u32]) {
        for block in 0..blocks {
            for phase in 0..Self::PHASES {
                for thread in 0..threads {
                    // SAFETY: the caller promises it.
                    unsafe { self.run(phase, Place { block, thread, threads }, shared) };
                }
            }
        }
    }
}

/// The memory of a batch.
#[repr(C)]
#[derive(Debug)]
pub struct Memory<G> {
    /// Sizes and options.
    pub sizes: Sizes,
    /// The number of start positions; if 0, games start from `default_start`.
    pub num_starts: u32,
    /// The rules, by [`DeviceGame::rules_to_numbers`].
    pub rules: [u32; 8],
    /// The states.
    pub games: Address<G>,
    /// The random streams.
    pub streams: Address<Stream>,
    /// The status of each game.
    pub statuses: Address<PlainStatus>,
    /// Whether each game ended in the latest step.
    pub ended: Address<u8>,
    /// The masks of each row, [`Sizes::mask_words`] each.
    pub masks: Address<AtomicU32>,
    /// The number of legal actions of each row.
    pub counts: Address<u32>,
    /// The start positions.
    pub starts: Address<G>,
    /// The game's standard start.
    pub default_start: Address<G>,
    /// The index of the first illegal action in the high half, and the action in the low half; or
    /// [`NO_ILLEGAL_ACTION`].
    pub first_illegal: Address<AtomicU64>,
    /// The row of the first illegal action of each game, or [`ALL_LEGAL`].
    pub illegal_rows: Address<u8>,
    /// The final observations of games that ended in the latest step: packed planes.
    pub final_planes: Address<u8>,
    /// The scalars of these observations.
    pub final_scalars: Address<f32>,
}

impl<G> Clone for Memory<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G> Copy for Memory<G> {}

/// Stands for no illegal action of a game.
pub const ALL_LEGAL: u8 = u8::MAX;

/// Stands for no illegal action of the batch.
pub const NO_ILLEGAL_ACTION: u64 = u64::MAX;

impl<G: DeviceGame> Memory<G> {
    /// Calls `work` with what all games share.
    #[inline(always)]
    unsafe fn with_shared<R>(&self, work: impl FnOnce(&Shared<'_, G>) -> R) -> R {
        // SAFETY: nothing writes to the start positions while a kernel runs.
        unsafe {
            let default_start = self.default_start.get(0);
            work(&Shared {
                rules: &default_start.rules_from_numbers(&self.rules),
                sizes: &self.sizes,
                starts: self.starts.slice(0, self.num_starts as usize),
                default_start,
            })
        }
    }

    /// Returns the memory of a game.
    #[inline(always)]
    unsafe fn game(&self, index: usize) -> GameMemory<'_, G> {
        // SAFETY: the index is less than the number of games, and no other thread has it.
        unsafe {
            GameMemory {
                game: self.games.get(index),
                stream: self.streams.get(index),
                status: self.statuses.get(index),
                ended: self.ended.get(index),
                masks: self.masks_of(index),
            }
        }
    }

    #[inline(always)]
    unsafe fn masks_of(&self, index: usize) -> Masks<'_> {
        let rows = self.sizes.rows as usize;
        let words = rows * self.sizes.mask_words as usize;
        // SAFETY: every game has so many words and counts.
        unsafe {
            Masks::new(
                &self.sizes,
                self.masks.slice(index * words, words),
                self.counts.slice(index * rows, rows),
            )
        }
    }

    /// Returns the mask of a row, which no thread may write at the same time.
    #[inline(always)]
    unsafe fn mask(&self, row: usize) -> &[u32] {
        let words = self.sizes.mask_words as usize;
        // SAFETY: every row has so many words.
        unsafe { Address::new(self.masks.0).slice(row * words, words) }
    }

    /// Returns whether an illegal action was found. Nothing is changed then.
    #[inline(always)]
    unsafe fn has_illegal_action(&self) -> bool {
        // SAFETY: the address is that of a word.
        // No thread of the same kernel writes it, so an ordinary load is enough, which is faster.
        unsafe { *Address::<u64>::new(self.first_illegal.0).get(0) != NO_ILLEGAL_ACTION }
    }
}

/// The arrays that a step reports, each with a row for each game; those that are not wanted have no
/// address.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ReportArrays {
    /// See [`Report::rewards`].
    pub rewards: Address<f32>,
    /// See [`Report::scores`].
    pub scores: Address<f32>,
    /// See [`Report::alive`].
    pub alive: Address<u8>,
    /// See [`Report::order_refused`].
    pub order_refused: Address<u8>,
    /// See [`Report::terminated`].
    pub terminated: Address<u8>,
    /// See [`Report::truncated`].
    pub truncated: Address<u8>,
    /// See [`Report::winner`].
    pub winner: Address<i32>,
    /// See [`Report::ending`].
    pub ending: Address<i32>,
    /// See [`Report::move_valid`].
    pub move_valid: Address<u8>,
    /// See [`Report::current_player`].
    pub current_player: Address<i32>,
}

impl ReportArrays {
    /// No arrays.
    pub const NONE: ReportArrays = ReportArrays {
        rewards: Address::NONE,
        scores: Address::NONE,
        alive: Address::NONE,
        order_refused: Address::NONE,
        terminated: Address::NONE,
        truncated: Address::NONE,
        winner: Address::NONE,
        ending: Address::NONE,
        move_valid: Address::NONE,
        current_player: Address::NONE,
    };

    #[inline(always)]
    unsafe fn of(&self, index: usize, players: usize) -> Report<'_> {
        // SAFETY: every array has a row for each game.
        unsafe {
            Report {
                rewards: self.rewards.slice(index * players, players),
                scores: self.scores.slice(index * players, players),
                alive: self.alive.slice(index * players, players),
                order_refused: self.order_refused.slice(index * players, players),
                terminated: self.terminated.slice(index, 1),
                truncated: self.truncated.slice(index, 1),
                winner: self.winner.slice(index, 1),
                ending: self.ending.slice(index, 1),
                move_valid: self.move_valid.slice(index, 1),
                current_player: self.current_player.slice(index, 1),
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
        pub struct $kernel<G> {
            /// The batch.
            pub memory: Memory<G>,
            $($(#[$note])* pub $field: $type,)*
        }

        impl<G> Clone for $kernel<G> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<G> Copy for $kernel<G> {}
    };
}

kernel! {
    /// Finds the illegal actions: a thread for each game.
    Check {
        /// The actions.
        actions: Address<i32>,
    }
}

impl<G: DeviceGame> Kernel for Check<G> {
    const NAME: &'static str = "check";

    #[inline(always)]
    unsafe fn run(&self, _: usize, place: Place, _: &mut [u32]) {
        let Memory { sizes, .. } = &self.memory;
        let (game, rows) = (place.index(), sizes.rows as usize);
        if game >= sizes.games as usize {
            return;
        }
        let mut found = ALL_LEGAL;
        // SAFETY: the batch has this game, and only this thread works on it.
        unsafe {
            // Actions in a finished game are ignored, so none is illegal.
            if self.memory.statuses.get(game).unpack().stage == Stage::Ongoing {
                for row in (0..rows).rev() {
                    let index = game * rows + row;
                    let action = *self.actions.get(index);
                    if is_legal(sizes, self.memory.mask(index), action) {
                        continue;
                    }
                    found = row as u8;
                    if sizes.illegal() == Illegal::Error {
                        let first = (index as u64) << 32 | u64::from(action as u32);
                        self.memory.first_illegal.get(0).fetch_min(first, Ordering::Relaxed);
                    }
                }
            }
            *self.memory.illegal_rows.get(game) = found;
        }
    }
}

kernel! {
    /// Clears all masks before a step: a thread for four words.
    Clear {}
}

impl<G: DeviceGame> Kernel for Clear<G> {
    const NAME: &'static str = "clear";

    #[inline(always)]
    unsafe fn run(&self, _: usize, place: Place, _: &mut [u32]) {
        let Memory { sizes, masks, .. } = &self.memory;
        let index = place.index();
        // SAFETY: the buffer of masks is a multiple of 16 bytes long, and only this thread writes here.
        unsafe {
            if index < (sizes.all_rows() * sizes.mask_words as usize).div_ceil(4)
                && !self.memory.has_illegal_action()
            {
                *Address::<Quad>::new(masks.0).get(index) = Quad::ZERO;
            }
        }
    }
}

kernel! {
    /// Steps the games, after [`Check`] and [`Clear`]: `spread` threads for each game, of which only the
    /// first one works.
    ///
    /// The threads of a warp that follow different paths wait for each other, so a small batch is
    /// faster if its games are spread over more warps.
    Step {
        /// The actions.
        actions: Address<i32>,
        /// The outputs.
        report: ReportArrays,
        /// Threads per game.
        spread: u32,
    }
}

impl<G: DeviceGame> Kernel for Step<G> {
    const NAME: &'static str = "step";

    #[inline(always)]
    unsafe fn run(&self, _: usize, place: Place, _: &mut [u32]) {
        let Memory { sizes, .. } = &self.memory;
        let spread = self.spread as usize;
        let index = place.index() / spread;
        if !place.index().is_multiple_of(spread) || index >= sizes.games as usize {
            return;
        }
        // SAFETY: the batch has this game, and only this thread works on it.
        unsafe {
            if self.memory.has_illegal_action() {
                return;
            }
            let (rows, players) = (sizes.rows as usize, sizes.players as usize);
            let actions = self.actions.slice(index * rows, rows);
            let mut report = self.report.of(index, players);
            let mut game = self.memory.game(index);
            let illegal = match *self.memory.illegal_rows.get(index) {
                ALL_LEGAL => None,
                row => Some(row as usize),
            };
            self.memory.with_shared(|shared| {
                step(shared, &mut game, actions, illegal, &mut report, |game| {
                    self.store_final_observation(shared, game, index);
                });
            });
        }
    }
}

impl<G: DeviceGame> Step<G> {
    /// Stores the observations of a game that ended. Not inlined because games end rarely.
    #[inline(never)]
    unsafe fn store_final_observation(&self, shared: &Shared<'_, G>, game: &G, index: usize) {
        let Sizes { rows, plane_bytes, scalars, simultaneous, .. } = self.memory.sizes;
        let (bytes, numbers) = (plane_bytes as usize, scalars as usize);
        for view in 0..rows as usize {
            let player = if simultaneous != 0 { view } else { crate::step::player(game) };
            let row = index * rows as usize + view;
            // SAFETY: there is room for the observations of every game.
            let (planes, scalars) = unsafe {
                (
                    self.memory.final_planes.slice(row * bytes, bytes),
                    self.memory.final_scalars.slice(row * numbers, numbers),
                )
            };
            game.observe(shared.rules, player, planes, scalars);
        }
    }
}

kernel! {
    /// Recomputes the legal actions and status of games that were changed from outside, after [`Clear`]: a
    /// thread for each game.
    Refresh {}
}

impl<G: DeviceGame> Kernel for Refresh<G> {
    const NAME: &'static str = "refresh";

    #[inline(always)]
    unsafe fn run(&self, _: usize, place: Place, _: &mut [u32]) {
        let index = place.index();
        if index >= self.memory.sizes.games as usize {
            return;
        }
        // SAFETY: the batch has this game, and only this thread works on it.
        unsafe {
            let mut game = self.memory.game(index);
            self.memory.with_shared(|shared| refresh(shared, &mut game));
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
            let status = self.memory.statuses.get(index).unpack();
            report.write(sizes, self.memory.games.get(index), &status, true);
        }
    }
}

kernel! {
    /// Starts games again, without computing their legal actions: a thread for each game.
    Restart {
        /// Whether to start each game again; all if there is no address.
        chosen: Address<u8>,
    }
}

impl<G: DeviceGame> Kernel for Restart<G> {
    const NAME: &'static str = "restart";

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
    /// Draws a random legal action for each row: a thread for each game.
    Sample {
        /// Draw from streams of this seed instead of the games' own, if `seeded` is not 0.
        seed: u64,
        /// Whether there is a seed.
        seeded: u32,
        /// The actions.
        out: Address<i32>,
    }
}

impl<G: DeviceGame> Kernel for Sample<G> {
    const NAME: &'static str = "sample";

    #[inline(always)]
    unsafe fn run(&self, _: usize, place: Place, _: &mut [u32]) {
        let Memory { sizes, .. } = &self.memory;
        let index = place.index();
        if index >= sizes.games as usize {
            return;
        }
        let mut seeded = Stream::new(self.seed, index as u64);
        let rows = sizes.rows as usize;
        // SAFETY: the batch has this game, and only this thread works on it.
        unsafe {
            let own = self.memory.streams.get(index);
            let stream = if self.seeded != 0 { &mut seeded } else { own };
            let words = rows * sizes.mask_words as usize;
            let masks = Address::new(self.memory.masks.0).slice(index * words, words);
            let counts = self.memory.counts.slice(index * rows, rows);
            sample(masks, counts, stream, self.out.slice(index * rows, rows));
        }
    }
}

kernel! {
    /// Writes masks with one bit per action: a thread for four bytes. The last thread may write up to three
    /// bytes too many.
    WritePackedMasks {
        /// The masks.
        out: Address<u32>,
    }
}

impl<G: DeviceGame> Kernel for WritePackedMasks<G> {
    const NAME: &'static str = "write_packed_masks";

    #[inline(always)]
    unsafe fn run(&self, _: usize, place: Place, _: &mut [u32]) {
        let Memory { sizes, masks, .. } = &self.memory;
        let (index, rows) = (place.index(), sizes.all_rows());
        if index >= (rows * sizes.actions.div_ceil(8) as usize).div_ceil(4) {
            return;
        }
        // SAFETY: every row has a mask, and only this thread writes these bytes.
        unsafe {
            let masks = Address::<u32>::new(masks.0).slice(0, rows * sizes.mask_words as usize);
            *self.out.get(index) = packed_word(sizes, masks, index);
        }
    }
}

kernel! {
    /// Writes masks with one byte per action: a thread for 16 bytes. The last thread may write up to
    /// 15 bytes too many.
    WriteBoolMasks {
        /// The masks.
        out: Address<Quad>,
    }
}

impl<G: DeviceGame> Kernel for WriteBoolMasks<G> {
    const NAME: &'static str = "write_bool_masks";

    #[inline(always)]
    unsafe fn run(&self, _: usize, place: Place, _: &mut [u32]) {
        let Memory { sizes, masks, .. } = &self.memory;
        let (index, rows) = (place.index(), sizes.all_rows());
        if index >= (rows * sizes.actions as usize).div_ceil(16) {
            return;
        }
        // SAFETY: every row has a mask, and only this thread writes these bytes.
        unsafe {
            let masks = Address::<u32>::new(masks.0).slice(0, rows * sizes.mask_words as usize);
            *self.out.get(index) = bools(sizes, masks, index);
        }
    }
}

kernel! {
    /// Writes masks as lists of actions: a block for each row, with up to 1,024 threads and as many
    /// words of shared memory.
    WriteSparseMasks {
        /// The number of actions of each row.
        counts: Address<i32>,
        /// The actions, [`Sizes::max_legal`] for each row.
        indices: Address<i32>,
    }
}

impl<G: DeviceGame> Kernel for WriteSparseMasks<G> {
    const NAME: &'static str = "write_sparse_masks";
    const PHASES: usize = 2;

    #[inline(always)]
    unsafe fn run(&self, phase: usize, place: Place, shared: &mut [u32]) {
        let Memory { sizes, masks, .. } = &self.memory;
        let (words, most) = (sizes.mask_words as usize, sizes.max_legal as usize);
        // SAFETY: there are as many blocks as rows, and threads write different elements.
        unsafe {
            let mut write = WriteIndices {
                mask: Address::<u32>::new(masks.0).slice(place.block * words, words),
                out: self.indices.slice(place.block * most, most),
                count: self.counts.get(place.block),
            };
            write.run(phase, place.thread, place.threads, shared);
        }
    }
}

/// A number type of observations, with a kernel of its own.
pub trait ValueFormat: Value {
    /// The name of the kernel.
    const KERNEL: &'static str;
}

impl ValueFormat for u8 {
    const KERNEL: &'static str = "write_observations_u8";
}

impl ValueFormat for f16 {
    const KERNEL: &'static str = "write_observations_f16";
}

impl ValueFormat for bf16 {
    const KERNEL: &'static str = "write_observations_bf16";
}

impl ValueFormat for f32 {
    const KERNEL: &'static str = "write_observations_f32";
}

/// Writes observations: blocks for `rows_per_block` rows each, with at least as many threads.
#[repr(C)]
#[derive(Debug)]
pub struct WriteObservations<G, T> {
    /// The batch.
    pub memory: Memory<G>,
    /// The number of rows to write.
    pub rows: u32,
    /// The number of rows that a block writes.
    pub rows_per_block: u32,
    /// The words of shared memory for each row, by [`WriteObservations::row_words`].
    pub row_words: u32,
    /// The player whose view is wanted. −1 for the acting player, or in simultaneous games for each
    /// player.
    pub player: i32,
    /// The shape of an observation.
    pub shape: Shape,
    /// Whether to write packed planes.
    pub packed: u32,
    /// The channels, by [`sources`](crate::sources).
    pub sources: Address<Source>,
    /// Packed planes to write instead of observing games, and their scalars.
    pub stored_planes: Address<u8>,
    /// See `stored_planes`.
    pub stored_scalars: Address<f32>,
    /// The stored row of each row to write.
    pub stored_rows: Address<u32>,
    /// The values.
    pub values: Address<T>,
    /// The scalars.
    pub scalars: Address<f32>,
}

impl<G, T> Clone for WriteObservations<G, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G, T> Copy for WriteObservations<G, T> {}

impl<G, T> WriteObservations<G, T> {
    /// Returns the words of shared memory for one row: planes, scalars, and one more if the sum is
    /// even, so that the rows begin in different banks.
    pub const fn row_words(sizes: &Sizes) -> u32 {
        (sizes.plane_bytes.div_ceil(4) + sizes.scalars) | 1
    }
}

impl<G: DeviceGame, T: ValueFormat> Kernel for WriteObservations<G, T> {
    const NAME: &'static str = T::KERNEL;
    const PHASES: usize = 3;

    #[inline(always)]
    unsafe fn run(&self, phase: usize, place: Place, shared: &mut [u32]) {
        let sizes = &self.memory.sizes;
        let (bytes, numbers) = (sizes.plane_bytes as usize, sizes.scalars as usize);
        let first = place.block * self.rows_per_block as usize;
        let per_block = self.rows_per_block as usize;
        let rows = (self.rows as usize - first).min(per_block);
        let length = self.shape.values();
        let Place { thread, threads, .. } = place;
        // SAFETY: every row has room in the outputs, and threads write different elements.
        unsafe {
            let values = if self.values.0 == 0 {
                Values::None
            } else if self.packed != 0 && bytes.is_multiple_of(4) {
                Values::Words(
                    Address::new(self.values.0).slice(first * bytes / 4, rows * bytes / 4),
                )
            } else if self.packed != 0 {
                Values::Bytes(Address::new(self.values.0).slice(first * bytes, rows * bytes))
            } else {
                Values::Each(self.values.slice(first * length, rows * length))
            };
            let mut observe = Observe {
                sizes,
                rows,
                row_words: self.row_words as usize,
                shape: self.shape,
                sources: self.sources.slice(0, self.shape.channels as usize),
                values,
                scalars: self.scalars.slice(first * numbers, rows * numbers),
            };
            if phase == 1 {
                observe.write(thread, threads, shared);
            } else if phase == 0 {
                // Neighboring threads observe the same part of different rows.
                let (row, part) = (thread % per_block, thread / per_block);
                if row < rows && part < G::PARTS {
                    let (planes, scalars) = observe.words(row, shared);
                    self.read(first + row, part, planes, scalars);
                }
            } else if thread < rows {
                self.memory.with_shared(|own| observe.paint::<G>(own.rules, thread, shared));
            }
        }
    }
}

impl<G: DeviceGame, T: Value> WriteObservations<G, T> {
    /// Observes a part of a game, or reads a stored observation.
    #[inline(always)]
    unsafe fn read(&self, row: usize, part: usize, planes: &mut [u32], scalars: &mut [f32]) {
        let sizes = &self.memory.sizes;
        let bytes = sizes.plane_bytes as usize;
        // SAFETY: the batch has a game for this row, or a stored observation.
        unsafe {
            if self.stored_planes.0 != 0 || self.stored_scalars.0 != 0 {
                if part > 0 {
                    return;
                }
                let row = self.stored_rows.slice(row, 1).first().map_or(row, |&row| row as usize);
                let from = self.stored_planes.slice(row * bytes, bytes);
                let planes: &mut [u8] = bytemuck::cast_slice_mut(planes);
                planes.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
                let from = self.stored_scalars.slice(row * scalars.len(), scalars.len());
                scalars.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
                return;
            }
            let views = if self.player >= 0 { 1 } else { sizes.rows as usize };
            let game = self.memory.games.get(row / views);
            let player = match usize::try_from(self.player) {
                Ok(player) => player,
                Err(_) if sizes.simultaneous != 0 => row % views,
                Err(_) => crate::step::player(game),
            };
            self.memory.with_shared(|own| {
                game.observe_part(own.rules, player, part, planes, scalars);
            });
        }
    }
}
