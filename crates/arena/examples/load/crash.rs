//! Kills the server repeatedly in the middle of games, and checks that nothing finished is lost and
//! that every running game goes on.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use fourfold_common::SplitMix64;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::line::Line;
use crate::{Failure, Serving};

const HOME: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
const GUESTS: u64 = 8;

/// What the server has confirmed about a game, and must still know after it was killed.
#[derive(Clone, Default)]
struct Story {
    game: String,
    guest: u64,
    kind: &'static str,
    moves: Vec<String>,
    over: bool,
}

type Stories = Arc<Mutex<Vec<Story>>>;

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
    let mut keys = SplitMix64::new(0xc4a5);
    let stories: Stories = Arc::default();
    let mut tally = Tally::default();
    for kill in 1..=kills {
        let mut serving = Serving::start(&["--serve", &data.display().to_string()])?;
        let address: SocketAddr = serving.address.parse()?;
        check(address, &stories, kill == kills, &mut tally).await?;
        let mut playing = JoinSet::new();
        for guest in 0..GUESTS {
            playing.spawn(play(address, guest, keys.next(), stories.clone()));
        }
        tokio::time::sleep(Duration::from_millis(100 + keys.next() % 900)).await;
        serving.is_sound()?;
        serving.child.kill()?;
        serving.child.wait()?;
        while let Some(ended) = playing.join_next().await {
            // Players stop when the server is gone; what was confirmed until then is in their
            // stories.
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
    let serving = Serving::start(&["--serve", &data.display().to_string()])?;
    check(serving.address.parse()?, &stories, true, &mut tally).await?;
    {
        let stories = stories.lock().map_err(|_| "a client failed")?;
        tally.games = stories.len();
        tally.finished = stories.iter().filter(|story| story.over).count();
        tally.moves = stories.iter().map(|story| story.moves.len()).sum();
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
    stories: &Stories,
    all: bool,
    tally: &mut Tally,
) -> Result<(), Failure> {
    let known = stories.lock().map_err(|_| "a client failed")?.clone();
    let recent = known.len().saturating_sub(64);
    for guest in 0..GUESTS {
        let mut line = Line::open(address, HOME, guest).await?;
        for (number, story) in known.iter().enumerate().filter(|(_, story)| story.guest == guest) {
            if story.over && !all && number < recent {
                continue;
            }
            let game = &story.game;
            line.must(json!({"t": "watch", "game": game})).await?;
            tally.looks += 1;
            if story.over && !line.is_over() {
                return Err(format!("{game} was over ({}), and is not anymore", story.kind).into());
            }
            let moves = line.moves();
            if !moves.starts_with(&story.moves) {
                return Err(format!("{game} had {:?}, and has {moves:?}", story.moves).into());
            }
            // Time runs again as soon as a player connects.
            let phase = &line.state.get("time").map_or(Value::Null, |time| time["phase"].clone());
            if !line.is_over() && !phase.is_null() && *phase != "running" {
                return Err(format!("{game} does not continue: it is {phase}").into());
            }
            if line.state["you"] == json!([]) {
                return Err(format!("{game} has lost its player").into());
            }
        }
    }
    Ok(())
}

/// Plays a guest's games, and creates new ones, until the server is gone.
async fn play(address: SocketAddr, guest: u64, seed: u64, stories: Stories) -> Result<(), Failure> {
    let mut keys = SplitMix64::new(seed);
    let mut line = Line::open(address, HOME, guest).await?;
    loop {
        let mine: Vec<usize> = {
            let stories = stories.lock().map_err(|_| "a client failed")?;
            let mine = stories.iter().enumerate();
            mine.filter(|(_, story)| story.guest == guest && !story.over)
                .map(|(at, _)| at)
                .collect()
        };
        let index = match keys.next().checked_rem(mine.len() as u64 + 1) {
            Some(at) if mine.len() >= 5 || (at as usize) < mine.len() => {
                mine[at as usize % mine.len()]
            }
            _ => create(&mut line, guest, &mut keys, &stories).await?,
        };
        let story = stories.lock().map_err(|_| "a client failed")?[index].clone();
        line.must(json!({"t": "watch", "game": story.game})).await?;
        for _ in 0..1 + keys.next() % 8 {
            let done = match story.kind {
                "kung-fu" => fight(&mut line, &mut keys).await?,
                _ => move_any(&mut line, &mut keys).await?,
            };
            let over = line.is_over();
            let mut stories = stories.lock().map_err(|_| "a client failed")?;
            if done {
                stories[index].moves = line.moves();
            }
            stories[index].over |= over;
            if over {
                break;
            }
        }
    }
}

/// Creates a random game: turn-based with or without clocks, on one screen or against bots, or
/// real-time.
async fn create(
    line: &mut Line,
    guest: u64,
    keys: &mut SplitMix64,
    stories: &Stories,
) -> Result<usize, Failure> {
    let clock = json!({"initial": 3_600_000, "increment": 0});
    let (kind, wish) = match keys.next() % 5 {
        0 => ("chess", json!({"game": "chess", "opponent": "self", "clock": clock})),
        1 => ("chess", json!({"game": "chess", "opponent": {"bot": "random"}, "clock": null})),
        2 => ("blokus", json!({"game": "blokus", "opponent": "self", "clock": clock})),
        3 => ("four-player", json!({"game": "four-player", "opponent": "self", "clock": null})),
        _ => ("kung-fu", json!({"game": "kung-fu", "opponent": {"bot": "random"}})),
    };
    let mut command = wish;
    command["t"] = json!("create");
    command["seat"] = json!(0);
    let answer = line.must(command).await?;
    let game = answer["game"].as_str().ok_or("the answer has no game id")?.to_owned();
    let mut stories = stories.lock().map_err(|_| "a client failed")?;
    stories.push(Story { game, guest, kind, ..Story::default() });
    Ok(stories.len() - 1)
}

/// Plays a random move, or sometimes resigns. Returns whether it was carried out.
async fn move_any(line: &mut Line, keys: &mut SplitMix64) -> Result<bool, Failure> {
    let choices = line.choices();
    let Some(at) = keys.next().checked_rem(choices.len() as u64) else {
        // A bot is thinking.
        tokio::time::sleep(Duration::from_millis(5)).await;
        line.must(json!({"t": "sync"})).await?;
        return Ok(false);
    };
    let command = match keys.next() % 16 {
        0 => json!({"t": "resign"}),
        _ => json!({"t": "move", "move": choices[at as usize], "ply": line.moves().len()}),
    };
    // Nobody else moves for this guest, so the command must be accepted.
    line.must(command).await?;
    Ok(true)
}

/// Orders a random piece to a random square, or sometimes resigns.
async fn fight(line: &mut Line, keys: &mut SplitMix64) -> Result<bool, Failure> {
    let command = match keys.next() % 30 {
        0 => json!({"t": "resign"}),
        _ => {
            let piece = keys.next() % 32;
            let targets = line.ask(json!({"t": "targets", "piece": piece})).await?;
            let to: Vec<Value> = targets["to"].as_array().cloned().unwrap_or_default();
            let Some(at) = keys.next().checked_rem(to.len() as u64) else { return Ok(false) };
            json!({"t": "order", "piece": piece, "to": to[at as usize]})
        }
    };
    Ok(line.ask(command).await?["t"] == "ok")
}
