//! Estimates of strength from game results.

use std::cmp::Ordering;

use crate::game_scores::wilson;

/// The results of a player against others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// The number of games won.
    pub won: u32,
    /// The number of games drawn.
    pub drawn: u32,
    /// The number of games lost.
    pub lost: u32,
}

/// A value with its confidence interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The estimate.
    pub value: f64,
    /// The upper end.
    pub high: f64,
}

/// The number of standard deviations around the mean that contain 95% of a normal distribution.
pub(crate) const DEVIATIONS: f64 = 1.959_964;

impl Tally {
    /// Returns the number of games.
    pub fn games(self) -> u32 {
        self.won + self.drawn + self.lost
    }

    /// Adds a game against another player, by the places of both. The lower place wins.
    pub fn add(&mut self, place: f64, other: f64) {
        match place.total_cmp(&other) {
            Ordering::Less => self.won += 1,
            Ordering::Equal => self.drawn += 1,
            Ordering::Greater => self.lost += 1,
        }
    }

    /// Returns the points scored. A draw counts as half a point.
    pub fn points(self) -> f64 {
        f64::from(self.won) + f64::from(self.drawn) / 2.0
    }

    /// Returns the share of points scored, with its 95% Wilson score interval. This holds for few
    /// games and for perfect scores. With draws, the interval is slightly wider than necessary. The
    /// games must be independent; see [`GameScores`](crate::GameScores) for several opponents.
    pub fn share(self) -> Interval {
        let games = f64::from(self.games());
        if games == 0.0 {
            return Interval { low: 0.0, value: 0.5, high: 1.0 };
        }
        wilson(self.points() / games, games)
    }

    /// Returns how much stronger the player is than its opponents, in Elo points.
    pub fn elo(self) -> Interval {
        self.share().to_elo()
    }
}

impl Interval {
    /// Converts shares of points to Elo differences.
    pub(crate) fn to_elo(self) -> Interval {
        let Interval { low, value, high } = self;
        Interval { low: elo(low), value: elo(value), high: elo(high) }
    }
}

/// Returns the Elo difference for a share of points. Infinite for shares of 0 and 1.
pub(crate) fn elo(share: f64) -> f64 {
    -400.0 * (1.0 / share - 1.0).log10()
}

/// Returns the expected share of points for an Elo difference.
pub(crate) fn share(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// A sequential probability ratio test between two Elo differences, with 5% for either type of
/// error.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    pub(crate) lower: f64,
    pub(crate) upper: f64,
}

impl Sprt {
    /// Creates a test between two Elo differences, or returns `None` unless `lower < upper`.
    pub fn new(lower: f64, upper: f64) -> Option<Sprt> {
        (lower < upper).then_some(Sprt { lower, upper })
    }

    /// Returns the absolute log-likelihood ratio that ends the test.
    pub fn bound() -> f64 {
        (0.95_f64 / 0.05).ln()
    }

    /// Returns the log-likelihood ratio of the upper to the lower difference, by the normal
    /// approximation common in engine testing. Half a game of each result is added, so that the
    /// variance is never zero.
    pub fn ratio(self, tally: Tally) -> f64 {
        let [won, drawn, lost] =
            [tally.won, tally.drawn, tally.lost].map(|count| f64::from(count) + 0.5);
        let games = won + drawn + lost;
        let mean = (won + drawn / 2.0) / games;
        let variance =
            (won * (1.0 - mean).powi(2) + drawn * (0.5 - mean).powi(2) + lost * mean.powi(2))
                / games;
        let (lower, upper) = (share(self.lower), share(self.upper));
        games * (upper - lower) * (2.0 * mean - lower - upper) / (2.0 * variance)
    }

    /// Returns the accepted and the rejected difference, or `None` if more games are needed.
    pub fn verdict(self, tally: Tally) -> Option<(f64, f64)> {
        match self.ratio(tally) {
            ratio if ratio >= Sprt::bound() => Some((self.upper, self.lower)),
            ratio if ratio <= -Sprt::bound() => Some((self.lower, self.upper)),
            _ => None,
        }
    }

    /// Adds up the results of the first player, given the places of two players in each game, until
    /// the test decides or there are no more games.
    pub fn count_until_decided(self, games: impl IntoIterator<Item = [f64; 2]>) -> Tally {
        let mut tally = Tally::default();
        for [first, second] in games {
            tally.add(first, second);
            if self.verdict(tally).is_some() {
                break;
            }
        }
        tally
    }

