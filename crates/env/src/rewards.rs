//! What games pay at their end, where several pay in the same way.

use crate::game::MAX_PLAYERS;

/// Places by points from 1 to −1: as many steps up as others have fewer, down as others have more. Who
/// have the same share their places.
pub(crate) fn places<T: Copy + Ord>(points: &[T]) -> [f32; MAX_PLAYERS] {
    let mut rewards = [0.0; MAX_PLAYERS];
    for (reward, own) in rewards.iter_mut().zip(points) {
        let steps: i32 = points.iter().map(|other| own.cmp(other) as i32).sum();
        *reward = steps as f32 / (points.len() as f32 - 1.0);
    }
    rewards
}

/// One, shared by those who have won.
pub(crate) fn shares(players: usize, has_won: impl Fn(usize) -> bool) -> [f32; MAX_PLAYERS] {
    let sharing = (0..players).filter(|&player| has_won(player)).count();
    let mut rewards = [0.0; MAX_PLAYERS];
    for (player, reward) in rewards[..players].iter_mut().enumerate() {
        *reward = if has_won(player) { 1.0 / sharing as f32 } else { 0.0 };
    }
    rewards
}
