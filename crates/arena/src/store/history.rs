//! History in the database: who played which games, how they ended, and ratings.

use rusqlite::{Connection, Transaction, params};
use serde_json::{Value, json};

use super::{Store, execute, from_text, load, log_unread, row, rows};
use crate::guest::GuestId;
use crate::journal::to_text;
use crate::protocol::{self, Object};
use crate::rating::{self, DisplayedRating, NEW, Pool, Rating, bot_rating};
use crate::seating::{Player, SeatEvent, Seats, Setup};
use crate::settlement::Ending;

/// What format 2 adds to format 1.
pub(super) const FORMAT_2: &str = "
    ALTER TABLE games ADD COLUMN ending TEXT; -- once it is settled
    ALTER TABLE games ADD COLUMN old INTEGER NOT NULL DEFAULT 0; -- from before there were ratings
    CREATE INDEX unsettled ON games (id) WHERE over = 1 AND ending IS NULL;
    CREATE TABLE seats (
        guest INTEGER NOT NULL,
        game TEXT NOT NULL REFERENCES games (id),
        since INTEGER NOT NULL,
        PRIMARY KEY (guest, game)
    ) WITHOUT ROWID;
    CREATE INDEX latest ON seats (guest, since, game);
    CREATE TABLE ratings (
        player TEXT NOT NULL,
        pool TEXT NOT NULL,
        value REAL NOT NULL,
        deviation REAL NOT NULL,
        volatility REAL NOT NULL,
        games INTEGER NOT NULL,
        PRIMARY KEY (player, pool)
    ) WITHOUT ROWID;
    CREATE INDEX ladder ON ratings (pool, value);
    CREATE TABLE swings (
        game TEXT NOT NULL REFERENCES games (id),
        player TEXT NOT NULL,
        swing REAL NOT NULL, -- by how much its rating changed
        PRIMARY KEY (game, player)
    ) WITHOUT ROWID;
";

/// What format 3 adds to format 2.
pub(super) const FORMAT_3: &str = "
    ALTER TABLE swings ADD COLUMN value REAL; -- its rating after that
    ALTER TABLE swings ADD COLUMN deviation REAL;
";

const LATEST_GAMES: &str = "
    SELECT game, since FROM seats WHERE guest = ?1 AND (?2 IS NULL OR (since, game)
    < (SELECT since, game FROM seats WHERE guest = ?1 AND game = ?2))
    ORDER BY since DESC, game DESC LIMIT ?3";
const ENTRY: &str = "SELECT setup, players, over, ending FROM games WHERE id = ?1";
const PLAYERS: &str = "SELECT setup, players FROM games WHERE id = ?1";
const LADDER: &str = "
    SELECT r.value, r.deviation, r.games, g.name FROM ratings r
    LEFT JOIN guests g ON g.id = CAST(substr(r.player, 7) AS INTEGER)
    AND substr(r.player, 1, 6) = 'guest '
    WHERE r.pool = ?1 AND r.deviation < ?2 AND r.player NOT LIKE 'bot %'
    ORDER BY r.value DESC LIMIT ?3";

const UNSETTLED: &str = "
    SELECT id FROM games WHERE over = 1 AND ending IS NULL AND id > ?1 ORDER BY id LIMIT 1";
const DISPLAYED_RATING: &str = "
    SELECT value, deviation, swing FROM swings
    WHERE game = ?1 AND player = ?2 AND value IS NOT NULL";
const RATING: &str =
    "SELECT value, deviation, volatility FROM ratings WHERE player = ?1 AND pool = ?2";
const CHANGE: &str = "SELECT swing FROM swings WHERE game = ?1 AND player = ?2";
const RATINGS: &str = "
    SELECT pool, value, deviation, games FROM ratings WHERE player = ?1
    ORDER BY games DESC, pool";
const IS_OLD: &str = "SELECT old FROM games WHERE id = ?1 AND ending IS NULL";
const SET_ENDING: &str = "UPDATE games SET ending = ?2 WHERE id = ?1";

/// Games per page of the history.
const PAGE: usize = 20;
/// The maximum number of players in a ladder.
const LADDER_SIZE: usize = 50;
/// Ratings are listed once their deviation is below this.
const MAX_DEVIATION: f64 = 200.0;

