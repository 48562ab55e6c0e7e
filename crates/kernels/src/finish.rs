//! The second part of a step: legal actions, status and masks, by several threads for each game.
#![allow(
    unsafe_code,
    reason = "the memory of a batch is shared by threads and passed as addresses"
)]

use fourfold_common::cpu::Simt;
use fourfold_env::{Autoreset, DeviceGame, Stage, Status};

use crate::block::{
    ALL, BlockLayout, HEADER, KNOWN, NEEDED, PROGRESS, Part, ROUNDS, START_PLUS_ONE, STARTS_AGAIN,
    WRITES_AGAIN, quads_mut,
};
use crate::block_masks::{MaskOutputs, copy_words};
use crate::launch::{FIRST_REPEATED, Kernel, Place, kernel};
use crate::masks::{MaskSink, all_actions};
use crate::step::{draw_start, player, reported};
use crate::{
    GROUP_WORDS, Memory, Progress, Quad, ReportArrays, Sizes, copy_part, for_every,
    shared as atomic,
};

kernel! {
    /// Finds the legal actions and the status of all games, after [`Begin`](crate::launch::Begin) or
    /// [`Restart`](crate::launch::Restart). A block has `layout.games` games, [`Finish::threads`] and
    /// [`Finish::shared_words`].
    ///
    /// Masks are made in shared memory, where threads may set bits at the same time, and written once.
    Finish {
        /// The outputs.
        report: ReportArrays,
        /// Where masks are written.
        masks: MaskOutputs,
        /// How a block is divided among its games.
        layout: BlockLayout,
        /// Whether the games were changed from outside, not by a step.
        refresh: u32,
    }
}

/// The phases. The first three are repeated while a game needs it, if it may: each time with larger numbers.
const CLEAR: usize = 0;
const FIND: usize = 1;
const SETTLE: usize = 2;
const ROUND: usize = 3;
const FACTS: usize = 3;
const WRITE: usize = 4;
/// The phases from here to `STATUS_FIRST` are for games that start again in the step in which they ended.
const CLEAR_FINAL: usize = 5;
const OBSERVE: usize = 6;
const START: usize = 7;
const FIND_FIRST: usize = 8;
const FACTS_FIRST: usize = 9;
const STATUS_FIRST: usize = 10;
const ALLOW_ALL: usize = 11;
const REWRITE: usize = 12;
/// The phase that writes masks for the caller, if `WRITE` does not.
const WRITE_UNITS: usize = 13;

impl<G: DeviceGame, const ROWS: bool> Finish<G, ROWS> {
    /// Returns the number of games of a block, so that all `multiprocessors` of a device are busy.
    pub fn games_per_block(sizes: &Sizes, multiprocessors: usize) -> usize {
        const MOST_WORDS: usize = 12 * 1024;
        let rows = sizes.rows as usize;
        let by_threads = G::BLOCK_THREADS / (G::LANES * rows);
        let by_words = MOST_WORDS / Self::shared_words(sizes, 1);
        let by_blocks = (sizes.games as usize).div_ceil(2 * multiprocessors);
        1 << by_threads.min(by_words).min(by_blocks).max(1).ilog2()
    }

    /// Returns the number of threads of a block. If there are more than its games need, the others only write.
    pub fn threads(sizes: &Sizes, games_per_block: usize) -> usize {
        (games_per_block * sizes.rows as usize * G::LANES).max(128.min(G::BLOCK_THREADS))
    }

    /// Returns the words of shared memory of a block.
    pub const fn shared_words(sizes: &Sizes, games_per_block: usize) -> usize {
        let masks = games_per_block * sizes.rows as usize * sizes.mask_words as usize;
        let layout = BlockLayout::new(sizes, games_per_block);
        // There is a word behind the masks, which is read but not used.
        layout.first_mask as usize + (masks + 1).next_multiple_of(4)
    }

    /// Returns the shared memory of a game of this block.
    ///
    /// # Safety
    /// As for [`BlockLayout::part`].
    #[inline(always)]
    unsafe fn part<'a>(&self, shared: &'a mut [u32], game: usize) -> Part<'a> {
        // SAFETY: the caller promises it.
        unsafe { self.layout.part(&self.memory.sizes, shared, game) }
    }
}

