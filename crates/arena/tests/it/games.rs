//! Games between people, and against bots.

use std::time::Duration;

use fourfold_arena::Limits;
use serde_json::{Value, json};

use crate::client::{ADA, BOB, EVE, Page, Rng, fast_limits, get, number, server, until};

const NONE: Value = Value::Null;

#[tokio::test]
async fn spectators_see_the_same_game_as_the_player() {
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open(&server, ADA).await;
    let mut eve = Page::open(&server, EVE).await;
    let game = ada.create(json!({"bot": "greedy"}), 1).await;
    ada.watch(&game).await;
    eve.watch(&game).await;
    assert_eq!(eve.state["you"], json!([]));
    for turn in 0.. {
        ada.wait_for_turn().await;
        if ada.is_over() {
            break;
        }
        if turn == 60 {
            ada.ask(json!({"t": "resign"})).await.expect("players may resign");
            break;
        }
        let moves = ada.legal_moves();
        ada.play(&moves[turn * 7 % moves.len()]).await.expect("legal");
    }
    assert!(ada.is_over());
    eve.wait(|state| state["outcome"] != NONE).await;
    for page in [&mut ada, &mut eve] {
        // The accumulated changes equal the whole state. The last update changes the ratings.
        page.wait(|state| state["ratings"][1]["rating_change"].is_number()).await;
        let grown = page.state.clone();
        page.ask(json!({"t": "sync"})).await.expect("anybody may look");
        assert_eq!(page.state, grown);
    }
    assert_eq!(ada.state["moves"], eve.state["moves"]);
    let refusal = ada.play("e2e4").await.unwrap_err();
    assert!(refusal.starts_with("the game is over: "), "{refusal}");
    server.stop().await;
}

#[tokio::test]
async fn a_change_is_as_large_after_many_moves_as_after_few() {
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open(&server, ADA).await;
    let mut eve = Page::open(&server, EVE).await;
    for (game, largest) in [("four-player", 1500), ("blokus-2", 3000)] {
        let game = ada.create_of(game, json!("self"), 0, Value::Null).await;
        ada.watch(&game).await;
        eve.watch(&game).await;
        eve.keep_all();
        let mut rng = Rng(5);
        while ada.moves().len() < 150 && !ada.is_over() {
            let moves = ada.legal_moves();
            ada.play(&moves[rng.below(moves.len())]).await.expect("legal");
        }
        let count = ada.moves().len();
        eve.wait(|state| state["moves"].as_array().is_some_and(|moves| moves.len() == count)).await;
        let deltas = eve.received.take().expect("it is kept");
        let deltas = deltas.iter().filter(|message| message["moves"]["add"].is_array());
        for (ply, delta) in deltas.clone().enumerate() {
            assert_eq!(delta["moves"]["keep"], ply);
            assert_eq!(delta["moves"]["add"].as_array().map(Vec::len), Some(1));
            let size = delta.to_string().len();
            assert!(size < largest, "{size} bytes after {ply} moves: {delta}");
        }
        assert_eq!(deltas.count(), count);
        assert!(count > 40, "{count}");
        assert!(Value::Object(eve.state.clone()).to_string().len() > 2 * largest);
    }
    server.stop().await;
}

