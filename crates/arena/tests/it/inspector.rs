//! The environment inspector, compared with environments that the tests create.

use fourfold_arena::{Limits, Server};
use fourfold_env::{
    Autoreset, DescribedBatch, MaskRows, ObservationRows, Options, Outputs, Rows, ValueRows, make,
};
use serde_json::{Value, json};

use crate::client::{ADA, BOB, Page, Rng, fast_limits, server, until};
use crate::study::{START, post};

async fn ask(server: &Server, question: &Value) -> Result<Value, String> {
    let (status, body) =
        post(server, "/environments?v=3", "", question.to_string().as_bytes()).await;
    assert_eq!(status, 200, "{body}");
    let answer: Value = serde_json::from_str(&body).expect("JSON");
    match answer["t"].as_str() {
        Some("ok") => Ok(answer),
        _ => Err(answer["why"].as_str().expect("a reason").to_owned()),
    }
}

/// A game type, its environment and the options.
type Case = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

const WORLDS: [Case; 9] = [
    ("chess", "chess", &[]),
    ("four-player", "four_player", &[]),
    ("four-player-teams", "four_player", &[("mode", "teams")]),
    ("blokus", "blokus", &[]),
    ("blokus-2", "blokus", &[("players", "2")]),
    ("blokus-3", "blokus", &[("players", "3")]),
    ("blokus-duo", "blokus_duo", &[]),
    ("kung-fu", "kung_fu", &[]),
    ("kung-fu-12x12", "kung_fu_4p", &[]),
];

fn world(env: &str, options: &[(&str, &str)]) -> Box<dyn DescribedBatch> {
    let how = Options { autoreset: Autoreset::Disabled, ..Options::default() };
    make(env, options, 1, how).expect("an environment")
}

/// Returns a seat's observation, legal actions, and the additional array.
fn seen(batch: &mut dyn DescribedBatch, seat: usize) -> (Vec<f32>, Vec<i32>, Vec<f32>) {
    let spec = batch.spec().clone();
    let (views, layout) = (spec.mask_rows(), &spec.observation);
    let mut values = vec![0.0; views * layout.values()];
    let mut scalars = vec![0.0; views * layout.scalars];
    let mut mask = vec![false; views * spec.actions];
    let out = Outputs {
        mask: MaskRows::Bool(Rows::new(&mut mask, views * spec.actions)),
        observation: ObservationRows {
            values: ValueRows::Float(Rows::new(&mut values, views * layout.values())),
            scalars: Rows::new(&mut scalars, views * layout.scalars),
        },
        ..Outputs::none()
    };
    batch.write_outputs(out).expect("it fits");
    let row = if views > 1 { seat } else { 0 };
    let values = values[row * layout.values()..][..layout.values()].to_vec();
    let extra_array = scalars[row * layout.scalars..][..layout.scalar_array_len()].to_vec();
    let mask = &mask[row * spec.actions..][..spec.actions];
    let legal = (0..).zip(mask).filter_map(|(id, &is)| is.then_some(id)).collect();
    (values, legal, extra_array)
}

/// Compares an answer with an environment in the same position.
fn compare(response: &Value, batch: &mut dyn DescribedBatch, seat: usize) {
    let (values, legal, extra_array) = seen(batch, seat);
    let channels = response["channels"].as_array().expect("channels");
    let layout = batch.spec().observation.clone();
    assert_eq!(response["shape"], json!([layout.height, layout.width, layout.channels.len()]));
    for (index, channel) in channels.iter().enumerate() {
        for square in 0..layout.height * layout.width {
            let value = match &channel["values"] {
                Value::Array(values) => &values[square],
                everywhere => everywhere,
            };
            let expected = values[square * channels.len() + index];
            assert_eq!(
                value.as_f64().map(|value| value as f32),
                Some(expected),
                "{channel} {square}"
            );
        }
    }
    let response_array: Vec<f32> = match &response["extra_array"] {
        Value::Null => Vec::new(),
        array => {
            let values = array["values"].as_array().expect("numbers").iter();
            values.filter_map(Value::as_f64).map(|value| value as f32).collect()
        }
    };
    assert_eq!(response_array, extra_array);
    let actions = response["legal"].as_array().expect("actions");
    let ids: Vec<i32> =
        actions.iter().map(|action| action["id"].as_i64().expect("an id") as i32).collect();
    assert_eq!(ids, legal);
    assert_eq!(response["mask_count"], legal.len());
    assert_eq!(response["position"], batch.texts()[0]);
    // The cells of an action must be the squares in its text.
    for action in actions.iter().filter(|action| !action["plane"].is_null()) {
        let names: Vec<&str> = action["cells"]
            .as_array()
            .expect("cells")
            .iter()
            .map(|cell| {
                response["squares"][cell.as_u64().expect("a place") as usize]
                    .as_str()
                    .expect("a square")
            })
            .collect();
        let text = action["text"].as_str().expect("a text");
        if response["simultaneous"] == true {
            // `P:1:6:4->4,4` ends with row and column.
            let (row, column) =
                text.split_once("->").and_then(|(_, to)| to.split_once(',')).expect("an order");
            let rows = &response["board"]["rows"];
            let [row, column] = [row, column].map(|text| text.parse::<usize>().expect("a number"));
            assert_eq!(rows[row][column], names[1], "{text}");
        } else if response["pieces"] != json!([]) {
            assert!(text.starts_with(&names.concat()), "{text}: {names:?}");
        } else {
            let mut covered: Vec<&str> = text.split(',').collect();
            let mut names = names;
            covered.sort_unstable();
            names.sort_unstable();
            assert_eq!(covered, names);
        }
    }
}