impl<G: DeviceGame, const ROWS: bool> Kernel for Finish<G, ROWS> {
    const NAME: &'static str = "finish";

    const REPEATS: bool = G::SETTLES;

    #[inline(always)]
    fn next(&self, phase: usize, shared: &[u32]) -> Option<usize> {
        let after_finding = if G::HAS_FACTS { FACTS } else { WRITE };
        Some(match phase {
            CLEAR => FIND,
            FIND if G::SETTLES => SETTLE,
            FIND => after_finding,
            SETTLE if shared[ROUNDS] > 1 => FIRST_REPEATED + ROUND,
            SETTLE => after_finding,
            FIRST_REPEATED.. => {
                let (round, own_phase) = split(phase);
                let ends = own_phase == SETTLE && shared[ROUNDS] as usize <= round + 1;
                if ends { after_finding } else { phase + 1 }
            }
            WRITE if shared[STARTS_AGAIN] != 0 && G::ADDS_TO_OBSERVATIONS => CLEAR_FINAL,
            WRITE if shared[STARTS_AGAIN] != 0 => OBSERVE,
            WRITE if shared[WRITES_AGAIN] != 0 => ALLOW_ALL,
            WRITE | REWRITE if !G::ACTIONS_FILL_WORDS && self.masks.writes() => WRITE_UNITS,
            WRITE | REWRITE | WRITE_UNITS => return None,
            FIND_FIRST if !G::HAS_FACTS => STATUS_FIRST,
            _ => phase + 1,
        })
    }

    #[inline(always)]
    unsafe fn run(&self, phase: usize, place: Place, shared: &mut [u32]) {
        let rows = self.memory.sizes.rows;
        let first = place.block * self.layout.games as usize;
        // All threads of a game work on its masks. One thread for each game does the rest; these are
        // neighbors, so that they belong to one warp. Numbers of 32 bits are faster.
        let (group, lane) = (place.thread as u32 / G::LANES as u32, place.thread % G::LANES);
        let own = (group * self.layout.row_reciprocal) >> 16;
        let (row, own) = ((group - own * rows) as usize, own as usize);
        let lanes = (row * G::LANES + lane, rows as usize * G::LANES);
        let has_game = own < self.layout.games as usize;
        let leads = place.thread < self.layout.games as usize;
        let (round, own_phase) = split(phase);
        // SAFETY: the host promises the addresses; a phase lets one thread at a time change anything.
        unsafe {
            match own_phase {
                CLEAR if round == 0 => {
                    self.clear_all(place, shared);
                    if leads {
                        self.prepare(first + place.thread, self.part(shared, place.thread));
                    }
                }
                CLEAR if has_game => self.clear(round, lanes, self.part(shared, own)),
                FIND | FIND_FIRST if has_game => {
                    let part = self.part(shared, own);
                    if part.words[NEEDED] as usize == round + 1 {
                        self.find(first + own, row, lane, part);
                    } else if !ROWS
                        && (round, own_phase) == (0, FIND)
                        && !part.progress().has_moved()
                    {
                        self.keep(first + own, lanes, part);
                    }
                }
                SETTLE if leads => self.settle(round, first + place.thread, place.thread, shared),
                FACTS | FACTS_FIRST if has_game && row == 0 => {
                    self.know(first + own, lane, self.part(shared, own));
                }
                WRITE | REWRITE => {
                    self.write_masks(first, phase == REWRITE, place, shared);
                    if leads && phase == WRITE {
                        self.set_status(first + place.thread, place.thread, shared);
                    }
                }
                CLEAR_FINAL if has_game && self.part(shared, own).words[START_PLUS_ONE] != 0 => {
                    self.clear_final(first + own, lanes);
                }
                OBSERVE => {
                    if has_game {
                        self.observe(first + own, row, lane, &self.part(shared, own));
                    }
                    if leads {
                        self.choose_start(first + place.thread, self.part(shared, place.thread));
                    }
                }
                START if has_game => self.start(first + own, lanes, self.part(shared, own)),
                STATUS_FIRST if leads => {
                    self.set_first_status(first + place.thread, &self.part(shared, place.thread));
                }
                WRITE_UNITS => self.write_units(first, place, shared),
                ALLOW_ALL if has_game => self.allow_all(row, lane, self.part(shared, own)),
                _ => {}
            }
        }
    }
}

