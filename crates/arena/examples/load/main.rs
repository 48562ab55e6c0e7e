//! Tests the arena on this computer: under load, killed, and attacked.
//!
//! The server runs in its own process. Under load, two clients for each game of kung fu chess send
//! random legal orders, others watch, play turn-based games or play against bots, and a bare timer measures how late
//! the machine itself is meanwhile.

mod attack;
mod client;
mod connection;
mod crash;
mod measure;
mod mixed;

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use fourfold_arena::{Config, Limits};
use tokio::task::JoinSet;

use client::{Client, Tally};
use measure::{Goals, Lateness, bare_timer, get, memory, quantile, was_legal};

const HELP: &str = "\
Runs games of lightning kung fu chess on loopback, with two clients each, and reports how late ticks are.

Usage: cargo run --release -p fourfold-arena --example load -- [OPTIONS]
       cargo run --release -p fourfold-arena --example load -- crash [--kills N]
       cargo run --release -p fourfold-arena --example load -- attack [--messages N]

Options:
  --games N      number of games at once [default: 500]
  --watchers N   number of additional clients that watch these games [default: 500]
  --turns N      number of chess games played at the same time, each on one screen [default: 100]
  --bots N       number of chess games against Master played at the same time [default: 0]
  --seconds S    duration of the measurement [default: 60]
  --help         print this help

crash kills the server (kill -9) 100 times at random moments in games of all kinds, and checks after each restart
that everything it had confirmed is still true. attack sends 100,000 hostile messages and requests from eight
addresses while others play, and reports how the other games were affected and how much memory the server uses.

It fails if moves are answered later than 100 ms (p99), or if ticks are more than 5 ms later than a bare timer (p99).

Each client sends about one order per second. Each game needs two sockets on either side: raise the
limit of open files first (ulimit -n 8192).";

struct Options {
    games: usize,
    watchers: usize,
    turns: usize,
    bots: usize,
    seconds: u64,
}

type Failure = Box<dyn std::error::Error + Send + Sync>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--help" | "-h"] => {
            println!("{HELP}");
            Ok(())
        }
        ["--serve", data] => serve(data, high_limits()),
        ["--serve", data, "--default-limits"] => {
            serve(data, Limits { unload_after: Duration::from_secs(1), ..Limits::default() })
        }
        ["crash"] => crash(100),
        ["crash", "--kills", number] => whole(number).and_then(crash),
        ["attack"] => attack(100_000),
        ["attack", "--messages", number] => whole(number).and_then(attack),
        words => options(words).and_then(|options| run(&options)),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("load: {error}");
            ExitCode::FAILURE
        }
    }
}

fn whole(text: &str) -> Result<u64, Failure> {
    text.parse().map_err(|_| format!("expected a number, got '{text}'").into())
}

#[tokio::main]
async fn crash(kills: u64) -> Result<(), Failure> {
    crash::run(kills).await
}

#[tokio::main]
async fn attack(messages: u64) -> Result<(), Failure> {
    attack::run(messages).await
}

fn options(words: &[&str]) -> Result<Options, Failure> {
    let mut options = Options { games: 500, watchers: 500, turns: 100, bots: 0, seconds: 60 };
    for pair in words.chunks(2) {
        let [name, value] = pair else {
            return Err(format!("'{}' needs a number; see --help", pair.concat()).into());
        };
        let number = whole(value)?;
        match *name {
            "--games" if (0..=20_000).contains(&number) => options.games = number as usize,
            "--games" => return Err(format!("expected 0 to 20000 games, got {value}").into()),
            "--seconds" if (1..=3600).contains(&number) => options.seconds = number,
            "--seconds" => return Err(format!("expected 1 to 3600 seconds, got {value}").into()),
            "--watchers" if number <= 20_000 => options.watchers = number as usize,
            "--turns" if number <= 20_000 => options.turns = number as usize,
            "--bots" if number <= 20_000 => options.bots = number as usize,
            "--watchers" | "--turns" | "--bots" => {
                return Err(format!("expected at most 20000 after {name}, got {value}").into());
            }
            _ => return Err(format!("unknown option '{name}'; see --help").into()),
        }
    }
    Ok(options)
}

/// Returns limits that are high enough for a whole load test from one address.
fn high_limits() -> Limits {
    Limits {
        games: 100_000,
        games_per_guest: 100_000,
        games_per_address: 100_000,
        games_per_second: 100_000,
        connections: 100_000,
        connections_per_address: 100_000,
        connections_per_second: 100_000,
        messages_per_second: 100_000,
        countdown: Duration::from_millis(300),
        bot_pace: Duration::from_millis(10),
        ..Limits::default()
    }
}

/// Runs the server: prints its address and serves until standard input closes.
#[tokio::main]
async fn serve(data: &str, limits: Limits) -> Result<(), Failure> {
    let data = Some(data.into());
    let server =
        fourfold_arena::start(Config { port: 0, data, limits, ..Config::default() }).await?;
    println!("{}", server.address());
    let wait = || std::io::stdin().read_to_end(&mut Vec::new());
    tokio::task::spawn_blocking(wait).await??;
    server.stop().await;
    Ok(())
}

/// A server in its own process, which ends when this is dropped.
struct ServerProcess {
    child: Child,
    address: String,
    /// The standard error of the process, which stays empty unless it panics.
    stderr: tempfile::NamedTempFile,
}

