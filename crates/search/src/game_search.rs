//! The search of a single game.

use fourfold_env::{
    Action, Describe, MAX_PLAYERS, Spec, Stage, Stop, Stream, apply_to, legal_and_status,
};

use fourfold_tree::{Chosen, Edge, NodeState, ROOT, Tree, first_best};

use crate::evaluate::Leaf;
use crate::gumbel::{self, Scale};
use crate::options::{Noise, Options};
use crate::random;
use crate::select::{Choice, puct};

/// What all games of a search share.
pub(crate) struct Shared<G: Describe> {
    pub(crate) rules: G::Rules,
    pub(crate) spec: Spec,
    pub(crate) options: Options,
}

/// An action of the root and its statistics.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ActionStats {
    /// The action.
    pub action: Action,
    /// The prior from the evaluator, including Dirichlet noise.
    pub prior: f32,
    /// The number of visits.
    pub visits: u32,
    /// The mean return of the acting player, or 0 if the action has not been tried.
    pub value: f32,
    /// The probability of the action in the improved policy.
    pub weight: f32,
}

pub(crate) struct GameSearch<G> {
    game: usize,
    tree: Tree<Action, f32>,
    /// The state at the root, once there has been a search.
    root: Option<G>,
    /// The states of the nodes, if they are stored.
    states: Vec<G>,
    /// The current simulation: its state, the legal actions there, and the nodes on its path.
    state: Option<G>,
    lists: Vec<u32>,
    path: Vec<u32>,
    /// The first `pending` leaves are awaiting evaluation; the others are kept for reuse.
    leaves: Vec<Leaf<G>>,
    pending: usize,
    /// The simulations run in the current search, and whether a search has started.
    simulations_done: u32,
    started: bool,
    /// Whether the root has been prepared for this search, and whether its priors include noise.
    prepared: bool,
    noised: bool,
    stream: Stream,
    /// For Gumbel search, by edge of the root: the noise, and the visits before this search. Then
    /// the visits that the next edge must have had, by row and simulation.
    root_edges: Vec<(f32, u32)>,
    schedule: Vec<u32>,
    scratch: Vec<f32>,
    /// The actions last chosen to be played.
    chosen: Option<[Action; MAX_PLAYERS]>,
}

impl<G: Describe> GameSearch<G> {
    pub(crate) fn new(shared: &Shared<G>, game: usize) -> GameSearch<G> {
        let spec = &shared.spec;
        GameSearch {
            game,
            tree: Tree::new(spec.players, spec.mask_rows()),
            root: None,
            states: Vec::new(),
            state: None,
            lists: vec![0; spec.mask_rows() * spec.list_len()],
            path: Vec::new(),
            leaves: Vec::new(),
            pending: 0,
            simulations_done: 0,
            started: false,
            prepared: false,
            noised: false,
            stream: Stream::new(shared.options.seed, game as u64),
            root_edges: Vec::new(),
            schedule: Vec::new(),
            scratch: Vec::new(),
            chosen: None,
        }
    }

    pub(crate) const fn tree(&self) -> &Tree<Action, f32> {
        &self.tree
    }

    pub(crate) const fn root(&self) -> Option<&G> {
        self.root.as_ref()
    }

    pub(crate) fn pending_leaves(&self) -> &[Leaf<G>] {
        &self.leaves[..self.pending]
    }

    pub(crate) fn pending_leaves_mut(&mut self) -> &mut [Leaf<G>] {
        &mut self.leaves[..self.pending]
    }

    /// Returns the memory taken by states and leaves, in bytes.
    pub(crate) fn state_bytes(&self) -> usize {
        self.states.capacity() * size_of::<G>() + self.leaves.capacity() * size_of::<Leaf<G>>()
    }

    /// Marks the search as finished, so that [`GameSearch::begin`] begins another one.
    pub(crate) const fn end(&mut self) {
        self.started = false;
    }

