use super::*;
use crate::store::format::{APPLICATION, TABLES};
use crate::store::upkeep::{DELETE, DUE, IDLE, SET_DEADLINE, UNFINISHED};

#[tokio::test]
async fn migration_from_format_1() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("old.db");
    let old = Connection::open(&path).expect("a file");
    old.execute_batch(&format!(
        "{TABLES} PRAGMA application_id = {APPLICATION}; PRAGMA user_version = 1;"
    ))
    .expect("format 1");
    let setup =
        r#"{"game":"chess","clock":null,"players":["open",{"guest":{"guest":7,"name":"Ada"}}]}"#;
    let mut entries =
        vec![r#"{"at":1000,"act":{"sit":{"seat":0,"guest":8,"name":"Ben"}}}"#.to_owned()];
    for (index, code) in ["f2f3", "e7e5", "g2g4", "d8h4"].iter().enumerate() {
        let seat = index % 2;
        entries
            .push(format!(r#"{{"at":2000,"act":{{"move":{{"seat":{seat},"text":"{code}"}}}}}}"#));
    }
    let game =
        "INSERT INTO games (id, creator, setup, timed, over) VALUES ('abcdefghjkmn', 7, ?1, 0, 1)";
    old.execute(game, [setup]).expect("a game");
    for (number, entry) in entries.iter().enumerate() {
        old.execute(
            "INSERT INTO entries VALUES ('abcdefghjkmn', ?1, ?2)",
            params![number as i64, entry],
        )
        .expect("an entry");
    }
    drop(old);

    let store = Store::open(&path).expect("it is brought up to date");
    let id = store.unsettled(String::new()).await.expect("SQL").expect("a game");
    let stored = store.game(id).await.expect("SQL").expect("it is there");
    let ending = Ending::of(&stored).expect("it can be played").expect("it is over");
    assert!(ending.pool.is_some() && ending.places == [2, 1]);
    store.settle(stored.id.clone(), ending).await.expect("SQL");
    assert_eq!(store.unsettled(String::new()).await.expect("SQL"), None);
    for (guest, you) in [(7, 1), (8, 0)] {
        let history = store.history(GuestId(guest), None).await.expect("SQL");
        let shown = &history["games"][0];
        assert_eq!(shown["you"], json!([you]));
        assert_eq!(shown["outcome"]["text"], "black wins by checkmate");
        assert_eq!((&shown["since"], &shown["rating_change"]), (&json!(1000), &Value::Null));
        assert_eq!(history["ratings"], json!([]));
    }
    drop(store);
}

#[tokio::test]
async fn migration_from_format_2() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("old.db");
    let old = Connection::open(&path).expect("a file");
    old.execute_batch(&format!(
        "{TABLES} {FORMAT_2} PRAGMA application_id = {APPLICATION}; PRAGMA user_version = 2;
         INSERT INTO games (id, creator, setup, timed, over) VALUES ('abcdefghjkmn', 7, '', 0, 1);
         INSERT INTO ratings VALUES ('guest 7', 'chess', 1600.4, 90, 0.06, 2);
         INSERT INTO swings VALUES ('abcdefghjkmn', 'guest 7', 12.0);"
    ))
    .expect("format 2");
    drop(old);
    let store = Store::open(&path).expect("it is brought up to date");
    let pool = Pool::named("chess").expect("a pool");
    let ada = Player::Guest { guest: GuestId(7), name: "Ada".to_owned() };
    let bot = Player::bot("chess", "random").expect("a level");
    let players = vec![ada, bot];
    let shown = store.ratings("abcdefghjkmn".to_owned(), pool, players).await.expect("SQL");
    let known = DisplayedRating::new(1600.4, 90.0, None);
    assert_eq!(shown, [known, DisplayedRating::new(400.0, 50.0, None)]);
    assert_eq!(
        json!(shown[0]),
        json!({"rating": 1600.0, "deviation": 90.0, "rating_change": null})
    );
}

#[tokio::test]
async fn migration_from_format_3() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("old.db");
    let old = Connection::open(&path).expect("a file");
    old.execute_batch(&format!(
        "{TABLES} {FORMAT_2} {FORMAT_3} PRAGMA application_id = {APPLICATION};
         PRAGMA user_version = 3; UPDATE alive SET at = 5000;"
    ))
    .expect("format 3");
    let clock = r#"{"initial":60000,"increment":0}"#;
    for (id, clock, over) in
        [("timedaaaaaaa", clock, 0), ("openaaaaaaaa", "null", 0), ("overaaaaaaaa", clock, 1)]
    {
        let players = r#"["open",{"guest":{"guest":7,"name":"Ada"}}]"#;
        let setup = format!(r#"{{"game":"chess","clock":{clock},"players":{players}}}"#);
        let sql = "INSERT INTO games (id, creator, setup, timed, over) VALUES (?1, 7, ?2, ?3, ?4)";
        old.execute(sql, params![id, setup, clock != "null", over]).expect("a game");
        old.execute("INSERT INTO seats VALUES (7, ?1, 1)", [id]).expect("a seat");
    }
    let fill = r#"{"at":2000,"act":{"fill":{"seat":0,"level":"random","name":"Random"}}}"#;
    let sql = "INSERT INTO entries VALUES ('timedaaaaaaa', 0, ?1)";
    old.execute(sql, [fill]).expect("an entry");
    drop(old);

    let store = Store::open(&path).expect("it is brought up to date");
    // Whether its clock runs is found out as soon as it is loaded.
    assert_eq!(store.due(1, 10).await.expect("SQL"), ["timedaaaaaaa"]);
    let history = store.history(GuestId(7), None).await.expect("SQL");
    let white = |id: &str| {
        let mut games = history["games"].as_array().expect("games").iter();
        let game = games.find(|game| game["id"] == id).expect("it is listed");
        game["players"][0]["kind"].clone()
    };
    assert_eq!(white("timedaaaaaaa"), "bot");
    assert_eq!(white("openaaaaaaaa"), "open");
    assert_eq!(store.unfinished(GuestId(7), None).await.expect("SQL"), (2, 0));
    let vacuum = store.run(|connection| {
        connection.pragma_query_value(None, "auto_vacuum", |row| row.get::<_, i64>(0))
    });
    assert_eq!(vacuum.await.expect("SQL"), 2, "what is deleted leaves the file");
    let stored = store.game("timedaaaaaaa".to_owned()).await.expect("SQL").expect("a game");
    let stopped: Vec<u64> = stored.downtimes.iter().map(|downtime| downtime.stopped).collect();
    assert_eq!(stopped, [5000]);
}

#[tokio::test]
async fn a_game_that_cannot_be_read_does_not_hide_others() {
    let store = Store::in_memory(None).expect("memory");
    let sql = r#"INSERT INTO games (id, creator, setup, over) VALUES
        ('aaaaaaaaaaaa', 7, '{"broken', 1),
        ('bbbbbbbbbbbb', 7, '{"game":"chess","clock":null,"players":["open","open"]}', 1);
        INSERT INTO seats VALUES (7, 'aaaaaaaaaaaa', 1), (7, 'bbbbbbbbbbbb', 2);"#;
    store.run(move |connection| connection.execute_batch(sql)).await.expect("SQL");
    let first = store.unsettled(String::new()).await.expect("SQL").expect("a game");
    assert_eq!(first, "aaaaaaaaaaaa");
    assert!(store.game(first.clone()).await.is_err());
    let second = store.unsettled(first).await.expect("SQL").expect("a game");
    assert_eq!(store.game(second).await.expect("SQL").expect("a game").creator, GuestId(7));
    let history = store.history(GuestId(7), None).await.expect("SQL");
    assert_eq!(history["games"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn no_query_scans_a_table() {
    let store = Store::in_memory(None).expect("memory");
    let plans = store.run(|connection| {
        let mut plans = Vec::new();
        let queries = [
            LATEST_GAMES,
            ENTRY,
            PLAYERS,
            LADDER,
            UNSETTLED,
            DISPLAYED_RATING,
            RATING,
            CHANGE,
            RATINGS,
            IS_OLD,
            SET_ENDING,
            DUE,
            SET_DEADLINE,
            UNFINISHED,
            IDLE,
        ];
        for sql in queries.into_iter().chain(DELETE) {
            let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
            let values = vec!["1"; statement.parameter_count()];
            let steps = statement
                .query_map(rusqlite::params_from_iter(values), |row| row.get::<_, String>(3))?;
            plans.push((sql, steps.collect::<rusqlite::Result<Vec<_>>>()?));
        }
        Ok(plans)
    });
    for (sql, plan) in plans.await.expect("SQL") {
        // A query of constants, such as two counts, "scans" one row.
        let scan = |step: &String| step.starts_with("SCAN") && step != "SCAN CONSTANT ROW";
        let scans = plan.iter().any(scan);
        assert!(!plan.is_empty() && !scans, "{sql}: {plan:?}");
    }
}
