//! A client connection that tracks the state of the game it watches.

use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Map, Value, json};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{timeout, timeout_at};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{WebSocketStream, client_async};

use crate::Failure;

/// How long an answer may take before the test fails.
const PATIENCE: Duration = Duration::from_secs(30);

/// A client connection.
pub(crate) struct Connection {
    pub(crate) socket: WebSocketStream<TcpStream>,
    number: u64,
    pub(crate) state: Map<String, Value>,
}

impl Connection {
    /// Connects as a guest, from one of this computer's addresses.
    pub(crate) async fn open(
        to: SocketAddr,
        from: IpAddr,
        guest: u64,
    ) -> Result<Connection, Failure> {
        let mut request = format!("ws://{to}/ws?v=3").into_client_request()?;
        request.headers_mut().insert("cookie", format!("fourfold={guest:032x}").parse()?);
        let (socket, _) = client_async(request, connect(to, from).await?).await?;
        Ok(Connection { socket, number: 0, state: Map::new() })
    }

    /// Sends a command and waits for the answer, which may be a refusal.
    pub(crate) async fn ask(&mut self, mut command: Value) -> Result<Value, Failure> {
        self.number += 1;
        command["n"] = json!(self.number);
        self.socket.send(Message::text(command.to_string())).await?;
        loop {
            let message = timeout(PATIENCE, self.socket.next()).await?;
            let Message::Text(text) = message.ok_or("the server closed the connection")?? else {
                continue;
            };
            let message: Value = serde_json::from_str(&text)?;
            if message["n"] == self.number {
                return Ok(message);
            }
            self.on_message(message);
        }
    }

    /// Like [`Connection::ask`], but fails if the command is refused.
    pub(crate) async fn must(&mut self, command: Value) -> Result<Value, Failure> {
        let answer = self.ask(command.clone()).await?;
        if answer["t"] == "ok" { Ok(answer) } else { Err(format!("{command}: {answer}").into()) }
    }

    /// Reads messages until a time, or until `wanted` holds for the state.
    pub(crate) async fn listen(
        &mut self,
        until: Instant,
        wanted: impl Fn(&Connection) -> bool,
    ) -> Result<(), Failure> {
        while !wanted(self) {
            let Ok(message) = timeout_at(until.into(), self.socket.next()).await else { break };
            if let Message::Text(text) = message.ok_or("the server closed the connection")?? {
                self.on_message(serde_json::from_str(&text)?);
            }
        }
        Ok(())
    }

    fn on_message(&mut self, message: Value) {
        let Value::Object(news) = message else { return };
        match news["t"].as_str() {
            Some("state") => {
                self.state = news;
                return;
            }
            Some("delta") => {}
            _ => return,
        }
        for (key, value) in news {
            match (key.as_str(), self.state.get_mut(&key)) {
                ("moves", Some(Value::Array(moves))) => {
                    moves.truncate(value["keep"].as_u64().unwrap_or(0) as usize);
                    moves.extend(value["add"].as_array().cloned().unwrap_or_default());
                }
                ("realtime_pieces", _) => {}
                _ => drop(self.state.insert(key, value)),
            }
        }
    }

    /// Returns the codes of the moves played.
    pub(crate) fn moves(&self) -> Vec<String> {
        let moves = self.state.get("moves").and_then(Value::as_array).into_iter().flatten();
        moves.filter_map(|played| played["code"].as_str().map(str::to_owned)).collect()
    }

    /// Returns the codes of the legal moves.
    pub(crate) fn legal_moves(&self) -> Vec<String> {
        let moves = self.state.get("legal_moves").and_then(Value::as_array).into_iter().flatten();
        moves.filter_map(|legal| legal["code"].as_str().map(str::to_owned)).collect()
    }

    pub(crate) fn is_over(&self) -> bool {
        self.state.get("outcome").is_some_and(|outcome| !outcome.is_null())
    }
}

/// Opens a TCP connection from one of this computer's addresses.
pub(crate) async fn connect(to: SocketAddr, from: IpAddr) -> Result<TcpStream, Failure> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::new(from, 0))?;
    let stream = socket.connect(to).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}