    /// Resets everything except the random stream.
    pub(crate) fn clear(&mut self) {
        self.tree.clear();
        self.states.clear();
        (self.root, self.chosen) = (None, None);
        (self.pending, self.started) = (0, false);
        (self.prepared, self.noised) = (false, false);
    }

    /// Makes `state` the root and begins a search there, unless one is in progress. The tree is
    /// reused if `state` is the old root or one of its children.
    pub(crate) fn begin(&mut self, shared: &Shared<G>, state: &G) {
        let same = self.root.as_ref() == Some(state);
        if same && self.started {
            return;
        }
        if !same {
            match self.child_with_state(shared, state) {
                Some(child) => self.descend_to(child, state),
                None => self.start(shared, state),
            }
        }
        let room = shared.options.most_nodes() - shared.options.simulations as usize;
        if self.tree.counts()[0] > room {
            self.start(shared, state);
        }
        (self.started, self.simulations_done, self.chosen) = (true, 0, None);
        if self.tree.node(ROOT).state == NodeState::Expanded {
            self.prepare(shared);
        }
    }

    /// Returns the child of the root that has this state, trying the actions chosen last first.
    fn child_with_state(&mut self, shared: &Shared<G>, state: &G) -> Option<usize> {
        let root = self.root.as_ref()?;
        let rows = shared.spec.mask_rows();
        let is_like = |actions: &[Action; MAX_PLAYERS]| {
            let mut next = *root;
            apply_to(&shared.rules, &mut next, &actions[..rows]);
            next == *state
        };
        if let Some(actions) = self.chosen
            && is_like(&actions)
        {
            return self.child_by(&actions[..rows]);
        }
        self.tree.children(ROOT).find(|&child| {
            is_like(&self.tree.actions(ROOT, self.tree.node(child).chosen, Action(0)))
        })
    }

    /// Returns the child of the root that these actions lead to.
    pub(crate) fn child_by(&self, actions: &[Action]) -> Option<usize> {
        self.tree.child(ROOT, self.edges_by(actions).ok()?)
    }

    /// Returns the edges of the root for these actions.
    ///
    /// # Errors
    /// Returns the row of the first action that has no edge.
    fn edges_by(&self, actions: &[Action]) -> Result<Chosen, usize> {
        let mut chosen = [0; MAX_PLAYERS];
        for (row, action) in actions.iter().enumerate() {
            let mut edges = self.tree.row(ROOT, row).edges.iter();
            chosen[row] = edges.position(|edge| edge.action == *action).ok_or(row)? as u16;
        }
        Ok(chosen)
    }

    /// Makes a child the root, and keeps its subtree.
    fn descend_to(&mut self, child: usize, state: &G) {
        let (tree, old) = self.tree.subtree(child);
        self.tree = tree;
        if !self.states.is_empty() {
            self.states = old.into_iter().map(|node| self.states[node]).collect();
        }
        self.reset_root(state);
    }

    fn reset_root(&mut self, state: &G) {
        copy(&mut self.root, state);
        self.chosen = None;
        (self.pending, self.started) = (0, false);
        (self.prepared, self.noised) = (false, false);
    }

    /// Starts a new tree that has only a root.
    fn start(&mut self, shared: &Shared<G>, state: &G) {
        self.tree.clear();
        self.states.clear();
        let (_, node_state) = evaluate_state(shared, state, &mut self.lists);
        self.tree.add_root(acting_player(&shared.spec, state), node_state);
        if shared.options.keep_states {
            self.states.push(*state);
        }
        self.reset_root(state);
    }

    /// Returns the row of the first action that is illegal at the root. Returns `None` if the legal
    /// actions there are not known.
    pub(crate) fn illegal(&self, actions: &[Action]) -> Option<usize> {
        self.is_expanded().then(|| self.edges_by(actions).err())?
    }

    /// Returns whether there is a root and its legal actions are known.
    fn is_expanded(&self) -> bool {
        self.root.is_some() && self.tree.node(ROOT).state == NodeState::Expanded
    }

