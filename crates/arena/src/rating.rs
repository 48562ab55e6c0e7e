//! Ratings: how a finished game changes the ratings of the people in it. The ratings of bots are
//! fixed: they anchor the scale.
//!
//! Games of two players use Glicko-2; games of more players or teams use the Weng-Lin method. Both
//! use the same scale, on which a new player has 1500 ±350.

use std::collections::HashMap;

use fourfold_table::Seat;
use serde::Serialize;
use serde_json::json;
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

    /// Returns the id of the pool's game.
    pub(crate) fn game(&self) -> &str {
        self.id.split(' ').next().unwrap_or_default()
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

/// Whether a game can be rated: it is not casual, at least one player is a person, and no guest has
/// two seats.
pub(crate) fn may_count(seats: &Seats) -> bool {
    if seats.setup.casual {
        return false;
    }
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
pub(crate) const NEW: Rating = Rating::new();

/// How certain the ratings of bots are: they were measured in many games.
const BOT_DEVIATION: f64 = 50.0;

/// The most points that one game can change a rating by. A new player's rating is so uncertain that
/// Glicko-2 would take 427 points for losing to the weakest bot.
const MAX_CHANGE: f64 = 100.0;

/// Returns the rating of a level of bots, which games do not change, or `None` for people.
pub(crate) fn bot_rating(game: &str, player: &Player) -> Option<Rating> {
    let level = player.level()?;
    let known = fourfold_learned::find(game, level);
    // A level that no longer exists is still in old games.
    let rating = known.map_or(NEW.rating, |level| f64::from(level.rating));
    Some(Rating { rating, deviation: BOT_DEVIATION, ..NEW })
}

/// Returns the bots of a game as entries of a ladder.
pub(crate) fn bots(game: &str) -> impl Iterator<Item = serde_json::Value> {
    fourfold_learned::levels(game).iter().map(|level| {
        json!({
            "bot": level.id, "name": null, "rating": f64::from(level.rating),
            "deviation": BOT_DEVIATION, "games": 0,
        })
    })
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

    /// Returns the rating before the game.
    pub(crate) fn points(&self) -> i64 {
        (self.rating - self.rating_change.unwrap_or(0.0)) as i64
    }
}

/// Looks up the ratings of a game's players in the background and sends them to the game through
/// `inputs`, so that the game does not wait for the disk.
pub(crate) fn look_up(store: &Store, seats: &Seats, inputs: Option<mpsc::Sender<Input>>) {
    let (Some(inputs), Some(pool)) = (inputs, Pool::of(&seats.setup)) else { return };
    if !may_count(seats) {
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

/// Returns the ratings after a game, by player. A player with several seats gets the mean.
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
    for ((key, old), new) in players.iter().zip(new) {
        by_player.entry(key.clone()).or_default().push(limited(*old, new));
    }
    let mean = |(key, all): (String, Vec<Rating>)| {
        let mean = |part: fn(&Rating) -> f64| all.iter().map(part).sum::<f64>() / all.len() as f64;
        let (rating, deviation) = (mean(|one| one.rating), mean(|one| one.deviation));
        (key, Rating { rating, deviation, volatility: mean(|one| one.volatility) })
    };
    by_player.into_iter().map(mean).collect()
}

/// Limits by how much one game changes a rating. The rating becomes more certain only in proportion:
/// otherwise a player who was rated far too high would stay there.
fn limited(old: Rating, new: Rating) -> Rating {
    let part = (MAX_CHANGE / (new.rating - old.rating).abs()).min(1.0);
    Rating {
        rating: old.rating + part * (new.rating - old.rating),
        deviation: old.deviation + part * (new.deviation - old.deviation),
        volatility: new.volatility,
    }
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
        // Without the limit, two new players would gain and lose 162 points.
        assert_eq!((won["a"].rating.round(), won["b"].rating.round()), (1600.0, 1400.0));
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
    fn every_level_has_a_rating_above_the_one_below() {
        for game in crate::hub::kinds() {
            let bot = |level: &fourfold_bots::Level| {
                let bot = Player::bot(game, level.id).expect("a level");
                bot_rating(game, &bot).expect("a bot").rating
            };
            let values: Vec<f64> = fourfold_bots::levels(game).iter().map(bot).collect();
            assert!(values.windows(2).all(|pair| pair[0] < pair[1]), "{game}: {values:?}");
            assert!(values.iter().all(|value| (300.0..3000.0).contains(value)), "{game}");
        }
    }

    #[test]
    fn one_game_changes_a_rating_by_at_most_a_hundred_points() {
        let bot = |level: &str| {
            let bot = Player::bot("chess", level).expect("a level");
            ("bot".to_owned(), bot_rating("chess", &bot).expect("a bot"))
        };
        let weak = &[new("a"), bot("random")];
        let unlimited = by_glicko(weak[0].1, weak[1].1, std::cmp::Ordering::Greater);
        assert!(unlimited[0].rating < 1200.0, "{unlimited:?}");
        let lost = after(weak, &[2, 1], &[])["a"];
        assert_eq!(lost.rating, 1400.0);
        // The rating stays provisional, so that the next games still correct it.
        assert!(lost.deviation < 350.0 && lost.deviation > unlimited[0].deviation);
        let mut player = new("a").1;
        for _ in 0..12 {
            player = after(&[("a".to_owned(), player), bot("random")], &[2, 1], &[])["a"];
        }
        assert!(player.rating < 800.0, "{player:?}");
        let four = [new("a"), bot("random"), bot("random"), bot("random")];
        assert!(after(&four, &[4, 1, 1, 1], &[])["a"].rating >= 1400.0);
    }

    #[test]
    fn casual_games_do_not_count() {
        let seats = |casual| {
            let guest = Player::Guest { guest: GuestId(7), name: "Ada".to_owned() };
            let players = vec![guest, Player::bot("chess", "random").expect("a level")];
            let setup = Setup { players, casual, ..Setup::of_file("chess", &[], |_| None) };
            Seats::new(String::new(), setup, vec!["white", "black"]).expect("two seats")
        };
        assert!(may_count(&seats(false)) && !may_count(&seats(true)));
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