/// Splits a phase into its round, and the phase without rounds.
#[inline(always)]
const fn split(phase: usize) -> (usize, usize) {
    match phase.checked_sub(FIRST_REPEATED) {
        Some(repeated) => (repeated / ROUND, repeated % ROUND),
        None => (0, phase),
    }
}

/// The index of a thread among those of its game, and their number.
type Lanes = (usize, usize);

impl<G: DeviceGame, const ROWS: bool> Finish<G, ROWS> {
    /// Clears this thread's share of the masks of a block.
    #[inline(always)]
    unsafe fn clear_all(&self, place: Place, shared: &mut [u32]) {
        let Sizes { rows, mask_words, .. } = self.memory.sizes;
        let needed = self.layout.first_mask + self.layout.games * rows * mask_words;
        assert!(shared.len() >= needed as usize, "there is enough shared memory");
        if place.thread == 0 {
            shared[..HEADER].copy_from_slice(&[1, 0, 0, 0]);
        }
        let masks = quads_mut(&mut shared[self.layout.first_mask as usize..]);
        for_every(place.thread, place.threads, masks.len(), |index| {
            masks[index] = Quad([0; 4]);
        });
    }

    /// Prepares what is known about a game when this kernel begins.
    #[inline(always)]
    unsafe fn prepare(&self, game: usize, part: Part<'_>) {
        // SAFETY: the batch has this game if its index is less than their number.
        let (progress, is_over) = unsafe {
            if game >= self.memory.sizes.games as usize || self.memory.has_illegal_action() {
                (Progress::NOTHING, false)
            } else if self.refresh != 0 {
                let status = self.memory.status(game).unpack();
                (Progress::REFRESHED, status.stage != Stage::Ongoing)
            } else {
                (Progress(*self.memory.progress.get(game)), false)
            }
        };
        part.words[PROGRESS] = u32::from(progress.0);
        // In rows, there is no mask to keep.
        let moved = progress.has_moved() || ROWS && progress == Progress::IGNORED;
        part.words[NEEDED] = (moved && !is_over).into();
        part.words[KNOWN] = 0;
        part.words[ALL] = 0;
        part.words[START_PLUS_ONE] = 0;
        part.counts.iter_mut().for_each(|count| *count = 0);
    }

    /// Clears the masks of a game that needs another round.
    #[inline(always)]
    fn clear(&self, round: usize, (thread, threads): Lanes, part: Part<'_>) {
        if part.words[NEEDED] as usize == round + 1 {
            for_every(thread, threads, part.masks.len(), |index| {
                part.masks[index] = 0;
            });
            for_every(thread, threads, part.counts.len(), |index| {
                part.counts[index] = 0;
            });
        }
    }

    /// Reads this thread's share of the masks of a game whose position has not changed.
    #[inline(always)]
    unsafe fn keep(&self, game: usize, (thread, threads): Lanes, part: Part<'_>) {
        if game >= self.memory.sizes.games as usize {
            return;
        }
        // SAFETY: the batch has this game.
        unsafe {
            let masks = self.memory.masks.slice(game * part.masks.len(), part.masks.len());
            let counts = self.memory.counts.slice(game * part.counts.len(), part.counts.len());
            for_every(thread, threads, part.masks.len(), |index| {
                part.masks[index] = masks[index];
            });
            for_every(thread, threads, part.counts.len(), |index| {
                part.counts[index] = counts[index];
            });
        }
    }

    /// Finds this thread's share of the legal actions of a game.
    #[inline(always)]
    unsafe fn find(&self, game: usize, row: usize, lane: usize, part: Part<'_>) {
        let Sizes { mask_words, simultaneous, .. } = self.memory.sizes;
        let words = &mut part.masks[row * mask_words as usize..][..mask_words as usize];
        let mut sink = MaskSink { words, count: 0 };
        // SAFETY: the batch has this game, and no thread changes it in this phase.
        unsafe {
            let game = &*self.memory.state(game);
            let player = if simultaneous != 0 { row } else { player(game) };
            self.memory.with_shared(|shared| {
                game.legal_part(Simt::here(), shared.rules, player, lane, &mut sink);
            });
        }
        atomic::add(&mut part.counts[row], sink.count);
    }