    /// Moves the root to the state after these actions. Forgets everything if the legal actions of
    /// the root are not known.
    pub(crate) fn advance(&mut self, shared: &Shared<G>, actions: &[Action]) {
        let Some(root) = self.root.as_ref().filter(|_| self.is_expanded()) else {
            return self.clear();
        };
        let mut next = *root;
        apply_to(&shared.rules, &mut next, actions);
        match self.child_by(actions) {
            Some(child) => self.descend_to(child, &next),
            None => self.start(shared, &next),
        }
    }

    /// Prepares the root for a search: draws the noise, and makes the schedule of Gumbel search.
    fn prepare(&mut self, shared: &Shared<G>) {
        let rows = shared.spec.mask_rows();
        self.prepared = true;
        match shared.options.noise {
            Noise::None => {}
            Noise::Dirichlet { alpha, fraction } => {
                if std::mem::replace(&mut self.noised, true) {
                    return;
                }
                for row in 0..rows {
                    let edges = self.tree.edges_mut(ROOT, row);
                    self.scratch.clear();
                    self.scratch.resize(edges.len(), 0.0);
                    random::dirichlet(&mut self.stream, alpha, &mut self.scratch);
                    for (edge, share) in edges.iter_mut().zip(&self.scratch) {
                        edge.prior = (1.0 - fraction) * edge.prior + fraction * share;
                    }
                }
            }
            Noise::Gumbel { max_num_considered_actions, scale, .. } => {
                self.root_edges.clear();
                self.schedule.clear();
                for row in 0..rows {
                    let row = self.tree.row(ROOT, row);
                    let count = row.edges.len();
                    let stream = &mut self.stream;
                    let edge = |edge| (scale * random::gumbel(stream), row.stat(edge).visits);
                    self.root_edges.extend((0..count).map(edge));
                    let simulations = shared.options.simulations as usize;
                    let considered = max_num_considered_actions.min(count);
                    gumbel::schedule(considered, simulations, &mut self.schedule);
                }
            }
        }
    }

    /// Runs simulations until there are enough leaves, or until the search has run all simulations.
    pub(crate) fn collect_leaves(&mut self, shared: &Shared<G>, stop: Stop<'_>) {
        let options = &shared.options;
        let Some(root) = &self.root else { return };
        match self.tree.node(ROOT).state {
            NodeState::Terminal => return,
            NodeState::Unexpanded => {
                if self.pending == 0 {
                    self.path.clear();
                    self.path.push(ROOT as u32);
                    copy(&mut self.state, root);
                    evaluate_state(shared, root, &mut self.lists);
                    self.push_leaf(shared);
                }
                return;
            }
            NodeState::Expanded => {}
        }
        while self.pending < options.leaves_per_game
            && self.simulations_done < options.simulations
            && !stop()
            && self.simulate(shared)
        {
            self.simulations_done += 1;
        }
    }

    /// Runs one simulation. Returns false if it ran into a leaf that is already awaiting
    /// evaluation.
    fn simulate(&mut self, shared: &Shared<G>) -> bool {
        let (rules, rows) = (&shared.rules, shared.spec.mask_rows());
        let kept = shared.options.keep_states;
        let Some(root) = &self.root else { return false };
        if !kept {
            copy(&mut self.state, root);
        }
        self.path.clear();
        self.path.push(ROOT as u32);
        let mut node = ROOT;
        loop {
            match self.tree.node(node).state {
                NodeState::Unexpanded => return false,
                NodeState::Terminal => {
                    self.back_up([0.0; MAX_PLAYERS], shared);
                    return true;
                }
                NodeState::Expanded => {}
            }
            let chosen = self.choose(shared, node);
            let actions = self.tree.actions(node, chosen, Action(0));
            if let Some(child) = self.tree.child(node, chosen) {
                if !kept && let Some(state) = &mut self.state {
                    apply_to(rules, state, &actions[..rows]);
                }
                self.path.push(child as u32);
                node = child;
                continue;
            }
            if kept {
                copy(&mut self.state, &self.states[node]);
            }
            let Some(state) = &mut self.state else { return false };
            apply_to(rules, state, &actions[..rows]);
            let (rewards, node_state) = evaluate_state(shared, state, &mut self.lists);
            let about = (acting_player(&shared.spec, state), node_state);
            if kept {
                self.states.push(*state);
            }
            let child = self.tree.add_child(node, chosen, about, &rewards);
            self.path.push(child as u32);
            if node_state == NodeState::Terminal {
                self.back_up([0.0; MAX_PLAYERS], shared);
            } else {
                self.push_leaf(shared);
            }
            return true;
        }
    }

