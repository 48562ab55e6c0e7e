//! Search with Gumbel noise: sequential halving at the root, and an improved policy from completed
//! values (Danihelka et al., "Policy improvement by planning with Gumbel", 2022).

use fourfold_tree::first_best;

use crate::random::softmax;
use crate::select::Choice;

/// The weight of values against logits.
#[derive(Clone, Copy)]
pub(crate) struct Scale {
    pub(crate) maxvisit_init: f32,
    pub(crate) value_scale: f32,
}

/// Writes the logit of each edge plus its scaled value. Edges that have not been tried get a value
/// mixed from the priors, the values of the other edges and the evaluation of the node. Values are
/// normalized to the range from 0 to 1 first.
pub(crate) fn improved_logits(scale: Scale, choice: Choice<'_>, out: &mut Vec<f32>) {
    let row = choice.row;
    let (mut visits, mut sum, mut most) = (0, 0.0, 0);
    let (mut share, mut weighted) = (0.0, 0.0);
    for (edge, stat) in row.edges.iter().zip(row.stats) {
        if stat.visits > 0 {
            visits += stat.visits;
            sum += stat.value;
            most = most.max(stat.visits);
            share += f64::from(edge.prior);
            weighted += f64::from(edge.prior) * stat.value / f64::from(stat.visits);
        }
    }
    // The evaluation of the node is the part of its sum that does not come from any edge.
    let evaluated = choice.mean * (1.0 + f64::from(visits)) - sum;
    let tried = if share > 0.0 { weighted / share } else { 0.0 };
    let mixed = (evaluated + f64::from(visits) * tried) / (1.0 + f64::from(visits));
    let (mut low, mut high) = (mixed, mixed);
    for stat in row.stats.iter().filter(|stat| stat.visits > 0) {
        let value = stat.value / f64::from(stat.visits);
        (low, high) = (low.min(value), high.max(value));
    }
    let weight = f64::from((scale.maxvisit_init + most as f32) * scale.value_scale);
    let stretch = weight / (high - low).max(1e-8);
    out.clear();
    out.extend(row.edges.iter().enumerate().map(|(index, edge)| {
        let stat = row.stat(index);
        let value = if stat.visits > 0 { stat.value / f64::from(stat.visits) } else { mixed };
        edge.prior.max(f32::MIN_POSITIVE).ln() + (stretch * (value - low)) as f32
    }));
}

/// Selects an edge below the root: the one whose share of the visits is furthest below its share of
/// the improved policy.
pub(crate) fn select_interior(scale: Scale, choice: Choice<'_>, scratch: &mut Vec<f32>) -> usize {
    improved_logits(scale, choice, scratch);
    softmax(scratch);
    let all = |index| {
        let stat = choice.row.stat(index);
        stat.visits + stat.pending
    };
    let total: u32 = (0..scratch.len()).map(all).sum();
    let score = |(index, share): (usize, &f32)| {
        f64::from(*share) - f64::from(all(index)) / (1.0 + f64::from(total))
    };
    first_best(scratch.iter().enumerate().map(score))
}

/// Selects an edge at the root, given the noise of each edge and its visits before this search:
/// among those with exactly `due` visits since, the one with the highest sum of noise, logit and
/// scaled value.
pub(crate) fn select_root(
    scale: Scale,
    choice: Choice<'_>,
    root_edges: &[(f32, u32)],
    due: u32,
    scratch: &mut Vec<f32>,
) -> usize {
    improved_logits(scale, choice, scratch);
    let score = |(index, logit): (usize, &f32)| {
        let stat = choice.row.stat(index);
        let (noise, before) = root_edges[index];
        let visits = stat.visits + stat.pending - before;
        (visits == due, f64::from(*logit + noise), visits)
    };
    let scores = scratch.iter().enumerate().map(score);
    match scores.clone().any(|(is_due, ..)| is_due) {
        true => first_best(
            scores.map(|(is_due, score, _)| if is_due { score } else { f64::NEG_INFINITY }),
        ),
        // If no edge is due, choose the one with the fewest visits.
        false => first_best(scores.map(|(_, _, visits)| -f64::from(visits))),
    }
}

/// Returns the edge to play: among those with the most visits in this search, the one with the
/// highest sum of noise, logit and scaled value.
pub(crate) fn best_action(
    scale: Scale,
    choice: Choice<'_>,
    root_edges: &[(f32, u32)],
    scratch: &mut Vec<f32>,
) -> usize {
    let visits = |index: usize| choice.row.stat(index).visits - root_edges[index].1;
    let most = (0..choice.row.edges.len()).map(visits).max().unwrap_or(0);
    improved_logits(scale, choice, scratch);
    first_best(scratch.iter().enumerate().map(|(index, logit)| match visits(index) == most {
        true => f64::from(*logit + root_edges[index].0),
        false => f64::NEG_INFINITY,
    }))
}

/// Appends the schedule of sequential halving: for each simulation, the number of visits that the
/// edge to be selected must have had. All considered edges are visited in turn, then the better
/// half of them, and so on.
pub(crate) fn schedule(considered: usize, simulations: usize, out: &mut Vec<u32>) {
    let end = out.len() + simulations;
    if considered <= 1 {
        out.extend(0..simulations as u32);
        return;
    }
    let rounds = considered.next_power_of_two().ilog2() as usize;
    let (mut left, mut visits) = (considered, 0);
    while out.len() < end {
        for _ in 0..(simulations / (rounds * left)).max(1) {
            let turns = left.min(end - out.len());
            out.extend(std::iter::repeat_n(visits, turns));
            visits += 1;
        }
        left = (left / 2).max(2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequential_halving_schedule() {
        let scheduled = |considered, simulations| {
            let mut out = Vec::new();
            schedule(considered, simulations, &mut out);
            out
        };
        // Two rounds: one visit each for four edges, then two visits each for the better two.
        assert_eq!(scheduled(4, 8), [0, 0, 0, 0, 1, 1, 2, 2]);
        assert_eq!(scheduled(1, 3), [0, 1, 2]);
        assert_eq!(scheduled(16, 5), [0; 5]);
        for (considered, simulations) in [(2, 9), (3, 50), (16, 200), (5, 7)] {
            let all = scheduled(considered, simulations);
            assert_eq!(all.len(), simulations);
            assert!(all.is_sorted() && all.iter().filter(|&&due| due == 0).count() <= considered);
        }
    }
}
