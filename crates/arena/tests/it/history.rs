//! The history of guests, and their ratings.

use serde_json::{Map, Value, json};

use crate::client::{ADA, BOB, EVE, Page, fast_limits, server, until};

/// Asks until the guest's latest game has an outcome: games are settled soon after they end.
async fn settled(page: &mut Page) -> Value {
    let mut history = Value::Null;
    until(async || {
        history = page.ask(json!({"t": "history"})).await.expect("anybody may ask");
        history["games"][0]["outcome"] != Value::Null
    })
    .await;
    history
}

/// Returns the ratings in a game's state, by seat.
fn ratings(state: &Map<String, Value>) -> Vec<f64> {
    let ratings = state["ratings"].as_array().expect("ratings").iter();
    ratings.map(|one| one["rating"].as_f64().expect("a number")).collect()
}

/// Returns by how much the game has changed each rating, if it has.
fn rating_changes(state: &Map<String, Value>) -> Vec<Option<f64>> {
    let ratings = state["ratings"].as_array().expect("ratings").iter();
    ratings.map(|one| one["rating_change"].as_f64()).collect()
}

async fn fools_mate(white: &mut Page, black: &mut Page) {
    for (index, code) in ["f2f3", "e7e5", "g2g4", "d8h4"].iter().enumerate() {
        let page = if index % 2 == 0 { &mut *white } else { &mut *black };
        page.wait_for_turn().await;
        page.play(code).await.expect("legal");
    }
}

#[tokio::test]
async fn ratings_change_and_survive_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("arena.db");
    let first = server(Some(path.clone()), fast_limits()).await;
    let mut ada = Page::open(&first, ADA).await;
    let mut bob = Page::open(&first, BOB).await;
    let game = ada.create(json!("friend"), 0).await;
    ada.watch(&game).await;
    bob.watch(&game).await;
    let history = bob.ask(json!({"t": "history"})).await.expect("anybody may ask");
    assert_eq!((&history["games"], &history["ratings"]), (&json!([]), &json!([])));
    bob.ask(json!({"t": "sit", "seat": 1})).await.expect("the seat is free");
    let history = bob.ask(json!({"t": "history"})).await.expect("anybody may ask");
    assert_eq!(history["games"][0]["over"], json!(false));
    assert_eq!(history["games"][0]["outcome"], Value::Null);
    ada.wait(|state| state["rated"] == true).await;
    let new = json!({"rating": 1500.0, "deviation": 350.0, "rating_change": null});
    for page in [&mut ada, &mut bob] {
        page.wait(|state| state["ratings"] == json!([new, new])).await;
    }
    fools_mate(&mut ada, &mut bob).await;
    for page in [&mut ada, &mut bob] {
        page.wait(|state| rating_changes(state) == [Some(-100.0), Some(100.0)]).await;
        assert_eq!(ratings(&page.state), [1400.0, 1600.0]);
    }

    let won = settled(&mut bob).await;
    let listed = &won["games"][0];
    assert_eq!((&listed["id"], &listed["you"]), (&json!(game), &json!([1])));
    assert_eq!(listed["outcome"]["winners"], json!([1]));
    assert_eq!(listed["rating_change"], json!(100.0));
    assert_eq!(listed["players"][0]["kind"], "guest");
    assert_eq!(won["ratings"][0]["pool"], "chess");
    assert_eq!(
        (&won["ratings"][0]["rating"], &won["ratings"][0]["games"]),
        (&json!(1600.0), &json!(1))
    );
    let lost = settled(&mut ada).await;
    assert_eq!(
        (&lost["games"][0]["you"], &lost["games"][0]["rating_change"]),
        (&json!([0]), &json!(-100.0))
    );
    first.stop().await;

    let second = server(Some(path), fast_limits()).await;
    let mut bob = Page::open(&second, BOB).await;
    let again = bob.ask(json!({"t": "history"})).await.expect("anybody may ask");
    assert_eq!((&again["games"], &again["ratings"]), (&won["games"], &won["ratings"]));
    // Another game changes the ratings, but not those shown for the first game.
    let mut ada = Page::open(&second, ADA).await;
    let next = bob.create(json!("friend"), 0).await;
    bob.watch(&next).await;
    ada.watch(&next).await;
    ada.ask(json!({"t": "sit", "seat": 1})).await.expect("the seat is free");
    bob.wait(|state| ratings(state) == [1600.0, 1400.0]).await;
    fools_mate(&mut bob, &mut ada).await;
    bob.wait(|state| rating_changes(state).iter().all(Option::is_some)).await;
    assert!(ratings(&bob.state)[0] < 1600.0, "{:?}", bob.state["ratings"]);
    bob.watch(&game).await;
    bob.wait(|state| !ratings(state).is_empty()).await;
    assert_eq!(ratings(&bob.state), [1400.0, 1600.0]);
    assert_eq!(rating_changes(&bob.state), [Some(-100.0), Some(100.0)]);
    second.stop().await;
}

