//! The environment of a game type, and how its positions are drawn.

use fourfold_env::{DescribedBatch, GAMES, NAMES, Options, make};
use fourfold_kung_fu::{Board, EliminatedPieces, Game, Rules, Timing};
use fourfold_table::{GameInfo, ensure, kung_fu, quote_short};
use serde_json::json;

use crate::protocol::{self, Object};
use crate::realtime;

/// More steps than any game of the arena has.
const NO_LIMIT: u32 = 1_000_000;

/// The turn-based games whose environment is that of another game with options. Others have the
/// environment of their own name, such as `blokus_duo` for `blokus-duo`.
const VARIANTS: [(&str, &str, (&str, &str)); 3] = [
    ("four-player-teams", "four_player", ("mode", "teams")),
    ("blokus-2", "blokus", ("players", "2")),
    ("blokus-3", "blokus", ("players", "3")),
];

/// An environment with its options, and how its games are drawn.
pub(super) struct Environment {
    /// The id of the game type.
    pub(super) kind: &'static str,
    /// The environment's name.
    pub(super) env: String,
    pub(super) options: Vec<(&'static str, String)>,
    /// The rules of a real-time game.
    rules: Option<Rules>,
}

impl Environment {
    /// Returns the environment of a game type, with default options.
    ///
    /// # Errors
    /// Returns a message for the guest if there is no such game.
    pub(super) fn of(kind: &str) -> Result<Environment, String> {
        if let Some(kind) = realtime::find(kind) {
            return Environment::of_rules(kind.rules("")?);
        }
        let missing = || format!("there is no environment for '{}'", quote_short(kind));
        let kind = GameInfo::of(kind).ok_or_else(missing)?.id;
        let variant = VARIANTS.iter().find(|(id, ..)| *id == kind);
        let env = variant.map_or_else(|| kind.replace('-', "_"), |(_, env, _)| (*env).to_owned());
        ensure!(NAMES.contains(&&env[..]), missing());
        let options = variant.map(|&(_, _, (name, value))| (name, value.to_owned()));
        Ok(Environment { kind, env, options: options.into_iter().collect(), rules: None })
    }

    /// Returns the environment of a real-time game with these rules.
    ///
    /// # Errors
    /// Fails if no game is played on such a board.
    pub(super) fn of_rules(rules: Rules) -> Result<Environment, String> {
        let kind = realtime::for_board(rules.board).ok_or("no game uses this board")?;
        let mut options = Vec::new();
        if rules.board == Board::Twelve {
            if rules.players != rules.board.players() {
                options.push(("seats", rules.players.iter().map(|one| one.to_string()).collect()));
            }
            if rules.teams {
                options.push(("teams", "on".to_owned()));
            }
            if rules.eliminated == EliminatedPieces::Freeze {
                options.push(("eliminated", "freeze".to_owned()));
            }
        }
        let Timing { ticks_per_square, rest, no_move, no_capture, no_draw_before } = rules.speed;
        match rules.speed {
            Timing::STANDARD => {}
            Timing::LIGHTNING => options.push(("speed", "lightning".to_owned())),
            _ => options.extend([
                ("ticks_per_square", ticks_per_square.to_string()),
                ("rest", rest.to_string()),
                ("no_move", no_move.to_string()),
                ("no_capture", no_capture.to_string()),
                ("no_draw_before", no_draw_before.to_string()),
            ]),
        }
        let (kind, env) = (kind.id, kind.env.to_owned());
        Ok(Environment { kind, env, options, rules: Some(rules) })
    }

    /// Configures the environment for games between people: without a step limit, and with draws
    /// that have to be claimed.
    pub(super) fn without_limits(mut self) -> Environment {
        let known = GAMES.iter().find(|entry| entry.name == self.env);
        let limits = [("claim", "off".to_owned()), ("max_steps", NO_LIMIT.to_string())];
        let has = |name| known.is_some_and(|entry| entry.options.contains(&name));
        self.options.extend(limits.into_iter().filter(|(name, _)| has(*name)));
        self
    }

    /// Creates a batch of this environment.
    ///
    /// # Errors
    /// Returns a message for the guest if the environment does not support these rules.
    pub(super) fn make(
        &self,
        games: usize,
        how: Options,
    ) -> Result<Box<dyn DescribedBatch>, String> {
        let given: Vec<(&str, &str)> =
            self.options.iter().map(|(name, value)| (*name, value.as_str())).collect();
        make(&self.env, &given, games, how).map_err(|error| error.to_string())
    }

    /// Returns the options as Python keyword arguments, each preceded by a comma.
    pub(super) fn in_python(&self) -> String {
        let option = |(name, value): &(&str, String)| match value.parse::<u64>() {
            Ok(number) if *name != "seats" => format!(", {name}={number}"),
            _ => format!(", {name}=\"{value}\""),
        };
        self.options.iter().map(option).collect()
    }

    /// Returns the keys of a game's state that are needed to draw this position.
    ///
    /// # Errors
    /// Returns a message for the guest if the position is invalid.
    pub(super) fn scene(&self, position: &str) -> Result<Object, String> {
        let Some(rules) = self.rules else {
            let mut table = fourfold_table::make(self.kind).map_err(|error| error.to_string())?;
            table.set(position).map_err(|error| error.to_string())?;
            let mut scene = protocol::object(&table.scene());
            let drawn =
                ["board", "seats", "seat_colors", "pieces", "colors", "eliminated", "check"];
            scene.retain(|key, _| drawn.contains(&key.as_str()));
            scene.insert("realtime_pieces".to_owned(), json!([]));
            scene.insert("tick".to_owned(), json!(0));
            return Ok(scene);
        };
        ensure!(position.starts_with('t'), "a real-time position must be a full state");
        let game = Game::from_text(rules, position).map_err(|error| error.to_string())?;
        let eliminated =
            game.eliminated().iter().filter_map(|player| kung_fu::seat_of(&rules, player));
        Ok(protocol::object(&json!({
            "board": kung_fu::shape(rules.board), "seats": kung_fu::seats(&rules),
            "seat_colors": fourfold_table::SeatColors::of(rules.players.len()), "pieces": [], "colors": [],
            "eliminated": eliminated.collect::<Vec<_>>(), "check": [], "realtime_pieces": realtime::pieces(&game), "tick": game.now(),
        })))
    }
}
