//! Four-player games with people and bots, in which players resign while the others play on.

use serde_json::{Value, json};

use crate::client::{ADA, BOB, EVE, Page, fast_limits, server};

const DAN: &str = "dddddddddddddddddddddddddddddddd";
const NONE: Value = Value::Null;

#[tokio::test]
async fn a_whole_game_against_three_bots() {
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open(&server, ADA).await;
    for (game, level) in [("four-player", "greedy"), ("four-player-teams", "random")] {
        let id = ada.create_of(game, json!({"bot": level}), 2, NONE).await;
        ada.watch(&id).await;
        assert_eq!(ada.state["you"], json!([2]));
        for turn in 0..30 {
            ada.wait(|state| {
                let out = state["eliminated"].as_array().expect("seats").contains(&json!(2));
                state["legal_moves"] != json!([]) || state["outcome"] != NONE || out
            })
            .await;
            let moves = ada.legal_moves();
            if moves.is_empty() {
                break;
            }
            ada.play(&moves[turn * 7 % moves.len()]).await.expect("legal");
        }
        // The bots may have mated us already.
        let _ = ada.ask(json!({"t": "resign"})).await;
        ada.wait(|state| state["outcome"] != NONE).await;
        // The last update changes the ratings.
        ada.wait(|state| state["ratings"][2]["rating_change"].is_number()).await;
        let grown = ada.state.clone();
        ada.ask(json!({"t": "sync"})).await.expect("anybody may look");
        assert_eq!(ada.state, grown, "the deltas add up to the state");
        ada.ask(json!({"t": "rematch"})).await.expect("bots agree at once");
        assert_ne!(ada.state["next"], NONE);
    }
    server.stop().await;
}

#[tokio::test]
async fn four_friends_play_by_link_until_one_is_left() {
    let server = server(None, fast_limits()).await;
    let mut pages = Vec::new();
    for secret in [ADA, BOB, EVE, DAN] {
        pages.push(Page::open(&server, secret).await);
    }
    let clock = json!({"initial": 600_000, "increment": 1_000});
    let game = pages[0].create_of("four-player", json!("friend"), 0, clock).await;
    for (seat, page) in pages.iter_mut().enumerate() {
        page.watch(&game).await;
        if seat > 0 {
            page.ask(json!({"t": "sit", "seat": seat})).await.expect("the seat is free");
        }
    }
    for (seat, code) in ["h2h3", "b7c7", "g13g12", "m8l8"].into_iter().enumerate() {
        pages[seat].wait_for_turn().await;
        pages[seat].play(code).await.expect("legal");
        assert_eq!(pages[seat].state["clock"]["running"], json!((seat + 1) % 4));
    }
    // Blue resigns out of turn: its turn is skipped, and it may keep watching.
    pages[1].ask(json!({"t": "resign"})).await.expect("a player");
    pages[0].wait_for_turn().await;
    pages[0].play("h3h4").await.expect("legal");
    pages[1].wait(|state| state["acting"] == json!([2])).await;
    assert_eq!((&pages[1].state["eliminated"], &pages[1].state["outcome"]), (&json!([1]), &NONE));
    assert_eq!(pages[1].play("c7d7").await.unwrap_err(), "blue may not move now");
    let position =
        pages[1].ask(json!({"t": "position", "ply": 2})).await.expect("there is such a ply");
    assert_eq!(position["eliminated"], json!([]), "it was still in the game then");

    // A page that reconnects finds its seat and the same game.
    pages[2] = Page::open(&server, EVE).await;
    pages[2].watch(&game).await;
    assert_eq!((&pages[2].state["you"], &pages[2].state["eliminated"]), (&json!([2]), &json!([1])));
    assert_eq!(pages[2].state["moves"].as_array().map(Vec::len), Some(5));
    pages[2].play("g12g11").await.expect("its turn");

    pages[3].wait_for_turn().await;
    pages[3].ask(json!({"t": "draw"})).await.expect("an offer");
    pages[0].ask(json!({"t": "draw"})).await.expect("agreed");
    assert_eq!(pages[0].state["draw_votes"], json!([3, 0]));
    pages[2].wait(|state| state["draw_votes"] == json!([3, 0])).await;
    pages[2].ask(json!({"t": "decline"})).await.expect("it was asked");
    pages[3].ask(json!({"t": "resign"})).await.expect("a player");
    pages[2].ask(json!({"t": "resign"})).await.expect("a player");
    for page in &mut pages {
        page.wait(|state| state["outcome"] != NONE).await;
        assert_eq!(page.state["clock"]["running"], NONE);
        assert_eq!(page.state["eliminated"], json!([1, 2, 3]));
    }
    for page in &mut pages {
        page.ask(json!({"t": "rematch"})).await.expect("the game is over");
    }
    let next = pages[3].state["next"].as_str().expect("all want it").to_owned();
    pages[0].watch(&next).await;
    assert_eq!(pages[0].state["you"], json!([1]), "everybody has moved on by one seat");
    server.stop().await;
}

