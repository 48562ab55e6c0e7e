//! Real-time games over real sockets. Most are fast: one tick per square, and short rests.

use std::time::Duration;

use fourfold_arena::{Limits, Server};
use fourfold_kung_fu::{Outcome, Player};
use fourfold_table::kung_fu::read_text;
use serde_json::{Value, json};

use crate::client::{ADA, BOB, EVE, Page, Rng, fast_limits, get, number, server};

const NONE: Value = Value::Null;
/// One tick per square and no rest.
const FAST: &str = "ticks-per-square=1 rest=0";

fn no_countdown() -> Limits {
    Limits { countdown: Duration::ZERO, ..fast_limits() }
}

impl Page {
    async fn create_kung_fu(&mut self, game: &str, rules: &str, opponent: Value) -> String {
        let command =
            json!({"t": "create", "game": game, "rules": rules, "opponent": opponent, "seat": 0});
        let answer = self.ask(command).await.expect("a game");
        let id = answer["game"].as_str().expect("an id").to_owned();
        self.watch(&id).await;
        id
    }

    /// Returns the id of the piece that stands or rests on a square.
    fn piece(&self, square: &str) -> u64 {
        let pieces = self.state["realtime_pieces"].as_array().expect("pieces").iter();
        let mut there = pieces.filter(|p| p["square"] == square && p["flight"] == NONE);
        there.next().unwrap_or_else(|| panic!("no piece on {square}"))["id"]
            .as_u64()
            .expect("a number")
    }

    async fn order(&mut self, from: &str, to: &str) -> Result<Value, String> {
        let piece = self.piece(from);
        self.ask(json!({"t": "order", "piece": piece, "to": to})).await
    }

    /// Waits until a piece stands or rests on a square.
    async fn wait_for_piece(&mut self, piece: u64, square: &str) {
        self.wait(|state| {
            let mut pieces = state["realtime_pieces"].as_array().expect("pieces").iter();
            pieces.any(|p| p["id"] == piece && p["square"] == square && p["flight"] == NONE)
        })
        .await;
    }

    async fn wait_for_end(&mut self) -> String {
        self.wait(|state| state["outcome"] != NONE).await;
        self.state["outcome"]["text"].as_str().expect("a text").to_owned()
    }
}

/// Starts a game between two friends.
async fn pair(server: &Server, rules: &str) -> (Page, Page, String) {
    let mut ada = Page::open(server, ADA).await;
    let mut bob = Page::open(server, BOB).await;
    let id = ada.create_kung_fu("kung-fu", rules, json!("friend")).await;
    assert_eq!(ada.state["time"]["phase"], "waiting");
    bob.watch(&id).await;
    bob.ask(json!({"t": "sit", "seat": 1})).await.expect("the seat is free");
    ada.wait(|state| state["time"]["phase"] == "running").await;
    (ada, bob, id)
}

#[tokio::test]
async fn orders_are_accepted_with_their_tick_or_refused_with_a_reason() {
    let server = server(None, no_countdown()).await;
    let (mut ada, mut bob, id) = pair(&server, "ticks-per-square=1 rest=100000").await;
    let mut eve = Page::open(&server, EVE).await;
    eve.watch(&id).await;
    let pawn = ada.piece("e2");
    let answer = ada.order("e2", "e4").await.expect("legal");
    assert!(answer["tick"].is_u64(), "{answer}");
    for page in [&mut ada, &mut bob, &mut eve] {
        page.wait_for_piece(pawn, "e4").await;
    }
    let rest =
        bob.state["realtime_pieces"].as_array().expect("pieces").iter().find(|p| p["id"] == pawn);
    let rest = rest.expect("it is there")["rest"].clone();
    assert_eq!(rest[1].as_u64(), rest[0].as_u64().map(|since| since + 100_000));

    let refused = [
        ("e4", "e5", "the piece is resting"),
        ("d2", "d5", "this piece does not move like that"),
        ("a1", "a3", "a piece is in the way, or one of yours is moving there"),
        ("e1", "g1", "the king and the rook cannot castle now"),
        ("a2", "a2", "the piece is already there"),
        ("a2", "a9", "the square is off the board"),
        ("a2", "z99", "the square is off the board"),
        ("a2", "2a", "expected a square such as e4, got '2a'"),
        ("e7", "e5", "the piece belongs to another player"),
    ];
    for (from, to, why) in refused {
        assert_eq!(ada.order(from, to).await.unwrap_err(), why, "{from} to {to}");
    }
    let order = |piece: u64| json!({"t": "order", "piece": piece, "to": "e4"});
    assert_eq!(ada.ask(order(u64::MAX)).await.unwrap_err(), "there is no such piece");
    assert!(eve.ask(order(pawn)).await.unwrap_err().starts_with("you are watching"));
    let targets = ada.ask(json!({"t": "targets", "piece": ada.piece("g1")})).await.expect("mine");
    let mut names: Vec<&str> =
        targets["to"].as_array().expect("squares").iter().filter_map(Value::as_str).collect();
    names.sort_unstable();
    assert_eq!(names, ["e2", "f3", "h3"]);
    for turns in [json!({"t": "move", "move": "e2e4", "ply": 0}), json!({"t": "takeback"})] {
        assert_eq!(ada.ask(turns).await.unwrap_err(), "this game has no such command");
    }
    // The accumulated changes equal the whole state.
    let grown = ada.state.clone();
    ada.ask(json!({"t": "sync"})).await.expect("anybody may look");
    for key in ["realtime_pieces", "players", "premoves", "outcome", "you", "captured"] {
        assert_eq!(sorted(&ada.state[key]), sorted(&grown[key]), "{key}");
    }
    server.stop().await;
}