#[tokio::test]
async fn bots_are_rated_and_listed_in_the_ladder() {
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open(&server, ADA).await;
    for game in ["chess", "four-player", "kung-fu"] {
        let id = ada.create_of(game, json!({"bot": "random"}), 0, Value::Null).await;
        ada.watch(&id).await;
        let seats = ada.state["seats"].as_array().expect("seats").len();
        ada.wait(|state| ratings(state).len() == seats).await;
        assert_eq!(ratings(&ada.state)[1], 400.0, "{game}");
        if game == "kung-fu" {
            ada.wait(|state| state["time"]["phase"] == "running").await;
            // Refused until the countdown is over.
            let mut pawns = ada.state["realtime_pieces"].as_array().expect("pieces").iter();
            let pawn = pawns.find(|piece| piece["square"] == "e2").expect("a pawn")["id"].clone();
            until(async || ada.ask(json!({"t": "order", "piece": pawn, "to": "e4"})).await.is_ok())
                .await;
        } else {
            for _ in 0..2 {
                ada.wait_for_turn().await;
                let code = ada.legal_moves()[0].clone();
                ada.play(&code).await.expect("legal");
            }
        }
        ada.ask(json!({"t": "resign"})).await.expect("players may resign");
        let history = settled(&mut ada).await;
        ada.wait(|state| rating_changes(state)[0].is_some_and(|change| change < 0.0)).await;
        // The ratings of bots are fixed.
        assert_eq!(rating_changes(&ada.state)[1], None, "{game}: {:?}", ada.state["ratings"]);
        assert_eq!(ratings(&ada.state)[1], 400.0, "{game}");
        assert_eq!(history["games"][0]["id"], json!(id), "{game}");
        assert!(history["games"][0]["rating_change"].as_f64() < Some(0.0), "{game}: {history}");
        let mut pools = history["ratings"].as_array().expect("ratings").iter();
        let pool = pools.find(|rating| rating["pool"].as_str().expect("an id").starts_with(game));
        let pool = pool.expect("a rating")["pool"].clone();
        let ladder = ada.ask(json!({"t": "ladder", "pool": pool})).await.expect("a pool");
        let bot = &ladder["players"]
            .as_array()
            .expect("players")
            .iter()
            .find(|one| one["bot"] == "random");
        let bot = bot.expect("the bot is listed");
        assert_eq!(bot["rating"], json!(400.0), "{game}: {ladder}");
    }
    let refusal = ada.ask(json!({"t": "ladder", "pool": "poker"})).await.unwrap_err();
    assert_eq!(refusal, "there is no rating pool 'poker'");
    server.stop().await;
}

#[tokio::test]
async fn games_without_moves_of_everybody_are_aborted_and_casual_games_are_unrated() {
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open(&server, ADA).await;
    let mut bob = Page::open(&server, BOB).await;
    let game = ada.create(json!("friend"), 0).await;
    ada.watch(&game).await;
    assert_eq!(ada.state["abortable"], json!(true), "a game that waits can be canceled");
    bob.watch(&game).await;
    bob.ask(json!({"t": "sit", "seat": 1})).await.expect("the seat is free");
    ada.wait(|state| state["abortable"] == true).await;
    ada.play("e2e4").await.expect("legal");
    bob.ask(json!({"t": "abort"})).await.expect("black has not moved");
    for page in [&mut ada, &mut bob] {
        page.wait(|state| state["outcome"]["text"] == "game aborted").await;
        assert_eq!(
            (&page.state["outcome"]["winners"], &page.state["acting"]),
            (&json!([]), &json!([]))
        );
        assert_eq!(
            (&page.state["legal_moves"], &page.state["abortable"]),
            (&json!([]), &json!(false))
        );
    }
    for command in [
        json!({"t": "abort"}),
        json!({"t": "resign"}),
        json!({"t": "move", "move": "e7e5", "ply": 1}),
    ] {
        let why = bob.ask(command).await.unwrap_err();
        assert_eq!(why, "the game is over: game aborted");
    }
    let history = settled(&mut bob).await;
    assert_eq!(history["games"][0]["outcome"]["text"], "game aborted");
    assert_eq!(
        (&history["games"][0]["rating_change"], &history["ratings"]),
        (&Value::Null, &json!([]))
    );

    // A player who does not come loses nothing either; later, time counts.
    for (late, text) in [(false, "game aborted"), (true, "white wins by time forfeit")] {
        let clock = json!({"initial": 1000, "increment": 0});
        let game = ada.create_of("chess", json!("friend"), 0, clock).await;
        ada.watch(&game).await;
        bob.watch(&game).await;
        bob.ask(json!({"t": "sit", "seat": 1})).await.expect("the seat is free");
        ada.wait(|state| state["abortable"] == true).await;
        ada.play("e2e4").await.expect("legal");
        if late {
            bob.wait_for_turn().await;
            bob.play("e7e5").await.expect("legal");
            ada.wait_for_turn().await;
            ada.play("g1f3").await.expect("legal");
            let why = bob.ask(json!({"t": "abort"})).await.unwrap_err();
            assert_eq!(why, "it is too late to abort: every player has moved");
        }
        ada.wait(|state| state["outcome"]["text"] == text).await;
    }

    let casual = json!({"t": "create", "game": "chess", "opponent": {"bot": "random"}, "seat": 0, "clock": null, "casual": true});
    let game = ada.ask(casual).await.expect("a game")["game"].clone();
    ada.watch(game.as_str().expect("an id")).await;
    assert_eq!((&ada.state["rated"], &ada.state["ratings"]), (&json!(false), &json!([])));
    server.stop().await;
}

