//! The results of a match: score, strength and effort of each player.

use std::fmt::Write;

use crate::game_scores::GameScores;
use crate::play::{Effort, Played};
use crate::statistics::{Interval, Tally};

/// The totals over all games, by player.
#[derive(Clone, Debug)]
pub struct Standings {
    names: Vec<String>,
    tallies: Vec<Tally>,
    scores: Vec<GameScores>,
    places: Vec<f64>,
    /// How often each player was first without a tie.
    firsts: Vec<u32>,
    efforts: Vec<Effort>,
    games: u32,
}

/// The result of a player in all games.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct PlayerResult {
    /// The name of the player.
    pub name: String,
    /// The number of games.
    pub games: u32,
    /// The mean place, where 1 is the best.
    pub mean_place: f64,
    /// How often the player was first without a tie.
    pub first: Interval,
    /// The results against each of the others.
    pub tally: Tally,
    /// The share of the points.
    pub share: Interval,
    /// How much stronger the player is than the others, in Elo points.
    pub elo: Interval,
    /// The number of positions searched per second.
    pub nodes_per_second: f64,
    /// The mean time per move.
    pub seconds_per_move: f64,
}

impl Standings {
    /// Creates the standings of players with these names, before the first game.
    pub fn new(names: Vec<String>) -> Standings {
        let count = names.len();
        Standings {
            names,
            tallies: vec![Tally::default(); count],
            scores: vec![GameScores::default(); count],
            places: vec![0.0; count],
            firsts: vec![0; count],
            efforts: vec![Effort::default(); count],
            games: 0,
        }
    }

    /// Adds a game. Each player scores a win against every player who placed lower.
    ///
    /// # Panics
    /// Panics if the result is not that of as many players.
    pub fn add(&mut self, result: &Played) {
        self.games += 1;
        for (player, &place) in result.places.iter().enumerate() {
            self.places[player] += place;
            self.firsts[player] += u32::from(place == 1.0);
            self.efforts[player].add(result.effort[player]);
            let mut game = Tally::default();
            for (other, &theirs) in result.places.iter().enumerate() {
                if other != player {
                    game.add(place, theirs);
                    self.tallies[player].add(place, theirs);
                }
            }
            self.scores[player].add(game.share().value);
        }
    }

    /// Returns the results of the first player against the others.
    pub fn first(&self) -> Tally {
        self.tallies[0]
    }

    /// Returns the result of each player.
    pub fn results(&self) -> Vec<PlayerResult> {
        (0..self.names.len()).map(|player| self.result(player)).collect()
    }

    fn result(&self, player: usize) -> PlayerResult {
        let tally = self.tallies[player];
        let (share, elo) = if self.names.len() > 2 {
            (self.scores[player].share(), self.scores[player].elo())
        } else {
            (tally.share(), tally.elo())
        };
        let won = self.firsts[player];
        let effort = self.efforts[player];
        let seconds = effort.time.as_secs_f64();
        PlayerResult {
            name: self.names[player].clone(),
            games: self.games,
            mean_place: self.places[player] / f64::from(self.games),
            first: Tally { won, drawn: 0, lost: self.games - won }.share(),
            tally,
            share,
            elo,
            nodes_per_second: if seconds > 0.0 { effort.nodes as f64 / seconds } else { 0.0 },
            seconds_per_move: seconds / effort.moves.max(1) as f64,
        }
    }