/// Migrates a file of an older format.
pub(super) fn migrate(connection: &Connection, format: i64) -> rusqlite::Result<()> {
    if format < 2 {
        add_history(connection)?;
    }
    if format < 3 {
        connection.execute_batch(&format!(
            "BEGIN EXCLUSIVE; {FORMAT_3} PRAGMA user_version = 3; COMMIT;"
        ))?;
    }
    Ok(())
}

/// Migrates from format 1: finds the players of the games, which stay unrated.
fn add_history(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(&format!("BEGIN EXCLUSIVE; {FORMAT_2} UPDATE games SET old = 1;"))?;
    let ids: Vec<(String,)> = rows(connection, "SELECT id FROM games", [])?;
    for (id,) in ids {
        let stored = load(connection, &id).inspect_err(|error| log_unread(&id, error));
        let Ok(Some(stored)) = stored else { continue };
        let at = stored.entries.first().and_then(|entry| time_of(entry)).unwrap_or(0);
        note_creation(connection, &id, &stored.setup, Some(at))?;
        note_guests(connection, &id, stored.entries.iter().map(String::as_str))?;
    }
    connection.execute_batch("PRAGMA user_version = 2; COMMIT;")
}

/// Returns the time of an entry of any kind of room.
pub(super) fn time_of(entry: &str) -> Option<u64> {
    serde_json::from_str::<Value>(entry).ok()?.get("at")?.as_u64()
}

/// Records the guests who had seats from the beginning.
pub(super) fn note_creation(
    connection: &Connection,
    id: &str,
    setup: &Setup,
    at: Option<u64>,
) -> rusqlite::Result<()> {
    let mut guests = setup.players.iter().filter_map(Player::guest);
    guests.try_for_each(|guest| note_seat(connection, id, guest, at))
}

/// Records who has taken seats since.
pub(super) fn note_sitting<'a>(
    connection: &Connection,
    id: &str,
    entries: impl Iterator<Item = &'a str>,
) -> rusqlite::Result<()> {
    let entries: Vec<&str> = entries.filter(|entry| may_fill_seat(entry)).collect();
    if entries.is_empty() {
        return Ok(());
    }
    note_guests(connection, id, entries.iter().copied())?;
    let Some((setup, players)) = row::<(String, Option<String>)>(connection, PLAYERS, [id])? else {
        return Ok(());
    };
    let mut players = players_of(&setup, players.as_deref())?.1;
    if seat_players(&mut players, entries.into_iter()) {
        let sql = "UPDATE games SET players = ?2 WHERE id = ?1";
        execute(connection, sql, params![id, to_text(&players)])?;
    }
    Ok(())
}

/// Records the guests who have taken seats.
fn note_guests<'a>(
    connection: &Connection,
    id: &str,
    entries: impl Iterator<Item = &'a str>,
) -> rusqlite::Result<()> {
    for entry in entries.filter(|entry| may_fill_seat(entry)) {
        if let Some(SeatEvent::Sit { guest, .. }) = seat_event(entry) {
            note_seat(connection, id, guest, time_of(entry))?;
        }
    }
    Ok(())
}

/// Whether an entry may be about a seat that somebody takes, before it is parsed.
fn may_fill_seat(entry: &str) -> bool {
    entry.contains("\"sit\"") || entry.contains("\"fill\"")
}

/// Applies the entries in which somebody takes a seat. Returns whether there are any.
pub(super) fn seat_players<'a>(
    players: &mut [Player],
    entries: impl Iterator<Item = &'a str>,
) -> bool {
    let mut changed = false;
    for event in entries.filter(|entry| may_fill_seat(entry)).filter_map(seat_event) {
        let (seat, player) = match event {
            SeatEvent::Sit { seat, guest, name } => (seat, Player::Guest { guest, name }),
            SeatEvent::Fill { seat, level, name } => (seat, Player::Bot { level, name }),
            _ => continue,
        };
        // Ignore seats that do not exist.
        if let Some(place) = players.get_mut(seat.index()) {
            *place = player;
            changed = true;
        }
    }
    changed
}

/// Returns the setup of a game, and who has which seats.
fn players_of(setup: &str, players: Option<&str>) -> rusqlite::Result<(Setup, Vec<Player>)> {
    let setup: Setup = from_text(setup)?;
    let players = match players {
        Some(players) => from_text(players)?,
        None => setup.players.clone(),
    };
    Ok((setup, players))
}

