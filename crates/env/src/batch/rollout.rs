//! Summaries of whole games.

use std::ops::Range;

use crate::game::{MAX_PLAYERS, Spec, Stage, Status};

/// Summary of many games.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rollout {
    /// Number of games played.
    pub games: u64,
    /// Total number of steps.
    pub steps: u64,
    /// Number of games won by each player.
    pub wins: [u64; MAX_PLAYERS],
    /// Number of truncated games.
    pub truncated: u64,
    /// Number of games with each of the endings in
    /// [`AnyBatch::endings`](crate::AnyBatch::endings).
    pub endings: Vec<u64>,
}

impl Rollout {
    /// Returns an empty summary.
    pub(crate) fn empty(spec: &Spec) -> Rollout {
        Rollout { endings: vec![0; spec.endings.len() + 1], ..Rollout::default() }
    }

    /// Adds a game by its final status; the caller counts its steps.
    #[inline(always)]
    pub(crate) fn add(&mut self, status: &Status) {
        self.games += 1;
        self.truncated += u64::from(status.stage == Stage::Truncated);
        if let Some(winner) = status.winner {
            self.wins[winner as usize] += 1;
        }
        if let Some(ending) = status.ending {
            self.endings[ending as usize] += 1;
        }
    }

    /// Returns the sum of both summaries.
    pub(crate) fn merge(mut self, other: Rollout) -> Rollout {
        self.games += other.games;
        self.steps += other.steps;
        self.truncated += other.truncated;
        let add = |(sum, more): (&mut u64, u64)| *sum += more;
        self.wins.iter_mut().zip(other.wins).for_each(add);
        self.endings.resize(self.endings.len().max(other.endings.len()), 0);
        self.endings.iter_mut().zip(other.endings).for_each(add);
        self
    }
}

/// Returns the number of games, saturating at `usize::MAX`.
pub(crate) fn count(games: &Range<u64>) -> usize {
    usize::try_from(games.end.saturating_sub(games.start)).unwrap_or(usize::MAX)
}

/// Keeps the first `first` of the `parts` equal parts of a range, and returns the rest.
pub(crate) fn split_off(games: &mut Range<u64>, parts: usize, first: usize) -> Range<u64> {
    // The product may overflow 64 bits.
    let few = (u128::from(games.end - games.start) * first as u128 / parts as u128) as u64;
    let end = std::mem::replace(&mut games.end, games.start + few);
    games.end..end
}
