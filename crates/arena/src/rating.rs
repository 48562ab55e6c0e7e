//! Ratings: how a finished game changes the ratings of its players, people and bots alike.
//!
//! Games of two players use Glicko-2; games of more players or teams use the Weng-Lin method. Both
//! use the same scale, on which a new player has 1500 ±350.

use std::collections::HashMap;

use fourfold_table::Seat;
use serde::Serialize;
pub(crate) use skillratings::glicko2::Glicko2Rating as Rating;
use skillratings::glicko2::{Glicko2Config, glicko2};
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};
use skillratings::{MultiTeamOutcome, Outcomes};
use tokio::sync::mpsc;

use crate::guest::GuestId;
use crate::realtime;
use crate::seating::{Player, Seats, Setup};
use crate::store::Store;
use crate::viewer::Input;

/// Games that are rated together: a game type with one of the offered choices of rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Pool {
    pub(crate) id: String,
    pub(crate) name: String,
}

impl Pool {
    /// Returns the pool with this id.
    pub(crate) fn named(id: &str) -> Option<Pool> {
        let (game, words) = id.split_once(' ').unwrap_or((id, ""));
        let rules = match realtime::find(game) {
            Some(kind) => Some(kind.rules(words).ok()?.to_string()),
            None => None,
        };
        Pool::of(&Setup { rules, ..Setup::of_file(game, &[], |_| None) })
    }

    /// Returns the pool in which a game counts, or `None` if it has custom rules.
    pub(crate) fn of(setup: &Setup) -> Option<Pool> {
        match realtime::find(&setup.game) {
            Some(kind) => {
                let (words, name) = kind.pool(setup.rules.as_deref()?)?;
                Some(Pool { id: format!("{} {words}", kind.id).trim().to_owned(), name })
            }
            None => {
                let game = fourfold_table::GameInfo::of(&setup.game)?;
                Some(Pool { id: game.id.to_owned(), name: game.name.to_owned() })
            }
        }
    }
}

/// Whether a game can be rated: at least one player is a person, and no guest has two seats.
pub(crate) fn may_count(seats: &Seats) -> bool {
    let mut guests: Vec<GuestId> = seats.players.iter().filter_map(Player::guest).collect();
    guests.sort_unstable();
    let alone = guests.windows(2).all(|pair| pair[0] != pair[1]);
    alone && !guests.is_empty() && Pool::of(&seats.setup).is_some()
}

/// Returns the key under which a player's rating is stored.
pub(crate) fn key(player: &Player) -> Option<String> {
    match player {
        Player::Open => None,
        Player::Guest { guest, .. } => Some(format!("guest {}", guest.0)),
        Player::Bot { level, .. } => Some(format!("bot {level}")),
    }
}

/// The rating of a new player.
const NEW: Rating = Rating::new();

/// Returns a player's rating before the first game. Bots start at values spread by level, which
/// their games then correct.
pub(crate) fn first_rating(game: &str, player: &Player) -> Rating {
    const LOWEST: f64 = 800.0;
    const SPAN: f64 = 1200.0;
    let Player::Bot { level, .. } = player else { return NEW };
    let levels = fourfold_bots::levels(game);
    let Some(index) = levels.iter().position(|known| known.id == level) else { return NEW };
    let steps = levels.len().saturating_sub(1).max(1);
    let rating = LOWEST + SPAN * index as f64 / steps as f64;
    Rating { rating, deviation: 150.0, ..NEW }
}

/// A rating as shown in a game, and by how much the game has changed it, in whole points.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub(crate) struct DisplayedRating {
    rating: f64,
    deviation: f64,
    rating_change: Option<f64>,
}

impl DisplayedRating {
    pub(crate) fn new(rating: f64, deviation: f64, rating_change: Option<f64>) -> DisplayedRating {
        let (rating, deviation) = (rating.round(), deviation.round());
        DisplayedRating { rating, deviation, rating_change: rating_change.map(f64::round) }
    }
}

