//! Monte Carlo tree search: a tree of placements, grown where it is promising, with a game played on from every
//! leaf. Each player goes for its own share.

use fourfold_blokus::{MAX_COLORS, Placement, PlacementList, Position};
use fourfold_board::{Keys, cpu};

use super::merit::Eyes;
use super::playout::{Lists, Playout, Shares};
use super::sight::Sight;
use crate::Budget;

/// How much a placement that looks good is tried, beside one that has done well.
const CURIOSITY: f64 = 0.5;

/// By how much a placement that was not tried yet counts for less than its parent.
const UNTRIED: f64 = 0.05;

/// How often a placement is tried before the answers to it are told apart.
const RIPE: u32 = 1;

/// No link.
const NONE: u32 = u32::MAX;

/// A position in the tree.
struct Node {
    first: u32,
    count: u32,
    /// How often it was passed.
    visits: u32,
    /// Who is to place.
    player: u8,
    /// What that player got, in all.
    total: f64,
}

/// A placement in the tree.
struct Edge {
    placement: Placement,
    /// How often it was tried.
    visits: u32,
    /// What it leads to.
    node: u32,
    /// How good it looks: all placements of a node make one.
    prior: f64,
    /// What it brought to the one who made it, in all.
    total: f64,
}

/// A tree that grows.
pub(super) struct Tree {
    root: Position,
    sight: Sight,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    list: PlacementList,
    ranked: Vec<(i32, Placement)>,
    lists: Lists,
    keys: Keys,
    /// The edges from the root to a leaf, each with who chose it.
    path: Vec<(u32, u8)>,
    /// How many games were played on.
    pub(super) playouts: u64,
    /// The longest path.
    pub(super) depth: u32,
}

/// A placement at the root, as the search sees it.
pub(super) struct Candidate {
    /// What part of the win it brings.
    pub(super) share: f64,
    /// It, and what is expected to follow.
    pub(super) line: Vec<Placement>,
}

impl Tree {
    /// A tree for a position in which somebody is to place.
    pub(super) fn new(root: Position, sight: Sight, seed: u64) -> Tree {
        let mut tree = Tree {
            root,
            sight,
            nodes: Vec::new(),
            edges: Vec::new(),
            list: PlacementList::default(),
            ranked: Vec::new(),
            lists: Lists::default(),
            keys: Keys::new(seed),
            path: Vec::new(),
            playouts: 0,
            depth: 0,
        };
        tree.grow(&root);
        tree
    }

    /// Searches until the budget is spent, or nothing that is left of it can change the choice.
    pub(super) fn search(&mut self, budget: Budget<'_>) {
        loop {
            self.visit();
            if budget.is_spent(self.playouts) || self.is_settled(&budget) {
                return;
            }
        }
    }

    /// Whether the second placement cannot catch up with the first any more.
    fn is_settled(&self, budget: &Budget<'_>) -> bool {
        let edges = self.edges_of(0);
        if let [_] = edges {
            return true;
        }
        if budget.lines > 1 || !self.playouts.is_multiple_of(64) {
            return false;
        }
        let (mut first, mut second) = (0, 0);
        for edge in edges {
            (first, second) = if edge.visits > first {
                (edge.visits, first)
            } else {
                (first, second.max(edge.visits))
            };
        }
        u64::from(first - second) > budget.nodes - self.playouts
    }

    /// The placements at the root, the best first.
    pub(super) fn candidates(&self, count: usize) -> Vec<Candidate> {
        let mut edges: Vec<&Edge> = self.edges_of(0).iter().collect();
        // Equal ones stay as they looked at first sight.
        edges.sort_by(|one, other| {
            (other.visits.cmp(&one.visits)).then(other.total.total_cmp(&one.total))
        });
        let told = edges.iter().take(count.max(1)).filter(|edge| edge.visits > 0);
        told.map(|edge| Candidate {
            share: edge.total / f64::from(edge.visits),
            line: self.line(edge),
        })
        .collect()
    }

    /// A placement and the most tried answers to it.
    fn line(&self, edge: &Edge) -> Vec<Placement> {
        let mut line = vec![edge.placement];
        let mut node = edge.node;
        while node != NONE {
            let tried = self.edges_of(node).iter().rev().max_by_key(|edge| edge.visits);
            let Some(next) = tried.filter(|edge| edge.visits > 0) else { break };
            line.push(next.placement);
            node = next.node;
        }
        line
    }

