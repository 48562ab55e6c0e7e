//! Games that the caller keeps as rows of bytes: functions from rows to rows, for back ends that have
//! no state of their own, such as JAX.

use std::sync::{Mutex, TryLockError};

use fourfold_common::cpu::{self, Cpu, Work};

use crate::batch::any::AnyBatch;
use crate::batch::chunk::AHEAD;
use crate::batch::described::write_array;
use crate::batch::error::StepError;
use crate::batch::make::{Visit, visit};
use crate::batch::mask_view::MaskView;
use crate::batch::outputs::{ObservationRows, Outputs, Rows};
use crate::batch::pool::{self, Pool};
use crate::batch::scratch::{Scratch, TakenScratch};
use crate::batch::slot::{SlotMut, allow_all_actions};
use crate::batch::write_outputs::{observe_into, views, write_game};
use crate::batch::{Batch, MIN_GAMES_PER_PART, Shared, expect, is_legal};
use crate::game::{Describe, Game, PlainStatus, Spec, Stage, Status};
use crate::legal::Legal;
use crate::legal_and_status::{legal_and_status, legal_and_status_with};
use crate::options::Autoreset;
use crate::random::Stream;
use crate::row::RowTail;

/// The outputs of games in rows.
#[derive(Debug, Default)]
pub struct RowOutputs<'a> {
    /// Number of steps since the start of the game.
    pub steps: Rows<'a, i32>,
    /// All other outputs.
    pub outputs: Outputs<'a>,
}

/// Games of one kind, with rules and options but without states: the caller keeps these as rows of
/// bytes, aligned to 8 bytes. Calls from several threads may overlap.
pub trait AnyRowGames: Send + Sync {
    /// Returns the sizes of the game: players, actions, observations.
    fn spec(&self) -> &Spec;

    /// Returns the size of a row in bytes, a multiple of 8.
    fn row_bytes(&self) -> usize;

