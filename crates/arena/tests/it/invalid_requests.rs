//! Malformed messages and invalid requests.

use serde_json::{Value, json};

use crate::client::{ADA, EVE, Page, Rng, fast_limits, server};

/// Returns a command of a page, randomly damaged.
fn malformed(rng: &mut Rng) -> String {
    const GOOD: [&str; 17] = [
        r#"{"t":"create","n":1,"game":"chess","opponent":{"bot":"greedy"},"seat":null,"clock":{"initial":300000,"increment":3000}}"#,
        r#"{"t":"watch","n":2,"game":"7kq2m9x4t0ab"}"#,
        r#"{"t":"sit","n":3,"seat":1}"#,
        r#"{"t":"move","n":4,"move":"e2e4","ply":0}"#,
        r#"{"t":"position","n":5,"ply":12}"#,
        r#"{"t":"name","n":6,"name":"Ada"}"#,
        r#"{"t":"resign","n":7}"#,
        r#"{"t":"draw","n":8}"#,
        r#"{"t":"sync","n":9}"#,
        r#"{"t":"takeback","n":10}"#,
        r#"{"t":"decline_takeback","n":15}"#,
        r#"{"t":"chat","n":16,"text":"Hello"}"#,
        r#"{"t":"enable_chat","n":17,"enabled":true}"#,
        r#"{"t":"hint","n":14,"ply":0}"#,
        r#"{"t":"order","n":11,"piece":9,"to":"e4"}"#,
        r#"{"t":"premove","n":12,"piece":9,"to":"e4"}"#,
        r#"{"t":"create","n":13,"game":"kung-fu","opponent":"friend","rules":"lightning"}"#,
    ];
    const PARTS: [&str; 12] = [
        "null",
        "-1",
        "1e999",
        "18446744073709551616",
        "\"",
        "{",
        "[[[[",
        "\\u0000",
        "\u{1f600}",
        "true",
        "\"e2e4\"",
        "9007199254740993",
    ];
    let good = GOOD[rng.below(GOOD.len())];
    let mut text: Vec<char> = good.chars().collect();
    for _ in 0..=rng.below(3) {
        let at = rng.below(text.len());
        match rng.below(4) {
            0 => drop(text.remove(at)),
            1 => text.truncate(at.max(1)),
            2 => {
                let part: Vec<char> = PARTS[rng.below(PARTS.len())].chars().collect();
                text.splice(at..at, part);
            }
            _ => {
                let end = (at + rng.below(12)).min(text.len());
                let part: Vec<char> = PARTS[rng.below(PARTS.len())].chars().collect();
                text.splice(at..end, part);
            }
        }
        if text.is_empty() {
            text.push('x');
        }
    }
    text.into_iter().collect()
}

#[tokio::test]
async fn malformed_messages_do_not_affect_other_games() {
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open(&server, ADA).await;
    let game = ada.create(json!("self"), 0).await;
    ada.watch(&game).await;
    let mut eve = Page::open(&server, EVE).await;
    eve.watch(&game).await;
    let moves = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let mut rng = Rng(1);
    let mut played = 0;
    for number in 0..10_000 {
        let sent = match number % 50 {
            7 => eve.send_bytes(vec![number as u8; rng.below(200)]).await,
            _ => eve.send_text(malformed(&mut rng)).await,
        };
        assert!(sent, "the server listens still, after {number} messages");
        if number % 1000 == 0 {
            ada.play(moves[played % 4]).await.expect("the other game goes on");
            played += 1;
        }
        if number % 100 == 99 {
            // Read the answers so that they do not pile up. A damaged command may have been valid
            // by chance and led to another game.
            if eve.ask(json!({"t": "position", "ply": 0})).await.is_err() {
                eve.watch(&game).await;
            }
        }
    }
    // Every message was answered.
    eve.ask(json!({"t": "leave"})).await.expect("anybody may go");
    assert!(eve.answers >= 10_000, "{} answers", eve.answers);
    ada.ask(json!({"t": "sync"})).await.expect("the game is there");
    assert_eq!(ada.moves().len(), played);
    assert_eq!(ada.state["players"][0]["kind"], "guest");
    server.stop().await;
}

#[tokio::test]
async fn invalid_create_commands_are_refused() {
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open(&server, ADA).await;
    let mut refusal = async |change: Value| {
        let mut command =
            json!({"t": "create", "game": "chess", "opponent": "self", "seat": 0, "clock": null});
        for (key, value) in change.as_object().expect("an object") {
            command[key] = value.clone();
        }
        ada.ask(command).await.unwrap_err()
    };
    assert_eq!(refusal(json!({"game": "go"})).await, "there is no game 'go'");
    assert_eq!(refusal(json!({"seat": 2})).await, "chess has no seat 2");
    assert_eq!(refusal(json!({"opponent": {"bot": "x"}})).await, "chess has no bot 'x'");
    let clock = json!({"initial": 0, "increment": 0});
    assert_eq!(
        refusal(json!({"clock": clock})).await,
        "expected an initial time from one second to 24 hours"
    );
    let clock = json!({"initial": 60_000, "increment": 0, "delay": 600_001});
    assert_eq!(refusal(json!({"clock": clock})).await, "expected a delay of at most ten minutes");
    for id in ["nothing", "aaaaaaaaaaaa", "../../../etc"] {
        let missing = ada.ask(json!({"t": "watch", "game": id})).await.unwrap_err();
        assert_eq!(missing, format!("there is no game '{id}'"));
    }
    server.stop().await;
}
