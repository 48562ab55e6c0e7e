//! The messages of `docs/arena/protocol.md`.

use fourfold_table::{Choice, Color, Form, Lying, Man, Outcome, Place, Played, Seat, Shape, Tints};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::clock::{Face, TimeControl};
use crate::rating::Standing;

/// The version that pages must speak.
pub(crate) const VERSION: u32 = 1;

/// What a page asks for.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[cfg_attr(test, derive(Serialize))]
#[serde(tag = "t", rename_all = "snake_case")]
pub(crate) enum Command {
    Create {
        game: String,
        opponent: Opponent,
        #[serde(default)]
        seat: Option<Seat>,
        #[serde(default)]
        clock: Option<TimeControl>,
        /// Words for the rules of a game in real time.
        #[serde(default)]
        rules: Option<String>,
        /// Whether the lobby shows it.
        #[serde(default)]
        listed: bool,
    },
    /// Whether to hear of the lobby.
    Lobby {
        listen: bool,
    },
    /// Whether to let the local network in.
    Network {
        open: bool,
    },
    /// Own games, those behind one that is known, and own ratings.
    History {
        #[serde(default)]
        behind: Option<String>,
    },
    /// The best players of a pool.
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
    /// Whether a move could be played, and if not, why.
    Try {
        #[serde(rename = "move")]
        text: String,
        ply: usize,
    },
    /// What a strong player would do, which is not done.
    Hint {
        ply: usize,
    },
    Resign,
    Claim,
    Draw,
    Decline,
    Takeback,
    Rematch,
    Look {
        ply: usize,
    },
    Name {
        name: String,
    },
    /// In real time, a piece is to go to a square, by its number and the square's name.
    Order {
        piece: u64,
        to: String,
    },
    /// The same as soon as the piece is rested.
    Premove {
        piece: u64,
        to: String,
    },
    /// Forgets what a piece was to do then.
    Cancel {
        piece: u64,
    },
    /// Where a piece may go.
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
    /// The same guest, at one board.
    #[serde(rename = "self")]
    Myself,
}

/// Reads a message: the page's number for it, and the command or what is wrong with it.
pub(crate) fn read(text: &str) -> (Option<u64>, Result<Command, String>) {
    let value: Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(error) => return (None, Err(format!("the message is not JSON: {error}"))),
    };
    let Some(number) = value.get("n").and_then(Value::as_u64) else {
        return (None, Err("a command has a number, 'n'".to_owned()));
    };
    let command = Command::deserialize(value).map_err(|error| format!("no command: {error}"));
    (Some(number), command)
}

/// The page's number for a message, if it can be read.
pub(crate) fn number_of(text: &str) -> Option<u64> {
    serde_json::from_str::<Value>(text).ok()?.get("n")?.as_u64()
}