/// Sorts an array for comparison.
fn sorted(value: &Value) -> Vec<String> {
    let mut texts: Vec<String> = match value {
        Value::Array(list) => list.iter().map(Value::to_string).collect(),
        other => vec![other.to_string()],
    };
    texts.sort();
    texts
}

#[tokio::test]
async fn premoves_are_private_and_run_when_the_piece_has_rested() {
    let server = server(None, no_countdown()).await;
    let (mut ada, mut bob, _) = pair(&server, "ticks-per-square=3 rest=20").await;
    let pawn = ada.piece("e2");
    ada.order("e2", "e3").await.expect("legal");
    let premove = |to: &str| json!({"t": "premove", "piece": pawn, "to": to});
    ada.ask(premove("e5")).await.expect("held, whatever it is");
    assert_eq!(ada.state["premoves"], json!([{"piece": pawn, "to": "e5"}]));
    ada.ask(premove("e4")).await.expect("one for each piece");
    assert_eq!(ada.state["premoves"], json!([{"piece": pawn, "to": "e4"}]));
    assert_eq!(
        ada.ask(premove("e3")).await.unwrap_err(),
        "the piece will already be on that square"
    );
    assert_eq!(ada.ask(premove("j4")).await.unwrap_err(), "the board has no such square");
    let theirs = json!({"t": "cancel", "piece": pawn});
    assert_eq!(bob.ask(theirs.clone()).await.unwrap_err(), "the piece has no premove");
    assert_eq!(bob.state["premoves"], json!([]), "premoves are private");
    bob.wait_for_piece(pawn, "e4").await;
    ada.wait_for_piece(pawn, "e4").await;
    assert_eq!((&ada.state["premoves"], &ada.state["missed"]), (&json!([]), &NONE));

    ada.ask(premove("e8")).await.expect("held");
    ada.ask(theirs).await.expect("it was there");
    ada.ask(premove("a1")).await.expect("held");
    ada.wait(|state| state["missed"] != NONE).await;
    assert_eq!(ada.state["missed"]["why"], "this piece does not move like that");
    assert_eq!(ada.state["premoves"], json!([]));
    // A premove for a piece that has rested is an order.
    let answer = ada.ask(premove("e5")).await.expect("legal");
    assert!(answer["tick"].is_u64());
    bob.wait_for_piece(pawn, "e5").await;
    server.stop().await;
}