    /// Selects the edges to follow from a node.
    #[inline]
    fn choose(&mut self, shared: &Shared<G>, node: usize) -> Chosen {
        let mut chosen = [0; MAX_PLAYERS];
        let (options, rows) = (&shared.options, shared.spec.mask_rows());
        let mut first = 0;
        for (row, chosen) in chosen[..rows].iter_mut().enumerate() {
            let choice = choice(&self.tree, node, row, rows);
            let edge = match scale(&options.noise) {
                None => puct(options, choice),
                Some(scale) if node != ROOT => {
                    gumbel::select_interior(scale, choice, &mut self.scratch)
                }
                Some(scale) => {
                    let count = choice.row.edges.len();
                    let root_edges = &self.root_edges[first..first + count];
                    let due = row * options.simulations as usize + self.simulations_done as usize;
                    let due = self.schedule[due];
                    first += count;
                    let scratch = &mut self.scratch;
                    gumbel::select_root(scale, choice, root_edges, due, scratch)
                }
            };
            *chosen = edge as u16;
        }
        chosen
    }

    /// Adds the end of the current simulation to the leaves awaiting evaluation.
    fn push_leaf(&mut self, shared: &Shared<G>) {
        let Some(state) = &self.state else { return };
        if self.pending == self.leaves.len() {
            self.leaves.push(Leaf::new(self.game, *state));
        }
        let leaf = &mut self.leaves[self.pending];
        leaf.state.clone_from(state);
        leaf.lists.clear();
        for list in self.lists.chunks_exact(shared.spec.list_len()) {
            leaf.lists.extend_from_slice(&list[..1 + list[0] as usize]);
        }
        leaf.logits.clear();
        leaf.logits.resize(leaf.lists.len() - shared.spec.mask_rows(), 0.0);
        leaf.values = [0.0; MAX_PLAYERS];
        leaf.random = self.stream.next();
        leaf.path.clone_from(&self.path);
        self.pending += 1;
        self.count_pending(true);
    }

    /// Adds or removes a simulation in flight along the current path.
    fn count_pending(&mut self, more: bool) {
        let mut parent = None;
        for &node in &self.path {
            self.tree.count_pending(node as usize, parent, more);
            parent = Some(node as usize);
        }
    }

    /// Returns the index of the first leaf with an invalid evaluation, and whether its logits or
    /// its values are invalid. Logits may be negative infinity, but not all logits of a row.
    pub(crate) fn check(&mut self) -> Option<(usize, &'static str)> {
        self.pending_leaves_mut().iter_mut().enumerate().find_map(|(index, leaf)| {
            let is_logit = |logit: &f32| logit.is_finite() || *logit == f32::NEG_INFINITY;
            let are_logits = |logits: &[f32]| {
                logits.iter().all(is_logit) && logits.iter().any(|logit| logit.is_finite())
            };
            if !leaf.rows().all(|(_, logits)| are_logits(logits)) {
                return Some((index, "logits"));
            }
            (!leaf.values.iter().all(|value| value.is_finite())).then_some((index, "values"))
        })
    }