    /// Describes the result of the test in one line.
    pub fn summary(self, tally: Tally) -> String {
        let (ratio, bound) = (self.ratio(tally), Sprt::bound());
        let says = match self.verdict(tally) {
            Some((accepted, rejected)) => format!("{accepted} Elo rather than {rejected}"),
            None => "undecided".to_owned(),
        };
        format!(
            "SPRT {} {}: log likelihood ratio {ratio:.2} (±{bound:.2}): {says}",
            self.lower, self.upper
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(left: f64, right: f64, by: f64) {
        assert!((left - right).abs() <= by, "{left} is not {right}");
    }

    #[test]
    fn elo_matches_the_fide_table() {
        // In FIDE's table, 64% is 102 points, 76% is about 202, and 91% is 401.
        close(elo(0.64), 100.0, 0.1);
        close(elo(0.5), 0.0, 1e-9);
        close(elo(0.76), 200.2, 0.1);
        close(elo(10.0 / 11.0), 400.0, 1e-9);
        for difference in [-600.0, -35.0, 0.0, 70.0, 400.0] {
            close(elo(share(difference)), difference, 1e-6);
        }
        assert!(elo(1.0).is_infinite() && elo(0.0).is_infinite());
    }

    #[test]
    fn intervals_match_published_values() {
        // 81 of 263, from Newcombe (1998): 0.2553 to 0.3662.
        let Interval { low, value, high } = Tally { won: 81, drawn: 0, lost: 182 }.share();
        close(value, 81.0 / 263.0, 1e-9);
        close(low, 0.2553, 5e-5);
        close(high, 0.3662, 5e-5);
        // 0 of 20: 0 to 0.1611; 1 of 29: 0.0061 to 0.1718.
        close(Tally { won: 0, drawn: 0, lost: 20 }.share().high, 0.1611, 5e-5);
        let one = Tally { won: 1, drawn: 0, lost: 28 }.share();
        close(one.low, 0.0061, 5e-5);
        close(one.high, 0.1718, 5e-5);
        let all = Tally { won: 10, drawn: 0, lost: 0 }.elo();
        assert!(all.low > 100.0 && all.high.is_infinite());
        assert_eq!(Tally::default().share(), Interval { low: 0.0, value: 0.5, high: 1.0 });
    }

    #[test]
    fn sprt_verdicts() {
        let test = Sprt { lower: 0.0, upper: 10.0 };
        close(Sprt::bound(), 2.944, 1e-3);
        // By hand: 1000 games with 400 wins and 300 losses have a mean of 0.55 and a variance of
        // 0.1725.
        let tally = Tally { won: 400, drawn: 300, lost: 300 };
        let upper = share(10.0);
        let expected = 1000.0 * (upper - 0.5) * (1.1 - 0.5 - upper) / (2.0 * 0.1725);
        close(test.ratio(tally), expected, 0.02);
        assert_eq!(test.verdict(tally), Some((10.0, 0.0)));
        assert_eq!(test.verdict(Tally { won: 300, drawn: 300, lost: 400 }), Some((0.0, 10.0)));
        assert_eq!(test.verdict(Tally { won: 5, drawn: 5, lost: 5 }), None);
        // A player who wins every game is recognized, and quickly if the difference tested is
        // large.
        let strong = Sprt { lower: 0.0, upper: 150.0 };
        assert_eq!(strong.verdict(Tally { won: 30, drawn: 0, lost: 0 }), Some((150.0, 0.0)));
        assert_eq!(strong.verdict(Tally { won: 0, drawn: 0, lost: 30 }), Some((0.0, 150.0)));
    }

    #[test]
    fn sprt_counts_no_games_after_its_decision() {
        let test = Sprt::new(0.0, 150.0).expect("a test");
        let tally = test.count_until_decided([[1.0, 2.0]; 30].into_iter().chain([[2.0, 1.0]; 30]));
        assert!(tally.won < 30 && tally.lost == 0 && test.verdict(tally).is_some());
        assert!(test.summary(tally).ends_with(": 150 Elo rather than 0"));
        let before = test.count_until_decided(vec![[1.0, 2.0]; tally.won as usize - 1]);
        assert_eq!(test.verdict(before), None);
        assert!(test.summary(before).ends_with(": undecided"));
        let mixed = test.count_until_decided([[1.0, 2.0], [1.5, 1.5], [2.0, 1.0]]);
        assert_eq!(mixed, Tally { won: 1, drawn: 1, lost: 1 });
        for (lower, upper) in [(5.0, 0.0), (5.0, 5.0), (0.0, f64::NAN)] {
            assert_eq!(Sprt::new(lower, upper), None);
        }
    }
}