#[tokio::test]
async fn planes_and_masks_match_the_environment() {
    let server = server(None, fast_limits()).await;
    let mut rng = Rng(11);
    for (game, env, options) in WORLDS {
        let mut batch = world(env, options);
        batch.reset(Some(5));
        let (rows, players) = (batch.spec().mask_rows(), batch.spec().players);
        let mut moves: Vec<String> = Vec::new();
        for step in 0..16 {
            if step % 5 == 0 || step == 1 {
                let seat = if rows > 1 { Some(rng.below(players)) } else { None };
                let question = json!({"t": "inspect", "game": game, "moves": moves, "seat": seat});
                let response =
                    ask(&server, &question).await.unwrap_or_else(|why| panic!("{game}: {why}"));
                compare(&response, &mut *batch, seat.unwrap_or(0));
                assert_eq!((&response["game"], &response["moves"]), (&json!(game), &json!(moves)));
                assert!(response["channels"].as_array().is_some_and(|all| !all.is_empty()));
            }
            let mut actions = vec![0; rows];
            batch.sample(None, &mut actions).expect("one action per row");
            moves.push(batch.write_actions(&actions).expect("legal").join(" "));
            batch.step(&actions, Outputs::none()).expect("legal");
        }
        // The position as text leads to the same place, without the moves before it.
        let text = batch.texts()[0].clone();
        let response = ask(&server, &json!({"t": "inspect", "game": game, "position": text}))
            .await
            .expect(game);
        let mut there = world(env, options);
        there.reset_to(None, &[&text]).expect("a position");
        compare(&response, &mut *there, 0);
    }
    server.stop().await;
}

#[tokio::test]
async fn start_position_numbers() {
    let server = server(None, fast_limits()).await;
    let chess = ask(&server, &json!({"t": "inspect", "game": "chess"})).await.expect("a start");
    assert_eq!((&chess["mask_count"], &chess["actions"]), (&json!(20), &json!(4672)));
    assert_eq!(chess["shape"], json!([8, 8, 119]));
    assert_eq!(chess["planes"].as_array().map(Vec::len), Some(73));
    let pawns = &chess["channels"][0];
    assert_eq!((&pawns["group"], &pawns["name"]), (&json!("now"), &json!("my pawns")));
    let row = |square: usize| pawns["values"][square].as_u64();
    assert!((48..56).all(|square| row(square) == Some(1)) && row(47) == Some(0));
    assert_eq!(chess["squares"][0], "a8");
    let e2e4 = chess["legal"].as_array().expect("actions").iter().find(|one| one["text"] == "e2e4");
    assert_eq!(e2e4.expect("it is legal")["id"], 2426);
    let four =
        ask(&server, &json!({"t": "inspect", "game": "four-player"})).await.expect("a start");
    assert_eq!((&four["mask_count"], &four["squares"][0]), (&json!(20), &Value::Null));
    let duo = ask(&server, &json!({"t": "inspect", "game": "blokus-duo"})).await.expect("a start");
    assert_eq!(
        (&duo["extra_array"]["name"], &duo["extra_array"]["shape"]),
        (&json!("pieces_left"), &json!([2, 21]))
    );
    let black = json!({"t": "inspect", "game": "chess", "moves": ["e4"]});
    let black = ask(&server, &black).await.expect("legal");
    assert_eq!(
        (&black["seat"], &black["squares"][0]),
        (&json!(1), &json!("a1")),
        "ranks are flipped"
    );
    let mate = json!({"t": "inspect", "game": "chess", "moves": ["f3", "e5", "g4", "Qh4#"]});
    let mate = ask(&server, &mate).await.expect("legal");
    assert_eq!(
        (&mate["ending"], &mate["mask_count"], &mate["legal"]),
        (&json!("checkmate"), &json!(4672), &json!([]))
    );
    server.stop().await;
}