/// Looks up the ratings of a game's players in the background and sends them to the game through
/// `inputs`, so that the game does not wait for the disk.
pub(crate) fn look_up(store: &Store, seats: &Seats, inputs: Option<mpsc::Sender<Input>>) {
    let (Some(inputs), Some(pool)) = (inputs, Pool::of(&seats.setup)) else { return };
    if seats.open_seat().is_some() || !may_count(seats) {
        return;
    }
    let (store, id, players) = (store.clone(), seats.id.clone(), seats.players.clone());
    tokio::spawn(async move {
        match store.ratings(id, pool, players).await {
            // A game whose task has ended does not need them.
            Ok(ratings) => drop(inputs.send(Input::Ratings(ratings)).await),
            Err(error) => tracing::debug!(%error, "cannot load ratings"),
        }
    });
}

/// Returns the ratings after a game, by player. A player with several seats, which only bots may
/// have, gets the mean.
pub(crate) fn after(
    players: &[(String, Rating)],
    places: &[usize],
    teams: &[Vec<Seat>],
) -> HashMap<String, Rating> {
    let before: Vec<Rating> = players.iter().map(|(_, rating)| *rating).collect();
    let new = match (&before[..], places) {
        ([one, two], [first, second]) => by_glicko(*one, *two, first.cmp(second)),
        _ => by_weng_lin(&before, places, teams),
    };
    let mut by_player: HashMap<String, Vec<Rating>> = HashMap::new();
    for ((key, _), new) in players.iter().zip(new) {
        by_player.entry(key.clone()).or_default().push(new);
    }
    let mean = |(key, all): (String, Vec<Rating>)| {
        let mean = |part: fn(&Rating) -> f64| all.iter().map(part).sum::<f64>() / all.len() as f64;
        let (rating, deviation) = (mean(|one| one.rating), mean(|one| one.deviation));
        (key, Rating { rating, deviation, volatility: mean(|one| one.volatility) })
    };
    by_player.into_iter().map(mean).collect()
}

fn by_glicko(one: Rating, two: Rating, order: std::cmp::Ordering) -> Vec<Rating> {
    let outcome = match order {
        std::cmp::Ordering::Less => Outcomes::WIN,
        std::cmp::Ordering::Equal => Outcomes::DRAW,
        std::cmp::Ordering::Greater => Outcomes::LOSS,
    };
    let (one, two) = glicko2(&one, &two, &outcome, &Glicko2Config::new());
    vec![one, two]
}

