//! Shutdowns, restarts, and servers that want the same database.

use fourfold_arena::Config;
use serde_json::{Value, json};

use crate::client::{ADA, EVE, Page, fast_limits, number, server, until};

#[tokio::test]
async fn pages_are_notified_of_a_shutdown() {
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open(&server, ADA).await;
    server.stop().await;
    let bye = ada.receive().await.expect("a last word");
    assert_eq!(bye, json!({"t": "bye", "why": "the server is shutting down", "retry": true}));
}

#[tokio::test]
async fn games_are_restored_and_clocks_were_paused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("new").join("arena.db");
    let first = server(Some(path.clone()), fast_limits()).await;
    assert!(first.storage_error().is_none());
    let mut ada = Page::open(&first, ADA).await;
    let clock = json!({"initial": 600_000, "increment": 0});
    let create =
        json!({"t": "create", "game": "chess", "opponent": "self", "seat": 0, "clock": clock});
    let game = ada.ask(create).await.expect("a game")["game"].as_str().expect("an id").to_owned();
    ada.watch(&game).await;
    assert_eq!(ada.state["stored"], json!(true));
    for code in ["e2e4", "e7e5", "g1f3"] {
        ada.play(code).await.expect("legal");
    }
    ada.ask(json!({"t": "takeback"})).await.expect("at one board");
    let over = ada.create(json!("self"), 0).await;
    ada.watch(&over).await;
    ada.ask(json!({"t": "resign"})).await.expect("a player");
    first.stop().await;

    let second = server(Some(path), fast_limits()).await;
    let mut ada = Page::open(&second, ADA).await;
    ada.watch(&game).await;
    assert_eq!(ada.moves(), ["e2e4", "e7e5"]);
    assert_eq!(ada.state["you"], json!([0, 1]), "the seats belong to the same guest");
    assert_eq!(ada.state["clock"]["running"], json!(0));
    assert!(ada.state["clock"]["left"][0].as_u64().is_some_and(|left| left > 500_000));
    ada.play("g1f3").await.expect("it goes on");
    ada.watch(&over).await;
    assert_eq!(ada.state["outcome"]["reason"], "resignation");
    let mut eve = Page::open(&second, EVE).await;
    eve.watch(&game).await;
    assert_eq!(eve.state["you"], json!([]));
    second.stop().await;
}

#[tokio::test]
async fn a_second_server_cannot_open_the_database() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("arena.db");
    let first = server(Some(path.clone()), fast_limits()).await;
    let config = Config { port: 0, data: Some(path), ..Config::default() };
    let error = fourfold_arena::start(config).await.expect_err("the file is in use").to_string();
    assert!(error.contains("another Fourfold has it open"), "{error}");
    first.stop().await;
}

#[tokio::test]
async fn a_server_starts_while_another_one_on_its_thread_shuts_down() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("arena.db");
    let first = server(Some(path.clone()), fast_limits()).await;
    let stopping = tokio::spawn(first.stop());
    server(Some(path), fast_limits()).await.stop().await;
    stopping.await.expect("no panic");
}

#[tokio::test]
async fn games_are_loaded_only_before_their_clocks_run_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("arena.db");
    let first = server(Some(path.clone()), fast_limits()).await;
    let mut ada = Page::open(&first, ADA).await;
    let mut games = Vec::new();
    for initial in [600_000, 6_000] {
        let clock = json!({"initial": initial, "increment": 0});
        let game = ada.create_of("chess", json!("self"), 0, clock).await;
        ada.watch(&game).await;
        ada.play("e2e4").await.expect("legal");
        games.push(game);
    }
    first.stop().await;

    // The server starts twice, to see that both times without it do not count.
    server(Some(path.clone()), fast_limits()).await.stop().await;
    let second = server(Some(path), fast_limits()).await;
    assert_eq!(number(&second, "fourfold_games_loaded").await, Some(1.0), "the home page's");
    let mut ada = Page::open(&second, ADA).await;
    let mut ended = Value::Null;
    until(async || {
        let history = ada.ask(json!({"t": "history"})).await.expect("anybody may ask");
        ended = history["games"][0].clone();
        ended["outcome"] != Value::Null
    })
    .await;
    assert_eq!(ended["id"], json!(games[1]), "nobody has opened it");
    assert_eq!(ended["outcome"]["text"], "white wins by time forfeit");
    assert_eq!(number(&second, "fourfold_games_loaded").await, Some(2.0), "not the long game");
    ada.watch(&games[0]).await;
    assert_eq!(ada.state["clock"]["running"], json!(1));
    assert!(ada.state["clock"]["left"][1].as_u64().is_some_and(|left| left > 500_000));
    second.stop().await;
}