#[tokio::test]
async fn friends_play_by_link_and_others_watch() {
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open(&server, ADA).await;
    let mut bob = Page::open(&server, BOB).await;
    let mut eve = Page::open(&server, EVE).await;
    let game = ada.create(json!("friend"), 0).await;
    ada.watch(&game).await;
    assert_eq!(ada.state["players"][1]["kind"], "open");
    assert_eq!(ada.play("e2e4").await.unwrap_err(), "waiting for a player to take black's seat");
    bob.watch(&game).await;
    assert_eq!(bob.ask(json!({"t": "sit", "seat": 0})).await.unwrap_err(), "white's seat is taken");
    assert_eq!(bob.ask(json!({"t": "sit", "seat": 7})).await.unwrap_err(), "there is no seat 7");
    bob.ask(json!({"t": "sit", "seat": 1})).await.expect("the seat is free");
    assert_eq!(bob.ask(json!({"t": "sit", "seat": 1})).await.unwrap_err(), "black's seat is taken");
    eve.watch(&game).await;
    for command in ["resign", "draw", "claim", "takeback", "decline_takeback", "rematch", "decline"]
    {
        let refusal = eve.ask(json!({"t": command})).await.unwrap_err();
        assert_eq!(refusal, "you are watching: only players can do that", "{command}");
    }
    let refusal = eve.play("e2e4").await.unwrap_err();
    assert_eq!(refusal, "you are watching: only players can do that");

    ada.wait_for_turn().await;
    assert_eq!(bob.play("e7e5").await.unwrap_err(), "black may not move now");
    ada.play("e2e4").await.expect("legal");
    bob.wait_for_turn().await;
    let late = json!({"t": "move", "move": "e7e5", "ply": 0});
    assert_eq!(bob.ask(late).await.unwrap_err(), "the position has changed in the meantime");
    bob.play("e7e5").await.expect("legal");

    ada.wait_for_turn().await;
    let refusal = ada.ask(json!({"t": "takeback"})).await.unwrap_err();
    assert_eq!(refusal, "takebacks are available only in casual games");
    assert!(ada.ask(json!({"t": "claim"})).await.is_err());
    ada.ask(json!({"t": "draw"})).await.expect("an offer");
    assert_eq!(ada.ask(json!({"t": "draw"})).await.unwrap_err(), "you have already offered a draw");
    bob.wait(|state| state["draw_offer"] == json!(0)).await;
    bob.ask(json!({"t": "decline"})).await.expect("there is an offer");
    ada.wait(|state| state["draw_offer"] == NONE).await;
    ada.ask(json!({"t": "draw"})).await.expect("another offer");
    bob.wait(|state| state["draw_offer"] == json!(0)).await;
    bob.ask(json!({"t": "draw"})).await.expect("accepted");
    ada.wait(|state| state["outcome"] != NONE).await;
    assert_eq!(ada.state["outcome"]["text"], "draw by agreement");

    ada.ask(json!({"t": "rematch"})).await.expect("the game is over");
    assert_eq!(ada.state["next"], NONE);
    bob.ask(json!({"t": "rematch"})).await.expect("the game is over");
    ada.wait(|state| state["next"] != NONE).await;
    let next = ada.state["next"].as_str().expect("an id").to_owned();
    ada.watch(&next).await;
    assert_eq!(ada.state["you"], json!([1]), "the seats have changed");
    server.stop().await;
}

#[tokio::test]
async fn friends_agree_on_takebacks_in_casual_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("arena.db");
    let first = server(Some(data.clone()), fast_limits()).await;
    let mut ada = Page::open(&first, ADA).await;
    let mut bob = Page::open(&first, BOB).await;
    let create = json!({"t": "create", "game": "chess", "opponent": "friend", "seat": 0, "clock": null, "casual": true});
    let game = ada.ask(create).await.expect("a game")["game"].as_str().expect("an id").to_owned();
    ada.watch(&game).await;
    bob.watch(&game).await;
    bob.ask(json!({"t": "sit", "seat": 1})).await.expect("the seat is free");
    ada.wait_for_turn().await;
    ada.play("e2e4").await.expect("legal");
    bob.wait_for_turn().await;
    bob.play("e7e5").await.expect("legal");
    ada.wait(|state| state["takeback"] == json!(true) && state["acting"] == json!([0])).await;

    let (takeback, decline) = (json!({"t": "takeback"}), json!({"t": "decline_takeback"}));
    ada.ask(takeback.clone()).await.expect("a request");
    bob.wait(|state| state["takeback_offer"] == json!(0)).await;
    bob.ask(decline.clone()).await.expect("a request is pending");
    ada.wait(|state| state["takeback_offer"] == NONE).await;
    assert_eq!(ada.moves(), ["e2e4", "e7e5"]);
    // A request is still there after a restart.
    ada.ask(takeback.clone()).await.expect("another request");
    bob.wait(|state| state["takeback_votes"] == json!([0])).await;
    first.stop().await;
    let second = server(Some(data), fast_limits()).await;
    let mut ada = Page::open(&second, ADA).await;
    let mut bob = Page::open(&second, BOB).await;
    ada.watch(&game).await;
    bob.watch(&game).await;
    assert_eq!(bob.state["takeback_offer"], json!(0));
    bob.ask(takeback).await.expect("accepted");
    assert_eq!(bob.moves(), Vec::<String>::new());
    ada.wait(|state| state["moves"] == json!([])).await;
    assert_eq!(bob.ask(decline).await.unwrap_err(), "nobody has asked you for a takeback");
    ada.wait_for_turn().await;
    ada.play("d2d4").await.expect("legal");
    second.stop().await;
}

