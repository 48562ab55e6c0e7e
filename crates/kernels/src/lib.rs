//! Batches in the memory of a GPU: what each of its threads does, as ordinary functions.
//!
//! The PTX kernels in the folder `ptx` only compute the index of their thread and run a [`Kernel`].
//! The same code runs on the CPU, where tests compare it with
//! [`Batch`](fourfold_env::Batch), so that only the launch itself needs a GPU.
//!
//! A batch on a GPU keeps packed masks instead of lists of legal actions: several threads set their
//! bits at the same time, and the actions are in ascending order by nature. What one thread writes
//! and another one reads is separated by the end of a kernel or, inside a block, by a barrier.

#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(asm_experimental_arch))]

extern crate alloc;

mod block;
mod block_masks;
mod finish;
pub mod launch;
mod masks;
mod memory;
mod observe;
pub mod rows;
mod sample;
mod sample_logits;
mod sample_masks;
mod shared;
mod step;

pub use block::BlockLayout;
pub use block_masks::MaskOutputs;
pub use finish::Finish;
pub use launch::{Grid, Kernel, Place};
pub use masks::{WriteIndices, is_legal, packed_word};
pub use memory::{Address, Memory, NO_ILLEGAL_ACTION, ReportArrays};
pub use observe::{Shape, Source, ValueFormat, WriteObservations, shown_scalars, sources};
pub use sample::Sample;
pub use sample_logits::SampleLogits;
pub use sample_masks::SampleMasks;
pub use step::{GameMemory, Progress, Report, Shared, begin, restart};

use bytemuck::{Pod, Zeroable};

use fourfold_env::{Autoreset, Illegal, Options, Spec};

/// The numbers and options of a batch that its kernels need.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Sizes {
    /// Number of games.
    pub games: u32,
    /// Number of players.
    pub players: u32,
    /// Masks and actions of each game: one, or one per player in simultaneous games.
    pub rows: u32,
    /// Number of action ids.
    pub actions: u32,
    /// Upper bound on the number of legal actions of one player.
    pub max_legal: u32,
    /// Words of a mask in device memory.
    pub mask_words: u32,
    /// Bytes of the packed planes of an observation.
    pub plane_bytes: u32,
    /// Scalars of an observation.
    pub scalars: u32,
    /// Number of endings by the rules of the game.
    pub endings: u32,
    /// An [`Autoreset`], by its index in [`Autoreset::ALL`].
    pub autoreset: u32,
    /// An [`Illegal`], by its index in [`Illegal::ALL`].
    pub illegal: u32,
    /// Whether all players act in each step.
    pub simultaneous: u32,
}

impl Sizes {
    /// Returns the sizes of a batch with the effective options, in which `illegal` is not `None`.
    pub fn new(spec: &Spec, games: usize, options: Options) -> Sizes {
        let illegal = options.illegal.unwrap_or(Illegal::Error);
        let index_of = |found: Option<usize>| found.unwrap_or(0) as u32;
        Sizes {
            games: games as u32,
            players: spec.players as u32,
            rows: spec.mask_rows() as u32,
            actions: spec.actions as u32,
            max_legal: spec.max_legal as u32,
            mask_words: spec.actions.div_ceil(32) as u32,
            plane_bytes: spec.observation.packed_bytes() as u32,
            scalars: spec.observation.scalars as u32,
            endings: spec.endings.len() as u32,
            autoreset: index_of(Autoreset::ALL.iter().position(|&it| it == options.autoreset)),
            illegal: index_of(Illegal::ALL.iter().position(|&it| it == illegal)),
            simultaneous: spec.simultaneous.into(),
        }
    }

    /// Returns when a finished game starts again.
    #[inline(always)]
    pub const fn autoreset(&self) -> Autoreset {
        Autoreset::ALL[self.autoreset as usize % Autoreset::ALL.len()]
    }

    /// Returns what an illegal action does.
    #[inline(always)]
    pub const fn illegal(&self) -> Illegal {
        Illegal::ALL[self.illegal as usize % Illegal::ALL.len()]
    }

    /// Returns the words of the packed planes of an observation.
    #[inline(always)]
    pub const fn plane_words(&self) -> usize {
        self.plane_bytes.div_ceil(4) as usize
    }

    /// Returns the number of groups of words of a mask, and as many as are needed for whole [`Quad`]s.
    #[inline(always)]
    pub const fn group_stride(&self) -> u32 {
        self.mask_words.div_ceil(GROUP_WORDS as u32).next_multiple_of(8)
    }

    /// Returns the number of masks and observations of all games.
    #[inline(always)]
    pub const fn all_rows(&self) -> usize {
        self.games as usize * self.rows as usize
    }
}

/// The words of a mask whose legal actions are counted together. An odd number, so that threads which count different
/// groups read from different banks of shared memory.
pub(crate) const GROUP_WORDS: usize = 9;

/// Sixteen bytes, which a thread reads or writes at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C, align(16))]
pub struct Quad(pub(crate) [u32; 4]);

/// Calls `work` with every `step`th index from `first` on that is less than `count`. Other loops over such
/// indices begin with a division, which is slow on a GPU.
#[inline(always)]
pub(crate) fn for_every(first: usize, step: usize, count: usize, mut work: impl FnMut(usize)) {
    let mut index = first;
    while index < count {
        work(index);
        index += step;
    }
}

/// Copies plain data word by word. A plain copy of a large value is one byte at a time on a GPU.
#[inline(always)]
pub(crate) fn copy<T: Pod>(from: &T, to: &mut T) {
    copy_part(from, to, 0, 1);
}

/// Copies every `threads`th word of plain data, beginning with the word of this thread.
#[inline(always)]
pub(crate) fn copy_part<T: Pod>(from: &T, to: &mut T, thread: usize, threads: usize) {
    let from: &[u64] = bytemuck::cast_slice(core::slice::from_ref(from));
    let to: &mut [u64] = bytemuck::cast_slice_mut(core::slice::from_mut(to));
    for_every(thread, threads, from.len().min(to.len()), |index| to[index] = from[index]);
}
