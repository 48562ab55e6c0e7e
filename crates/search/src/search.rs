//! The search of a batch of games.

use fourfold_env::{
    Action, AnyBatch, Describe, MAX_PLAYERS, OutputGame, Outputs, Pool, Spec, Stop, apply_to,
    never, write_outputs,
};
use fourfold_tree::{ROOT, Tree};

use crate::any::{AnySearch, Evaluator, own};
use crate::error::SearchError;
use crate::evaluate::{Evaluate, Leaf};
use crate::game_search::{ActionStats, GameSearch, Shared};
use crate::options::Options;

/// The search trees of a batch of games. Most operations are methods of [`AnySearch`].
pub struct Search<G: Describe> {
    shared: Shared<G>,
    searches: Vec<GameSearch<G>>,
    /// For each game, the number of waiting leaves of the games before it, followed by the total.
    firsts: Vec<usize>,
    pool: Pool,
}

/// The logits of the leaves, with one row for each player who acts in a leaf.
#[derive(Clone, Copy, Debug)]
pub enum Logits<'a> {
    /// One logit per action of the game.
    Dense(&'a [f32]),
    /// One logit per entry of the list of legal actions, padded to the spec's `max_legal`.
    Listed(&'a [f32]),
}

/// The memory that the trees take.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Memory {
    /// The number of nodes of all trees.
    pub nodes: usize,
    /// The number of their edges.
    pub edges: usize,
    /// The number of edges that have statistics, because their node has children.
    pub visited_edges: usize,
    /// The memory in use by nodes and edges, in bytes.
    pub used: usize,
    /// The memory allocated, including states and leaves, in bytes.
    pub bytes: usize,
    /// The size of a node without its edges, in bytes.
    pub node_bytes: usize,
    /// The size of an edge, in bytes.
    pub edge_bytes: usize,
    /// The size of the statistics of an edge, in bytes.
    pub visited_edge_bytes: usize,
}

impl<G: Describe> Search<G> {
    /// Makes empty trees for a number of games.
    ///
    /// # Errors
    /// Returns an error if an option is out of range.
    pub fn new(rules: G::Rules, games: usize, options: Options) -> Result<Search<G>, SearchError> {
        let spec = G::spec(&rules);
        options.check(&spec)?;
        let shared = Shared { rules, spec, options };
        let searches = (0..games).map(|game| GameSearch::new(&shared, game)).collect();
        let pool = Pool::new(options.threads);
        Ok(Search { shared, searches, firsts: vec![0; games + 1], pool })
    }

    /// Returns the rules of the games.
    pub const fn rules(&self) -> &G::Rules {
        &self.shared.rules
    }

    /// Returns the spec of the game.
    pub const fn spec(&self) -> &Spec {
        &self.shared.spec
    }

    /// Returns the options the search was made with.
    pub const fn options(&self) -> &Options {
        &self.shared.options
    }

    /// Returns the number of games.
    pub fn games(&self) -> usize {
        self.searches.len()
    }

