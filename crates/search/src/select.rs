//! Which edge a walk takes.

use crate::options::{Options, Untried};
use crate::tree::Row;

/// What a row is chosen from: its edges, and how the node stands for the player of the row.
#[derive(Clone, Copy)]
pub(crate) struct Choice<'a> {
    pub(crate) row: Row<'a>,
    /// Visits of the node, walks under way included.
    pub(crate) visits: u32,
    /// The mean of what the player got from the node on.
    pub(crate) mean: f64,
}

/// The edge with the highest value and promise (PUCT); of equal ones the first.
#[inline]
pub(crate) fn puct(options: &Options, choice: Choice<'_>) -> usize {
    let Choice { row, visits, mean } = choice;
    let visits = f64::from(visits);
    let base = f64::from(options.c_base);
    let weight = f64::from(options.c_init) + ((visits + base + 1.0) / base).ln();
    let promise = weight * visits.sqrt();
    let untried = match options.untried {
        Untried::Value(value) => f64::from(value),
        Untried::Parent { reduction: 0.0 } => mean,
        Untried::Parent { reduction } => {
            let edges = row.edges.iter().zip(row.stats);
            let tried = edges.filter(|(_, stat)| stat.visits > 0);
            let share: f64 = tried.map(|(edge, _)| f64::from(edge.prior)).sum();
            mean - f64::from(reduction) * share.sqrt()
        }
    };
    let mut best = (0, f64::NEG_INFINITY);
    if row.stats.is_empty() {
        for (index, edge) in row.edges.iter().enumerate() {
            let score = untried + promise * f64::from(edge.prior);
            if score > best.1 {
                best = (index, score);
            }
        }
        return best.0;
    }
    let loss = f64::from(options.virtual_loss);
    for (index, (edge, stat)) in row.edges.iter().zip(row.stats).enumerate() {
        let all = f64::from(stat.visits + stat.pending);
        let mut value =
            if stat.visits == 0 { untried } else { stat.value / f64::from(stat.visits) };
        if stat.pending > 0 {
            value -= loss * f64::from(stat.pending) / all;
        }
        let score = value + promise * f64::from(edge.prior) / (1.0 + all);
        if score > best.1 {
            best = (index, score);
        }
    }
    best.0
}
