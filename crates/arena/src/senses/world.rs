//! The environment that belongs to a kind of game, and what is drawn of it.

use fourfold_env::{AnyBatch, Options, make};
use fourfold_kung_fu::{Board, Eliminated, Game, Rules, Speed};
use fourfold_table::{GAMES, kung_fu, shown};
use serde_json::{Map, Value, json};

use crate::protocol;
use crate::realtime;

/// More steps than any game of the arena has.
const NO_LIMIT: u32 = 1_000_000;

/// An environment, with options as texts, and how its games are drawn.
pub(super) struct World {
    /// The id of the kind of game.
    pub(super) kind: &'static str,
    /// The environment's name.
    pub(super) env: &'static str,
    pub(super) options: Vec<(&'static str, String)>,
    /// The rules of a game without turns.
    rules: Option<Rules>,
}

impl World {
    /// The environment of a kind of game, with its usual options.
    ///
    /// # Errors
    /// If there is no such game; in words for the guest.
    pub(super) fn of(kind: &str) -> Result<World, String> {
        if let Some(kind) = realtime::find(kind) {
            return World::of_rules(kind.rules("")?);
        }
        let game = GAMES.iter().find(|game| game.id == kind);
        let missing = || format!("there is no environment for '{}'", shown(kind));
        let kind = game.map(|game| game.id).ok_or_else(missing)?;
        let (env, options): (_, &[(&'static str, &str)]) = match kind {
            "chess" => ("chess", &[]),
            "four-player" => ("four_player", &[]),
            "four-player-teams" => ("four_player", &[("mode", "teams")]),
            "blokus" => ("blokus", &[]),
            "blokus-2" => ("blokus", &[("players", "2")]),
            "blokus-3" => ("blokus", &[("players", "3")]),
            "blokus-duo" => ("blokus_duo", &[]),
            _ => return Err(missing()),
        };
        let options = options.iter().map(|&(name, value)| (name, value.to_owned())).collect();
        Ok(World { kind, env, options, rules: None })
    }

    /// The environment of a game without turns that has these rules.
    ///
    /// # Errors
    /// If nobody plays on such a board.
    pub(super) fn of_rules(rules: Rules) -> Result<World, String> {
        let kind = realtime::on(rules.board).ok_or("nobody plays on such a board")?.id;
        let mut options = Vec::new();
        let env = match rules.board {
            Board::Eight => "kung_fu",
            Board::Twelve => {
                if rules.seats != rules.board.seats() {
                    options
                        .push(("seats", rules.seats.iter().map(|one| one.to_string()).collect()));
                }
                if rules.teams {
                    options.push(("teams", "on".to_owned()));
                }
                if rules.eliminated == Eliminated::Freeze {
                    options.push(("eliminated", "freeze".to_owned()));
                }
                "kung_fu_4p"
            }
        };
        let Speed { ticks_per_square, rest, no_move, no_capture, no_draw_before } = rules.speed;
        match rules.speed {
            Speed::STANDARD => {}
            Speed::LIGHTNING => options.push(("speed", "lightning".to_owned())),
            _ => options.extend([
                ("ticks_per_square", ticks_per_square.to_string()),
                ("rest", rest.to_string()),
                ("no_move", no_move.to_string()),
                ("no_capture", no_capture.to_string()),
                ("no_draw_before", no_draw_before.to_string()),
            ]),
        }
        Ok(World { kind, env, options, rules: Some(rules) })
    }

    /// The same for games that people play: they go on where a learner's would be cut off, and draws
    /// have to be claimed.
    pub(super) fn without_limits(mut self) -> World {
        if self.env == "chess" {
            self.options.push(("claim", "off".to_owned()));
        }
        if ["chess", "four_player"].contains(&self.env) {
            self.options.push(("max_steps", NO_LIMIT.to_string()));
        }
        self
    }

    /// So many games of it.
    ///
    /// # Errors
    /// If there are no such rules for learners; in words for the guest.
    pub(super) fn make(&self, games: usize, how: Options) -> Result<Box<dyn AnyBatch>, String> {
        let given: Vec<(&str, &str)> =
            self.options.iter().map(|(name, value)| (*name, value.as_str())).collect();
        make(self.env, &given, games, how).map_err(|error| error.to_string())
    }

    /// The options as Python writes them, a comma before each.
    pub(super) fn in_python(&self) -> String {
        let option = |(name, value): &(&str, String)| match value.parse::<u64>() {
            Ok(number) if *name != "seats" => format!(", {name}={number}"),
            _ => format!(", {name}=\"{value}\""),
        };
        self.options.iter().map(option).collect()
    }

    /// What is drawn of a position: the keys of a game's state that draw a board.
    ///
    /// # Errors
    /// If it is none; in words for the guest.
    pub(super) fn scene(&self, position: &str) -> Result<Map<String, Value>, String> {
        let Some(rules) = self.rules else {
            let mut table = fourfold_table::make(self.kind).map_err(|error| error.to_string())?;
            table.set(position).map_err(|error| error.to_string())?;
            let mut scene = protocol::object(&table.scene());
            let drawn = ["board", "seats", "tints", "men", "colors", "out", "check"];
            scene.retain(|key, _| drawn.contains(&key.as_str()));
            scene.insert("pieces".to_owned(), json!([]));
            scene.insert("tick".to_owned(), json!(0));
            return Ok(scene);
        };
        let game = match position.starts_with('t') {
            true => Game::read(rules, position).map_err(|error| error.to_string())?,
            false => return Err("a game without turns is drawn from its whole state".to_owned()),
        };
        let out = game.out().iter().filter_map(|player| kung_fu::seat_of(&rules, player));
        Ok(protocol::object(&json!({
            "board": kung_fu::shape(rules.board), "seats": kung_fu::places(&rules),
            "tints": fourfold_table::Tints::of(rules.seats.len()), "men": [], "colors": [],
            "out": out.collect::<Vec<_>>(), "check": [], "pieces": realtime::pieces(&game), "tick": game.now(),
        })))
    }
}
