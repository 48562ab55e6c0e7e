//! Compares the protocol documentation with the messages that are really sent.

use std::collections::BTreeMap;
use std::time::Duration;

use fourfold_arena::Limits;
use serde_json::{Value, json};

use crate::client::{ADA, BOB, Page, fast_limits, server, until};
use crate::json_shape::{Shape, add, blocks, differences};

/// Groups messages by their type, `t`. A `delta` has the keys of a `state`, except that some
/// contain less.
fn shapes<'a>(messages: impl Iterator<Item = &'a Value>) -> BTreeMap<String, Shape> {
    let mut shapes: BTreeMap<String, Shape> = BTreeMap::new();
    for message in messages {
        let kind = message["t"].as_str().expect("what it is").to_owned();
        add(shapes.entry(kind).or_default(), "", message);
    }
    shapes
}

/// Plays chess on one screen with clocks until a promotion is possible, and sends every kind of
/// request.
async fn chess(ada: &mut Page) {
    let clock = json!({"initial": 600_000, "increment": 1000});
    let game = ada.create_of("chess", json!("self"), 0, clock).await;
    ada.watch(&game).await;
    for code in ["a2a4", "b7b5", "a4b5", "a7a6", "b5a6", "h7h6", "a6a7", "h6h5"] {
        ada.play(code).await.expect("legal");
    }
    ada.ask(json!({"t": "position", "ply": 7})).await.expect("a board");
    ada.ask(json!({"t": "try", "move": "a7a8q", "ply": 8})).await.expect("an answer");
    ada.ask(json!({"t": "try", "move": "a7b8q", "ply": 8})).await.expect("an answer");
    ada.ask(json!({"t": "hint", "ply": 8})).await.expect("an idea");
    ada.play("a1a9").await.expect_err("there is no such square");
    ada.ask(json!({"t": "sync"})).await.expect("a state");
    ada.send_text("?").await;
    ada.ask(json!({"t": "resign"})).await.expect("a player");
    ada.ask(json!({"t": "sync"})).await.expect("a state");
}

/// Adds a friend and a bot to a game.
async fn four_player(ada: &mut Page, bob: &mut Page) {
    let game = ada.create_of("four-player", json!("friend"), 0, Value::Null).await;
    ada.watch(&game).await;
    bob.watch(&game).await;
    bob.ask(json!({"t": "sit", "seat": 1})).await.expect("it is open");
    ada.ask(json!({"t": "fill", "seat": 2, "bot": "random"})).await.expect("it is open");
    bob.ask(json!({"t": "chat", "text": "Hello"})).await.expect("two people");
    bob.ask(json!({"t": "enable_chat", "enabled": false})).await.expect("a player");
    ada.ask(json!({"t": "sync"})).await.expect("a state");
    bob.ask(json!({"t": "leave"})).await.expect("anybody may go");
}

/// Lists an open game in the lobby, plays a rated game against a bot, and requests history and
/// ladder.
async fn books(ada: &mut Page, bob: &mut Page) {
    bob.ask(json!({"t": "lobby", "listen": true})).await.expect("anybody may listen");
    let clock = json!({"initial": 600_000, "increment": 0});
    let create = json!({"t": "create", "game": "chess", "opponent": "friend", "seat": 0, "clock": clock, "listed": true});
    let open = ada.ask(create).await.expect("a game")["game"].as_str().expect("an id").to_owned();
    ada.watch(&open).await;
    bob.wait_for_lobby(|lobby| lobby["waiting"][0].is_object()).await;
    bob.ask(json!({"t": "lobby", "listen": false})).await.expect("nor need anybody");
    let game = ada.create(json!({"bot": "random"}), 0).await;
    ada.watch(&game).await;
    ada.wait(|state| state["ratings"][0].is_object()).await;
    ada.ask(json!({"t": "sync"})).await.expect("a state");
    for _ in 0..2 {
        ada.wait_for_turn().await;
        let code = ada.legal_moves()[0].clone();
        ada.play(&code).await.expect("legal");
    }
    ada.ask(json!({"t": "resign"})).await.expect("a player");
    until(async || {
        let response = ada.ask(json!({"t": "history"})).await.expect("games");
        let games = response["games"].as_array().expect("a list");
        games.iter().any(|one| one["id"] == *game && !one["outcome"].is_null())
    })
    .await;
    ada.wait(|state| state["ratings"][0]["rating_change"].is_number()).await;
    ada.ask(json!({"t": "sync"})).await.expect("a state");
    ada.ask(json!({"t": "ladder", "pool": "chess"})).await.expect("a pool");
}

async fn blokus(ada: &mut Page) {
    let game = ada.create_of("blokus", json!("self"), 0, Value::Null).await;
    ada.watch(&game).await;
    let choice = ada.legal_moves().first().cloned().expect("a first move");
    ada.play(&choice).await.expect("legal");
    ada.ask(json!({"t": "position", "ply": 1})).await.expect("a board");
    ada.ask(json!({"t": "sync"})).await.expect("a state");
}

