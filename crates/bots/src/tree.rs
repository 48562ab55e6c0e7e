//! Monte Carlo tree search for any game. Every player maximizes its own winning chances (PUCT with
//! one value per player), so the same tree works for two players, for four, and for teams.

use fourfold_tree::{Chosen, Edge, MAX_PLAYERS, Node, NodeState, ROOT, Stat, Tree};

use crate::{BotMove, Budget, Line, Score};

/// The winning chances of each player, from 0 to 1.
pub(crate) type WinningChances = [f64; MAX_PLAYERS];

/// A game as the tree search sees it.
pub(crate) trait Game {
    /// A position of a game in progress or of a finished one.
    type Position: Copy;
    /// A legal move.
    type Move: Copy;

    /// The exploration constant of PUCT: how much the priors count relative to the results.
    const EXPLORATION: f64;

    /// How much lower than the average of its parent an untried move is assumed to score.
    const FPU_REDUCTION: f64;

    /// Returns the player to move, or `None` if the game is over.
    fn turn(&self, position: &Self::Position) -> Option<usize>;

    /// Lists the candidate moves, best first, each with its merit. A merit that is higher by 8
    /// doubles the prior. At the root there must be at least one move.
    fn moves(&mut self, position: &Self::Position, moves: &mut Vec<(i32, Self::Move)>);

    /// Plays one of the moves.
    fn play(&mut self, position: &mut Self::Position, mv: Self::Move);

    /// Evaluates a position for each player.
    fn winning_chances(&mut self, position: &Self::Position) -> WinningChances;

    /// Returns the code of a move.
    fn code(&self, mv: Self::Move) -> String;
}

/// At this many edges the tree stops growing, to limit its memory, but the search continues.
const MAX_EDGES: usize = 1 << 21;

/// A search of a game by a tree. A position is added to the tree when its move is tried for the
/// second time.
pub(crate) struct TreeSearch<G: Game> {
    game: G,
    root: G::Position,
    tree: Tree<G::Move, f64>,
    ranked: Vec<(i32, G::Move)>,
    /// The nodes from the root to the current leaf, each with the edge chosen there.
    path: Vec<(usize, usize)>,
    /// How many leaves were evaluated.
    leaves: u64,
    /// The length of the longest path.
    depth: u32,
}

impl<G: Game> TreeSearch<G> {
    /// Creates a search of a position of a game in progress.
    pub(crate) fn new(game: G, root: G::Position) -> TreeSearch<G> {
        let tree = Tree::new(MAX_PLAYERS, 1);
        let (ranked, path) = (Vec::new(), Vec::new());
        let mut search = TreeSearch { game, root, tree, ranked, path, leaves: 0, depth: 0 };
        let player = search.game.turn(&root).unwrap_or(0) as u8;
        search.tree.add_root(player, NodeState::Unexpanded);
        search.expand(ROOT, &root);
        search
    }

    /// Searches until the budget is spent, or until the rest of it cannot change the choice, and
    /// returns what it has found.
    pub(crate) fn think(mut self, budget: Budget<'_>) -> BotMove {
        loop {
            self.visit();
            if budget.is_spent(self.leaves) || self.is_settled(&budget) {
                break;
            }
        }
        BotMove::from_lines(self.leaves, self.depth, self.lines(budget.lines))
    }

    /// Returns whether the most visited move can no longer be overtaken.
    fn is_settled(&self, budget: &Budget<'_>) -> bool {
        let row = self.tree.row(ROOT, 0);
        if row.edges.len() == 1 {
            return true;
        }
        if budget.lines > 1 || !self.leaves.is_multiple_of(64) {
            return false;
        }
        let (mut first, mut second) = (0, 0);
        for stat in row.stats {
            (first, second) = if stat.visits > first {
                (stat.visits, first)
            } else {
                (first, second.max(stat.visits))
            };
        }
        u64::from(first - second) > budget.nodes - self.leaves
    }

    /// Returns the most visited moves at the root, each with the expected continuation.
    fn lines(&self, count: usize) -> Vec<Line> {
        let mut edges: Vec<(usize, Stat)> =
            self.tree.row(ROOT, 0).stats.iter().copied().enumerate().collect();
        // The sort is stable: ties keep the order of their priors.
        edges.sort_by(|(_, one), (_, other)| {
            (other.visits.cmp(&one.visits)).then(other.value.total_cmp(&one.value))
        });
        let best = edges.iter().take(count.max(1)).filter(|(_, stat)| stat.visits > 0);
        best.map(|&(edge, stat)| {
            let share = stat.value / f64::from(stat.visits);
            Line { score: Score::WinningChances((1000.0 * share) as u16), codes: self.line(edge) }
        })
        .collect()
    }