/// Parses an entry that is about seats.
fn seat_event(entry: &str) -> Option<SeatEvent> {
    let value: Value = serde_json::from_str(entry).ok()?;
    serde_json::from_value(value.get("act")?.clone()).ok()
}

fn note_seat(
    connection: &Connection,
    id: &str,
    guest: GuestId,
    at: Option<u64>,
) -> rusqlite::Result<()> {
    execute(
        connection,
        "INSERT INTO seats (guest, game, since)
         VALUES (?1, ?2, coalesce(?3, max(
             CAST(unixepoch('subsec') * 1000 AS INTEGER),
             coalesce((SELECT max(since) + 1 FROM seats WHERE guest = ?1), 0)
         )))
         ON CONFLICT DO NOTHING",
        params![guest.0, id, at.map(|at| at as i64)],
    )
}

impl Store {
    /// Returns the id of the first finished but unsettled game whose id is greater than `after`.
    pub(crate) async fn unsettled(&self, after: String) -> rusqlite::Result<Option<String>> {
        self.run(move |connection| {
            let next: Option<(String,)> = row(connection, UNSETTLED, [&after])?;
            Ok(next.map(|(id,)| id))
        })
        .await
    }

    /// Saves how a game ended and updates the ratings, unless the game is already settled.
    pub(crate) async fn settle(&self, id: String, ending: Ending) -> rusqlite::Result<()> {
        self.write(None, move |connection| {
            let transaction = connection.transaction()?;
            let Some((old,)) = row::<(bool,)>(&transaction, IS_OLD, [&id])? else { return Ok(()) };
            execute(&transaction, SET_ENDING, params![id, to_text(&ending)])?;
            if let Some(pool) = ending.pool.as_ref().filter(|_| !old) {
                rate(&transaction, &id, pool, &ending)?;
            }
            transaction.commit()
        })
        .await
    }

    /// Returns a guest's ratings and latest games, or the games before the game `before`.
    pub(crate) async fn history(
        &self,
        guest: GuestId,
        before: Option<String>,
    ) -> rusqlite::Result<Object> {
        self.run(move |connection| {
            let mut seats: Vec<(String, i64)> =
                rows(connection, LATEST_GAMES, params![guest.0, before, PAGE as i64 + 1])?;
            let more = seats.len() > PAGE;
            seats.truncate(PAGE);
            // One game that cannot be read does not hide the others.
            let games = seats.iter().filter_map(|(id, since)| {
                let entry = history_entry(connection, guest, id, *since);
                entry.inspect_err(|error| log_unread(id, error)).ok()
            });
            let games: Vec<Value> = games.collect();
            let ratings = guest_ratings(connection, guest)?;
            Ok(protocol::object(&json!({"games": games, "more": more, "ratings": ratings})))
        })
        .await
    }

    /// Returns the ratings of a game's players by seat: those right after the game if it changed
    /// them, otherwise the current ones.
    pub(crate) async fn ratings(
        &self,
        id: String,
        pool: Pool,
        players: Vec<Player>,
    ) -> rusqlite::Result<Vec<DisplayedRating>> {
        self.run(move |connection| {
            players.iter().map(|player| displayed_rating(connection, &id, &pool, player)).collect()
        })
        .await
    }

    /// Returns the best players of a pool, and its bots.
    pub(crate) async fn ladder(&self, pool: Pool) -> rusqlite::Result<Vec<Value>> {
        self.run(move |connection| {
            let players =
                rows(connection, LADDER, params![pool.id, MAX_DEVIATION, LADDER_SIZE as i64])?;
            let entry = |row: (f64, f64, i64, Option<String>)| {
                let (rating, deviation, games, name) = row;
                json!({
                    "bot": null, "name": name, "rating": rating.round(),
                    "deviation": deviation.round(), "games": games,
                })
            };
            let mut ladder: Vec<Value> = players.into_iter().map(entry).collect();
            ladder.extend(rating::bots(pool.game()));
            ladder
                .sort_by_key(|entry| std::cmp::Reverse(entry["rating"].as_f64().map(|r| r as i64)));
            Ok(ladder)
        })
        .await
    }
}