    /// Does what depends on whether there is a legal action.
    #[inline(always)]
    unsafe fn settle(&self, round: usize, game: usize, own: usize, shared: &mut [u32]) {
        // SAFETY: the block has this game.
        let part = unsafe { self.part(shared, own) };
        if part.progress() != Progress::PLAYED || part.words[NEEDED] as usize != round + 1 {
            return;
        }
        let may_move = part.may_move();
        // SAFETY: the batch has this game, and only this thread works on it in this phase.
        let is_needed_again = unsafe {
            let game = self.memory.state(game);
            self.memory.with_shared(|shared| game.settle(shared.rules, may_move))
        };
        if is_needed_again {
            part.words[NEEDED] = round as u32 + 2;
            // All threads that get here write the same number.
            shared[ROUNDS] = round as u32 + 2;
        }
    }

    /// Finds this thread's share of the facts that the status depends on.
    #[inline(always)]
    unsafe fn know(&self, game: usize, lane: usize, part: Part<'_>) {
        if part.words[NEEDED] == 0 {
            return;
        }
        // SAFETY: the batch has this game, and no thread changes it in this phase.
        let facts = unsafe {
            let game = &*self.memory.state(game);
            self.memory.with_shared(|shared| game.facts_part(Simt::here(), shared.rules, lane))
        };
        if facts != 0 {
            atomic::or(&mut part.words[KNOWN], facts);
        }
    }

    /// Sets and reports the status of a game, and decides whether it starts again.
    #[inline(always)]
    unsafe fn set_status(&self, game: usize, own: usize, shared: &mut [u32]) {
        // SAFETY: the block has this game.
        let part = unsafe { self.part(shared, own) };
        let progress = part.progress();
        if progress == Progress::NOTHING {
            return;
        }
        let sizes = &self.memory.sizes;
        // SAFETY: the batch has this game, and only this thread works on it in this phase.
        unsafe {
            let memory = self.memory.game(game);
            let before = memory.status.unpack();
            let computed = if progress.has_moved() { self.computed(game, &part) } else { before };
            let status = reported(sizes, &before, computed, progress);
            let is_over = status.stage != Stage::Ongoing;
            let ends = is_over && progress.was_ongoing();
            *memory.status = status.to_plain();
            *memory.ended = ends.into();
            if ROWS {
                self.count_step(game, progress);
            }
            let mut report = self.report.of(game, sizes.players as usize);
            report.write(sizes, memory.game, &status, progress.is_valid());
            // All threads that get here write the same numbers.
            if ends && sizes.autoreset() == Autoreset::SameStep {
                part.words[START_PLUS_ONE] = 1;
                shared[STARTS_AGAIN] = 1;
            } else if is_over {
                part.words[ALL] = 1;
                shared[WRITES_AGAIN] = 1;
            }
        }
    }

    /// Returns the status of a game by its position.
    #[inline(always)]
    unsafe fn computed(&self, game: usize, part: &Part<'_>) -> Status {
        // SAFETY: the batch has this game, and no other thread changes it in this phase.
        unsafe {
            let game = &*self.memory.state(game);
            self.memory.with_shared(|shared| {
                game.status_with(shared.rules, part.may_move(), part.words[KNOWN])
            })
        }
    }

    /// Clears this thread's share of the final observations of a game.
    #[inline(always)]
    unsafe fn clear_final(&self, game: usize, (thread, threads): Lanes) {
        if ROWS {
            return;
        }
        let Sizes { rows, scalars, .. } = self.memory.sizes;
        let (rows, numbers) = (rows as usize, scalars as usize);
        let words = self.memory.sizes.plane_words();
        // SAFETY: there is room for the observations of every game, and threads write different elements.
        unsafe {
            let planes = self.memory.final_planes.slice(game * rows * words, rows * words);
            for_every(thread, threads, planes.len(), |index| planes[index] = 0);
            let scalars = self.memory.final_scalars.slice(game * rows * numbers, rows * numbers);
            for_every(thread, threads, scalars.len(), |index| scalars[index] = 0.0);
        }
    }

