//! `fourfold gtp`: our Blokus bots for programs that speak the Go Text Protocol as Pentobi does.

use std::io::{BufRead, Write};
use std::process::ExitCode;

use anyhow::{Context, ensure};
use clap::Args;
use fourfold_blokus::{Color, Position, Variant, sgf};
use fourfold_bots::{Budget, Level, Rules, Situation};
use fourfold_common::{join, quote_short};

/// Run a Blokus engine that speaks the Go Text Protocol (GTP) as Pentobi does.
///
/// Moves are lists of cells such as `e8,e9,e10`, colors are `B` and `W` with two colors and otherwise
/// `1` to `4`. `list_commands` lists the commands.
#[derive(Args)]
#[command(after_help = "\
Example:
  printf 'genmove b\\nshowboard\\n' | fourfold gtp --level greedy")]
pub(crate) struct Arguments {
    /// The variant, also set by `set_game`: `Blokus`, `Blokus Two-Player`, `Blokus Three-Player`,
    /// `Blokus Duo`, or one of ours such as `duo`.
    #[arg(long, default_value = "Blokus Duo", value_name = "NAME")]
    game: String,
    /// The level that chooses moves.
    #[arg(long, default_value = "master")]
    level: String,
    /// How much the level may search for a move, instead of its own budget.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// The seed of the bot, also set by `set_random_seed`.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

const COMMANDS: [&str; 18] = [
    "all_legal",
    "clear_board",
    "final_score",
    "g",
    "genmove",
    "known_command",
    "list_commands",
    "name",
    "p",
    "play",
    "protocol_version",
    "quit",
    "reg_genmove",
    "set_game",
    "set_random_seed",
    "showboard",
    "undo",
    "version",
];

/// The squares of all pieces of a color.
const SQUARES: i32 = 89;

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut engine = Engine::new(arguments)?;
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().split(b'\n') {
        let line = String::from_utf8_lossy(&line?).replace(char::is_control, " ");
        let line = line.split('#').next().unwrap_or_default().trim();
        let (first, after) = line.split_once(' ').unwrap_or((line, ""));
        // A number before a command is repeated in its answer.
        let is_id = !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_digit());
        let (id, words) = if is_id { (first, after.trim()) } else { ("", line) };
        let (command, rest) = words.split_once(' ').unwrap_or((words, ""));
        if command.is_empty() {
            continue;
        }
        match engine.answer(command, rest.trim()) {
            Ok(text) => write!(out, "={id} {}\n\n", text.trim_end())?,
            Err(error) => write!(out, "?{id} {error:#}\n\n")?,
        }
        out.flush()?;
        if command == "quit" {
            break;
        }
    }
    Ok(ExitCode::SUCCESS)
}

struct Engine {
    level: String,
    nodes: Option<u64>,
    seed: u64,
    /// The positions of the game, and the moves between them.
    positions: Vec<Position>,
    moves: Vec<String>,
}

impl Engine {
    fn new(arguments: &Arguments) -> anyhow::Result<Engine> {
        let &Arguments { ref game, ref level, nodes, seed } = arguments;
        let positions = vec![Position::start(variant(game)?)];
        let engine = Engine { level: level.clone(), nodes, seed, positions, moves: Vec::new() };
        engine.level()?;
        Ok(engine)
    }

