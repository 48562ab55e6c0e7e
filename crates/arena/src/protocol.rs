//! The messages of `docs/arena/protocol.md`.

use std::collections::BTreeMap;

use fourfold_table::{Choice, Seat};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::clock::{ClockState, TimeControl};
use crate::rating::DisplayedRating;

/// The protocol version that pages must use.
pub(crate) const VERSION: u32 = 3;

/// A command from a page.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[cfg_attr(test, derive(Serialize))]
#[serde(tag = "t", rename_all = "snake_case")]
pub(crate) enum Command {
    Create {
        game: String,
        opponent: Opponent,
        seat: Option<Seat>,
        clock: Option<TimeControl>,
        /// The rules of a real-time game, as text.
        rules: Option<String>,
        /// Whether the lobby lists the game.
        #[serde(default)]
        listed: bool,
        /// Whether the game is unrated.
        #[serde(default)]
        casual: bool,
        /// The position to start from, as a FEN; only in chess.
        #[serde(default)]
        start: Option<String>,
    },
    /// Subscribes to the lobby, or unsubscribes.
    Lobby {
        listen: bool,
    },
    /// Opens the server to the local network, or closes it.
    Network {
        open: bool,
    },
    /// Requests the guest's ratings and latest games, or the games before the game `before`.
    History {
        #[serde(default)]
        before: Option<String>,
    },
    /// Requests the best players of a pool.
    Ladder {
        pool: String,
    },
    Watch {
        game: String,
    },
    Leave,
    Sync,
    Sit {
        seat: Seat,
    },
    Fill {
        seat: Seat,
        bot: String,
    },
    Move {
        #[serde(rename = "move")]
        text: String,
        ply: usize,
    },
    /// Asks whether a move could be played, and if not, why.
    Try {
        #[serde(rename = "move")]
        text: String,
        ply: usize,
    },
    /// Asks for the move that a strong player would play, without playing it.
    Hint {
        ply: usize,
    },
    Resign,
    /// Ends the game without a result, in the first moves.
    Abort,
    Claim,
    Draw,
    Decline,
    /// Takes back the guest's latest move, or asks the other players for that, or agrees to it.
    Takeback,
    DeclineTakeback,
    Rematch,
    /// Requests the board after `ply` moves.
    Position {
        ply: usize,
    },
    Name {
        name: String,
    },
    /// Says something to the other players.
    Chat {
        text: String,
    },
    /// Turns the chat on or off for this guest.
    EnableChat {
        enabled: bool,
    },
    /// In real-time games, orders the piece with this id to a square.
    Order {
        piece: u64,
        to: String,
    },
    /// Orders the piece as soon as it has rested.
    Premove {
        piece: u64,
        to: String,
    },
    /// Cancels the premove of a piece.
    Cancel {
        piece: u64,
    },
    /// Requests the squares that a piece may go to.
    Targets {
        piece: u64,
    },
}

/// Who takes the other seats of a new game.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[cfg_attr(test, derive(Serialize))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Opponent {
    /// A bot of this level.
    Bot(String),
    /// Whoever opens the link.
    Friend,
    /// The same guest, on one screen.
    #[serde(rename = "self")]
    Myself,
}

/// Reads a message: the number that the page gave it, and the command.
///
/// # Errors
/// Returns what is wrong with the message, and its number if it has one.
pub(crate) fn read(text: &str) -> Result<(u64, Command), (Option<u64>, String)> {
    let value: Value = serde_json::from_str(text)
        .map_err(|error| (None, format!("the message is not JSON: {error}")))?;
    let number = value.get("n").and_then(Value::as_u64);
    let why = || (None, "expected a number 'n' in the command".to_owned());
    let number = number.ok_or_else(why)?;
    let command = Command::deserialize(value);
    let command = command.map_err(|error| (Some(number), format!("invalid command: {error}")))?;
    Ok((number, command))
}

