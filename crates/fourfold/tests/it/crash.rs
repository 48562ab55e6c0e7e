//! Games survive when the arena is killed.

use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket, connect};

/// A running arena, which is killed when dropped.
struct Arena {
    process: Child,
    address: String,
}

impl Arena {
    fn open(data: &Path) -> Arena {
        let mut process = Command::new(env!("CARGO_BIN_EXE_fourfold"))
            .args(["--port", "0", "--no-open", "--data"])
            .arg(data)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary starts");
        let mut line = String::new();
        let out = process.stdout.take().expect("a pipe");
        BufReader::new(out).read_line(&mut line).expect("it says where it is");
        let address = line.split("http://").nth(1).and_then(|rest| rest.split(' ').next());
        Arena { address: address.expect("an address").to_owned(), process }
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        // Killed rather than stopped, so that it cannot clean up.
        self.process.kill().expect("it still runs");
        self.process.wait().expect("it has ended");
    }
}

struct Page {
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    number: u64,
    state: Value,
}

impl Page {
    fn open(arena: &Arena) -> Page {
        let url = format!("ws://{}/ws?v=3", arena.address);
        let mut request = url.into_client_request().expect("an address");
        let cookie = format!("fourfold={}", "a".repeat(32));
        request.headers_mut().insert("cookie", cookie.parse().expect("a header"));
        let (socket, _) = connect(request).expect("a page may connect");
        Page { socket, number: 0, state: Value::Null }
    }

    /// Sends a command and waits for its answer, which must be `ok`.
    fn ask(&mut self, mut command: Value) -> Value {
        self.number += 1;
        command["n"] = json!(self.number);
        self.socket.send(Message::text(command.to_string())).expect("the server listens");
        loop {
            let Message::Text(text) = self.socket.read().expect("the server answers") else {
                continue;
            };
            let message: Value = serde_json::from_str(&text).expect("JSON");
            if message["t"] == "state" {
                self.state = message;
            } else if message["n"] == self.number {
                assert_eq!(message["t"], "ok", "{command}: {message}");
                return message;
            }
        }
    }

    fn watch(&mut self, game: &Value) {
        self.ask(json!({"t": "watch", "game": game}));
    }

    fn moves(&self) -> Vec<&str> {
        let moves = self.state["moves"].as_array().expect("moves").iter();
        moves.map(|played| played["code"].as_str().expect("a code")).collect()
    }
}

const LINE: [&str; 10] =
    ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1", "f8e7"];

#[test]
fn games_survive_a_killed_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("arena.db");
    let clock = json!({"initial": 600_000, "increment": 0});
    let create =
        json!({"t": "create", "game": "chess", "opponent": "self", "seat": 0, "clock": clock});

    let first = Arena::open(&data);
    let mut page = Page::open(&first);
    let mut play = |count: usize| {
        let game = page.ask(create.clone())["game"].clone();
        page.watch(&game);
        for (ply, code) in LINE[..count].iter().enumerate() {
            page.ask(json!({"t": "move", "move": code, "ply": ply}));
        }
        game
    };
    // Game `n` has `n` moves.
    let running: Vec<Value> = (1..=10).map(&mut play).collect();
    let finished = play(4);
    page.ask(json!({"t": "resign"}));
    drop(first);

    let second = Arena::open(&data);
    let mut page = Page::open(&second);
    for (game, count) in running.iter().zip(1..) {
        page.watch(game);
        assert_eq!(page.moves(), LINE[..count], "game {count}");
        assert_eq!(page.state["outcome"], Value::Null);
        assert_eq!(page.state["you"], json!([0, 1]));
        let left = page.state["clock"]["left"].as_array().expect("two clocks").clone();
        assert!(left.iter().all(|left| left.as_u64().is_some_and(|left| left > 300_000)));
        if count < LINE.len() {
            page.ask(json!({"t": "move", "move": LINE[count], "ply": count}));
        }
    }
    page.watch(&finished);
    assert_eq!(page.moves(), LINE[..4]);
    assert_eq!(page.state["outcome"]["text"], "black wins by resignation");
}
