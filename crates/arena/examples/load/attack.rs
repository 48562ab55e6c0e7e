//! Hostile messages and requests from several addresses at once, while others play.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use fourfold_common::SplitMix64;
use futures_util::{SinkExt, StreamExt};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::{Error, Message};

use crate::connection::{Connection, connect};
use crate::measure::{get, keeps_growing, memory, quantile};
use crate::{Failure, ServerProcess};

const ATTACKERS: u8 = 8;
const PLAYERS: u64 = 10;
/// The attack comes in waves, between which the memory of the server is measured.
const WAVES: u64 = 9;
/// How long the server has to recover from a wave.
const CALM: Duration = Duration::from_secs(5);
/// WebSockets opened at once.
const BULK: usize = 120;

#[derive(Default)]
struct Counts {
    sent: AtomicU64,
    answered: AtomicU64,
    disconnected: AtomicU64,
    refused: AtomicU64,
}

fn count(number: &AtomicU64) {
    number.fetch_add(1, Ordering::Relaxed);
}

/// Sends this many hostile messages.
pub(crate) async fn run(messages: u64) -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    let data = folder.path().join("attack.db").display().to_string();
    // The limits are the default ones, except that unwatched games leave memory soon.
    let process = ServerProcess::start(&["--serve", &data, "--default-limits"])?;
    let address: SocketAddr = process.address.parse()?;
    let home = IpAddr::V4(Ipv4Addr::LOCALHOST);
    let stop = Arc::new(AtomicBool::new(false));
    let mut players = JoinSet::new();
    let mut games = Vec::new();
    for guest in 0..PLAYERS {
        let mut connection = Connection::open(address, home, guest).await?;
        let create =
            json!({"t": "create", "game": "chess", "opponent": "self", "seat": 0, "clock": null});
        let game = connection.must(create).await?["game"].as_str().ok_or("no id")?.to_owned();
        connection.must(json!({"t": "watch", "game": game})).await?;
        games.push(game);
        players.spawn(play(connection, stop.clone()));
        sleep(Duration::from_millis(250)).await;
    }
    let games: Arc<[String]> = games.into();
    let counts = Arc::new(Counts::default());
    let mut sizes = vec![memory(process.child.id())];
    let start = Instant::now();
    for wave in 0..WAVES {
        let mut attackers = JoinSet::new();
        for attacker in 0..ATTACKERS {
            let from = IpAddr::V4(Ipv4Addr::new(127, 0, 1, 1 + attacker));
            let seed = wave << 32 | u64::from(attacker) | 0xa77a << 16;
            let until = messages * (wave + 1) / WAVES;
            attackers.spawn(attack(address, from, seed, until, games.clone(), counts.clone()));
        }
        while let Some(ended) = attackers.join_next().await {
            ended??;
        }
        // Connections that were held open time out, and finished games leave memory.
        sleep(CALM).await;
        sizes.push(memory(process.child.id()));
        eprintln!("{} messages", counts.sent.load(Ordering::Relaxed));
    }
    let seconds = start.elapsed().as_secs_f64();
    stop.store(true, Ordering::Relaxed);
    let mut answers = Vec::new();
    while let Some(ended) = players.join_next().await {
        answers.extend(ended??);
    }
    let metrics = get(&process.address, "/metrics").await?;
    let value = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
    println!("hostile messages          {} in {seconds:.0} s", value(&counts.sent));
    println!("answered with a reason    {}", value(&counts.answered));
    println!("sockets closed            {}", value(&counts.disconnected));
    println!("connections refused       {}", value(&counts.refused));
    for line in metrics.lines().filter(|line| line.starts_with("fourfold_limit_exceeded_total")) {
        println!("  {line}");
    }
    println!("moves of the others       {}, none refused", answers.len());
    println!("answered p50              {:.2} ms", 1000.0 * quantile(&mut answers, 0.5));
    println!("answered p99              {:.2} ms", 1000.0 * quantile(&mut answers, 0.99));
    process.check_stderr()?;
    let loaded = metrics.lines().find_map(|line| line.strip_prefix("fourfold_games_loaded "));
    println!("games in memory           {}", loaded.unwrap_or("unknown"));
    let sizes: Vec<u64> = sizes.into_iter().flatten().collect();
    println!("memory of the server      {sizes:?} kB, before and after each wave");
    if keeps_growing(&sizes) {
        return Err("the server uses more and more memory".into());
    }
    Ok(())
}