impl ServerProcess {
    fn start(arguments: &[&str]) -> Result<ServerProcess, Failure> {
        let stderr = tempfile::NamedTempFile::new()?;
        let mut command = Command::new(std::env::current_exe()?);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(stderr.reopen()?).spawn()?;
        let mut address = String::new();
        if let Some(stdout) = child.stdout.take() {
            BufReader::new(stdout).read_line(&mut address)?;
        }
        Ok(ServerProcess { child, address: address.trim().to_owned(), stderr })
    }

    /// Fails if the server has panicked.
    fn check_stderr(&self) -> Result<(), Failure> {
        let text = std::fs::read_to_string(self.stderr.path())?;
        if text.is_empty() {
            Ok(())
        } else {
            Err(format!("the server wrote to stderr: {text}").into())
        }
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

#[tokio::main]
async fn run(options: &Options) -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    let process =
        ServerProcess::start(&["--serve", &folder.path().join("load.db").display().to_string()])?;
    let address: Arc<str> = process.address.as_str().into();
    let empty = memory(process.child.id());
    eprintln!("{} games at {address}: taking seats", options.games);
    let mut pairs = Vec::new();
    let mut ids = Vec::new();
    for game in 0..options.games as u64 {
        let mut one = Client::open(&address, 2 * game).await?;
        let id = one.create().await?;
        let mut other = Client::open(&address, 2 * game + 1).await?;
        one.watch(&id).await?;
        other.watch(&id).await?;
        pairs.push((one, other));
        ids.push(id);
    }
    for (_, other) in &mut pairs {
        other.sit().await?;
    }

    // Connecting the watchers and the other players takes time.
    let Options { watchers, turns, bots, .. } = *options;
    let others = (watchers + turns + bots) as u64;
    let warm = Instant::now() + Duration::from_millis(2000 + 5 * others);
    let end = warm + Duration::from_secs(options.seconds);
    let mut playing = JoinSet::new();
    for (one, other) in pairs {
        playing.spawn(one.play(warm, end));
        playing.spawn(other.play(warm, end));
    }
    let counts = mixed::Counts { watchers, turns, bots };
    let mixed = mixed::start(&address, &ids, counts, (warm, end)).await?;
    tokio::time::sleep_until(warm.into()).await;
    eprintln!("measuring for {} s", options.seconds);
    let before = Lateness::read(&get(&address, "/metrics").await?);
    let timer = std::thread::spawn(move || bare_timer(end));
    tokio::time::sleep_until(end.into()).await;
    let after = Lateness::read(&get(&address, "/metrics").await?);
    let full = memory(process.child.id());
    let mut tally = Tally::default();
    while let Some(result) = playing.join_next().await {
        tally.add(result??);
    }
    let (news, mut turns, mut against) = mixed.end().await?;
    let mut bare = timer.join().map_err(|_| "the timer failed")?;
    let mut refused_legal = 0;
    for refused in &tally.refused {
        let replay = get(&address, &format!("/g/{}/export", refused.game)).await?;
        refused_legal += usize::from(was_legal(&replay, refused)?);
    }

    let late = after.since(&before);
    let millis = |seconds: f64| 1000.0 * seconds;
    println!("games                     {}", options.games);
    println!("watchers                  {}, received {news} messages", options.watchers);
    println!("turn-based games          {}, with {} moves", options.turns, turns.len());
    println!("seconds                   {}", options.seconds);
    println!("orders accepted           {}", tally.accepted);
    println!("orders refused            {}", tally.refused.len());
    println!("legal orders refused      {refused_legal}");
    println!("games finished            {}", tally.ended / 2);
    println!("ticks played              {}", late.count());
    let mut goals = Goals::default();
    for (name, share) in [("p50", 0.5), ("p99", 0.99)] {
        let (ours, timer) = (late.quantile(share), quantile(&mut bare, share));
        println!("tick lateness {name}         {:.2} ms", millis(ours));
        println!("bare timer {name}            {:.2} ms", millis(timer));
        if share == 0.99 {
            goals.check_ticks(millis(ours), millis(timer));
        }
    }
    println!("order answered p50        {:.2} ms", millis(quantile(&mut tally.answers, 0.5)));
    println!("order answered p99        {:.2} ms", millis(quantile(&mut tally.answers, 0.99)));
    println!("move answered p50         {:.2} ms", millis(quantile(&mut turns, 0.5)));
    let answered = millis(quantile(&mut turns, 0.99));
    println!("move answered p99         {answered:.2} ms");
    goals.check_answers("moves on one screen", answered);
    if bots > 0 {
        let count = against.answers.len();
        println!("games against Master      {bots}, with {count} moves of people");
        for (name, share) in [("p50", 0.5), ("p99", 0.99)] {
            let answered = millis(quantile(&mut against.answers, share));
            println!("their move answered {name}   {answered:.2} ms");
            if share == 0.99 {
                goals.check_answers("moves against Master", answered);
            }
            println!(
                "Master's reply {name}        {:.0} ms",
                millis(quantile(&mut against.replies, share))
            );
        }
    }
    if let (Some(empty), Some(full)) = (empty, full) {
        let each = full.saturating_sub(empty) / options.games.max(1) as u64;
        println!("memory of the server      {} kB, {each} kB per game", full);
    }
    process.check_stderr()?;
    if refused_legal > 0 {
        return Err(format!("{refused_legal} legal orders were refused").into());
    }
    goals.result()
}