fn by_weng_lin(players: &[Rating], places: &[usize], teams: &[Vec<Seat>]) -> Vec<Rating> {
    // Weng-Lin ratings start at 25 with an uncertainty of 25/3.
    const SCALE: f64 = 350.0 / (25.0 / 3.0);
    let own = |rating: &Rating| WengLinRating {
        rating: 25.0 + (rating.rating - NEW.rating) / SCALE,
        uncertainty: rating.deviation / SCALE,
    };
    let sides: Vec<Vec<usize>> = match teams {
        [] => (0..players.len()).map(|seat| vec![seat]).collect(),
        teams => teams.iter().map(|team| team.iter().map(|seat| seat.index()).collect()).collect(),
    };
    let rated: Vec<Vec<WengLinRating>> = sides
        .iter()
        .map(|side| side.iter().filter_map(|seat| players.get(*seat).map(own)).collect())
        .collect();
    let place = |side: &Vec<usize>| side.iter().filter_map(|seat| places.get(*seat)).min().copied();
    let ranked: Vec<(&[WengLinRating], MultiTeamOutcome)> = rated
        .iter()
        .zip(&sides)
        .map(|(side, seats)| (&side[..], MultiTeamOutcome::new(place(seats).unwrap_or(1))))
        .collect();
    let new = weng_lin_multi_team(&ranked, &WengLinConfig::new());
    let mut result = players.to_vec();
    for (seats, new) in sides.iter().zip(new) {
        for (seat, new) in seats.iter().zip(new) {
            if let Some(rating) = result.get_mut(*seat) {
                rating.rating = NEW.rating + (new.rating - 25.0) * SCALE;
                rating.deviation = new.uncertainty * SCALE;
            }
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new(name: &str) -> (String, Rating) {
        (name.to_owned(), NEW)
    }

    #[test]
    fn two_players_are_rated_by_glicko() {
        let won = after(&[new("a"), new("b")], &[1, 2], &[]);
        // Two new players gain and lose 162 points.
        assert_eq!((won["a"].rating.round(), won["b"].rating.round()), (1662.0, 1338.0));
        assert!(won["a"].deviation < 350.0);
        let drawn = after(&[new("a"), new("b")], &[1, 1], &[]);
        assert_eq!(drawn["a"].rating.round(), 1500.0);
    }

    #[test]
    fn more_players_are_rated_by_place_or_team() {
        let four = [new("a"), new("b"), new("c"), new("d")];
        let rated = after(&four, &[1, 2, 2, 4], &[]);
        assert!(rated["a"].rating > rated["b"].rating && rated["c"].rating > rated["d"].rating);
        assert!((rated["b"].rating - rated["c"].rating).abs() < 1e-6);
        let teams = [vec![Seat::new(0), Seat::new(2)], vec![Seat::new(1), Seat::new(3)]];
        let rated = after(&four, &[1, 2, 1, 2], &teams);
        assert!((rated["a"].rating - rated["c"].rating).abs() < 1e-6);
        assert!(rated["a"].rating > 1500.0 && rated["b"].rating < 1500.0);
        // A bot in three seats is one player.
        let bots = [new("a"), new("bot"), new("bot"), new("bot")];
        let rated = after(&bots, &[1, 2, 3, 4], &[]);
        assert_eq!(rated.len(), 2);
        assert!(rated["bot"].rating < 1500.0);
    }

    #[test]
    fn initial_bot_ratings_follow_the_levels() {
        for game in ["chess", "four-player", "blokus", "kung-fu"] {
            let bot = |level: &fourfold_bots::Level| {
                let bot = Player::bot(game, level.id).expect("a level");
                first_rating(game, &bot).rating
            };
            let values: Vec<f64> = fourfold_bots::levels(game).iter().map(bot).collect();
            assert!(values.windows(2).all(|pair| pair[0] < pair[1]), "{game}: {values:?}");
            assert_eq!((values[0], values[values.len() - 1]), (800.0, 2000.0), "{game}");
        }
    }

    #[test]
    fn custom_rules_have_no_pool() {
        let pool = |game: &str, rules: &str| {
            let kind = realtime::find(game).expect("a game");
            let rules = Some(kind.rules(rules).expect("rules").to_string());
            let setup = Setup { rules, ..Setup::of_file(game, &[], |_| None) };
            Pool::of(&setup).map(|pool| (pool.id, pool.name))
        };
        let named = |id: &str, name: &str| Some((id.to_owned(), name.to_owned()));
        assert_eq!(pool("kung-fu", ""), named("kung-fu standard", "Kung fu chess, standard"));
        assert_eq!(
            pool("kung-fu-12x12", "teams lightning"),
            named("kung-fu-12x12 teams lightning", "Kung fu chess for four, teams, lightning")
        );
        // Ids of pools and setups in the database have the former word `seats`.
        let former = r#"{"game": "kung-fu-12x12", "clock": null, "rules": "12x12 standard seats=123", "players": []}"#;
        let former: Setup = serde_json::from_str(former).expect("a setup");
        assert_eq!(former.rules.as_deref(), Some("12x12 standard players=123"));
        let three = Pool::of(&former).map(|pool| pool.id);
        assert_eq!(three.as_deref(), Some("kung-fu-12x12 seats=123 standard"));
        assert_eq!(Pool::named("kung-fu-12x12 seats=123 standard").map(|pool| pool.id), three);
        for id in ["chess", "blokus-3", "kung-fu lightning", "kung-fu-12x12 standard"] {
            assert_eq!(Pool::named(id).map(|pool| pool.id), Some(id.to_owned()));
        }
        assert_eq!(Pool::named("poker"), None);
        assert_eq!(pool("kung-fu", "ticks-per-square=3 rest=30"), None);
        let chess = Setup::of_file("chess", &[], |_| None);
        assert_eq!(Pool::of(&chess).map(|pool| pool.id), Some("chess".to_owned()));
    }
}
