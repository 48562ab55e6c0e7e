//! `fourfold uci`: our engines for chess and four-player chess, for programs that speak UCI.

mod clock;
mod command;
mod four_player;

use std::io::{BufRead, Write};
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Instant;

use clap::Args;
use clap::builder::PossibleValuesParser;
use fourfold_bots::chess::{Engine, Report, Task, Variation};
use fourfold_bots::{BotMove, Budget, Level, Line, Score, Situation};
use fourfold_chess::{History, Move, Position, Variant};
use fourfold_table::quote_short;

use clock::{SearchControl, time_budget};
use command::{Command, Limits};

/// Run an engine that speaks UCI, for chess GUIs, matches and servers.
///
/// Options for chess: `Hash` in MiB, `MultiPV`, `UCI_Chess960`, and `Level` to play like one of the
/// bots. Four-player chess is played in the dialect of the engine 4pchess: positions are FEN4s, moves are
/// written `h2-h4`, and the clocks are `rtime`, `btime`, `ytime` and `gtime`. It has the option `Level`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  printf 'position startpos moves e2e4\\ngo depth 8\\n' | fourfold uci
  printf 'position startpos moves h2-h4\\ngo nodes 5000\\n' | fourfold uci --game four-player-teams")]
pub(crate) struct Arguments {
    /// The game. UCI_Chess960 makes chess Chess960.
    #[arg(long, default_value = GAMES[0], value_parser = PossibleValuesParser::new(GAMES))]
    game: String,
}

const GAMES: [&str; 3] = ["chess", "four-player", "four-player-teams"];

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// The level that is not one of the bots: the engine at full strength.
const FULL: &str = "full";
const MAX_HASH_MIB: usize = 4096;

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if let Some(id) = GAMES[1..].iter().find(|id| **id == arguments.game) {
        return four_player::run(id);
    }
    let mut server = Server::new()?;
    for line in std::io::stdin().lock().split(b'\n') {
        let line = line?;
        match command::parse(&String::from_utf8_lossy(&line)) {
            Ok(Command::Quit) => {
                server.stop_search()?;
                return Ok(ExitCode::SUCCESS);
            }
            Ok(command) => server.handle(command)?,
            Err(error) => send_error(&error)?,
        }
    }
    // When the input is closed, the last search still has to be answered.
    server.wait()?;
    Ok(ExitCode::SUCCESS)
}

/// Writes a line and flushes it.
fn send(line: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}

fn send_error(error: &str) -> std::io::Result<()> {
    send(&format!("info string {}", error.replace(char::is_control, " ")))
}

/// The settings, and the engine while it is not searching.
struct Server {
    engine: Option<Engine>,
    hash: usize,
    lines: usize,
    variant: Variant,
    level: Option<&'static Level>,
    game: Game,
    running: Option<RunningSearch>,
}

type RunningSearch = (Arc<SearchControl>, JoinHandle<std::io::Result<Engine>>);

/// A position and the moves that led to it.
#[derive(Clone)]
struct Game {
    start: String,
    moves: Vec<String>,
    position: Position,
    history: History,
}

impl Game {
    fn read(start: &str, moves: &[String], variant: Variant) -> Result<Game, String> {
        // Some programs leave out the move counters.
        let mut position = Position::from_fen_in(start, variant)
            .or_else(|_| Position::from_fen_lenient(start, variant))
            .map_err(|error| error.to_string())?;
        let mut history = History::new(&position);
        for code in moves {
            let mv = position.parse_uci(code).map_err(|error| error.to_string())?;
            position.play_unchecked(mv);
            history.push(&position);
        }
        Ok(Game { start: start.to_owned(), moves: moves.to_vec(), position, history })
    }
}

impl Server {
    fn new() -> anyhow::Result<Server> {
        let variant = Variant::Standard;
        let game = Game::read(START, &[], variant).map_err(anyhow::Error::msg)?;
        Ok(Server { engine: None, hash: 16, lines: 1, variant, level: None, game, running: None })
    }

