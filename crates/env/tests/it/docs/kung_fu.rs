//! `docs/environments/kung_fu.md` matches the code.

use fourfold_env::kung_fu::{ENDINGS, Eight, KungFu, Rules, Twelve};
use fourfold_env::{
    AnyBatch, Batch, Channel, Describe, DescribedBatch, Game, MakeError, Options, Outputs,
};

use super::{Page, names, words};

const PAGE: Page = Page(include_str!("../../../../../docs/environments/kung_fu.md"));

fn check_sizes<const SIDE: usize>(rules: &Rules<SIDE>, place: usize) {
    let spec = KungFu::spec(rules);
    let layout = &spec.observation;
    let cell = |first: &str| {
        let cell = PAGE.row(first)[1];
        cell.split(" / ").nth(place).unwrap_or_else(|| panic!("two parts: {cell}")).trim()
    };
    assert_eq!(cell("id"), format!("`{}-v{}`", KungFu::<SIDE>::NAME, KungFu::<SIDE>::VERSION));
    assert!(cell("players").starts_with(&format!("{}:", spec.players)));
    assert_eq!(cell("actions"), spec.actions.to_string());
    assert_eq!(cell("mask"), format!("`packed` (B, {}, {})", spec.mask_rows(), spec.mask_bytes()));
    assert_eq!(cell("most legal actions"), spec.max_legal.to_string());
    let shape = format!("({}, {}, {})", layout.height, layout.width, layout.channels.len());
    assert!(cell("observation").starts_with(&shape));
    let beside = layout.scalar_array.expect("an array");
    assert_eq!(cell("`tokens`"), format!("({}, {})", beside.shape[0], beside.shape[1]));
    let packed = format!("{} planes of {} bytes", layout.planes, layout.plane_bytes());
    assert_eq!(cell("packed observation"), packed);
    PAGE.check_state::<KungFu<SIDE>>(rules);
    for (index, channel) in layout.channels.iter().enumerate() {
        let of_player = index < 16 * spec.players;
        match channel {
            Channel::Plane(_) => {
                assert!(!of_player && index == 16 * spec.players || index % 16 < 13)
            }
            Channel::Numbers => assert!(of_player && index % 16 >= 13),
            Channel::Scalar(_) => assert!(index > 16 * spec.players),
        }
    }
    for array in KungFu::arrays(rules) {
        let shape: Vec<String> = array.shape.iter().map(usize::to_string).collect();
        let cell = PAGE.row(&format!("array `{}`", array.name))[1];
        let found = cell.split(" / ").nth(place).unwrap_or(cell);
        assert_eq!(found, format!("({})", shape.join(", ")), "{}", array.name);
    }
}

#[test]
fn documented_sizes() {
    check_sizes(&Rules::<8>::default(), 0);
    check_sizes(&Rules::<12>::default(), 1);
}

#[test]
fn documented_options() {
    type Read = fn(&[(&str, &str)]) -> Result<String, MakeError>;
    let games: [(&str, Read); 2] = [
        ("kung_fu", |given| Ok(Rules::<8>::from_options(given)?.to_string())),
        ("kung_fu_4p", |given| Ok(Rules::<12>::from_options(given)?.to_string())),
    ];
    let section = PAGE.0.split_once("## Options").expect("options").1;
    let section = section.split_once("\n## ").expect("an end").0;
    let rows: Vec<Vec<&str>> = section
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    for (game, read) in games {
        let usual = read(&[]).unwrap();
        let fast = read(&[("speed", "lightning")]).unwrap();
        let error = read(&[("x", "y")]).unwrap_err().to_string();
        let known: Vec<&str> = error.split_once("one of ").expect("a list").1.split(", ").collect();
        let of_game = |row: &&Vec<&str>| row[1] == "both" || row[1] == game;
        let named: Vec<&str> =
            rows.iter().filter(of_game).map(|row| row[0].trim_matches('`')).collect();
        assert_eq!(named, known, "{game}");
        for row in rows.iter().filter(of_game) {
            let option = row[0].trim_matches('`');
            // The first value is the default, and all values named are accepted.
            let values: Vec<&str> = row[2].split('`').skip(1).step_by(2).collect();
            let number = row[2].split([';', ':']).next().expect("a value");
            assert_eq!(read(&[(option, values.first().unwrap_or(&number))]).unwrap(), usual);
            for value in values {
                read(&[(option, value)]).unwrap_or_else(|error| panic!("{error}"));
            }
            let quick =
                row[2].split_once("; ").and_then(|(_, rest)| rest.split_once(" in lightning"));
            if let Some((quick, _)) = quick {
                assert_eq!(read(&[("speed", "lightning"), (option, quick)]).unwrap(), fast);
            }
        }
    }
}

