//! Search trees for PUCT, for any game: nodes and edges in flat arrays, addressed by index, with a
//! value for each player.
//!
//! A node has one row of edges for each player who acts there: a single row if players take turns,
//! or one per player if all act simultaneously. An edge is an action with its prior. Its statistics
//! are stored separately and allocated when the first child is added, because most nodes are
//! visited only once.

/// The largest number of players in a game.
pub const MAX_PLAYERS: usize = 4;
/// The index of the root.
pub const ROOT: usize = 0;
/// The absent index.
const NONE: u32 = u32::MAX;

/// For each row, the index of an edge of that row. In games in which players take turns, only the
/// first one is used.
pub type Chosen = [u16; MAX_PLAYERS];

/// The state of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeState {
    /// It has not been evaluated yet.
    Unexpanded,
    /// It has been evaluated and has edges.
    Expanded,
    /// The game is over.
    Terminal,
}

/// A position in the tree.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// The number of simulations that have passed through it, or ended there.
    pub visits: u32,
    /// The number of simulations in flight through it.
    pub pending: u32,
    /// The index of its first edge.
    edges: u32,
    /// The index of the statistics of its first edge.
    stats: u32,
    /// The next child of the same parent that is reached by the same edge of the first row.
    next: u32,
    /// The number of edges of each row.
    counts: [u16; MAX_PLAYERS],
    /// The edge of each row of the parent that leads here.
    pub chosen: Chosen,
    /// The acting player if players take turns.
    pub player: u8,
    /// Its state.
    pub state: NodeState,
}

/// An action of a player.
#[derive(Clone, Copy, Debug)]
pub struct Edge<A, P> {
    /// The action.
    pub action: A,
    /// The prior probability.
    pub prior: P,
}

/// The statistics of an edge.
#[derive(Clone, Copy, Debug)]
pub struct Stat {
    /// The sum of the returns of the acting player over all visits.
    pub value: f64,
    /// The number of visits.
    pub visits: u32,
    /// The number of simulations in flight through it.
    pub pending: u32,
    /// The first child reached by this edge. Used only in the first row.
    child: u32,
}

impl Stat {
    const UNVISITED: Stat = Stat { value: 0.0, visits: 0, pending: 0, child: NONE };
}

/// The edges of one row of a node, with their statistics.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a, A, P> {
    /// The edges.
    pub edges: &'a [Edge<A, P>],
    /// Has the length of `edges`, or is empty if no edge of the node has been visited yet.
    pub stats: &'a [Stat],
}

impl<A, P> Row<'_, A, P> {
    /// Returns the statistics of an edge.
    pub fn stat(&self, edge: usize) -> Stat {
        self.stats.get(edge).copied().unwrap_or(Stat::UNVISITED)
    }
}

impl<A, P: Copy + Into<f64>> Row<'_, A, P> {
    /// Returns the edge with the highest PUCT score, or the first of several: the mean value of the
    /// edge plus `exploration` times its prior, divided by its visits. Edges that have not been
    /// visited have the value `unvisited`, and the value is reduced by `virtual_loss` times the
    /// fraction of visits that are still in flight.
    #[inline]
    pub fn select(&self, exploration: f64, unvisited: f64, virtual_loss: f64) -> usize {
        let prior = |edge: &Edge<A, P>| -> f64 { edge.prior.into() };
        if self.stats.is_empty() {
            let score = |edge: &Edge<A, P>| unvisited + exploration * prior(edge);
            return first_best(self.edges.iter().map(score));
        }
        first_best(self.edges.iter().zip(self.stats).map(|(edge, stat)| {
            let visits = f64::from(stat.visits + stat.pending);
            let mut value =
                if stat.visits == 0 { unvisited } else { stat.value / f64::from(stat.visits) };
            if stat.pending > 0 {
                value -= virtual_loss * f64::from(stat.pending) / visits;
            }
            value + exploration * prior(edge) / (1.0 + visits)
        }))
    }
}

/// Returns the index of the largest score, or the first of several.
#[inline]
pub fn first_best(scores: impl Iterator<Item = f64>) -> usize {
    let mut best = (0, f64::NEG_INFINITY);
    for (index, score) in scores.enumerate() {
        if score > best.1 {
            best = (index, score);
        }
    }
    best.0
}

/// A search tree with actions of type `A` and priors of type `P`.
#[derive(Clone, Debug)]
pub struct Tree<A, P> {
    players: usize,
    rows: usize,
    nodes: Vec<Node>,
    /// For each node, the sums of the returns of each player from there on.
    values: Vec<f64>,
    /// For each node, the rewards of each player for the step from its parent.
    rewards: Vec<f32>,
    edges: Vec<Edge<A, P>>,
    stats: Vec<Stat>,
}

