//! The workloads, with the implementations that each one compares.

mod analysis;
mod blokus;
mod chess;
mod env;
mod four_player;
mod kung_fu;
mod search;

pub(crate) use search::print_sizes;

use crate::contest::{Comparison, WorkloadSize};

/// Returns the workloads of all modules.
pub(crate) fn contests(effort: WorkloadSize) -> Vec<Comparison> {
    let modules = [
        chess::contests,
        four_player::contests,
        blokus::contests,
        kung_fu::contests,
        analysis::contests,
        env::contests,
        search::contests,
    ];
    modules.iter().flat_map(|contests| contests(effort)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_contest_runs() {
        for contest in contests(WorkloadSize::Quick) {
            contest.run(1);
        }
    }
}
