//! Blokus games: placements, reasons why a piece does not fit, and players who resign.

use serde_json::{Value, json};

use crate::client::{ADA, BOB, EVE, Page, fast_limits, server};

const NONE: Value = Value::Null;

#[tokio::test]
async fn whole_games_against_bots() {
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open(&server, ADA).await;
    for (game, level) in [("blokus-duo", "greedy"), ("blokus-3", "random"), ("blokus-2", "greedy")]
    {
        let id = ada.create_of(game, json!({"bot": level}), 0, NONE).await;
        ada.watch(&id).await;
        for turn in 0.. {
            ada.wait(|state| state["legal_moves"] != json!([]) || state["outcome"] != NONE).await;
            let moves = ada.legal_moves();
            if moves.is_empty() {
                break;
            }
            ada.play(&moves[turn * 7 % moves.len()]).await.expect("legal");
        }
        ada.wait(|state| state["outcome"] != NONE).await;
        let colors = ada.state["colors"].as_array().expect("colors").clone();
        assert!(colors.iter().all(|color| color["done"] == true), "{colors:?}");
        // The last update changes the ratings.
        ada.wait(|state| state["ratings"][0]["rating_change"].is_number()).await;
        let grown = ada.state.clone();
        ada.ask(json!({"t": "sync"})).await.expect("anybody may look");
        assert_eq!(ada.state, grown, "the deltas add up to the state");
        let first = ada.ask(json!({"t": "position", "ply": 1})).await.expect("there is such a ply");
        assert_ne!(first["colors"][0]["squares"], json!([]));
        assert_eq!(first["colors"][1]["squares"], json!([]));
    }
    server.stop().await;
}

#[tokio::test]
async fn try_checks_a_placement_without_playing_it() {
    let server = server(None, fast_limits()).await;
    let (mut ada, mut bob) = (Page::open(&server, ADA).await, Page::open(&server, BOB).await);
    let game = ada.create_of("blokus-duo", json!("friend"), 0, NONE).await;
    ada.watch(&game).await;
    let attempt = |text: &str, ply: usize| json!({"t": "try", "move": text, "ply": ply});
    let waits = ada.ask(attempt("e10", 0)).await.unwrap_err();
    assert_eq!(waits, "waiting for a player to take orange's seat");
    bob.watch(&game).await;
    bob.ask(json!({"t": "sit", "seat": 1})).await.expect("the seat is free");
    ada.wait_for_turn().await;
    for (text, why) in [
        ("e10", NONE),
        ("a1", json!("the first piece must cover the start square e10")),
        ("e10,g10", json!("the cells 'e10,g10' do not form a piece")),
    ] {
        assert_eq!(ada.ask(attempt(text, 0)).await.expect("an answer")["why"], why, "{text}");
    }
    assert_eq!(ada.state["moves"], json!([]), "`try` places nothing");
    assert_eq!(bob.ask(attempt("j5", 0)).await.unwrap()["why"], "orange may not move now");
    let late = ada.ask(attempt("e10", 3)).await.unwrap_err();
    assert_eq!(late, "the position has changed in the meantime");
    let mut eve = Page::open(&server, EVE).await;
    eve.watch(&game).await;
    let watching = eve.ask(attempt("e10", 0)).await.unwrap_err();
    assert_eq!(watching, "you are watching: only players can do that");
    assert_eq!(
        ada.play("b1,b2").await.unwrap_err(),
        "the first piece must cover the start square e10"
    );
    ada.play("e10").await.expect("legal");
    bob.wait(|state| state["colors"][0]["squares"] == json!(["e10"])).await;
    assert_eq!(bob.state["moves"][0]["text"], "I1 e10");
    server.stop().await;
}

#[tokio::test]
async fn resigned_players_are_skipped_by_people_and_bots() {
    let server = server(None, fast_limits()).await;
    let (mut ada, mut bob) = (Page::open(&server, ADA).await, Page::open(&server, BOB).await);
    let game = ada.create_of("blokus", json!("friend"), 0, NONE).await;
    ada.watch(&game).await;
    bob.watch(&game).await;
    bob.ask(json!({"t": "sit", "seat": 1})).await.expect("the seat is free");
    for seat in [2, 3] {
        ada.ask(json!({"t": "fill", "seat": seat, "bot": "greedy"})).await.expect("it is open");
    }
    ada.wait_for_turn().await;
    ada.play("a20").await.expect("legal");
    bob.ask(json!({"t": "resign"})).await.expect("a player");
    ada.wait_for_turn().await;
    assert_eq!(
        (&ada.state["eliminated"], &ada.state["moves"][1]["seat"]),
        (&json!([1]), &json!(2))
    );
    ada.ask(json!({"t": "resign"})).await.expect("a player");
    ada.wait(|state| state["outcome"] != NONE).await;
    let winners = ada.state["outcome"]["winners"].as_array().expect("winners").clone();
    assert!(winners.iter().all(|seat| [json!(2), json!(3)].contains(seat)), "{winners:?}");
    server.stop().await;
}