#[tokio::test]
async fn a_real_time_game_can_be_aborted_until_a_person_has_given_an_order() {
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open(&server, ADA).await;
    let game = ada.create_of("kung-fu", json!({"bot": "master"}), 0, Value::Null).await;
    ada.watch(&game).await;
    ada.wait(|state| state["time"]["phase"] == "running").await;
    assert_eq!(ada.state["abortable"], json!(true));
    ada.ask(json!({"t": "abort"})).await.expect("no order yet");
    ada.wait(|state| state["outcome"]["text"] == "game aborted").await;
    ada.wait(|state| state["time"]["phase"] == "over").await;
    let history = settled(&mut ada).await;
    assert_eq!(
        (&history["games"][0]["rating_change"], &history["ratings"]),
        (&Value::Null, &json!([]))
    );

    let game = ada.create_of("kung-fu", json!({"bot": "random"}), 0, Value::Null).await;
    ada.watch(&game).await;
    ada.wait(|state| state["time"]["phase"] == "running").await;
    let mut pawns = ada.state["realtime_pieces"].as_array().expect("pieces").iter();
    let pawn = pawns.find(|piece| piece["square"] == "e2").expect("a pawn")["id"].clone();
    until(async || ada.ask(json!({"t": "order", "piece": pawn, "to": "e4"})).await.is_ok()).await;
    ada.wait(|state| state["abortable"] == false).await;
    let why = ada.ask(json!({"t": "abort"})).await.unwrap_err();
    assert_eq!(why, "it is too late to abort: a player has moved");
    server.stop().await;
}

#[tokio::test]
async fn hints_takebacks_and_one_screen_make_a_game_unrated() {
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open(&server, ADA).await;
    let own = ada.create(json!("self"), 0).await;
    ada.watch(&own).await;
    assert_eq!((&ada.state["rated"], &ada.state["ratings"]), (&json!(false), &json!([])));
    for code in ["f2f3", "e7e5", "g2g4", "d8h4"] {
        ada.play(code).await.expect("legal");
    }
    let history = settled(&mut ada).await;
    assert_eq!(
        (&history["games"][0]["rating_change"], &history["ratings"]),
        (&Value::Null, &json!([]))
    );

    let mut eve = Page::open(&server, EVE).await;
    for help in ["takeback", "hint"] {
        let game = eve.create(json!({"bot": "random"}), 0).await;
        eve.watch(&game).await;
        assert_eq!(eve.state["rated"], json!(true));
        eve.play("e2e4").await.expect("legal");
        eve.wait_for_turn().await;
        let ply = eve.moves().len();
        eve.ask(json!({"t": help, "ply": ply})).await.expect("against bots");
        eve.wait(|state| state["rated"] == false).await;
        assert_eq!(eve.state["ratings"], json!([]));
        if help == "takeback" {
            eve.play("d2d4").await.expect("legal");
            eve.wait_for_turn().await;
        }
        eve.ask(json!({"t": "resign"})).await.expect("players may resign");
        let history = settled(&mut eve).await;
        assert_eq!(history["games"][0]["id"], json!(game));
        assert_eq!(
            (&history["games"][0]["rating_change"], &history["ratings"]),
            (&Value::Null, &json!([]))
        );
    }
    server.stop().await;
}

#[tokio::test]
async fn history_is_paginated() {
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open(&server, ADA).await;
    let mut made = Vec::new();
    for _ in 0..23 {
        made.push(json!(ada.create(json!("friend"), 0).await));
    }
    let (mut listed, mut before) = (Vec::new(), Value::Null);
    loop {
        let page = ada.ask(json!({"t": "history", "before": before})).await.expect("a page");
        let games = page["games"].as_array().expect("games");
        assert!(games.len() <= 20);
        listed.extend(games.iter().map(|game| game["id"].clone()));
        if page["more"] == false {
            break;
        }
        before = games[games.len() - 1]["id"].clone();
    }
    // Games created in the same millisecond may come in any order, but none is missing or repeated.
    let sorted = |ids: &[Value]| {
        let mut ids: Vec<String> = ids.iter().map(Value::to_string).collect();
        ids.sort();
        ids
    };
    assert_eq!(sorted(&listed), sorted(&made));
    server.stop().await;
}

#[tokio::test]
async fn history_is_ordered() {
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open(&server, ADA).await;
    let mut made = Vec::new();
    for _ in 0..10 {
        made.insert(0, ada.create(json!("self"), 0).await);
    }
    let history = ada.ask(json!({"t": "history"})).await.expect("anybody may ask");
    let listed: Vec<&str> = history["games"]
        .as_array()
        .expect("games")
        .iter()
        .map(|game| game["id"].as_str().expect("an id"))
        .collect();
    assert_eq!(listed, made);
    server.stop().await;
}
