//! A batch of games that one call steps together.

mod any;
mod bytes;
mod chunk;
mod conformance;
mod deprecated;
mod described;
mod draw;
mod error;
mod make;
mod mask_view;
mod outputs;
mod players;
mod pool;
mod rollout;
mod rows;
mod scratch;
mod slot;
mod stop;
mod unpack;
mod write_outputs;

pub use any::{AnyBatch, DescribedBatch};
pub use bytes::LoadError;
pub use conformance::conformance;
#[allow(deprecated, reason = "former names, for one release")]
pub use deprecated::{Asked, NoMemory, Place, Seats};
pub use error::{OutOfMemory, StepError};
pub use make::{Entry, GAMES, NAMES, Visit, make, visit};
pub use mask_view::{MaskView, sample_masks};
pub use outputs::{MaskRows, ObservationRows, Outputs, Rows, ValueRows};
pub use players::{MoveRequest, Player};
pub use pool::Pool;
pub use rollout::Rollout;
pub use rows::{AnyRowGames, RowOutputs, row_games};
pub use stop::{Stop, never};
pub use write_outputs::{OutputGame, write_outputs};

use std::any::Any;
use std::ops::Range;

use crate::game::{Action, Describe, Game, MAX_PLAYERS, PlainStatus, Spec, Status};
use crate::legal::Legal;
use crate::options::{Autoreset, Illegal, Options};
use crate::random::{Seeds, Stream, entropy};
use crate::softmax::Softmax;
use chunk::{Check, Chunk, Task};
use draw::{Draw, Logits};
use scratch::{Scratch, TakenScratch};
use slot::Slot;
use write_outputs::unpack_into;

/// Below this many games per part, handing the part to another thread costs more than it saves.
const MIN_GAMES_PER_PART: usize = 64;

/// The name of the ending that every batch adds to those of its game.
const ILLEGAL_ACTION: &str = "illegal action";

/// A batch of games of one type. Most operations are methods of [`AnyBatch`] and
/// [`DescribedBatch`].
pub struct Batch<G: Describe> {
    pub(crate) shared: Shared<G>,
    pub(crate) slots: Vec<Slot<G>>,
    /// The legal-action lists of the current states.
    pub(crate) lists: Vec<u32>,
    /// The final observations of the games that ended in the latest step.
    pub(crate) final_planes: Vec<u8>,
    pub(crate) final_scalars: Vec<f32>,
    pub(crate) pool: Pool,
}

/// What all games of a batch share.
pub(crate) struct Shared<G: Game> {
    pub(crate) rules: G::Rules,
    pub(crate) spec: Spec,
    pub(crate) options: Options,
    /// The positions that games start from; if empty, `default_start`.
    pub(crate) starts: Vec<G>,
    /// The game's standard start, built once.
    pub(crate) default_start: G,
}

impl<G: Describe> Batch<G> {
    /// Creates a batch of games at their start, seeded by the operating system.
    pub fn new(rules: G::Rules, games: usize, options: Options) -> Batch<G> {
        let illegal = options.illegal.unwrap_or(G::illegal(&rules));
        let options = Options { illegal: Some(illegal), ..options };
        let default_start = G::start(&rules);
        let spec = G::spec(&rules);
        let layout = &spec.observation;
        let rows = games * spec.mask_rows();
        let kept = if options.autoreset == Autoreset::SameStep { rows } else { 0 };
        let mut batch = Batch {
            slots: vec![Slot::new(default_start, Stream::new(0, 0)); games],
            lists: vec![0; games * spec.mask_rows() * spec.list_len()],
            final_planes: vec![0; kept * layout.packed_bytes()],
            final_scalars: vec![0.0; kept * layout.scalars],
            pool: Pool::new(options.threads),
            shared: Shared { rules, spec, options, starts: Vec::new(), default_start },
        };
        batch.reset(Some(entropy()));
        batch
    }

