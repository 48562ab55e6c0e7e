//! Kills the server repeatedly in the middle of games, and checks that nothing finished is lost and
//! that every running game continues.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use fourfold_common::SplitMix64;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::connection::Connection;
use crate::{Failure, ServerProcess};

const HOME: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
const GUESTS: u64 = 8;

/// What the server has confirmed about a game, and must still know after it was killed.
#[derive(Clone, Default)]
struct Confirmed {
    game: String,
    guest: u64,
    kind: &'static str,
    moves: Vec<String>,
    over: bool,
}

type Confirmations = Arc<Mutex<Vec<Confirmed>>>;

#[derive(Default)]
struct Tally {
    games: usize,
    moves: usize,
    finished: usize,
    looks: usize,
}

/// Kills the server this many times, at random moments.
pub(crate) async fn run(kills: u64) -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    let data = folder.path().join("crash.db");
    let mut rng = SplitMix64::new(0xc4a5);
    let confirmed: Confirmations = Arc::default();
    let mut tally = Tally::default();
    for kill in 1..=kills {
        let mut process = ServerProcess::start(&["--serve", &data.display().to_string()])?;
        let address: SocketAddr = process.address.parse()?;
        check(address, &confirmed, kill == kills, &mut tally).await?;
        let mut playing = JoinSet::new();
        for guest in 0..GUESTS {
            playing.spawn(play(address, guest, rng.next(), confirmed.clone()));
        }
        tokio::time::sleep(Duration::from_millis(100 + rng.next() % 900)).await;
        process.check_stderr()?;
        process.child.kill()?;
        process.child.wait()?;
        while let Some(ended) = playing.join_next().await {
            // Players stop when the server is gone; what was confirmed until then is in
            // `confirmed`.
            let error = match ended? {
                Ok(()) => continue,
                Err(error) => error.to_string(),
            };
            if error.starts_with('{') {
                return Err(error.into());
            }
        }
        if kill % 10 == 0 {
            eprintln!("killed {kill} times");
        }
    }
    let process = ServerProcess::start(&["--serve", &data.display().to_string()])?;
    check(process.address.parse()?, &confirmed, true, &mut tally).await?;
    {
        let confirmed = confirmed.lock().map_err(|_| "a client failed")?;
        tally.games = confirmed.len();
        tally.finished = confirmed.iter().filter(|game| game.over).count();
        tally.moves = confirmed.iter().map(|game| game.moves.len()).sum();
    }
    println!("times killed              {kills}");
    println!("games                     {}", tally.games);
    println!("games finished            {}", tally.finished);
    println!("moves confirmed           {}", tally.moves);
    println!("games checked             {}", tally.looks);
    println!("everything that was confirmed survived every kill, and every game continued");
    Ok(())
}

/// Checks that the server still knows everything that it has confirmed. Games finished long ago are
/// checked only if `all` is set.
async fn check(
    address: SocketAddr,
    confirmed: &Confirmations,
    all: bool,
    tally: &mut Tally,
) -> Result<(), Failure> {
    let known = confirmed.lock().map_err(|_| "a client failed")?.clone();
    let recent = known.len().saturating_sub(64);
    for guest in 0..GUESTS {
        let mut connection = Connection::open(address, HOME, guest).await?;
        for (number, before) in known.iter().enumerate().filter(|(_, game)| game.guest == guest) {
            if before.over && !all && number < recent {
                continue;
            }
            let game = &before.game;
            connection.must(json!({"t": "watch", "game": game})).await?;
            tally.looks += 1;
            if before.over && !connection.is_over() {
                return Err(format!("{game} was over ({}), and is not anymore", before.kind).into());
            }
            let moves = connection.moves();
            if !moves.starts_with(&before.moves) {
                return Err(format!("{game} had {:?}, and has {moves:?}", before.moves).into());
            }
            // Time runs again as soon as a player connects.
            let phase =
                &connection.state.get("time").map_or(Value::Null, |time| time["phase"].clone());
            if !connection.is_over() && !phase.is_null() && *phase != "running" {
                return Err(format!("{game} does not continue: it is {phase}").into());
            }
            if connection.state["you"] == json!([]) {
                return Err(format!("{game} has lost its player").into());
            }
        }
    }
    Ok(())
}

