//! Measures how much CPU time bots take from the stop to their answer, in every turn-based game,
//! and for a decision in kung fu chess, where bots are not stopped.
//!
//! `cargo run --release -p fourfold-bots --example stops [GAME…]`

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use fourfold_bots::kung_fu::{LEVELS, RealTimeBot};
use fourfold_bots::{Budget, Situation, levels, make};
use fourfold_common::SplitMix64;
use fourfold_kung_fu::{Game, Player, Rules};

/// Games by id, each with positions that are hard for a bot and positions that occur in play.
const GAMES: [(&str, Positions); 6] = [
    ("chess", chess),
    ("four-player", || four_player(fourfold_four_player::Rules::FREE_FOR_ALL)),
    ("four-player-teams", || four_player(fourfold_four_player::Rules::TEAMS)),
    ("blokus", || blokus(fourfold_blokus::Variant::CLASSIC)),
    ("blokus-2", || blokus(fourfold_blokus::Variant::CLASSIC_2)),
    ("blokus-duo", || blokus(fourfold_blokus::Variant::DUO)),
];

/// The variants of kung fu chess.
const REAL_TIME: [(&str, &str); 3] =
    [("kung-fu", "8x8"), ("kung-fu", "8x8 lightning"), ("kung-fu-12x12", "12x12 lightning")];

/// Creates the positions of a game.
type Positions = fn() -> Vec<Sample>;

/// A game in progress.
struct Sample {
    name: &'static str,
    start: String,
    moves: Vec<String>,
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let asked = |game: &str| wanted.is_empty() || wanted.iter().any(|word| word == game);
    for (game, positions) in GAMES.iter().filter(|(game, _)| asked(game)) {
        let positions = positions();
        for level in levels(game) {
            let worst = positions
                .iter()
                .filter_map(|sample| Some((longest(game, level.id, sample)?, sample.name)));
            match worst.max() {
                Some((worst, name)) => println!(
                    "{game}, {}: at most {:.2} ms of CPU time from the stop to the answer, {name}",
                    level.id,
                    milliseconds(worst)
                ),
                None => println!("{game}, {}: answers before it is stopped", level.id),
            }
        }
    }
    for (game, words) in REAL_TIME.iter().filter(|(game, _)| asked(game)) {
        for level in 0..LEVELS.len() as u8 {
            let name = LEVELS[level as usize].id;
            match decisions(words, level) {
                Some((mean, worst)) => println!(
                    "{game} {words}, {name}: {:.2} ms of CPU time per decision, at most {:.2} ms",
                    milliseconds(mean),
                    milliseconds(worst)
                ),
                None => println!("{game} {words}, {name}: not measured"),
            }
        }
    }
}

fn milliseconds(time: Duration) -> f64 {
    1000.0 * time.as_secs_f64()
}

/// Returns the longest CPU time from the stop to the answer, over stops at different moments of a
/// search.
fn longest(game: &str, level: &str, sample: &Sample) -> Option<Duration> {
    let situation = Situation { start: &sample.start, moves: &sample.moves };
    let times = [0, 1, 3, 10, 31, 57, 100, 170, 260, 400].map(Duration::from_millis);
    times.iter().filter_map(|&time| after_stop(game, level, &situation, time)).max()
}

/// Returns the CPU time from the stop to the answer, or `None` if the system does not report it or
/// the answer came first. The scheduler may count in ticks of a few milliseconds.
fn after_stop(
    game: &str,
    level: &str,
    situation: &Situation<'_>,
    time: Duration,
) -> Option<Duration> {
    let mut bot = make(game, level, 1)?;
    let stop = AtomicBool::new(false);
    let clock = clock()?;
    let (done, waiting) = channel::<()>();
    std::thread::scope(|scope| {
        let (clock, stop) = (&clock, &stop);
        let sample = scope.spawn(move || {
            let in_time = waiting.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
            let spent = spent(clock);
            stop.store(true, Ordering::Relaxed);
            spent.filter(|_| in_time)
        });
        let answer = bot.think(situation, Budget::nodes(u64::MAX).with_stop(stop));
        let end = settled(clock);
        drop(done);
        let sample = sample.join().ok()?;
        answer.ok()?;
        end?.checked_sub(sample?)
    })
}

/// Returns the directory in which the system reports the CPU time of this thread.
fn clock() -> Option<PathBuf> {
    Some(Path::new("/proc").join(std::fs::read_link("/proc/thread-self").ok()?))
}

