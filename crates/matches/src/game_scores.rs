//! The strength of a player in games with several opponents.

use crate::statistics::{DEVIATIONS, Interval};

/// The scores of a player in games, each from 0 to 1.
///
/// In a game with several opponents, the score is the mean over them, of 1 for an opponent who
/// placed lower, and half of that for a tie. The comparisons of one game are not independent: a
/// player who plays well places ahead of all. So the interval follows from the scores of whole
/// games.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct GameScores {
    games: u32,
    sum: f64,
    squares: f64,
}

impl GameScores {
    /// Adds the score of a game.
    pub fn add(&mut self, score: f64) {
        self.games += 1;
        self.sum += score;
        self.squares += score * score;
    }

    /// Returns the mean score, with a 95% Wilson score interval for as many games as would have the
    /// same standard error if each were either won or lost. If all of them are, it is the usual
    /// Wilson interval.
    pub fn share(&self) -> Interval {
        let games = f64::from(self.games);
        if games == 0.0 {
            return Interval { low: 0.0, value: 0.5, high: 1.0 };
        }
        // One game of each extreme is added, so that a few equal scores do not look certain.
        let mean = (self.sum + 1.0) / (games + 2.0);
        let variance = (self.squares + 1.0) / (games + 2.0) - mean * mean;
        // The variance is at most that of games that are won or lost.
        let games = games * (mean * (1.0 - mean) / variance).max(1.0);
        wilson(self.sum / f64::from(self.games), games)
    }

    /// Returns how much stronger the player is than its opponents, in Elo points.
    pub fn elo(&self) -> Interval {
        self.share().to_elo()
    }
}

/// Returns the 95% Wilson score interval of a share of points in a number of games. This holds for
/// few games and for perfect scores.
pub(crate) fn wilson(share: f64, games: f64) -> Interval {
    let square = DEVIATIONS * DEVIATIONS;
    let middle = (share + square / (2.0 * games)) / (1.0 + square / games);
    let spread = (share * (1.0 - share) / games + square / (4.0 * games * games)).sqrt();
    let spread = DEVIATIONS * spread / (1.0 + square / games);
    // Rounding must not exclude shares of 0 and 1 from the interval.
    let low = if share == 0.0 { 0.0 } else { middle - spread };
    let high = if share == 1.0 { 1.0 } else { middle + spread };
    Interval { low, value: share, high }
}

#[cfg(test)]
mod tests {
    use fourfold_common::SplitMix64;

    use super::*;
    use crate::Tally;

    /// A number from 0 to 1.
    fn uniform(rng: &mut SplitMix64) -> f64 {
        (rng.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// The results against three opponents, by pairs and by games: all four have a random strength on the
    /// day, to which the first adds `edge`.
    fn play(games: usize, edge: f64, rng: &mut SplitMix64) -> (Tally, Vec<f64>) {
        let mut pairs = Tally::default();
        let mut scores = Vec::new();
        for _ in 0..games {
            let strength = uniform(rng) + edge;
            let ahead = (0..3).filter(|_| uniform(rng) < strength).count();
            (0..3).for_each(|other| pairs.add(1.0, if other < ahead { 2.0 } else { 0.0 }));
            scores.push(ahead as f64 / 3.0);
        }
        (pairs, scores)
    }

    fn total(scores: &[f64]) -> GameScores {
        let mut sum = GameScores::default();
        scores.iter().for_each(|&score| sum.add(score));
        sum
    }

    fn contains(interval: Interval, value: f64) -> bool {
        (interval.low..=interval.high).contains(&value)
    }

    #[test]
    fn intervals_of_games_contain_the_true_share_as_often_as_they_say() {
        for (edge, games) in [(0.0, 20), (0.0, 60), (0.25, 60), (0.5, 60), (-0.5, 200)] {
            let mut rng = SplitMix64::new(7);
            let truth = play(200_000, edge, &mut rng).0.share().value;
            let (mut by_pairs, mut by_games) = (0, 0);
            for _ in 0..4000 {
                let (pairs, scores) = play(games, edge, &mut rng);
                by_pairs += usize::from(contains(pairs.share(), truth));
                by_games += usize::from(contains(total(&scores).share(), truth));
            }
            let [by_pairs, by_games] = [by_pairs, by_games].map(|count| count as f64 / 4000.0);
            assert!((0.935..0.975).contains(&by_games), "{by_games} of {games} games, {edge}");
            // Pairs taken as independent games promise too much.
            assert!(by_pairs < 0.93, "{by_pairs} of {games} games, {edge}");
        }
    }

    #[test]
    fn intervals_agree_with_a_bootstrap() {
        let mut rng = SplitMix64::new(3);
        for edge in [0.0, 0.2, -0.3] {
            let (_, scores) = play(150, edge, &mut rng);
            let mut means: Vec<f64> = (0..4000)
                .map(|_| {
                    let draw = |_| scores[(rng.next() % scores.len() as u64) as usize];
                    (0..scores.len()).map(draw).sum::<f64>() / scores.len() as f64
                })
                .collect();
            means.sort_by(f64::total_cmp);
            let Interval { low, high, .. } = total(&scores).share();
            assert!((low - means[100]).abs() < 0.012, "{low} is not {}", means[100]);
            assert!((high - means[3899]).abs() < 0.012, "{high} is not {}", means[3899]);
        }
    }

    #[test]
    fn games_won_or_lost_have_the_usual_interval() {
        for (won, lost) in [(0, 1), (1, 0), (5, 5), (81, 182), (20, 0), (0, 20)] {
            let mut scores = GameScores::default();
            (0..won).for_each(|_| scores.add(1.0));
            (0..lost).for_each(|_| scores.add(0.0));
            let (found, usual) = (scores.share(), Tally { won, drawn: 0, lost }.share());
            assert!((found.low - usual.low).abs() < 1e-9, "{found:?} is not {usual:?}");
            assert!((found.high - usual.high).abs() < 1e-9, "{found:?} is not {usual:?}");
        }
        assert_eq!(GameScores::default().share(), Tally::default().share());
        // Games that all end alike leave room for others.
        let same = total(&[2.0 / 3.0; 10]).share();
        assert!(same.low < 0.55 && same.high > 0.75, "{same:?}");
    }
}
