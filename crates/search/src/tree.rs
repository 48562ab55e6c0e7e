//! Search trees in flat arrays, with nodes and edges addressed by index.
//!
//! A node has one row of edges for each player who acts there: a single row if players take turns,
//! or one per player if all act simultaneously. An edge is an action with its prior. Its statistics
//! are stored separately and allocated when the first child is added, because most nodes are
//! visited only once.

use fourfold_env::{Action, MAX_PLAYERS};

/// The absent index.
pub(crate) const NONE: u32 = u32::MAX;
/// The index of the root.
pub(crate) const ROOT: usize = 0;

/// The state of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// It has not been evaluated yet.
    Fresh,
    /// It has been evaluated and has edges.
    Open,
    /// The game is over.
    Over,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) visits: u32,
    /// The number of simulations in flight through it.
    pub(crate) pending: u32,
    /// The index of its first edge.
    edges: u32,
    /// The index of the statistics of its first edge.
    stats: u32,
    /// The next child of the same parent that is reached by the same edge of the first row.
    next: u32,
    /// The number of edges of each row.
    counts: [u16; MAX_PLAYERS],
    /// The edge of each row of the parent that leads here.
    pub(crate) chosen: [u16; MAX_PLAYERS],
    /// The acting player if players take turns.
    pub(crate) seat: u8,
    pub(crate) kind: Kind,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) action: u32,
    pub(crate) prior: f32,
}

/// The statistics of an edge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stat {
    /// The sum of the returns of the acting player over all visits.
    pub(crate) value: f64,
    pub(crate) visits: u32,
    /// The number of simulations in flight through it.
    pub(crate) pending: u32,
    /// The first child reached by this edge. Used only in the first row.
    child: u32,
}

impl Stat {
    const UNSEEN: Stat = Stat { value: 0.0, visits: 0, pending: 0, child: NONE };
}

/// The edges of one row of a node, with their statistics.
#[derive(Clone, Copy)]
pub(crate) struct Row<'a> {
    pub(crate) edges: &'a [Edge],
    /// Has the length of `edges`, or is empty if the node has no children yet.
    pub(crate) stats: &'a [Stat],
}

