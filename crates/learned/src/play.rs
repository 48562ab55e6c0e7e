//! Choosing moves: PUCT, with the leaves evaluated by a network.

use std::any::Any;
use std::sync::Arc;

use fourfold_bots::{BotMove, Budget, Line, Score, Situation, ThinkError};
use fourfold_common::SplitMix64;
use fourfold_env::{
    Action, AnyBatch, Batch, Describe, MAX_PLAYERS, Spec, Stage, apply_to, legal_and_status,
};
use fourfold_search::{ActionStats, AnySearch, FirstPlayUrgency, Logits, Options, Search};

use crate::description::Description;
use crate::error::ModelError;
use crate::model::Evaluation;
use crate::network::{Network, Scratch};

/// The most positions of a search, to limit its memory.
const MAX_NODES: u64 = 1 << 16;
/// The discount factor per step, as in training.
const DISCOUNT: f32 = 0.997;
/// Moves count as equally good if their visits differ by at most a tenth and their values by at most this much.
const TIE_MARGIN: f32 = 0.01;
/// How much larger the logit of a move that wins at once is than all others.
const WINNING: f32 = 20.0;
/// The longest line that is reported.
const MAX_LINE: usize = 16;

/// A network with a game whose type is known only to the implementation.
pub(crate) trait Play: Send + Sync {
    /// Chooses a move of a game given as text. `player` matters only in games in which all players act at once.
    fn think(
        &self,
        situation: &Situation<'_>,
        player: usize,
        seed: u64,
        budget: Budget<'_>,
    ) -> Result<BotMove, ThinkError>;

    /// Chooses a move in a state, or returns `None` if it belongs to another game or other rules.
    fn choose(
        &self,
        state: &dyn Any,
        player: usize,
        seed: u64,
        budget: Budget<'_>,
    ) -> Option<Result<BotMove, ThinkError>>;

    fn evaluate(&self, batch: &dyn AnyBatch) -> Result<Evaluation, ModelError>;

    fn check_start(&self, start: &str) -> Result<(), ThinkError>;

    fn can_play(&self, batch: &dyn AnyBatch) -> bool;
}

/// A network with the rules of its game.
pub(crate) struct Typed<G: Describe> {
    pub(crate) rules: G::Rules,
    pub(crate) spec: Spec,
    pub(crate) description: Arc<Description>,
    pub(crate) network: Arc<Network>,
}

/// The arrays of an evaluation.
struct Arrays {
    scratch: Scratch,
    planes: Vec<u8>,
    scalars: Vec<f32>,
    observation: Vec<f32>,
    lists: Vec<u32>,
    next_lists: Vec<u32>,
}

impl<G: Describe> Typed<G> {
    fn arrays(&self) -> Arrays {
        let (layout, lists) =
            (&self.spec.observation, vec![0; self.spec.mask_rows() * self.spec.list_len()]);
        Arrays {
            scratch: self.network.scratch(),
            planes: vec![0; layout.packed_bytes()],
            scalars: vec![0.0; layout.scalars],
            observation: vec![0.0; layout.values()],
            next_lists: lists.clone(),
            lists,
        }
    }

    /// Evaluates a position as a player who acts sees it. The results are in `arrays.scratch`.
    fn observe_and_evaluate(
        &self,
        state: &G,
        player: usize,
        arrays: &mut Arrays,
    ) -> Result<(), ModelError> {
        let Arrays { scratch, planes, scalars, observation, .. } = arrays;
        let layout = &self.spec.observation;
        // Games write only what is not 0.
        planes.fill(0);
        scalars.fill(0.0);
        state.observe(&self.rules, player, planes, scalars);
        layout.unpack(planes, scalars, observation);
        let channels = layout.channels.len();
        G::paint(&self.rules, scalars, |square, channel, value| {
            observation[square * channels + channel] = value;
        });
        let inputs = self.description.planes.len() + 1;
        let cells = observation.chunks_exact(channels);
        for (cell, input) in cells.zip(scratch.planes.chunks_exact_mut(inputs)) {
            for (input, &plane) in input.iter_mut().zip(&self.description.planes) {
                *input = cell[plane];
            }
            input[inputs - 1] = 1.0;
        }
        let count = scratch.scalars.len();
        scratch.scalars.copy_from_slice(&scalars[..count]);
        self.network.evaluate(scratch)
    }

