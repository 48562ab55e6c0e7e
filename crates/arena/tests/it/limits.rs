//! Limits and access checks: a refused client gets a reason, and everybody else plays on.

use std::time::{Duration, Instant};

use fourfold_arena::Limits;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Error;

use crate::client::{ADA, BOB, EVE, Page, fast_limits, get, number, server, until};

#[tokio::test]
async fn large_messages_are_refused_and_huge_ones_disconnect() {
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open(&server, ADA).await;
    let mut eve = Page::open(&server, EVE).await;
    eve.send_text("x".repeat(5_000)).await;
    let answer = eve.receive().await.expect("an answer");
    assert_eq!(answer["why"], "a message has at most 4096 bytes");
    eve.send_text("x".repeat(1_000_000)).await;
    while eve.receive().await.is_some() {}
    let game = ada.create(json!("self"), 0).await;
    ada.watch(&game).await;
    ada.play("e2e4").await.expect("the others play on");
    server.stop().await;
}

#[tokio::test]
async fn too_many_messages_are_refused_and_finally_disconnect() {
    let server = server(None, Limits { messages_per_second: 5, ..fast_limits() }).await;
    let mut eve = Page::open(&server, EVE).await;
    let mut refused = 0;
    let mut last = Value::Null;
    // Many at once, because a message that is accepted in between starts the count again, and on a
    // busy machine every round trip takes a while.
    'talk: loop {
        for _ in 0..100 {
            eve.send_text(r#"{"t":"sync","n":1}"#).await;
        }
        for _ in 0..100 {
            let Some(message) = eve.receive().await else { break 'talk };
            refused += usize::from(message["why"] == "too many messages: wait a moment");
            last = message;
            if last["t"] == "bye" {
                break 'talk;
            }
        }
    }
    assert!(refused > 100, "{refused}");
    assert_eq!(last, json!({"t": "bye", "why": "too many messages", "retry": false}));
    server.stop().await;
}

#[tokio::test]
async fn games_and_connections_are_limited() {
    let limits = Limits { games_per_guest: 2, connections_per_address: 2, ..fast_limits() };
    let server = server(None, limits).await;
    let mut ada = Page::open(&server, ADA).await;
    ada.create(json!("self"), 0).await;
    let game = ada.create(json!("self"), 0).await;
    let create =
        json!({"t": "create", "game": "chess", "opponent": "self", "seat": 0, "clock": null});
    let refusal = ada.ask(create.clone()).await.unwrap_err();
    assert_eq!(refusal, "you have 2 unfinished games: finish or leave one first");
    ada.watch(&game).await;
    ada.ask(json!({"t": "resign"})).await.expect("a player");
    ada.ask(create).await.expect("one game is over");
    let second = Page::open(&server, ADA).await;
    assert!(Page::try_open(&server, BOB, &[]).await.is_err());
    drop(second);
    for _ in 0..600 {
        if Page::try_open(&server, BOB, &[]).await.is_ok() {
            return server.stop().await;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("a connection that has ended is still counted");
}

#[tokio::test]
async fn only_own_pages_with_a_cookie_may_connect() {
    let server = server(None, fast_limits()).await;
    let own = format!("http://{}", server.address());
    assert!(Page::try_open(&server, ADA, &[("origin", &own)]).await.is_ok());
    assert!(Page::try_open(&server, ADA, &[("origin", "https://example.org")]).await.is_err());
    assert!(Page::try_open(&server, ADA, &[("host", "example.org")]).await.is_err());
    assert!(Page::try_open(&server, "short", &[]).await.is_err());
    server.stop().await;
}

/// Returns how a WebSocket was refused: the status, the `Retry-After` seconds, and the reason.
fn refusal(result: Result<Page, Error>) -> (u16, String, String) {
    match result.err().expect("it is refused") {
        Error::Http(response) => {
            let wait = response.headers().get("retry-after").and_then(|wait| wait.to_str().ok());
            let wait = wait.unwrap_or_default().to_owned();
            let why = response.body().clone().unwrap_or_default();
            let why = String::from_utf8(why).expect("text").trim().to_owned();
            (response.status().as_u16(), wait, why)
        }
        other => panic!("no answer at all: {other}"),
    }
}

#[tokio::test]
async fn refused_sockets_get_a_status_and_a_reason() {
    let later = |status, why: &str| (status, "5".to_owned(), why.to_owned());
    let limits = Limits { connections_per_guest: 1, connections_per_address: 2, ..fast_limits() };
    let one = server(None, limits).await;
    let _ada = Page::open(&one, ADA).await;
    let again = refusal(Page::try_open(&one, ADA, &[]).await);
    assert_eq!(again, later(429, "you have too many pages open: close one"));
    let _bob = Page::open(&one, BOB).await;
    let third = refusal(Page::try_open(&one, EVE, &[]).await);
    assert_eq!(third, later(429, "too many connections from your address"));
    let count = "fourfold_limit_exceeded_total{limit=\"connections_per_guest\"}";
    assert_eq!(number(&one, count).await, Some(1.0));
    one.stop().await;

    let full = server(None, Limits { connections: 0, ..fast_limits() }).await;
    let (status, _, why) = refusal(Page::try_open(&full, ADA, &[]).await);
    assert_eq!(status, 503, "{why}");
    full.stop().await;

    let slow = server(None, Limits { connections_per_second: 0, ..fast_limits() }).await;
    let hasty = refusal(Page::try_open(&slow, ADA, &[]).await);
    assert_eq!(hasty, later(429, "too many new connections: wait a moment"));
    slow.stop().await;
}

#[tokio::test]
async fn games_are_limited_per_address() {
    let limits = Limits { games_per_address: 2, ..fast_limits() };
    let server = server(None, limits).await;
    let create =
        json!({"t": "create", "game": "chess", "opponent": "self", "seat": 0, "clock": null});
    for secret in [ADA, BOB] {
        Page::open(&server, secret).await.ask(create.clone()).await.expect("there is room");
    }
    let refusal = Page::open(&server, EVE).await.ask(create).await.unwrap_err();
    assert_eq!(refusal, "2 games from your address are unfinished: finish one first");
    assert_eq!(number(&server, "fourfold_games{game=\"chess\"}").await, Some(2.0));
    server.stop().await;
}

#[tokio::test]
async fn stored_games_count_although_they_are_not_in_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("arena.db");
    let limits = Limits {
        games_per_guest: 2,
        games_per_address: 3,
        unload_after: Duration::ZERO,
        ..fast_limits()
    };
    let first = server(Some(path.clone()), limits).await;
    let create = json!({"t": "create", "game": "chess", "opponent": "self", "seat": 0});
    let mut games = Vec::new();
    for secret in [ADA, ADA, BOB] {
        let answer = Page::open(&first, secret).await.ask(create.clone()).await.expect("room");
        games.push(answer["game"].as_str().expect("an id").to_owned());
    }
    until(async || number(&first, "fourfold_games_loaded").await == Some(1.0)).await;
    first.stop().await;

    // After a restart, games still belong to their guest and to their address.
    let second = server(Some(path), limits).await;
    let mut ada = Page::open(&second, ADA).await;
    let refusal = ada.ask(create.clone()).await.unwrap_err();
    assert_eq!(refusal, "you have 2 unfinished games: finish or leave one first");
    let refusal = Page::open(&second, EVE).await.ask(create.clone()).await.unwrap_err();
    assert_eq!(refusal, "3 games from your address are unfinished: finish one first");
    ada.watch(&games[0]).await;
    ada.ask(json!({"t": "resign"})).await.expect("a player");
    Page::open(&second, EVE).await.ask(create).await.expect("there is room again");
    second.stop().await;
}

#[tokio::test]
async fn rematches_are_rate_limited() {
    let server = server(None, Limits { games_per_second: 1, ..fast_limits() }).await;
    let mut ada = Page::open(&server, ADA).await;
    let mut game = ada.create(json!({"bot": "random"}), 0).await;
    let mut refusal = None;
    for _ in 0..100 {
        ada.watch(&game).await;
        ada.ask(json!({"t": "resign"})).await.expect("a player");
        match ada.ask(json!({"t": "rematch"})).await {
            Ok(_) => game = ada.state["next"].as_str().expect("an id").to_owned(),
            Err(why) => {
                refusal = Some(why);
                break;
            }
        }
    }
    let why = "too many games created from your address: wait a moment";
    assert_eq!(refusal.as_deref(), Some(why));
    server.stop().await;
}

#[tokio::test]
async fn game_creation_is_rate_limited() {
    let server = server(None, Limits { games_per_second: 1, ..fast_limits() }).await;
    let mut ada = Page::open(&server, ADA).await;
    let create =
        json!({"t": "create", "game": "chess", "opponent": "self", "seat": 0, "clock": null});
    let mut refusal = None;
    for _ in 0..100 {
        refusal = ada.ask(create.clone()).await.err().or(refusal);
    }
    let why = "too many games created from your address: wait a moment";
    assert_eq!(refusal.as_deref(), Some(why));
    server.stop().await;
}

#[tokio::test]
async fn idle_connections_time_out() {
    const HALF_A_REQUEST: &[u8] = b"GET / HTTP/1.1\r\nhost: loc";
    let patient = server(None, fast_limits()).await;
    let head_timeout = Duration::from_millis(50);
    let server = server(None, Limits { head_timeout, ..fast_limits() }).await;
    let mut waiting = TcpStream::connect(patient.address()).await.expect("it listens");
    waiting.write_all(HALF_A_REQUEST).await.expect("it reads");

    let start = Instant::now();
    let mut stream = TcpStream::connect(server.address()).await.expect("it listens");
    stream.write_all(HALF_A_REQUEST).await.expect("it reads");
    let mut answer = Vec::new();
    // The server closes the connection, with or without a response.
    let ended = timeout(Duration::from_secs(15), stream.read_to_end(&mut answer)).await;
    ended.expect("the connection ends").expect("it is closed, not reset");
    assert!(start.elapsed() >= head_timeout);
    assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 408"), "{answer:?}");
    // With the usual limit, half a request may wait.
    let mut byte = [0];
    let waited = timeout(Duration::from_millis(100), waiting.read(&mut byte)).await;
    assert!(waited.is_err(), "the connection has ended: {waited:?}");
    waiting.write_all(b"alhost\r\nconnection: close\r\n\r\n").await.expect("it reads");
    let mut answer = Vec::new();
    waiting.read_to_end(&mut answer).await.expect("it answers");
    assert!(answer.starts_with(b"HTTP/1.1 200"));
    server.stop().await;
    patient.stop().await;
}

#[tokio::test]
async fn excess_connections_get_a_reason() {
    let limits = Limits { connections_per_address: 1, ..fast_limits() };
    let server = server(None, limits).await;
    let mut held = Vec::new();
    let answer = loop {
        assert!(held.len() < 10_000, "there is no limit");
        let mut stream = TcpStream::connect(server.address()).await.expect("it listens");
        // A connection that was accepted waits for a request.
        let mut first = [0; 1];
        let said = tokio::time::timeout(Duration::from_millis(20), stream.read_exact(&mut first));
        if said.await.is_ok_and(|read| read.is_ok()) {
            let mut text = String::new();
            stream.read_to_string(&mut text).await.expect("words");
            break text;
        }
        held.push(stream);
    };
    assert!(answer.starts_with("TTP/1.1 429 Too Many Requests\r\nretry-after: 5\r\n"), "{answer}");
    assert!(answer.ends_with("too many connections from your address\n"), "{answer}");
    drop(held);
    server.stop().await;
}

#[tokio::test]
async fn every_response_has_security_headers() {
    let server = server(None, fast_limits()).await;
    for path in
        ["/", "/g/aaaaaaaaaaaa", "/study", "/web/app/main.js", "/pieces.svg", "/healthz", "/x"]
    {
        let (head, _) = get(&server, path).await;
        let header = |name: &str| {
            let line = head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
            line.unwrap_or_else(|| panic!("{name} of {path}: {head}")).to_owned()
        };
        let policy = header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self';"));
        assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
        assert!(!policy.contains("unsafe") && !policy.contains("http"), "{policy}");
        assert_eq!(header("x-content-type-options"), "nosniff");
        assert_eq!(header("referrer-policy"), "no-referrer");
    }
    // The page contains no inline scripts or styles, which the policy would block.
    let (_, page) = get(&server, "/").await;
    assert!(page.contains("<script") && !page.contains("<style") && !page.contains(" style="));
    for script in page.split("<script").skip(1) {
        let tag = script.split('>').next().expect("a tag");
        assert!(tag.contains("src=\"/web/"), "{tag}");
    }
    server.stop().await;
}
