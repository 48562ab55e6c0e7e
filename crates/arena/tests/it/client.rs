//! A test client that tracks the state as the protocol says.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use fourfold_arena::{Config, Limits, Server};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Map, Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

/// Long enough for a busy machine; no result depends on it.
const PATIENCE: Duration = Duration::from_secs(60);

/// Limits that do not slow the tests down.
pub(crate) fn fast_limits() -> Limits {
    Limits {
        messages_per_second: 1_000_000,
        requests_per_second: 1_000_000,
        connections_per_second: 1_000_000,
        games_per_second: 1_000_000,
        bot_pace: Duration::from_millis(1),
        live_game_pace: Duration::from_millis(1),
        ..Limits::default()
    }
}

/// Waits until a condition holds.
pub(crate) async fn until(mut wanted: impl AsyncFnMut() -> bool) {
    let seen = timeout(2 * PATIENCE, async {
        while !wanted().await {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    });
    seen.await.expect("what is waited for happens");
}

pub(crate) async fn server(data: Option<PathBuf>, limits: Limits) -> Server {
    let config = Config { port: 0, data, limits, ..Config::default() };
    fourfold_arena::start(config).await.expect("a free port")
}

/// The secrets of the test guests. Any 32 hexadecimal digits are a secret.
pub(crate) const ADA: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
pub(crate) const BOB: &str = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";
pub(crate) const EVE: &str = "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";

/// Sends a GET request. Returns the head and the body.
pub(crate) async fn get(server: &Server, path: &str) -> (String, String) {
    get_at(server.address(), &server.address().to_string(), path).await
}

/// Sends a GET request to any address, with any `Host` header.
pub(crate) async fn get_at(address: SocketAddr, host: &str, path: &str) -> (String, String) {
    let mut stream = TcpStream::connect(address).await.expect("it listens");
    let request = format!("GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.expect("it reads");
    let mut text = String::new();
    stream.read_to_string(&mut text).await.expect("it answers");
    let (head, body) = text.split_once("\r\n\r\n").expect("a head");
    (head.to_owned(), body.to_owned())
}

/// Returns a metric by name and labels, or `None` if it does not exist yet.
pub(crate) async fn number(server: &Server, name: &str) -> Option<f64> {
    let (_, text) = get(server, "/metrics").await;
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.map(|number| number.parse().expect("a number"))
}

/// A deterministic pseudorandom generator.
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// A page.
pub(crate) struct Page {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    number: u64,
    /// The number of answers received.
    pub(crate) answers: u64,
    pub(crate) hello: Value,
    /// The latest `network` message.
    pub(crate) network: Value,
    /// The state of the game that it watches.
    pub(crate) state: Map<String, Value>,
    /// All messages received, if they are recorded.
    pub(crate) received: Option<Vec<Value>>,
    /// The latest `lobby` message, if subscribed.
    pub(crate) lobby: Value,
}

impl Page {
    pub(crate) async fn open(server: &Server, secret: &str) -> Page {
        Page::try_open(server, secret, &[]).await.expect("a page may connect")
    }

    pub(crate) async fn try_open(
        server: &Server,
        secret: &str,
        headers: &[(&'static str, &str)],
    ) -> Result<Page, Error> {
        Page::try_open_at(server.address(), secret, headers).await
    }

    /// Opens a page on the computer that runs the server, with the `Origin` that a browser would
    /// send.
    pub(crate) async fn open_here(server: &Server, secret: &str) -> Page {
        let own = format!("http://{}", server.address());
        Page::try_open(server, secret, &[("origin", &own)]).await.expect("a page may connect")
    }

    pub(crate) async fn try_open_at(
        address: SocketAddr,
        secret: &str,
        headers: &[(&'static str, &str)],
    ) -> Result<Page, Error> {
        let mut request = format!("ws://{address}/ws?v=3").into_client_request()?;
        let cookie = format!("fourfold={secret}");
        for (name, value) in [("cookie", cookie.as_str())].iter().chain(headers) {
            request.headers_mut().insert(*name, value.parse().expect("a header"));
        }
        let (socket, _) = connect_async_with_config(request, None, true).await?;
        let (hello, network, lobby) = (Value::Null, Value::Null, Value::Null);
        let (state, received) = (Map::new(), None);
        let mut page =
            Page { socket, number: 1000, answers: 0, hello, network, state, received, lobby };
        page.hello = page.receive().await.expect("hello");
        assert_eq!(page.hello["t"], "hello");
        page.receive().await.expect("who reaches the server");
        assert_eq!(page.network["t"], "network");
        Ok(page)
    }

    /// Records all messages from now on.
    pub(crate) fn keep_all(&mut self) {
        self.received = Some(Vec::new());
    }

    /// Receives a message and updates the state. Returns `None` when the connection has ended.
    pub(crate) async fn receive(&mut self) -> Option<Value> {
        // Pings keep coming while the server lives, so the timeout covers the next text message.
        let text = timeout(PATIENCE, async {
            loop {
                match self.socket.next().await? {
                    Ok(Message::Text(text)) => break Some(text),
                    Ok(Message::Close(_)) | Err(_) => break None,
                    Ok(_) => {}
                }
            }
        });
        let text = text.await.expect("the server answers")?;
        let message: Value = serde_json::from_str(&text).expect("the server sends JSON");
        if let Some(received) = &mut self.received {
            received.push(message.clone());
        }
        match message["t"].as_str() {
            Some("state") => {
                self.state = message.as_object().expect("an object").clone();
                self.sort_pieces();
            }
            Some("delta") => {
                self.apply(&message);
                self.sort_pieces();
            }
            Some("lobby") => self.lobby = message.clone(),
            Some("network") => self.network = message.clone(),
            Some("ok" | "no") => self.answers += 1,
            _ => {}
        }
        Some(message)
    }

    /// The order of the pieces means nothing, and changes add them at the end.
    fn sort_pieces(&mut self) {
        if let Some(Value::Array(pieces)) = self.state.get_mut("pieces") {
            pieces.sort_by_key(|piece| piece["square"].to_string());
        }
    }

    fn apply(&mut self, delta: &Value) {
        let next = self.state["seq"].as_u64().map(|seq| seq + 1);
        assert_eq!(delta["seq"].as_u64(), next, "no number is left out");
        for (key, value) in delta.as_object().expect("an object") {
            match key.as_str() {
                "t" => {}
                "moves" => {
                    let Some(Value::Array(moves)) = self.state.get_mut("moves") else {
                        panic!("a state has moves")
                    };
                    moves.truncate(value["keep"].as_u64().expect("a number") as usize);
                    moves.extend(value["add"].as_array().expect("moves").iter().cloned());
                }
                "pieces" => {
                    let Some(Value::Array(pieces)) = self.state.get_mut("pieces") else {
                        panic!("a state has pieces")
                    };
                    let changed = value.as_array().expect("pieces");
                    pieces.retain(|old| changed.iter().all(|new| new["square"] != old["square"]));
                    pieces.extend(changed.iter().filter(|new| new["gone"] != true).cloned());
                }
                "captured" | "colors" => {
                    let Some(Value::Array(all)) = self.state.get_mut(key) else {
                        panic!("a state has {key}")
                    };
                    let changed = value.as_array().expect("a list");
                    assert_eq!(all.len(), changed.len(), "{key}");
                    for (old, new) in all.iter_mut().zip(changed).filter(|(_, new)| !new.is_null())
                    {
                        old.clone_from(new);
                    }
                }
                "realtime_pieces" => {
                    let Some(Value::Array(pieces)) = self.state.get_mut("realtime_pieces") else {
                        panic!("a state in real time has pieces")
                    };
                    let changed = value.as_array().expect("pieces");
                    pieces.retain(|old| changed.iter().all(|new| new["id"] != old["id"]));
                    pieces.extend(changed.iter().filter(|new| new["gone"] != true).cloned());
                }
                _ => drop(self.state.insert(key.clone(), value.clone())),
            }
        }
    }

    pub(crate) async fn send_text(&mut self, text: impl Into<String>) -> bool {
        self.socket.send(Message::text(text.into())).await.is_ok()
    }

    pub(crate) async fn send_bytes(&mut self, bytes: Vec<u8>) -> bool {
        self.socket.send(Message::binary(bytes)).await.is_ok()
    }

    /// Sends a command and waits for the answer: the `ok` message, or the reason for the refusal.
    pub(crate) async fn ask(&mut self, mut command: Value) -> Result<Value, String> {
        self.number += 1;
        command["n"] = json!(self.number);
        assert!(self.send_text(command.to_string()).await, "the server listens");
        loop {
            let message = self.receive().await.expect("an answer");
            if message["n"] == self.number {
                return match message["t"].as_str() {
                    Some("ok") => Ok(message),
                    Some("no") => Err(message["why"].as_str().expect("a reason").to_owned()),
                    _ => panic!("no answer: {message}"),
                };
            }
        }
    }

    pub(crate) async fn create(&mut self, opponent: Value, seat: u8) -> String {
        self.create_of("chess", opponent, seat, Value::Null).await
    }

    pub(crate) async fn create_of(
        &mut self,
        game: &str,
        opponent: Value,
        seat: u8,
        clock: Value,
    ) -> String {
        let command = json!({"t": "create", "game": game, "opponent": opponent, "seat": seat, "clock": clock});
        let answer = self.ask(command).await.expect("a game");
        answer["game"].as_str().expect("an id").to_owned()
    }

    pub(crate) async fn watch(&mut self, game: &str) {
        self.ask(json!({"t": "watch", "game": game})).await.expect("there is such a game");
    }

    pub(crate) async fn play(&mut self, code: &str) -> Result<Value, String> {
        let ply = self.moves().len();
        self.ask(json!({"t": "move", "move": code, "ply": ply})).await
    }

    /// Waits until a condition on the state holds.
    pub(crate) async fn wait(&mut self, wanted: impl Fn(&Map<String, Value>) -> bool) {
        let seen = timeout(2 * PATIENCE, async {
            while !wanted(&self.state) {
                self.receive().await.expect("the server goes on");
            }
        });
        seen.await.expect("what is waited for happens");
    }

    /// Waits until a condition on the lobby holds.
    pub(crate) async fn wait_for_lobby(&mut self, wanted: impl Fn(&Value) -> bool) {
        let seen = timeout(2 * PATIENCE, async {
            while !wanted(&self.lobby) {
                self.receive().await.expect("the server goes on");
            }
        });
        seen.await.expect("what is waited for happens");
    }

    /// Waits until the latest `network` message has this scope.
    pub(crate) async fn wait_for_scope(&mut self, scope: &str) {
        let seen = timeout(2 * PATIENCE, async {
            while self.network["scope"] != scope {
                self.receive().await.expect("the server goes on");
            }
        });
        seen.await.expect("what is waited for happens");
    }

    /// Waits until this page's guest may move, or the game is over.
    pub(crate) async fn wait_for_turn(&mut self) {
        self.wait(|state| state["legal_moves"] != json!([]) || state["outcome"] != Value::Null)
            .await;
    }

    pub(crate) fn moves(&self) -> Vec<String> {
        let moves = self.state["moves"].as_array().expect("moves").iter();
        moves.map(|played| played["code"].as_str().expect("a code").to_owned()).collect()
    }

    pub(crate) fn legal_moves(&self) -> Vec<String> {
        let moves = self.state["legal_moves"].as_array().expect("moves").iter();
        moves.map(|legal| legal["code"].as_str().expect("a code").to_owned()).collect()
    }

    pub(crate) fn is_over(&self) -> bool {
        self.state["outcome"] != Value::Null
    }
}