#[tokio::test]
async fn takebacks_against_bots_and_on_one_screen() {
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open(&server, ADA).await;
    let game = ada.create(json!({"bot": "random"}), 0).await;
    ada.watch(&game).await;
    assert_eq!(ada.state["takeback"], json!(false));
    let refusal = ada.ask(json!({"t": "takeback"})).await.unwrap_err();
    assert_eq!(refusal, "there is no move of yours to take back");
    ada.play("e2e4").await.expect("legal");
    ada.wait_for_turn().await;
    assert_eq!(ada.moves().len(), 2);
    ada.ask(json!({"t": "takeback"})).await.expect("against a bot");
    assert_eq!(ada.moves().len(), 0);
    assert_eq!(ada.legal_moves().len(), 20);
    // Also while the bot is thinking.
    ada.play("d2d4").await.expect("legal");
    ada.ask(json!({"t": "takeback"})).await.expect("against a bot");
    ada.wait_for_turn().await;
    ada.play("g1f3").await.expect("legal");
    ada.wait_for_turn().await;
    assert_eq!(ada.moves()[0], "g1f3");
    assert_eq!(ada.moves().len(), 2);
    let refusal = ada.ask(json!({"t": "draw"})).await.unwrap_err();
    assert_eq!(refusal, "Random declines the draw");

    let game = ada.create(json!("self"), 0).await;
    ada.watch(&game).await;
    assert_eq!(ada.state["you"], json!([0, 1]));
    for code in ["f2f3", "e7e5", "g2g4"] {
        ada.play(code).await.expect("legal");
    }
    ada.ask(json!({"t": "takeback"})).await.expect("at one board");
    assert_eq!(ada.moves(), ["f2f3", "e7e5"]);
    ada.play("g2g4").await.expect("legal");
    let position = ada.ask(json!({"t": "position", "ply": 1})).await.expect("there is such a ply");
    assert_eq!(position["last_move"], json!(["f2", "f3"]));
    assert!(ada.ask(json!({"t": "position", "ply": 4})).await.is_err());
    ada.play("d8h4").await.expect("legal");
    assert_eq!(ada.state["outcome"]["text"], "black wins by checkmate");
    ada.ask(json!({"t": "rematch"})).await.expect("at one board nobody else is asked");
    assert_ne!(ada.state["next"], NONE);
    server.stop().await;
}

#[tokio::test]
async fn a_timeout_loses_the_game() {
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open(&server, ADA).await;
    let clock = json!({"initial": 1000, "increment": 0});
    let command =
        json!({"t": "create", "game": "chess", "opponent": "self", "seat": 0, "clock": clock});
    let game = ada.ask(command).await.expect("a game")["game"].as_str().expect("an id").to_owned();
    ada.watch(&game).await;
    assert_eq!(ada.state["clock"]["running"], NONE, "the first move is free");
    ada.play("e2e4").await.expect("legal");
    assert_eq!(ada.state["clock"]["running"], json!(1));
    ada.wait(|state| state["outcome"] != NONE).await;
    assert_eq!(ada.state["outcome"]["text"], "white wins by time forfeit");
    assert_eq!(ada.state["clock"]["left"], json!([1000, 0]));
    server.stop().await;
}

#[tokio::test]
async fn names_are_kept_and_shown() {
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open(&server, ADA).await;
    assert!(ada.hello["name"].as_str().is_some_and(|name| name.starts_with("Guest ")));
    let game = ada.create(json!("friend"), 0).await;
    ada.watch(&game).await;
    ada.ask(json!({"t": "name", "name": "  Ada <b> "})).await.expect("a name");
    ada.wait(|state| state["players"][0]["name"] == "Ada <b>").await;
    assert!(ada.ask(json!({"t": "name", "name": ""})).await.is_err());
    let again = Page::open(&server, ADA).await;
    assert_eq!(again.hello["name"], "Ada <b>");
    server.stop().await;
}

