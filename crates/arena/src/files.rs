//! Game files, replayed move by move or tick by tick. The server stores nothing of them.

use fourfold_table::game_file::FileFormat;
use fourfold_table::{Table, ensure, kung_fu};
use serde_json::json;

use crate::game::GameRoom;
use crate::guest::GuestId;
use crate::protocol::{self, Object};
use crate::realtime;
use crate::room::Room;

/// The maximum number of positions per response.
const MOST_POSITIONS: usize = 64;
/// The maximum number of moves in a file. Showing a position replays all moves before it.
const MOST_MOVES: usize = 5000;
/// A guest without a seat in any game.
const NOBODY: GuestId = GuestId(-2);

/// Returns the game of a file as a spectator sees it.
///
/// # Errors
/// Returns a message for the guest if the file is not one of our games, or contains an illegal
/// move.
pub(crate) fn open(text: &str) -> Result<Object, String> {
    if is_kung_fu(text) {
        let replay = kung_fu::read_text(text).map_err(|error| error.to_string())?;
        return realtime::frames::last_state(&replay, NOBODY);
    }
    let room = Room::of_file(read(text)?)?;
    let mut state = room.whole(&room.public(0, true, |_| true, 0));
    state.extend(protocol::object(&room.personal(NOBODY)));
    Ok(state)
}

/// Returns the boards of a file's game from ply `from` on, up to the maximum per response.
///
/// # Errors
/// Fails like [`open`], and if the game has fewer moves.
pub(crate) fn positions(text: &str, from: usize) -> Result<Object, String> {
    let room = Room::of_file(read(text)?)?;
    let last = room.table().ply();
    let boards = (from..=last).take(MOST_POSITIONS).map(|ply| room.board_at(ply));
    let boards = boards.collect::<Result<Vec<_>, _>>()?;
    ensure!(!boards.is_empty(), "expected a ply from 0 to {last}, got {from}");
    Ok(protocol::object(&json!({ "positions": boards })))
}

/// Returns the frames of a real-time game, starting with frame `from`.
///
/// # Errors
/// Returns a message for the guest if the file is not such a game, or cannot be replayed.
pub(crate) fn frames(text: &str, from: usize) -> Result<Object, String> {
    let replay = kung_fu::read_text(text).map_err(|error| error.to_string())?;
    realtime::frames::frames(&replay, from)
}

/// Whether a text looks like a kung fu chess replay.
fn is_kung_fu(text: &str) -> bool {
    FileFormat::recognize(text.as_bytes(), None) == Ok(FileFormat::KungFuJson)
}

/// Reads a turn-based game.
fn read(text: &str) -> Result<Box<dyn Table>, String> {
    ensure!(!text.trim_start_matches('\u{feff}').trim_start().is_empty(), "the file is empty");
    let table = fourfold_table::read(text).map_err(|error| error.to_string())?;
    match table.ply() {
        0..=MOST_MOVES => Ok(table),
        more => Err(format!("a replay has at most {MOST_MOVES} moves, got {more}")),
    }
}

#[cfg(test)]
mod tests {
    use fourfold_table::make;
    use serde_json::Value;

    use super::*;

    const SCHOLAR: &str = "[White \"Ada\"] [Black \"Ben\"] [Result \"1-0\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n";

    #[test]
    fn files_of_every_game_can_be_opened() {
        let state = open(SCHOLAR).expect("a game of chess");
        assert_eq!((&state["game"], &state["you"]), (&json!("chess"), &json!([])));
        assert_eq!(state["players"][1]["name"], "Ben");
        assert_eq!(state["outcome"]["text"], "white wins by checkmate");
        assert_eq!(state["moves"].as_array().map(Vec::len), Some(7));
        let seen = positions(SCHOLAR, 6).expect("positions");
        assert_eq!(seen["positions"].as_array().map(Vec::len), Some(2));
        assert_eq!(seen["positions"][1]["last_move"], json!(["h5", "f7"]));
        assert_eq!(positions(SCHOLAR, 8).unwrap_err(), "expected a ply from 0 to 7, got 8");

        for game in fourfold_table::GAMES {
            let mut table = make(game.id).expect("a game");
            let seat = table.acting()[0];
            let code = table.choices(seat)[0].code.clone();
            table.play(&code).expect("legal");
            let name = game.seats[0];
            let tag: String = name[..1].to_uppercase() + &name[1..];
            table.set_tag(&tag, "Ada").expect("a tag for a name");
            let state = open(&table.export()).expect(game.id);
            assert_eq!(state["game"], game.id);
            assert_eq!(state["players"][0]["name"], "Ada", "{}", game.id);
            assert_eq!(state["moves"].as_array().map(Vec::len), Some(1), "{}", game.id);
            let last = positions(&table.export(), 1).expect("a position")["positions"][0].clone();
            for key in ["pieces", "colors", "last_move"] {
                assert_eq!(last[key], state[key], "{}: {key}", game.id);
            }
        }
    }

    #[test]
    fn clocks_of_a_file_are_those_of_the_comments() {
        let clocks = |file: &str| {
            let state = open(file).expect("a game");
            let positions = positions(file, 0).expect("positions")["positions"].clone();
            let positions = positions.as_array().expect("a list");
            let seen: Vec<Value> = positions.iter().map(|seen| seen["clocks"].clone()).collect();
            (state["clock"].clone(), seen)
        };
        let moves =
            "1. e4 {[%clk 0:04:59.5]} e5 {good [%clk 0:04:58]} 2. Nf3 Nc6 {[%clk 0:04:50]} *";
        let (clock, seen) = clocks(&format!("[TimeControl \"300+2\"]\n\n{moves}"));
        assert_eq!(
            clock,
            json!({"initial": 300_000, "increment": 2000, "delay": 0, "delay_left": 0, "left": [299_500, 290_000], "running": null})
        );
        let expected = [
            [300_000, 300_000],
            [299_500, 300_000],
            [299_500, 298_000],
            [299_500, 298_000],
            [299_500, 290_000],
        ];
        assert_eq!(seen, expected.map(|times| json!(times)));
        // Without a known time control, a clock starts with the first time that is known.
        for head in ["", "[TimeControl \"-\"]\n\n", "[TimeControl \"40/7200:3600\"]\n\n"] {
            let (clock, seen) = clocks(&format!("{head}{moves}"));
            assert_eq!(clock["left"], json!([299_500, 290_000]));
            assert_eq!(seen[0], json!([299_500, 298_000]));
        }
        assert_eq!(clocks(SCHOLAR).0, Value::Null);
        assert_eq!(clocks("[TimeControl \"300\"]\n\n1. e4 *").1, [Value::Null, Value::Null]);
    }

    #[test]
    fn invalid_files_are_refused_with_a_reason() {
        assert_eq!(open(" \n").unwrap_err(), "the file is empty");
        assert!(open("{\"a\": 1}").unwrap_err().contains("not a kung fu chess replay"));
        for text in ["(;GM[Go])", "1. e4 e4", "[Red \"Ada\"]\n\n1. z9-z8", "hello"] {
            assert!(open(text).is_err(), "{text}");
        }
        assert!(frames(SCHOLAR, 0).is_err());
    }
}
