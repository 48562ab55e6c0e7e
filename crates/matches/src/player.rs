//! The players of a match: levels of our own bots, models, and UCI engines.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, anyhow, bail, ensure};
use fourfold_bots::{Bot, EngineError, gtp, uci};
use fourfold_learned::{LEARNED, Model};

use crate::clock::Clock;

/// The game that UCI engines play in the dialect of 4pchess.
const TEAMS: &str = "four-player-teams";

/// How many positions a model evaluates for a move, unless the player says otherwise.
const MODEL_NODES: u64 = 128;

/// A player as given on the command line: `master`, `expert@20000`, `learned:FOLDER`, `learned:FOLDER@400`,
/// `uci:PATH?option=value&option=value` or `gtp:COMMAND`.
#[derive(Clone, Debug)]
pub(crate) enum Player {
    /// One of our levels, with its node budget per move.
    Level { id: String, nodes: u64 },
    /// A network trained by `fourfold.train`, with its node budget per move.
    Model { model: Model, nodes: u64 },
    /// A UCI engine.
    Uci { path: String, options: Vec<(String, String)> },
    /// A program that speaks GTP. It decides by itself how long it thinks.
    Gtp { command: String },
}

impl Player {
    /// Parses a player for a game.
    pub(crate) fn parse(text: &str, game: &str) -> anyhow::Result<Player> {
        if let Some(rest) = text.strip_prefix("uci:") {
            let can_play = is_chess(game) || game == TEAMS;
            ensure!(can_play, "UCI engines can only play chess and {TEAMS}, not {game}");
            let (path, options) = rest.split_once('?').unwrap_or((rest, ""));
            ensure!(!path.is_empty(), "expected uci:COMMAND, got '{text}'");
            let pairs = options.split('&').filter(|pair| !pair.is_empty());
            let options = pairs
                .map(|pair| {
                    let (name, value) = pair
                        .split_once('=')
                        .ok_or_else(|| anyhow!("expected NAME=VALUE in '{text}', got '{pair}'"))?;
                    Ok((name.to_owned(), value.to_owned()))
                })
                .collect::<anyhow::Result<_>>()?;
            return Ok(Player::Uci { path: path.to_owned(), options });
        }
        if let Some(command) = text.strip_prefix("gtp:") {
            ensure!(gtp::can_play(game), "GTP engines can only play Blokus, not {game}");
            ensure!(!command.trim().is_empty(), "expected gtp:COMMAND, got '{text}'");
            return Ok(Player::Gtp { command: command.to_owned() });
        }
        if let Some(rest) = text.strip_prefix("learned:") {
            // A folder whose name contains the separator is tried first.
            let (folder, nodes) = match Path::new(rest).is_dir() {
                true => (rest, None),
                false => split_nodes(rest, text)?,
            };
            ensure!(!folder.is_empty(), "expected learned:FOLDER, got '{text}'");
            let model = Model::load(Path::new(folder))?;
            let own = model.game();
            ensure!(own == game, "'{text}' is a model for {own}, not {game}");
            return Ok(Player::Model { model, nodes: nodes.unwrap_or(MODEL_NODES) });
        }
        let (id, nodes) = split_nodes(text, text)?;
        let levels = fourfold_learned::levels(game);
        let games = || fourfold_bots::games().collect::<Vec<_>>().join(", ");
        ensure!(!levels.is_empty(), "{game} has no bots: expected one of {}", games());
        let Some(level) = levels.iter().find(|level| level.id == id) else {
            let known: Vec<&str> = levels.iter().map(|level| level.id).collect();
            bail!("unknown level '{id}' of {game}: expected one of {}", known.join(", "));
        };
        Ok(Player::Level { id: id.to_owned(), nodes: nodes.unwrap_or(level.nodes) })
    }

    /// Returns the node budget of the player's level or model.
    pub(crate) fn nodes(&self) -> Option<u64> {
        match self {
            Player::Level { nodes, .. } | Player::Model { nodes, .. } => Some(*nodes),
            Player::Uci { .. } => None,
            // It is not told.
            Player::Gtp { .. } => Some(1),
        }
    }

    /// Returns the model that the player plays with, if it is one for this game.
    pub(crate) fn model(&self, game: &str) -> Option<&Model> {
        match self {
            Player::Level { id, .. } if id == LEARNED => fourfold_learned::shipped(game),
            Player::Model { model, .. } => Some(model),
            Player::Level { .. } | Player::Uci { .. } | Player::Gtp { .. } => None,
        }
    }
}

/// Splits off the node count after `@`.
fn split_nodes<'a>(text: &'a str, whole: &str) -> anyhow::Result<(&'a str, Option<u64>)> {
    let Some((id, nodes)) = text.rsplit_once('@') else { return Ok((text, None)) };
    let expected = || format!("expected a node count after '@' in '{whole}'");
    Ok((id, Some(nodes.replace('_', "").parse().with_context(expected)?)))
}

/// Returns whether the game is one that UCI engines for chess can play.
fn is_chess(game: &str) -> bool {
    matches!(game, "chess" | "chess960")
}

/// The time per move, and how it is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TimeLimits {
    pub(crate) movetime: Option<Duration>,
    /// Whether CPU time is counted.
    pub(crate) cputime: bool,
}

/// A program that plays.
trait Engine: Bot {
    /// Prepares the program for a new game.
    fn new_game(&mut self, limits: TimeLimits) -> Result<(), EngineError>;

    /// Returns the id of its process.
    fn process(&self) -> u32;
}