    /// Evaluates a position: the logits of all actions of each player who acts, and the value for each player.
    fn evaluate_state(
        &self,
        state: &G,
        arrays: &mut Arrays,
        logits: &mut Vec<f32>,
    ) -> Result<[f32; MAX_PLAYERS], ModelError> {
        let mut values = [0.0; MAX_PLAYERS];
        let players = self.spec.players;
        if self.spec.simultaneous {
            for (player, value) in values.iter_mut().enumerate().take(players) {
                self.observe_and_evaluate(state, player, arrays)?;
                logits.extend(self.network.logits(&arrays.scratch));
                *value = arrays.scratch.values[0];
            }
            return Ok(values);
        }
        let player = state.acting().only().unwrap_or(0);
        self.observe_and_evaluate(state, player, arrays)?;
        logits.extend(self.network.logits(&arrays.scratch));
        match arrays.scratch.values[..] {
            [value] => {
                values[player] = value;
                values[(player + 1) % players] = -value;
            }
            ref relative => {
                for (index, &value) in relative.iter().enumerate() {
                    values[(player + index) % players] = value;
                }
            }
        }
        Ok(values)
    }

    /// Evaluates a leaf of the tree. If a move wins at once, its logit is the largest, and the value is that of winning.
    fn evaluate_leaf(
        &self,
        state: &G,
        arrays: &mut Arrays,
        logits: &mut Vec<f32>,
    ) -> Result<[f32; MAX_PLAYERS], ModelError> {
        let first = logits.len();
        let values = self.evaluate_state(state, arrays, logits)?;
        if self.spec.simultaneous {
            return Ok(values);
        }
        let player = state.acting().only().unwrap_or(0);
        let Arrays { lists, next_lists, .. } = arrays;
        legal_and_status(&self.rules, &self.spec, state, lists);
        for &action in legal(lists) {
            let mut next = *state;
            apply_to(&self.rules, &mut next, &[Action(action)]);
            let status = legal_and_status(&self.rules, &self.spec, &next, next_lists);
            if status.stage == Stage::Terminated && status.rewards[player] > 0.0 {
                let own = &mut logits[first..];
                let most = own.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                own[action as usize] = most + WINNING;
                return Ok(status.rewards.map(|reward| reward * DISCOUNT));
            }
        }
        Ok(values)
    }

    /// Returns a state of a game whose rules may differ, if these rules allow it.
    fn accept(&self, state: &G) -> Option<G> {
        Some(state.to_stored()).filter(|state| state.is_valid(&self.rules))
    }

    /// Parses a situation.
    fn read(&self, situation: &Situation<'_>) -> Result<G, ThinkError> {
        let start = G::parse(&self.rules, situation.start);
        let mut state = start.map_err(|reason| ThinkError::Start { reason })?;
        for (ply, code) in situation.moves.iter().enumerate() {
            let action = state.read_action(&self.rules, 0, code);
            let action =
                action.map_err(|reason| ThinkError::Move { ply, code: code.clone(), reason })?;
            apply_to(&self.rules, &mut state, &[action]);
        }
        Ok(state)
    }