    /// Returns a move at the root followed by the most visited continuation.
    fn line(&self, mut edge: usize) -> Vec<String> {
        let mut node = ROOT;
        let mut line = Vec::new();
        loop {
            line.push(self.game.code(self.tree.row(node, 0).edges[edge].action));
            let Some(child) = self.tree.child(node, chosen(edge)) else { return line };
            let stats = self.tree.row(child, 0).stats;
            let most = stats.iter().enumerate().rev().max_by_key(|(_, stat)| stat.visits);
            let Some((next, _)) = most.filter(|(_, stat)| stat.visits > 0) else { return line };
            (node, edge) = (child, next);
        }
    }

    /// Descends from the root to a leaf, evaluates it, and updates the statistics of the path.
    fn visit(&mut self) {
        let (mut position, mut node) = (self.root, ROOT);
        self.path.clear();
        while let Some(edge) = self.choose(node) {
            self.path.push((node, edge));
            let row = self.tree.row(node, 0);
            let is_new = row.stat(edge).visits == 0;
            self.game.play(&mut position, row.edges[edge].action);
            node = match self.tree.child(node, chosen(edge)) {
                Some(child) => child,
                None if is_new || self.tree.counts()[1] >= MAX_EDGES => break,
                None => {
                    let Some(player) = self.game.turn(&position) else { break };
                    let about = (player as u8, NodeState::Unexpanded);
                    let rewards = [0.0; MAX_PLAYERS];
                    let child = self.tree.add_child(node, chosen(edge), about, &rewards);
                    self.expand(child, &position);
                    child
                }
            };
        }
        let chances = self.game.winning_chances(&position);
        self.leaves += 1;
        self.depth = self.depth.max(self.path.len() as u32);
        for &(node, edge) in &self.path {
            self.tree.add_visit(node, &chances);
            self.tree.add_edge_visit(node, chosen(edge), &chances);
        }
    }

    /// Returns the edge with the highest sum of average result and exploration bonus.
    fn choose(&self, node: usize) -> Option<usize> {
        let Node { visits, player, .. } = *self.tree.node(node);
        let exploration = G::EXPLORATION * f64::from(visits.max(1)).sqrt();
        let total = self.tree.values(node)[usize::from(player)];
        let unvisited = if visits > 0 { total / f64::from(visits) - G::FPU_REDUCTION } else { 0.0 };
        let row = self.tree.row(node, 0);
        (!row.edges.is_empty()).then(|| row.select(exploration, unvisited, 0.0))
    }

    /// Adds the moves of a position to its node.
    fn expand(&mut self, node: usize, position: &G::Position) {
        self.ranked.clear();
        self.game.moves(position, &mut self.ranked);
        let best = self.ranked.first().map_or(0, |&(merit, _)| merit);
        let weight =
            |merit: i32| PRIOR_WEIGHTS[((best - merit) as usize).min(PRIOR_WEIGHTS.len() - 1)];
        let sum: f64 = self.ranked.iter().map(|&(merit, _)| weight(merit)).sum();
        let edge = |&(merit, action): &(i32, G::Move)| Edge { action, prior: weight(merit) / sum };
        self.tree.expand(node, [self.ranked.iter().map(edge)]);
    }
}

/// Returns an edge in the form that the tree expects.
const fn chosen(edge: usize) -> Chosen {
    [edge as u16, 0, 0, 0]
}

/// The weight of a move by how much lower its merit is than the best one; it halves with every 8.
static PRIOR_WEIGHTS: [f64; 64] = powers(0.917_004_043_204_671_2);

/// Returns the powers of a number, beginning with 1.
pub(crate) const fn powers(base: f64) -> [f64; 64] {
    let mut powers = [1.0; 64];
    let mut exponent = 1;
    while exponent < 64 {
        powers[exponent] = powers[exponent - 1] * base;
        exponent += 1;
    }
    powers
}

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

        const EXPLORATION: f64 = 1.0;
        const FPU_REDUCTION: f64 = 0.0;

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

        fn winning_chances(&mut self, &(left, player): &(u32, usize)) -> WinningChances {
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

    fn think(players: usize, left: u32, budget: Budget<'_>) -> BotMove {
        TreeSearch::new(Matches { players }, (left, 0)).think(budget)
    }

    #[test]
    fn forced_wins_are_found() {
        // With two players, the player who leaves a multiple of four wins.
        for left in (2..20).filter(|left| left % 4 != 0) {
            let thought = think(2, left, Budget::nodes(4000));
            assert_eq!(thought.code, (left % 4).to_string(), "of {left}");
        }
        // With any number of players, the player who can take the last match does.
        assert_eq!(think(3, 3, Budget::nodes(1000)).code, "3");
    }

    #[test]
    fn budget_and_reported_nodes() {
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
