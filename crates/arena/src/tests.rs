//! Tests of what a game's task sends, and of a disk that fails in the middle of a game.

use std::collections::HashSet;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use fourfold_table::Seat;
use serde_json::{Map, Value, json};
use tokio::sync::{Notify, mpsc, watch};
use tokio::time::timeout;

use crate::Limits;
use crate::bot_pool::tests::block;
use crate::guest::{Guest, GuestId};
use crate::hub::Hub;
use crate::network::{Network, Signal};
use crate::protocol::{Command, ENCODED, Opponent};
use crate::seating::Setup;
use crate::settlement::settle;
use crate::store::Store;
use crate::viewer::{Input, Output, Request, Viewer};

/// Long enough for a busy machine; no result depends on it.
const PATIENCE: Duration = Duration::from_secs(60);

/// A hub with a database file, and a guest who watches a game.
struct Scene {
    hub: Arc<Hub>,
    guest: Guest,
    game: String,
    news: mpsc::Receiver<Output>,
    state: Map<String, Value>,
    stop: watch::Sender<bool>,
}

/// Returns a hub without listeners, and its switch.
pub(crate) fn hub_of(store: Store) -> (Arc<Hub>, watch::Sender<bool>) {
    hub_with(store, Limits::default())
}

fn hub_with(store: Store, limits: Limits) -> (Arc<Hub>, watch::Sender<bool>) {
    let (stop, stopped) = watch::channel(false);
    let network = Network::new(([127, 0, 0, 1], 0).into(), mpsc::unbounded_channel().0);
    (Arc::new(Hub::new(store, limits, network, Signal(stopped))), stop)
}

/// Lets a guest watch a game on a new connection.
async fn join(
    hub: &Arc<Hub>,
    game: &str,
    connection: u64,
    guest: GuestId,
) -> mpsc::Receiver<Output> {
    let (out, news) = mpsc::channel(1024);
    let slow = Arc::new(Notify::new());
    let viewer = Viewer { connection, guest, watch: 1, out, slow, seq: 0, last_sent: None };
    hub.send(game, Input::Join { viewer, number: 1 }).await.expect("it is there");
    news
}

impl Scene {
    async fn open(path: &std::path::Path) -> Scene {
        let limits = Limits { retry: Duration::from_millis(20), ..Limits::default() };
        let (hub, stop) = hub_with(Store::open(path).expect("a file"), limits);
        let guest = hub.keep_guest([1; 32]).await;
        let setup = Setup::requested(&guest, "chess", &Opponent::Myself, None, None, &None);
        let setup = setup.expect("a game");
        let game = hub.open(setup, guest.id, None).await.expect("there is room");
        let news = join(&hub, &game, 1, guest.id).await;
        Scene { hub, guest, game, news, state: Map::new(), stop }
    }

    async fn play(&self, code: &str, ply: usize) {
        let command = Command::Move { text: code.to_owned(), ply };
        let (guest, at) = (self.guest.clone(), self.hub.now());
        let address = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let request = Request { connection: 1, guest, address, number: 2, command, at };
        self.hub.send(&self.game, Input::Command(request)).await.expect("it is there");
    }

    /// Waits until the game has this many moves and is or is not saved.
    async fn see(&mut self, moves: usize, stored: bool) {
        let seen = async {
            let mut count = 0;
            loop {
                if let Some(Value::Array(all)) = self.state.get("moves") {
                    count = all.len();
                }
                if let Some(change) = self.state.get("moves").filter(|change| change.is_object()) {
                    let keep = change["keep"].as_u64().expect("a number") as usize;
                    count = keep + change["add"].as_array().expect("moves").len();
                }
                if count == moves && self.state.get("stored") == Some(&json!(stored)) {
                    return;
                }
                let (Output::News { text, .. } | Output::Answer(text)) =
                    self.news.recv().await.expect("the game goes on");
                let message: Map<String, Value> = serde_json::from_str(&text).expect("JSON");
                assert_ne!(message["t"], "no", "{text}");
                self.state.extend(message);
            }
        };
        timeout(PATIENCE, seen).await.expect("what is waited for happens");
    }
}

#[tokio::test]
async fn a_move_is_encoded_once_for_all_viewers() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut scene = Scene::open(&folder.path().join("arena.db")).await;
    let mut watching = Vec::new();
    for number in 2..30 {
        watching.push(join(&scene.hub, &scene.game, number, GuestId(number as i64 * 1000)).await);
    }
    // The answer comes after everything that is sent when a viewer joins.
    for news in &mut watching {
        while let Some(Output::News { .. }) = news.recv().await {}
    }
    let before = ENCODED.get();
    scene.play("e2e4", 0).await;
    scene.see(1, true).await;
    let mut texts = std::collections::BTreeSet::new();
    for news in &mut watching {
        while let Some(Output::News { text, .. }) = news.recv().await {
            if text.contains("\"moves\"") {
                assert!(text.contains("\"delta\""), "{text}");
                texts.insert(text);
                break;
            }
        }
    }
    assert_eq!((texts.len(), ENCODED.get() - before), (1, 1));
}

