//! Selection of edges by PUCT.

use fourfold_env::Action;
use fourfold_tree::Row;

use crate::options::{FirstPlayUrgency, Options};

/// The edges of a row to choose from, with the statistics of the node for the player of the row.
#[derive(Clone, Copy)]
pub(crate) struct Choice<'a> {
    pub(crate) row: Row<'a, Action, f32>,
    /// The visits of the node, including simulations in flight.
    pub(crate) visits: u32,
    /// The mean return of the player from this node on.
    pub(crate) mean: f64,
}

/// Returns the edge with the highest PUCT score, or the first of several.
#[inline]
pub(crate) fn puct(options: &Options, choice: Choice<'_>) -> usize {
    let Choice { row, visits, mean } = choice;
    let visits = f64::from(visits);
    let base = f64::from(options.pb_c_base);
    let weight = f64::from(options.pb_c_init) + ((visits + base + 1.0) / base).ln();
    let unvisited = match options.first_play_urgency {
        FirstPlayUrgency::Value(value) => f64::from(value),
        FirstPlayUrgency::Parent { reduction: 0.0 } => mean,
        FirstPlayUrgency::Parent { reduction } => {
            let edges = row.edges.iter().zip(row.stats);
            let tried = edges.filter(|(_, stat)| stat.visits > 0);
            let share: f64 = tried.map(|(edge, _)| f64::from(edge.prior)).sum();
            mean - f64::from(reduction) * share.sqrt()
        }
    };
    row.select(weight * visits.sqrt(), unvisited, f64::from(options.virtual_loss))
}
