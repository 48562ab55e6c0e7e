//! The chat between the players of a game.

use std::path::Path;
use std::time::Instant;

use serde_json::{Value, json};

use crate::client::{ADA, BOB, EVE, Page, fast_limits, get, server};

const WATCHING: &str = "you are watching: only players can do that";

/// Returns the texts of the chat messages that a page has received, and forgets them. `all` says
/// whether they were the ones that the server had kept.
fn heard(page: &mut Page, all: bool) -> Vec<String> {
    let received = page.received.replace(Vec::new()).unwrap_or_default();
    let chats = received.iter().filter(|message| message["t"] == "chat" && message["all"] == all);
    let lines = chats.flat_map(|chat| chat["lines"].as_array().expect("lines").clone());
    let text =
        |line: Value| format!("{}: {}", line["seat"], line["text"].as_str().expect("a text"));
    lines.map(text).collect()
}

async fn say(page: &mut Page, text: &str) -> Result<(), String> {
    page.ask(json!({"t": "chat", "text": text})).await.map(drop)
}

async fn enable(page: &mut Page, enabled: bool) -> Result<(), String> {
    page.ask(json!({"t": "enable_chat", "enabled": enabled})).await.map(drop)
}

/// Waits until everything that the server has sent to a page has arrived.
async fn sync(page: &mut Page) {
    page.ask(json!({"t": "sync"})).await.expect("a state");
}

/// Creates a game in which Bob sits in the second seat.
async fn game_of(ada: &mut Page, bob: &mut Page, game: &str, listed: bool) -> String {
    let create =
        json!({"t": "create", "game": game, "opponent": "friend", "seat": 0, "listed": listed});
    let id = ada.ask(create).await.expect("a game")["game"].as_str().expect("an id").to_owned();
    ada.watch(&id).await;
    bob.watch(&id).await;
    bob.ask(json!({"t": "sit", "seat": 1})).await.expect("the seat is free");
    sync(ada).await;
    id
}

/// Whether a text is in any file of a folder.
fn is_stored(folder: &Path, text: &str) -> bool {
    let files = folder.read_dir().expect("a folder");
    // SQLite deletes its log when the last connection is closed.
    let mut contents = files.filter_map(|file| std::fs::read(file.expect("a file").path()).ok());
    let found = |bytes: Vec<u8>| bytes.windows(text.len()).any(|part| part == text.as_bytes());
    contents.any(found)
}

#[tokio::test]
async fn friends_chat_and_spectators_neither_see_nor_write() {
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open(&server, ADA).await;
    let mut bob = Page::open(&server, BOB).await;
    let mut eve = Page::open(&server, EVE).await;
    let alone = ada.create(json!({"bot": "random"}), 0).await;
    ada.watch(&alone).await;
    assert_eq!(ada.state["chat"], Value::Null);
    let refusal = "the chat needs at least two people in the game";
    assert_eq!(say(&mut ada, "Hello").await.unwrap_err(), refusal);

    let game = game_of(&mut ada, &mut bob, "chess", false).await;
    for page in [&mut ada, &mut bob, &mut eve] {
        page.keep_all();
    }
    assert_eq!(ada.state["chat"], json!({"enabled": true, "listeners": 1, "listed": false}));
    eve.watch(&game).await;
    assert_eq!(eve.state["chat"], Value::Null);
    say(&mut ada, " Hello \n Bob <b>").await.expect("two people");
    say(&mut bob, "Good luck").await.expect("two people");
    assert_eq!(say(&mut eve, "Hello").await.unwrap_err(), WATCHING);
    assert_eq!(enable(&mut eve, true).await.unwrap_err(), WATCHING);
    for page in [&mut ada, &mut bob] {
        sync(page).await;
        assert_eq!(heard(page, false), ["0: Hello Bob <b>", "1: Good luck"]);
    }
    // Another page gets what was said, but a spectator does not.
    let mut other = Page::open(&server, BOB).await;
    other.keep_all();
    other.watch(&game).await;
    assert_eq!(heard(&mut other, true), ["0: Hello Bob <b>", "1: Good luck"]);
    eve.watch(&game).await;
    sync(&mut eve).await;
    assert_eq!(heard(&mut eve, true), [""; 0]);

    // A player who has turned the chat off receives nothing, not even later.
    enable(&mut bob, false).await.expect("a player");
    ada.wait(|state| state["chat"] == json!({"enabled": true, "listeners": 0, "listed": false}))
        .await;
    assert_eq!(bob.state["chat"], json!({"enabled": false, "listeners": 1, "listed": false}));
    assert_eq!(say(&mut bob, "Hello").await.unwrap_err(), "turn on the chat first");
    say(&mut ada, "Are you there?").await.expect("a player");
    for page in [&mut bob, &mut other] {
        page.watch(&game).await;
        sync(page).await;
        let received = page.received.take().expect("all messages");
        assert!(received.iter().all(|message| !message.to_string().contains("Are you there?")));
        page.keep_all();
    }
    enable(&mut bob, true).await.expect("a player");
    say(&mut ada, "Welcome").await.expect("a player");
    bob.watch(&game).await;
    assert_eq!(heard(&mut bob, true), ["0: Hello Bob <b>", "1: Good luck", "0: Welcome"]);
    server.stop().await;
}

