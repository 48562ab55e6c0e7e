//! A batch of games that one call steps together.

use std::any::Any;
use std::ops::Range;

use fourfold_common::cpu::{self, Cpu, Work};

use crate::any::{AnyBatch, DescribedBatch};
use crate::bytes::{self, LoadError};
use crate::captions::{ActionPlace, Caption};
use crate::chunk::{Check, Chunk, Task};
use crate::draw::{Draw, Logits};
use crate::error::{OutOfMemory, StepError};
use crate::game::{
    Action, ArraySpec, Describe, Game, MAX_PLAYERS, PlainStatus, Spec, Stage, Status,
};
use crate::layout::{Scratch, TakenScratch};
use crate::legal::{Legal, LegalList, allow_all};
use crate::options::{Autoreset, Illegal, Options};
use crate::outputs::{ObservationRows, Outputs, Rows};
use crate::players::{MoveRequest, Player, PlayerGames, ask, sample_action};
use crate::pool::{Pool, SplitWork};
use crate::random::{Seeds, Stream, entropy};
use crate::rollout::{Rollout, count};
use crate::stop::Stop;
use crate::unpack;
use crate::write_outputs::{observe_into, unpack_into, views};

/// Below this many games per part, handing the part to another thread costs more than it saves.
const MIN_GAMES_PER_PART: usize = 64;

/// The name of the ending that every batch adds to those of its game.
const ILLEGAL_ACTION: &str = "illegal action";

/// A batch of games of one type. Most operations are methods of [`AnyBatch`].
pub struct Batch<G: Describe> {
    shared: Shared<G>,
    slots: Vec<Slot<G>>,
    /// The legal-action lists of the current states.
    lists: Vec<u32>,
    /// The final observations of the games that ended in the latest step.
    final_planes: Vec<u8>,
    final_scalars: Vec<f32>,
    pool: Pool,
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

#[derive(Clone, Copy)]
pub(crate) struct Slot<G> {
    pub(crate) game: G,
    pub(crate) stream: Stream,
    pub(crate) status: Status,
    /// Whether a game in this slot ended in the latest step.
    pub(crate) ended: bool,
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

    fn parse(&self, texts: &[&str]) -> Result<Vec<G>, StepError> {
        let parse = |(index, text): (usize, &&str)| {
            let error = |message| StepError::Position { index, message };
            G::parse(&self.shared.rules, text).map_err(error)
        };
        texts.iter().enumerate().map(parse).collect()
    }

