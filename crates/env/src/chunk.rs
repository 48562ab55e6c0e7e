//! Work on a contiguous range of games, on one thread.

use fourfold_common::cpu::{self, Cpu, Work};

use crate::batch::{Shared, Slot, close, is_legal, look};
use crate::game::{Action, Game, MAX_PLAYERS, Spec, Stage, Status};
use crate::layout::Scratch;
use crate::legal::Legal;
use crate::options::{Autoreset, Illegal};
use crate::outputs::{Outputs, Rows};
use crate::pool;
use crate::random::Stream;
use crate::show::{observe_into, views, write_masks};

/// How many games ahead to prefetch.
const AHEAD: usize = 2;
/// How many games ahead to prefetch where there is little work per game.
const CHECKED_AHEAD: usize = 8;
/// How much of a legal-action list to prefetch: most lists are shorter.
const USUAL_LIST: usize = 48;

/// What to do with a chunk of games.
#[derive(Clone, Copy)]
pub(crate) enum Task<'a> {
    /// Play these actions.
    Step(&'a [i32]),
    /// Recompute legal actions and status, because the games were changed from outside.
    Refresh,
    /// Only fill the outputs.
    Show,
}

/// A contiguous range of games with everything that belongs to them.
pub(crate) struct Chunk<'a, G: Game> {
    pub(crate) shared: &'a Shared<G>,
    pub(crate) slots: &'a mut [Slot<G>],
    pub(crate) lists: &'a mut [u32],
    pub(crate) final_planes: Rows<'a, u8>,
    pub(crate) final_scalars: Rows<'a, f32>,
    pub(crate) task: Task<'a>,
    pub(crate) out: Outputs<'a>,
}

impl<'a, G: Game> Chunk<'a, G> {
    fn split_at(self, at: usize) -> (Chunk<'a, G>, Chunk<'a, G>) {
        let spec = &self.shared.spec;
        let slots = self.slots.split_at_mut(at);
        let lists = self.lists.split_at_mut(at * spec.mask_rows() * spec.list_len());
        let final_planes = self.final_planes.split(at);
        let final_scalars = self.final_scalars.split(at);
        let out = self.out.split(at);
        let (left, right) = match self.task {
            Task::Step(actions) => {
                let (left, right) = actions.split_at(at * spec.mask_rows());
                (Task::Step(left), Task::Step(right))
            }
            task @ (Task::Refresh | Task::Show) => (task, task),
        };
        let shared = self.shared;
        (
            Chunk {
                shared,
                slots: slots.0,
                lists: lists.0,
                final_planes: final_planes.0,
                final_scalars: final_scalars.0,
                task: left,
                out: out.0,
            },
            Chunk {
                shared,
                slots: slots.1,
                lists: lists.1,
                final_planes: final_planes.1,
                final_scalars: final_scalars.1,
                task: right,
                out: out.1,
            },
        )
    }

    /// Steps one game. Returns the status to report and whether all of its actions were legal.
    #[inline(always)]
    fn step<C: Cpu>(&mut self, cpu: C, index: usize, actions: &[i32]) -> (Status, bool) {
        let Shared { rules, spec, options, .. } = self.shared;
        let size = spec.mask_rows() * spec.list_len();
        let slot = &mut self.slots[index];
        let lists = &mut self.lists[index * size..][..size];
        slot.ended = false;
        if slot.status.stage != Stage::Ongoing {
            match options.autoreset {
                Autoreset::Off => {
                    slot.status.rewards = [0.0; MAX_PLAYERS];
                    slot.status.refused = [false; MAX_PLAYERS];
                    return (slot.status, true);
                }
                Autoreset::NextStep | Autoreset::SameStep => {
                    slot.restart(self.shared);
                    slot.status = look(cpu, rules, spec, &slot.game, lists);
                    return (slot.status, true);
                }
            }
        }
        let offender = match options.illegal {
            // The whole batch was checked before the first game changed.
            Some(Illegal::Error) | None => None,
            Some(Illegal::Lose | Illegal::Ignore) => actions
                .iter()
                .zip(lists.chunks_exact(spec.list_len()))
                .position(|(&action, list)| !is_legal(Legal::new(list, spec.actions), action)),
        };
        let mut valid = true;
        match (offender, options.illegal) {
            (None, _) => {
                let mut chosen = [Action(0); MAX_PLAYERS];
                for (chosen, &action) in chosen.iter_mut().zip(actions) {
                    *chosen = Action(action as u32);
                }
                slot.game.apply(rules, &chosen[..actions.len()]);
                slot.status = look(cpu, rules, spec, &slot.game, lists);
            }
            (Some(row), Some(Illegal::Lose)) => {
                let seat = if spec.simultaneous { row } else { views(spec, &slot.game).start };
                slot.status = forfeit(spec, &slot.status, seat);
                valid = false;
            }
            (Some(_), Some(Illegal::Error | Illegal::Ignore) | None) => {
                slot.status.rewards = [0.0; MAX_PLAYERS];
                slot.status.refused = [false; MAX_PLAYERS];
                valid = false;
            }
        }
        let told = slot.status;
        if told.stage != Stage::Ongoing {
            slot.ended = true;
            if options.autoreset == Autoreset::SameStep {
                keep_last(
                    self.shared,
                    &slot.game,
                    index,
                    &mut self.final_planes,
                    &mut self.final_scalars,
                );
                slot.restart(self.shared);
                slot.status = look(cpu, rules, spec, &slot.game, lists);
            } else {
                close(lists, spec);
            }
        }
        (told, valid)
    }