#[tokio::test]
async fn with_strangers_the_chat_is_off_until_it_is_turned_on() {
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open(&server, ADA).await;
    let mut bob = Page::open(&server, BOB).await;
    game_of(&mut ada, &mut bob, "kung-fu", true).await;
    bob.keep_all();
    assert_eq!(ada.state["chat"], json!({"enabled": false, "listeners": 0, "listed": true}));
    assert_eq!(say(&mut ada, "Hello").await.unwrap_err(), "turn on the chat first");
    enable(&mut ada, true).await.expect("a player");
    assert_eq!(ada.state["chat"], json!({"enabled": true, "listeners": 0, "listed": true}));
    say(&mut ada, "Anybody there?").await.expect("a player");
    sync(&mut bob).await;
    assert_eq!(bob.state["chat"], json!({"enabled": false, "listeners": 1, "listed": true}));
    assert_eq!(heard(&mut bob, false), [""; 0]);
    enable(&mut bob, true).await.expect("a player");
    say(&mut ada, "Good game").await.expect("a player");
    sync(&mut bob).await;
    assert_eq!(heard(&mut bob, false), ["0: Good game"]);
    server.stop().await;
}

#[tokio::test]
async fn messages_are_short_visible_and_not_too_many() {
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open(&server, ADA).await;
    let mut bob = Page::open(&server, BOB).await;
    let game = game_of(&mut ada, &mut bob, "chess", false).await;
    bob.keep_all();
    let started = Instant::now();
    // Characters are counted, not bytes.
    let longest = "é".repeat(140);
    say(&mut ada, &longest).await.expect("140 characters");
    for (text, why) in [
        ("é".repeat(141), "a message has at most 140 characters"),
        (" \n ".to_owned(), "a message needs at least one character"),
        ("a\u{202e}b".to_owned(), "the message contains invisible characters"),
        ("a\0b".to_owned(), "the message contains invisible characters"),
    ] {
        assert_eq!(say(&mut ada, &text).await.unwrap_err(), why, "{text:?}");
    }
    // The limit is that of the guest, not of the connection.
    let mut other = Page::open(&server, ADA).await;
    other.watch(&game).await;
    let mut accepted = 1;
    for page in [&mut ada, &mut other] {
        let mut refusal = None;
        while refusal.is_none() {
            refusal = say(page, "Hello").await.err();
            accepted += usize::from(refusal.is_none());
        }
        assert_eq!(refusal.as_deref(), Some("too many chat messages: wait a moment"));
    }
    let allowed = 5 + started.elapsed().as_secs() as usize;
    assert!(accepted <= allowed, "{accepted} of {allowed}");
    say(&mut bob, "Others may still write").await.expect("a player");
    let heard = heard(&mut bob, false);
    assert_eq!(heard[0], format!("0: {longest}"));
    assert_eq!(heard.last().map(String::as_str), Some("1: Others may still write"));
    server.stop().await;
}

#[tokio::test]
async fn the_chat_is_in_no_file_and_ends_with_the_game() {
    const SECRET: &str = "xyzzy-plugh";
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("arena.db");
    let first = server(Some(data.clone()), fast_limits()).await;
    let mut ada = Page::open(&first, ADA).await;
    let mut bob = Page::open(&first, BOB).await;
    let game = game_of(&mut ada, &mut bob, "chess", false).await;
    for page in [&mut ada, &mut bob] {
        page.keep_all();
    }
    say(&mut ada, SECRET).await.expect("a player");
    ada.play("e2e4").await.expect("legal");
    bob.wait_for_turn().await;
    bob.play("e7e5").await.expect("legal");
    assert_eq!(heard(&mut bob, false), [format!("0: {SECRET}")]);
    let (_, export) = get(&first, &format!("/g/{game}/export")).await;
    assert!(export.contains("1. e4") && !export.contains(SECRET), "{export}");

    // After the end, players still hear each other, but nothing is kept.
    ada.ask(json!({"t": "resign"})).await.expect("a player");
    bob.watch(&game).await;
    assert_eq!(heard(&mut bob, true), [""; 0]);
    say(&mut ada, "Good game").await.expect("a player");
    sync(&mut bob).await;
    assert_eq!(heard(&mut bob, false), ["0: Good game"]);
    bob.watch(&game).await;
    assert_eq!(heard(&mut bob, true), [""; 0]);

    // A restart forgets what was said in a game in progress.
    let next = game_of(&mut ada, &mut bob, "chess", false).await;
    say(&mut ada, SECRET).await.expect("a player");
    assert!(is_stored(folder.path(), "e2e4") && !is_stored(folder.path(), SECRET));
    first.stop().await;
    assert!(is_stored(folder.path(), "e2e4") && !is_stored(folder.path(), SECRET));
    let second = server(Some(data), fast_limits()).await;
    let mut bob = Page::open(&second, BOB).await;
    bob.keep_all();
    bob.watch(&next).await;
    assert_eq!(bob.state["chat"], json!({"enabled": true, "listeners": 1, "listed": false}));
    assert_eq!(heard(&mut bob, true), [""; 0]);
    second.stop().await;
}
