//! The lobby, and spectators.

use std::time::Duration;

use serde_json::{Value, json};

use crate::client::{ADA, BOB, EVE, Page, fast_limits, server};

/// Returns the ids of the games in one list.
fn ids(lobby: &Value, sort: &str) -> Vec<String> {
    let games = lobby[sort].as_array().map_or(&[][..], Vec::as_slice);
    games.iter().map(|game| game["id"].as_str().expect("an id").to_owned()).collect()
}

async fn listen(page: &mut Page) {
    page.ask(json!({"t": "lobby", "listen": true})).await.expect("anybody may listen");
    page.wait_for_lobby(|lobby| !lobby.is_null()).await;
}

async fn create(page: &mut Page, game: &str, opponent: Value, listed: bool) -> String {
    let command =
        json!({"t": "create", "game": game, "opponent": opponent, "seat": 0, "listed": listed});
    let answer = page.ask(command).await.expect("a game");
    let id = answer["game"].as_str().expect("an id").to_owned();
    page.watch(&id).await;
    id
}

#[tokio::test]
async fn open_games_are_listed_and_then_live_games() {
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open(&server, ADA).await;
    let mut bob = Page::open(&server, BOB).await;
    let mut eve = Page::open(&server, EVE).await;
    listen(&mut eve).await;
    assert_eq!(eve.lobby, json!({"t": "lobby", "waiting": [], "playing": []}));

    let game = create(&mut ada, "chess", json!("friend"), true).await;
    eve.wait_for_lobby(|lobby| ids(lobby, "waiting") == [game.clone()]).await;
    let shown = &eve.lobby["waiting"][0];
    assert_eq!((&shown["game"], &shown["you"]), (&json!("chess"), &json!([])));
    assert_eq!(shown["players"][0]["kind"], "guest");
    assert_eq!(shown["players"][1], json!({"kind": "open"}));
    listen(&mut bob).await;
    ada.ask(json!({"t": "lobby", "listen": true})).await.expect("players may listen too");
    ada.wait_for_lobby(|lobby| lobby["waiting"][0]["you"] == json!([0])).await;

    bob.watch(&game).await;
    bob.ask(json!({"t": "sit", "seat": 1})).await.expect("the seat is free");
    eve.wait_for_lobby(|lobby| ids(lobby, "playing") == [game.clone()]).await;
    assert!(ids(&eve.lobby, "waiting").is_empty());
    eve.watch(&game).await;
    bob.wait_for_lobby(|lobby| lobby["playing"][0]["watchers"] == 1).await;

    ada.ask(json!({"t": "resign"})).await.expect("players may resign");
    eve.wait_for_lobby(|lobby| ids(lobby, "playing").is_empty()).await;
    server.stop().await;
}

#[tokio::test]
async fn private_and_abandoned_games_are_not_listed() {
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open(&server, ADA).await;
    let mut bob = Page::open(&server, BOB).await;
    let mut eve = Page::open(&server, EVE).await;
    listen(&mut eve).await;
    create(&mut ada, "chess", json!("friend"), false).await;
    let public = create(&mut bob, "kung-fu", json!("friend"), true).await;
    eve.wait_for_lobby(|lobby| ids(lobby, "waiting") == [public.clone()]).await;
    // Ada's next game is listed, without the private one.
    let open = create(&mut ada, "blokus", json!("friend"), true).await;
    eve.wait_for_lobby(|lobby| ids(lobby, "waiting") == [open.clone(), public.clone()]).await;
    drop(bob);
    eve.wait_for_lobby(|lobby| ids(lobby, "waiting") == [open.clone()]).await;
    ada.ask(json!({"t": "leave"})).await.expect("anybody may leave");
    eve.wait_for_lobby(|lobby| ids(lobby, "waiting").is_empty()).await;

    // A page that has unsubscribed receives nothing.
    eve.ask(json!({"t": "lobby", "listen": false})).await.expect("anybody may stop");
    eve.lobby = Value::Null;
    eve.keep_all();
    ada.watch(&open).await;
    // Longer than the lobby waits between two updates.
    tokio::time::sleep(Duration::from_millis(500)).await;
    eve.ask(json!({"t": "leave"})).await.expect("anybody may ask");
    let received = eve.received.take().expect("they are recorded");
    assert!(received.iter().all(|message| message["t"] != "lobby"), "{received:?}");
    eve.ask(json!({"t": "lobby", "listen": true})).await.expect("and listen again");
    eve.wait_for_lobby(|lobby| ids(lobby, "waiting") == [open.clone()]).await;
    server.stop().await;
}