    fn handle(&mut self, command: Command) -> anyhow::Result<()> {
        match command {
            Command::Uci => self.send_identity()?,
            Command::IsReady => send("readyok")?,
            Command::NewGame => {
                self.stop_search()?;
                if let Some(engine) = &mut self.engine {
                    engine.clear();
                }
            }
            Command::Position { fen, moves } => {
                self.stop_search()?;
                let start = fen.as_deref().unwrap_or(START);
                match Game::read(start, &moves, self.variant) {
                    Ok(game) => self.game = game,
                    Err(error) => send_error(&error)?,
                }
            }
            Command::SetOption { name, value } => {
                self.stop_search()?;
                if let Err(error) = self.set(&name, &value) {
                    send_error(&error)?;
                }
            }
            Command::Go(limits) => {
                self.stop_search()?;
                self.go(limits)?;
            }
            Command::Stop => self.stop_search()?,
            Command::PonderHit => {
                if let Some((control, _)) = &self.running {
                    control.ponder_hit();
                }
            }
            Command::Quit | Command::Nothing => {}
        }
        Ok(())
    }

    fn send_identity(&self) -> std::io::Result<()> {
        send(concat!("id name Fourfold ", env!("CARGO_PKG_VERSION")))?;
        send("id author the Fourfold authors")?;
        send(&format!("option name Hash type spin default 16 min 1 max {MAX_HASH_MIB}"))?;
        send("option name Threads type spin default 1 min 1 max 1")?;
        send("option name MultiPV type spin default 1 min 1 max 218")?;
        send("option name Ponder type check default false")?;
        send("option name UCI_Chess960 type check default false")?;
        let levels = fourfold_bots::levels("chess").iter();
        let levels: String = levels.map(|level| format!(" var {}", level.id)).collect();
        send(&format!("option name Level type combo default {FULL} var {FULL}{levels}"))?;
        send("uciok")
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let number = |least: usize, most: usize| {
            let number = value.parse().ok().filter(|number| (least..=most).contains(number));
            number.ok_or_else(|| {
                format!("expected {name} from {least} to {most}, got '{}'", quote_short(value))
            })
        };
        match &name.to_ascii_lowercase()[..] {
            "hash" => {
                self.hash = number(1, MAX_HASH_MIB)?;
                self.engine = None;
            }
            "threads" => drop(number(1, 1)?),
            "multipv" => self.lines = number(1, 218)?,
            "ponder" => {}
            "uci_chess960" => {
                self.variant = match value {
                    "true" => Variant::Chess960,
                    "false" => Variant::Standard,
                    _ => {
                        return Err(format!(
                            "expected {name} to be true or false, got '{}'",
                            quote_short(value)
                        ));
                    }
                };
            }
            "level" if value == FULL => self.level = None,
            "level" => {
                let mut levels = fourfold_bots::levels("chess").iter();
                let found = levels.find(|level| level.id == value);
                self.level =
                    Some(found.ok_or_else(|| format!("unknown level '{}'", quote_short(value)))?);
            }
            _ => return Err(format!("unknown option '{}'", quote_short(name))),
        }
        Ok(())
    }

    /// Starts a search. The answer is written by another thread.
    fn go(&mut self, limits: Limits) -> std::io::Result<()> {
        let game = self.game.clone();
        let mut choices: Vec<Move> = Vec::new();
        for code in &limits.search_moves {
            match game.position.parse_uci(code) {
                Ok(mv) => choices.push(mv),
                Err(error) => send_error(&error.to_string())?,
            }
        }
        let held = limits.infinite || limits.ponder;
        let time = time_budget(&limits, game.position.turn() as usize);
        let control = Arc::new(SearchControl::new(time, held));
        let engine = self.engine.take();
        let mut engine = engine.unwrap_or_else(|| Engine::new(self.hash << 20));
        let (lines, level) = (self.lines, self.level);
        let shared = Arc::clone(&control);
        let thread = std::thread::spawn(move || {
            let job =
                Job { game: &game, limits: &limits, choices: &choices, lines, control: &shared };
            std::thread::scope(|scope| {
                scope.spawn(|| shared.watch());
                match level {
                    None => job.think(&mut engine),
                    Some(level) => job.play(level),
                }
            })?;
            Ok(engine)
        });
        self.running = Some((control, thread));
        Ok(())
    }

    /// Stops the search and waits for its answer.
    fn stop_search(&mut self) -> anyhow::Result<()> {
        if let Some((control, _)) = &self.running {
            control.stop();
        }
        self.wait()
    }

