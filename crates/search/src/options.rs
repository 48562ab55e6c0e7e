//! What may be chosen when a search is made.

use fourfold_env::Spec;

use crate::error::SearchError;

/// How a search behaves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Options {
    /// How often each game's tree is walked down in one search, beyond the evaluation of its root.
    pub simulations: u32,
    /// How much weight priors have beside values, at first.
    pub c_init: f32,
    /// With how many visits that weight grows: it is `c_init + ln((visits + c_base + 1) / c_base)`.
    pub c_base: f32,
    /// What an action is worth that was not tried yet.
    pub untried: Untried,
    /// What makes two searches of one position differ.
    pub noise: Noise,
    /// How much worse an action looks for each walk that is under way there, as a part of its visits.
    pub virtual_loss: f32,
    /// The most leaves of one game in one call.
    pub leaves_per_game: usize,
    /// What a reward is worth one step later.
    pub discount: f32,
    /// The most nodes of one game's tree; 0 stands for twice as many as a search can add.
    pub max_nodes: usize,
    /// Whether each node keeps its state. Without it states are played again from the root.
    pub keep_states: bool,
    /// What all random numbers follow from, together with the index of the game.
    pub seed: u64,
    /// How many threads work; results do not depend on it.
    pub threads: usize,
}

/// What an action is worth that was not tried yet (first-play urgency).
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Untried {
    /// Always this.
    Value(f32),
    /// As much as the position is for the player, less this times the root of the share of priors that
    /// was tried.
    Parent {
        /// How much less, where all were tried.
        reduction: f32,
    },
}

/// What makes two searches of one position differ.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Noise {
    /// Nothing does.
    None,
    /// Priors of the root are mixed with random shares, as in AlphaZero.
    Dirichlet {
        /// How evenly shares are spread.
        alpha: f32,
        /// How much of a prior is a random share.
        fraction: f32,
    },
    /// Actions of the root are drawn without replacement and halved by what their values say
    /// (Danihelka et al., "Policy improvement by planning with Gumbel").
    Gumbel {
        /// How many are drawn.
        considered: usize,
        /// How much chance there is; with 0 the best priors are drawn.
        scale: f32,
        /// What counts of values beside logits is `(c_visit + most visits) · c_scale`.
        c_visit: f32,
        /// See `c_visit`.
        c_scale: f32,
    },
}

impl Noise {
    /// Gumbel noise with the numbers of the paper.
    pub const GUMBEL: Noise =
        Noise::Gumbel { considered: 16, scale: 1.0, c_visit: 50.0, c_scale: 0.1 };
}

impl Options {
    /// The usual options with so many simulations.
    pub const fn new(simulations: u32) -> Options {
        Options {
            simulations,
            c_init: 1.25,
            c_base: 19_652.0,
            untried: Untried::Parent { reduction: 0.0 },
            noise: Noise::None,
            virtual_loss: 1.0,
            leaves_per_game: 1,
            discount: 1.0,
            max_nodes: 0,
            keep_states: false,
            seed: 0,
            threads: 1,
        }
    }

    /// The most nodes of one game's tree.
    pub(crate) const fn most_nodes(&self) -> usize {
        let added = self.simulations as usize + 1;
        if self.max_nodes == 0 { 2 * added } else { self.max_nodes }
    }

    /// # Errors
    /// If a number is out of its range, or a tree would not fit in its indices.
    pub(crate) fn check(&self, spec: &Spec) -> Result<(), SearchError> {
        let Options { simulations, leaves_per_game, threads, max_nodes, .. } = *self;
        let whole = [
            ("simulations", simulations as usize, 1, 1 << 24),
            ("leaves_per_game", leaves_per_game, 1, 1 << 16),
            ("threads", threads, 1, 1 << 10),
        ];
        for (what, value, least, most) in whole {
            if !(least..=most).contains(&value) {
                let range = (least as f64, most as f64);
                return Err(SearchError::Option { what, value: value as f64, range });
            }
        }
        if max_nodes != 0 && max_nodes <= simulations as usize {
            let range = (f64::from(simulations) + 1.0, f64::from(u32::MAX));
            return Err(SearchError::Option { what: "max_nodes", value: max_nodes as f64, range });
        }
        let mut real = vec![
            ("c_init", self.c_init, 0.0, 1e6),
            ("c_base", self.c_base, 1.0, 1e9),
            ("virtual_loss", self.virtual_loss, 0.0, 1e6),
            ("discount", self.discount, 0.0, 1.0),
        ];
        match self.untried {
            Untried::Value(value) => real.push(("untried", value, -1e6, 1e6)),
            Untried::Parent { reduction } => real.push(("reduction", reduction, -1e6, 1e6)),
        }
        match self.noise {
            Noise::None => {}
            Noise::Dirichlet { alpha, fraction } => {
                real.push(("alpha", alpha, 1e-4, 1e4));
                real.push(("fraction", fraction, 0.0, 1.0));
            }
            Noise::Gumbel { considered, scale, c_visit, c_scale } => {
                if considered == 0 {
                    let range = (1.0, spec.max_legal as f64);
                    return Err(SearchError::Option { what: "considered", value: 0.0, range });
                }
                real.push(("scale", scale, 0.0, 1e3));
                real.push(("c_visit", c_visit, 0.0, 1e6));
                real.push(("c_scale", c_scale, 0.0, 1e6));
            }
        }
        for (what, value, least, most) in real {
            if !(least..=most).contains(&value) {
                let (value, range) = (f64::from(value), (f64::from(least), f64::from(most)));
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
