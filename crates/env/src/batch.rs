//! A batch of games that one call steps together.

use std::any::Any;
use std::ops::Range;

use fourfold_common::cpu::{self, Cpu, Work};

use crate::any::AnyBatch;
use crate::bytes::{Bytes, LoadError, put, put_text};
use crate::captions::{ActionPlace, Caption};
use crate::chunk::{Check, Chunk, Task};
use crate::error::{OutOfMemory, StepError};
use crate::game::{Action, Game, MAX_PLAYERS, Spec, Stage, Status};
use crate::layout::Scratch;
use crate::legal::{Legal, LegalList, allow_all};
use crate::options::{Autoreset, Illegal, Options};
use crate::outputs::{ObservationRows, Outputs, Rows};
use crate::players::{MoveRequest, Player, PlayerGames, ask, sample_action};
use crate::pool::Pool;
use crate::random::Stream;
use crate::rollout::{Rollout, count};
use crate::write_outputs::{MAX_PLANE_BYTES, MAX_SCALARS, observe_into, unpack_into, views};

/// Below this many games per part, handing the part to another thread costs more than it saves.
const MIN_GAMES_PER_PART: usize = 64;

/// Words for rules in batches saved by earlier versions, and the current words.
const FORMER_WORDS: [(&str, &str); 3] =
    [(" seed-points", " legacy-points"), (" tps=", " ticks-per-square="), (" seats=", " players=")];