    /// Expands all leaves awaiting evaluation and backs up their values.
    pub(crate) fn expand_and_back_up(&mut self, shared: &Shared<G>) {
        for index in 0..self.pending {
            let leaf = &mut self.leaves[index];
            for (_, logits) in leaf.rows() {
                random::softmax(logits);
            }
            std::mem::swap(&mut self.path, &mut leaf.path);
            let returns = leaf.values.map(f64::from);
            let node = self.path.last().map_or(ROOT, |&node| node as usize);
            self.tree.expand(
                node,
                leaf.rows().map(|(actions, priors)| {
                    let edges = actions.iter().zip(priors);
                    edges.map(|(&action, prior)| Edge { action: Action(action), prior: *prior })
                }),
            );
            self.count_pending(false);
            self.back_up(returns, shared);
            if node == ROOT {
                self.prepare(shared);
            }
        }
        self.pending = 0;
    }

    /// Backs up the returns at the end of the current path along the path.
    fn back_up(&mut self, mut returns: [f64; MAX_PLAYERS], shared: &Shared<G>) {
        let discount = f64::from(shared.options.discount);
        for index in (0..self.path.len()).rev() {
            let node = self.path[index] as usize;
            self.tree.add_visit(node, &returns);
            if index > 0 {
                self.tree.add_rewards(node, &mut returns, discount);
                let (parent, chosen) = (self.path[index - 1], self.tree.node(node).chosen);
                self.tree.add_edge_visit(parent as usize, chosen, &returns);
            }
        }
    }

    /// Returns the actions of one row of the root, with their statistics.
    pub(crate) fn root_actions(&self, shared: &Shared<G>, row: usize) -> Vec<ActionStats> {
        if self.root.is_none() {
            return Vec::new();
        }
        let choice = choice(&self.tree, ROOT, row, shared.spec.mask_rows());
        let mut weights = Vec::new();
        match scale(&shared.options.noise) {
            Some(scale) => {
                gumbel::improved_logits(scale, choice, &mut weights);
                random::softmax(&mut weights);
            }
            None => {
                let visits: u32 = choice.row.stats.iter().map(|stat| stat.visits).sum();
                let edges = choice.row.edges.iter().enumerate();
                weights.extend(edges.map(|(index, edge)| match visits {
                    0 => edge.prior,
                    all => choice.row.stat(index).visits as f32 / all as f32,
                }));
            }
        }
        let edges = choice.row.edges.iter().enumerate().zip(weights);
        let stats = |((index, edge), weight): ((usize, &Edge<Action, f32>), f32)| {
            let stat = choice.row.stat(index);
            let value = stat.value / f64::from(stat.visits.max(1));
            let (action, prior, visits) = (edge.action, edge.prior, stat.visits);
            ActionStats { action, prior, visits, value: value as f32, weight }
        };
        edges.map(stats).collect()
    }

    /// Returns the mean return of each player from the root on.
    pub(crate) fn values(&self) -> [f32; MAX_PLAYERS] {
        let mut means = [0.0; MAX_PLAYERS];
        if self.root.is_some() {
            let visits = f64::from(self.tree.node(ROOT).visits.max(1));
            for (mean, sum) in means.iter_mut().zip(self.tree.values(ROOT)) {
                *mean = (sum / visits) as f32;
            }
        }
        means
    }

    /// Chooses the actions to play and remembers them. Returns `None` if the game is over or the
    /// root has not been evaluated.
    pub(crate) fn act(
        &mut self,
        shared: &Shared<G>,
        temperature: f32,
    ) -> Option<[Action; MAX_PLAYERS]> {
        let rows = shared.spec.mask_rows();
        if !self.is_expanded() {
            return None;
        }
        if !self.prepared {
            self.prepare(shared);
        }
        let mut actions = [Action(0); MAX_PLAYERS];
        let mut first = 0;
        for (row, action) in actions[..rows].iter_mut().enumerate() {
            let choice = choice(&self.tree, ROOT, row, rows);
            let edges = choice.row.edges;
            let edge = match scale(&shared.options.noise) {
                Some(scale) => {
                    let root_edges = &self.root_edges[first..first + edges.len()];
                    gumbel::best_action(scale, choice, root_edges, &mut self.scratch)
                }
                None if choice.row.stats.is_empty() => {
                    first_best(edges.iter().map(|edge| f64::from(edge.prior)))
                }
                None => by_visits(choice, temperature, &mut self.stream),
            };
            first += edges.len();
            *action = edges[edge].action;
        }
        self.chosen = Some(actions);
        Some(actions)
    }

