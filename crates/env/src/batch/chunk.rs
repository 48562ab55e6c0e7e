//! Work on a contiguous range of games, on one thread.

use fourfold_common::cpu::{self, Cpu, Work};

use crate::batch::draw::Draw;
use crate::batch::outputs::{Outputs, Rows};
use crate::batch::pool;
use crate::batch::scratch::{Scratch, TakenScratch};
use crate::batch::slot::Slot;
use crate::batch::write_outputs::{observe_into, views, write_game};
use crate::batch::{Shared, is_legal};
use crate::game::{Game, Spec, Status};
use crate::legal::Legal;
use crate::options::Illegal;

/// How many games ahead to prefetch.
pub(crate) const AHEAD: usize = 2;
/// How many games ahead to prefetch where there is little work per game.
pub(crate) const CHECKED_AHEAD: usize = 8;
/// How much of a legal-action list to prefetch: most lists are shorter.
const USUAL_LIST: usize = 48;

/// What to do with a chunk of games.
pub(crate) enum Task<'a> {
    /// Play these actions.
    Step(&'a [i32]),
    /// Recompute legal actions and status, because the games were changed from outside.
    Refresh,
    /// Only fill the outputs.
    Show,
    /// Only fill the observations: those of this player, or those that a step writes.
    Observe(Option<usize>),
    /// Draw random legal actions, without outputs.
    Draw(Draw<'a>),
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

impl<G: Game> Chunk<'_, G> {
    /// Steps one game. Returns the status to report and whether all of its actions were legal.
    #[inline(always)]
    fn step<C: Cpu>(&mut self, cpu: C, index: usize, actions: &[i32]) -> (Status, bool) {
        let Shared { spec, options, .. } = self.shared;
        let size = spec.mask_rows() * spec.list_len();
        let slot = self.slots[index].as_mut();
        let lists = &mut self.lists[index * size..][..size];
        let offender = |lists: &[u32]| match options.illegal {
            // The whole batch was checked before the first game changed.
            Some(Illegal::Error) | None => None,
            Some(Illegal::Lose | Illegal::Ignore) => actions
                .iter()
                .zip(lists.chunks_exact(spec.list_len()))
                .position(|(&action, list)| !is_legal(Legal::new(list, spec.actions), action)),
        };
        let (planes, scalars) = (&mut self.final_planes, &mut self.final_scalars);
        let store = |game: &G| store_final_observation(self.shared, game, index, planes, scalars);
        slot.step(cpu, self.shared, lists, actions, offender, store)
    }

    #[inline(always)]
    fn refresh<C: Cpu>(&mut self, cpu: C, index: usize) -> Status {
        let spec = &self.shared.spec;
        let size = spec.mask_rows() * spec.list_len();
        let slot = self.slots[index].as_mut();
        slot.refresh(cpu, self.shared, &mut self.lists[index * size..][..size])
    }

    /// Writes the observations. Not inlined, so that the code of a step stays as it is.
    #[inline(never)]
    fn observe(&mut self, player: Option<usize>) {
        let Shared { rules, spec, .. } = self.shared;
        let TakenScratch(scratch) = &mut Scratch::take(&spec.observation);
        for (index, Slot { game, .. }) in self.slots.iter().enumerate() {
            let players = player.map_or_else(|| views(spec, game), |player| player..player + 1);
            let out = &mut self.out.observation;
            observe_into((rules, spec), game, players, index, scratch, out);
        }
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
    fn write_outputs(
        &mut self,
        index: usize,
        reported: &Status,
        valid: bool,
        scratch: &mut Scratch,
    ) {
        let spec = &self.shared.spec;
        let size = spec.mask_rows() * spec.list_len();
        let slot = &self.slots[index];
        let lists = &self.lists[index * size..][..size];
        let out = &mut self.out;
        out.set_results(index, reported, valid);
        let legals = lists.chunks_exact(spec.list_len());
        let legals = legals.map(|list| Legal::new(list, spec.actions));
        write_game((&self.shared.rules, spec), &slot.game, legals, index, scratch, out);
    }
}

impl<G: Game> Work for Chunk<'_, G> {
    type Output = usize;

    #[inline(always)]
    fn run<C: Cpu>(mut self, cpu: C) -> usize {
        let shared = self.shared;
        let rows = shared.spec.mask_rows();
        match &mut self.task {
            Task::Draw(draw) => {
                draw.run(&shared.spec, self.slots, self.lists);
                return 0;
            }
            &mut Task::Observe(player) => {
                self.observe(player);
                return 0;
            }
            Task::Step(_) | Task::Refresh | Task::Show => {}
        }
        let mut ended = 0;
        let TakenScratch(scratch) = &mut Scratch::take(&shared.spec.observation);
        for index in 0..self.slots.len() {
            self.prefetch(index + AHEAD);
            let (reported, valid) = match self.task {
                Task::Step(actions) => self.step(cpu, index, &actions[index * rows..][..rows]),
                Task::Refresh => (self.refresh(cpu, index), true),
                Task::Show | Task::Observe(_) | Task::Draw(_) => (self.slots[index].status, true),
            };
            ended += usize::from(self.slots[index].ended);
            self.write_outputs(index, &reported, valid, scratch);
        }
        ended
    }
}

/// Stores the final observations of a game. Not inlined because games end rarely.
#[inline(never)]
fn store_final_observation<G: Game>(
    Shared { rules, spec, .. }: &Shared<G>,
    game: &G,
    index: usize,
    planes: &mut Rows<'_, u8>,
    scalars: &mut Rows<'_, f32>,
) {
    let rows = spec.mask_rows();
    for (view, player) in views(spec, game).enumerate() {
        let planes = planes.part(index, view, rows).unwrap_or_default();
        let scalars = scalars.part(index, view, rows).unwrap_or_default();
        game.observe(rules, player, planes, scalars);
    }
}

impl<G: Game> pool::SplitWork for Chunk<'_, G> {
    /// Number of games that ended.
    type Output = usize;

    fn split_off(&mut self, parts: usize, first: usize) -> Self {
        let at = self.slots.len() * first / parts;
        let (rows, length) = (self.shared.spec.mask_rows(), self.shared.spec.list_len());
        let task = match &mut self.task {
            Task::Step(actions) => Task::Step(actions.split_off(at * rows..).unwrap_or_default()),
            Task::Refresh => Task::Refresh,
            Task::Show => Task::Show,
            Task::Observe(player) => Task::Observe(*player),
            Task::Draw(draw) => Task::Draw(draw.split_off(at, rows)),
        };
        Chunk {
            shared: self.shared,
            slots: self.slots.split_off_mut(at..).unwrap_or_default(),
            lists: self.lists.split_off_mut(at * rows * length..).unwrap_or_default(),
            final_planes: self.final_planes.split_off(at),
            final_scalars: self.final_scalars.split_off(at),
            task,
            out: self.out.split_off(at),
        }
    }

    fn run(self) -> usize {
        cpu::dispatch(self)
    }

    fn join(one: usize, other: usize) -> usize {
        one + other
    }
}

/// Finds the first illegal action among those of a range of games.
pub(crate) struct Check<'a> {
    pub(crate) spec: &'a Spec,
    /// The index of the first action.
    pub(crate) first: usize,
    pub(crate) lists: &'a [u32],
    pub(crate) actions: &'a [i32],
}

impl pool::SplitWork for Check<'_> {
    type Output = Option<usize>;

    fn split_off(&mut self, parts: usize, few: usize) -> Self {
        let rows = self.spec.mask_rows();
        let at = self.actions.len() / rows * few / parts * rows;
        Check {
            first: self.first + at,
            lists: self.lists.split_off(at * self.spec.list_len()..).unwrap_or_default(),
            actions: self.actions.split_off(at..).unwrap_or_default(),
            ..*self
        }
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
pub(crate) fn prefetch_lists(lists: &[u32], game: usize, spec: &Spec) {
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