/// A batch of games of one type. Most operations are methods of [`AnyBatch`].
pub struct Batch<G: Game> {
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

#[derive(Clone)]
pub(crate) struct Slot<G> {
    pub(crate) game: G,
    pub(crate) stream: Stream,
    pub(crate) status: Status,
    /// Whether a game in this slot ended in the latest step.
    pub(crate) ended: bool,
}

impl<G: Game> Batch<G> {
    /// Creates a batch of games at their start, seeded with 0.
    ///
    /// # Panics
    /// Panics if the game's observation does not fit the internal buffers.
    pub fn new(rules: G::Rules, games: usize, options: Options) -> Batch<G> {
        let illegal = options.illegal.unwrap_or(G::illegal(&rules));
        let options = Options { illegal: Some(illegal), ..options };
        let default_start = G::start(&rules);
        let spec = G::spec(&rules);
        let layout = &spec.observation;
        assert!(layout.packed_bytes() <= MAX_PLANE_BYTES && layout.scalars <= MAX_SCALARS);
        let rows = games * spec.mask_rows();
        let kept = if options.autoreset == Autoreset::SameStep { rows } else { 0 };
        let mut batch = Batch {
            slots: vec![Slot::new(default_start.clone(), Stream::new(0, 0)); games],
            lists: vec![0; games * spec.mask_rows() * spec.list_len()],
            final_planes: vec![0; kept * layout.packed_bytes()],
            final_scalars: vec![0.0; kept * layout.scalars],
            pool: Pool::new(options.threads),
            shared: Shared { rules, spec, options, starts: Vec::new(), default_start },
        };
        batch.reset(Some(0));
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

impl<G: Game> AnyBatch for Batch<G> {
    fn id(&self) -> String {
        format!("{}-v{}", G::NAME, G::VERSION)
    }

    fn spec(&self) -> &Spec {
        &self.shared.spec
    }

    fn options(&self) -> Options {
        self.shared.options
    }

    fn games(&self) -> usize {
        self.slots.len()
    }

    fn reset(&mut self, seed: Option<u64>) {
        for (index, slot) in self.slots.iter_mut().enumerate() {
            if let Some(seed) = seed {
                slot.stream = Stream::new(seed, index as u64);
            }
            slot.restart(&self.shared);
        }
        self.refresh();
    }

    fn reset_some(
        &mut self,
        mask: Option<&[bool]>,
        positions: Option<&[&str]>,
    ) -> Result<(), StepError> {
        let expected = self.slots.len();
        expect("mask values", expected, mask.map_or(expected, <[bool]>::len))?;
        expect("positions", expected, positions.map_or(expected, <[&str]>::len))?;
        let mut positions = match positions {
            Some(texts) => self.parse(texts)?.into_iter(),
            None => Vec::new().into_iter(),
        };
        for (index, slot) in self.slots.iter_mut().enumerate() {
            let position = positions.next();
            if !mask.is_none_or(|mask| mask[index]) {
                continue;
            }
            match position {
                Some(game) => *slot = Slot::new(game, slot.stream),
                None => slot.restart(&self.shared),
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
        &self,
        player: Option<usize>,
        mut out: ObservationRows<'_>,
    ) -> Result<(), StepError> {
        let players = self.shared.spec.players;
        if let Some(player) = player.filter(|&player| player >= players) {
            return Err(StepError::Player { player, players });
        }
        let mut scratch = Scratch::EMPTY;
        let shared = (&self.shared.rules, &self.shared.spec);
        for (index, slot) in self.slots.iter().enumerate() {
            let players = match player {
                Some(player) => player..player + 1,
                None => views(&self.shared.spec, &slot.game),
            };
            observe_into(shared, &slot.game, players, index, &mut scratch, &mut out);
        }
        Ok(())
    }

    fn final_observations(&self, mut out: ObservationRows<'_>) -> Result<(), StepError> {
        let layout = &self.shared.spec.observation;
        let planes = self.final_planes.chunks_exact(layout.packed_bytes());
        let scalars = self.final_scalars.chunks_exact(layout.scalars.max(1));
        let mut scratch = Scratch::EMPTY;
        let views = self.shared.spec.mask_rows();
        let shared = (&self.shared.rules, &self.shared.spec);
        for (row, seen) in planes.zip(scalars).enumerate() {
            let (index, view) = (row / views, row % views);
            if self.slots[index].ended {
                let view = (view, views);
                unpack_into::<G>(shared, seen, index, view, &mut scratch, &mut out);
            }
        }
        Ok(())
    }

    fn sample(&mut self, seed: Option<u64>, out: &mut [i32]) {
        self.run(Task::Draw { seed, first: 0, out }, Outputs::none());
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

    fn array(&self, name: &str, out: &mut [i32]) -> Result<(), StepError> {
        let arrays = self.shared.spec.arrays;
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

    fn absolute(&self, ids: &mut [i32]) {
        self.convert_ids(ids, G::absolute);
    }

    fn relative(&self, ids: &mut [i32]) {
        self.convert_ids(ids, G::relative);
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
        seed: u64,
        mask: Option<&[bool]>,
        out: &mut [i32],
    ) -> Result<(), StepError> {
        self.check_length("actions", out.len())?;
        self.check_length("mask values", mask.map_or(out.len(), <[bool]>::len))?;
        let Batch { shared: Shared { rules, spec, .. }, slots, lists, pool, .. } = self;
        let rows = spec.mask_rows();
        let mut answers = vec![Ok(-1); out.len()];
        pool.each(&mut answers, |index, answer| {
            if !mask.is_none_or(|mask| mask[index]) {
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
            let mut stream = Stream::new(seed, index as u64);
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

    fn play_games(
        &mut self,
        players: &[Option<&dyn Player>],
        games: Range<u64>,
        seed: u64,
    ) -> Result<Rollout, StepError> {
        expect("players", self.shared.spec.players, players.len())?;
        let parts = self.pool.parts(count(&games));
        let contest = PlayerGames { shared: &self.shared, players, games, seed };
        let played = self.pool.execute(contest, parts);
        played.map_err(|(game, message)| StepError::NoMove { game, message })
    }

    fn rollout(&mut self, games: Range<u64>, seed: u64) -> Rollout {
        let players = [None; MAX_PLAYERS];
        let played = self.play_games(&players[..self.shared.spec.players], games, seed);
        played.expect("random players always choose a legal action")
    }

    fn save(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put_text(&mut out, &self.kind());
        put(&mut out, self.slots.len() as u64);
        for slot in &self.slots {
            slot.stream.parts().into_iter().for_each(|part| put(&mut out, part));
            slot.status.save(&mut out);
            slot.game.save(&mut out);
        }
        out
    }

    fn load(&mut self, bytes: &[u8]) -> Result<(), LoadError> {
        let mut bytes = Bytes(bytes);
        let found = FORMER_WORDS
            .iter()
            .fold(bytes.text()?.to_owned(), |text, (former, word)| text.replace(former, word));
        if found != self.kind() {
            return Err(LoadError::Other { expected: self.kind(), found });
        }
        if bytes.u64()? != self.slots.len() as u64 {
            return Err(LoadError::Damaged("the number of games differs"));
        }
        let mut slots = Vec::with_capacity(self.slots.len());
        for _ in 0..self.slots.len() {
            let stream = Stream::resume(bytes.u64()?, bytes.u64()?, bytes.u64()?);
            let status = Status::load(&mut bytes)?;
            let game = G::load(&self.shared.rules, &mut bytes)?;
            slots.push(Slot { game, stream, status, ended: false });
        }
        if !bytes.0.is_empty() {
            return Err(LoadError::TooLong);
        }
        self.slots = slots;
        self.refresh();
        Ok(())
    }

    fn gather(&self, games: &[usize]) -> Result<Box<dyn AnyBatch>, StepError> {
        self.check_games(games)?;
        let Shared { rules, options, starts, .. } = &self.shared;
        let mut batch = Batch::<G>::try_new(rules.clone(), games.len(), *options)?;
        batch.shared.starts = starts.clone();
        batch.slots = games.iter().map(|&game| self.slots[game].clone()).collect();
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
        for (&place, slot) in games.iter().zip(&from.slots) {
            self.slots[place] = slot.clone();
        }
        self.refresh();
        Ok(())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl<G: Game> Batch<G> {
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
            [] => self.default_start.clone(),
            starts => starts[stream.below(starts.len())].clone(),
        }
    }
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
