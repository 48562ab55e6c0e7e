//! The players of a match: levels of our own bots, and UCI engines.

use std::time::Duration;

use anyhow::{Context, anyhow, bail, ensure};
use fourfold_bots::{Bot, uci};

/// A player as given on the command line: `master`, `expert@20000` or
/// `uci:PATH?option=value&option=value`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Player {
    /// One of our levels, with its node budget per move.
    Level { id: String, nodes: u64 },
    /// A UCI engine.
    Uci { path: String, options: Vec<(String, String)> },
}

impl Player {
    /// Parses a player for a game.
    pub(crate) fn parse(text: &str, game: &str) -> anyhow::Result<Player> {
        if let Some(rest) = text.strip_prefix("uci:") {
            ensure!(is_chess(game), "UCI engines can only play chess, not {game}");
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
        let (id, nodes) = match text.split_once('@') {
            Some((id, nodes)) => {
                let expected = || format!("expected a node count after '@' in '{text}'");
                (id, Some(nodes.replace('_', "").parse().with_context(expected)?))
            }
            None => (text, None),
        };
        let levels = fourfold_bots::levels(game);
        let games = || fourfold_bots::games().collect::<Vec<_>>().join(", ");
        ensure!(!levels.is_empty(), "{game} has no bots: expected one of {}", games());
        let Some(level) = levels.iter().find(|level| level.id == id) else {
            let known: Vec<&str> = levels.iter().map(|level| level.id).collect();
            bail!("unknown level '{id}' of {game}: expected one of {}", known.join(", "));
        };
        Ok(Player::Level { id: id.to_owned(), nodes: nodes.unwrap_or(level.nodes) })
    }

    /// Returns the node budget of the player's level.
    pub(crate) fn nodes(&self) -> Option<u64> {
        if let Player::Level { nodes, .. } = self { Some(*nodes) } else { None }
    }
}

/// Returns whether the game is one that UCI engines can play.
pub(crate) fn is_chess(game: &str) -> bool {
    matches!(game, "chess" | "chess960")
}

/// A player during a match. Keeps its engine running from game to game.
pub(crate) struct MatchPlayer<'a> {
    player: &'a Player,
    game: &'a str,
    movetime: Option<Duration>,
    engine: Option<uci::Engine>,
    bot: Option<Box<dyn Bot>>,
}

impl<'a> MatchPlayer<'a> {
    pub(crate) fn new(
        player: &'a Player,
        game: &'a str,
        movetime: Option<Duration>,
    ) -> MatchPlayer<'a> {
        MatchPlayer { player, game, movetime, engine: None, bot: None }
    }

    /// Returns the bot for a new game. The seed is that of the game.
    pub(crate) fn bot(&mut self, seed: u64) -> anyhow::Result<&mut dyn Bot> {
        match self.player {
            Player::Level { id, .. } => {
                let bot = fourfold_bots::make(self.game, id, seed);
                let bot = bot.ok_or_else(|| anyhow!("unknown level '{id}'"))?;
                Ok(self.bot.insert(bot).as_mut())
            }
            Player::Uci { path, options } => {
                let engine = match self.engine.take() {
                    Some(engine) => engine,
                    None => uci::Engine::start(path, options, self.game == "chess960")?,
                };
                let engine = self.engine.insert(engine);
                engine.new_game()?;
                engine.set_movetime(self.movetime);
                Ok(engine)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_parsed() {
        let parse = |text| Player::parse(text, "chess");
        let level = |id: &str, nodes| Player::Level { id: id.to_owned(), nodes };
        assert_eq!(parse("greedy@5").expect("a level"), level("greedy", 5));
        assert_eq!(parse("random").expect("a level"), level("random", 1));
        let options = vec![
            ("UCI_Elo".to_owned(), "2000".to_owned()),
            ("Skill Level".to_owned(), "3".to_owned()),
        ];
        let engine = Player::Uci { path: "/bin/x".to_owned(), options };
        assert_eq!(parse("uci:/bin/x?UCI_Elo=2000&Skill Level=3").expect("an engine"), engine);
        for (text, error) in [
            ("nobody", "unknown level 'nobody' of chess: expected one of random, "),
            ("greedy@many", "expected a node count after '@' in 'greedy@many'"),
            ("uci:", "expected uci:COMMAND, got 'uci:'"),
            ("uci:x?y", "expected NAME=VALUE in 'uci:x?y', got 'y'"),
        ] {
            let said = parse(text).unwrap_err().to_string();
            assert!(said.starts_with(error), "{said}");
        }
        assert!(Player::parse("uci:x", "blokus").is_err());
        let said = Player::parse("random", "checkers").unwrap_err().to_string();
        assert!(
            said.starts_with("checkers has no bots: expected one of chess, chess960, "),
            "{said}"
        );
    }
}