#[tokio::test]
async fn live_game_runs_while_it_is_watched() {
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open(&server, ADA).await;
    let live = ada.hello["live"].as_str().expect("an id").to_owned();
    ada.watch(&live).await;
    ada.wait(|state| state["moves"].as_array().is_some_and(|moves| moves.len() >= 6)).await;
    assert!(ada.play("e2e4").await.is_err());
    ada.ask(json!({"t": "leave"})).await.expect("anybody may go");
    assert_eq!(ada.ask(json!({"t": "sync"})).await.unwrap_err(), "watch a game first");
    server.stop().await;
}

#[tokio::test]
async fn bots_do_not_answer_moves_that_were_taken_back() {
    let limits = Limits { bot_pace: Duration::from_millis(300), ..fast_limits() };
    let server = server(None, limits).await;
    let mut ada = Page::open(&server, ADA).await;
    let game = ada.create(json!({"bot": "greedy"}), 0).await;
    ada.watch(&game).await;
    ada.play("d2d3").await.expect("legal");
    ada.wait_for_turn().await;
    // Play a bishop move that hangs it, take it back, and play another move at the same ply. The
    // bot's answer to the first must not be played as the answer to the second.
    for offer in ["c1h6", "c1g5", "c1f4"] {
        if ada.legal_moves().contains(&offer.to_owned()) {
            ada.play(offer).await.expect("legal");
            ada.ask(json!({"t": "takeback"})).await.expect("against a bot");
        }
    }
    ada.play("a2a3").await.expect("legal");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let seed = game.bytes().fold(0, |seed: u64, byte| seed.rotate_left(7) ^ u64::from(byte));
    let mut bot = fourfold_bots::make("chess", "greedy", seed).expect("a bot");
    let moves = ada.moves();
    let situation = fourfold_bots::Situation { start, moves: &moves };
    let expected = bot.think(&situation, fourfold_bots::Budget::nodes(100_000)).expect("a move");
    ada.wait_for_turn().await;
    assert_eq!(ada.moves()[3], expected.code);
    server.stop().await;
}

#[tokio::test]
async fn pages_receive_only_the_game_they_watch() {
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open(&server, ADA).await;
    let mut eve = Page::open(&server, EVE).await;
    let busy = ada.create(json!("self"), 0).await;
    let quiet = ada.create(json!("self"), 0).await;
    ada.watch(&busy).await;
    // The client checks that no sequence number is skipped, so an update of the other game would
    // show.
    for _ in 0..100 {
        eve.watch(&busy).await;
        ada.play("e2e4").await.expect("legal");
        ada.ask(json!({"t": "takeback"})).await.expect("at one board");
        eve.watch(&quiet).await;
        assert_eq!(eve.moves().len(), 0);
    }
    eve.ask(json!({"t": "sync"})).await.expect("anybody may look");
    server.stop().await;
}

#[tokio::test]
async fn two_pages_of_a_new_guest_are_one_guest() {
    let server = server(None, fast_limits()).await;
    for number in 0..20 {
        let secret = format!("{number:032x}");
        let (one, other) = tokio::join!(Page::open(&server, &secret), Page::open(&server, &secret));
        let (mut one, mut other) = (one, other);
        let game = one.create(json!("self"), 0).await;
        other.watch(&game).await;
        assert_eq!(other.state["you"], json!([0, 1]), "guest {number}");
    }
    server.stop().await;
}

/// The last level is the strongest one, or a network where one comes with the program.
#[tokio::test]
async fn the_last_level_of_every_game_moves() {
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open(&server, ADA).await;
    for game in fourfold_table::GAMES.iter() {
        let level = fourfold_learned::levels(game.id).last().expect("every game has bots");
        let id = ada.create_of(game.id, json!({"bot": level.id}), 1, Value::Null).await;
        ada.watch(&id).await;
        ada.wait(|state| state["moves"].as_array().is_some_and(|moves| !moves.is_empty())).await;
        ada.ask(json!({"t": "resign"})).await.expect("a player may resign");
    }
    server.stop().await;
}