/// Returns the rating of a player in a game.
fn displayed_rating(
    connection: &Connection,
    id: &str,
    pool: &Pool,
    player: &Player,
) -> rusqlite::Result<DisplayedRating> {
    let key = rating::key(player).unwrap_or_default();
    let after = row(connection, DISPLAYED_RATING, [id, &key])?;
    if let Some((rating, deviation, change)) = after {
        return Ok(DisplayedRating::new(rating, deviation, Some(change)));
    }
    let Rating { rating, deviation, .. } = known(connection, &key, pool, player)?;
    Ok(DisplayedRating::new(rating, deviation, None))
}

/// Returns a player's rating in a pool, or the initial rating of a new player.
fn known(
    connection: &Connection,
    key: &str,
    pool: &Pool,
    player: &Player,
) -> rusqlite::Result<Rating> {
    if let Some(rating) = bot_rating(pool.game(), player) {
        return Ok(rating);
    }
    let known = row(connection, RATING, [key, &pool.id])?;
    Ok(known.map_or(NEW, |(rating, deviation, volatility)| Rating {
        rating,
        deviation,
        volatility,
    }))
}

/// Returns a game as shown in a guest's history.
fn history_entry(
    connection: &Connection,
    guest: GuestId,
    id: &str,
    since: i64,
) -> rusqlite::Result<Value> {
    let game: Option<(String, Option<String>, bool, Option<String>)> =
        row(connection, ENTRY, [id])?;
    let (setup, seated, over, ending) = game.ok_or(rusqlite::Error::QueryReturnedNoRows)?;
    let (setup, seated) = players_of(&setup, seated.as_deref())?;
    let player = format!("guest {}", guest.0);
    let change: Option<(f64,)> = row(connection, CHANGE, params![id, player])?;
    let ending: Value = ending.map_or(Ok(Value::Null), |text| from_text(&text))?;
    let names = vec![""; seated.len()];
    let (mut players, mut you) = (Value::Null, Vec::new());
    let seated = Setup { players: seated, ..setup.clone() };
    if let Ok(seats) = Seats::new(id.to_owned(), seated, names) {
        you = seats.seats_of(guest);
        players = json!(seats.to_protocol(|_| false));
    }
    if !ending.is_null() {
        players = ending["players"].clone();
    }
    Ok(json!({
        "id": id, "game": setup.game, "rules": setup.rules, "clock": setup.clock, "players": players,
        "you": you, "over": over, "outcome": ending["outcome"], "rating_change": change.map(|(change,)| change.round()),
        "since": since,
    }))
}

fn guest_ratings(connection: &Connection, guest: GuestId) -> rusqlite::Result<Vec<Value>> {
    let ratings = rows(connection, RATINGS, [format!("guest {}", guest.0)])?;
    let entry = |(pool, rating, deviation, games): (String, f64, f64, i64)| {
        let name = Pool::named(&pool).map_or_else(|| pool.clone(), |pool| pool.name);
        json!({
            "pool": pool, "name": name, "rating": rating.round(), "deviation": deviation.round(),
            "games": games,
        })
    };
    Ok(ratings.into_iter().map(entry).collect())
}

/// Updates the players' ratings after a game.
fn rate(
    transaction: &Transaction<'_>,
    id: &str,
    pool: &Pool,
    ending: &Ending,
) -> rusqlite::Result<()> {
    let mut before: Vec<(String, Rating)> = Vec::new();
    for player in &ending.seated {
        let Some(key) = rating::key(player) else { return Ok(()) };
        let rating = known(transaction, &key, pool, player)?;
        before.push((key, rating));
    }
    for (key, new) in rating::after(&before, &ending.places, &ending.teams) {
        if !key.starts_with("guest ") {
            continue;
        }
        execute(
            transaction,
            "INSERT INTO ratings (player, pool, value, deviation, volatility, games)
             VALUES (?1, ?2, ?3, ?4, ?5, 1)
             ON CONFLICT (player, pool) DO UPDATE SET value = excluded.value,
             deviation = excluded.deviation, volatility = excluded.volatility, games = games + 1",
            params![key, pool.id, new.rating, new.deviation, new.volatility],
        )?;
        let old = before.iter().find(|(known, _)| *known == key);
        let change = new.rating - old.map_or(new.rating, |(_, old)| old.rating);
        execute(
            transaction,
            "INSERT INTO swings (game, player, swing, value, deviation)
             VALUES (?1, ?2, ?3, ?4, ?5)",
            params![id, key, change, new.rating, new.deviation],
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