#[tokio::test]
async fn random_steps_are_determined_by_the_seed() {
    let server = server(None, fast_limits()).await;
    for (game, env, options) in WORLDS {
        let question = json!({"t": "inspect", "game": game, "random": 20, "seed": 9});
        let response = ask(&server, &question).await.expect(game);
        assert_eq!(response["moves"].as_array().map(Vec::len), Some(20), "{game}");
        assert_eq!(ask(&server, &question).await.expect(game), response, "{game}");
        let mut batch = world(env, options);
        for text in response["moves"].as_array().expect("moves") {
            let text = text.as_str().expect("a move");
            let texts: Vec<&str> =
                if batch.spec().simultaneous { text.split(' ').collect() } else { vec![text] };
            let actions = batch.read_actions(&texts).expect("legal");
            batch.step(&actions, Outputs::none()).expect("legal");
        }
        compare(&response, &mut *batch, 0);
    }
    let question = json!({"t": "inspect", "game": "blokus-duo", "random": 200, "seed": 3});
    let end = ask(&server, &question).await.expect("a whole game");
    assert_eq!(end["ending"], "no placement left");
    assert!(end["moves"].as_array().is_some_and(|moves| moves.len() <= 42));
    server.stop().await;
}

#[tokio::test]
async fn follow_shows_the_current_position() {
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open(&server, ADA).await;
    let game = ada.create(json!("self"), 0).await;
    ada.watch(&game).await;
    // A threefold repetition must be claimed, so the game goes on.
    let back_and_forth = ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle().take(10);
    let codes: Vec<&str> = ["e2e4", "e7e5"].into_iter().chain(back_and_forth).collect();
    for code in &codes {
        ada.play(code).await.expect("legal");
    }
    let response = ask(&server, &json!({"t": "follow", "game": game})).await.expect("a game");
    let mut batch = world("chess", &[("claim", "off"), ("max_steps", "1000000")]);
    for code in &codes {
        let actions = batch.read_actions(&[code]).expect("legal");
        batch.step(&actions, Outputs::none()).expect("legal");
    }
    compare(&response, &mut *batch, 0);
    assert_eq!((&response["ending"], &response["moves"]), (&Value::Null, &json!(codes)));
    ada.ask(json!({"t": "resign"})).await.expect("a player");
    let over = ask(&server, &json!({"t": "follow", "game": game})).await.expect("it is kept");
    assert_eq!(over["position"], response["position"]);

    let duo = ada.create_of("blokus-duo", json!("self"), 0, Value::Null).await;
    ada.watch(&duo).await;
    let choice = ada.legal_moves()[3].clone();
    ada.play(&choice).await.expect("legal");
    let response = ask(&server, &json!({"t": "follow", "game": duo})).await.expect("a game");
    assert_eq!((&response["game"], &response["seat"]), (&json!("blokus-duo"), &json!(1)));
    assert_eq!(
        ask(&server, &json!({"t": "follow", "game": "live"})).await.expect("a show")["game"],
        "chess"
    );
    server.stop().await;
}