#[tokio::test]
async fn replays_match_games_with_king_captures() {
    let server = server(None, no_countdown()).await;
    let (mut ada, mut bob, id) = pair(&server, FAST).await;
    let queen = ada.piece("d1");
    ada.order("e2", "e4").await.expect("legal");
    ada.wait_for_piece(queen, "d1").await;
    for (to, from) in [("h5", "d1"), ("f7", "h5")] {
        ada.order(from, to).await.expect("the way is free");
        ada.wait_for_piece(queen, to).await;
    }
    ada.order("f7", "e8").await.expect("a king stands there");
    let text = "white wins by capturing Black's king";
    assert_eq!(
        (ada.wait_for_end().await, bob.wait_for_end().await),
        (text.to_owned(), text.to_owned())
    );
    assert_eq!(
        ada.state["captured"][0],
        json!([{"piece": "P", "seat": 1}, {"piece": "K", "seat": 1}])
    );
    assert_eq!(ada.state["time"]["phase"], "over");
    assert_eq!(bob.order("a7", "a6").await.unwrap_err(), "the game is over");

    let (_, file) = get(&server, &format!("/g/{id}/export")).await;
    let replay = read_text(&file).expect("a replay");
    let seeker = replay.seeker().expect("it can be played");
    assert!(
        matches!(seeker.last().outcome(), Some(Outcome::Win(who)) if who.contains(Player::ALL[0]))
    );
    assert_eq!(replay.actions.len(), 4);

    ada.ask(json!({"t": "rematch"})).await.expect("the game is over");
    bob.ask(json!({"t": "rematch"})).await.expect("the game is over");
    let next = bob.state["next"].as_str().expect("both want it").to_owned();
    ada.watch(&next).await;
    assert_eq!(ada.state["you"], json!([1]), "the sides are changed");
    assert!(number(&server, "fourfold_tick_lateness_seconds_count").await > Some(0.0));
    server.stop().await;
}

#[tokio::test]
async fn draw_offers_and_resignations() {
    let server = server(None, no_countdown()).await;
    let (mut ada, mut bob, _) = pair(&server, FAST).await;
    assert_eq!(
        bob.ask(json!({"t": "decline"})).await.unwrap_err(),
        "nobody has offered you a draw"
    );
    ada.ask(json!({"t": "draw"})).await.expect("an offer");
    assert_eq!(ada.ask(json!({"t": "draw"})).await.unwrap_err(), "you have already offered a draw");
    bob.wait(|state| state["draw_offer"] == 0).await;
    bob.ask(json!({"t": "decline"})).await.expect("it was offered");
    ada.wait(|state| state["draw_offer"] == NONE).await;
    bob.ask(json!({"t": "draw"})).await.expect("an offer");
    ada.wait(|state| state["draw_offer"] == 1).await;
    ada.ask(json!({"t": "draw"})).await.expect("agreed");
    assert_eq!(bob.wait_for_end().await, "draw by agreement");
    assert_eq!(ada.ask(json!({"t": "resign"})).await.unwrap_err(), "the game is over");

    let id =
        ada.create_kung_fu("kung-fu-12x12", &format!("{FAST} players=123"), json!("friend")).await;
    for (seat, page) in [(1, &mut bob), (2, &mut Page::open(&server, EVE).await)] {
        page.watch(&id).await;
        page.ask(json!({"t": "sit", "seat": seat})).await.expect("the seat is free");
    }
    bob.wait(|state| state["time"]["phase"] == "running").await;
    let answer = bob.ask(json!({"t": "resign"})).await.expect("a player");
    assert!(answer["tick"].is_u64());
    ada.wait(|state| state["eliminated"] == json!([1])).await;
    assert_eq!(ada.state["outcome"], NONE, "two play on");
    assert_eq!(
        bob.ask(json!({"t": "resign"})).await.unwrap_err(),
        "the player is already eliminated"
    );
    ada.ask(json!({"t": "resign"})).await.expect("a player");
    assert_eq!(bob.wait_for_end().await, "yellow wins by resignation");
    server.stop().await;
}

#[tokio::test]
async fn bots_play_every_real_time_game() {
    let server = server(None, no_countdown()).await;
    let game = async |secret, game, rules| {
        let mut page = Page::open(&server, secret).await;
        page.create_kung_fu(game, rules, json!({"bot": "greedy"})).await;
        assert_eq!(page.ask(json!({"t": "draw"})).await.unwrap_err(), "bots do not accept draws");
        // The bots keep playing, and pages receive what happens.
        for _ in 0..20 {
            if page.is_over() {
                break;
            }
            page.receive().await.expect("the server goes on");
        }
        // The resignation eliminates the player, unless a bot has captured the king by then.
        if let Err(why) = page.ask(json!({"t": "resign"})).await {
            assert!(
                ["the player is already eliminated", "the game is over"].contains(&&why[..]),
                "{why}"
            );
        }
    };
    tokio::join!(
        game(ADA, "kung-fu", "ticks-per-square=1 rest=5"),
        game(BOB, "kung-fu-12x12", "ticks-per-square=1 rest=5 teams"),
        game(EVE, "kung-fu-12x12", "ticks-per-square=1 rest=5 players=24"),
    );
    server.stop().await;
}