    /// Stores this thread's share of the final observation of a row, if the game starts again.
    #[inline(always)]
    unsafe fn observe(&self, game: usize, row: usize, lane: usize, part: &Part<'_>) {
        if ROWS || part.words[START_PLUS_ONE] == 0 {
            return;
        }
        let Sizes { rows, scalars, simultaneous, .. } = self.memory.sizes;
        let (words, numbers) = (self.memory.sizes.plane_words(), scalars as usize);
        let index = game * rows as usize + row;
        // SAFETY: there is room for the observations of every game, and no thread changes the game.
        unsafe {
            let game = &*self.memory.state(game);
            let player = if simultaneous != 0 { row } else { player(game) };
            let planes = self.memory.final_planes.slice(index * words, words);
            let scalars = self.memory.final_scalars.slice(index * numbers, numbers);
            self.memory.with_shared(|shared| {
                for_every(lane, G::LANES, G::PARTS, |part| {
                    let add_bits = atomic::or_anywhere;
                    game.observe_part(shared.rules, player, part, planes, scalars, add_bits);
                });
            });
        }
    }

    /// Draws the start position of a game that starts again.
    #[inline(always)]
    unsafe fn choose_start(&self, game: usize, part: Part<'_>) {
        if part.words[START_PLUS_ONE] != 0 {
            // SAFETY: the batch has this game, and only this thread draws from its stream.
            unsafe {
                let mut memory = self.memory.game(game);
                let start = self.memory.with_shared(|shared| draw_start(shared, &mut memory));
                part.words[START_PLUS_ONE] = start as u32 + 1;
            }
        }
    }

    /// Copies this thread's share of the start position of a game that starts again.
    #[inline(always)]
    unsafe fn start(&self, game: usize, (thread, threads): Lanes, part: Part<'_>) {
        if thread == 0 {
            // The legal actions of other games are known.
            part.words[NEEDED] = (part.words[START_PLUS_ONE] != 0).into();
            part.words[KNOWN] = 0;
        }
        let Some(start) = part.words[START_PLUS_ONE].checked_sub(1) else { return };
        // SAFETY: the batch has this game; threads copy different words, and nothing changes the starts.
        unsafe {
            self.memory.with_shared(|shared| {
                let start = shared.starts.get(start as usize).unwrap_or(shared.default_start);
                copy_part(start, self.memory.state(game), thread, threads);
            });
        }
        for_every(thread, threads, part.masks.len(), |index| {
            part.masks[index] = 0;
        });
        for_every(thread, threads, part.counts.len(), |index| {
            part.counts[index] = 0;
        });
    }

    /// Sets the status of a game that has started again.
    #[inline(always)]
    unsafe fn set_first_status(&self, game: usize, part: &Part<'_>) {
        if part.words[START_PLUS_ONE] == 0 {
            return;
        }
        // SAFETY: the batch has this game, and only this thread works on it in this phase.
        unsafe {
            let memory = self.memory.game(game);
            *memory.status = self.computed(game, part).to_plain();
            let sizes = &self.memory.sizes;
            let mut report = self.report.of(game, sizes.players as usize);
            report.write_player(sizes, memory.game);
            if ROWS {
                self.set_steps(game, 0);
            }
        }
    }

    /// Counts a step in the row of a game.
    #[inline(always)]
    unsafe fn count_step(&self, game: usize, progress: Progress) {
        // SAFETY: the batch has this game, and only this thread works on it in this phase.
        unsafe {
            let before = self.memory.tail(game).steps;
            let steps = match progress {
                Progress::RESTARTED => 0,
                _ if progress.was_ongoing() => before.saturating_add(1),
                _ => before,
            };
            self.set_steps(game, steps);
        }
    }

    /// Sets the number of steps of a game, and reports it.
    #[inline(always)]
    unsafe fn set_steps(&self, game: usize, steps: u32) {
        // SAFETY: as for `count_step`.
        unsafe {
            self.memory.tail(game).steps = steps;
            self.memory.final_planes.slice(game, 1).fill(steps);
        }
    }

    /// Allows all actions in a game that is over.
    #[inline(always)]
    fn allow_all(&self, row: usize, lane: usize, part: Part<'_>) {
        if part.words[ALL] == 0 {
            return;
        }
        let Sizes { mask_words, actions, .. } = self.memory.sizes;
        let words = &mut part.masks[row * mask_words as usize..][..mask_words as usize];
        for_every(lane, G::LANES, words.len(), |index| {
            words[index] = all_actions(&self.memory.sizes, index);
        });
        if lane == 0 {
            part.counts[row] = actions;
        }
    }