    /// Like [`Batch::new`], but checks first whether there is enough memory for the games.
    ///
    /// # Errors
    /// Returns an error if the allocation would fail.
    pub fn try_new(
        rules: G::Rules,
        games: usize,
        options: Options,
    ) -> Result<Batch<G>, OutOfMemory> {
        let spec = G::spec(&rules);
        let layout = &spec.observation;
        let mut each = size_of::<Slot<G>>() + 4 * spec.mask_rows() * spec.list_len();
        if options.autoreset == Autoreset::SameStep {
            each += spec.mask_rows() * (layout.packed_bytes() + 4 * layout.scalars);
        }
        let bytes = games.saturating_mul(each);
        // Probe with one fallible allocation: a failure later on would abort the process.
        let mut probe: Vec<u8> = Vec::new();
        let found = probe.try_reserve_exact(bytes);
        std::hint::black_box(&mut probe);
        found.map_err(|_| OutOfMemory { games, bytes })?;
        drop(probe);
        Ok(Batch::new(rules, games, options))
    }

    /// Returns the rules of the games.
    pub const fn rules(&self) -> &G::Rules {
        &self.shared.rules
    }

    /// Iterates over the current states of the games.
    pub fn states(&self) -> impl ExactSizeIterator<Item = &G> {
        self.slots.iter().map(|slot| &slot.game)
    }

    /// Returns the current state of one game.
    pub fn state(&self, game: usize) -> &G {
        &self.slots[game].game
    }

    /// Returns the legal actions of one game. `row` is the player in simultaneous games and 0
    /// otherwise.
    pub fn legal(&self, game: usize, row: usize) -> Legal<'_> {
        let spec = &self.shared.spec;
        let start = (game * spec.mask_rows() + row) * spec.list_len();
        Legal::new(&self.lists[start..][..spec.list_len()], spec.actions)
    }

    /// Returns the status of one game.
    pub fn status(&self, game: usize) -> &Status {
        &self.slots[game].status
    }

    /// Returns the positions that games start from; if empty, games start as usual.
    pub fn starts(&self) -> &[G] {
        &self.shared.starts
    }

    /// Returns the state, the status and the random stream of each game.
    pub fn game_parts(&self) -> impl ExactSizeIterator<Item = (G, PlainStatus, Stream)> {
        self.slots.iter().map(|slot| (slot.game, slot.status.to_plain(), slot.stream))
    }

    /// Returns a batch with the same rules, options and start positions, and with games that another
    /// back end computed.
    ///
    /// # Errors
    /// Returns an error if there is not enough memory.
    pub fn with_game_parts(
        &self,
        parts: impl ExactSizeIterator<Item = (G, PlainStatus, Stream)>,
    ) -> Result<Batch<G>, StepError> {
        let mut batch = self.with_games(parts.len())?;
        for (slot, (game, status, stream)) in batch.slots.iter_mut().zip(parts) {
            *slot = Slot { game, stream, status: status.unpack(), ended: false };
        }
        batch.refresh();
        Ok(batch)
    }

    /// Returns another batch as one of the same type.
    ///
    /// # Errors
    /// Returns an error if it has another game or other rules.
    pub fn same_kind<'a>(&self, other: &'a dyn AnyBatch) -> Result<&'a Batch<G>, StepError> {
        let error = |found| StepError::OtherKind { expected: self.kind(), found };
        let found = other.as_any().downcast_ref::<Batch<G>>().ok_or_else(|| error(other.id()))?;
        if found.kind() == self.kind() { Ok(found) } else { Err(error(found.kind())) }
    }

    pub(crate) fn parse(&self, texts: &[&str]) -> Result<Vec<G>, StepError> {
        let parse = |(index, text): (usize, &&str)| {
            let error = |message| StepError::Position { index, message };
            G::parse(&self.shared.rules, text).map_err(error)
        };
        texts.iter().enumerate().map(parse).collect()
    }

    /// Recomputes the legal actions and status of all games after they were changed from outside.
    pub(crate) fn refresh(&mut self) {
        self.run(Task::Refresh, Outputs::none());
    }

    /// Runs a task on all games, on all threads, and returns the number of games that ended.
    fn run(&mut self, task: Task<'_>, out: Outputs<'_>) -> usize {
        let parts = self.parts();
        let (layout, views) = (&self.shared.spec.observation, self.shared.spec.mask_rows());
        let rows = Chunk {
            shared: &self.shared,
            slots: &mut self.slots,
            lists: &mut self.lists,
            final_planes: Rows::new(&mut self.final_planes, views * layout.packed_bytes()),
            final_scalars: Rows::new(&mut self.final_scalars, views * layout.scalars),
            task,
            out,
        };
        self.pool.execute(rows, parts)
    }

    /// Returns the number of parts to split the games into for the threads.
    fn parts(&self) -> usize {
        self.pool.parts(self.slots.len() / MIN_GAMES_PER_PART)
    }

    /// Checks the number of actions and, if the option requires it, that all of them are legal.
    fn check(&mut self, actions: &[i32]) -> Result<(), StepError> {
        self.check_length("actions", actions.len())?;
        if self.shared.options.illegal != Some(Illegal::Error) {
            return Ok(());
        }
        let parts = self.parts();
        let spec = &self.shared.spec;
        let check = Check { spec, first: 0, lists: &self.lists, actions };
        let found = self.pool.execute(check, parts);
        let Some(index) = found else { return Ok(()) };
        Err(self.illegal(index, actions[index]))
    }
}

