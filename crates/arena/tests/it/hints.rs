//! Hints, which only guests who play against bots or on one screen may have.

use serde_json::{Value, json};

use crate::client::{ADA, BOB, EVE, Page, fast_limits, server};

/// Asks for a hint and returns the code of the suggested move.
async fn hint(page: &mut Page) -> Result<String, String> {
    let ply = page.moves().len();
    let answer = page.ask(json!({"t": "hint", "ply": ply})).await?;
    Ok(answer["hint"]["code"].as_str().expect("a code").to_owned())
}

#[tokio::test]
async fn hints_on_one_screen_are_not_played() {
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open(&server, ADA).await;
    let clock = json!({"initial": 600_000, "increment": 0});
    let game = ada.create_of("chess", json!("self"), 0, clock).await;
    ada.watch(&game).await;
    for code in ["f2f3", "e7e5", "g2g4"] {
        ada.play(code).await.expect("legal");
    }
    assert_eq!(ada.state["hint"], true);
    let before = ada.moves();
    let answer = ada.ask(json!({"t": "hint", "ply": 3})).await.expect("a hint");
    assert_eq!(answer["hint"], json!({"code": "d8h4", "text": "Qh4#", "from": "d8", "to": "h4"}));
    assert_eq!(hint(&mut ada).await.as_deref(), Ok("d8h4"), "the same request gets the same hint");
    assert_eq!(ada.moves(), before);
    ada.play("d8h4").await.expect("legal");
    assert_eq!(ada.state["hint"], false);
    let over = "the game is over: black wins by checkmate";
    assert_eq!(hint(&mut ada).await.unwrap_err(), over);
    server.stop().await;
}

#[tokio::test]
async fn every_turn_based_game_has_hints() {
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open(&server, ADA).await;
    let games = ada.hello["games"].as_array().expect("games").clone();
    let mut hinted = 0;
    for game in games.iter().filter(|game| game["realtime"] == false) {
        let id = ada.create_of(
            game["id"].as_str().expect("an id"),
            json!({"bot": "random"}),
            0,
            Value::Null,
        );
        let id = id.await;
        ada.watch(&id).await;
        ada.wait_for_turn().await;
        let code = hint(&mut ada).await.expect("a hint");
        assert!(ada.legal_moves().contains(&code), "{code} in {}", game["id"]);
        hinted += 1;
    }
    assert!(hinted >= 6, "{hinted} games");
    server.stop().await;
}

#[tokio::test]
async fn games_between_people_have_no_hints() {
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open(&server, ADA).await;
    let mut bob = Page::open(&server, BOB).await;
    let mut eve = Page::open(&server, EVE).await;
    let none = "hints are available only against bots and on one screen";
    for clock in [Value::Null, json!({"initial": 600_000, "increment": 0})] {
        let game = ada.create_of("chess", json!("friend"), 0, clock).await;
        ada.watch(&game).await;
        let open = "waiting for a player to take black's seat";
        assert_eq!(hint(&mut ada).await.unwrap_err(), open);
        bob.watch(&game).await;
        bob.ask(json!({"t": "sit", "seat": 1})).await.expect("an open seat");
        ada.wait_for_turn().await;
        assert_eq!(ada.state["hint"], false);
        assert_eq!(hint(&mut ada).await.unwrap_err(), none);
        assert_eq!(hint(&mut bob).await.unwrap_err(), none);
        eve.watch(&game).await;
        assert_eq!(hint(&mut eve).await.unwrap_err(), "you are watching: only players can do that");
    }
    // A game between two people is not eligible, even with two bots.
    let game = ada.create_of("four-player", json!("friend"), 0, Value::Null).await;
    ada.watch(&game).await;
    bob.watch(&game).await;
    bob.ask(json!({"t": "sit", "seat": 1})).await.expect("an open seat");
    for seat in [2, 3] {
        ada.ask(json!({"t": "fill", "seat": seat, "bot": "greedy"})).await.expect("an open seat");
    }
    ada.wait_for_turn().await;
    assert_eq!(hint(&mut ada).await.unwrap_err(), none);
    server.stop().await;
}

#[tokio::test]
async fn hints_require_your_turn_and_the_current_position() {
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open(&server, ADA).await;
    let game = ada.create(json!("self"), 0).await;
    ada.watch(&game).await;
    let changed = "the position has changed in the meantime";
    assert_eq!(ada.ask(json!({"t": "hint", "ply": 1})).await.unwrap_err(), changed);
    assert!(ada.ask(json!({"t": "hint"})).await.unwrap_err().contains("missing field `ply`"));
    assert!(
        ada.ask(json!({"t": "hint", "ply": -1})).await.unwrap_err().starts_with("invalid command")
    );
    // A hint requested just before a move is always answered, whichever is handled first.
    for (number, text) in [
        (1, r#"{"t":"hint","n":1,"ply":0}"#),
        (2, r#"{"t":"hint","n":2,"ply":0}"#),
        (3, r#"{"t":"move","n":3,"move":"e2e4","ply":0}"#),
    ] {
        assert!(ada.send_text(text).await, "command {number}");
    }
    let mut answers = [Value::Null, Value::Null, Value::Null, Value::Null];
    while answers[1..].contains(&Value::Null) {
        let message = ada.receive().await.expect("an answer");
        if let Some(number @ 1..=3) = message["n"].as_u64() {
            answers[number as usize] = message;
        }
    }
    assert_eq!(answers[3]["t"], "ok");
    for answer in &answers[1..3] {
        let why = answer["why"].as_str();
        let expected = [Some(changed), Some("a hint is being computed"), None];
        assert!(expected.contains(&why), "{answer}");
    }
    let flying =
        json!({"t": "create", "game": "kung-fu", "opponent": {"bot": "random"}, "seat": 0});
    let flying = ada.ask(flying).await.expect("a game")["game"].as_str().expect("an id").to_owned();
    ada.watch(&flying).await;
    assert_eq!(ada.state["hint"], false);
    let none = "hints are available only in turn-based games";
    assert_eq!(ada.ask(json!({"t": "hint", "ply": 0})).await.unwrap_err(), none);
    server.stop().await;
}