    /// Writes this thread's share of the masks of a block, which are consecutive in all outputs, or only of the games
    /// that are over or have started again.
    #[inline(always)]
    unsafe fn write_masks(&self, first: usize, again: bool, place: Place, shared: &mut [u32]) {
        let Sizes { games, rows, .. } = self.memory.sizes;
        let games = (games - first as u32).min(self.layout.games);
        let mut game = 0;
        while game < games {
            let end = if again { game + 1 } else { games };
            // SAFETY: the block has this game.
            let part = unsafe { self.part(shared, game as usize) };
            if !again || part.words[ALL] != 0 || part.words[START_PLUS_ONE] != 0 {
                // SAFETY: the block has these rows.
                unsafe { self.write_rows(first, game * rows, end * rows, place, shared) };
            }
            game = end;
        }
    }

    /// Writes this thread's share of the masks of a block for the caller, if their rows do not consist of whole words.
    #[inline(always)]
    unsafe fn write_units(&self, first: usize, place: Place, shared: &mut [u32]) {
        let sizes = &self.memory.sizes;
        let rows = (sizes.games - first as u32).min(self.layout.games) * sizes.rows;
        let masks = &shared[self.layout.first_mask as usize..];
        // SAFETY: every row has room in the outputs, and there is a word behind the masks.
        unsafe {
            let first_row = first * sizes.rows as usize;
            self.masks.write_units::<ROWS>(sizes, first_row, rows, place, masks);
        }
    }

    /// Writes this thread's share of the masks of some rows of a block, and their numbers of actions.
    #[inline(always)]
    unsafe fn write_rows(
        &self,
        first: usize,
        start: u32,
        end: u32,
        place: Place,
        shared: &mut [u32],
    ) {
        let (sizes, layout) = (&self.memory.sizes, &self.layout);
        let first_row = first * sizes.rows as usize;
        let (head, masks) = shared.split_at_mut(layout.first_mask as usize);
        let counts = &head[layout.first_count()..][..end as usize];
        // SAFETY: every row has room in all outputs, and threads write different elements.
        unsafe {
            for_every(start as usize + place.thread, place.threads, counts.len(), |row| {
                *self.memory.counts.get(first_row + row) = counts[row];
            });
            if !ROWS {
                self.write_group_counts(first_row, start, end, place, masks);
            }
            let words = sizes.mask_words as usize;
            let range = start as usize * words..end as usize * words;
            // In rows, nothing reads the masks that a step keeps if they are written as they are wanted.
            if !ROWS || !self.masks.writes() {
                copy_words(self.memory.masks.at(first_row * words), masks, range.clone(), place);
            }
            if G::ACTIONS_FILL_WORDS {
                self.masks.write_words(first_row * words, range, place, masks);
            }
        }
    }

    /// Writes the number of actions in each group of words, which [`Sample`](crate::Sample) reads.
    #[inline(always)]
    unsafe fn write_group_counts(
        &self,
        first_row: usize,
        start: u32,
        end: u32,
        place: Place,
        masks: &[u32],
    ) {
        let sizes = &self.memory.sizes;
        let (words, stride) = (sizes.mask_words as usize, sizes.group_stride() as usize);
        // A warp for each row.
        let (lane, warp, warps) = (place.thread % 32, place.thread / 32, place.threads / 32);
        for_every(start as usize + warp, warps, end as usize, |row| {
            let mask = &masks[row * words..][..words];
            let out = self.memory.group_counts.at((first_row + row) * stride);
            for_every(lane, 32, stride, |group| {
                let found = mask.get(group * GROUP_WORDS..).unwrap_or(&[]);
                let count: u32 = match found.first_chunk::<GROUP_WORDS>() {
                    Some(group) => group.map(u32::count_ones).iter().sum(),
                    None => found.iter().map(|word| word.count_ones()).sum(),
                };
                // SAFETY: every row has room for its numbers, and threads write different elements.
                unsafe { *out.get(group) = count as u16 };
            });
        });
    }
}
