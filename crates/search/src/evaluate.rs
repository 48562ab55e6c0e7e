//! What says how good a position is.

use fourfold_env::{Action, Game, MAX_PLAYERS, Spec, Stage, Stream, apply_to, look_at};

/// A position that waits for an evaluation, and where the evaluation goes.
#[derive(Clone, Debug)]
pub struct Leaf<G> {
    /// The index of its game.
    pub(crate) game: usize,
    pub(crate) state: G,
    /// For each row a count and the actions.
    pub(crate) lists: Vec<u32>,
    /// For all rows together, in the order of the lists.
    pub(crate) logits: Vec<f32>,
    pub(crate) values: [f32; MAX_PLAYERS],
    pub(crate) random: u64,
    /// The nodes from the root to the leaf.
    pub(crate) path: Vec<u32>,
}

impl<G: Game> Leaf<G> {
    pub(crate) fn new(game: usize, state: G) -> Leaf<G> {
        let (lists, logits, path) = (Vec::new(), Vec::new(), Vec::new());
        Leaf { game, state, lists, logits, values: [0.0; MAX_PLAYERS], random: 0, path }
    }

    /// The index of its game.
    pub const fn game(&self) -> usize {
        self.game
    }

    /// The position, in which the game is not over.
    pub const fn state(&self) -> &G {
        &self.state
    }

    /// A random number of its own, to draw others from.
    pub const fn random(&self) -> u64 {
        self.random
    }

    /// The legal actions of each row: of the acting player, or of each player where all act; with each
    /// row the logits that belong to them, to be filled.
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

    /// What each player gets from here on, to be filled. It is 0 at first, as all logits are.
    pub const fn values(&mut self) -> &mut [f32; MAX_PLAYERS] {
        &mut self.values
    }
}

/// What says how good positions are, and what to try there.
pub trait Evaluate<G: Game>: Sync {
    /// What is kept for one game during one search.
    type Memory: Default;

    /// Fills logits and values of some leaves of one game.
    fn evaluate(
        &self,
        rules: &G::Rules,
        spec: &Spec,
        memory: &mut Self::Memory,
        leaves: &mut [Leaf<G>],
    );
}

/// Every action is as good as any other, and so is every position: only what the tree reaches counts.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Uniform {
    /// What every player gets from anywhere on: 0 unless what all get is something else, as where one
    /// win is shared.
    pub value: f32,
}

impl<G: Game> Evaluate<G> for Uniform {
    type Memory = ();

    fn evaluate(&self, _: &G::Rules, _: &Spec, (): &mut (), leaves: &mut [Leaf<G>]) {
        leaves.iter_mut().for_each(|leaf| leaf.values = [self.value; MAX_PLAYERS]);
    }
}

/// Every action is as good as any other, and a position is worth what random play gets from it.
#[derive(Clone, Copy, Debug)]
pub struct Playouts {
    /// How many games are played from a leaf; values are their mean.
    pub count: u32,
    /// A game is given up after so many steps, with what was got until then.
    pub max_steps: u32,
    /// What a reward is worth one step later.
    pub discount: f32,
}

impl Default for Playouts {
    fn default() -> Playouts {
        Playouts { count: 1, max_steps: 1000, discount: 1.0 }
    }
}

impl<G: Game> Evaluate<G> for Playouts {
    /// Lists of legal actions.
    type Memory = Vec<u32>;

    fn evaluate(
        &self,
        rules: &G::Rules,
        spec: &Spec,
        lists: &mut Vec<u32>,
        leaves: &mut [Leaf<G>],
    ) {
        lists.resize(spec.mask_rows() * spec.list_len(), 0);
        for leaf in leaves {
            let mut sums = [0.0; MAX_PLAYERS];
            for playout in 0..self.count {
                let mut stream = Stream::new(leaf.random, u64::from(playout));
                self.play(rules, spec, leaf.state.clone(), (&mut stream, lists), &mut sums);
            }
            leaf.values = sums.map(|sum| (sum / f64::from(self.count.max(1))) as f32);
        }
    }
}

impl Playouts {
    /// Plays one game to its end, and adds what the players get.
    fn play<G: Game>(
        &self,
        rules: &G::Rules,
        spec: &Spec,
        mut state: G,
        (stream, lists): (&mut Stream, &mut [u32]),
        sums: &mut [f64; MAX_PLAYERS],
    ) {
        let mut worth = 1.0;
        look_at(rules, spec, &state, lists);
        for _ in 0..self.max_steps {
            let mut actions = [Action(0); MAX_PLAYERS];
            for (list, action) in lists.chunks_exact(spec.list_len()).zip(&mut actions) {
                *action = Action(list[1 + stream.below(list[0] as usize)]);
            }
            apply_to(rules, &mut state, &actions[..spec.mask_rows()]);
            let status = look_at(rules, spec, &state, lists);
            for (sum, reward) in sums.iter_mut().zip(status.rewards) {
                *sum += worth * f64::from(reward);
            }
            worth *= f64::from(self.discount);
            if status.stage != Stage::Ongoing {
                break;
            }
        }
    }
}