#[tokio::test]
async fn a_timeout_eliminates_one_seat() {
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open(&server, ADA).await;
    let clock = json!({"initial": 1000, "increment": 0});
    let game = ada.create_of("four-player", json!("self"), 0, clock.clone()).await;
    ada.watch(&game).await;
    assert_eq!(ada.state["you"], json!([0, 1, 2, 3]));
    ada.play("h2h3").await.expect("legal");
    ada.wait(|state| state["eliminated"] == json!([1])).await;
    assert_eq!(ada.state["clock"]["running"], json!(2));
    ada.wait(|state| state["outcome"] != NONE).await;
    assert_eq!(ada.state["clock"]["left"], json!([1000, 0, 0, 0]));

    let game = ada.create_of("four-player-teams", json!("self"), 0, clock).await;
    ada.watch(&game).await;
    ada.play("h2h3").await.expect("legal");
    ada.wait(|state| state["outcome"] != NONE).await;
    assert_eq!(ada.state["outcome"]["text"], "red and yellow win by time forfeit");
    server.stop().await;
}

#[tokio::test]
async fn games_with_resigned_players_are_restored() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("arena.db");
    let first = server(Some(path.clone()), fast_limits()).await;
    let mut ada = Page::open(&first, ADA).await;
    let clock = json!({"initial": 600_000, "increment": 0});
    let game = ada.create_of("four-player", json!("self"), 0, clock).await;
    ada.watch(&game).await;
    ada.play("h2h3").await.expect("legal");
    ada.ask(json!({"t": "resign"})).await.expect("blue's turn");
    ada.play("g13g12").await.expect("legal");
    ada.ask(json!({"t": "takeback"})).await.expect("at one board");
    let before = ada.state.clone();
    first.stop().await;

    let second = server(Some(path), fast_limits()).await;
    let mut ada = Page::open(&second, ADA).await;
    ada.watch(&game).await;
    for key in ["pieces", "eliminated", "scores", "acting", "moves", "legal_moves", "you"] {
        assert_eq!(ada.state[key], before[key], "{key}");
    }
    assert_eq!((&ada.state["eliminated"], &ada.state["acting"]), (&json!([1]), &json!([2])));
    second.stop().await;
}

#[tokio::test]
async fn open_seats_can_be_filled_with_bots() {
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open(&server, ADA).await;
    let mut bob = Page::open(&server, BOB).await;
    let game = ada.create_of("four-player", json!("friend"), 0, NONE).await;
    ada.watch(&game).await;
    bob.watch(&game).await;
    bob.ask(json!({"t": "sit", "seat": 2})).await.expect("the seat is free");
    for seat in [1, 3] {
        ada.ask(json!({"t": "fill", "seat": seat, "bot": "greedy"})).await.expect("it is free");
    }
    assert_eq!(
        ada.state["players"][3],
        json!({"kind": "bot", "name": "Greedy", "connected": true})
    );
    ada.play("h2h3").await.expect("legal");
    bob.wait_for_turn().await;
    assert_eq!(bob.moves().len(), 2, "blue has moved");
    bob.play("g13g12").await.expect("legal");
    ada.wait_for_turn().await;
    assert_eq!(ada.moves().len(), 4);
    server.stop().await;
}