    /// Returns the most visited line from the root on.
    pub(crate) fn line(&self, longest: usize) -> Vec<[Action; MAX_PLAYERS]> {
        let mut line = Vec::new();
        let mut node = ROOT;
        while self.root.is_some() && line.len() < longest {
            let children = self.tree.children(node);
            let visits = |child: usize| self.tree.node(child).visits;
            // The first one wins a tie.
            let most = children.reduce(|best, child| match visits(child) > visits(best) {
                true => child,
                false => best,
            });
            let Some(child) = most.filter(|&child| visits(child) > 0) else { break };
            line.push(self.tree.actions(node, self.tree.node(child).chosen, Action(0)));
            node = child;
        }
        line
    }
}

/// Computes the legal actions of a state, the rewards for reaching it, and whether the game is
/// over.
#[inline]
fn evaluate_state<G: Describe>(
    shared: &Shared<G>,
    state: &G,
    lists: &mut [u32],
) -> ([f32; MAX_PLAYERS], NodeState) {
    let status = legal_and_status(&shared.rules, &shared.spec, state, lists);
    let stuck = lists.chunks_exact(shared.spec.list_len()).any(|list| list[0] == 0);
    let over = status.stage != Stage::Ongoing || stuck;
    (status.rewards, if over { NodeState::Terminal } else { NodeState::Unexpanded })
}

#[inline]
fn choice(tree: &Tree<Action, f32>, node: usize, row: usize, rows: usize) -> Choice<'_> {
    let about = tree.node(node);
    let player = if rows == 1 { usize::from(about.player) } else { row };
    let mean = tree.values(node)[player] / f64::from(about.visits.max(1));
    Choice { row: tree.row(node, row), visits: about.visits + about.pending, mean }
}

/// Chooses an edge by its visits. At temperature 0 this is the most visited edge, with ties broken
/// by value; otherwise the edge is sampled.
fn by_visits(choice: Choice<'_>, temperature: f32, stream: &mut Stream) -> usize {
    let stats = choice.row.stats;
    let most = stats.iter().map(|stat| stat.visits).max().unwrap_or(0);
    if temperature <= 0.0 {
        return first_best(stats.iter().map(|stat| match stat.visits == most {
            true => stat.value / f64::from(most.max(1)),
            false => f64::NEG_INFINITY,
        }));
    }
    // Divide by the largest count, so that the power cannot overflow.
    let power = 1.0 / f64::from(temperature);
    let share = |visits: u32| f64::from(visits) / f64::from(most.max(1));
    random::pick(stream, stats.iter().map(|stat| share(stat.visits).powf(power)))
}

fn scale(noise: &Noise) -> Option<Scale> {
    match *noise {
        Noise::Gumbel { maxvisit_init, value_scale, .. } => {
            Some(Scale { maxvisit_init, value_scale })
        }
        Noise::None | Noise::Dirichlet { .. } => None,
    }
}

fn acting_player<G: Describe>(spec: &Spec, state: &G) -> u8 {
    if spec.simultaneous { 0 } else { state.acting().only().unwrap_or(0) as u8 }
}

/// Clones `from` into `to`, reusing its allocations if possible.
fn copy<G: Clone>(to: &mut Option<G>, from: &G) {
    match to {
        Some(to) => to.clone_from(from),
        None => *to = Some(from.clone()),
    }
}
