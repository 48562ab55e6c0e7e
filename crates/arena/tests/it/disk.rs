//! A disk that cannot be written: play continues in memory, everybody is notified, and nothing is
//! lost once it works again.

use std::time::Duration;

use fourfold_arena::Limits;
use serde_json::{Value, json};

use crate::client::{ADA, BOB, Page, fast_limits, get, number, server, until};

fn fast_retry() -> Limits {
    Limits { retry: Duration::from_millis(20), ..fast_limits() }
}

/// Returns the next notice that a page receives.
async fn notice(page: &mut Page) -> Value {
    loop {
        let message = page.receive().await.expect("the server goes on");
        if message["t"] == "notice" {
            return message["text"].clone();
        }
    }
}

#[tokio::test]
async fn games_continue_in_memory_without_a_disk() {
    let folder = tempfile::tempdir().expect("a folder");
    // A folder cannot be opened as a database.
    let server = server(Some(folder.path().to_owned()), fast_limits()).await;
    let error = server.storage_error().expect("it cannot be opened").to_string();
    assert!(error.contains("cannot be used"), "{error}");
    let mut ada = Page::open(&server, ADA).await;
    let expected = "games are not being saved: the database cannot be opened. You can keep playing, but games are lost if the server stops";
    assert_eq!(notice(&mut ada).await, expected);
    let game = ada.create(json!("self"), 0).await;
    ada.watch(&game).await;
    assert_eq!(ada.state["stored"], json!(false));
    ada.play("e2e4").await.expect("play goes on");
    let (head, health) = get(&server, "/healthz").await;
    assert!(head.starts_with("HTTP/1.1 200"), "a restart would lose the games: {head}");
    assert_eq!(health, "ok, but games are not being saved: the database cannot be opened\n");
    assert_eq!(number(&server, "fourfold_store_up").await, Some(0.0));
    server.stop().await;
}

#[tokio::test]
async fn games_in_memory_are_saved_once_the_disk_works() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("arena.db");
    // An earlier server has left a game with a running clock.
    let clock = json!({"initial": 600_000, "increment": 0});
    let earlier = server(Some(path.clone()), fast_retry()).await;
    let mut bob = Page::open(&earlier, BOB).await;
    let old = bob.create_of("chess", json!("self"), 0, clock).await;
    bob.watch(&old).await;
    bob.play("d2d4").await.expect("legal");
    earlier.stop().await;
    // SQLite cleans up a moment later; then the write-ahead log is gone.
    until(async || !folder.path().join("arena.db-wal").exists()).await;
    let aside = folder.path().join("aside.db");
    std::fs::rename(&path, &aside).expect("the file is nobody's");
    std::fs::create_dir(&path).expect("a folder in its place");

    let first = server(Some(path.clone()), fast_retry()).await;
    assert!(first.storage_error().is_some());
    let mut ada = Page::open(&first, ADA).await;
    ada.ask(json!({"t": "name", "name": "Ada"})).await.expect("a name");
    let turns = ada.create(json!("self"), 0).await;
    let rules = json!({"t": "create", "game": "kung-fu", "opponent": "friend", "seat": 0});
    let live = ada.ask(rules).await.expect("a game")["game"].as_str().expect("an id").to_owned();
    ada.watch(&turns).await;
    ada.play("e2e4").await.expect("play goes on");
    assert_eq!(ada.state["stored"], json!(false));

    std::fs::remove_dir(&path).expect("it is empty");
    std::fs::rename(&aside, &path).expect("the file is back");
    while notice(&mut ada).await != Value::Null {}
    ada.play("e7e5").await.expect("play goes on");
    ada.wait(|state| state["stored"] == json!(true)).await;
    let (_, health) = get(&first, "/healthz").await;
    assert_eq!(health, "ok\n");
    // The old game's clock runs again, although nobody has opened it yet.
    until(async || number(&first, "fourfold_games{game=\"chess\"}").await == Some(2.0)).await;
    first.stop().await;

    let second = server(Some(path), fast_retry()).await;
    assert!(second.storage_error().is_none());
    let mut ada = Page::open(&second, ADA).await;
    assert_eq!(ada.hello["name"], "Ada");
    ada.watch(&turns).await;
    assert_eq!(ada.moves(), ["e2e4", "e7e5"]);
    assert_eq!(ada.state["you"], json!([0, 1]));
    ada.watch(&live).await;
    assert_eq!(ada.state["you"], json!([0]));
    let mut bob = Page::open(&second, BOB).await;
    bob.watch(&old).await;
    assert_eq!(bob.moves(), ["d2d4"]);
    second.stop().await;
}