    #[inline(always)]
    fn refresh<C: Cpu>(&mut self, cpu: C, index: usize) -> Status {
        let Shared { rules, spec, .. } = self.shared;
        let size = spec.mask_rows() * spec.list_len();
        let slot = &mut self.slots[index];
        let lists = &mut self.lists[index * size..][..size];
        slot.ended = false;
        if slot.status.stage == Stage::Ongoing {
            let rewards = slot.status.rewards;
            slot.status = look(cpu, rules, spec, &slot.game, lists);
            if slot.status.stage == Stage::Ongoing {
                // No step was made, so the rewards of the latest one are kept.
                slot.status.rewards = rewards;
            }
        }
        if slot.status.stage != Stage::Ongoing {
            close(lists, spec);
        }
        slot.status
    }

    /// Prefetches the memory that the step of a game reads.
    #[inline(always)]
    fn prefetch(&self, index: usize) {
        let Some(slot) = self.slots.get(index) else { return };
        let spec = &self.shared.spec;
        slot.game.prefetch();
        cpu::prefetch(std::slice::from_ref(&slot.status));
        prefetch_lists(self.lists, index, spec);
    }

    #[inline(always)]
    fn tell(&mut self, index: usize, told: &Status, valid: bool, scratch: &mut Scratch) {
        let spec = &self.shared.spec;
        let size = spec.mask_rows() * spec.list_len();
        let slot = &self.slots[index];
        let lists = &self.lists[index * size..][..size];
        let out = &mut self.out;
        out.rewards.set(index, &told.rewards);
        out.scores.set(index, &told.scores);
        out.alive.set(index, &told.alive);
        out.terminated.set(index, &[told.stage == Stage::Terminated]);
        out.truncated.set(index, &[told.stage == Stage::Truncated]);
        out.winner.set(index, &[told.winner.map_or(-1, i32::from)]);
        out.ending.set(index, &[told.ending.map_or(-1, i32::from)]);
        out.move_valid.set(index, &[valid]);
        out.order_refused.set(index, &told.refused);
        let seats = views(spec, &slot.game);
        let acting = if spec.simultaneous { -1 } else { seats.start as i32 };
        out.current_player.set(index, &[acting]);
        let legals = lists.chunks_exact(spec.list_len());
        let legals = legals.map(|list| Legal::new(list, spec.actions));
        write_masks(spec, legals, index, &mut out.mask);
        observe_into(
            (&self.shared.rules, spec),
            &slot.game,
            seats,
            index,
            scratch,
            &mut out.observation,
        );
    }
}

impl<G: Game> Work for Chunk<'_, G> {
    type Output = usize;

    #[inline(always)]
    fn run<C: Cpu>(mut self, cpu: C) -> usize {
        let rows = self.shared.spec.mask_rows();
        let mut ended = 0;
        let mut scratch = Scratch::EMPTY;
        for index in 0..self.slots.len() {
            self.prefetch(index + AHEAD);
            let (told, valid) = match self.task {
                Task::Step(actions) => self.step(cpu, index, &actions[index * rows..][..rows]),
                Task::Refresh => (self.refresh(cpu, index), true),
                Task::Show => (self.slots[index].status, true),
            };
            ended += usize::from(self.slots[index].ended);
            self.tell(index, &told, valid, &mut scratch);
        }
        ended
    }
}

/// Stores the final observations of a game. Not inlined because games end rarely.
#[inline(never)]
fn keep_last<G: Game>(
    Shared { rules, spec, .. }: &Shared<G>,
    game: &G,
    index: usize,
    planes: &mut Rows<'_, u8>,
    scalars: &mut Rows<'_, f32>,
) {
    let rows = spec.mask_rows();
    for (view, seat) in views(spec, game).enumerate() {
        let (planes, scalars) = (planes.part(index, view, rows), scalars.part(index, view, rows));
        if let (Some(planes), Some(scalars)) = (planes, scalars) {
            game.observe(rules, seat, planes, scalars);
        }
    }
}

/// Returns the status after an illegal action by `seat`: that player loses, and the others share
/// the win.
fn forfeit(spec: &Spec, status: &Status, seat: usize) -> Status {
    let others = (spec.players - 1) as f32;
    let mut rewards = [0.0; MAX_PLAYERS];
    for (player, reward) in rewards[..spec.players].iter_mut().enumerate() {
        *reward = if player == seat { -1.0 } else { 1.0 / others };
    }
    let winner = (spec.players == 2).then_some(1 - seat as u8);
    let ending = spec.endings.iter().position(|&ending| ending == "illegal action");
    let ending = ending.map(|ending| ending as u8);
    Status { stage: Stage::Terminated, rewards, winner, ending, ..*status }
}