/// Returns the CPU time that a thread has used.
fn spent(thread: &Path) -> Option<Duration> {
    let text = std::fs::read_to_string(thread.join("schedstat")).ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// Returns the CPU time that this thread has used, after yielding: only then does the system update
/// it.
fn settled(thread: &Path) -> Option<Duration> {
    std::thread::yield_now();
    spent(thread)
}

/// Returns the mean and the longest CPU time of a level's decisions in some games.
fn decisions(words: &str, level: u8) -> Option<(Duration, Duration)> {
    let rules = Rules::parse(words).ok()?;
    let clock = clock()?;
    let (mut sum, mut count, mut worst) = (Duration::ZERO, 0, Duration::ZERO);
    for seed in 0..4 {
        let mut game = Game::new(rules).ok()?;
        let mut bots: Vec<RealTimeBot> =
            (0..4).map(|seat| RealTimeBot::new(4 * seed + seat, level)).collect();
        let mut events = Vec::new();
        while game.outcome().is_none() && game.now() < 3000 {
            for (bot, player) in bots.iter_mut().zip(Player::ALL) {
                let ready = bot.is_ready(&game);
                let before = if ready { settled(&clock)? } else { Duration::ZERO };
                let order = bot.think(&game, player);
                if ready {
                    let spent = settled(&clock)?.checked_sub(before)?;
                    (sum, count, worst) = (sum + spent, count + 1, worst.max(spent));
                }
                if let Some(order) = order {
                    let to = (order.to.row().into(), order.to.column().into());
                    // Another player may have been quicker.
                    let _ = game.order(player, order.piece, to);
                }
            }
            events.clear();
            game.tick(&mut events);
        }
    }
    Some((sum.checked_div(count)?, worst))
}

/// Returns positions with the most moves, with many queens and with a single pawn, the start, and a
/// long game.
fn chess() -> Vec<Sample> {
    use fourfold_chess::{History, Position, random_walk};
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let mut games: Vec<Sample> = [
        ("218 moves", "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"),
        ("18 queens", "qqqqkqqq/qq6/8/8/8/8/QQ6/QQQQKQQQ w - - 0 1"),
        ("open queens", "q3k2q/1q4q1/2q2q2/8/8/2Q2Q2/1Q4Q1/Q3K2Q w - - 0 1"),
        ("one pawn", "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1"),
        ("the start", start),
    ]
    .map(|(name, fen)| Sample { name, start: fen.to_owned(), moves: Vec::new() })
    .into();
    // The first two thirds of the moves of a random game.
    let random_game = |seed| {
        let walk: Vec<Position> = random_walk(Position::start(), seed).take(1000).collect();
        let mut history = History::new(&walk[0]);
        let mut codes = Vec::new();
        for pair in walk.windows(2) {
            let (before, after) = (pair[0], pair[1]);
            history.push(&after);
            let played = before.legal_moves().into_iter().find(|&mv| before.after(mv) == after);
            let Some(mv) = played.filter(|_| history.ending(&after).is_none()) else { break };
            codes.push(mv.uci(before.variant()));
        }
        codes.truncate(codes.len() * 2 / 3);
        codes
    };
    // The longest of several games.
    if let Some(moves) = (0..50).map(random_game).max_by_key(Vec::len) {
        games.push(Sample { name: "a long game", start: start.to_owned(), moves });
    }
    games
}

/// Returns the start, the same with queens in place of all pieces but the kings, with and without
/// pawns, and three positions of a long game.
fn four_player(rules: fourfold_four_player::Rules) -> Vec<Sample> {
    use fourfold_four_player::{History, MoveList, Position, StartPosition};
    let first = Position::start(StartPosition::Modern, rules);
    let start = first.fen4();
    let sample = |name, start: &str| Sample { name, start: start.to_owned(), moves: Vec::new() };
    let mut games = vec![sample("the start", &start)];
    if let Some((head, pieces)) = start.rsplit_once('-') {
        let head = head.replace("1,1,1,1", "0,0,0,0");
        let queens = format!("{head}-{}", pieces.replace(['R', 'N', 'B'], "Q"));
        games.push(sample("60 queens behind pawns", &queens));
        let open =
            ["rP", "bP", "yP", "gP"].iter().fold(queens, |pieces, pawn| pieces.replace(pawn, "1"));
        games.push(sample("60 queens without pawns", &open));
    }
    // The moves of a random game, without the last one, so that the game is still in progress.
    let random_game = |seed| {
        let (mut position, mut history) = (first, History::new(&first));
        let (mut rng, mut codes, mut list) = (SplitMix64::new(seed), Vec::new(), MoveList::new());
        while position.ending().is_none() && codes.len() < 2000 {
            position.legal_moves_into(&mut list);
            let Some(index) = rng.next().checked_rem(list.len() as u64) else { break };
            let mv = list[index as usize];
            codes.push(mv.to_string());
            if history.play(&mut position, mv).is_err() {
                break;
            }
        }
        codes.pop();
        codes
    };
    // The longest of several games.
    if let Some(codes) = (0..20).map(random_game).max_by_key(Vec::len) {
        for (name, part) in [("an early game", 2), ("the middle of a game", 5), ("a long game", 10)]
        {
            let moves = codes[..codes.len() * part / 10].to_vec();
            games.push(Sample { name, start: start.clone(), moves });
        }
    }
    games
}

/// Returns the start, the middle, the position with the most placements, and a late one.
fn blokus(variant: fourfold_blokus::Variant) -> Vec<Sample> {
    use fourfold_blokus::{Position, random_walk};
    let walk: Vec<Position> = random_walk(Position::start(variant), 1).collect();
    let widest = walk.iter().max_by_key(|position| position.count_legal());
    let sample =
        |name, position: &Position| Sample { name, start: position.to_string(), moves: Vec::new() };
    let mut games =
        vec![sample("the start", &walk[0]), sample("the middle", &walk[walk.len() / 2])];
    games.extend(widest.map(|position| sample("most placements", position)));
    games.push(sample("late", &walk[walk.len() * 9 / 10]));
    games
}