#[tokio::test]
async fn failed_rematches_can_be_retried() {
    let server = server(None, Limits { games_per_guest: 1, ..fast_limits() }).await;
    let mut ada = Page::open(&server, ADA).await;
    let game = ada.create(json!({"bot": "random"}), 0).await;
    ada.watch(&game).await;
    ada.ask(json!({"t": "resign"})).await.expect("a player");
    let other = ada.create(json!("self"), 0).await;
    let refusal = ada.ask(json!({"t": "rematch"})).await.unwrap_err();
    assert!(refusal.starts_with("you have 1 unfinished games"), "{refusal}");
    assert_eq!(ada.state["rematch"], json!([]), "nothing has changed");
    ada.watch(&other).await;
    ada.ask(json!({"t": "resign"})).await.expect("a player");
    ada.watch(&game).await;
    ada.ask(json!({"t": "rematch"})).await.expect("there is room now");
    assert_ne!(ada.state["next"], NONE);
    server.stop().await;
}

#[tokio::test]
async fn unwatched_games_are_unloaded_and_reloaded() {
    let server = server(None, Limits { unload_after: Duration::ZERO, ..fast_limits() }).await;
    let mut ada = Page::open(&server, ADA).await;
    let mut games = Vec::new();
    for number in 0..5 {
        let game = ada.create(json!("self"), 0).await;
        ada.watch(&game).await;
        ada.play(["e2e4", "d2d4", "c2c4", "b2b4", "a2a4"][number]).await.expect("legal");
        ada.ask(json!({"t": "leave"})).await.expect("anybody may go");
        games.push(game);
    }
    // A game leaves memory a moment after its last viewer; only that of the home page stays.
    until(async || number(&server, "fourfold_games_loaded").await == Some(1.0)).await;
    for (number, game) in games.iter().enumerate() {
        ada.watch(game).await;
        assert_eq!(ada.moves(), [["e2e4", "d2d4", "c2c4", "b2b4", "a2a4"][number]]);
    }
    server.stop().await;
}

#[tokio::test]
async fn an_exported_game_says_when_how_and_in_what_time_it_was_played() {
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open(&server, ADA).await;
    ada.ask(json!({"t": "name", "name": "Ada"})).await.expect("a name");
    let clock = json!({"initial": 300_000, "increment": 3_000});
    let game = ada.create_of("chess", json!({"bot": "random"}), 0, clock).await;
    ada.watch(&game).await;
    assert_eq!(ada.state["opening"], NONE);
    ada.play("e2e4").await.expect("legal");
    ada.wait_for_turn().await;
    assert!(
        ada.state["opening"]
            .as_str()
            .is_some_and(|name| name.starts_with('B') || name.starts_with('C'))
    );
    let (_, file) = get(&server, &format!("/g/{game}/export")).await;
    let head = "[Event \"Rated game against a bot\"]\n[Site \"Fourfold\"]\n[Date \"20";
    assert!(file.starts_with(head), "{file}");
    for line in [
        "[Round \"-\"]\n[White \"Ada\"]\n[Black \"Random\"]\n[Result \"*\"]\n",
        "[TimeControl \"300+3\"]\n",
        "[WhiteElo \"1500\"]\n[BlackElo \"400\"]\n",
        "[Termination \"unterminated\"]\n",
        "1. e4 { [%clk 0:05:00] } ",
        "[%clk 0:05:0",
    ] {
        assert!(file.contains(line), "{line}\n{file}");
    }
    assert_eq!(file.matches("%clk").count(), 2, "{file}");
    ada.ask(json!({"t": "resign"})).await.expect("a player");
    let (_, file) = get(&server, &format!("/g/{game}/export")).await;
    assert!(file.contains("[Termination \"resignation\"]") && file.ends_with(" 0-1\n"), "{file}");

    let game = ada.create_of("chess", json!({"bot": "random"}), 0, Value::Null).await;
    ada.watch(&game).await;
    ada.ask(json!({"t": "abort"})).await.expect("nobody has moved");
    let (_, file) = get(&server, &format!("/g/{game}/export")).await;
    for line in ["[Date \"????.??.??\"]", "[TimeControl \"-\"]", "[Termination \"abandoned\"]"] {
        assert!(file.contains(line), "{line}\n{file}");
    }
    server.stop().await;
}