impl Engine for uci::Engine {
    fn new_game(&mut self, limits: TimeLimits) -> Result<(), EngineError> {
        self.set_movetime(limits.movetime);
        self.set_cputime(limits.cputime);
        uci::Engine::new_game(self)
    }

    fn process(&self) -> u32 {
        uci::Engine::process(self)
    }
}

impl Engine for uci::four_player::Engine {
    fn new_game(&mut self, limits: TimeLimits) -> Result<(), EngineError> {
        self.set_movetime(limits.movetime);
        self.set_cputime(limits.cputime);
        uci::four_player::Engine::new_game(self)
    }

    fn process(&self) -> u32 {
        uci::four_player::Engine::process(self)
    }
}

impl Engine for gtp::Engine {
    fn new_game(&mut self, _: TimeLimits) -> Result<(), EngineError> {
        gtp::Engine::new_game(self)
    }

    fn process(&self) -> u32 {
        gtp::Engine::process(self)
    }
}

/// A player during a match. Keeps its engine running from game to game.
pub(crate) struct MatchPlayer<'a> {
    player: &'a Player,
    game: &'a str,
    limits: TimeLimits,
    engine: Option<Box<dyn Engine>>,
    bot: Option<Box<dyn Bot>>,
}

impl<'a> MatchPlayer<'a> {
    pub(crate) fn new(player: &'a Player, game: &'a str, limits: TimeLimits) -> MatchPlayer<'a> {
        MatchPlayer { player, game, limits, engine: None, bot: None }
    }

    /// Returns the bot for a new game, and the clock that measures its time. The seed is that of the game.
    pub(crate) fn bot(&mut self, seed: u64) -> anyhow::Result<(&mut dyn Bot, Clock)> {
        let cputime = self.limits.cputime;
        let bot = match self.player {
            Player::Level { id, .. } => {
                let bot = fourfold_learned::make(self.game, id, seed);
                bot.ok_or_else(|| anyhow!("unknown level '{id}'"))?
            }
            Player::Model { model, .. } => model.bot(seed),
            Player::Uci { .. } | Player::Gtp { .. } => {
                let engine = match self.engine.take() {
                    Some(engine) => engine,
                    None => self.start()?,
                };
                let engine = self.engine.insert(engine).as_mut();
                engine.new_game(self.limits)?;
                let clock = if cputime { Clock::Process(engine.process()) } else { Clock::Wall };
                return Ok((engine, clock));
            }
        };
        let clock = if cputime { Clock::Thread } else { Clock::Wall };
        Ok((self.bot.insert(bot).as_mut(), clock))
    }

    /// Starts the player's program.
    fn start(&self) -> anyhow::Result<Box<dyn Engine>> {
        Ok(match self.player {
            Player::Uci { path, options } if self.game == TEAMS => {
                Box::new(uci::four_player::Engine::start(path, options)?)
            }
            Player::Uci { path, options } => {
                Box::new(uci::Engine::start(path, options, self.game == "chess960")?)
            }
            Player::Gtp { command } => Box::new(gtp::Engine::start(command, self.game)?),
            Player::Level { .. } | Player::Model { .. } => bail!("the player is not a program"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_parsed() {
        let parse = |text| Player::parse(text, "chess");
        let level = |text| match parse(text).expect("a level") {
            Player::Level { id, nodes } => (id, nodes),
            other => panic!("expected a level, got {other:?}"),
        };
        assert_eq!(level("greedy@5"), ("greedy".to_owned(), 5));
        assert_eq!(level("random"), ("random".to_owned(), 1));
        let options = vec![
            ("UCI_Elo".to_owned(), "2000".to_owned()),
            ("Skill Level".to_owned(), "3".to_owned()),
        ];
        match parse("uci:/bin/x?UCI_Elo=2000&Skill Level=3").expect("an engine") {
            Player::Uci { path, options: found } => {
                assert_eq!((path.as_str(), found), ("/bin/x", options));
            }
            other => panic!("expected an engine, got {other:?}"),
        }
        for (text, error) in [
            ("nobody", "unknown level 'nobody' of chess: expected one of random, "),
            ("greedy@many", "expected a node count after '@' in 'greedy@many'"),
            ("learned:", "expected learned:FOLDER, got 'learned:'"),
            ("learned:@5", "expected learned:FOLDER, got 'learned:@5'"),
            ("learned:nowhere@x", "expected a node count after '@' in 'learned:nowhere@x'"),
            ("learned:nowhere", "cannot read nowhere/model.json: "),
            ("uci:", "expected uci:COMMAND, got 'uci:'"),
            ("uci:x?y", "expected NAME=VALUE in 'uci:x?y', got 'y'"),
        ] {
            let said = parse(text).unwrap_err().to_string();
            assert!(said.starts_with(error), "{said}");
        }
        let said = Player::parse("uci:x", "four-player").unwrap_err().to_string();
        assert_eq!(said, "UCI engines can only play chess and four-player-teams, not four-player");
        assert!(Player::parse("uci:x", "four-player-teams").is_ok());
        let said = Player::parse("gtp:x", "chess").unwrap_err().to_string();
        assert_eq!(said, "GTP engines can only play Blokus, not chess");
        let said = Player::parse("gtp: ", "blokus-duo").unwrap_err().to_string();
        assert_eq!(said, "expected gtp:COMMAND, got 'gtp: '");
        let said = Player::parse("random", "checkers").unwrap_err().to_string();
        assert!(
            said.starts_with("checkers has no bots: expected one of chess, chess960, "),
            "{said}"
        );
    }
}
