//! The memory of a batch, by address.
#![allow(
    unsafe_code,
    reason = "the memory of a batch is shared by threads and passed as addresses"
)]

use core::marker::PhantomData;
use core::slice;
use core::sync::atomic::AtomicU64;

use fourfold_env::{DeviceGame, PlainStatus, RowTail, Stream};

use crate::{GameMemory, Report, Shared, Sizes};

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

    /// Returns the address of the value with this index.
    #[inline(always)]
    pub(crate) const fn at(self, index: usize) -> Address<T> {
        Address::new(self.0 + (index * size_of::<T>()) as u64)
    }

    /// Returns `count` values from `first` on, or none if there is no address.
    ///
    /// # Safety
    /// They must exist, and no other thread may use them at the same time, except by the rules of
    /// phases.
    #[inline(always)]
    pub(crate) unsafe fn slice<'a>(self, first: usize, count: usize) -> &'a mut [T] {
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
    pub(crate) unsafe fn get<'a>(self, index: usize) -> &'a mut T {
        // SAFETY: the caller promises it.
        unsafe { &mut *(self.0 as *mut T).add(index) }
    }
}

/// The memory of a batch.
///
/// With `ROWS`, the caller keeps the games as rows of bytes, and `games` is the address of the first row. There are no
/// masks from the step before, and [`CheckRows`](crate::rows::CheckRows) finds the illegal actions.
#[repr(C)]
#[derive(Debug)]
pub struct Memory<G, const ROWS: bool = false> {
    /// Sizes and options.
    pub sizes: Sizes,
    /// The number of start positions; if 0, games start from `default_start`.
    pub num_starts: u32,
    /// The rules, by [`DeviceGame::rules_to_numbers`].
    pub rules: [u32; 8],
    /// The states.
    pub games: Address<G>,
    /// The random streams, unless they are in the rows.
    pub streams: Address<Stream>,
    /// The status of each game, unless it is in the rows.
    pub statuses: Address<PlainStatus>,
    /// Whether each game ended in the latest step. With `ROWS`, before that: one more than the row of the first
    /// illegal action, or 0.
    pub ended: Address<u8>,
    /// The masks of each row, [`Sizes::mask_words`] each.
    pub masks: Address<u32>,
    /// The number of legal actions of each row.
    pub counts: Address<u32>,
    /// The number of legal actions in each group of words of a mask, [`Sizes::group_stride`] for each row. Not used
    /// with `ROWS`.
    pub group_counts: Address<u16>,
    /// The start positions.
    pub starts: Address<G>,
    /// The game's standard start.
    pub default_start: Address<G>,
    /// The index of the first illegal action in the high half, and the action in the low half; or
    /// [`NO_ILLEGAL_ACTION`].
    pub first_illegal: Address<AtomicU64>,
    /// What the latest step has done with each game so far: a [`Progress`](crate::Progress).
    pub progress: Address<u8>,
    /// The final observations of games that ended in the latest step: packed planes,
    /// [`Sizes::plane_words`] for each row. With `ROWS`, the number of steps of each game instead.
    pub final_planes: Address<u32>,
    /// The scalars of these observations.
    pub final_scalars: Address<f32>,
}

impl<G, const ROWS: bool> Clone for Memory<G, ROWS> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G, const ROWS: bool> Copy for Memory<G, ROWS> {}

/// Stands for no illegal action of the batch.
pub const NO_ILLEGAL_ACTION: u64 = u64::MAX;

impl<G: DeviceGame, const ROWS: bool> Memory<G, ROWS> {
    /// Returns the state of a game.
    ///
    /// # Safety
    /// The batch must have this game, and no other thread may use its state, except by the rules of phases.
    #[inline(always)]
    pub(crate) unsafe fn state<'a>(&self, index: usize) -> &'a mut G {
        // SAFETY: the caller promises it.
        unsafe {
            if ROWS {
                Address::new(self.games.0 + (index * Self::ROW_BYTES) as u64).get(0)
            } else {
                self.games.get(index)
            }
        }
    }

    /// Returns what follows the state of a game in its row.
    ///
    /// # Safety
    /// As for [`Memory::state`]; there must be rows.
    #[inline(always)]
    pub(crate) unsafe fn tail<'a>(&self, index: usize) -> &'a mut RowTail {
        let start = index * Self::ROW_BYTES + size_of::<G>();
        // SAFETY: the caller promises it.
        unsafe { Address::new(self.games.0 + start as u64).get(0) }
    }

    /// Returns the status of a game.
    ///
    /// # Safety
    /// As for [`Memory::state`].
    #[inline(always)]
    pub(crate) unsafe fn status<'a>(&self, index: usize) -> &'a mut PlainStatus {
        // SAFETY: the caller promises it.
        unsafe { if ROWS { &mut self.tail(index).status } else { self.statuses.get(index) } }
    }

    /// Returns the random stream of a game.
    ///
    /// # Safety
    /// As for [`Memory::state`].
    #[inline(always)]
    pub(crate) unsafe fn stream<'a>(&self, index: usize) -> &'a mut Stream {
        // SAFETY: the caller promises it.
        unsafe { if ROWS { &mut self.tail(index).stream } else { self.streams.get(index) } }
    }

    /// The size of a row.
    pub const ROW_BYTES: usize = size_of::<G>() + size_of::<RowTail>();

    /// Calls `work` with what all games share.
    #[inline(always)]
    pub(crate) unsafe fn with_shared<R>(&self, work: impl FnOnce(&Shared<'_, G>) -> R) -> R {
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
    pub(crate) unsafe fn game(&self, index: usize) -> GameMemory<'_, G> {
        // SAFETY: the index is less than the number of games, and no other thread has it.
        unsafe {
            GameMemory {
                game: self.state(index),
                stream: self.stream(index),
                status: self.status(index),
                ended: self.ended.get(index),
            }
        }
    }

    /// Returns the mask of a row, which no thread may write at the same time.
    #[inline(always)]
    pub(crate) unsafe fn mask(&self, row: usize) -> &[u32] {
        let words = self.sizes.mask_words as usize;
        // SAFETY: every row has so many words.
        unsafe { self.masks.slice(row * words, words) }
    }

    /// Returns whether an illegal action was found. Nothing is changed then.
    #[inline(always)]
    pub(crate) unsafe fn has_illegal_action(&self) -> bool {
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
    pub(crate) unsafe fn of(&self, index: usize, players: usize) -> Report<'_> {
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