#[tokio::test]
async fn follow_does_not_reveal_premoves() {
    let limits = Limits { countdown: std::time::Duration::ZERO, ..fast_limits() };
    let server = server(None, limits).await;
    let (mut ada, mut bob) = (Page::open(&server, ADA).await, Page::open(&server, BOB).await);
    let create = json!({"t": "create", "game": "kung-fu", "opponent": "friend", "seat": 0, "rules": "ticks-per-square=1000 rest=300"});
    let game = ada.ask(create).await.expect("a game")["game"].as_str().expect("an id").to_owned();
    ada.watch(&game).await;
    bob.watch(&game).await;
    bob.ask(json!({"t": "sit", "seat": 1})).await.expect("it is open");
    let pieces = ada.state["realtime_pieces"].as_array().expect("pieces").clone();
    let pawn = pieces.iter().find(|piece| piece["square"] == "e2").expect("a pawn")["id"].clone();
    until(async || ada.ask(json!({"t": "order", "piece": pawn, "to": "e4"})).await.is_ok()).await;
    let follow = json!({"t": "follow", "game": game, "seat": 1});
    let before = ask(&server, &follow).await.expect("a game");
    ada.ask(json!({"t": "premove", "piece": pawn, "to": "e5"})).await.expect("it is held");
    let after = ask(&server, &follow).await.expect("a game");
    // Time has passed; everything else is the same.
    let flying = |response: &Value| {
        let channel = |name: &str| {
            let channels = response["channels"].as_array().expect("channels").iter();
            channels
                .filter(|one| one["name"] == name)
                .map(|one| one["values"].clone())
                .collect::<Vec<_>>()
        };
        (channel("destinations"), channel("pawns in flight"), channel("pawns standing"))
    };
    assert_eq!(flying(&before), flying(&after));
    assert_eq!(before["legal"], after["legal"]);
    assert_eq!(after["options"], Value::Null);
    assert!(after["python"].as_str().is_some_and(|lines| lines.contains("ticks_per_square=1000")));
    // The text is a position of that environment.
    let options = [("ticks_per_square", "1000")];
    let mut batch = world("kung_fu", &options);
    batch.reset_to(None, &[after["position"].as_str().expect("a text")]).expect("a position");
    compare(&after, &mut *batch, 1);
    server.stop().await;
}

#[tokio::test]
async fn invalid_requests_are_refused_with_a_reason() {
    let server = server(None, fast_limits()).await;
    let refusal = async |question: Value| ask(&server, &question).await.expect_err("it is wrong");
    let sense = |more: Value| {
        let mut question = json!({"t": "inspect", "game": "chess"});
        question
            .as_object_mut()
            .expect("an object")
            .extend(more.as_object().expect("more").clone());
        question
    };
    assert_eq!(refusal(sense(json!({"game": "go"}))).await, "there is no environment for 'go'");
    assert!(refusal(sense(json!({"position": "x"}))).await.starts_with("invalid FEN"));
    assert!(refusal(sense(json!({"moves": ["e2e5"]}))).await.contains("e2e5"));
    assert_eq!(
        refusal(sense(json!({"seat": 1}))).await,
        "'seat' is accepted only if all players act at once, got 1"
    );
    assert_eq!(
        refusal(json!({"t": "inspect", "game": "kung-fu", "seat": 2})).await,
        "expected a seat below 2, got 2"
    );
    assert_eq!(
        refusal(json!({"t": "inspect", "game": "kung-fu", "moves": ["wait"]})).await,
        "expected 2 moves, got 1"
    );
    assert_eq!(
        refusal(sense(json!({"moves": ["f3", "e5", "g4", "Qh4#", "e4"]}))).await,
        "the game is over after 4 moves: checkmate"
    );
    assert_eq!(
        refusal(sense(json!({"random": 201}))).await,
        "expected at most 200 random steps, got 201"
    );
    assert_eq!(
        refusal(sense(json!({"moves": vec!["e4"; 2001]}))).await,
        "at most 2000 moves are accepted: start from a later position"
    );
    // Only guests with the link can see a game; others cannot tell that it exists.
    for id in ["aaaaaaaaaaaa", "", "../x"] {
        let why = refusal(json!({"t": "follow", "game": id})).await;
        assert_eq!(why, format!("there is no game '{id}'"));
    }
    for (games, what) in [(0, "got 0"), (1025, "got 1025")] {
        let why = refusal(json!({"t": "batch", "game": "chess", "games": games})).await;
        assert!(why.contains("1 to 1024 games") && why.ends_with(what), "{why}");
    }
    assert!(
        refusal(json!({"t": "batch", "game": "chess", "games": -1}))
            .await
            .starts_with("invalid request")
    );
    assert!(refusal(json!({"t": "dance"})).await.starts_with("invalid request: unknown variant"));
    let sent = json!({"t": "inspect", "game": "chess"}).to_string();
    let (status, _) =
        post(&server, "/environments?v=3", "origin: https://example.org\r\n", sent.as_bytes())
            .await;
    assert_eq!(status, 403);
    let (status, body) = post(&server, "/environments", "", sent.as_bytes()).await;
    assert_eq!((status, body.contains("outdated")), (200, true), "{body}");
    let (status, _) = post(&server, "/environments?v=3", "", &vec![b'['; 1024 * 1024 + 1]).await;
    assert_eq!(status, 413);
    server.stop().await;
}