    /// Recomputes the legal actions and status of all games after they were changed from outside.
    fn refresh(&mut self) {
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
        let parts = self.parts();
        let observe = Observe { shared: &self.shared, slots: &self.slots, player, out };
        self.pool.execute(observe, parts);
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
        if !(temperature >= 0.0 && temperature.is_finite()) {
            return Err(StepError::Temperature { temperature: temperature.to_string() });
        }
        let logits = Some(Logits { values: logits, temperature, actions });
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

impl<G: Describe> DescribedBatch for Batch<G> {
    fn duplicate(&self) -> Result<Box<dyn DescribedBatch>, StepError> {
        let mut batch = self.with_games(self.slots.len())?;
        batch.slots.copy_from_slice(&self.slots);
        batch.lists.copy_from_slice(&self.lists);
        batch.final_planes.copy_from_slice(&self.final_planes);
        batch.final_scalars.copy_from_slice(&self.final_scalars);
        Ok(Box::new(batch))
    }

    fn gather(&self, games: &[usize]) -> Result<Box<dyn DescribedBatch>, StepError> {
        self.check_games(games)?;
        let mut batch = self.with_games(games.len())?;
        // How often each game was copied before.
        let mut copies = vec![0; self.slots.len()];
        for (slot, &game) in batch.slots.iter_mut().zip(games) {
            *slot = self.slots[game];
            if copies[game] > 0 {
                slot.stream = slot.stream.branch(copies[game]);
            }
            copies[game] += 1;
        }
        batch.refresh();
        Ok(Box::new(batch))
    }

    fn scatter(&mut self, games: &[usize], from: &dyn AnyBatch) -> Result<(), StepError> {
        self.check_games(games)?;
        let other = |found| StepError::OtherKind { expected: self.kind(), found };
        let from = from.as_any().downcast_ref::<Batch<G>>().ok_or_else(|| other(from.id()))?;
        if from.kind() != self.kind() {
            return Err(other(from.kind()));
        }
        expect("games", from.slots.len(), games.len())?;
        for (&place, from) in games.iter().zip(&from.slots) {
            let slot = &mut self.slots[place];
            *slot = Slot { stream: slot.stream, ..*from };
        }
        self.refresh();
        Ok(())
    }

    fn reset_to(&mut self, mask: Option<&[bool]>, positions: &[&str]) -> Result<(), StepError> {
        let expected = self.slots.len();
        expect("mask values", expected, mask.map_or(expected, <[bool]>::len))?;
        expect("positions", expected, positions.len())?;
        let positions = self.parse(positions)?;
        for (index, (slot, game)) in self.slots.iter_mut().zip(positions).enumerate() {
            if mask.is_none_or(|mask| mask[index]) {
                *slot = Slot::new(game, slot.stream);
            }
        }
        self.refresh();
        Ok(())
    }

    fn set_starts(&mut self, starts: &[&str]) -> Result<(), StepError> {
        let starts = self.parse(starts)?;
        let Shared { rules, spec, .. } = &self.shared;
        let mut lists = vec![0; spec.mask_rows() * spec.list_len()];
        for (index, game) in starts.iter().enumerate() {
            let status = legal_and_status(rules, spec, game, &mut lists);
            if status.stage != Stage::Ongoing {
                let why = status.ending.map_or("", |ending| spec.endings[ending as usize]);
                let message = format!("the game is already over in this position: {why}");
                return Err(StepError::Position { index, message });
            }
        }
        self.shared.starts = starts;
        Ok(())
    }

    fn texts(&self) -> Vec<String> {
        self.slots.iter().map(|slot| slot.game.text()).collect()
    }

    fn channel_names(&self) -> Vec<Caption> {
        G::channel_names(&self.shared.rules)
    }

    fn action_planes(&self) -> Vec<Caption> {
        G::action_planes(&self.shared.rules)
    }

    fn action_place(&self, action: i32) -> Option<ActionPlace> {
        let action = u32::try_from(action).ok()?;
        let known = (action as usize) < self.shared.spec.actions;
        known.then(|| G::action_place(&self.shared.rules, Action(action)))?
    }

    fn arrays(&self) -> &'static [ArraySpec] {
        G::arrays(&self.shared.rules)
    }

    fn array(&self, name: &str, out: &mut [i32]) -> Result<(), StepError> {
        let arrays = self.arrays();
        let index = arrays.iter().position(|array| array.name == name);
        let index = index.ok_or_else(|| StepError::Array { name: name.to_owned(), arrays })?;
        let size = arrays[index].shape.iter().product::<usize>();
        if out.len() != size * self.slots.len() {
            return Err(StepError::Buffer { games: self.slots.len() });
        }
        for (slot, out) in self.slots.iter().zip(out.chunks_exact_mut(size)) {
            slot.game.array(&self.shared.rules, index, out);
        }
        Ok(())
    }

    fn write_actions(&self, actions: &[i32]) -> Result<Vec<String>, StepError> {
        self.check_length("actions", actions.len())?;
        let Shared { rules, spec, .. } = &self.shared;
        let write = |(row, &action): (usize, &i32)| {
            let (game, player) = (row / spec.mask_rows(), row % spec.mask_rows());
            let slot = &self.slots[game];
            let id = u32::try_from(action).ok().filter(|&id| (id as usize) < spec.actions);
            let text = id.and_then(|id| slot.game.write_action(rules, player, Action(id)));
            text.ok_or_else(|| self.illegal(row, action))
        };
        actions.iter().enumerate().map(write).collect()
    }

    fn read_actions(&self, texts: &[&str]) -> Result<Vec<i32>, StepError> {
        self.check_length("moves", texts.len())?;
        let rows = self.shared.spec.mask_rows();
        let read = |(row, text): (usize, &&str)| {
            let (game, player) = (row / rows, row % rows);
            let error = |message| StepError::Move { game, message };
            let state = &self.slots[game].game;
            let action = state.read_action(&self.shared.rules, player, text).map_err(error)?;
            Ok(action.0 as i32)
        };
        texts.iter().enumerate().map(read).collect()
    }

    fn ask(
        &mut self,
        player: &dyn Player,
        seed: Option<u64>,
        mask: Option<&[bool]>,
        out: &mut [i32],
    ) -> Result<(), StepError> {
        self.check_length("actions", out.len())?;
        self.check_length("mask values", mask.map_or(out.len(), <[bool]>::len))?;
        let Batch { shared: Shared { rules, spec, .. }, slots, lists, pool, .. } = self;
        let rows = spec.mask_rows();
        let asked = |index: usize| mask.is_none_or(|mask| mask[index]);
        let draw = |index: usize| match seed {
            Some(seed) => Stream::new(seed, index as u64),
            None if asked(index) => Stream::new(slots[index / rows].stream.next(), 0),
            None => Stream::new(0, 0),
        };
        // Drawn in order, because all players of a game share its stream.
        let streams: Vec<Stream> = (0..out.len()).map(draw).collect();
        let mut answers = vec![Ok(-1); out.len()];
        pool.each(&mut answers, |index, answer| {
            if !asked(index) {
                return;
            }
            let Slot { game, status, .. } = &slots[index / rows];
            if status.stage != Stage::Ongoing {
                *answer = Ok(0);
                return;
            }
            let list = &lists[index * spec.list_len()..][..spec.list_len()];
            let legal = Legal::new(list, spec.actions);
            let acting = game.acting().only().unwrap_or(index % rows);
            let mut stream = streams[index];
            if !status.alive[acting] {
                *answer = Ok(sample_action(legal, &mut stream).0 as i32);
                return;
            }
            let (start, seed) = (game.text(), stream.next());
            let request = MoveRequest { start: &start, moves: &[], player: acting, game, seed };
            *answer = ask(player, &request, rules, game, legal).map(|Action(id)| id as i32);
        });
        for (row, (answer, out)) in answers.into_iter().zip(out).enumerate() {
            let game = (row / rows) as u64;
            *out = answer.map_err(|message| StepError::NoMove { game, message })?;
        }
        Ok(())
    }

    fn play_games_with_stop(
        &mut self,
        players: &[Option<&dyn Player>],
        games: Range<u64>,
        seed: u64,
        stop: Stop<'_>,
    ) -> Result<Rollout, StepError> {
        expect("players", self.shared.spec.players, players.len())?;
        let parts = self.pool.parts(count(&games));
        let contest = PlayerGames { shared: &self.shared, players, games, seed, stop };
        let played = self.pool.execute(contest, parts);
        if stop() {
            return Err(StepError::Stopped);
        }
        played.map_err(|(game, message)| StepError::NoMove { game, message })
    }
}

impl<G: Describe> Batch<G> {
    /// Returns an empty batch with the same rules, options and start positions.
    fn with_games(&self, games: usize) -> Result<Batch<G>, StepError> {
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
    fn kind(&self) -> String {
        format!("{} with {}", self.id(), self.shared.rules)
    }

    /// Builds the error for the illegal action at index `row` of a step.
    fn illegal(&self, row: usize, action: i32) -> StepError {
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
    fn check_length(&self, what: &'static str, found: usize) -> Result<(), StepError> {
        expect(what, self.slots.len() * self.shared.spec.mask_rows(), found)
    }

    /// Checks that every buffer has one row for each game.
    fn check_buffers(&self, out: &Outputs<'_>) -> Result<(), StepError> {
        let games = self.slots.len();
        if out.fit(games) { Ok(()) } else { Err(StepError::Buffer { games }) }
    }

    /// Checks that all of these games exist.
    fn check_games(&self, games: &[usize]) -> Result<(), StepError> {
        let count = self.slots.len();
        match games.iter().find(|&&game| game >= count) {
            Some(&game) => Err(StepError::NoGame { game, games: count }),
            None => Ok(()),
        }
    }
}

/// Returns an error unless a length is as expected; `what` names the values.
fn expect(what: &'static str, expected: usize, found: usize) -> Result<(), StepError> {
    if found == expected { Ok(()) } else { Err(StepError::Length { what, expected, found }) }
}

impl<G: Game> Slot<G> {
    fn new(game: G, stream: Stream) -> Slot<G> {
        Slot { game, stream, status: Status::ONGOING, ended: false }
    }

    /// Starts a new game. The caller must recompute the legal actions and the status.
    pub(crate) fn restart(&mut self, shared: &Shared<G>) {
        self.game = shared.start(&mut self.stream);
        self.status = Status::ONGOING;
    }
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

/// Writes the observations of a range of games.
struct Observe<'a, G: Game> {
    shared: &'a Shared<G>,
    slots: &'a [Slot<G>],
    player: Option<usize>,
    out: ObservationRows<'a>,
}

impl<G: Game> SplitWork for Observe<'_, G> {
    type Output = ();

    fn split_off(&mut self, parts: usize, first: usize) -> Self {
        let at = self.slots.len() * first / parts;
        let slots = self.slots.split_off(at..).unwrap_or_default();
        Observe { slots, out: self.out.split_off(at), ..*self }
    }

    fn run(mut self) {
        let Shared { rules, spec, .. } = self.shared;
        let TakenScratch(scratch) = &mut Scratch::take(&spec.observation);
        for (index, Slot { game, .. }) in self.slots.iter().enumerate() {
            let players = match self.player {
                Some(player) => player..player + 1,
                None => views(spec, game),
            };
            observe_into((rules, spec), game, players, index, scratch, &mut self.out);
        }
    }

    fn join((): (), (): ()) {}
}

/// Computes the legal actions and the status of a game.
#[inline]
pub(crate) fn legal_and_status_with<G: Game, C: Cpu>(
    cpu: C,
    rules: &G::Rules,
    spec: &Spec,
    game: &G,
    lists: &mut [u32],
) -> Status {
    // Not inlined: move generation is large and needed in several places.
    cpu.dispatch(LegalAndStatus { rules, spec, game, lists })
}

/// Computes the legal actions and the status of a game outside a batch. The lists follow one
/// another, each [`Spec::list_len`] long: the number of actions, then the actions.
pub fn legal_and_status<G: Game>(
    rules: &G::Rules,
    spec: &Spec,
    game: &G,
    lists: &mut [u32],
) -> Status {
    cpu::dispatch(LegalAndStatus { rules, spec, game, lists })
}

/// Plays actions in a game outside a batch, one for each acting player.
// Not inlined: playing a move is a lot of code, and most callers spend their time elsewhere.
#[inline(never)]
pub fn apply_to<G: Game>(rules: &G::Rules, game: &mut G, actions: &[Action]) {
    game.apply(rules, actions);
}

struct LegalAndStatus<'a, G: Game> {
    rules: &'a G::Rules,
    spec: &'a Spec,
    game: &'a G,
    lists: &'a mut [u32],
}

impl<G: Game> Work for LegalAndStatus<'_, G> {
    type Output = Status;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Status {
        let LegalAndStatus { rules, spec, game, lists } = self;
        let first = if spec.simultaneous { None } else { game.acting().only() };
        let mut may_move = false;
        // The only place that generates moves, so that the code is inlined only once.
        for (player, list) in (first.unwrap_or(0)..).zip(lists.chunks_exact_mut(spec.list_len())) {
            let mut list = LegalList::new(list);
            game.legal(cpu, rules, player, &mut list);
            may_move |= list.close() > 0;
        }
        game.status(rules, may_move)
    }
}

/// Marks all actions of a finished game as legal, so that masks are never empty.
pub(crate) fn allow_all_actions(lists: &mut [u32], spec: &Spec) {
    lists.chunks_exact_mut(spec.list_len()).for_each(allow_all);
}

pub(crate) fn is_legal(legal: Legal<'_>, action: i32) -> bool {
    usize::try_from(action).is_ok_and(|id| legal.contains(id))
}