    /// Returns the results as a table for the terminal.
    pub fn table(&self) -> String {
        let several = self.names.len() > 2;
        let width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
        let percent = |share: f64| 100.0 * share;
        let mut text = format!("{:<width$}  {:>5}", "player", "games");
        if several {
            text += "  mean place   first  95% interval   ";
        }
        text += "    won  drawn   lost   score  95% interval        Elo  95% interval       nodes/s  ms/move\n";
        for result in self.results() {
            // Writing to a string does not fail.
            let _ = write!(text, "{:<width$}  {:>5}", result.name, result.games);
            if several {
                let _ = write!(text, "  {:>10.2}", result.mean_place);
                let Interval { low, value, high } = result.first;
                let _ = write!(text, "  {:>5.1}%", percent(value));
                let _ = write!(text, "  {:>5.1} to {:>5.1}%", percent(low), percent(high));
            }
            let Tally { won, drawn, lost } = result.tally;
            let Interval { low, value, high } = result.share;
            let _ = write!(text, "  {won:>5}  {drawn:>5}  {lost:>5}  {:>5.1}%", percent(value));
            let _ = write!(text, "  {:>5.1} to {:>5.1}%", percent(low), percent(high));
            let Interval { low, value, high } = result.elo;
            let _ =
                write!(text, "  {:>6}  {:>6} to {:<6}", signed(value), signed(low), signed(high));
            let (speed, each) = (result.nodes_per_second, 1000.0 * result.seconds_per_move);
            let _ = writeln!(text, "  {speed:>8.0}  {each:>7.1}");
        }
        text
    }
}

fn signed(elo: f64) -> String {
    match elo {
        f64::INFINITY => "+∞".to_owned(),
        f64::NEG_INFINITY => "-∞".to_owned(),
        elo => format!("{elo:+.0}"),
    }
}

#[cfg(test)]
mod tests {
    use crate::Sprt;

    use super::*;

    fn played(places: &[f64]) -> Played {
        let effort = vec![Effort::default(); places.len()];
        Played { places: places.to_vec(), file: String::new(), effort }
    }

    #[test]
    fn two_players_have_opposite_results() {
        let mut standings = Standings::new(vec!["a".to_owned(), "b".to_owned()]);
        for places in [[1.0, 2.0], [1.0, 2.0], [1.5, 1.5], [2.0, 1.0]] {
            standings.add(&played(&places));
        }
        assert_eq!(standings.first(), Tally { won: 2, drawn: 1, lost: 1 });
        assert_eq!(standings.tallies[1], Tally { won: 1, drawn: 1, lost: 2 });
        let table = standings.table();
        assert!(
            table.contains("62.5%") && table.contains("37.5%") && table.contains("+89"),
            "{table}"
        );
        assert!(!table.contains("mean place"));
        let mut slow = played(&[1.0, 2.0]);
        let time = std::time::Duration::from_millis(500);
        slow.effort[1] = Effort { nodes: 100, moves: 4, time };
        standings.add(&slow);
        let [first, second] = &standings.results()[..] else { panic!("two players") };
        assert_eq!((first.nodes_per_second, first.seconds_per_move), (0.0, 0.0));
        assert_eq!((second.nodes_per_second, second.seconds_per_move), (200.0, 0.125));
        assert!(standings.table().trim_end().ends_with("200    125.0"), "{}", standings.table());
        assert!(Sprt { lower: 0.0, upper: 5.0 }.summary(standings.first()).contains("undecided"));
    }

    #[test]
    fn several_players_have_a_mean_place() {
        let mut standings = Standings::new(["a", "b", "c"].map(str::to_owned).to_vec());
        standings.add(&played(&[1.0, 2.5, 2.5]));
        assert_eq!(standings.tallies[0], Tally { won: 2, drawn: 0, lost: 0 });
        assert_eq!(standings.tallies[1], Tally { won: 0, drawn: 1, lost: 1 });
        let table = standings.table();
        assert!(table.contains("mean place") && table.contains("+∞") && table.contains("2.50"));
        // The interval follows from the one game, not from its two pairs.
        assert!(table.contains("100.0%   20.7 to 100.0%"), "{table}");
        // A shared first place does not count as first.
        standings.add(&played(&[1.5, 1.5, 3.0]));
        assert_eq!(standings.firsts, [1, 0, 0]);
        assert!(standings.table().contains(" 50.0%    9.5 to  90.5%"), "{}", standings.table());
    }
}