    /// Returns the answer to a command.
    fn answer(&mut self, command: &str, rest: &str) -> anyhow::Result<String> {
        let mut words = rest.splitn(2, ' ').map(str::trim);
        let mut word = |what| {
            let word = words.next().filter(|word| !word.is_empty());
            word.with_context(|| format!("expected {what} after {command}"))
        };
        match command {
            "protocol_version" => return Ok("2".to_owned()),
            "name" => return Ok("Fourfold".to_owned()),
            "version" => return Ok(env!("CARGO_PKG_VERSION").to_owned()),
            "known_command" => return Ok(COMMANDS.contains(&word("a command")?).to_string()),
            "list_commands" => return Ok(join(COMMANDS, "\n")),
            "set_game" => {
                let start = Position::start(variant(rest)?);
                (self.positions, self.moves) = (vec![start], Vec::new());
                self.level()?;
            }
            "clear_board" => {
                self.positions.truncate(1);
                self.moves.clear();
            }
            "set_random_seed" => {
                let number = word("a number")?;
                let wrong = || format!("expected a number, got '{}'", quote_short(number));
                self.seed = number.parse().with_context(wrong)?;
            }
            "play" => {
                let color = self.color(word("a color")?)?;
                self.play(color, word("a move")?)?;
            }
            "p" => self.play(self.turn()?, word("a move")?)?,
            "undo" => {
                ensure!(self.moves.pop().is_some(), "there is no move to undo");
                self.positions.pop();
            }
            "genmove" | "reg_genmove" | "g" => {
                let color =
                    if command == "g" { self.turn()? } else { self.color(word("a color")?)? };
                let code = self.choose(color)?;
                if command != "reg_genmove" && code != "pass" {
                    self.play(color, &code)?;
                }
                return Ok(code);
            }
            "all_legal" => {
                let color = self.color(word("a color")?)?;
                let size = self.position().variant().size();
                let legal = self.position().legal_moves_of(color);
                return Ok(join(legal.iter().map(|placement| placement.to_text(size)), "\n"));
            }
            "showboard" => return Ok(format!("\n{}", self.position())),
            "final_score" => return Ok(self.score()),
            "quit" => {}
            _ => anyhow::bail!(
                "unknown command '{}': expected one of {}",
                quote_short(command),
                join(COMMANDS, ", ")
            ),
        }
        Ok(String::new())
    }

    fn position(&self) -> &Position {
        // There is always the start position.
        &self.positions[self.positions.len() - 1]
    }

    fn turn(&self) -> anyhow::Result<Color> {
        self.position().turn().context("the game is over")
    }

    fn color(&self, name: &str) -> anyhow::Result<Color> {
        let variant = self.position().variant();
        sgf::color(variant, name).with_context(|| {
            let known = variant.colors().map(|color| sgf::color_name(variant, color));
            format!("unknown color '{}': expected one of {}", quote_short(name), join(known, ", "))
        })
    }

    fn level(&self) -> anyhow::Result<(&'static Level, Rules)> {
        let rules = Rules::Blokus(self.positions[0].variant());
        let levels = rules.levels();
        let level = levels.iter().find(|level| level.id == self.level).with_context(|| {
            let known = join(levels.iter().map(|level| level.id), ", ");
            format!("unknown level '{}': expected one of {known}", quote_short(&self.level))
        })?;
        Ok((level, rules))
    }

    /// Plays a move. Colors without a placement are skipped, so a pass changes nothing.
    fn play(&mut self, color: Color, code: &str) -> anyhow::Result<()> {
        let code = code.to_ascii_lowercase();
        let variant = self.position().variant();
        if code == "pass" {
            let can = self.position().has_legal_move(color);
            ensure!(!can, "{} has a move", sgf::color_name(variant, color));
            return Ok(());
        }
        let turn = self.turn()?;
        let expected = sgf::color_name(variant, turn);
        ensure!(color == turn, "it is the turn of {expected}");
        let placement = self.position().parse_move(&code)?;
        self.positions.push(self.position().after(placement));
        self.moves.push(placement.to_text(variant.size()));
        Ok(())
    }

    fn choose(&self, color: Color) -> anyhow::Result<String> {
        if self.position().turn() != Some(color) {
            let can = self.position().has_legal_move(color);
            ensure!(!can, "it is the turn of another color");
            return Ok("pass".to_owned());
        }
        let (level, rules) = self.level()?;
        let mut bot = rules.make(level.id, self.seed).context("the level has no bot")?;
        let start = self.positions[0].to_string();
        let situation = Situation { start: &start, moves: &self.moves };
        let budget = Budget::nodes(self.nodes.unwrap_or(level.nodes));
        Ok(bot.think(&situation, budget)?.code)
    }

    /// Returns `B+7`, `W+7` or `0` with two players, otherwise the points of all players.
    fn score(&self) -> String {
        let scores = self.position().player_scores();
        match scores[..] {
            [first, second] if first > second => format!("B+{}", first - second),
            [first, second] if first < second => format!("W+{}", second - first),
            [_, _] => "0".to_owned(),
            // Other programs count the squares on the board, not those that are left.
            _ => join(scores.iter().map(|score| score + SQUARES), " "),
        }
    }
}

fn variant(name: &str) -> anyhow::Result<Variant> {
    let expected = "Blokus, Blokus Two-Player, Blokus Three-Player or Blokus Duo";
    sgf::variant(name)
        .with_context(|| format!("unknown game '{}': expected {expected}", quote_short(name)))
}
