//! What a game needs to run on a GPU.

use fourfold_common::cpu::Cpu;

use crate::game::{Action, Game, Status};
use crate::legal::ActionSink;

/// A game that can be stepped on a GPU, where several threads share the work on one game.
///
/// A step there is [`DeviceGame::begin`], then [`DeviceGame::legal_part`] in all threads and
/// [`DeviceGame::settle`] until that returns false, then [`DeviceGame::facts_part`] in all threads and
/// [`DeviceGame::status_with`]. The result must be that of [`Game::apply`], [`Game::legal`] and
/// [`Game::status`].
pub trait DeviceGame: Game {
    /// Returns the rules as numbers, without those that a state knows.
    fn rules_to_numbers(rules: &Self::Rules) -> [u32; 8];

    /// Returns the rules of a state; the inverse of [`DeviceGame::rules_to_numbers`].
    fn rules_from_numbers(&self, numbers: &[u32; 8]) -> Self::Rules;

    /// The number of threads that find the legal actions of a game together: a power of two, at most 32,
    /// so that they belong to one warp.
    const LANES: usize = 1;

    /// The largest number of threads that should share memory when legal actions are found, as measured.
    const BLOCK_THREADS: usize = 128;

    /// Whether the number of actions is always a multiple of 32.
    const ACTIONS_FILL_WORDS: bool = false;

    /// Whether [`DeviceGame::settle`] does anything.
    const SETTLES: bool = false;

    /// Whether [`DeviceGame::status_with`] needs the result of [`DeviceGame::facts_part`].
    const HAS_FACTS: bool = false;

    /// Plays one legal action for each acting player, as [`Game::apply`] does, except for what depends on
    /// whether a player can move; [`DeviceGame::settle`] does that.
    #[inline(always)]
    fn begin(&mut self, rules: &Self::Rules, actions: &[Action]) {
        self.apply(rules, actions);
    }

    /// Passes those legal actions of a player to a sink that the thread `lane` of [`DeviceGame::LANES`] finds.
    /// Each action is found by exactly one of the threads. They cannot communicate, but run in lockstep:
    /// what all of them compute alike costs no more than if one did.
    #[inline(always)]
    fn legal_part<C: Cpu>(
        &self,
        cpu: C,
        rules: &Self::Rules,
        player: usize,
        lane: usize,
        sink: &mut impl ActionSink,
    ) {
        if lane == 0 {
            self.legal(cpu, rules, player, sink);
        }
    }

    /// Does the rest of a step after [`DeviceGame::begin`], now that it is known whether an acting player has a
    /// legal action. Returns true if the legal actions must be found again, because the turn has passed to
    /// another player; then it is called again.
    #[inline(always)]
    fn settle(&mut self, _rules: &Self::Rules, _may_move: bool) -> bool {
        false
    }

    /// Returns what the thread `lane` of [`DeviceGame::LANES`] finds out for [`DeviceGame::status_with`]. The
    /// results of all threads are combined by `|`.
    #[inline(always)]
    fn facts_part<C: Cpu>(&self, _cpu: C, _rules: &Self::Rules, _lane: usize) -> u32 {
        0
    }

    /// Returns the status of the game, as [`Game::status`] does, given the facts of
    /// [`DeviceGame::facts_part`].
    #[inline(always)]
    fn status_with(&self, rules: &Self::Rules, may_move: bool, _facts: u32) -> Status {
        self.status(rules, may_move)
    }

    /// The number of parts in which an observation can be written, by as many threads; at most 64.
    const PARTS: usize = 1;

    /// Whether the parts of an observation only add to memory that was cleared before. They may then write to the same
    /// words of planes, if they use `add_bits`.
    const ADDS_TO_OBSERVATIONS: bool = false;

    /// Writes a part of the observation of a player, as [`Game::observe`] does: planes in words, lowest byte
    /// first, and scalars. `add_bits` sets bits of a word, which other threads may do at the same time. Without
    /// [`DeviceGame::ADDS_TO_OBSERVATIONS`], the memory is not cleared before, and no two parts may write to the same
    /// word.
    #[inline(always)]
    fn observe_part(
        &self,
        rules: &Self::Rules,
        player: usize,
        _part: usize,
        planes: &mut [u32],
        scalars: &mut [f32],
        _add_bits: impl Fn(&mut u32, u32),
    ) {
        self.observe(rules, player, bytemuck::cast_slice_mut(planes), scalars);
    }

    /// Does one of `parts` parts of [`Game::paint`]. No two parts set the same value, so that their order does
    /// not matter.
    #[inline(always)]
    fn paint_part(
        rules: &Self::Rules,
        scalars: &[f32],
        part: usize,
        _parts: usize,
        set: impl FnMut(usize, usize, f32),
    ) {
        if part == 0 {
            Self::paint(rules, scalars, set);
        }
    }
}