#[tokio::test]
async fn requests_are_rate_limited() {
    let server = server(None, Limits { requests_per_second: 1, ..fast_limits() }).await;
    let question = json!({"t": "inspect", "game": "chess", "position": START});
    let mut refused = None;
    for _ in 0..100 {
        refused = ask(&server, &question).await.err().or(refused);
    }
    assert_eq!(refused.as_deref(), Some("too many requests: wait a moment"));
    server.stop().await;
}

#[tokio::test]
async fn batch_reports_its_speed() {
    let server = server(None, fast_limits()).await;
    for (game, observe) in [("chess", true), ("kung-fu-12x12", true), ("blokus", false)] {
        let question = json!({"t": "batch", "game": game, "games": 16, "observe": observe});
        let response = ask(&server, &question).await.expect(game);
        let number = |key: &str| response[key].as_f64().expect("a number");
        assert!(number("steps") >= 16.0 && number("steps") % 16.0 == 0.0, "{response}");
        let ratio = number("steps") / number("seconds") / number("per_second");
        assert!((ratio - 1.0).abs() < 1e-9 && number("threads") >= 1.0, "{response}");
    }
    server.stop().await;
}

#[tokio::test]
async fn damaged_requests_are_answered() {
    const GOOD: [&str; 5] = [
        r#"{"t":"inspect","game":"chess","position":"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1","moves":["e2e4"],"random":3,"seed":7}"#,
        r#"{"t":"inspect","game":"four-player","random":5,"seed":1}"#,
        r#"{"t":"inspect","game":"blokus-duo","moves":["e10,e9,f9"]}"#,
        r#"{"t":"inspect","game":"kung-fu","position":"K:1:7:4 R:1:7:7+moved K:2:0:4","seat":1,"random":2}"#,
        r#"{"t":"follow","game":"7kq2m9x4t0ab"}"#,
    ];
    const PARTS: [&str; 9] =
        ["null", "-1", "1e999", "\"", "[[", "\\u0000", "\u{1f600}", "/", "99999999999999999999"];
    let server = server(None, fast_limits()).await;
    let mut rng = Rng(5);
    for _ in 0..400 {
        let mut text: Vec<char> = GOOD[rng.below(GOOD.len())].chars().collect();
        for _ in 0..=rng.below(3) {
            let at = rng.below(text.len());
            let end = (at + rng.below(6)).min(text.len());
            text.splice(at..end, PARTS[rng.below(PARTS.len())].chars());
        }
        let text: String = text.into_iter().collect();
        let (status, body) = post(&server, "/environments?v=3", "", text.as_bytes()).await;
        assert_eq!(status, 200, "{text}: {body}");
        let answer: Value = serde_json::from_str(&body).expect("JSON");
        assert!(answer["t"] == "ok" || answer["why"].is_string(), "{text}: {body}");
    }
    server.stop().await;
}

#[tokio::test]
async fn python_code_matches_the_documentation() {
    const PAGE: &str = include_str!("../../../../docs/arena/environments.md");
    let lines: Vec<&str> = PAGE
        .lines()
        .filter_map(|line| line.strip_prefix(">>> ").or_else(|| line.strip_prefix("... ")))
        .collect();
    let page = lines.join("\n");
    let server = server(None, fast_limits()).await;
    for question in [
        json!({"t": "inspect", "game": "chess", "moves": ["e2e4"]}),
        json!({"t": "inspect", "game": "kung-fu", "moves": ["P:1:6:4->4,4 wait"], "seat": 1}),
    ] {
        let response = ask(&server, &question).await.expect("legal");
        let shown = response["python"].as_str().expect("lines").trim();
        let shown = shown.strip_prefix("import fourfold\n\n").expect("the package");
        assert!(page.contains(shown), "{shown}");
    }
    let question = json!({"t": "inspect", "game": "blokus-2", "position": "no"});
    ask(&server, &question).await.expect_err("no position");
    let response =
        ask(&server, &json!({"t": "inspect", "game": "blokus-2"})).await.expect("a start");
    let made = "fourfold.make(\"blokus\", autoreset=\"disabled\", players=2)";
    assert!(response["python"].as_str().is_some_and(|lines| lines.contains(made)));
    server.stop().await;
}