    /// Runs simulations from the states given by `state` until there are leaves to evaluate, and
    /// returns their number. When it returns 0, the search is done. The next call begins another
    /// search, which reuses the trees.
    ///
    /// # Errors
    /// Returns an error if leaves are awaiting evaluation.
    pub fn leaves<'a>(
        &mut self,
        state: impl Fn(usize) -> &'a G + Sync,
    ) -> Result<usize, SearchError> {
        self.leaves_with_stop(state, &never)
    }

    fn leaves_with_stop<'a>(
        &mut self,
        state: impl Fn(usize) -> &'a G + Sync,
        stop: Stop<'_>,
    ) -> Result<usize, SearchError> {
        self.require_no_pending()?;
        let shared = &self.shared;
        self.pool.each(&mut self.searches, |game, search| {
            if !stop() {
                search.begin(shared, state(game));
                search.collect_leaves(shared, stop);
            }
        });
        if stop() {
            return Err(SearchError::Stopped);
        }
        let mut sum = 0;
        for (search, first) in self.searches.iter().zip(&mut self.firsts) {
            *first = sum;
            sum += search.pending_leaves().len();
        }
        self.firsts[self.searches.len()] = sum;
        if sum == 0 {
            self.searches.iter_mut().for_each(GameSearch::end);
        }
        Ok(sum)
    }

    /// Returns the search of one game.
    #[cfg(test)]
    pub(crate) fn game_search(&self, game: usize) -> &GameSearch<G> {
        &self.searches[game]
    }

    /// Returns the number of leaves awaiting evaluation.
    fn pending_count(&self) -> usize {
        self.firsts.last().copied().unwrap_or(0)
    }

    fn require_no_pending(&self) -> Result<(), SearchError> {
        match self.pending_count() {
            0 => Ok(()),
            leaves => Err(SearchError::LeavesPending { leaves }),
        }
    }

    /// Iterates over the leaves awaiting evaluation, game by game.
    pub fn pending_leaves(&self) -> impl Iterator<Item = &Leaf<G>> {
        self.searches.iter().flat_map(GameSearch::pending_leaves)
    }

    /// Searches all games from the states given by `state`, using an evaluator.
    ///
    /// # Errors
    /// Returns an error if leaves are awaiting evaluation, or the evaluator returns logits or
    /// values that are not finite.
    pub fn run<'a, E: Evaluate<G>>(
        &mut self,
        state: impl Fn(usize) -> &'a G + Sync,
        evaluator: &E,
    ) -> Result<(), SearchError> {
        self.run_with_stop(state, evaluator, &never)
    }

    fn run_with_stop<'a, E: Evaluate<G>>(
        &mut self,
        state: impl Fn(usize) -> &'a G + Sync,
        evaluator: &E,
        stop: Stop<'_>,
    ) -> Result<(), SearchError> {
        self.require_no_pending()?;
        let shared = &self.shared;
        let fault = std::sync::Mutex::new(None);
        self.pool.each(&mut self.searches, |game, search| {
            let mut memory = E::Memory::default();
            search.begin(shared, state(game));
            while !stop() {
                search.collect_leaves(shared, stop);
                let leaves = search.pending_leaves_mut();
                if leaves.is_empty() {
                    break;
                }
                let Shared { rules, spec, .. } = shared;
                evaluator.evaluate_with_stop(rules, spec, &mut memory, leaves, stop);
                if let Some((leaf, what)) = search.check() {
                    let mut fault = fault.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    *fault = Some(SearchError::NotFinite { what, leaf });
                    search.clear();
                    break;
                }
                search.expand_and_back_up(shared);
            }
            search.end();
        });
        if stop() {
            self.clear();
            return Err(SearchError::Stopped);
        }
        match fault.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
            Some(fault) => Err(fault),
            None => Ok(()),
        }
    }
}

impl<G: Describe> AnySearch for Search<G> {
    fn leaves_with_stop(
        &mut self,
        batch: &dyn AnyBatch,
        stop: Stop<'_>,
    ) -> Result<usize, SearchError> {
        let batch = own(self, batch)?;
        Search::leaves_with_stop(self, |game| batch.state(game), stop)
    }

    fn leaf_games(&self) -> Vec<i32> {
        self.pending_leaves().map(|leaf| leaf.game() as i32).collect()
    }

    fn write_outputs(&mut self, out: Outputs<'_>) -> Result<(), SearchError> {
        let expected = self.pending_count();
        if !out.fit(expected) {
            return Err(SearchError::Length { what: "rows", expected, found: 0 });
        }
        let leaves = self.searches.iter().flat_map(GameSearch::pending_leaves);
        let shown: Vec<OutputGame<'_, G>> =
            leaves.map(|leaf| OutputGame { game: &leaf.state, lists: &leaf.lists }).collect();
        let Shared { rules, spec, .. } = &self.shared;
        write_outputs(rules, spec, &mut self.pool, &shown, out);
        Ok(())
    }

    fn backup(&mut self, logits: Logits<'_>, values: &[f32]) -> Result<(), SearchError> {
        let Shared { spec, .. } = &self.shared;
        let (leaves, rows, players) = (self.pending_count(), spec.mask_rows(), spec.players);
        if leaves == 0 {
            return Err(SearchError::NoLeaves);
        }
        let (width, numbers) = match logits {
            Logits::Dense(numbers) => (spec.actions, numbers),
            Logits::Listed(numbers) => (spec.max_legal, numbers),
        };
        check_length("logits", leaves * rows * width, numbers.len())?;
        check_length("values", leaves * players, values.len())?;
        let firsts = &self.firsts;
        self.pool.each(&mut self.searches, |game, search| {
            for (index, leaf) in search.pending_leaves_mut().iter_mut().enumerate() {
                let place = firsts[game] + index;
                leaf.values[..players].copy_from_slice(&values[place * players..][..players]);
                let given = numbers[place * rows * width..].chunks_exact(width);
                for ((actions, out), given) in leaf.rows().zip(given) {
                    match logits {
                        Logits::Dense(_) => {
                            for (out, &action) in out.iter_mut().zip(actions) {
                                *out = given[action as usize];
                            }
                        }
                        Logits::Listed(_) => out.copy_from_slice(&given[..actions.len()]),
                    }
                }
            }
        });
        let fault = self.searches.iter_mut().zip(&self.firsts).find_map(|(search, first)| {
            search.check().map(|(index, what)| SearchError::NotFinite { what, leaf: first + index })
        });
        if let Some(fault) = fault {
            return Err(fault);
        }
        let shared = &self.shared;
        self.pool.each(&mut self.searches, |_, search| search.expand_and_back_up(shared));
        self.firsts.fill(0);
        Ok(())
    }