    /// Starts a game in each row, with the random stream of a batch with one game and this seed.
    ///
    /// # Errors
    /// Returns an error if a length or buffer does not fit.
    fn start(&self, seeds: &[u64], rows: &mut [u8], out: RowOutputs<'_>) -> Result<(), StepError>;

    /// Plays one action in each game (one per player in simultaneous games), with the options of the
    /// batch. `legal` says whether each action is legal, see [`AnyRowGames::are_legal`].
    ///
    /// # Errors
    /// Returns an error if a length or buffer does not fit.
    ///
    /// # Panics
    /// May panic if the rows were not written by these games, or an illegal action is said to be
    /// legal.
    fn step(
        &self,
        rows: &mut [u8],
        actions: &[i32],
        legal: &[bool],
        out: RowOutputs<'_>,
    ) -> Result<(), StepError>;

    /// Fills the outputs from the rows, without a step. Recomputes the status, in case the rows
    /// were not written by these games.
    ///
    /// # Errors
    /// Returns an error if a length or buffer does not fit.
    fn show(&self, rows: &mut [u8], out: RowOutputs<'_>) -> Result<(), StepError>;

    /// Writes the observations of `player`. Without one, writes those of the acting player, or of
    /// all players in simultaneous games.
    ///
    /// # Errors
    /// Returns an error if there is no such player, or a length or buffer does not fit.
    fn observe(
        &self,
        rows: &[u8],
        player: Option<usize>,
        out: ObservationRows<'_>,
    ) -> Result<(), StepError>;

    /// Writes the states as bytes, as [`AnyBatch::write_states`] does. They are the beginning of each
    /// row, but without values that only save time.
    ///
    /// # Errors
    /// Returns an error if a length does not fit.
    fn write_states(&self, rows: &[u8], out: &mut [u8]) -> Result<(), StepError>;

    /// Writes one of the [arrays](crate::DescribedBatch::arrays) that expose the state.
    ///
    /// # Errors
    /// Returns an error if there is no such array, or a length does not fit.
    fn array(&self, rows: &[u8], name: &str, out: &mut [i32]) -> Result<(), StepError>;

    /// Returns whether each action is legal, by its mask if the mask says so.
    ///
    /// # Errors
    /// Returns an error if a length does not fit.
    fn are_legal(
        &self,
        rows: &[u8],
        masks: MaskView<'_>,
        actions: &[i32],
    ) -> Result<Vec<bool>, StepError>;
}

/// Returns games with the rules, options and start positions of a batch, or `None` if
/// [`make`](crate::make) does not know its game.
pub fn row_games(batch: &dyn AnyBatch) -> Option<Box<dyn AnyRowGames>> {
    struct FromBatch;

    impl Visit for FromBatch {
        type Output = Box<dyn AnyRowGames>;

        fn visit<G: Describe>(self, batch: &Batch<G>) -> Box<dyn AnyRowGames> {
            let Shared { rules, spec, options, starts, default_start } = &batch.shared;
            let shared = Shared {
                rules: rules.clone(),
                spec: spec.clone(),
                options: *options,
                starts: starts.clone(),
                default_start: *default_start,
            };
            Box::new(RowGames { pool: Mutex::new(Pool::new(options.threads)), shared })
        }
    }

    visit(batch, FromBatch)
}

struct RowGames<G: Game> {
    shared: Shared<G>,
    pool: Mutex<Pool>,
}

impl<G: Game> RowGames<G> {
    const BYTES: usize = {
        assert!(size_of::<G>().is_multiple_of(8) && align_of::<G>() <= 8);
        size_of::<G>() + size_of::<RowTail>()
    };

    /// Returns the number of games in these rows.
    fn games(rows: &[u8]) -> Result<usize, StepError> {
        let games = rows.len() / Self::BYTES;
        expect("bytes of states", games * Self::BYTES, rows.len())?;
        Ok(games)
    }

    /// Runs a task on all rows.
    fn run(&self, task: Task<'_>, rows: &mut [u8], out: RowOutputs<'_>) -> Result<(), StepError> {
        let games = Self::games(rows)?;
        if !out.outputs.fit(games) || !out.steps.fit(games) {
            return Err(StepError::Buffer { games });
        }
        let work = RowWork { shared: &self.shared, task, rows, out };
        let pool = match self.pool.try_lock() {
            Ok(pool) => Some(pool),
            // A panic in one call does not matter to the next one.
            Err(TryLockError::Poisoned(error)) => Some(error.into_inner()),
            // Another call uses the threads.
            Err(TryLockError::WouldBlock) => None,
        };
        match pool {
            Some(mut pool) => {
                let parts = pool.parts(games / MIN_GAMES_PER_PART);
                pool.execute(work, parts);
            }
            None => pool::SplitWork::run(work),
        }
        Ok(())
    }
}

/// Splits a row into the state of the game and what follows it.
#[inline(always)]
fn split_row<G: Game>(row: &mut [u8]) -> (&mut G, &mut RowTail) {
    let (state, tail) = row.split_at_mut(size_of::<G>());
    (bytemuck::from_bytes_mut(state), bytemuck::from_bytes_mut(tail))
}

/// Returns the state of the game in a row, which may be anywhere in memory.
fn state_of<G: Game>(row: &[u8]) -> G {
    bytemuck::pod_read_unaligned(&row[..size_of::<G>()])
}

impl<G: Describe> AnyRowGames for RowGames<G> {
    fn spec(&self) -> &Spec {
        &self.shared.spec
    }

    fn row_bytes(&self) -> usize {
        Self::BYTES
    }

    fn start(&self, seeds: &[u64], rows: &mut [u8], out: RowOutputs<'_>) -> Result<(), StepError> {
        expect("seeds", Self::games(rows)?, seeds.len())?;
        self.run(Task::Start(seeds), rows, out)
    }

    fn step(
        &self,
        rows: &mut [u8],
        actions: &[i32],
        legal: &[bool],
        out: RowOutputs<'_>,
    ) -> Result<(), StepError> {
        let expected = Self::games(rows)? * self.shared.spec.mask_rows();
        expect("actions", expected, actions.len())?;
        expect("flags of legal actions", expected, legal.len())?;
        self.run(Task::Step { actions, legal }, rows, out)
    }

    fn show(&self, rows: &mut [u8], out: RowOutputs<'_>) -> Result<(), StepError> {
        self.run(Task::Show, rows, out)
    }

    fn observe(
        &self,
        rows: &[u8],
        player: Option<usize>,
        mut out: ObservationRows<'_>,
    ) -> Result<(), StepError> {
        let Shared { rules, spec, .. } = &self.shared;
        let (games, players) = (Self::games(rows)?, spec.players);
        if let Some(player) = player.filter(|&player| player >= players) {
            return Err(StepError::Player { player, players });
        }
        if !out.fit(games) {
            return Err(StepError::Buffer { games });
        }
        let TakenScratch(scratch) = &mut Scratch::take(&spec.observation);
        for (index, row) in rows.chunks_exact(Self::BYTES).enumerate() {
            let game: G = state_of(row);
            let players = player.map_or_else(|| views(spec, &game), |player| player..player + 1);
            observe_into((rules, spec), &game, players, index, scratch, &mut out);
        }
        Ok(())
    }

    fn write_states(&self, rows: &[u8], out: &mut [u8]) -> Result<(), StepError> {
        let size = size_of::<G>() + size_of::<PlainStatus>();
        expect("bytes", Self::games(rows)? * size, out.len())?;
        for (row, out) in rows.chunks_exact(Self::BYTES).zip(out.chunks_exact_mut(size)) {
            out.copy_from_slice(&row[..size]);
            let stored = state_of::<G>(row).to_stored();
            out[..size_of::<G>()].copy_from_slice(bytemuck::bytes_of(&stored));
        }
        Ok(())
    }

    fn array(&self, rows: &[u8], name: &str, out: &mut [i32]) -> Result<(), StepError> {
        Self::games(rows)?;
        let games = rows.chunks_exact(Self::BYTES).map(state_of);
        write_array::<G>(&self.shared.rules, games, name, out)
    }

    fn are_legal(
        &self,
        rows: &[u8],
        masks: MaskView<'_>,
        actions: &[i32],
    ) -> Result<Vec<bool>, StepError> {
        let Shared { rules, spec, .. } = &self.shared;
        let games = Self::games(rows)?;
        let count = games * spec.mask_rows();
        expect("actions", count, actions.len())?;
        let slots = masks.check(spec, count)?;
        let mut lists = Vec::new();
        let mut generate = |index: usize, action: i32| {
            let (index, view) = (index / spec.mask_rows(), index % spec.mask_rows());
            lists.resize(spec.mask_rows() * spec.list_len(), 0);
            let game: G = state_of(&rows[index * Self::BYTES..]);
            legal_and_status(rules, spec, &game, &mut lists);
            let list = &lists[view * spec.list_len()..][..spec.list_len()];
            is_legal(Legal::new(list, spec.actions), action)
        };
        let flags = actions.iter().enumerate().map(|(index, &action)| {
            let Some(id) = usize::try_from(action).ok().filter(|&id| id < spec.actions) else {
                return false;
            };
            masks.lookup(spec, slots, index, id).unwrap_or_else(|| generate(index, action))
        });
        Ok(flags.collect())
    }
}

/// What to do with rows.
enum Task<'a> {
    /// Start games with these seeds.
    Start(&'a [u64]),
    /// Play these actions.
    Step { actions: &'a [i32], legal: &'a [bool] },
    /// Only fill the outputs.
    Show,
}

/// A contiguous range of rows with everything that belongs to them.
struct RowWork<'a, G: Game> {
    shared: &'a Shared<G>,
    task: Task<'a>,
    rows: &'a mut [u8],
    out: RowOutputs<'a>,
}

impl<G: Game> Work for RowWork<'_, G> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let RowWork { shared, task, rows, out: RowOutputs { mut steps, outputs: mut out } } = self;
        let Shared { rules, spec, .. } = shared;
        let bytes = RowGames::<G>::BYTES;
        let TakenScratch(scratch) = &mut Scratch::take(&spec.observation);
        let mut kept_lists = std::mem::take(&mut scratch.lists);
        kept_lists.resize(spec.mask_rows() * spec.list_len(), 0);
        let lists = &mut kept_lists[..];
        for index in 0..rows.len() / bytes {
            if let Some(row) = rows.get_mut((index + AHEAD) * bytes..(index + AHEAD + 1) * bytes) {
                let (game, tail) = split_row::<G>(row);
                game.prefetch();
                cpu::prefetch(std::slice::from_ref(tail));
            }
            let (game, tail) = split_row::<G>(&mut rows[index * bytes..][..bytes]);
            let (reported, valid) = task.run(cpu, shared, index, game, tail, lists);
            steps.set(index, &[tail.steps as i32]);
            out.set_results(index, &reported, valid);
            let legals = lists.chunks_exact(spec.list_len());
            let legals = legals.map(|list| Legal::new(list, spec.actions));
            write_game((rules, spec), game, legals, index, scratch, &mut out);
        }
        scratch.lists = kept_lists;
    }
}