    /// Chooses an action of a player.
    fn search(
        &self,
        state: &G,
        player: usize,
        seed: u64,
        budget: Budget<'_>,
    ) -> Result<BotMove, ThinkError> {
        let failed = |reason: String| ThinkError::Failed { reason };
        let mut arrays = self.arrays();
        let status = legal_and_status(&self.rules, &self.spec, state, &mut arrays.lists);
        let row = if self.spec.simultaneous { player.min(self.spec.players - 1) } else { 0 };
        let list = &arrays.lists[row * self.spec.list_len()..][..self.spec.list_len()];
        let actions = legal(list).to_vec();
        if actions.is_empty() {
            let reason = match status.ending {
                Some(ending) => self.spec.endings.get(usize::from(ending)).copied(),
                None => None,
            };
            let reason = reason.unwrap_or("there is no legal move").to_owned();
            return Err(ThinkError::Over { reason });
        }
        let nodes = budget.nodes.clamp(1, MAX_NODES);
        let found = if status.stage != Stage::Ongoing || nodes == 1 {
            // The environment may end games that the rules let continue, for example after a threefold repetition.
            let mut logits = Vec::new();
            let values = self.evaluate_leaf(state, &mut arrays, &mut logits);
            let values = values.map_err(|error| failed(error.to_string()))?;
            let value = values[if self.spec.simultaneous { row } else { acting(state) }];
            let stats = actions.iter().map(|&action| {
                let prior = logits[row * self.spec.actions + action as usize];
                ActionStats { action: Action(action), prior, visits: 0, value, weight: 0.0 }
            });
            Found { stats: stats.collect(), line: Vec::new(), nodes: 1 }
        } else {
            self.grow(state, row, &mut arrays, nodes, budget).map_err(failed)?
        };
        self.answer(state, player, seed, budget.lines, found)
    }

    /// Grows a tree until the budget is spent.
    fn grow(
        &self,
        state: &G,
        row: usize,
        arrays: &mut Arrays,
        nodes: u64,
        budget: Budget<'_>,
    ) -> Result<Found, String> {
        let options = Options {
            first_play_urgency: FirstPlayUrgency::Parent { reduction: 0.3 },
            discount: DISCOUNT,
            seed: 0,
            ..Options::new(nodes as u32 - 1)
        };
        let search = Search::<G>::new(self.rules.clone(), 1, options);
        let mut search = search.map_err(|error| error.to_string())?;
        let mut logits = Vec::new();
        let mut done = 0;
        while search.leaves(|_| state).map_err(|error| error.to_string())? > 0 {
            logits.clear();
            let mut values = [0.0; MAX_PLAYERS];
            if let Some(leaf) = search.pending_leaves().next() {
                let found = self.evaluate_leaf(leaf.state(), arrays, &mut logits);
                values = found.map_err(|error| error.to_string())?;
            }
            let backed = search.backup(Logits::Dense(&logits), &values[..self.spec.players]);
            backed.map_err(|error| error.to_string())?;
            done += 1;
            if budget.is_spent(done) {
                break;
            }
        }
        Ok(Found {
            stats: search.root_actions(0, row),
            line: search.line(0, MAX_LINE),
            nodes: done,
        })
    }

    /// Chooses among the actions of the root.
    fn answer(
        &self,
        state: &G,
        player: usize,
        seed: u64,
        lines: usize,
        mut found: Found,
    ) -> Result<BotMove, ThinkError> {
        // The sort is stable: the same search gives the same order everywhere.
        found.stats.sort_by(|one, other| {
            let keys = (other.visits.cmp(&one.visits), other.value.total_cmp(&one.value));
            keys.0.then(keys.1).then(other.prior.total_cmp(&one.prior))
        });
        let Some(&best) = found.stats.first() else {
            return Err(ThinkError::Over { reason: "there is no legal move".to_owned() });
        };
        let is_equal = |stat: &&ActionStats| {
            best.visits > 0
                && 10 * u64::from(stat.visits) >= 9 * u64::from(best.visits)
                && (stat.value - best.value).abs() <= TIE_MARGIN
        };
        let equal = found.stats.iter().take_while(is_equal).count().max(1);
        let choice = SplitMix64::new(seed).next() % equal as u64;
        found.stats[..equal].swap(0, choice as usize);
        let code = |action| {
            let text = state.write_action(&self.rules, player, action);
            text.ok_or_else(|| ThinkError::Failed {
                reason: "a legal action has no notation".to_owned(),
            })
        };
        let mut answer = BotMove::new(code(found.stats[0].action)?);
        answer.nodes = found.nodes;
        answer.depth = found.line.len() as u32;
        for stat in found.stats.iter().take(lines.max(1)).filter(|stat| stat.visits > 0) {
            let first = code(stat.action)?;
            let codes = match found.line.first() == Some(&first) {
                true => found.line.clone(),
                false => vec![first],
            };
            let share = (500.0 * (1.0 + stat.value.clamp(-1.0, 1.0))) as u16;
            answer.lines.push(Line { score: Score::WinningChances(share), codes });
        }
        Ok(answer)
    }
}

