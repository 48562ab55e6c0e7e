//! HTTP requests of the study board, valid and invalid.

use fourfold_arena::Server;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::client::{ADA, Page, Rng, fast_limits, server};

pub(crate) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Posts a request. Returns the status and the body.
pub(crate) async fn post(server: &Server, path: &str, headers: &str, body: &[u8]) -> (u16, String) {
    let mut stream = TcpStream::connect(server.address()).await.expect("a connection");
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n{headers}content-length: {}\r\n\r\n",
        server.address(),
        body.len()
    );
    stream.write_all(head.as_bytes()).await.expect("it listens");
    // A request that is too large may be refused before it is read completely.
    let _ = stream.write_all(body).await;
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    let answer = String::from_utf8(answer).expect("text");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    (status, body.to_owned())
}

pub(crate) async fn ask(server: &Server, question: &Value) -> Result<Value, String> {
    let (status, body) = post(server, "/study?v=3", "", question.to_string().as_bytes()).await;
    assert_eq!(status, 200, "{body}");
    let answer: Value = serde_json::from_str(&body).expect("JSON");
    match answer["t"].as_str() {
        Some("ok") => Ok(answer),
        _ => Err(answer["why"].as_str().expect("a reason").to_owned()),
    }
}

#[tokio::test]
async fn studying_a_game_and_exporting_it() {
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open(&server, ADA).await;
    ada.ask(json!({"t": "name", "name": "Ada"})).await.expect("a name");
    let game = ada.create(json!("self"), 0).await;
    ada.watch(&game).await;
    for code in ["e2e4", "d7d5", "e4d5"] {
        ada.play(code).await.expect("legal");
    }
    ada.ask(json!({"t": "resign"})).await.expect("a player");
    let tree = ask(&server, &json!({"t": "open", "game": game})).await.expect("a game");
    assert_eq!(tree["start"], START);
    assert_eq!(tree["result"], "1-0");
    let codes: Vec<&Value> =
        tree["nodes"].as_array().expect("moves").iter().map(|node| &node["code"]).collect();
    assert_eq!(codes, ["e2e4", "d7d5", "e4d5"]);
    let position = ask(&server, &json!({"t": "position", "start": START, "moves": codes}))
        .await
        .expect("legal");
    assert_eq!(position["moves"][2]["text"], "exd5");
    assert_eq!(position["acting"], json!([1]));
    let material =
        position["facts"].as_array().expect("facts").iter().find(|fact| fact["id"] == "material");
    assert_eq!(material.expect("a fact")["sides"][1]["count"], 38);
    let series =
        ask(&server, &json!({"t": "series", "start": START, "moves": codes})).await.expect("legal");
    assert_eq!(series["series"][0]["lines"][0]["values"], json!([0, 0, 0, 1]));
    let mut question = tree.clone();
    question["t"] = json!("write");
    let text =
        ask(&server, &question).await.expect("a tree")["text"].as_str().expect("PGN").to_owned();
    assert!(text.contains("[White \"Ada\"]") && text.ends_with("1. e4 d5 2. exd5 1-0\n"), "{text}");
    let again = ask(&server, &json!({"t": "read", "text": text})).await.expect("our own text");
    assert_eq!(again["nodes"], tree["nodes"]);
    server.stop().await;
}