/// Plays quietly during the attack. Returns the seconds until each move was answered.
async fn play(mut connection: Connection, stop: Arc<AtomicBool>) -> Result<Vec<f64>, Failure> {
    let mut answers = Vec::new();
    let (mut ply, mut back) = (0, false);
    while !stop.load(Ordering::Relaxed) {
        // Take the moves back again, so that the game does not end by repetition.
        let asked = Instant::now();
        if back {
            connection.must(json!({"t": "takeback"})).await?;
            ply -= 1;
        } else {
            let code = ["g1f3", "g8f6", "f3g1", "f6g8"][ply];
            connection.must(json!({"t": "move", "move": code, "ply": ply})).await?;
            ply += 1;
        }
        back = if back { ply > 0 } else { ply == 4 };
        answers.push(asked.elapsed().as_secs_f64());
        sleep(Duration::from_millis(200)).await;
    }
    Ok(answers)
}

/// Does one hostile thing after another until all attackers together have sent enough.
async fn attack(
    to: SocketAddr,
    from: IpAddr,
    seed: u64,
    until: u64,
    games: Arc<[String]>,
    counts: Arc<Counts>,
) -> Result<(), Failure> {
    let mut rng = SplitMix64::new(seed);
    let mut held = Vec::new();
    while counts.sent.load(Ordering::Relaxed) < until {
        match rng.next() % 10 {
            0..=4 => talk(to, from, &mut rng, &games, &counts).await,
            5..=7 => request(to, from, &mut rng, &counts).await,
            8 => {
                // Half a request, held open.
                count(&counts.sent);
                if let Ok(mut stream) = connect(to, from).await {
                    let _ = stream.write_all(b"GET /g/aaaaaaaaaaaa HTTP/1.1\r\nhost: 127").await;
                    held.push(stream);
                }
                if held.len() > 500 {
                    held.clear();
                }
            }
            _ => {
                // Many WebSockets at once.
                let opening = (0..BULK).map(|_| Connection::open(to, from, rng.next()));
                let opened = futures_util::future::join_all(opening).await;
                for connection in &opened {
                    count(&counts.sent);
                    if connection.is_err() {
                        count(&counts.refused);
                    }
                }
            }
        }
    }
    Ok(())
}

/// Sends hostile messages over a WebSocket until the server disconnects.
async fn talk(
    to: SocketAddr,
    from: IpAddr,
    rng: &mut SplitMix64,
    games: &[String],
    counts: &Counts,
) {
    let Ok(mut connection) = Connection::open(to, from, rng.next()).await else {
        count(&counts.refused);
        // Back off a little, as a page would.
        return sleep(Duration::from_millis(rng.next() % 100)).await;
    };
    for _ in 0..50 + rng.next() % 650 {
        count(&counts.sent);
        if connection.socket.send(hostile(rng, games)).await.is_err() {
            return count(&counts.disconnected);
        }
        // Sometimes, do not read the answer.
        if rng.next().is_multiple_of(8) {
            continue;
        }
        match timeout(Duration::from_millis(200), connection.socket.next()).await {
            Ok(Some(Ok(Message::Text(_)))) => count(&counts.answered),
            Ok(
                Some(Ok(Message::Close(_)) | Err(Error::ConnectionClosed | Error::Io(_))) | None,
            ) => {
                return count(&counts.disconnected);
            }
            Ok(Some(_)) | Err(_) => {}
        }
    }
}