/// What a search has found.
struct Found {
    /// The legal actions. Without a search, their priors are logits.
    stats: Vec<ActionStats>,
    line: Vec<String>,
    /// The number of evaluated positions.
    nodes: u64,
}

impl<G: Describe> Play for Typed<G> {
    fn think(
        &self,
        situation: &Situation<'_>,
        player: usize,
        seed: u64,
        budget: Budget<'_>,
    ) -> Result<BotMove, ThinkError> {
        self.search(&self.read(situation)?, player, seed, budget)
    }

    fn choose(
        &self,
        state: &dyn Any,
        player: usize,
        seed: u64,
        budget: Budget<'_>,
    ) -> Option<Result<BotMove, ThinkError>> {
        let state = self.accept(state.downcast_ref::<G>()?)?;
        Some(self.search(&state, player, seed, budget))
    }

    fn evaluate(&self, batch: &dyn AnyBatch) -> Result<Evaluation, ModelError> {
        let found = batch.as_any().downcast_ref::<Batch<G>>();
        let found = found.ok_or_else(|| {
            let (own, other) = (&self.description.game, batch.id());
            ModelError::game(format!("a model for {own} cannot evaluate {other}"))
        })?;
        let (rows, players) = (self.spec.mask_rows(), self.spec.players);
        let mut arrays = self.arrays();
        let mut evaluation = Evaluation { logits: Vec::new(), values: Vec::new() };
        let mut logits = Vec::new();
        for state in found.states() {
            let state = self.accept(state).ok_or_else(|| {
                let (own, other) = (&self.rules, found.rules());
                ModelError::game(format!("a model trained with {own} cannot evaluate {other}"))
            })?;
            let status = legal_and_status(&self.rules, &self.spec, &state, &mut arrays.lists);
            let first = evaluation.logits.len();
            evaluation.logits.resize(first + rows * self.spec.actions, f32::NEG_INFINITY);
            if status.stage != Stage::Ongoing {
                evaluation.values.resize(evaluation.values.len() + players, 0.0);
                continue;
            }
            logits.clear();
            let values = self.evaluate_state(&state, &mut arrays, &mut logits)?;
            evaluation.values.extend(&values[..players]);
            let lists = arrays.lists.chunks_exact(self.spec.list_len());
            let outs = evaluation.logits[first..].chunks_exact_mut(self.spec.actions);
            for ((list, out), logits) in lists.zip(outs).zip(logits.chunks_exact(self.spec.actions))
            {
                for &action in legal(list) {
                    out[action as usize] = logits[action as usize];
                }
            }
        }
        Ok(evaluation)
    }

    fn check_start(&self, start: &str) -> Result<(), ThinkError> {
        self.read(&Situation { start, moves: &[] }).map(drop)
    }

    fn can_play(&self, batch: &dyn AnyBatch) -> bool {
        let batch = batch.as_any().downcast_ref::<Batch<G>>();
        batch
            .and_then(|batch| batch.states().next())
            .is_some_and(|state| self.accept(state).is_some())
    }
}

/// Returns the legal actions of a list, which begins with their number.
fn legal(list: &[u32]) -> &[u32] {
    list.split_first().map_or(&[], |(&count, rest)| rest.get(..count as usize).unwrap_or_default())
}

fn acting<G: Describe>(state: &G) -> usize {
    state.acting().only().unwrap_or(0)
}