/// Returns the page's number for a message, if it can be read.
pub(crate) fn number_of(text: &str) -> Option<u64> {
    serde_json::from_str::<Value>(text).ok()?.get("n")?.as_u64()
}

/// The part of a game's state that everybody sees, in addition to its scene.
#[derive(Serialize)]
pub(crate) struct Public<'a> {
    pub(crate) id: &'a str,
    pub(crate) players: Vec<Player<'a>>,
    pub(crate) clock: Option<ClockState>,
    pub(crate) draw_offer: Option<Seat>,
    pub(crate) draw_votes: &'a [Seat],
    pub(crate) takeback_offer: Option<Seat>,
    pub(crate) takeback_votes: &'a [Seat],
    pub(crate) rematch: &'a [Seat],
    pub(crate) next: Option<&'a str>,
    pub(crate) stored: bool,
    pub(crate) watchers: usize,
    pub(crate) rated: bool,
    /// Whether the game can still be aborted.
    pub(crate) abortable: bool,
    /// By seat; empty if the game is unrated or the ratings are unknown.
    pub(crate) ratings: &'a [DisplayedRating],
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Player<'a> {
    Open,
    Guest { name: &'a str, connected: bool },
    Bot { name: &'a str, connected: bool },
}

/// The part of a game's state that only one guest sees.
#[derive(Clone, PartialEq, Serialize)]
pub(crate) struct Personal {
    pub(crate) you: Vec<Seat>,
    pub(crate) legal_moves: Vec<Choice>,
    pub(crate) takeback: bool,
    pub(crate) hint: bool,
}

/// The keys of a message or of a part of one.
pub(crate) type Object = Map<String, Value>;

/// Serializes a struct to a JSON object.
pub(crate) fn object(data: &impl Serialize) -> Object {
    match serde_json::to_value(data) {
        Ok(Value::Object(object)) => object,
        // Our own structs serialize to objects.
        _ => Object::new(),
    }
}

/// Returns a message of this type with these keys.
pub(crate) fn message(kind: &str, mut keys: Object) -> String {
    keys.insert("t".to_owned(), json!(kind));
    Value::Object(keys).to_string()
}

/// A `state` message, the whole state for one guest, or a `delta` message, the next change. What all
/// guests see is encoded once for all of them.
pub(crate) struct Update {
    /// The message up to its last key.
    encoded: String,
}

#[cfg(test)]
thread_local! {
    /// How many updates this thread has encoded.
    pub(crate) static ENCODED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

impl Update {
    pub(crate) fn new(kind: &str, keys: Object) -> Update {
        #[cfg(test)]
        ENCODED.set(ENCODED.get() + 1);
        let mut encoded = message(kind, keys);
        encoded.pop();
        Update { encoded }
    }

    /// Returns the message for one guest, with the keys that only this guest gets. Those are not
    /// among the others.
    pub(crate) fn text(&self, seq: u64, mut own: Object) -> String {
        own.insert("seq".to_owned(), json!(seq));
        let own = Value::Object(own).to_string();
        format!("{},{}", self.encoded, &own[1..])
    }
}

/// Returns the keys whose values have changed, with their new values; of `pieces`, only those on
/// changed squares, and of `captured` and `colors`, `null` for what has not changed.
pub(crate) fn changes(old: &Object, new: &Object) -> Object {
    let mut changes = Object::new();
    for (key, value) in new {
        let before = old.get(key);
        if before == Some(value) {
            continue;
        }
        let change = match (key.as_str(), before, value) {
            ("pieces", Some(Value::Array(before)), Value::Array(after)) => {
                changed_pieces(before, after)
            }
            ("captured" | "colors", Some(Value::Array(before)), Value::Array(after))
                if before.len() == after.len() =>
            {
                let changed = |(old, new)| if old == new { &Value::Null } else { new };
                json!(before.iter().zip(after).map(changed).collect::<Vec<_>>())
            }
            _ => value.clone(),
        };
        changes.insert(key.clone(), change);
    }
    changes
}

/// Returns the pieces on squares that have changed, `gone` where there is none anymore.
fn changed_pieces(before: &[Value], after: &[Value]) -> Value {
    let on_squares = |pieces: &[Value]| -> BTreeMap<String, Value> {
        let square = |piece: &Value| piece["square"].as_str().unwrap_or_default().to_owned();
        pieces.iter().map(|piece| (square(piece), piece.clone())).collect()
    };
    let (mut before, after) = (on_squares(before), on_squares(after));
    let mut changed = Vec::new();
    for (square, piece) in after {
        if before.remove(&square).as_ref() != Some(&piece) {
            changed.push(piece);
        }
    }
    changed.extend(before.into_keys().map(|square| json!({"square": square, "gone": true})));
    Value::Array(changed)
}

/// The `ok` message: a command was carried out, and `with` is its result.
pub(crate) fn ok(number: u64, mut with: Object) -> String {
    with.insert("n".to_owned(), json!(number));
    message("ok", with)
}

/// The `no` message: a command was refused, in a real-time game on this tick.
pub(crate) fn no(number: Option<u64>, why: &str, tick: Option<u64>) -> String {
    let mut message = json!({"t": "no", "n": number, "why": why});
    if let Some(tick) = tick {
        message["tick"] = json!(tick);
    }
    message.to_string()
}

/// The `bye` message: the server closes the connection.
pub(crate) fn bye(why: &str, retry: bool) -> String {
    json!({"t": "bye", "why": why, "retry": retry}).to_string()
}

/// The `notice` message: `storage_error` says why games are not saved, if they are not.
pub(crate) fn notice(storage_error: Option<&str>) -> String {
    let text = storage_error.map(|why| {
        format!("games are not being saved: {why}. You can keep playing, but games are lost if the server stops")
    });
    json!({"t": "notice", "text": text}).to_string()
}

/// The `hello` message, which a page receives first.
pub(crate) fn hello(name: &str) -> String {
    let bots = |game: &str| -> Vec<Value> {
        let levels = fourfold_learned::levels(game).iter();
        levels
            .map(|level| {
                let (id, name, about) = (level.id, level.name, level.about);
                json!({"id": id, "name": name, "about": about, "rating": level.rating})
            })
            .collect()
    };
    let turns = fourfold_table::GAMES.iter().map(|game| {
        let (id, name, seats, bots) = (game.id, game.name, game.seats, bots(game.id));
        json!({"id": id, "name": name, "seats": seats, "bots": bots, "realtime": false, "choices": []})
    });
    let realtime = crate::realtime::KINDS.iter().map(|kind| kind.description(&bots(kind.id)));
    let games: Vec<Value> = turns.chain(realtime).collect();
    let live = crate::hub::LIVE;
    json!({"t": "hello", "v": VERSION, "name": name, "live": live, "games": games}).to_string()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::json_shape::{Shape, add, blocks, differences};

    #[test]
    fn invalid_messages_are_distinguished() {
        let number =
            |text| read(text).map_or_else(|(number, _)| number, |(number, _)| Some(number));
        assert_eq!(number("{"), None);
        assert_eq!(number(r#"{"t":"sync"}"#), None);
        assert_eq!(number(r#"{"t":"sync","n":-1}"#), None);
        assert_eq!(number(r#"{"t":"dance","n":7}"#), Some(7));
        let why = |text| read(text).unwrap_err().1;
        assert!(why("{").starts_with("the message is not JSON"));
        assert!(why(r#"{"t":"dance","n":7}"#).contains("unknown variant `dance`"));
        assert!(why(r#"{"t":"move","n":7}"#).contains("missing field `move`"));
        assert!(why(r#"{"t":"sit","n":7,"seat":300}"#).contains("300"));
        assert_eq!(read(r#"{"t":"sync","n":7}"#), Ok((7, Command::Sync)));
    }

    #[test]
    fn updates_are_objects_with_all_keys() {
        let object = |value: Value| value.as_object().expect("an object").clone();
        let update = Update::new("delta", object(json!({"check": ["e1"]})));
        let text = update.text(7, object(json!({"takeback": true})));
        let read: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(read, json!({"t": "delta", "seq": 7, "check": ["e1"], "takeback": true}));
        let read: Value = serde_json::from_str(&update.text(8, Object::new())).expect("JSON");
        assert_eq!(read, json!({"t": "delta", "seq": 8, "check": ["e1"]}));
    }

    #[test]
    fn changes_contain_whole_values_except_on_the_board() {
        let object = |value: Value| value.as_object().expect("an object").clone();
        let old = object(json!({"a": 1, "b": [1, 2], "captured": [[], ["P"]], "colors": []}));
        let new = object(json!({"a": 1, "b": [1], "captured": [["N"], ["P"]], "colors": [1]}));
        let expected = json!({"b": [1], "captured": [["N"], null], "colors": [1]});
        assert_eq!(Value::Object(changes(&old, &new)), expected);
        assert!(changes(&new, &new).is_empty());
        let piece =
            |square: &str, piece: &str| json!({"square": square, "piece": piece, "seat": 0});
        let old = object(json!({"pieces": [piece("a1", "R"), piece("b1", "N"), piece("c3", "P")]}));
        let new = object(json!({"pieces": [piece("a1", "R"), piece("c3", "N")]}));
        let expected = json!({"pieces": [piece("c3", "N"), {"square": "b1", "gone": true}]});
        assert_eq!(Value::Object(changes(&old, &new)), expected);
    }

    /// Returns the names of all commands, taken from the error for an unknown one.
    fn commands() -> BTreeSet<String> {
        let (_, why) = read(r#"{"t":"?","n":1}"#).unwrap_err();
        let (_, names) = why.split_once("expected one of ").expect("all are named");
        names.split(", ").map(|name| name.trim_matches('`').to_owned()).collect()
    }

    #[test]
    fn documentation_shows_every_command_and_key() {
        const PAGE: &str = include_str!("../../../docs/arena/protocol.md");
        let (mut shown, mut real) = (BTreeMap::new(), BTreeMap::new());
        let blocks = blocks().into_iter().filter(|block| block.0 == "command");
        for command in blocks.flat_map(|block| block.1) {
            let read = read(&command.to_string());
            assert!(read.is_ok(), "{command}: {read:?}");
            let (number, read) = read.expect("a command");
            let name = command["t"].as_str().expect("a name").to_owned();
            let mut as_read = serde_json::to_value(read).expect("JSON");
            as_read["n"] = json!(number);
            add(shown.entry(name.clone()).or_insert_with(Shape::new), "", &command);
            add(real.entry(name).or_insert_with(Shape::new), "", &as_read);
        }
        for name in commands() {
            assert!(PAGE.contains(&format!("`{name}`")), "'{name}' is not documented");
            let shown = shown.get(&name).unwrap_or_else(|| panic!("'{name}' is not shown"));
            let differences = differences(shown, &real[&name]);
            assert!(differences.is_empty(), "{name}: {differences:#?}");
        }
    }

    #[test]
    fn documentation_and_script_have_this_version() {
        const PAGE: &str = include_str!("../../../docs/arena/protocol.md");
        const SCRIPT: &str = include_str!("../../../web/app/protocol.js");
        assert!(PAGE.contains(&format!("between pages and the server, version {VERSION}.")));
        assert!(PAGE.contains(&format!("`/ws?v={VERSION}`")));
        assert!(PAGE.contains(&format!("`POST /study?v={VERSION}`")));
        assert!(SCRIPT.contains(&format!("export const VERSION = {VERSION};")));
    }
}