#[test]
fn documented_examples() {
    let batch = Batch::<Eight>::new(Rules::<8>::default(), 1, Options::default());
    let ids = batch.read_actions(&["P:1:6:4->4,4", "P:2:1:4->3,4"]).unwrap();
    assert_eq!(ids[0], ids[1]);
    assert!(PAGE.0.contains(&format!("`P:1:6:4->4,4` is {}", ids[0])), "{}", ids[0]);
    assert!(Eight::parse(&Rules::<8>::default(), "K:1:7:4 R:1:7:7+moved K:2:0:4").is_ok());
}

#[test]
fn documented_endings() {
    PAGE.check_endings(&ENDINGS);
    PAGE.check_version::<Eight>();
    PAGE.check_version::<Twelve>();
}

#[test]
fn documented_channel_names() {
    for (players, channels) in [
        (2, Eight::channel_names(&Rules::<8>::default())),
        (4, Twelve::channel_names(&Rules::<12>::default())),
    ] {
        let men = PAGE.row("16·p + 0 … 5")[1].strip_suffix(" standing, rested or not");
        let men = words(men.expect("how they are"));
        for player in 0..players {
            for (first, how) in [(0, "standing"), (6, "in flight")] {
                let all: Vec<String> = men.iter().map(|men| format!("{men} {how}")).collect();
                let first = 16 * player + first;
                assert_eq!(names(&channels, first..first + 6), all);
            }
            for number in 12..16 {
                let row = PAGE.row(&format!("16·p + {number}"))[1];
                assert!(row.contains(&channels[16 * player + number].name), "{row}");
            }
        }
        let rest = ["16·n", "16·n + 1", "16·n + 2", "16·n + 3"]
            .map(|row| PAGE.row(row)[1].replace('`', ""));
        for (row, caption) in rest.iter().zip(&channels[16 * players..]) {
            assert!(row.contains(&caption.name), "{row}: {}", caption.name);
        }
    }
    let planes = Eight::action_planes(&Rules::<8>::default());
    assert_eq!((planes.len(), names(&planes, 52..53)), (64, vec!["from 52"]));
}

#[test]
fn documented_state() {
    let mut batch = Batch::<Eight>::new(Rules::<8>::default(), 1, Options::default());
    let actions = batch.read_actions(&["P:1:6:4->4,4", "wait"]).expect("legal orders");
    batch.step(&actions, Outputs::none()).expect("legal actions");
    let mut state = vec![0; batch.state_bytes()];
    batch.write_states(&[0], &mut state).expect("the buffer fits");
    let game = batch.state(0).game();
    let ticks = [game.now(), game.last_order(), 0].map(u64::to_le_bytes).concat();
    assert_eq!(game.now(), 3);
    PAGE.check_field("| tick,", &state, &ticks);
    let flying = game.piece_named("P:1:6:4").expect("a pawn").0;
    PAGE.check_field(
        "pieces in flight",
        &state,
        &[(1_u64 << flying).to_le_bytes(), [0; 8]].concat(),
    );
    let predictions = [&4_u64.to_le_bytes()[..], &[0; 512]].concat();
    PAGE.check_field("predicted events", &state, &predictions);
    PAGE.check_field("number of pieces", &state, &[32, 0, 255, 0]);
    let king = game.piece_named("K:1:7:4").expect("a king").0;
    assert_eq!(state[2096 + 16 * 7 + 4], king);
    assert_eq!(state[2096 + 16 * 6 + 4], 255, "the pawn has left");
}