/// The last level is the strongest one, or a network if one comes with the program.
#[tokio::test]
async fn the_last_level_gives_orders_at_every_speed() {
    let server = server(None, no_countdown()).await;
    let level = fourfold_learned::levels("kung-fu").last().expect("the game has bots");
    for (secret, speed) in [(ADA, "standard"), (BOB, "lightning")] {
        let mut page = Page::open(&server, secret).await;
        page.create_kung_fu("kung-fu", speed, json!({"bot": level.id})).await;
        let is_flying = |state: &serde_json::Map<String, Value>| {
            let mut pieces = state["realtime_pieces"].as_array().expect("pieces").iter();
            pieces.any(|piece| piece["flight"] != NONE)
        };
        page.wait(is_flying).await;
        page.ask(json!({"t": "resign"})).await.expect("a player may resign");
    }
    server.stop().await;
}

#[tokio::test]
async fn games_start_after_the_countdown() {
    let limits = Limits { countdown: Duration::from_secs(3600), ..fast_limits() };
    let server = server(None, limits).await;
    let mut ada = Page::open(&server, ADA).await;
    ada.create_kung_fu("kung-fu-12x12", "lightning", json!("friend")).await;
    let why = ada.order("l6", "k6").await.unwrap_err();
    assert_eq!(why, "waiting for a player to take blue's seat");
    for seat in 1..4 {
        ada.ask(json!({"t": "fill", "seat": seat, "bot": "random"})).await.expect("it is free");
    }
    let time = &ada.state["time"];
    assert_eq!(time["phase"], "running");
    let left = time["from"].as_i64().zip(time["now"].as_i64()).map(|(from, now)| from - now);
    assert!(left.is_some_and(|left| (3_500_000..=3_600_000).contains(&left)), "{time}");
    assert_eq!(ada.order("k6", "j6").await.unwrap_err(), "the game has not started yet");
    ada.ask(json!({"t": "resign"})).await.expect("that may always be");
    ada.wait(|state| state["eliminated"] == json!([0])).await;
    server.stop().await;
}

#[tokio::test]
async fn restored_games_are_paused_until_a_player_returns() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("arena.db");
    let first = server(Some(path.clone()), no_countdown()).await;
    let (mut ada, _bob, id) = pair(&first, "ticks-per-square=100 rest=5").await;
    let answer = ada.order("e2", "e4").await.expect("legal");
    first.stop().await;

    let second = server(Some(path.clone()), no_countdown()).await;
    let mut eve = Page::open(&second, EVE).await;
    eve.watch(&id).await;
    assert_eq!(eve.state["time"]["phase"], "paused");
    let pieces = eve.state["realtime_pieces"].clone();
    let start = answer["tick"].as_u64().expect("a tick") + 1;
    let flying = pieces.as_array().expect("pieces").iter().find(|p| p["flight"] != NONE);
    assert_eq!(flying.expect("it flies")["flight"], json!(["e4", start, start + 200]));
    let stood = eve.state["time"]["now"].clone();
    eve.ask(json!({"t": "sync"})).await.expect("anybody may look");
    assert_eq!(eve.state["time"]["now"], stood, "time stands still for those who only watch");
    let mut ada = Page::open(&second, ADA).await;
    ada.watch(&id).await;
    eve.wait(|state| state["time"]["phase"] == "running").await;
    let pawn = ada.piece("d2");
    ada.order("d2", "d3").await.expect("time runs again");
    ada.wait_for_piece(pawn, "d3").await;
    ada.ask(json!({"t": "resign"})).await.expect("a player");
    ada.wait_for_end().await;
    let (_, file) = get(&second, &format!("/g/{id}/export")).await;
    second.stop().await;

    // A finished game is restored as it ended.
    let third = server(Some(path), no_countdown()).await;
    let mut bob = Page::open(&third, BOB).await;
    bob.watch(&id).await;
    assert_eq!(bob.state["outcome"]["text"], "black wins by resignation");
    assert_eq!(get(&third, &format!("/g/{id}/export")).await.1, file);
    third.stop().await;
}