/// Plays kung fu chess with flights, rests, a capture, and premoves that are stored and refused.
async fn kung_fu(ada: &mut Page, bob: &mut Page) {
    let create = json!({"t": "create", "game": "kung-fu", "opponent": "friend", "seat": 0, "rules": "ticks-per-square=1 rest=30"});
    let game = ada.ask(create).await.expect("a game")["game"].as_str().expect("an id").to_owned();
    ada.watch(&game).await;
    bob.watch(&game).await;
    bob.ask(json!({"t": "sit", "seat": 1})).await.expect("it is open");
    let piece = |page: &Page, square: &str| -> Value {
        let pieces = page.state["realtime_pieces"].as_array().expect("pieces").iter();
        let found = pieces.clone().find(|piece| piece["square"] == square);
        found.unwrap_or_else(|| panic!("nothing on {square}"))["id"].clone()
    };
    let (pawn, other) = (piece(ada, "e2"), piece(ada, "d7"));
    let order = |piece: &Value, to: &str| json!({"t": "order", "piece": piece, "to": to});
    until(async || ada.ask(order(&pawn, "e4")).await.is_ok()).await;
    bob.ask(order(&other, "d5")).await.expect("it runs by now");
    ada.ask(json!({"t": "sync"})).await.expect("a state");
    ada.ask(json!({"t": "targets", "piece": pawn})).await.expect("its ways");
    ada.ask(json!({"t": "premove", "piece": pawn, "to": "a1"})).await.expect("held");
    ada.wait(|state| state["missed"] != Value::Null).await;
    ada.ask(json!({"t": "sync"})).await.expect("a state");
    until(async || ada.ask(order(&pawn, "d5")).await.is_ok()).await;
    ada.ask(order(&pawn, "d5")).await.expect_err("it is on its way");
    ada.ask(json!({"t": "premove", "piece": pawn, "to": "d6"})).await.expect("held");
    ada.ask(json!({"t": "sync"})).await.expect("a state");
    let there = |state: &serde_json::Map<String, Value>| {
        state["realtime_pieces"]
            .as_array()
            .is_some_and(|pieces| pieces.iter().any(|one| one["id"] == other))
    };
    ada.wait(|state| !there(state)).await;
    ada.wait(|state| state["realtime_pieces"].to_string().contains("\"rest\"")).await;
    ada.ask(json!({"t": "sync"})).await.expect("a state");
    ada.ask(json!({"t": "resign"})).await.expect("a player");
    ada.wait(|state| state["outcome"] != Value::Null).await;
}

#[tokio::test]
async fn documentation_matches_the_messages() {
    let folder = tempfile::tempdir().expect("a folder");
    // A folder is not a database, so there is a notice.
    let server = server(
        Some(folder.path().to_owned()),
        Limits { countdown: Duration::ZERO, ..fast_limits() },
    )
    .await;
    let (mut ada, mut bob) = (Page::open_here(&server, ADA).await, Page::open(&server, BOB).await);
    ada.keep_all();
    bob.keep_all();
    chess(&mut ada).await;
    four_player(&mut ada, &mut bob).await;
    books(&mut ada, &mut bob).await;
    blokus(&mut ada).await;
    kung_fu(&mut ada, &mut bob).await;
    server.stop().await;
    while ada.receive().await.is_some() {}

    let first = [ada.hello.clone(), ada.network.clone()];
    let received: Vec<Value> =
        ada.received.into_iter().chain(bob.received).flatten().chain(first).collect();
    let mut real = shapes(received.iter());
    let shown = blocks();
    let shown = shown.iter().filter(|(kind, _)| ["event", "realtime"].contains(kind));
    let shown: Vec<Value> = shown.flat_map(|(_, values)| values.clone()).collect();
    let mut shown = shapes(shown.iter());

    // A `delta` has the same paths as a `state`, except for these.
    let (delta, state) = (real.remove("delta").expect("changes"), &real["state"]);
    let own = ["moves.keep", "moves.add", "pieces[].gone", "realtime_pieces[].gone"];
    let of_state = |way: &str| way.replace("moves.add[]", "moves[]");
    for way in delta.keys().filter(|way| !own.contains(&way.as_str())) {
        assert!(state.contains_key(&of_state(way)), "a delta has '{way}', and no state does");
    }
    let shown_delta = shown.remove("delta").expect("it is shown");
    for (way, kinds) in &shown_delta {
        assert!(delta.get(way).is_some_and(|real| kinds.is_subset(real)), "delta: '{way}'");
    }
    assert!(own.iter().all(|way| shown_delta.contains_key(*way)));
    for (way, kinds) in shown_delta {
        let partial = ["moves", "pieces", "captured", "colors"];
        if !partial.iter().any(|key| way.starts_with(key)) && !own.contains(&&*way) && way != "t" {
            shown.entry("state".to_owned()).or_default().entry(way).or_default().extend(kinds);
        }
    }

    let kinds = |shapes: &BTreeMap<String, Shape>| shapes.keys().cloned().collect::<Vec<_>>();
    assert_eq!(kinds(&shown), kinds(&real));
    for (kind, shape) in &shown {
        let differences = differences(shape, &real[kind]);
        assert!(differences.is_empty(), "{kind}: {differences:#?}");
    }
}
