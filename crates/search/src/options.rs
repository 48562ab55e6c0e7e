//! The options of a search.

use fourfold_env::{Spec, entropy};

use crate::error::SearchError;

/// The options of a search. Those that the library mctx has, too, have its names.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Options {
    /// The number of simulations per game in one search, not counting the evaluation of the root.
    pub simulations: u32,
    /// The exploration weight of the priors at low visit counts.
    pub pb_c_init: f32,
    /// Sets how fast the exploration weight grows with the visits of a node: it is
    /// `pb_c_init + ln((visits + pb_c_base + 1) / pb_c_base)`.
    pub pb_c_base: f32,
    /// The value of actions that have not been tried yet.
    pub first_play_urgency: FirstPlayUrgency,
    /// The exploration noise at the root.
    pub noise: Noise,
    /// The value of an action is reduced by this much times the fraction of its visits that are
    /// still in flight.
    pub virtual_loss: f32,
    /// The maximum number of leaves that one game contributes to a batch.
    pub leaves_per_game: usize,
    /// The discount factor per step.
    pub discount: f32,
    /// The maximum number of nodes of one game's tree. 0 means twice as many as one search can add.
    pub max_nodes: usize,
    /// Whether nodes store their states. Otherwise, states are recomputed by replaying the actions
    /// from the root.
    pub keep_states: bool,
    /// The seed. Each game's random numbers follow from it and the index of the game.
    pub seed: u64,
    /// The number of threads. Results do not depend on it.
    pub threads: usize,
}

/// The value of actions that have not been tried yet (first-play urgency).
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum FirstPlayUrgency {
    /// A constant.
    Value(f32),
    /// The value of the parent node for the player, minus `reduction` times the square root of the
    /// total prior of the actions already tried.
    Parent {
        /// The reduction when all actions have been tried.
        reduction: f32,
    },
}

/// The exploration noise at the root.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Noise {
    /// No noise.
    None,
    /// Dirichlet noise mixed into the priors of the root, as in AlphaZero.
    Dirichlet {
        /// The concentration parameter: the larger it is, the more evenly the noise is spread.
        alpha: f32,
        /// The fraction of each prior that is replaced by noise.
        fraction: f32,
    },
    /// Actions of the root are sampled without replacement and reduced by sequential halving
    /// (Danihelka et al., "Policy improvement by planning with Gumbel").
    Gumbel {
        /// The maximum number of actions sampled.
        max_num_considered_actions: usize,
        /// The scale of the noise. With 0, the actions with the highest priors are considered.
        scale: f32,
        /// Values are weighted against logits by `(maxvisit_init + max visits) · value_scale`.
        maxvisit_init: f32,
        /// See `maxvisit_init`.
        value_scale: f32,
    },
}

impl Noise {
    /// Gumbel noise with the parameters of the paper.
    pub const GUMBEL: Noise = Noise::Gumbel {
        max_num_considered_actions: 16,
        scale: 1.0,
        maxvisit_init: 50.0,
        value_scale: 0.1,
    };
}

impl Options {
    /// Returns the default options with a number of simulations, and a seed from the operating system.
    ///
    /// # Panics
    /// Panics if the operating system has no source of random numbers.
    pub fn new(simulations: u32) -> Options {
        Options {
            simulations,
            pb_c_init: 1.25,
            pb_c_base: 19_652.0,
            first_play_urgency: FirstPlayUrgency::Parent { reduction: 0.0 },
            noise: Noise::None,
            virtual_loss: 1.0,
            leaves_per_game: 1,
            discount: 1.0,
            max_nodes: 0,
            keep_states: false,
            seed: entropy(),
            threads: 1,
        }
    }

    /// The maximum number of nodes of one game's tree.
    pub(crate) const fn most_nodes(&self) -> usize {
        let added = self.simulations as usize + 1;
        if self.max_nodes == 0 { 2 * added } else { self.max_nodes }
    }

    /// # Errors
    /// Returns an error if a value is out of range, or if a tree would overflow its indices.
    pub(crate) fn check(&self, spec: &Spec) -> Result<(), SearchError> {
        let whole = |what, value: usize, least: usize, most: usize| {
            (what, value as f64, (least as f64, most as f64))
        };
        let real = |what, value: f32, least: f32, most: f32| {
            (what, f64::from(value), (f64::from(least), f64::from(most)))
        };
        let simulations = self.simulations as usize;
        let mut ranges = vec![
            whole("simulations", simulations, 1, 1 << 24),
            whole("leaves_per_game", self.leaves_per_game, 1, 1 << 16),
            whole("threads", self.threads, 1, 1 << 10),
            real("pb_c_init", self.pb_c_init, 0.0, 1e6),
            real("pb_c_base", self.pb_c_base, 1.0, 1e9),
            real("virtual_loss", self.virtual_loss, 0.0, 1e6),
            real("discount", self.discount, 0.0, 1.0),
            match self.first_play_urgency {
                FirstPlayUrgency::Value(value) => real("first_play_urgency", value, -1e6, 1e6),
                FirstPlayUrgency::Parent { reduction } => real("reduction", reduction, -1e6, 1e6),
            },
        ];
        if self.max_nodes != 0 {
            // A number that is too large is reported together with the number of actions.
            let most = u32::MAX as usize;
            ranges.push(whole("max_nodes", self.max_nodes.min(most), simulations + 1, most));
        }
        match self.noise {
            Noise::None => {}
            Noise::Dirichlet { alpha, fraction } => ranges.extend([
                real("dirichlet_alpha", alpha, 1e-4, 1e4),
                real("dirichlet_fraction", fraction, 0.0, 1.0),
            ]),
            Noise::Gumbel { max_num_considered_actions, scale, maxvisit_init, value_scale } => {
                // Numbers above the largest possible one are accepted.
                let considered = max_num_considered_actions.min(spec.max_legal);
                ranges.extend([
                    whole("max_num_considered_actions", considered, 1, spec.max_legal),
                    real("gumbel_scale", scale, 0.0, 1e3),
                    real("maxvisit_init", maxvisit_init, 0.0, 1e6),
                    real("value_scale", value_scale, 0.0, 1e6),
                ]);
            }
        }
        for (what, value, range) in ranges {
            if !(range.0..=range.1).contains(&value) {
                return Err(SearchError::Option { what, value, range });
            }
        }
        let most = self.most_nodes().saturating_mul(spec.mask_rows() * spec.max_legal);
        if spec.max_legal > usize::from(u16::MAX) || most >= u32::MAX as usize {
            return Err(SearchError::TooLarge { nodes: self.most_nodes(), legal: spec.max_legal });
        }
        Ok(())
    }
}