#[tokio::test]
async fn invalid_requests_are_refused_with_a_reason() {
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open(&server, ADA).await;
    let refusal = async |question: Value| ask(&server, &question).await.expect_err("it is wrong");
    assert_eq!(
        refusal(json!({"t": "position", "start": START, "moves": ["f1f3"]})).await,
        "a bishop does not move from f1 to f3"
    );
    assert_eq!(
        refusal(json!({"t": "position", "start": START, "moves": ["Ke3"]})).await,
        "'Ke3' is not a legal move here"
    );
    assert!(refusal(json!({"t": "position", "start": "x"})).await.starts_with("invalid FEN"));
    assert_eq!(refusal(json!({"t": "read", "text": " "})).await, "there is no game in the text");
    assert!(
        refusal(json!({"t": "dance"}))
            .await
            .starts_with("invalid request: unknown variant `dance`")
    );
    assert_eq!(
        refusal(json!({"t": "open", "game": "aaaaaaaaaaaa"})).await,
        "there is no game 'aaaaaaaaaaaa'"
    );
    let cross = ada.create_of("four-player", json!("self"), 0, Value::Null).await;
    assert_eq!(
        refusal(json!({"t": "open", "game": cross})).await,
        "only chess games can be studied"
    );
    let flying = json!({"t": "create", "game": "kung-fu", "opponent": "friend", "seat": 0, "rules": "lightning"});
    let flying = ada.ask(flying).await.expect("a game")["game"].clone();
    assert_eq!(
        refusal(json!({"t": "open", "game": flying})).await,
        "only chess games can be studied"
    );
    let (status, body) = post(&server, "/study", "", br#"{"t":"facts"}"#).await;
    assert_eq!((status, body.contains("outdated")), (200, true), "{body}");
    let (status, _) =
        post(&server, "/study?v=3", "origin: https://example.org\r\n", br#"{"t":"facts"}"#).await;
    assert_eq!(status, 403);
    server.stop().await;
}

#[tokio::test]
async fn request_size_is_limited() {
    let server = server(None, fast_limits()).await;
    let (status, body) = post(&server, "/study?v=3", "", &vec![b'['; 1024 * 1024 + 1]).await;
    assert_eq!((status, body.contains("at most 1048576 bytes")), (413, true), "{body}");
    // Deeply nested brackets must not break the parser.
    let (status, body) = post(&server, "/study?v=3", "", &vec![b'['; 1024 * 1024]).await;
    assert_eq!((status, body.contains("invalid request")), (200, true), "{body}");
    let deep = format!("1. e4 {} *", "(1. d4 ".repeat(120_000));
    let tree = ask(&server, &json!({"t": "read", "text": deep})).await.expect("a game");
    assert_eq!(tree["problems"][0], "line 1, column 707: variations are nested deeper than 100");
    assert_eq!(tree["nodes"].as_array().map(Vec::len), Some(101));
    let long = format!("1. Nf3 Nf6 {} *", "2. Ng1 Ng8 3. Nf3 Nf6 ".repeat(5_000));
    let why = ask(&server, &json!({"t": "read", "text": long})).await.expect_err("too long");
    assert_eq!(why, "there are more than 10000 moves");
    let line: Vec<&str> =
        ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle().take(2_000).collect();
    let series =
        ask(&server, &json!({"t": "series", "start": START, "moves": line})).await.expect("legal");
    assert_eq!(series["series"][0]["lines"][0]["values"].as_array().map(Vec::len), Some(2_001));
    server.stop().await;
}

#[tokio::test]
async fn damaged_requests_are_answered() {
    const GOOD: [&str; 7] = [
        r#"{"t":"position","start":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","moves":["e2e4","d7d5"]}"#,
        r#"{"t":"series","start":"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1","moves":["e2e4"]}"#,
        r#"{"t":"read","text":"[White \"A\"] 1. e4 e5 (1... c5 $1 {x}) 2. Nf3 *"}"#,
        r#"{"t":"write","start":"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1","nodes":[{"after":null,"code":"e2e4"},{"after":0,"code":"e8d8"}],"tags":[["White","A"]]}"#,
        r#"{"t":"check_position","pieces":[{"square":"e1","piece":"K","seat":0},{"square":"e8","piece":"K","seat":1}],"turn":0,"castling":"KQkq"}"#,
        r#"{"t":"analyze","start":"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1","moves":["e2e4"],"nodes":300,"lines":3}"#,
        r#"{"t":"open","game":"7kq2m9x4t0ab"}"#,
    ];
    const PARTS: [&str; 10] = [
        "null",
        "-1",
        "1e999",
        "\"",
        "{",
        "[[[[",
        "\\u0000",
        "\u{1f600}",
        "/",
        "99999999999999999999",
    ];
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open(&server, ADA).await;
    let game = ada.create(json!("self"), 0).await;
    ada.watch(&game).await;
    let mut rng = Rng(3);
    for _ in 0..2_000 {
        let mut text: Vec<char> = GOOD[rng.below(GOOD.len())].chars().collect();
        for _ in 0..=rng.below(3) {
            let at = rng.below(text.len());
            let end = (at + rng.below(6)).min(text.len());
            let part = PARTS[rng.below(PARTS.len())].chars();
            text.splice(at..end, part);
        }
        let text: String = text.into_iter().collect();
        let (status, body) = post(&server, "/study?v=3", "", text.as_bytes()).await;
        assert_eq!(status, 200, "{text}: {body}");
        let answer: Value = serde_json::from_str(&body).expect("JSON");
        assert!(answer["t"] == "ok" || answer["why"].is_string(), "{text}: {body}");
    }
    let (status, _) = post(&server, "/study?v=3", "", &[0xff, 0xfe, 0x00]).await;
    assert_eq!(status, 200);
    ada.play("e2e4").await.expect("games go on");
    server.stop().await;
}

#[tokio::test]
async fn a_game_of_a_file_is_chosen_by_its_index_and_a_fen_is_only_a_fen() {
    let server = server(None, fast_limits()).await;
    let text = "[White \"Ada\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n1. d4 d5 *";
    for (game, codes) in [(0, &["e2e4"][..]), (1, &["d2d4", "d7d5"])] {
        let read = json!({"t": "read", "text": text, "game": game});
        let tree = ask(&server, &read).await.expect("a game");
        let place = json!([tree["game"], tree["first"], tree["more"]]);
        assert_eq!(place, json!([game, 0, 1]));
        assert_eq!(tree["games"], json!(["Ada – ?, 1-0", "? – ?, *"]));
        let nodes = tree["nodes"].as_array().expect("moves").iter();
        assert_eq!(nodes.map(|node| node["code"].clone()).collect::<Vec<_>>(), codes);
    }
    let why = ask(&server, &json!({"t": "read", "text": text, "game": 2})).await.unwrap_err();
    assert!(why.contains("no game"), "{why}");
    let why =
        ask(&server, &json!({"t": "read", "text": "garbage", "fen": true})).await.unwrap_err();
    assert!(why.contains("garbage") && !why.contains("line 1"), "{why}");
    server.stop().await;
}

#[tokio::test]
async fn chess_starts_from_any_position_that_is_not_over() {
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open(&server, ADA).await;
    let create = |game: &str, start: &str| json!({"t": "create", "game": game, "opponent": {"bot": "random"}, "seat": 0, "clock": null, "start": start});
    let start = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1";
    let game = ada.ask(create("chess", start)).await.expect("a game")["game"].clone();
    ada.watch(game.as_str().expect("an id")).await;
    assert_eq!(ada.state["rated"], json!(false));
    ada.wait_for_turn().await;
    assert_eq!(ada.moves().len(), 1, "the bot has moved first");
    assert_eq!(ada.state["pieces"].as_array().map(Vec::len), Some(3));
    for (game, start, words) in [
        ("chess", "garbage", "invalid FEN"),
        ("chess", "8/8/8/8/8/8/8/8 w - - 0 1", "no king"),
        ("chess", "k7/8/8/8/8/8/8/K7 w - - 0 1", "already over"),
        ("blokus", start, "only chess"),
    ] {
        let why = ada.ask(create(game, start)).await.unwrap_err();
        assert!(why.contains(words), "{why}");
    }
    server.stop().await;
}