impl Row<'_> {
    pub(crate) fn stat(&self, edge: usize) -> Stat {
        self.stats.get(edge).copied().unwrap_or(Stat::UNSEEN)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Tree {
    players: usize,
    rows: usize,
    nodes: Vec<Node>,
    /// For each node, the sums of the returns of each player from there on.
    values: Vec<f64>,
    /// For each node, the rewards of each player for the step from its parent.
    rewards: Vec<f32>,
    edges: Vec<Edge>,
    stats: Vec<Stat>,
}

/// Returns the size of a node, of an edge, and of the statistics of an edge, in bytes.
pub(crate) const fn sizes(players: usize) -> [usize; 3] {
    let node = size_of::<Node>() + players * (size_of::<f64>() + size_of::<f32>());
    [node, size_of::<Edge>(), size_of::<Stat>()]
}

impl Tree {
    pub(crate) fn new(players: usize, rows: usize) -> Tree {
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

    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.values.clear();
        self.rewards.clear();
        self.edges.clear();
        self.stats.clear();
    }

    /// Returns the number of nodes, of edges, and of edges with statistics.
    pub(crate) fn counts(&self) -> [usize; 3] {
        [self.nodes.len(), self.edges.len(), self.stats.len()]
    }

    /// Returns the allocated memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.values.capacity() * size_of::<f64>()
            + self.rewards.capacity() * size_of::<f32>()
            + self.edges.capacity() * size_of::<Edge>()
            + self.stats.capacity() * size_of::<Stat>()
    }

    pub(crate) fn node(&self, node: usize) -> &Node {
        &self.nodes[node]
    }

    /// Adds the root to an empty tree.
    pub(crate) fn add_root(&mut self, seat: u8, kind: Kind) {
        self.push(seat, kind, [0; MAX_PLAYERS], &[0.0; MAX_PLAYERS]);
    }

    fn push(
        &mut self,
        seat: u8,
        kind: Kind,
        chosen: [u16; MAX_PLAYERS],
        rewards: &[f32; MAX_PLAYERS],
    ) -> usize {
        let counts = [0; MAX_PLAYERS];
        let (visits, pending) = (0, 0);
        let (edges, stats, next) = (NONE, NONE, NONE);
        self.nodes.push(Node { visits, pending, edges, stats, next, counts, chosen, seat, kind });
        self.values.extend_from_slice(&[0.0; MAX_PLAYERS][..self.players]);
        self.rewards.extend_from_slice(&rewards[..self.players]);
        self.nodes.len() - 1
    }

    /// Adds the child that these edges lead to, which must not exist yet.
    pub(crate) fn add_child(
        &mut self,
        parent: usize,
        chosen: [u16; MAX_PLAYERS],
        (seat, kind): (u8, Kind),
        rewards: &[f32; MAX_PLAYERS],
    ) -> usize {
        self.see(parent);
        let child = self.push(seat, kind, chosen, rewards);
        let first = self.nodes[parent].stats as usize + usize::from(chosen[0]);
        self.nodes[child].next = self.stats[first].child;
        self.stats[first].child = child as u32;
        child
    }

    /// Allocates the statistics of a node's edges if there are none yet.
    fn see(&mut self, node: usize) {
        if self.nodes[node].stats == NONE {
            self.nodes[node].stats = self.stats.len() as u32;
            let count = self.edge_count(node);
            self.stats.resize(self.stats.len() + count, Stat::UNSEEN);
        }
    }

    /// Returns the child that these edges lead to.
    pub(crate) fn child(&self, parent: usize, chosen: [u16; MAX_PLAYERS]) -> Option<usize> {
        self.children_by(parent, chosen[0]).find(|&child| self.nodes[child].chosen == chosen)
    }

    /// Iterates over all children, in the order of the edges of the first row.
    pub(crate) fn children(&self, parent: usize) -> impl Iterator<Item = usize> {
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

    /// Adds the edges of a node. In `lists`, each row is a count followed by that many actions;
    /// `priors` has the priors of all rows.
    pub(crate) fn open(&mut self, node: usize, lists: &[u32], priors: &[f32]) {
        let mut rest = lists;
        let (mut priors, rows) = (priors.iter(), self.rows);
        let first = self.edges.len() as u32;
        for row in 0..rows {
            let (list, others) = rest.split_at(1 + rest[0] as usize);
            rest = others;
            let edges = list[1..].iter().zip(&mut priors);
            self.edges.extend(edges.map(|(&action, &prior)| Edge { action, prior }));
            self.nodes[node].counts[row] = list[0] as u16;
        }
        self.nodes[node].edges = first;
        self.nodes[node].kind = Kind::Open;
    }

    fn edge_count(&self, node: usize) -> usize {
        self.nodes[node].counts[..self.rows].iter().map(|&count| usize::from(count)).sum()
    }

    /// Returns the index of a row's first edge among the edges of the node.
    fn offset(&self, node: usize, row: usize) -> usize {
        self.nodes[node].counts[..row].iter().map(|&count| usize::from(count)).sum()
    }

    #[inline]
    pub(crate) fn row(&self, node: usize, row: usize) -> Row<'_> {
        let from = self.offset(node, row);
        let Node { edges, stats, counts, kind, .. } = self.nodes[node];
        if kind != Kind::Open {
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
    pub(crate) fn edges_mut(&mut self, node: usize, row: usize) -> &mut [Edge] {
        let from = self.nodes[node].edges as usize + self.offset(node, row);
        let count = usize::from(self.nodes[node].counts[row]);
        &mut self.edges[from..from + count]
    }

    /// Returns the sums of the players' returns from a node on.
    #[inline]
    pub(crate) fn values(&self, node: usize) -> &[f64] {
        &self.values[node * self.players..][..self.players]
    }

    /// Adds or removes a simulation in flight at a node and at the edges that lead to it.
    pub(crate) fn count_pending(&mut self, node: usize, parent: Option<usize>, more: bool) {
        let change = |pending: &mut u32| *pending = if more { *pending + 1 } else { *pending - 1 };
        change(&mut self.nodes[node].pending);
        self.each_stat(node, parent, |stat, _| change(&mut stat.pending));
    }

    /// Calls `look` with the statistics and the row of each edge that leads to a node.
    #[inline]
    fn each_stat(
        &mut self,
        node: usize,
        parent: Option<usize>,
        mut look: impl FnMut(&mut Stat, usize),
    ) {
        let Some(parent) = parent else { return };
        let chosen = self.nodes[node].chosen;
        let mut start = self.nodes[parent].stats as usize;
        for (row, &edge) in chosen[..self.rows].iter().enumerate() {
            look(&mut self.stats[start + usize::from(edge)], row);
            start += usize::from(self.nodes[parent].counts[row]);
        }
    }

    /// Adds a visit with these returns to a node, and turns them into the returns from its parent
    /// on.
    #[inline]
    pub(crate) fn add_visit(
        &mut self,
        node: usize,
        parent: Option<usize>,
        found: &mut [f64; MAX_PLAYERS],
        discount: f64,
    ) {
        let players = self.players;
        self.nodes[node].visits += 1;
        let values = &mut self.values[node * players..][..players];
        values.iter_mut().zip(&*found).for_each(|(sum, found)| *sum += found);
        let Some(above) = parent else { return };
        let rewards = &self.rewards[node * players..][..players];
        for (found, &reward) in found.iter_mut().zip(rewards) {
            *found = f64::from(reward) + discount * *found;
        }
        let (alone, seat) = (self.rows == 1, usize::from(self.nodes[above].seat));
        self.each_stat(node, parent, |stat, row| {
            stat.visits += 1;
            stat.value += found[if alone { seat } else { row }];
        });
    }

    /// Copies the subtree of a node into a new tree. Also returns the old indices of its nodes.
    pub(crate) fn below(&self, root: usize) -> (Tree, Vec<usize>) {
        let mut kept = Tree::new(self.players, self.rows);
        // Reserve as much memory as before, so that the next search does not allocate.
        kept.nodes.reserve(self.nodes.capacity());
        kept.values.reserve(self.values.capacity());
        kept.rewards.reserve(self.rewards.capacity());
        kept.edges.reserve(self.edges.capacity());
        kept.stats.reserve(self.stats.capacity());
        // The old indices of the nodes copied so far, parents before children.
        let mut old = vec![root];
        kept.take_over(self, root);
        let mut next = 0;
        while next < old.len() {
            // In reverse, because each child is inserted at the front of its list.
            let children: Vec<usize> = self.children(old[next]).collect();
            for &child in children.iter().rev() {
                let copy = kept.take_over(self, child);
                let first =
                    kept.nodes[next].stats as usize + usize::from(self.nodes[child].chosen[0]);
                kept.nodes[copy].next = kept.stats[first].child;
                kept.stats[first].child = copy as u32;
                old.push(child);
            }
            next += 1;
        }
        kept.nodes[ROOT].chosen = [0; MAX_PLAYERS];
        (kept, old)
    }

    /// Copies a node and its edges, but not its children.
    fn take_over(&mut self, from: &Tree, node: usize) -> usize {
        let (players, count) = (self.players, from.edge_count(node));
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

    /// Returns the actions of these edges.
    pub(crate) fn actions(&self, node: usize, chosen: [u16; MAX_PLAYERS]) -> [Action; MAX_PLAYERS] {
        let mut actions = [Action(0); MAX_PLAYERS];
        for (row, action) in actions[..self.rows].iter_mut().enumerate() {
            *action = Action(self.row(node, row).edges[usize::from(chosen[row])].action);
        }
        actions
    }
}