/// A game as everybody sees it.
#[derive(Serialize)]
pub(crate) struct Public<'a> {
    pub(crate) id: &'a str,
    pub(crate) game: &'static str,
    pub(crate) board: Shape,
    pub(crate) seats: Vec<Place>,
    pub(crate) players: Vec<Player<'a>>,
    pub(crate) teams: Vec<Vec<Seat>>,
    pub(crate) out: Vec<Seat>,
    pub(crate) scores: Vec<i32>,
    pub(crate) tints: Tints,
    pub(crate) colors: Vec<Color>,
    pub(crate) shapes: Vec<Form>,
    pub(crate) men: Vec<Man>,
    pub(crate) trays: Vec<Vec<Lying>>,
    pub(crate) last_move: Vec<String>,
    pub(crate) check: Vec<String>,
    pub(crate) acting: Vec<Seat>,
    pub(crate) claim: Option<String>,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) moves: &'a [Played],
    pub(crate) clock: Option<Face>,
    pub(crate) draw: Option<Seat>,
    pub(crate) agreed: Vec<Seat>,
    pub(crate) rematch: Vec<Seat>,
    pub(crate) next: Option<&'a str>,
    pub(crate) stored: bool,
    pub(crate) watchers: usize,
    pub(crate) rated: bool,
    /// By seat; empty where it does not count, or is not known.
    pub(crate) ratings: &'a [Standing],
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Player<'a> {
    Open,
    Guest { name: &'a str, here: bool },
    Bot { name: &'a str, here: bool },
}

/// What a game looks like to one guest beside all that.
#[derive(Clone, PartialEq, Serialize)]
pub(crate) struct Personal {
    pub(crate) you: Vec<Seat>,
    pub(crate) choices: Vec<Choice>,
    pub(crate) takeback: bool,
    pub(crate) hint: bool,
}

/// The board at another time.
#[derive(Serialize)]
pub(crate) struct Glance {
    pub(crate) out: Vec<Seat>,
    pub(crate) scores: Vec<i32>,
    pub(crate) colors: Vec<Color>,
    pub(crate) men: Vec<Man>,
    pub(crate) trays: Vec<Vec<Lying>>,
    pub(crate) last_move: Vec<String>,
    pub(crate) check: Vec<String>,
}

/// Whether a move could be played.
#[derive(Serialize)]
pub(crate) struct Tried {
    /// Why not; nothing if it could.
    pub(crate) why: Option<String>,
}

/// Plain data as a JSON object.
pub(crate) fn object(data: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(data) {
        Ok(Value::Object(object)) => object,
        // Our own structs are objects with text keys.
        _ => Map::new(),
    }
}

/// A whole state, with what concerns one guest.
pub(crate) fn state(
    seq: u64,
    public: &Map<String, Value>,
    personal: &Map<String, Value>,
) -> String {
    let mut message = Map::new();
    message.insert("t".to_owned(), json!("state"));
    message.insert("seq".to_owned(), json!(seq));
    message.extend(public.clone());
    message.extend(personal.clone());
    Value::Object(message).to_string()
}

/// What has changed in an object: new values by key, and of `moves` only what is new.
pub(crate) fn changes(old: &Map<String, Value>, new: &Map<String, Value>) -> Map<String, Value> {
    let mut changes = Map::new();
    for (key, value) in new {
        let before = old.get(key);
        if before == Some(value) {
            continue;
        }
        let change = match (key.as_str(), before, value) {
            ("moves", Some(Value::Array(before)), Value::Array(after)) => {
                let keep = before.iter().zip(after).take_while(|(one, other)| one == other).count();
                json!({"keep": keep, "add": after[keep..]})
            }
            _ => value.clone(),
        };
        changes.insert(key.clone(), change);
    }
    changes
}

/// The next change of a game.
pub(crate) fn delta(seq: u64, mut changes: Map<String, Value>) -> String {
    changes.insert("t".to_owned(), json!("delta"));
    changes.insert("seq".to_owned(), json!(seq));
    Value::Object(changes).to_string()
}

/// A command was carried out; `with` is what was asked for.
pub(crate) fn ok(number: u64, mut with: Map<String, Value>) -> String {
    with.insert("t".to_owned(), json!("ok"));
    with.insert("n".to_owned(), json!(number));
    Value::Object(with).to_string()
}

/// A command was refused.
pub(crate) fn no(number: Option<u64>, why: &str) -> String {
    json!({"t": "no", "n": number, "why": why}).to_string()
}

/// The server hangs up.
pub(crate) fn bye(why: &str, again: bool) -> String {
    json!({"t": "bye", "why": why, "again": again}).to_string()
}

/// Whether games are kept; `trouble` says why they are not.
pub(crate) fn notice(trouble: Option<&str>) -> String {
    let text = trouble.map(|why| {
        format!("games are not kept now: {why}. Play goes on, but is lost if the server ends")
    });
    json!({"t": "notice", "text": text}).to_string()
}

/// What a page is told first.
pub(crate) fn hello(name: &str) -> String {
    let bots = |game: &str| -> Vec<Value> {
        let levels = fourfold_bots::levels(game).iter();
        levels
            .map(|level| json!({"id": level.id, "name": level.name, "about": level.about}))
            .collect()
    };
    let turns = fourfold_table::GAMES.iter().map(|game| {
        let (id, name, seats, bots) = (game.id, game.name, game.seats, bots(game.id));
        json!({"id": id, "name": name, "seats": seats, "bots": bots, "realtime": false, "choices": []})
    });
    let realtime = crate::realtime::KINDS.iter().map(|kind| kind.offer(&bots(kind.id)));
    let games: Vec<Value> = turns.chain(realtime).collect();
    let live = crate::hub::LIVE;
    json!({"t": "hello", "v": VERSION, "name": name, "live": live, "games": games}).to_string()
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::forms::{Form, add, blocks, differences};

    #[test]
    fn messages_that_are_no_commands_are_told_apart() {
        let number = |text| read(text).0;
        assert_eq!(number("{"), None);
        assert_eq!(number(r#"{"t":"sync"}"#), None);
        assert_eq!(number(r#"{"t":"sync","n":-1}"#), None);
        assert_eq!(number(r#"{"t":"dance","n":7}"#), Some(7));
        let why = |text| read(text).1.unwrap_err();
        assert!(why("{").starts_with("the message is not JSON"));
        assert!(why(r#"{"t":"dance","n":7}"#).contains("unknown variant `dance`"));
        assert!(why(r#"{"t":"move","n":7}"#).contains("missing field `move`"));
        assert!(why(r#"{"t":"sit","n":7,"seat":300}"#).contains("300"));
        assert_eq!(read(r#"{"t":"sync","n":7}"#), (Some(7), Ok(Command::Sync)));
    }

    #[test]
    fn changes_are_whole_values_but_for_moves() {
        let object = |value: Value| value.as_object().expect("an object").clone();
        let old = object(json!({"a": 1, "b": [1, 2], "moves": [1, 2, 3]}));
        let new = object(json!({"a": 1, "b": [1], "moves": [1, 2, 4, 5]}));
        let expected = json!({"b": [1], "moves": {"keep": 2, "add": [4, 5]}});
        assert_eq!(Value::Object(changes(&old, &new)), expected);
        assert!(changes(&new, &new).is_empty());
    }

    /// The names of all commands, which the reader tells to whoever knows none.
    fn commands() -> BTreeSet<String> {
        let why = read(r#"{"t":"?","n":1}"#).1.unwrap_err();
        let (_, names) = why.split_once("expected one of ").expect("all are named");
        names.split(", ").map(|name| name.trim_matches('`').to_owned()).collect()
    }

    #[test]
    fn the_page_shows_every_command_with_every_key() {
        const PAGE: &str = include_str!("../../../docs/arena/protocol.md");
        let (mut shown, mut real) = (BTreeMap::new(), BTreeMap::new());
        let blocks = blocks().into_iter().filter(|block| block.0 == "command");
        for command in blocks.flat_map(|block| block.1) {
            let (number, read) = read(&command.to_string());
            assert!(number.is_some() && read.is_ok(), "{command}: {read:?}");
            let name = command["t"].as_str().expect("a name").to_owned();
            let mut as_read = serde_json::to_value(read.expect("a command")).expect("JSON");
            as_read["n"] = json!(number);
            add(shown.entry(name.clone()).or_insert_with(Form::new), "", &command);
            add(real.entry(name).or_insert_with(Form::new), "", &as_read);
        }
        for name in commands() {
            assert!(PAGE.contains(&format!("`{name}`")), "'{name}' is not explained");
            let shown = shown.get(&name).unwrap_or_else(|| panic!("'{name}' is not shown"));
            let differences = differences(shown, &real[&name]);
            assert!(differences.is_empty(), "{name}: {differences:#?}");
        }
    }

    #[test]
    fn the_page_is_about_this_version_and_so_is_the_script() {
        const PAGE: &str = include_str!("../../../docs/arena/protocol.md");
        const SCRIPT: &str = include_str!("../../../web/protocol.js");
        assert!(PAGE.contains(&format!("say to each other, version {VERSION}.")));
        assert!(PAGE.contains(&format!("`/ws?v={VERSION}`")));
        assert!(PAGE.contains(&format!("`POST /study?v={VERSION}`")));
        assert!(SCRIPT.contains(&format!("export const VERSION = {VERSION};")));
    }
}
