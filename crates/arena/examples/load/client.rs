//! A kung fu chess client that plays at random.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use fourfold_common::SplitMix64;
use fourfold_kung_fu::Player;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::timeout_at;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

use crate::Failure;

/// What a client has measured.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) accepted: usize,
    pub(crate) refused: Vec<Refused>,
    pub(crate) ended: usize,
    /// Seconds until orders were answered.
    pub(crate) answers: Vec<f64>,
}

/// An order that was refused.
pub(crate) struct Refused {
    pub(crate) game: String,
    pub(crate) tick: u64,
    pub(crate) player: Player,
    pub(crate) piece: u8,
    pub(crate) to: String,
}

impl Tally {
    pub(crate) fn add(&mut self, other: Tally) {
        self.accepted += other.accepted;
        self.refused.extend(other.refused);
        self.ended += other.ended;
        self.answers.extend(other.answers);
    }
}

/// A client.
pub(crate) struct Client {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    rng: SplitMix64,
    number: u64,
    game: String,
    seat: u64,
    /// The pieces on the board by id: their owner, and whether they have rested.
    pieces: BTreeMap<u64, (u64, bool)>,
    over: bool,
    next: Option<String>,
}

impl Client {
    pub(crate) async fn open(address: &str, seed: u64) -> Result<Client, Failure> {
        let mut request = format!("ws://{address}/ws?v=3").into_client_request()?;
        request.headers_mut().insert("cookie", format!("fourfold={seed:032x}").parse()?);
        let (socket, _) = connect_async_with_config(request, None, true).await?;
        Ok(Client {
            socket,
            rng: SplitMix64::new(seed),
            number: 0,
            game: String::new(),
            seat: 0,
            pieces: BTreeMap::new(),
            over: false,
            next: None,
        })
    }

    pub(crate) async fn create(&mut self) -> Result<String, Failure> {
        let command = json!({"t": "create", "game": "kung-fu", "rules": "lightning", "opponent": "friend", "seat": 0});
        let answer = self.ask(command).await?;
        Ok(answer["game"].as_str().ok_or_else(|| format!("no game: {answer}"))?.to_owned())
    }

    pub(crate) async fn watch(&mut self, game: &str) -> Result<(), Failure> {
        self.game = game.to_owned();
        self.next = None;
        let answer = self.ask(json!({"t": "watch", "game": game})).await?;
        if answer["t"] == "ok" { Ok(()) } else { Err(answer.to_string().into()) }
    }

    pub(crate) async fn sit(&mut self) -> Result<(), Failure> {
        let answer = self.ask(json!({"t": "sit", "seat": 1})).await?;
        if answer["t"] == "ok" { Ok(()) } else { Err(answer.to_string().into()) }
    }

    /// Gives random orders, about one per second. Nothing before `warm` is counted.
    pub(crate) async fn play(mut self, warm: Instant, end: Instant) -> Result<Tally, Failure> {
        let mut tally = Tally::default();
        loop {
            let pause = Duration::from_millis(500 + self.rng.next() % 1000);
            let until = Instant::now() + pause;
            self.listen(until.min(end)).await?;
            if Instant::now() >= end {
                return Ok(tally);
            }
            if self.over {
                tally.ended += 1;
                self.play_again(end).await?;
                continue;
            }
            self.order_any(&mut tally, warm).await?;
        }
    }

    /// Orders a random piece that has rested to a random legal square.
    async fn order_any(&mut self, tally: &mut Tally, warm: Instant) -> Result<(), Failure> {
        let seat = self.seat;
        let mine = self.pieces.iter().filter(|(_, (owner, rested))| *owner == seat && *rested);
        let mine: Vec<u64> = mine.map(|(id, _)| *id).collect();
        let Some(piece) = self.any(&mine) else { return Ok(()) };
        let answer = self.ask(json!({"t": "targets", "piece": piece})).await?;
        let targets: Vec<String> = serde_json::from_value(answer["to"].clone()).unwrap_or_default();
        let Some(to) = self.any(&targets) else { return Ok(()) };
        let asked = Instant::now();
        let answer = self.ask(json!({"t": "order", "piece": piece, "to": to})).await?;
        if asked < warm {
            return Ok(());
        }
        tally.answers.push(asked.elapsed().as_secs_f64());
        if answer["t"] == "ok" {
            tally.accepted += 1;
        } else if let Some(tick) = answer["tick"].as_u64() {
            let (game, player) = (self.game.clone(), Player::ALL[self.seat as usize]);
            tally.refused.push(Refused { game, tick, player, piece: piece as u8, to });
        } else {
            return Err(format!("an order was not checked: {answer}").into());
        }
        Ok(())
    }

    fn any<T: Clone>(&mut self, list: &[T]) -> Option<T> {
        let index = self.rng.next().checked_rem(list.len() as u64)?;
        list.get(index as usize).cloned()
    }

    /// Moves on to the next game once both players want it.
    async fn play_again(&mut self, end: Instant) -> Result<(), Failure> {
        self.ask(json!({"t": "rematch"})).await?;
        while self.next.is_none() {
            if Instant::now() >= end {
                return Ok(());
            }
            self.listen(end.min(Instant::now() + Duration::from_millis(100))).await?;
        }
        let next = self.next.take().unwrap_or_default();
        self.watch(&next).await
    }

    async fn ask(&mut self, mut command: Value) -> Result<Value, Failure> {
        self.number += 1;
        command["n"] = json!(self.number);
        self.socket.send(Message::text(command.to_string())).await?;
        loop {
            let message = self.socket.next().await.ok_or("the server closed the connection")??;
            if let Some(answer) = self.on_message(&message)?
                && answer["n"] == self.number
            {
                return Ok(answer);
            }
        }
    }

    /// Handles messages until the given time.
    async fn listen(&mut self, until: Instant) -> Result<(), Failure> {
        while let Ok(message) = timeout_at(until.into(), self.socket.next()).await {
            let message = message.ok_or("the server closed the connection")??;
            self.on_message(&message)?;
        }
        Ok(())
    }

    /// Applies an update of the game; returns any other message.
    fn on_message(&mut self, message: &Message) -> Result<Option<Value>, Failure> {
        let Message::Text(text) = message else { return Ok(None) };
        let mut news: Value = serde_json::from_str(text)?;
        match news["t"].as_str() {
            Some("state") => self.pieces.clear(),
            Some("delta") => {}
            _ => return Ok(Some(news)),
        }
        if let Some(seat) = news["you"][0].as_u64() {
            self.seat = seat;
        }
        if let Some(outcome) = news.get("outcome") {
            self.over = !outcome.is_null();
        }
        if let Some(next) = news["next"].as_str() {
            self.next = Some(next.to_owned());
        }
        for piece in news["realtime_pieces"].as_array_mut().into_iter().flatten() {
            let id = piece["id"].as_u64().unwrap_or_default();
            if piece["gone"] == true {
                self.pieces.remove(&id);
            } else {
                let rested = piece["flight"].is_null() && piece["rest"].is_null();
                self.pieces.insert(id, (piece["seat"].as_u64().unwrap_or_default(), rested));
            }
        }
        Ok(None)
    }
}