#[tokio::test]
async fn play_continues_while_the_disk_fails_and_is_saved_later() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("arena.db");
    let mut scene = Scene::open(&path).await;
    let store = scene.hub.store.clone();
    let mut storage_error = store.storage_error();
    scene.see(0, true).await;
    scene.play("e2e4", 0).await;
    scene.see(1, true).await;

    store.set_read_only(true).await;
    scene.play("e7e5", 1).await;
    scene.see(2, false).await;
    scene.play("g1f3", 2).await;
    scene.see(3, false).await;
    assert_eq!(storage_error.borrow_and_update().as_deref(), Some("the disk is read-only"));
    assert!(store.errors() > 0);
    // Games can still be created, and guests may connect.
    let setup = Setup::requested(&scene.guest, "chess", &Opponent::Myself, None, None, &None);
    let setup = setup.expect("a game");
    let other = scene.hub.open(setup, scene.guest.id, None).await.expect("room");
    let unknown = scene.hub.keep_guest([2; 32]).await;
    assert_eq!(scene.hub.guest([2; 32]).await, unknown);

    store.set_read_only(false).await;
    timeout(PATIENCE, storage_error.wait_for(Option::is_none))
        .await
        .expect("it ends")
        .expect("a store");
    scene.see(3, true).await;
    let Scene { game, stop, .. } = scene;
    stop.send(true).expect("it runs");
    assert_eq!(store.game(other).await.expect("a disk").map(|kept| kept.entries.len()), Some(0));
    let kept = store.game(game).await.expect("a disk").expect("it is kept");
    assert_eq!(kept.entries.len(), 3);
}

#[tokio::test]
async fn a_finished_game_that_cannot_be_read_does_not_stop_later_ones() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("arena.db");
    let store = Store::open(&path).expect("a file");
    let file = rusqlite::Connection::open(&path).expect("a second connection");
    file.execute_batch(
        r#"INSERT INTO games (id, creator, setup, over) VALUES
           ('aaaaaaaaaaaa', 7, '{"broken', 1),
           ('bbbbbbbbbbbb', 7, '{"game":"chess","clock":null,"players":["open","open"]}', 1);
           INSERT INTO entries VALUES ('bbbbbbbbbbbb', 0, '{"at":1,"act":{"declare":{"resign":0}}}');"#,
    )
    .expect("SQL");
    let (hub, _stop) = hub_of(store.clone());
    let first_unsettled = async || store.unsettled(String::new()).await.expect("SQL");
    let mut unreadable = HashSet::new();
    settle(&hub, &mut unreadable).await.expect("SQL");
    assert_eq!(unreadable, HashSet::from(["aaaaaaaaaaaa".to_owned()]));
    assert_eq!(first_unsettled().await.as_deref(), Some("aaaaaaaaaaaa"));
    assert_eq!(store.unsettled("aaaaaaaaaaaa".to_owned()).await.expect("SQL"), None);
    // It is reported once: even if it has become readable, it is read again after a restart only.
    file.execute_batch(
        r#"UPDATE games SET setup = '{"game":"chess","clock":null,"players":["open","open"]}';
           INSERT INTO entries VALUES ('aaaaaaaaaaaa', 0, '{"at":1,"act":{"declare":{"resign":0}}}');"#,
    )
    .expect("SQL");
    settle(&hub, &mut unreadable).await.expect("SQL");
    assert_eq!(first_unsettled().await.as_deref(), Some("aaaaaaaaaaaa"));
    settle(&hub, &mut HashSet::new()).await.expect("SQL");
    assert_eq!(first_unsettled().await, None);
}

#[tokio::test]
async fn bots_of_kung_fu_chess_think_on_the_threads_of_their_pool() {
    let limits = Limits { bot_threads: 1, countdown: Duration::ZERO, ..Limits::default() };
    let (hub, _stop) = hub_with(Store::in_memory(None).expect("memory"), limits);
    let release = block(&hub.realtime_bots).await;
    let guest = hub.keep_guest([1; 32]).await;
    let level = fourfold_learned::levels("kung-fu").last().expect("a bot").id.to_owned();
    let opponent = Opponent::Bot(level);
    let setup = Setup::requested(&guest, "kung-fu", &opponent, Some(Seat::new(0)), None, &None);
    let game = hub.open(setup.expect("a game"), guest.id, None).await.expect("there is room");
    let mut news = join(&hub, &game, 1, guest.id).await;
    let asked = async {
        while hub.realtime_bots.waiting() == 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    timeout(PATIENCE, asked).await.expect("the bot waits for its turn to think");
    let flies = |output: Output| {
        let (Output::News { text, .. } | Output::Answer(text)) = output;
        text.contains("\"flight\"")
    };
    while let Ok(output) = news.try_recv() {
        assert!(!flies(output), "the only thread has not thought yet");
    }
    drop(release);
    let moved = async { while !flies(news.recv().await.expect("the game goes on")) {} };
    timeout(PATIENCE, moved).await.expect("the bot moves once its thread is free");
}