    fn run_with_stop(
        &mut self,
        batch: &dyn AnyBatch,
        evaluator: Evaluator,
        stop: Stop<'_>,
    ) -> Result<(), SearchError> {
        let batch = own(self, batch)?;
        let state = |game| batch.state(game);
        match evaluator {
            Evaluator::Uniform(uniform) => Search::run_with_stop(self, state, &uniform, stop),
            Evaluator::Playouts(playouts) => Search::run_with_stop(self, state, &playouts, stop),
        }
    }

    fn require_searched(&self) -> Result<(), SearchError> {
        let missing = self.searches.iter().position(|search| search.root().is_none());
        missing.map_or(Ok(()), |game| Err(SearchError::NotSearched { game }))
    }

    fn root_actions(&self, game: usize, row: usize) -> Vec<ActionStats> {
        self.searches
            .get(game)
            .map_or_else(Vec::new, |search| search.root_actions(&self.shared, row))
    }

    fn visits(&self, game: usize) -> u32 {
        let search = self.searches.get(game).filter(|search| search.root().is_some());
        search.map_or(0, |search| search.tree().node(ROOT).visits)
    }

    fn values(&self, game: usize) -> [f32; MAX_PLAYERS] {
        self.searches.get(game).map_or([0.0; MAX_PLAYERS], GameSearch::values)
    }

    fn actions(&mut self, temperature: f32, out: &mut [i32]) -> Result<(), SearchError> {
        let rows = self.shared.spec.mask_rows();
        check_length("actions", self.searches.len() * rows, out.len())?;
        if !(0.0..=f32::MAX).contains(&temperature) {
            let (value, range) = (f64::from(temperature), (0.0, f64::from(f32::MAX)));
            return Err(SearchError::Option { what: "temperature", value, range });
        }
        self.require_searched()?;
        for (search, out) in self.searches.iter_mut().zip(out.chunks_exact_mut(rows)) {
            let actions = search.act(&self.shared, temperature).unwrap_or([Action(0); MAX_PLAYERS]);
            for (out, Action(action)) in out.iter_mut().zip(actions) {
                *out = action as i32;
            }
        }
        Ok(())
    }

    fn advance(&mut self, actions: &[i32]) -> Result<(), SearchError> {
        self.require_no_pending()?;
        let rows = self.shared.spec.mask_rows();
        check_length("actions", self.searches.len() * rows, actions.len())?;
        let ids: Vec<Action> = actions.iter().map(|&id| Action(id.cast_unsigned())).collect();
        for (game, (search, ids)) in self.searches.iter().zip(ids.chunks_exact(rows)).enumerate() {
            if let Some(row) = search.illegal(ids) {
                let action = i64::from(actions[game * rows + row]);
                return Err(SearchError::Illegal { game, action });
            }
        }
        let shared = &self.shared;
        self.pool.each(&mut self.searches, |game, search| {
            search.advance(shared, &ids[game * rows..][..rows]);
        });
        Ok(())
    }

    fn clear(&mut self) {
        self.searches.iter_mut().for_each(GameSearch::clear);
        self.firsts.fill(0);
    }

    fn line(&self, game: usize, longest: usize) -> Vec<String> {
        let Some(search) = self.searches.get(game) else { return Vec::new() };
        let Some(mut state) = search.root().cloned() else { return Vec::new() };
        let Shared { rules, spec, .. } = &self.shared;
        let mut texts = Vec::new();
        for actions in search.line(longest) {
            let actions = &actions[..spec.mask_rows()];
            let write = |(player, &action)| state.write_action(rules, player, action);
            let written: Vec<String> = actions.iter().enumerate().filter_map(write).collect();
            texts.push(written.join(" "));
            apply_to(rules, &mut state, actions);
        }
        texts
    }

    fn memory(&self) -> Memory {
        let empty = Tree::<Action, f32>::new(self.shared.spec.players, 1);
        let [node_bytes, edge_bytes, visited_edge_bytes] = empty.sizes();
        let mut memory = Memory { node_bytes, edge_bytes, visited_edge_bytes, ..Memory::default() };
        for search in &self.searches {
            let [nodes, edges, visited_edges] = search.tree().counts();
            memory.nodes += nodes;
            memory.edges += edges;
            memory.visited_edges += visited_edges;
            memory.bytes += search.tree().bytes() + search.state_bytes();
        }
        memory.used = memory.nodes * node_bytes
            + memory.edges * edge_bytes
            + memory.visited_edges * visited_edge_bytes;
        memory
    }
}

fn check_length(what: &'static str, expected: usize, found: usize) -> Result<(), SearchError> {
    match expected == found {
        true => Ok(()),
        false => Err(SearchError::Length { what, expected, found }),
    }
}
