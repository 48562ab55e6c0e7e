//! Evaluation of leaves.

use fourfold_env::{
    Action, Describe, MAX_PLAYERS, Spec, Stage, Stop, Stream, apply_to, legal_and_status, never,
};

/// A position awaiting evaluation, with the buffers for the result.
#[derive(Clone, Debug)]
pub struct Leaf<G> {
    /// The index of its game.
    pub(crate) game: usize,
    pub(crate) state: G,
    /// For each row, the number of legal actions followed by the actions.
    pub(crate) lists: Vec<u32>,
    /// The logits of all rows, in the order of the actions in `lists`.
    pub(crate) logits: Vec<f32>,
    pub(crate) values: [f32; MAX_PLAYERS],
    pub(crate) random: u64,
    /// The nodes from the root to the leaf.
    pub(crate) path: Vec<u32>,
}

impl<G: Describe> Leaf<G> {
    pub(crate) fn new(game: usize, state: G) -> Leaf<G> {
        let (lists, logits, path) = (Vec::new(), Vec::new(), Vec::new());
        Leaf { game, state, lists, logits, values: [0.0; MAX_PLAYERS], random: 0, path }
    }

    /// Returns the index of the game.
    pub const fn game(&self) -> usize {
        self.game
    }

    /// Returns the position, in which the game is not over.
    pub const fn state(&self) -> &G {
        &self.state
    }

    /// Returns a random number to seed the evaluator with.
    pub const fn random(&self) -> u64 {
        self.random
    }

    /// Iterates over the rows: the legal actions, with a buffer for their logits. There is one row
    /// for the acting player, or one for each player if all act simultaneously.
    pub fn rows(&mut self) -> impl Iterator<Item = (&[u32], &mut [f32])> {
        let (mut lists, mut logits) = (&self.lists[..], &mut self.logits[..]);
        std::iter::from_fn(move || {
            let (&count, rest) = lists.split_first()?;
            let (actions, others) = rest.split_at(count as usize);
            let (own, left) = std::mem::take(&mut logits).split_at_mut(count as usize);
            (lists, logits) = (others, left);
            Some((actions, own))
        })
    }

    /// Returns the buffer for the return that each player can expect from here on. Values and
    /// logits are initially 0.
    pub const fn values(&mut self) -> &mut [f32; MAX_PLAYERS] {
        &mut self.values
    }
}

/// An evaluator of positions.
pub trait Evaluate<G: Describe>: Sync {
    /// State that is kept for one game during one search.
    type Memory: Default;

    /// Fills in the logits and values of some leaves of one game.
    fn evaluate(
        &self,
        rules: &G::Rules,
        spec: &Spec,
        memory: &mut Self::Memory,
        leaves: &mut [Leaf<G>],
    );

    /// Like [`Evaluate::evaluate`], but may return early when it should stop. The leaves are then
    /// not used. Evaluators that take long should implement this.
    fn evaluate_with_stop(
        &self,
        rules: &G::Rules,
        spec: &Spec,
        memory: &mut Self::Memory,
        leaves: &mut [Leaf<G>],
        _stop: Stop<'_>,
    ) {
        self.evaluate(rules, spec, memory, leaves);
    }
}

/// An evaluator that rates all actions and positions the same, so that only rewards within the tree
/// count.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Uniform {
    /// The value of every position for every player. It should be the average result of the game,
    /// for example 0.5 if two players share one win.
    pub value: f32,
}

impl<G: Describe> Evaluate<G> for Uniform {
    type Memory = ();

    fn evaluate(&self, _: &G::Rules, _: &Spec, (): &mut (), leaves: &mut [Leaf<G>]) {
        leaves.iter_mut().for_each(|leaf| leaf.values = [self.value; MAX_PLAYERS]);
    }
}

/// An evaluator that rates all actions the same, and positions by random playouts.
#[derive(Clone, Copy, Debug)]
pub struct Playouts {
    /// The number of playouts per leaf, whose results are averaged.
    pub count: u32,
    /// The maximum number of steps of a playout. Rewards up to then count.
    pub max_steps: u32,
    /// The discount factor per step.
    pub discount: f32,
}

impl Default for Playouts {
    fn default() -> Playouts {
        Playouts { count: 1, max_steps: 1000, discount: 1.0 }
    }
}

impl<G: Describe> Evaluate<G> for Playouts {
    /// A buffer for the lists of legal actions.
    type Memory = Vec<u32>;

    fn evaluate(
        &self,
        rules: &G::Rules,
        spec: &Spec,
        lists: &mut Vec<u32>,
        leaves: &mut [Leaf<G>],
    ) {
        self.evaluate_with_stop(rules, spec, lists, leaves, &never);
    }

    fn evaluate_with_stop(
        &self,
        rules: &G::Rules,
        spec: &Spec,
        lists: &mut Vec<u32>,
        leaves: &mut [Leaf<G>],
        stop: Stop<'_>,
    ) {
        lists.resize(spec.mask_rows() * spec.list_len(), 0);
        for leaf in leaves {
            let mut sums = [0.0; MAX_PLAYERS];
            for playout in 0..self.count {
                if stop() {
                    return;
                }
                let mut stream = Stream::new(leaf.random, u64::from(playout));
                let work = (&mut stream, &mut lists[..], stop);
                self.play(rules, spec, leaf.state, work, &mut sums);
            }
            leaf.values = sums.map(|sum| (sum / f64::from(self.count.max(1))) as f32);
        }
    }
}

impl Playouts {
    /// Runs one playout and adds the players' returns to `sums`.
    fn play<G: Describe>(
        &self,
        rules: &G::Rules,
        spec: &Spec,
        mut state: G,
        (stream, lists, stop): (&mut Stream, &mut [u32], Stop<'_>),
        sums: &mut [f64; MAX_PLAYERS],
    ) {
        let mut worth = 1.0;
        legal_and_status(rules, spec, &state, lists);
        for _ in 0..self.max_steps {
            let mut actions = [Action(0); MAX_PLAYERS];
            for (list, action) in lists.chunks_exact(spec.list_len()).zip(&mut actions) {
                *action = Action(list[1 + stream.below(list[0] as usize)]);
            }
            apply_to(rules, &mut state, &actions[..spec.mask_rows()]);
            let status = legal_and_status(rules, spec, &state, lists);
            for (sum, reward) in sums.iter_mut().zip(status.rewards) {
                *sum += worth * f64::from(reward);
            }
            worth *= f64::from(self.discount);
            if status.stage != Stage::Ongoing || stop() {
                break;
            }
        }
    }
}
