//! Many games of kung fu chess at once, on this computer: how late are their ticks?
//!
//! A server runs as a process of its own; here two clients for each game send random legal orders to
//! it, and a bare timer shows how late the machine itself is meanwhile.

mod client;
mod measure;

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use fourfold_arena::{Config, Limits};
use tokio::task::JoinSet;

use client::{Client, Tally};
use measure::{Lateness, bare_timer, get, memory, quantile, was_legal};

const HELP: &str = "\
Holds games of lightning kung fu chess with two clients each on loopback, and says how late ticks are.

Usage: cargo run --release -p fourfold-arena --example load -- [OPTIONS]

Options:
  --games N      how many games at once [default: 500]
  --seconds S    how long to measure [default: 60]
  --help         this text

Each client sends an order about once a second. Each game takes two sockets on either side: with more
than 450 games, raise the limit of open files first (ulimit -n 8192).";

struct Options {
    games: usize,
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
        ["--serve"] => serve(),
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

fn options(words: &[&str]) -> Result<Options, Failure> {
    let mut options = Options { games: 500, seconds: 60 };
    for pair in words.chunks(2) {
        let [name, value] = pair else {
            return Err(format!("'{}' needs a number; see --help", pair.concat()).into());
        };
        let number: u64 = value.parse().map_err(|_| format!("'{value}' is no number"))?;
        match *name {
            "--games" if (1..=20_000).contains(&number) => options.games = number as usize,
            "--seconds" if (1..=3600).contains(&number) => options.seconds = number,
            "--games" | "--seconds" => return Err(format!("{name} {value} is out of range").into()),
            _ => return Err(format!("there is no option '{name}'; see --help").into()),
        }
    }
    Ok(options)
}

/// The server: says where it is, and runs until its standard input ends.
#[tokio::main]
async fn serve() -> Result<(), Failure> {
    let limits = Limits {
        games: 100_000,
        connections: 100_000,
        games_per_address: 100_000,
        games_per_second: 100_000,
        connections_per_address: 100_000,
        connections_per_second: 100_000,
        countdown: Duration::from_millis(300),
        ..Limits::default()
    };
    let folder = tempfile::tempdir()?;
    let data = Some(folder.path().join("load.db"));
    let server =
        fourfold_arena::start(Config { port: 0, data, limits, ..Config::default() }).await?;
    println!("{}", server.address());
    let wait = || std::io::stdin().read_to_end(&mut Vec::new());
    tokio::task::spawn_blocking(wait).await??;
    server.stop().await;
    Ok(())
}

/// A server as a process, which ends with this object.
struct Serving {
    child: Child,
    address: String,
}

impl Serving {
    fn start() -> Result<Serving, Failure> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("--serve").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let mut address = String::new();
        if let Some(said) = child.stdout.take() {
            BufReader::new(said).read_line(&mut address)?;
        }
        Ok(Serving { child, address: address.trim().to_owned() })
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

#[tokio::main]
async fn run(options: &Options) -> Result<(), Failure> {
    let serving = Serving::start()?;
    let address: Arc<str> = serving.address.as_str().into();
    let empty = memory(serving.child.id());
    eprintln!("{} games at {address}: taking seats", options.games);
    let mut pairs = Vec::new();
    for game in 0..options.games as u64 {
        let mut one = Client::open(&address, 2 * game).await?;
        let id = one.create().await?;
        let mut other = Client::open(&address, 2 * game + 1).await?;
        one.watch(&id).await?;
        other.watch(&id).await?;
        pairs.push((one, other));
    }
    for (_, other) in &mut pairs {
        other.sit().await?;
    }

    let warm = Instant::now() + Duration::from_secs(2);
    let end = warm + Duration::from_secs(options.seconds);
    let mut playing = JoinSet::new();
    for (one, other) in pairs {
        playing.spawn(one.play(warm, end));
        playing.spawn(other.play(warm, end));
    }
    tokio::time::sleep_until(warm.into()).await;
    eprintln!("measuring for {} s", options.seconds);
    let before = Lateness::read(&get(&address, "/metrics").await?);
    let timer = std::thread::spawn(move || bare_timer(end));
    tokio::time::sleep_until(end.into()).await;
    let after = Lateness::read(&get(&address, "/metrics").await?);
    let full = memory(serving.child.id());
    let mut tally = Tally::default();
    while let Some(result) = playing.join_next().await {
        tally.add(result??);
    }
    let mut bare = timer.join().map_err(|_| "the timer broke down")?;
    let mut refused_legal = 0;
    for refused in &tally.refused {
        let replay = get(&address, &format!("/g/{}/export", refused.game)).await?;
        refused_legal += usize::from(was_legal(&replay, refused)?);
    }

    let late = after.since(&before);
    let millis = |seconds: f64| 1000.0 * seconds;
    println!("games                     {}", options.games);
    println!("seconds                   {}", options.seconds);
    println!("orders accepted           {}", tally.accepted);
    println!("orders refused            {}", tally.refused.len());
    println!("refused though legal      {refused_legal}");
    println!("games that ended          {}", tally.ended / 2);
    println!("ticks that were played    {}", late.count());
    for (name, share) in [("p50", 0.5), ("p99", 0.99)] {
        let (ours, timer) = (late.quantile(share), quantile(&mut bare, share));
        println!("tick lateness {name}         {:.2} ms", millis(ours));
        println!("bare timer {name}            {:.2} ms", millis(timer));
    }
    println!("order answered p50        {:.2} ms", millis(quantile(&mut tally.answers, 0.5)));
    println!("order answered p99        {:.2} ms", millis(quantile(&mut tally.answers, 0.99)));
    if let (Some(empty), Some(full)) = (empty, full) {
        let each = full.saturating_sub(empty) / options.games as u64;
        println!("memory of the server      {} kB, {each} kB for each game", full);
    }
    if refused_legal > 0 {
        return Err(format!("{refused_legal} legal orders were refused").into());
    }
    Ok(())
}