impl<G: Describe> AnyBatch for Batch<G> {
    fn id(&self) -> String {
        format!("{}-v{}", G::NAME, G::VERSION)
    }

    fn spec(&self) -> &Spec {
        &self.shared.spec
    }

    fn endings(&self) -> Vec<&'static str> {
        let own = self.shared.spec.endings.iter().copied();
        own.chain([ILLEGAL_ACTION]).collect()
    }

    fn options(&self) -> Options {
        self.shared.options
    }

    fn games(&self) -> usize {
        self.slots.len()
    }

    fn reset(&mut self, seed: Option<u64>) {
        if let Some(seed) = seed {
            self.set_streams(seed.into());
        }
        self.slots.iter_mut().for_each(|slot| slot.restart(&self.shared));
        self.refresh();
    }

    fn reset_where(&mut self, mask: &[bool]) -> Result<(), StepError> {
        expect("mask values", self.slots.len(), mask.len())?;
        let chosen = self.slots.iter_mut().zip(mask).filter(|(_, chosen)| **chosen);
        chosen.for_each(|(slot, _)| slot.restart(&self.shared));
        self.refresh();
        Ok(())
    }

    fn reseed(&mut self, seeds: Seeds<'_>) -> Result<(), StepError> {
        if let Seeds::Each(seeds) = seeds {
            expect("seeds", self.slots.len(), seeds.len())?;
        }
        self.set_streams(seeds);
        Ok(())
    }

    fn step(&mut self, actions: &[i32], out: Outputs<'_>) -> Result<usize, StepError> {
        self.check_buffers(&out)?;
        self.check(actions)?;
        Ok(self.run(Task::Step(actions), out))
    }

    fn write_outputs(&mut self, out: Outputs<'_>) -> Result<(), StepError> {
        self.check_buffers(&out)?;
        self.run(Task::Show, out);
        Ok(())
    }

    fn observe(
        &mut self,
        player: Option<usize>,
        out: ObservationRows<'_>,
    ) -> Result<(), StepError> {
        let players = self.shared.spec.players;
        if let Some(player) = player.filter(|&player| player >= players) {
            return Err(StepError::Player { player, players });
        }
        let games = self.slots.len();
        if !out.fit(games) {
            return Err(StepError::Buffer { games });
        }
        self.run(Task::Observe(player), Outputs { observation: out, ..Outputs::none() });
        Ok(())
    }

    fn ended_games(&self) -> Vec<usize> {
        (0..self.slots.len()).filter(|&game| self.slots[game].ended).collect()
    }

    fn final_observations(&self, mut out: ObservationRows<'_>) -> Result<(), StepError> {
        let Shared { rules, spec, .. } = &self.shared;
        let (layout, views) = (&spec.observation, spec.mask_rows());
        let games = self.ended_games();
        if !out.fit(games.len()) {
            return Err(StepError::Buffer { games: games.len() });
        }
        if self.shared.options.autoreset != Autoreset::SameStep {
            return Ok(());
        }
        let (bytes, numbers) = (layout.packed_bytes(), layout.scalars);
        let TakenScratch(scratch) = &mut Scratch::take(layout);
        for (row, game) in games.into_iter().enumerate() {
            for view in 0..views {
                let at = game * views + view;
                let planes = &self.final_planes[at * bytes..][..bytes];
                let scalars = &self.final_scalars[at * numbers..][..numbers];
                let (seen, view) = ((planes, scalars), (view, views));
                unpack_into::<G>((rules, spec), seen, row, view, &mut scratch.values, &mut out);
            }
        }
        Ok(())
    }

    fn unpack(&mut self, planes: &[u8], scalars: &[f32], out: &mut [f32]) -> Result<(), StepError> {
        let layout = &self.shared.spec.observation;
        let rows = out.len().checked_div(layout.values()).unwrap_or(0);
        let shown = layout.scalars - layout.scalar_array_len();
        expect("values", rows * layout.values(), out.len())?;
        expect("bytes of planes", rows * layout.packed_bytes(), planes.len())?;
        expect("scalars", rows * shown, scalars.len())?;
        unpack::unpack(layout, &mut self.pool, planes, scalars, out);
        Ok(())
    }

    fn sample(&mut self, seed: Option<u64>, out: &mut [i32]) -> Result<(), StepError> {
        self.check_length("actions", out.len())?;
        self.run(Task::Draw(Draw { seed, first: 0, logits: None, out }), Outputs::none());
        Ok(())
    }

    fn sample_logits(
        &mut self,
        logits: &[f32],
        temperature: f32,
        seed: Option<u64>,
        out: &mut [i32],
    ) -> Result<(), StepError> {
        self.check_length("actions", out.len())?;
        let actions = self.shared.spec.actions;
        expect("logits", out.len() * actions, logits.len())?;
        let inverse = Softmax::inverse(temperature)
            .ok_or_else(|| StepError::Temperature { temperature: temperature.to_string() })?;
        let logits = Some(Logits { values: logits, inverse, actions });
        self.run(Task::Draw(Draw { seed, first: 0, logits, out }), Outputs::none());
        Ok(())
    }

    fn absolute(&self, ids: &mut [i32]) {
        self.convert_ids(ids, G::absolute);
    }

    fn relative(&self, ids: &mut [i32]) {
        self.convert_ids(ids, G::relative);
    }

    fn rollout(&mut self, games: Range<u64>, seed: u64) -> Rollout {
        let players = [None; MAX_PLAYERS];
        let played = self.play_games(&players[..self.shared.spec.players], games, seed);
        played.expect("random players always choose a legal action")
    }

    fn state_bytes(&self) -> usize {
        size_of::<G>() + size_of::<PlainStatus>()
    }

    fn write_states(&self, games: &[usize], out: &mut [u8]) -> Result<(), StepError> {
        self.check_games(games)?;
        expect("bytes", games.len() * self.state_bytes(), out.len())?;
        for (&game, row) in games.iter().zip(out.chunks_exact_mut(self.state_bytes())) {
            let Slot { game, status, .. } = &self.slots[game];
            let (state, plain) = row.split_at_mut(size_of::<G>());
            state.copy_from_slice(bytemuck::bytes_of(&game.to_stored()));
            plain.copy_from_slice(bytemuck::bytes_of(&status.to_plain()));
        }
        Ok(())
    }

    fn load_states(&mut self, games: &[usize], states: &[u8]) -> Result<(), StepError> {
        self.check_games(games)?;
        expect("bytes", games.len() * self.state_bytes(), states.len())?;
        let read = self.read_states(states)?;
        for (&place, (game, status)) in games.iter().zip(read) {
            let slot = &mut self.slots[place];
            *slot = Slot { game, status, ended: false, stream: slot.stream };
        }
        self.refresh();
        Ok(())
    }

    fn save(&self) -> Vec<u8> {
        let games: Vec<usize> = (0..self.slots.len()).collect();
        let mut states = vec![0; games.len() * self.state_bytes()];
        self.write_states(&games, &mut states).expect("the buffer fits all games");
        let streams = self.slots.iter().flat_map(|slot| bytemuck::bytes_of(&slot.stream));
        bytes::save(&self.kind(), games.len(), &states, streams)
    }

    fn load(&mut self, bytes: &[u8]) -> Result<(), LoadError> {
        let kind = self.kind();
        let sizes = (self.slots.len(), self.state_bytes(), size_of::<Stream>());
        let (states, streams) = bytes::load(bytes, &self.id(), &kind, sizes)?;
        let read = self.read_states(states)?;
        let streams = streams.chunks_exact(size_of::<Stream>()).map(bytemuck::pod_read_unaligned);
        for (slot, ((game, status), stream)) in self.slots.iter_mut().zip(read.zip(streams)) {
            *slot = Slot { game, status, ended: false, stream };
        }
        self.refresh();
        Ok(())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl<G: Describe> Batch<G> {
    /// Returns an empty batch with the same rules, options and start positions.
    pub(crate) fn with_games(&self, games: usize) -> Result<Batch<G>, StepError> {
        let Shared { rules, options, starts, .. } = &self.shared;
        let mut batch = Batch::<G>::try_new(rules.clone(), games, *options)?;
        batch.shared.starts = starts.clone();
        Ok(batch)
    }

    fn set_streams(&mut self, seeds: Seeds<'_>) {
        for (index, slot) in self.slots.iter_mut().enumerate() {
            slot.stream = seeds.stream(index);
        }
    }

    /// Reads rows of states, all of which must be valid.
    fn read_states(
        &self,
        states: &[u8],
    ) -> Result<impl Iterator<Item = (G, Status)> + use<G>, LoadError> {
        let Shared { rules, spec, .. } = &self.shared;
        let read = |(row, bytes): (usize, &[u8])| {
            let (state, status) = bytes.split_at(size_of::<G>());
            let game: G = bytemuck::pod_read_unaligned(state);
            let status: PlainStatus = bytemuck::pod_read_unaligned(status);
            let status = status.get(spec).filter(|_| game.is_valid(rules));
            let status = status.ok_or_else(|| LoadError::State { row, kind: self.kind() })?;
            Ok((game, status))
        };
        let rows = states.chunks_exact(self.state_bytes()).enumerate();
        Ok(rows.map(read).collect::<Result<Vec<_>, LoadError>>()?.into_iter())
    }

    /// Describes the game and its rules. Batches with equal descriptions can exchange games.
    pub(crate) fn kind(&self) -> String {
        format!("{} with {}", self.id(), self.shared.rules)
    }

    /// Builds the error for the illegal action at index `row` of a step.
    pub(crate) fn illegal(&self, row: usize, action: i32) -> StepError {
        let spec = &self.shared.spec;
        let (game, player) = (row / spec.mask_rows(), row % spec.mask_rows());
        let player = spec.simultaneous.then_some(player);
        let text = self.slots[game].game.text();
        StepError::Illegal { game, player, action, actions: spec.actions, text }
    }

    /// Converts the ids of all games, except those out of range.
    fn convert_ids(&self, ids: &mut [i32], change: impl Fn(&G::Rules, usize, Action) -> Action) {
        let Shared { rules, spec, .. } = &self.shared;
        for (slot, ids) in self.slots.iter().zip(ids.chunks_mut(spec.mask_rows())) {
            for (row, id) in ids.iter_mut().enumerate() {
                if (0..spec.actions as i32).contains(id) {
                    let viewpoint = if spec.simultaneous { row } else { slot.game.viewpoint() };
                    *id = change(rules, viewpoint, Action(*id as u32)).0 as i32;
                }
            }
        }
    }

    /// Checks that there is one value for each action of a step.
    pub(crate) fn check_length(&self, what: &'static str, found: usize) -> Result<(), StepError> {
        expect(what, self.slots.len() * self.shared.spec.mask_rows(), found)
    }

    /// Checks that every buffer has one row for each game.
    fn check_buffers(&self, out: &Outputs<'_>) -> Result<(), StepError> {
        let games = self.slots.len();
        if out.fit(games) { Ok(()) } else { Err(StepError::Buffer { games }) }
    }

    /// Checks that all of these games exist.
    pub(crate) fn check_games(&self, games: &[usize]) -> Result<(), StepError> {
        let count = self.slots.len();
        match games.iter().find(|&&game| game >= count) {
            Some(&game) => Err(StepError::NoGame { game, games: count }),
            None => Ok(()),
        }
    }
}

/// Returns an error unless a length is as expected; `what` names the values.
pub(crate) fn expect(what: &'static str, expected: usize, found: usize) -> Result<(), StepError> {
    if found == expected { Ok(()) } else { Err(StepError::Length { what, expected, found }) }
}

impl<G: Game> Shared<G> {
    /// Returns the state in which a new game starts.
    pub(crate) fn start(&self, stream: &mut Stream) -> G {
        match &self.starts[..] {
            [] => self.default_start,
            starts => starts[stream.below(starts.len())],
        }
    }
}

pub(crate) fn is_legal(legal: Legal<'_>, action: i32) -> bool {
    usize::try_from(action).is_ok_and(|id| legal.contains(id))
}
