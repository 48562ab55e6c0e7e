//! Monte Carlo tree search for any game. Every player maximizes its own winning chances (PUCT with
//! one value per player), so the same tree works for two players, for four, and for teams.

use crate::{Budget, Line, Score, Thought};

/// The largest number of players in any game.
pub(crate) const MOST_PLAYERS: usize = 4;

/// The winning chances of each player, from 0 to 1.
pub(crate) type Shares = [f64; MOST_PLAYERS];

/// A game as the tree search sees it.
pub(crate) trait Game {
    /// A position of a game in progress or of a finished one.
    type Position: Copy;
    /// A legal move.
    type Move: Copy;

    /// The exploration constant of PUCT: how much the priors count relative to the results.
    const CURIOSITY: f64;

    /// How much lower than the average of its parent an untried move is assumed to score.
    const UNTRIED: f64;

    /// Returns the player to move, or `None` if the game is over.
    fn turn(&self, position: &Self::Position) -> Option<usize>;

    /// Lists the candidate moves, best first, each with its merit. A merit that is higher by 8
    /// doubles the prior. At the root there must be at least one move.
    fn moves(&mut self, position: &Self::Position, moves: &mut Vec<(i32, Self::Move)>);

    /// Plays one of the moves.
    fn play(&mut self, position: &mut Self::Position, mv: Self::Move);

    /// Evaluates a position for each player.
    fn shares(&mut self, position: &Self::Position) -> Shares;

    /// Returns the code of a move.
    fn code(&self, mv: Self::Move) -> String;
}

/// How many visits a move needs before the position after it is added to the tree.
const RIPE: u32 = 1;

/// At this many edges the tree stops growing, to limit its memory, but the search continues.
const MOST_EDGES: usize = 1 << 21;

/// The index of a missing node.
const NONE: u32 = u32::MAX;

/// A position in the tree.
struct Node {
    first: u32,
    count: u32,
    /// How often the search has passed through it.
    visits: u32,
    /// The player to move.
    player: u8,
    /// The sum of that player's results.
    total: f64,
}

/// A move in the tree.
struct Edge<M> {
    mv: M,
    /// How often it was tried.
    visits: u32,
    /// The index of the node that it leads to, or `NONE`.
    node: u32,
    /// The prior probability; those of all moves of a node add up to 1.
    prior: f64,
    /// The sum of the results for the player who makes the move.
    total: f64,
}

/// A search tree.
pub(crate) struct Tree<G: Game> {
    game: G,
    root: G::Position,
    nodes: Vec<Node>,
    edges: Vec<Edge<G::Move>>,
    ranked: Vec<(i32, G::Move)>,
    /// The edges from the root to the current leaf, each with the player who chose it.
    path: Vec<(u32, u8)>,
    /// How many leaves were evaluated.
    leaves: u64,
    /// The length of the longest path.
    depth: u32,
}

impl<G: Game> Tree<G> {
    /// Creates a tree for a position of a game in progress.
    pub(crate) fn new(game: G, root: G::Position) -> Tree<G> {
        let mut tree = Tree {
            game,
            root,
            nodes: Vec::new(),
            edges: Vec::new(),
            ranked: Vec::new(),
            path: Vec::new(),
            leaves: 0,
            depth: 0,
        };
        tree.grow(&root);
        tree
    }

    /// Searches until the budget is spent, or until the rest of it cannot change the choice, and
    /// returns what it has found.
    pub(crate) fn think(mut self, budget: Budget<'_>) -> Thought {
        loop {
            self.visit();
            if budget.is_spent(self.leaves) || self.is_settled(&budget) {
                break;
            }
        }
        let lines = self.lines(budget.lines);
        // A game in progress has a legal move.
        let code = lines.first().map_or_else(String::new, |line| line.codes[0].clone());
        Thought { nodes: self.leaves, depth: self.depth, lines, ..Thought::new(code) }
    }

