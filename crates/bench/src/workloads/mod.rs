//! The workloads, with the implementations that each one compares.

mod analysis;
mod blokus;
mod chess;
mod env;
mod four_player;
mod kung_fu;
mod search;

pub(crate) use search::print_sizes;

use crate::comparison::{Comparison, WorkloadSize};

/// Returns the workloads of all modules.
pub(crate) fn comparisons(size: WorkloadSize) -> Vec<Comparison> {
    let modules = [
        chess::comparisons,
        four_player::comparisons,
        blokus::comparisons,
        kung_fu::comparisons,
        analysis::comparisons,
        env::comparisons,
        search::comparisons,
    ];
    modules.iter().flat_map(|comparisons| comparisons(size)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_comparison_runs() {
        for comparison in comparisons(WorkloadSize::Quick) {
            comparison.run(1);
        }
    }
}