#[tokio::test]
async fn accepted_orders_survive_a_crash() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("arena.db");
    let doomed = tokio::runtime::Runtime::new().expect("a runtime");
    let start = server(Some(path.clone()), no_countdown());
    let first = doomed.spawn(start).await.expect("it starts");
    let (mut ada, mut bob, id) = pair(&first, "ticks-per-square=20 rest=5").await;
    let pawn = ada.piece("e2");
    let answer = ada.order("e2", "e4").await.expect("legal");
    bob.wait_for_piece(pawn, "e4").await;
    // Nothing on this runtime gets a chance to clean up.
    doomed.shutdown_background();
    std::mem::forget(first);

    let second = server(Some(path), no_countdown()).await;
    assert!(second.storage_error().is_none(), "{:?}", second.storage_error());
    let mut eve = Page::open(&second, EVE).await;
    eve.watch(&id).await;
    let time = eve.state["time"].clone();
    assert_eq!(time["phase"], "paused");
    let ordered = answer["tick"].as_i64().expect("a tick") * 1000 / 30;
    assert!(time["now"].as_i64().is_some_and(|now| now >= ordered), "{time} but {answer}");
    let pieces = eve.state["realtime_pieces"].as_array().expect("pieces").clone();
    let ours = pieces.iter().find(|p| p["id"] == pawn).expect("it is there");
    assert!(ours["flight"][0] == "e4" || ours["square"] == "e4", "{ours}");
    let mut bob = Page::open(&second, BOB).await;
    bob.watch(&id).await;
    bob.wait_for_piece(pawn, "e4").await;
    second.stop().await;
}

#[tokio::test]
async fn hostile_orders_change_nothing() {
    let server = server(None, no_countdown()).await;
    let (mut ada, mut bob, id) = pair(&server, "ticks-per-square=1 rest=0").await;
    let mut eve = Page::open(&server, EVE).await;
    eve.watch(&id).await;
    let mut rng = Rng(7);
    let commands =
        ["order", "premove", "cancel", "targets", "sit", "fill", "draw", "decline", "position"];
    let squares = ["e4", "a1", "h8", "i9", "a0", "e44", "\u{1f600}", "", "aa", "-1", "e99"];
    for round in 0..1500 {
        let number = [0, 12, 31, 32, 255, 256, u64::MAX][rng.below(7)];
        let command = json!({
            "t": commands[rng.below(commands.len())], "piece": number, "seat": rng.below(256),
            "to": squares[rng.below(squares.len())], "bot": "greedy", "ply": number, "tick": number,
        });
        // Eve has no seat, so every command is refused.
        let answer = eve.ask(command.clone()).await;
        assert!(answer.is_err(), "{command}: {answer:?}");
        if round % 10 == 0 {
            // Ada does not own Black's pieces, so none of them may move.
            let _ = ada.ask(command).await;
        }
    }
    bob.ask(json!({"t": "sync"})).await.expect("anybody may look");
    let squares = |state: &serde_json::Map<String, Value>| -> Vec<String> {
        let pieces = state["realtime_pieces"].as_array().expect("pieces").iter();
        let black = pieces.filter(|p| p["seat"] == 1);
        black.map(|p| p["square"].as_str().expect("a name").to_owned()).collect()
    };
    let on = |ranks: [char; 2]| move |square: &String| ranks.iter().any(|r| square.ends_with(*r));
    assert!(squares(&bob.state).iter().all(on(['7', '8'])), "black has not moved");
    for rules in [
        "8x8",
        "ticks-per-square=0",
        "players=1",
        "teams teams",
        "bots=2",
        "\u{0}",
        "rest=99999999999",
    ] {
        let command =
            json!({"t": "create", "game": "kung-fu", "rules": rules, "opponent": "friend"});
        assert!(ada.ask(command).await.is_err(), "{rules}");
    }
    let create = |game: &str, opponent: &str, rules: &str| json!({"t": "create", "game": game, "opponent": opponent, "rules": rules});
    assert!(ada.ask(create("kung-fu", "self", "")).await.unwrap_err().contains("on one screen"));
    assert!(
        ada.ask(create("chess", "self", "lightning"))
            .await
            .unwrap_err()
            .contains("no rule options")
    );
    server.stop().await;
}