/// Plays a guest's games, and creates new ones, until the server is gone.
async fn play(
    address: SocketAddr,
    guest: u64,
    seed: u64,
    confirmed: Confirmations,
) -> Result<(), Failure> {
    let mut rng = SplitMix64::new(seed);
    let mut connection = Connection::open(address, HOME, guest).await?;
    loop {
        let mine: Vec<usize> = {
            let confirmed = confirmed.lock().map_err(|_| "a client failed")?;
            let mine = confirmed.iter().enumerate();
            mine.filter(|(_, game)| game.guest == guest && !game.over).map(|(at, _)| at).collect()
        };
        let index = match rng.next().checked_rem(mine.len() as u64 + 1) {
            Some(at) if mine.len() >= 5 || (at as usize) < mine.len() => {
                mine[at as usize % mine.len()]
            }
            _ => create(&mut connection, guest, &mut rng, &confirmed).await?,
        };
        let game = confirmed.lock().map_err(|_| "a client failed")?[index].clone();
        connection.must(json!({"t": "watch", "game": game.game})).await?;
        for _ in 0..1 + rng.next() % 8 {
            let done = match game.kind {
                "kung-fu" => order_any(&mut connection, &mut rng).await?,
                _ => move_any(&mut connection, &mut rng).await?,
            };
            let over = connection.is_over();
            let mut confirmed = confirmed.lock().map_err(|_| "a client failed")?;
            if done {
                confirmed[index].moves = connection.moves();
            }
            confirmed[index].over |= over;
            if over {
                break;
            }
        }
    }
}

/// Creates a random game: turn-based with or without clocks, on one screen or against bots, or
/// real-time.
async fn create(
    connection: &mut Connection,
    guest: u64,
    rng: &mut SplitMix64,
    confirmed: &Confirmations,
) -> Result<usize, Failure> {
    let clock = json!({"initial": 3_600_000, "increment": 0});
    let (kind, request) = match rng.next() % 5 {
        0 => ("chess", json!({"game": "chess", "opponent": "self", "clock": clock})),
        1 => ("chess", json!({"game": "chess", "opponent": {"bot": "random"}, "clock": null})),
        2 => ("blokus", json!({"game": "blokus", "opponent": "self", "clock": clock})),
        3 => ("four-player", json!({"game": "four-player", "opponent": "self", "clock": null})),
        _ => ("kung-fu", json!({"game": "kung-fu", "opponent": {"bot": "random"}})),
    };
    let mut command = request;
    command["t"] = json!("create");
    command["seat"] = json!(0);
    let answer = connection.must(command).await?;
    let game = answer["game"].as_str().ok_or("the answer has no game id")?.to_owned();
    let mut confirmed = confirmed.lock().map_err(|_| "a client failed")?;
    confirmed.push(Confirmed { game, guest, kind, ..Confirmed::default() });
    Ok(confirmed.len() - 1)
}

/// Plays a random move, or sometimes resigns. Returns whether it was carried out.
async fn move_any(connection: &mut Connection, rng: &mut SplitMix64) -> Result<bool, Failure> {
    let moves = connection.legal_moves();
    let Some(at) = rng.next().checked_rem(moves.len() as u64) else {
        // A bot is thinking.
        tokio::time::sleep(Duration::from_millis(5)).await;
        connection.must(json!({"t": "sync"})).await?;
        return Ok(false);
    };
    let command = match rng.next() % 16 {
        0 => json!({"t": "resign"}),
        _ => json!({"t": "move", "move": moves[at as usize], "ply": connection.moves().len()}),
    };
    // Nobody else moves for this guest, so the command must be accepted.
    connection.must(command).await?;
    Ok(true)
}

/// Orders a random piece to a random square, or sometimes resigns.
async fn order_any(connection: &mut Connection, rng: &mut SplitMix64) -> Result<bool, Failure> {
    let command = match rng.next() % 30 {
        0 => json!({"t": "resign"}),
        _ => {
            let piece = rng.next() % 32;
            let targets = connection.ask(json!({"t": "targets", "piece": piece})).await?;
            let to: Vec<Value> = targets["to"].as_array().cloned().unwrap_or_default();
            let Some(at) = rng.next().checked_rem(to.len() as u64) else { return Ok(false) };
            json!({"t": "order", "piece": piece, "to": to[at as usize]})
        }
    };
    Ok(connection.ask(command).await?["t"] == "ok")
}