    /// Waits for the answer. A held search is stopped first, because its answer would never come.
    fn wait(&mut self) -> anyhow::Result<()> {
        let Some((control, thread)) = self.running.take() else { return Ok(()) };
        if control.is_held() {
            control.stop();
        }
        match thread.join() {
            Ok(engine) => self.engine = Some(engine?),
            Err(_) => send_error("the engine crashed")?,
        }
        Ok(())
    }
}

/// A search and its limits.
struct Job<'a> {
    game: &'a Game,
    limits: &'a Limits,
    choices: &'a [Move],
    lines: usize,
    control: &'a SearchControl,
}

impl Job<'_> {
    fn budget(&self, nodes: u64) -> Budget<'_> {
        let nodes = self.limits.nodes.unwrap_or(nodes);
        Budget { lines: self.lines, ..Budget::nodes(nodes).with_stop(&self.control.stop) }
    }

    /// Searches at full strength, and reports after each iteration.
    fn think(&self, engine: &mut Engine) -> std::io::Result<()> {
        let began = Instant::now();
        let mut task = Task::new(self.budget(u64::MAX));
        task.choices = self.choices;
        let mated = self.limits.mate.map(|moves| moves.saturating_mul(2));
        let depth = [self.limits.depth, mated].into_iter().flatten().min();
        task.depth = depth.map_or(task.depth, |depth| depth.clamp(1, task.depth));
        let Game { position, history, .. } = self.game;
        let answer = engine.think(position, history, &task, |report| {
            // If the output is closed, stop here; writing the answer will return the error.
            let line = self.send_report(report, began);
            match line.is_err() || self.control.is_late() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        self.control.finish();
        send_answer(&self.codes(answer.lines.first().map_or(&[], |line| &line.moves)))
    }

    /// Plays like a bot of some level.
    fn play(&self, level: &Level) -> std::io::Result<()> {
        let began = Instant::now();
        let name = match self.game.position.variant() {
            Variant::Standard => "chess",
            Variant::Chess960 => "chess960",
        };
        let Game { start, moves, position, .. } = self.game;
        // The seed depends on the position only, so the same position gets the same answer.
        let bot = fourfold_bots::make(name, level.id, position.key());
        let thought =
            bot.map(|mut bot| bot.think(&Situation { start, moves }, self.budget(level.nodes)));
        self.control.finish();
        match thought {
            Some(Ok(BotMove { code, depth, nodes, lines, .. })) => {
                send_lines(&lines, [depth, depth], nodes, 0, began)?;
                send_answer(&[code])
            }
            Some(Err(error)) => {
                send_error(&error.to_string())?;
                send_answer(&[])
            }
            None => send_answer(&[]),
        }
    }

    fn send_report(&self, report: &Report, began: Instant) -> std::io::Result<()> {
        let line = |line: &Variation| Line { score: line.score(), codes: self.codes(&line.moves) };
        let lines: Vec<Line> = report.lines.iter().map(line).collect();
        send_lines(&lines, [report.depth, report.deepest], report.nodes, report.full, began)
    }

    fn codes(&self, moves: &[Move]) -> Vec<String> {
        moves.iter().map(|&mv| mv.uci(self.game.position.variant())).collect()
    }
}

fn send_answer(codes: &[String]) -> std::io::Result<()> {
    match codes {
        [] => send("bestmove (none)"),
        [best] => send(&format!("bestmove {best}")),
        [best, reply, ..] => send(&format!("bestmove {best} ponder {reply}")),
    }
}

/// Sends an `info` line for each variation. `full` is the used part of the hash table in
/// thousandths.
fn send_lines(
    lines: &[Line],
    [depth, deepest]: [u32; 2],
    nodes: u64,
    full: usize,
    began: Instant,
) -> std::io::Result<()> {
    let time = began.elapsed();
    let speed = (nodes as f64 / time.as_secs_f64().max(1e-6)) as u64;
    let effort = format!("nodes {nodes} nps {speed} hashfull {full} time {}", time.as_millis());
    for (index, Line { score, codes }) in (1..).zip(lines) {
        let score = match score {
            Score::Mate(moves) => format!(" score mate {moves}"),
            Score::Points(points) => format!(" score cp {points}"),
            Score::WinningChances(_) => String::new(),
        };
        let found = format!("depth {depth} seldepth {deepest} multipv {index}{score}");
        send(&format!("info {found} {effort} pv {}", codes.join(" ")))?;
    }
    Ok(())
}