    fn edges_of(&self, node: u32) -> &[Edge] {
        let Node { first, count, .. } = self.nodes[node as usize];
        &self.edges[first as usize..(first + count) as usize]
    }

    /// One way down the tree, one game from there, and what it says to all on the way.
    fn visit(&mut self) {
        let (mut position, mut node) = (self.root, 0);
        self.path.clear();
        loop {
            let chosen = self.choose(node);
            self.path.push((chosen, self.nodes[node as usize].player));
            let edge = &self.edges[chosen as usize];
            position.play_unchecked(edge.placement);
            if position.turn().is_none() {
                break;
            }
            if edge.node != NONE {
                node = edge.node;
            } else if edge.visits < RIPE {
                break;
            } else {
                node = self.grow(&position);
                self.edges[chosen as usize].node = node;
            }
        }
        let shares = cpu::enter(Playout {
            position,
            horizon: self.sight.horizon,
            lists: &mut self.lists,
            keys: &mut self.keys,
        });
        self.playouts += 1;
        self.depth = self.depth.max(self.path.len() as u32);
        self.remember(&shares);
    }

    fn remember(&mut self, shares: &Shares) {
        let mut node = 0;
        for &(edge, player) in &self.path {
            let share = shares[player as usize % MAX_COLORS];
            let passed = &mut self.nodes[node as usize];
            passed.visits += 1;
            passed.total += share;
            let edge = &mut self.edges[edge as usize];
            edge.visits += 1;
            edge.total += share;
            node = edge.node;
        }
    }

    /// The placement to try next: what has done well, and what looks good and was tried little.
    fn choose(&self, node: u32) -> u32 {
        let Node { first, visits, total, .. } = self.nodes[node as usize];
        let curiosity = CURIOSITY * f64::from(visits.max(1)).sqrt();
        let untried = if visits > 0 { total / f64::from(visits) - UNTRIED } else { 0.0 };
        let (mut best, mut most) = (first, f64::NEG_INFINITY);
        for (index, edge) in (first..).zip(self.edges_of(node)) {
            let tried = f64::from(edge.visits);
            let share = if edge.visits > 0 { edge.total / tried } else { untried };
            let worth = share + curiosity * edge.prior / (1.0 + tried);
            if worth > most {
                (best, most) = (index, worth);
            }
        }
        best
    }

    /// Adds a position in which somebody is to place, with the placements that look best.
    fn grow(&mut self, position: &Position) -> u32 {
        let (Some(color), Some(player)) = (position.turn(), position.mover()) else { return NONE };
        position.legal_into(&mut self.list);
        let eyes = Eyes::new(position, color);
        self.ranked.clear();
        let seen = self.list.iter().filter(|&&placement| self.sight.sees(position, placement));
        self.ranked.extend(seen.map(|&placement| (eyes.merit(placement), placement)));
        if self.ranked.is_empty() {
            // Who sees nothing looks again.
            let all = self.list.iter().map(|&placement| (eyes.merit(placement), placement));
            self.ranked.extend(all);
        }
        let rank = |&(merit, placement): &(i32, Placement)| (-merit, placement);
        let most = self.sight.candidates;
        if self.ranked.len() > most {
            self.ranked.select_nth_unstable_by_key(most - 1, rank);
            self.ranked.truncate(most);
        }
        self.ranked.sort_unstable_by_key(rank);
        let best = self.ranked[0].0;
        let weight = |merit: i32| DOUBLINGS[((best - merit) as usize).min(DOUBLINGS.len() - 1)];
        let sum: f64 = self.ranked.iter().map(|&(merit, _)| weight(merit)).sum();
        let first = self.edges.len() as u32;
        self.edges.extend(self.ranked.iter().map(|&(merit, placement)| Edge {
            placement,
            visits: 0,
            node: NONE,
            prior: weight(merit) / sum,
            total: 0.0,
        }));
        self.nodes.push(Node {
            first,
            count: self.ranked.len() as u32,
            visits: 0,
            player: player as u8,
            total: 0.0,
        });
        self.nodes.len() as u32 - 1
    }
}

/// What is left of a prior for each eighth of a doubling that a placement looks worse than the best.
static DOUBLINGS: [f64; 64] = {
    let mut left = [1.0; 64];
    let mut eighths = 1;
    while eighths < 64 {
        left[eighths] = left[eighths - 1] * 0.917_004_043_204_671_2;
        eighths += 1;
    }
    left
};
