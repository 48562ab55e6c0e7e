//! Additional load: clients that watch, play turn-based games, or play chess against Master.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use fourfold_common::SplitMix64;
use futures_util::StreamExt;
use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::{sleep_until, timeout_at};

use crate::Failure;
use crate::connection::Connection;

/// Watchers and players at work.
pub(crate) struct Mixed {
    watching: JoinSet<Result<usize, Failure>>,
    playing: JoinSet<Result<Vec<f64>, Failure>>,
    against_bots: JoinSet<Result<AgainstBots, Failure>>,
}

/// What the players against bots have measured, in seconds.
#[derive(Default)]
pub(crate) struct AgainstBots {
    /// Until a move was answered.
    pub(crate) answers: Vec<f64>,
    /// Until the bot had moved, too.
    pub(crate) replies: Vec<f64>,
}

/// How many additional clients there are.
#[derive(Clone, Copy)]
pub(crate) struct Counts {
    pub(crate) watchers: usize,
    pub(crate) turns: usize,
    pub(crate) bots: usize,
}

/// Connects the clients and starts them. Only what happens between `warm` and `end` is counted.
pub(crate) async fn start(
    address: &str,
    games: &[String],
    counts: Counts,
    (warm, end): (Instant, Instant),
) -> Result<Mixed, Failure> {
    const FIRST: u64 = 1 << 32;
    let to: SocketAddr = address.parse()?;
    let from = IpAddr::V4(Ipv4Addr::LOCALHOST);
    let (mut watching, mut playing) = (JoinSet::new(), JoinSet::new());
    let mut against_bots = JoinSet::new();
    for (watcher, game) in (0..counts.watchers as u64).zip(games.iter().cycle()) {
        let mut connection = Connection::open(to, from, FIRST + watcher).await?;
        connection.must(json!({"t": "watch", "game": game})).await?;
        watching.spawn(watch(connection, warm, end));
    }
    for player in 0..counts.turns as u64 {
        let mut connection = Connection::open(to, from, 2 * FIRST + player).await?;
        let clock = json!({"initial": 3_600_000, "increment": 0});
        let create =
            json!({"t": "create", "game": "chess", "opponent": "self", "seat": 0, "clock": clock});
        let game = connection.must(create).await?["game"].clone();
        connection.must(json!({"t": "watch", "game": game})).await?;
        playing.spawn(play(connection, player, warm, end));
    }
    for player in 0..counts.bots as u64 {
        let connection = Connection::open(to, from, 3 * FIRST + player).await?;
        against_bots.spawn(play_bot(connection, player, warm, end));
    }
    Ok(Mixed { watching, playing, against_bots })
}

impl Mixed {
    /// Returns how many messages the watchers received, the seconds until moves were answered, and
    /// the same for moves against bots.
    pub(crate) async fn end(mut self) -> Result<(usize, Vec<f64>, AgainstBots), Failure> {
        let (mut news, mut answers) = (0, Vec::new());
        while let Some(ended) = self.watching.join_next().await {
            news += ended??;
        }
        while let Some(ended) = self.playing.join_next().await {
            answers.extend(ended??);
        }
        let mut bots = AgainstBots::default();
        while let Some(ended) = self.against_bots.join_next().await {
            let AgainstBots { answers, replies } = ended??;
            bots.answers.extend(answers);
            bots.replies.extend(replies);
        }
        Ok((news, answers, bots))
    }
}

/// Counts incoming messages.
async fn watch(mut connection: Connection, warm: Instant, end: Instant) -> Result<usize, Failure> {
    let mut news = 0;
    while let Ok(message) = timeout_at(end.into(), connection.socket.next()).await {
        message.ok_or("the server closed a spectator's connection")??;
        news += usize::from(Instant::now() >= warm);
    }
    Ok(news)
}

/// Plays a random move about once a second.
async fn play(
    mut connection: Connection,
    seed: u64,
    warm: Instant,
    end: Instant,
) -> Result<Vec<f64>, Failure> {
    let mut rng = SplitMix64::new(seed);
    let mut answers = Vec::new();
    loop {
        let pause = Duration::from_millis(500 + rng.next() % 1000);
        sleep_until((Instant::now() + pause).min(end).into()).await;
        if Instant::now() >= end {
            return Ok(answers);
        }
        let moves = connection.legal_moves();
        let Some(at) = rng.next().checked_rem(moves.len() as u64) else { continue };
        let ply = connection.moves().len();
        let asked = Instant::now();
        connection.must(json!({"t": "move", "move": moves[at as usize], "ply": ply})).await?;
        if asked >= warm {
            answers.push(asked.elapsed().as_secs_f64());
        }
    }
}

/// Plays random moves against Master, each a moment after the bot's move, one game after another.
async fn play_bot(
    mut connection: Connection,
    seed: u64,
    warm: Instant,
    end: Instant,
) -> Result<AgainstBots, Failure> {
    let mut rng = SplitMix64::new(seed);
    let mut seen = AgainstBots::default();
    while Instant::now() < end {
        let create = json!({"t": "create", "game": "chess", "opponent": {"bot": "master"}, "seat": seed % 2, "clock": null});
        let game = connection.must(create).await?["game"].clone();
        connection.must(json!({"t": "watch", "game": game})).await?;
        let mut asked: Option<Instant> = None;
        loop {
            connection.listen(end, |own| own.is_over() || !own.legal_moves().is_empty()).await?;
            if Instant::now() >= end {
                return Ok(seen);
            }
            if let Some(asked) = asked.filter(|asked| *asked >= warm) {
                seen.replies.push(asked.elapsed().as_secs_f64());
            }
            if connection.is_over() {
                break;
            }
            let pause = Duration::from_millis(500 + rng.next() % 1000);
            connection.listen((Instant::now() + pause).min(end), |_| false).await?;
            let moves = connection.legal_moves();
            let Some(at) = rng.next().checked_rem(moves.len() as u64) else { continue };
            let ply = connection.moves().len();
            let now = Instant::now();
            connection.must(json!({"t": "move", "move": moves[at as usize], "ply": ply})).await?;
            if now >= warm {
                seen.answers.push(now.elapsed().as_secs_f64());
            }
            asked = Some(now);
        }
    }
    Ok(seen)
}
