//! `fourfold uci --game four-player-teams`: our bots for four-player chess, in the dialect of UCI that the
//! engine 4pchess speaks.

use std::io::BufRead;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Instant;

use anyhow::Context;
use fourfold_bots::uci::four_player::{from_dialect, to_dialect};
use fourfold_bots::{BotMove, Budget, Level, Rules, Score, Situation};
use fourfold_common::{join, quote_short};
use fourfold_four_player::{self as four_player, History, Mode, Player, Position, StartPosition};

use super::clock::{SearchControl, TimeBudget, time_budget};
use super::command::{self, Command, Limits};
use super::{send, send_error};

/// The score of a mate in this dialect.
const MATE: i32 = 100_000_000;

/// Serves a game of four-player chess by its id.
pub(super) fn run(id: &'static str) -> anyhow::Result<ExitCode> {
    let mut server = Server::new(id)?;
    for line in std::io::stdin().lock().split(b'\n') {
        let line = line?;
        let line = String::from_utf8_lossy(&line);
        if line.trim() == "get_num_legal_moves" {
            let count = server.game.position.legal_moves().len();
            send(&format!("info string n_legal {count}"))?;
            continue;
        }
        match command::parse(&line) {
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

struct Server {
    id: &'static str,
    rules: four_player::Rules,
    levels: &'static [Level],
    level: &'static Level,
    game: Game,
    running: Option<(Arc<SearchControl>, JoinHandle<std::io::Result<()>>)>,
}

/// A start position, the moves played from it, and the position that they led to.
#[derive(Clone)]
struct Game {
    start: String,
    moves: Vec<String>,
    position: Position,
}

impl Game {
    fn read(
        fen: Option<&str>,
        moves: &[String],
        rules: four_player::Rules,
    ) -> Result<Game, String> {
        let mut position = match fen {
            Some(fen) => {
                Position::from_fen4_lenient(fen, rules).map_err(|error| error.to_string())?
            }
            None => Position::start(StartPosition::Modern, rules),
        };
        let start = position.fen4();
        let mut history = History::new(&position);
        let mut codes = Vec::new();
        for code in moves {
            let mv = position.parse_move(&from_dialect(code)).map_err(|error| error.to_string())?;
            history.play(&mut position, mv).map_err(|error| error.to_string())?;
            codes.push(mv.to_string());
        }
        Ok(Game { start, moves: codes, position })
    }
}

impl Server {
    fn new(id: &'static str) -> anyhow::Result<Server> {
        let Some(Rules::FourPlayer(rules)) = Rules::of(id) else {
            anyhow::bail!("{id} is not four-player chess");
        };
        let levels = Rules::FourPlayer(rules).levels();
        let level = levels.last().context("the game has no levels")?;
        let game = Game::read(None, &[], rules).map_err(anyhow::Error::msg)?;
        Ok(Server { id, rules, levels, level, game, running: None })
    }

    fn handle(&mut self, command: Command) -> anyhow::Result<()> {
        match command {
            Command::Uci => self.send_identity()?,
            Command::IsReady => send("readyok")?,
            Command::NewGame => {
                self.stop_search()?;
                self.game = Game::read(None, &[], self.rules).map_err(anyhow::Error::msg)?;
            }
            Command::Position { fen, moves } => {
                self.stop_search()?;
                match Game::read(fen.as_deref(), &moves, self.rules) {
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
        send("option name Threads type spin default 1 min 1 max 1")?;
        let known: String = self.levels.iter().map(|level| format!(" var {}", level.id)).collect();
        send(&format!("option name Level type combo default {}{known}", self.level.id))?;
        send("uciok")
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        match &name.to_ascii_lowercase()[..] {
            "threads" if value == "1" => {}
            "threads" => return Err(format!("expected {name} 1, got '{}'", quote_short(value))),
            "level" => {
                let found = self.levels.iter().find(|level| level.id == value);
                self.level = found.ok_or_else(|| {
                    let known = join(self.levels.iter().map(|level| level.id), ", ");
                    format!("unknown level '{}': expected one of {known}", quote_short(value))
                })?;
            }
            _ => return Err(format!("unknown option '{}'", quote_short(name))),
        }
        Ok(())
    }

    /// Starts a search. The answer is written by another thread.
    fn go(&mut self, limits: Limits) -> std::io::Result<()> {
        let game = self.game.clone();
        if let Some(ending) = game.position.ending() {
            let won = |player| game.position.winners().contains(player);
            let result = match (self.rules.mode, won(Player::Red), won(Player::Blue)) {
                (Mode::Teams, true, _) => "RY won".to_owned(),
                (Mode::Teams, _, true) => "BG won".to_owned(),
                _ => ending.to_string(),
            };
            return send(&format!("info string Game completed. {result}."));
        }
        for (given, what) in [
            (limits.depth.is_some(), "depth"),
            (limits.mate.is_some(), "mate"),
            (!limits.search_moves.is_empty(), "searchmoves"),
        ] {
            if given {
                send_error(&format!("'go {what}' is ignored: expected movetime, nodes or clocks"))?;
            }
        }
        let held = limits.infinite || limits.ponder;
        let TimeBudget { soft, hard } = time_budget(&limits, game.position.turn() as usize);
        // The bots report only at the end, so the time to begin no further iteration is the limit.
        let hard = soft.or(hard);
        let nodes = match limits.nodes {
            Some(nodes) => nodes,
            None if held || hard.is_some() => u64::MAX,
            None => self.level.nodes,
        };
        let control = Arc::new(SearchControl::new(TimeBudget { soft: None, hard }, held));
        let (id, level, shared) = (self.id, self.level, Arc::clone(&control));
        let thread = std::thread::spawn(move || {
            std::thread::scope(|scope| {
                scope.spawn(|| shared.watch());
                answer(&game, id, level, nodes, &shared)
            })
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
            Ok(answered) => answered?,
            Err(_) => send_error("the engine crashed")?,
        }
        Ok(())
    }
}

/// Searches and writes the answer.
fn answer(
    game: &Game,
    id: &str,
    level: &Level,
    nodes: u64,
    control: &SearchControl,
) -> std::io::Result<()> {
    let began = Instant::now();
    let situation = Situation { start: &game.start, moves: &game.moves };
    let budget = Budget::nodes(nodes).with_stop(&control.stop);
    // The seed depends on the position only, so the same position gets the same answer.
    let bot = fourfold_bots::make(id, level.id, game.position.key());
    let thought = bot.map(|mut bot| bot.think(&situation, budget));
    control.finish();
    match thought {
        Some(Ok(thought)) => {
            send_report(&thought, began)?;
            send(&format!("bestmove {}", to_dialect(&thought.code)))
        }
        Some(Err(error)) => send_error(&error.to_string()),
        None => send_error("the level has no bot"),
    }
}

/// Sends the best line, if there is one.
fn send_report(thought: &BotMove, began: Instant) -> std::io::Result<()> {
    let Some(line) = thought.lines.first() else { return Ok(()) };
    let time = began.elapsed();
    let speed = (thought.nodes as f64 / time.as_secs_f64().max(1e-6)) as u64;
    let score = match line.score {
        Score::Points(points) => format!(" score {points}"),
        Score::Mate(moves) => format!(" score {}", moves.signum() * MATE),
        Score::WinningChances(_) => String::new(),
    };
    let codes = join(line.codes.iter().map(|code| to_dialect(code)), " ");
    let (depth, nodes) = (thought.depth, thought.nodes);
    send(&format!(
        "info depth {depth} time {} nodes {nodes} pv {codes}{score} nps {speed}",
        time.as_millis()
    ))
}