#[tokio::test]
async fn spectators_are_counted_once_and_see_no_premoves() {
    let server = server(None, fast_limits()).await;
    for game in ["chess", "four-player", "blokus-duo", "kung-fu"] {
        let mut ada = Page::open(&server, ADA).await;
        let id = create(&mut ada, game, json!({"bot": "random"}), true).await;
        assert_eq!(ada.state["watchers"], json!(0), "{game}");
        let mut eve = Page::open(&server, EVE).await;
        let mut again = Page::open(&server, EVE).await;
        let mut bob = Page::open(&server, BOB).await;
        eve.watch(&id).await;
        again.watch(&id).await;
        bob.watch(&id).await;
        ada.wait(|state| state["watchers"] == 2).await;
        for key in ["you", "legal_moves"] {
            assert_eq!(eve.state[key], json!([]), "{game}: {key}");
        }
        if game == "kung-fu" {
            assert_eq!(eve.state["premoves"], json!([]));
            assert_eq!(eve.state["missed"], Value::Null);
            let order = json!({"t": "order", "piece": 8, "to": "e4"});
            let refusal = eve.ask(order).await.unwrap_err();
            assert_eq!(refusal, "you are watching: only players can do that");
        }
        drop(bob);
        again.ask(json!({"t": "leave"})).await.expect("anybody may leave");
        eve.wait(|state| state["watchers"] == 1).await;
    }
    server.stop().await;
}

#[tokio::test]
async fn ratings_are_listed_and_a_waiting_game_can_be_aborted_by_its_only_player() {
    let server = server(None, fast_limits()).await;
    for game in ["chess", "four-player", "blokus", "kung-fu", "kung-fu-12x12"] {
        let mut ada = Page::open(&server, ADA).await;
        let mut bob = Page::open(&server, BOB).await;
        listen(&mut bob).await;
        let id = create(&mut ada, game, json!("friend"), true).await;
        bob.wait_for_lobby(|lobby| lobby["waiting"][0]["ratings"][0]["rating"] == 1500.0).await;
        assert_eq!(bob.lobby["waiting"][0]["ratings"][1], Value::Null, "{game}: an open seat");
        assert_eq!(ada.state["ratings"], json!([]), "{game}: the game has not begun");
        assert_eq!(ada.state["abortable"], json!(true), "{game}");
        bob.watch(&id).await;
        bob.ask(json!({"t": "abort"})).await.expect_err("spectators cannot abort");
        ada.ask(json!({"t": "abort"})).await.expect("nobody has come");
        bob.wait_for_lobby(|lobby| ids(lobby, "waiting").is_empty()).await;
        ada.wait(|state| state["outcome"]["text"] == "game aborted").await;
        let why = bob.ask(json!({"t": "sit", "seat": 1})).await.expect_err("it is over");
        assert!(why.contains("aborted"), "{game}: {why}");
    }

    // Two of four have come: neither can send the other away.
    let (mut ada, mut bob) = (Page::open(&server, ADA).await, Page::open(&server, BOB).await);
    let id = create(&mut ada, "four-player", json!("friend"), true).await;
    bob.watch(&id).await;
    bob.ask(json!({"t": "sit", "seat": 2})).await.expect("the seat is free");
    for page in [&mut ada, &mut bob] {
        page.wait(|state| state["abortable"] == false).await;
        page.ask(json!({"t": "abort"})).await.expect_err("somebody else waits");
    }
    server.stop().await;
}