impl<G: Game> pool::Shared for Chunk<'_, G> {
    /// Number of games that ended.
    type Output = usize;

    fn split(self, parts: usize, first: usize) -> (Self, Self) {
        let at = self.slots.len() * first / parts;
        self.split_at(at)
    }

    fn run(self) -> usize {
        cpu::dispatch(self)
    }

    fn join(one: usize, other: usize) -> usize {
        one + other
    }
}

/// Draws a random legal action for each game of a range.
pub(crate) struct Draw<'a, G: Game> {
    pub(crate) spec: &'a Spec,
    /// Draw from streams of this seed instead of the games' own.
    pub(crate) seed: Option<u64>,
    /// The index of the first game.
    pub(crate) first: u64,
    pub(crate) slots: &'a mut [Slot<G>],
    pub(crate) lists: &'a [u32],
    pub(crate) out: &'a mut [i32],
}

impl<G: Game> pool::Shared for Draw<'_, G> {
    type Output = ();

    fn split(self, parts: usize, few: usize) -> (Self, Self) {
        let Draw { spec, seed, first, slots, lists, out } = self;
        let at = slots.len() * few / parts;
        let slots = slots.split_at_mut(at);
        let lists = lists.split_at(at * spec.mask_rows() * spec.list_len());
        let out = out.split_at_mut(at * spec.mask_rows());
        let rest = first + at as u64;
        (
            Draw { spec, seed, first, slots: slots.0, lists: lists.0, out: out.0 },
            Draw { spec, seed, first: rest, slots: slots.1, lists: lists.1, out: out.1 },
        )
    }

    fn run(self) {
        let Draw { spec, seed, first, slots, lists, out } = self;
        let (rows, length) = (spec.mask_rows(), spec.list_len());
        for (index, out) in out.chunks_exact_mut(rows).enumerate() {
            if let Some(slot) = slots.get(index + CHECKED_AHEAD) {
                cpu::prefetch(std::slice::from_ref(&slot.stream));
            }
            prefetch_lists(lists, index + CHECKED_AHEAD, spec);
            let mut seeded = seed.map(|seed| Stream::new(seed, first + index as u64));
            let stream = seeded.as_mut().unwrap_or(&mut slots[index].stream);
            let lists = &lists[index * rows * length..][..rows * length];
            for (list, out) in lists.chunks_exact(length).zip(out) {
                let legal = Legal::new(list, spec.actions);
                *out = legal.nth(stream.below(legal.count())) as i32;
            }
        }
    }

    fn join((): (), (): ()) {}
}

/// Finds the first illegal action among those of a range of games.
pub(crate) struct Check<'a> {
    pub(crate) spec: &'a Spec,
    /// The index of the first action.
    pub(crate) first: usize,
    pub(crate) lists: &'a [u32],
    pub(crate) actions: &'a [i32],
}

impl pool::Shared for Check<'_> {
    type Output = Option<usize>;

    fn split(self, parts: usize, few: usize) -> (Self, Self) {
        let Check { spec, first, lists, actions } = self;
        let at = actions.len() / spec.mask_rows() * few / parts * spec.mask_rows();
        let lists = lists.split_at(at * spec.list_len());
        let actions = actions.split_at(at);
        (
            Check { spec, first, lists: lists.0, actions: actions.0 },
            Check { spec, first: first + at, lists: lists.1, actions: actions.1 },
        )
    }

    fn run(self) -> Option<usize> {
        let Check { spec, first, lists, actions } = self;
        let length = spec.list_len();
        let games = actions.iter().zip(lists.chunks_exact(length));
        let found = games.enumerate().position(|(index, (&action, list))| {
            prefetch_list(lists, (index + CHECKED_AHEAD) * length, length);
            let legal = Legal::new(list, spec.actions);
            // Actions in a finished game are ignored, so none is illegal.
            !legal.is_all() && !is_legal(legal, action)
        });
        found.map(|index| first + index)
    }

    fn join(one: Option<usize>, other: Option<usize>) -> Option<usize> {
        one.into_iter().chain(other).min()
    }
}

/// Prefetches the legal-action lists of a game.
#[inline(always)]
fn prefetch_lists(lists: &[u32], game: usize, spec: &Spec) {
    let (rows, length) = (spec.mask_rows(), spec.list_len());
    for row in game * rows..(game + 1) * rows {
        prefetch_list(lists, row * length, length);
    }
}

/// Prefetches the usual length of the list at `start`, if there is one.
#[inline(always)]
fn prefetch_list(lists: &[u32], start: usize, length: usize) {
    if let Some(rest) = lists.get(start..) {
        cpu::prefetch(&rest[..rest.len().min(length).min(USUAL_LIST)]);
    }
}