impl Task<'_> {
    /// Does the task for the game at an index, and computes its legal actions. Returns the status to
    /// report and whether all actions were legal.
    #[inline(always)]
    fn run<G: Game, C: Cpu>(
        &self,
        cpu: C,
        shared: &Shared<G>,
        index: usize,
        game: &mut G,
        tail: &mut RowTail,
        lists: &mut [u32],
    ) -> (Status, bool) {
        let Shared { rules, spec, options, .. } = shared;
        let (mut status, mut ended) = (tail.status.unpack(), false);
        let was_over = status.stage != Stage::Ongoing;
        let (stream, place) = (&mut tail.stream, index * spec.mask_rows());
        let found = match *self {
            Task::Start(seeds) => {
                *stream = Stream::new(seeds[index], 0);
                *game = shared.start(stream);
                tail.steps = 0;
                status = legal_and_status_with(cpu, rules, spec, game, lists);
                (status, true)
            }
            Task::Show => {
                let slot = SlotMut { game, stream, status: &mut status, ended: &mut ended };
                (slot.refresh(cpu, shared, lists), true)
            }
            Task::Step { actions, legal } => {
                if was_over && options.autoreset == Autoreset::Disabled {
                    allow_all_actions(lists, spec);
                }
                let actions = &actions[place..][..spec.mask_rows()];
                let offender =
                    |_: &[u32]| legal[place..][..spec.mask_rows()].iter().position(|legal| !legal);
                let slot = SlotMut { game, stream, status: &mut status, ended: &mut ended };
                let (reported, valid) = slot.step(cpu, shared, lists, actions, offender, |_| {});
                if !valid && reported.stage == Stage::Ongoing {
                    // The game did not change, so its legal actions were not computed.
                    legal_and_status_with(cpu, rules, spec, game, lists);
                }
                let restarted = match options.autoreset {
                    Autoreset::SameStep => was_over || ended,
                    Autoreset::NextStep => was_over,
                    Autoreset::Disabled => false,
                };
                let steps = tail.steps.saturating_add(u32::from(!was_over));
                tail.steps = if restarted { 0 } else { steps };
                (reported, valid)
            }
        };
        tail.status = status.to_plain();
        found
    }
}

impl<G: Game> pool::SplitWork for RowWork<'_, G> {
    type Output = ();

    fn split_off(&mut self, parts: usize, first: usize) -> Self {
        let (views, bytes) = (self.shared.spec.mask_rows(), RowGames::<G>::BYTES);
        let at = self.rows.len() / bytes * first / parts;
        let task = match &mut self.task {
            Task::Start(seeds) => Task::Start(seeds.split_off(at..).unwrap_or_default()),
            Task::Step { actions, legal } => Task::Step {
                actions: actions.split_off(at * views..).unwrap_or_default(),
                legal: legal.split_off(at * views..).unwrap_or_default(),
            },
            Task::Show => Task::Show,
        };
        RowWork {
            shared: self.shared,
            task,
            rows: self.rows.split_off_mut(at * bytes..).unwrap_or_default(),
            out: RowOutputs {
                steps: self.out.steps.split_off(at),
                outputs: self.out.outputs.split_off(at),
            },
        }
    }

    fn run(self) {
        cpu::dispatch(self);
    }

    fn join((): (), (): ()) {}
}
