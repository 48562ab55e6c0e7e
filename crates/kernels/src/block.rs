//! How a block that finishes a step divides its threads and its shared memory among games.
#![allow(unsafe_code, reason = "threads share memory by address")]

use core::slice;

use crate::{Progress, Quad, Sizes};

/// How the threads and the shared memory of a block are divided among its games.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct BlockLayout {
    /// The number of games of a block.
    pub games: u32,
    /// 2¹⁶ divided by the number of rows of a game and rounded up: a multiplication by it replaces a division.
    pub(crate) row_reciprocal: u32,
    /// The index of the first mask in shared memory, which is aligned to 16 bytes.
    pub(crate) first_mask: u32,
}

impl BlockLayout {
    /// Returns the layout of blocks with so many games.
    pub const fn new(sizes: &Sizes, games: usize) -> BlockLayout {
        let head = HEADER + games * (GAME_WORDS + sizes.rows as usize);
        BlockLayout {
            games: games as u32,
            row_reciprocal: (1u32 << 16).div_ceil(sizes.rows),
            first_mask: head.next_multiple_of(4) as u32,
        }
    }

    /// Returns the index of the number of legal actions of the first row in shared memory.
    #[inline(always)]
    pub(crate) const fn first_count(&self) -> usize {
        HEADER + self.games as usize * GAME_WORDS
    }

    /// Returns the shared memory of a game of a block.
    ///
    /// # Safety
    /// The index must be less than the number of games of a block, and there must be as much shared memory as
    /// [`Finish::shared_words`](crate::Finish::shared_words) says.
    #[inline(always)]
    pub(crate) unsafe fn part<'a>(
        &self,
        sizes: &Sizes,
        shared: &'a mut [u32],
        game: usize,
    ) -> Part<'a> {
        let Sizes { rows, mask_words, .. } = *sizes;
        let BlockLayout { first_mask, .. } = *self;
        let (game, words) = (game as u32, rows * mask_words);
        let start = shared.as_mut_ptr();
        let own = HEADER as u32 + game * GAME_WORDS as u32;
        let counts = self.first_count() as u32 + game * rows;
        let masks = first_mask + game * words;
        // SAFETY: the caller promises that there is so much memory, and the parts are disjoint.
        unsafe {
            Part {
                words: &mut *start.add(own as usize).cast(),
                counts: slice::from_raw_parts_mut(start.add(counts as usize), rows as usize),
                masks: slice::from_raw_parts_mut(start.add(masks as usize), words as usize),
            }
        }
    }
}

/// The first words of shared memory: the number of rounds that games need, whether a game starts again,
/// and whether a mask must be written again.
pub(crate) const ROUNDS: usize = 0;
pub(crate) const STARTS_AGAIN: usize = 1;
pub(crate) const WRITES_AGAIN: usize = 2;
pub(crate) const HEADER: usize = 4;

/// The words of each game: its [`Progress`], the round in which its legal actions must be found plus one,
/// its facts, whether all actions are allowed, and the index of its start position plus one if it starts
/// again.
pub(crate) const PROGRESS: usize = 0;
pub(crate) const NEEDED: usize = 1;
pub(crate) const KNOWN: usize = 2;
pub(crate) const ALL: usize = 3;
pub(crate) const START_PLUS_ONE: usize = 4;
pub(crate) const GAME_WORDS: usize = 8;

/// The part of shared memory that belongs to one game.
pub(crate) struct Part<'a> {
    pub(crate) words: &'a mut [u32; GAME_WORDS],
    /// The number of legal actions of each row.
    pub(crate) counts: &'a mut [u32],
    /// The masks of all rows.
    pub(crate) masks: &'a mut [u32],
}

impl Part<'_> {
    pub(crate) fn progress(&self) -> Progress {
        Progress(self.words[PROGRESS] as u8)
    }

    pub(crate) fn may_move(&self) -> bool {
        self.counts.iter().any(|&count| count > 0)
    }
}

/// Returns words that begin at a multiple of 16 bytes, four at a time.
#[inline(always)]
pub(crate) fn quads(words: &[u32]) -> &[Quad] {
    // SAFETY: shared memory is aligned, and so are the masks in it; the address is checked all the same.
    unsafe {
        assert!(words.as_ptr().cast::<Quad>().is_aligned(), "masks are aligned to 16 bytes");
        slice::from_raw_parts(words.as_ptr().cast(), words.len() / 4)
    }
}

/// The same, to be changed.
#[inline(always)]
pub(crate) fn quads_mut(words: &mut [u32]) -> &mut [Quad] {
    // SAFETY: as for `quads`.
    unsafe {
        assert!(words.as_ptr().cast::<Quad>().is_aligned(), "masks are aligned to 16 bytes");
        slice::from_raw_parts_mut(words.as_mut_ptr().cast(), words.len() / 4)
    }
}