    /// Returns whether the most visited move can no longer be overtaken.
    fn is_settled(&self, budget: &Budget<'_>) -> bool {
        let edges = self.edges_of(0);
        if let [_] = edges {
            return true;
        }
        if budget.lines > 1 || !self.leaves.is_multiple_of(64) {
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
        u64::from(first - second) > budget.nodes - self.leaves
    }

    /// Returns the most visited moves at the root, each with the expected continuation.
    fn lines(&self, count: usize) -> Vec<Line> {
        let mut edges: Vec<&Edge<G::Move>> = self.edges_of(0).iter().collect();
        // The sort is stable: ties keep the order of their priors.
        edges.sort_by(|one, other| {
            (other.visits.cmp(&one.visits)).then(other.total.total_cmp(&one.total))
        });
        let told = edges.iter().take(count.max(1)).filter(|edge| edge.visits > 0);
        told.map(|edge| {
            let share = edge.total / f64::from(edge.visits);
            Line { score: Score::Share((1000.0 * share) as u16), codes: self.line(edge) }
        })
        .collect()
    }

    /// Returns a move followed by the most visited continuation.
    fn line(&self, edge: &Edge<G::Move>) -> Vec<String> {
        let mut line = vec![self.game.code(edge.mv)];
        let mut node = edge.node;
        while node != NONE {
            let tried = self.edges_of(node).iter().rev().max_by_key(|edge| edge.visits);
            let Some(next) = tried.filter(|edge| edge.visits > 0) else { break };
            line.push(self.game.code(next.mv));
            node = next.node;
        }
        line
    }

    fn edges_of(&self, node: u32) -> &[Edge<G::Move>] {
        let Node { first, count, .. } = self.nodes[node as usize];
        &self.edges[first as usize..(first + count) as usize]
    }

    /// Descends from the root to a leaf, evaluates it, and updates the statistics of the path.
    fn visit(&mut self) {
        let (mut position, mut node) = (self.root, 0);
        self.path.clear();
        while let Some(chosen) = self.choose(node) {
            self.path.push((chosen, self.nodes[node as usize].player));
            let edge = &self.edges[chosen as usize];
            let (tried, next) = (edge.visits, edge.node);
            self.game.play(&mut position, edge.mv);
            if next != NONE {
                node = next;
            } else if tried < RIPE || self.edges.len() >= MOST_EDGES {
                break;
            } else {
                node = self.grow(&position);
                if node == NONE {
                    break;
                }
                self.edges[chosen as usize].node = node;
            }
        }
        let shares = self.game.shares(&position);
        self.leaves += 1;
        self.depth = self.depth.max(self.path.len() as u32);
        self.remember(&shares);
    }

    fn remember(&mut self, shares: &Shares) {
        let mut node = 0;
        for &(edge, player) in &self.path {
            let share = shares[player as usize % MOST_PLAYERS];
            let passed = &mut self.nodes[node as usize];
            passed.visits += 1;
            passed.total += share;
            let edge = &mut self.edges[edge as usize];
            edge.visits += 1;
            edge.total += share;
            node = edge.node;
        }
    }

    /// Returns the edge with the highest sum of average result and exploration bonus.
    fn choose(&self, node: u32) -> Option<u32> {
        let Node { first, visits, total, .. } = self.nodes[node as usize];
        let curiosity = G::CURIOSITY * f64::from(visits.max(1)).sqrt();
        let untried = if visits > 0 { total / f64::from(visits) - G::UNTRIED } else { 0.0 };
        let (mut best, mut most) = (None, f64::NEG_INFINITY);
        for (index, edge) in (first..).zip(self.edges_of(node)) {
            let tried = f64::from(edge.visits);
            let share = if edge.visits > 0 { edge.total / tried } else { untried };
            let worth = share + curiosity * edge.prior / (1.0 + tried);
            if worth > most {
                (best, most) = (Some(index), worth);
            }
        }
        best
    }

    /// Adds a position to the tree and returns its index, or `NONE` if the game is over.
    fn grow(&mut self, position: &G::Position) -> u32 {
        let Some(player) = self.game.turn(position) else { return NONE };
        self.ranked.clear();
        self.game.moves(position, &mut self.ranked);
        let best = self.ranked.first().map_or(0, |&(merit, _)| merit);
        let weight = |merit: i32| DOUBLINGS[((best - merit) as usize).min(DOUBLINGS.len() - 1)];
        let sum: f64 = self.ranked.iter().map(|&(merit, _)| weight(merit)).sum();
        let first = self.edges.len() as u32;
        self.edges.extend(self.ranked.iter().map(|&(merit, mv)| Edge {
            mv,
            visits: 0,
            node: NONE,
            prior: weight(merit) / sum,
            total: 0.0,
        }));
        let count = self.ranked.len() as u32;
        self.nodes.push(Node { first, count, visits: 0, player: player as u8, total: 0.0 });
        self.nodes.len() as u32 - 1
    }
}

/// The weight of a move by how much lower its merit is than the best one; it halves with every 8.
static DOUBLINGS: [f64; 64] = {
    let mut left = [1.0; 64];
    let mut eighths = 1;
    while eighths < 64 {
        left[eighths] = left[eighths - 1] * 0.917_004_043_204_671_2;
        eighths += 1;
    }
    left
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Players take one to three matches in turn, and the player who takes the last one wins.
    /// Positions before the end say nothing about who is winning.
    struct Matches {
        players: usize,
    }

    impl Game for Matches {
        type Position = (u32, usize);
        type Move = u32;

        const CURIOSITY: f64 = 1.0;
        const UNTRIED: f64 = 0.0;

        fn turn(&self, &(left, player): &(u32, usize)) -> Option<usize> {
            (left > 0).then_some(player)
        }

        fn moves(&mut self, &(left, _): &(u32, usize), moves: &mut Vec<(i32, u32)>) {
            moves.extend((1..=left.min(3)).map(|taken| (0, taken)));
        }

        fn play(&mut self, (left, player): &mut (u32, usize), taken: u32) {
            *left -= taken;
            *player = (*player + 1) % self.players;
        }

        fn shares(&mut self, &(left, player): &(u32, usize)) -> Shares {
            let last = (player + self.players - 1) % self.players;
            std::array::from_fn(|seat| match left {
                0 => f64::from(u8::from(seat == last)),
                _ => 1.0 / self.players as f64,
            })
        }

        fn code(&self, taken: u32) -> String {
            taken.to_string()
        }
    }

    fn think(players: usize, left: u32, budget: Budget<'_>) -> Thought {
        Tree::new(Matches { players }, (left, 0)).think(budget)
    }

    #[test]
    fn the_move_that_wins_by_force_is_found() {
        // With two players, whoever leaves a multiple of four wins.
        for left in (2..20).filter(|left| left % 4 != 0) {
            let thought = think(2, left, Budget::nodes(4000));
            assert_eq!(thought.code, (left % 4).to_string(), "of {left}");
        }
        // With any number of players, whoever can take the last match does.
        assert_eq!(think(3, 3, Budget::nodes(1000)).code, "3");
    }

    #[test]
    fn an_account_is_true_and_a_budget_is_kept() {
        for nodes in [0, 1, 2, 63, 64, 500] {
            let thought = think(2, 15, Budget { lines: 3, ..Budget::nodes(nodes) });
            assert_eq!(thought.nodes, nodes.max(1));
            assert_eq!(thought.lines[0].codes[0], thought.code);
            assert_eq!(thought.lines.len() as u64, nodes.clamp(1, 3));
            for line in &thought.lines {
                assert!(line.codes.len() as u32 <= thought.depth, "{thought:?}");
            }
        }
        assert_eq!(think(4, 1, Budget::nodes(500)).nodes, 1, "there is no choice");
        let settled = think(2, 3, Budget::nodes(100_000));
        assert!(settled.nodes < 100_000, "nothing can change the choice: {settled:?}");
    }
}
