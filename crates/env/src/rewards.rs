//! Final rewards that several games share.

use crate::game::MAX_PLAYERS;

/// Returns rank rewards from 1 for the most points to −1 for the fewest: a player gains a step for
/// every player with fewer points and loses one for every player with more. Tied players get the
/// same reward.
pub(crate) fn ranks<T: Copy + Ord>(points: &[T]) -> [f32; MAX_PLAYERS] {
    let mut rewards = [0.0; MAX_PLAYERS];
    for (reward, own) in rewards.iter_mut().zip(points) {
        let steps: i32 = points.iter().map(|other| own.cmp(other) as i32).sum();
        *reward = steps as f32 / (points.len() as f32 - 1.0);
    }
    rewards
}

/// Returns rewards that sum to 1, split equally among the winners.
pub(crate) fn split_win(players: usize, has_won: impl Fn(usize) -> bool) -> [f32; MAX_PLAYERS] {
    let sharing = (0..players).filter(|&player| has_won(player)).count();
    let mut rewards = [0.0; MAX_PLAYERS];
    for (player, reward) in rewards[..players].iter_mut().enumerate() {
        *reward = if has_won(player) { 1.0 / sharing as f32 } else { 0.0 };
    }
    rewards
}