impl<A: Copy, P: Copy> Tree<A, P> {
    /// Creates an empty tree for a number of players. With several rows, all players act
    /// simultaneously.
    pub fn new(players: usize, rows: usize) -> Tree<A, P> {
        Tree {
            players,
            rows,
            nodes: Vec::new(),
            values: Vec::new(),
            rewards: Vec::new(),
            edges: Vec::new(),
            stats: Vec::new(),
        }
    }

    /// Removes all nodes, but keeps the memory.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.values.clear();
        self.rewards.clear();
        self.edges.clear();
        self.stats.clear();
    }

    /// Returns the size of a node, of an edge, and of the statistics of an edge, in bytes.
    pub const fn sizes(&self) -> [usize; 3] {
        let node = size_of::<Node>() + self.players * (size_of::<f64>() + size_of::<f32>());
        [node, size_of::<Edge<A, P>>(), size_of::<Stat>()]
    }

    /// Returns the number of nodes, of edges, and of edges with statistics.
    pub fn counts(&self) -> [usize; 3] {
        [self.nodes.len(), self.edges.len(), self.stats.len()]
    }

    /// Returns the allocated memory in bytes.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.values.capacity() * size_of::<f64>()
            + self.rewards.capacity() * size_of::<f32>()
            + self.edges.capacity() * size_of::<Edge<A, P>>()
            + self.stats.capacity() * size_of::<Stat>()
    }

    /// Returns a node.
    pub fn node(&self, node: usize) -> &Node {
        &self.nodes[node]
    }

    /// Adds the root to an empty tree.
    pub fn add_root(&mut self, player: u8, state: NodeState) {
        self.push(player, state, [0; MAX_PLAYERS], &[0.0; MAX_PLAYERS]);
    }

    fn push(&mut self, player: u8, state: NodeState, chosen: Chosen, rewards: &[f32]) -> usize {
        let counts = [0; MAX_PLAYERS];
        let (edges, stats, next) = (NONE, NONE, NONE);
        let node =
            Node { visits: 0, pending: 0, edges, stats, next, counts, chosen, player, state };
        self.nodes.push(node);
        self.values.extend_from_slice(&[0.0; MAX_PLAYERS][..self.players]);
        self.rewards.extend_from_slice(&rewards[..self.players]);
        self.nodes.len() - 1
    }

    /// Adds the child that these edges lead to, which must not exist yet. The rewards are those for
    /// the step from its parent.
    pub fn add_child(
        &mut self,
        parent: usize,
        chosen: Chosen,
        (player, state): (u8, NodeState),
        rewards: &[f32; MAX_PLAYERS],
    ) -> usize {
        self.allocate_stats(parent);
        let child = self.push(player, state, chosen, rewards);
        self.link(parent, child);
        child
    }

    /// Puts a child at the front of the list of the edge that leads to it.
    fn link(&mut self, parent: usize, child: usize) {
        let first = self.nodes[parent].stats as usize + usize::from(self.nodes[child].chosen[0]);
        self.nodes[child].next = self.stats[first].child;
        self.stats[first].child = child as u32;
    }

    /// Allocates the statistics of a node's edges if there are none yet.
    fn allocate_stats(&mut self, node: usize) {
        if self.nodes[node].stats == NONE {
            self.nodes[node].stats = self.stats.len() as u32;
            let count = self.offset(node, self.rows);
            self.stats.resize(self.stats.len() + count, Stat::UNVISITED);
        }
    }

    /// Returns the child that these edges lead to.
    pub fn child(&self, parent: usize, chosen: Chosen) -> Option<usize> {
        self.children_by(parent, chosen[0]).find(|&child| self.nodes[child].chosen == chosen)
    }

    /// Iterates over all children, in the order of the edges of the first row.
    pub fn children(&self, parent: usize) -> impl Iterator<Item = usize> {
        (0..self.nodes[parent].counts[0]).flat_map(move |edge| self.children_by(parent, edge))
    }

    /// Iterates over the children reached by an edge of the first row.
    fn children_by(&self, parent: usize, edge: u16) -> impl Iterator<Item = usize> {
        let first = match self.nodes[parent].stats {
            NONE => NONE,
            stats => self.stats[stats as usize + usize::from(edge)].child,
        };
        let some = |child: u32| (child != NONE).then_some(child as usize);
        std::iter::successors(some(first), move |&child| some(self.nodes[child].next))
    }

    /// Adds the edges of a node, row by row.
    pub fn expand<R>(&mut self, node: usize, rows: impl IntoIterator<Item = R>)
    where
        R: IntoIterator<Item = Edge<A, P>>,
    {
        self.nodes[node].edges = self.edges.len() as u32;
        for (row, edges) in rows.into_iter().enumerate() {
            let before = self.edges.len();
            self.edges.extend(edges);
            self.nodes[node].counts[row] = (self.edges.len() - before) as u16;
        }
        self.nodes[node].state = NodeState::Expanded;
    }

    /// Returns the index of a row's first edge among the edges of the node.
    fn offset(&self, node: usize, row: usize) -> usize {
        self.nodes[node].counts[..row].iter().map(|&count| usize::from(count)).sum()
    }

    /// Returns a row of a node's edges.
    #[inline]
    pub fn row(&self, node: usize, row: usize) -> Row<'_, A, P> {
        let from = self.offset(node, row);
        let Node { edges, stats, counts, state, .. } = self.nodes[node];
        if state != NodeState::Expanded {
            return Row { edges: &[], stats: &[] };
        }
        let count = usize::from(counts[row]);
        let stats = match stats {
            NONE => &[],
            stats => &self.stats[stats as usize + from..][..count],
        };
        Row { edges: &self.edges[edges as usize + from..][..count], stats }
    }

    /// Returns the edges of a row for changing their priors.
    pub fn edges_mut(&mut self, node: usize, row: usize) -> &mut [Edge<A, P>] {
        let from = self.nodes[node].edges as usize + self.offset(node, row);
        let count = usize::from(self.nodes[node].counts[row]);
        &mut self.edges[from..from + count]
    }

    /// Returns the sums of the players' returns from a node on.
    #[inline]
    pub fn values(&self, node: usize) -> &[f64] {
        &self.values[node * self.players..][..self.players]
    }

    /// Adds or removes a simulation in flight at a node and at the edges that lead to it.
    pub fn count_pending(&mut self, node: usize, parent: Option<usize>, more: bool) {
        let change = |pending: &mut u32| *pending = if more { *pending + 1 } else { *pending - 1 };
        change(&mut self.nodes[node].pending);
        if let Some(parent) = parent {
            self.each_stat(parent, self.nodes[node].chosen, |stat, _| change(&mut stat.pending));
        }
    }

    /// Calls `visit` with the statistics and the row of each of these edges of a node.
    #[inline]
    fn each_stat(&mut self, node: usize, chosen: Chosen, mut visit: impl FnMut(&mut Stat, usize)) {
        let mut start = self.nodes[node].stats as usize;
        for (row, &edge) in chosen[..self.rows].iter().enumerate() {
            visit(&mut self.stats[start + usize::from(edge)], row);
            start += usize::from(self.nodes[node].counts[row]);
        }
    }

    /// Adds a visit with these returns to a node.
    #[inline]
    pub fn add_visit(&mut self, node: usize, returns: &[f64; MAX_PLAYERS]) {
        self.nodes[node].visits += 1;
        let values = &mut self.values[node * self.players..][..self.players];
        values.iter_mut().zip(returns).for_each(|(sum, value)| *sum += value);
    }

    /// Adds a visit with these returns to edges of a node.
    #[inline]
    pub fn add_edge_visit(&mut self, node: usize, chosen: Chosen, returns: &[f64; MAX_PLAYERS]) {
        self.allocate_stats(node);
        let (alone, player) = (self.rows == 1, usize::from(self.nodes[node].player));
        self.each_stat(node, chosen, |stat, row| {
            stat.visits += 1;
            stat.value += returns[if alone { player } else { row }];
        });
    }

    /// Turns the returns from a node on into the returns from its parent on.
    #[inline]
    pub fn add_rewards(&self, node: usize, returns: &mut [f64; MAX_PLAYERS], discount: f64) {
        let rewards = &self.rewards[node * self.players..][..self.players];
        for (value, &reward) in returns.iter_mut().zip(rewards) {
            *value = f64::from(reward) + discount * *value;
        }
    }

    /// Copies the subtree of a node into a new tree. Also returns the old indices of its nodes.
    pub fn subtree(&self, root: usize) -> (Tree<A, P>, Vec<usize>) {
        let mut kept = Tree::new(self.players, self.rows);
        // Reserve as much memory as before, so that the next search does not allocate.
        kept.nodes.reserve(self.nodes.capacity());
        kept.values.reserve(self.values.capacity());
        kept.rewards.reserve(self.rewards.capacity());
        kept.edges.reserve(self.edges.capacity());
        kept.stats.reserve(self.stats.capacity());
        // The old indices of the nodes copied so far, parents before children.
        let mut old = vec![root];
        kept.copy_node(self, root);
        let mut next = 0;
        while next < old.len() {
            // In reverse, because each child is inserted at the front of its list.
            let children: Vec<usize> = self.children(old[next]).collect();
            for &child in children.iter().rev() {
                let copy = kept.copy_node(self, child);
                kept.link(next, copy);
                old.push(child);
            }
            next += 1;
        }
        kept.nodes[ROOT].chosen = [0; MAX_PLAYERS];
        (kept, old)
    }

    /// Copies a node and its edges, but not its children.
    fn copy_node(&mut self, from: &Tree<A, P>, node: usize) -> usize {
        let (players, count) = (self.players, from.offset(node, from.rows));
        let mut copy = Node { next: NONE, ..from.nodes[node] };
        if copy.edges != NONE {
            let edges = &from.edges[copy.edges as usize..][..count];
            copy.edges = self.edges.len() as u32;
            self.edges.extend_from_slice(edges);
        }
        if copy.stats != NONE {
            let stats = &from.stats[copy.stats as usize..][..count];
            copy.stats = self.stats.len() as u32;
            self.stats.extend(stats.iter().map(|stat| Stat { child: NONE, ..*stat }));
        }
        self.nodes.push(copy);
        self.values.extend_from_slice(&from.values[node * players..][..players]);
        self.rewards.extend_from_slice(&from.rewards[node * players..][..players]);
        self.nodes.len() - 1
    }

    /// Returns the actions of these edges, by row. The other elements are `none`.
    pub fn actions(&self, node: usize, chosen: Chosen, none: A) -> [A; MAX_PLAYERS] {
        let action = |row| self.row(node, row).edges[usize::from(chosen[row])].action;
        std::array::from_fn(|row| if row < self.rows { action(row) } else { none })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subtree_keeps_its_statistics() {
        let mut tree: Tree<char, f64> = Tree::new(2, 1);
        let edges = |actions: [char; 2]| [actions.map(|action| Edge { action, prior: 0.5 })];
        tree.add_root(0, NodeState::Unexpanded);
        tree.expand(ROOT, edges(['a', 'b']));
        let chosen = [1, 0, 0, 0];
        let child = tree.add_child(ROOT, chosen, (1, NodeState::Unexpanded), &[0.5; MAX_PLAYERS]);
        tree.expand(child, edges(['c', 'd']));
        let mut returns = [1.0, -1.0, 0.0, 0.0];
        tree.add_visit(child, &returns);
        tree.add_edge_visit(child, [0; MAX_PLAYERS], &returns);
        tree.add_rewards(child, &mut returns, 0.5);
        tree.add_visit(ROOT, &returns);
        tree.add_edge_visit(ROOT, chosen, &returns);
        // Each edge counts the returns of the player who acts.
        assert_eq!(
            (tree.row(ROOT, 0).stat(1).value, tree.row(child, 0).stat(0).value),
            (1.0, -1.0)
        );
        assert_eq!(tree.child(ROOT, chosen), Some(child));
        let (kept, old) = tree.subtree(child);
        assert_eq!((kept.counts(), old), ([1, 2, 2], vec![child]));
        assert_eq!((kept.node(ROOT).visits, kept.values(ROOT)), (1, &[1.0, -1.0][..]));
        assert_eq!(kept.actions(ROOT, [1, 0, 0, 0], '-'), ['d', '-', '-', '-']);
    }

    #[test]
    fn select_returns_the_first_highest_score() {
        let edges = [0.2_f32, 0.4, 0.4].map(|prior| Edge { action: (), prior });
        let row = Row { edges: &edges, stats: &[] };
        assert_eq!(row.select(1.0, 0.0, 0.0), 1);
        let stat = |value, visits, pending| Stat { value, visits, pending, child: NONE };
        let stats = [stat(0.0, 0, 0), stat(2.0, 2, 0), stat(2.0, 2, 0)];
        assert_eq!(Row { edges: &edges, stats: &stats }.select(1.0, 0.0, 1.0), 1);
        // A simulation in flight makes an edge less attractive.
        let stats = [stat(0.0, 0, 0), stat(2.0, 2, 1), stat(2.0, 2, 0)];
        assert_eq!(Row { edges: &edges, stats: &stats }.select(1.0, 0.0, 1.0), 2);
    }
}