/// Returns a message that no page would send.
fn hostile(rng: &mut SplitMix64, games: &[String]) -> Message {
    let number = rng.next() % 100;
    let game = &games[rng.next() as usize % games.len()];
    let text = match rng.next() % 16 {
        0 => {
            let bytes: Vec<u8> = (0..rng.next() % 300).map(|_| rng.next() as u8).collect();
            return Message::binary(bytes);
        }
        1 => (0..rng.next() % 300).map(|_| char::from(rng.next() as u8)).collect(),
        2 => "x".repeat(4097 + (rng.next() % 50_000) as usize),
        3 if number == 0 => "x".repeat(1_000_000),
        3 | 4 => "[".repeat(4000),
        5 => format!("{{\"t\":\"move\",\"n\":{number},\"move\":{}1{}}}", "[".repeat(900), "]".repeat(900)),
        6 => json!({"t": "move", "n": number, "move": number, "ply": "x"}).to_string(),
        7 => json!({"t": "create", "n": number, "game": ["chess"], "opponent": {"bot": null}}).to_string(),
        8 => json!({"t": "create", "n": number, "game": "chess", "opponent": "friend", "seat": 0, "clock": null}).to_string(),
        9 => json!({"t": "watch", "n": number, "game": game}).to_string(),
        10 => json!({"t": "move", "n": number, "move": "e2e4", "ply": number}).to_string(),
        11 => json!({"t": "sit", "n": number, "seat": number}).to_string(),
        12 => json!({"t": "resign", "n": number}).to_string(),
        13 => json!({"t": "takeback", "n": number}).to_string(),
        14 => json!({"t": "name", "n": number, "name": "\u{202e}<script>".repeat(number as usize)}).to_string(),
        _ => json!({"t": "order", "n": u64::MAX, "piece": u64::MAX, "to": "e4"}).to_string(),
    };
    Message::text(text)
}

/// Sends a request that no browser would make, and reads the answer if there is one.
async fn request(to: SocketAddr, from: IpAddr, rng: &mut SplitMix64, counts: &Counts) {
    count(&counts.sent);
    let path = ["study", "environments"][(rng.next() % 2) as usize];
    let body = match rng.next() % 8 {
        0 => "[".repeat(100_000),
        1 => "x".repeat(1_500_000),
        2 => json!({"t": "position", "start": "8/8 w", "moves": ["e2e4"]}).to_string(),
        3 => json!({"t": "inspect", "game": "kung-fu", "position": "t".repeat(10_000)}).to_string(),
        4 => json!({"t": "inspect", "game": "blokus", "random": 200, "seed": rng.next() >> 12})
            .to_string(),
        5 => json!({"t": "follow", "game": format!("{:012}", rng.next() % 1000), "seat": 9})
            .to_string(),
        6 => {
            json!({"t": "batch", "game": "four-player", "games": 1024, "observe": true}).to_string()
        }
        _ => json!({"t": "read", "text": "1. e4 ((((((((((".repeat(200)}).to_string(),
    };
    let request = match rng.next() % 6 {
        0 => (0..rng.next() % 2000).map(|_| rng.next() as u8).collect(),
        1 => format!("GET /{} HTTP/1.1\r\nhost: localhost\r\n\r\n", "%00../".repeat(50)).into_bytes(),
        2 => format!("GET / HTTP/1.1\r\nhost: localhost\r\nx: {}\r\n\r\n", "y".repeat(100_000)).into_bytes(),
        3 => b"GET /ws?v=3 HTTP/1.1\r\nhost: localhost\r\norigin: http://example.org\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".to_vec(),
        4 => format!("GET /g/{:012}/export HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n", rng.next() % 1000).into_bytes(),
        _ => {
            let length = body.len();
            format!("POST /{path}?v=3 HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}").into_bytes()
        }
    };
    let Ok(mut stream) = connect(to, from).await else { return count(&counts.refused) };
    let _ = timeout(Duration::from_secs(2), stream.write_all(&request)).await;
    let mut answer = [0; 512];
    let read = timeout(Duration::from_millis(200), stream.read(&mut answer)).await;
    if matches!(read, Ok(Ok(1..))) {
        count(&counts.answered);
        if answer.starts_with(b"HTTP/1.1 429") || answer.starts_with(b"HTTP/1.1 503") {
            count(&counts.refused);
        }
    }
}
