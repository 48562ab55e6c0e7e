//! Trees in plain arenas: nodes and edges by index.
//!
//! A node has a row of edges for each of those who act there: one where players take turns, one for
//! each player where all act. An edge is an action with its prior. What was seen of it is kept apart
//! and made when the first child is tried: most nodes are visited once.

use fourfold_env::{Action, MAX_PLAYERS};

/// No index.
pub(crate) const NONE: u32 = u32::MAX;
/// The root is always the first node.
pub(crate) const ROOT: usize = 0;

/// Whether a node can be walked through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Nobody has evaluated it yet.
    Fresh,
    /// It has edges.
    Open,
    /// The game is over there.
    Over,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) visits: u32,
    /// Walks under way through it.
    pub(crate) pending: u32,
    /// The first of its edges.
    edges: u32,
    /// What was seen of the first of its edges.
    stats: u32,
    /// The next child of its parent to which the same action of the first row leads.
    next: u32,
    /// How many edges each row has.
    counts: [u16; MAX_PLAYERS],
    /// Which edge of each row of its parent leads here.
    pub(crate) chosen: [u16; MAX_PLAYERS],
    /// Who acts, where one does.
    pub(crate) seat: u8,
    pub(crate) kind: Kind,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) action: u32,
    pub(crate) prior: f32,
}

/// What was seen of an edge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stat {
    /// The sum of what the acting player got from here on.
    pub(crate) value: f64,
    pub(crate) visits: u32,
    /// Walks under way through it.
    pub(crate) pending: u32,
    /// The first child that it leads to, in the first row.
    child: u32,
}

impl Stat {
    const UNSEEN: Stat = Stat { value: 0.0, visits: 0, pending: 0, child: NONE };
}

/// The edges of one row of a node, and what was seen of them.
#[derive(Clone, Copy)]
pub(crate) struct Row<'a> {
    pub(crate) edges: &'a [Edge],
    /// As many as there are edges, or none if no child was tried yet.
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
    /// For each node the sums of what each player got from there on.
    values: Vec<f64>,
    /// For each node what each player got on the way from its parent.
    rewards: Vec<f32>,
    edges: Vec<Edge>,
    stats: Vec<Stat>,
}

/// What one node, edge and tried edge take.
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

    /// How many nodes, edges and tried edges there are.
    pub(crate) fn counts(&self) -> [usize; 3] {
        [self.nodes.len(), self.edges.len(), self.stats.len()]
    }

    /// Bytes that are set aside.
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

    /// Adds a root to an empty tree.
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

    /// Adds a child to which these edges lead, and that is not there yet.
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

    /// Makes room for what is seen of a node's edges.
    fn see(&mut self, node: usize) {
        if self.nodes[node].stats == NONE {
            self.nodes[node].stats = self.stats.len() as u32;
            let count = self.edge_count(node);
            self.stats.resize(self.stats.len() + count, Stat::UNSEEN);
        }
    }

    /// The child to which these edges lead.
    pub(crate) fn child(&self, parent: usize, chosen: [u16; MAX_PLAYERS]) -> Option<usize> {
        self.children_by(parent, chosen[0]).find(|&child| self.nodes[child].chosen == chosen)
    }

    /// All children, by the edges of the first row.
    pub(crate) fn children(&self, parent: usize) -> impl Iterator<Item = usize> {
        (0..self.nodes[parent].counts[0]).flat_map(move |edge| self.children_by(parent, edge))
    }

    /// The children to which an edge of the first row leads.
    fn children_by(&self, parent: usize, edge: u16) -> impl Iterator<Item = usize> {
        let first = match self.nodes[parent].stats {
            NONE => NONE,
            stats => self.stats[stats as usize + usize::from(edge)].child,
        };
        let some = |child: u32| (child != NONE).then_some(child as usize);
        std::iter::successors(some(first), move |&child| some(self.nodes[child].next))
    }

    /// Gives a node its edges; each row is a count and actions, priors are those of all rows.
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

    /// Where a row of a node begins among its edges.
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

    /// The edges of a row, to change their priors.
    pub(crate) fn edges_mut(&mut self, node: usize, row: usize) -> &mut [Edge] {
        let from = self.nodes[node].edges as usize + self.offset(node, row);
        let count = usize::from(self.nodes[node].counts[row]);
        &mut self.edges[from..from + count]
    }

    /// The sums of what the players got from a node on.
    #[inline]
    pub(crate) fn values(&self, node: usize) -> &[f64] {
        &self.values[node * self.players..][..self.players]
    }

    /// Counts a walk that begins at a node or passes through it; or one that is given up.
    pub(crate) fn count_pending(&mut self, node: usize, parent: Option<usize>, more: bool) {
        let change = |pending: &mut u32| *pending = if more { *pending + 1 } else { *pending - 1 };
        change(&mut self.nodes[node].pending);
        self.each_stat(node, parent, |stat, _| change(&mut stat.pending));
    }

    /// Looks at what was seen of the edges that lead to a node, with their rows.
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

    /// Adds what a walk found from a node on, and turns it to what it found from the parent on.
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

    /// The tree below one of the nodes, which becomes the root.
    pub(crate) fn below(&self, root: usize) -> (Tree, Vec<usize>) {
        let mut kept = Tree::new(self.players, self.rows);
        // As much room as before, so that the next search makes none.
        kept.nodes.reserve(self.nodes.capacity());
        kept.values.reserve(self.values.capacity());
        kept.rewards.reserve(self.rewards.capacity());
        kept.edges.reserve(self.edges.capacity());
        kept.stats.reserve(self.stats.capacity());
        // The old indices of the nodes that were taken over, parents before children.
        let mut old = vec![root];
        kept.take_over(self, root);
        let mut next = 0;
        while next < old.len() {
            // Backwards, for each is put before the others in its chain.
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

    /// Copies a node and its edges, without children.
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

    /// The actions that these edges stand for.
    pub(crate) fn actions(&self, node: usize, chosen: [u16; MAX_PLAYERS]) -> [Action; MAX_PLAYERS] {
        let mut actions = [Action(0); MAX_PLAYERS];
        for (row, action) in actions[..self.rows].iter_mut().enumerate() {
            *action = Action(self.row(node, row).edges[usize::from(chosen[row])].action);
        }
        actions
    }
}
