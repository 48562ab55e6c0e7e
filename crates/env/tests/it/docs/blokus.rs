//! `docs/environments/blokus.md` matches the code.

use fourfold_blokus::Piece;
use fourfold_env::blokus::ids::grid_len;
use fourfold_env::blokus::{Blokus, Classic, Duo, ENDINGS, Rules, Symmetry};
use fourfold_env::{AnyBatch, Batch, Describe, DescribedBatch, Game, MakeError, Options, Outputs};

use super::{Page, names};

const PAGE: Page = Page(include_str!("../../../../../docs/environments/blokus.md"));

/// The page describes both environments: Classic first, then Duo, separated by a slash.
fn check_sizes<const COLORS: usize>(rules: &Rules<COLORS>, place: usize) {
    let spec = Blokus::spec(rules);
    let layout = &spec.observation;
    let cell = |first: &str| {
        let cell = PAGE.row(first)[1];
        cell.split(" / ").nth(place).unwrap_or_else(|| panic!("two parts: {cell}")).trim()
    };
    assert_eq!(cell("id"), format!("`{}-v{}`", Blokus::<COLORS>::NAME, Blokus::<COLORS>::VERSION));
    assert!(cell("players").starts_with(&format!("{}:", spec.players)));
    assert_eq!(cell("actions"), spec.actions.to_string());
    assert_eq!(PAGE.row("most legal actions")[1], spec.max_legal.to_string());
    let shape = format!("({}, {}, {})", layout.height, layout.width, layout.channels.len());
    assert!(cell("observation").starts_with(&shape));
    let beside = layout.scalar_array.expect("an array");
    assert_eq!(cell("`pieces_left`"), format!("({}, {})", beside.shape[0], beside.shape[1]));
    let packed = format!("{} planes of {} bytes", layout.planes, layout.plane_bytes());
    assert_eq!(cell("packed observation"), packed);
    PAGE.check_state::<Blokus<COLORS>>(rules);
    assert_eq!(cell("mask"), format!("`packed` (B, {})", spec.mask_bytes()));
}

#[test]
fn documented_sizes() {
    check_sizes(&Rules::CLASSIC, 0);
    check_sizes(&Rules::DUO, 1);
    assert!(PAGE.0.contains(&format!("grid of {} entries", grid_len(20))));
}

#[test]
fn documented_options() {
    type Read = fn(&[(&str, &str)]) -> Result<String, MakeError>;
    let games: [(&str, Read); 2] = [
        ("blokus", |given| Ok(Rules::<4>::from_options(given)?.to_string())),
        ("blokus_duo", |given| Ok(Rules::<2>::from_options(given)?.to_string())),
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
            let first = values.first().copied().unwrap_or_else(|| {
                row[2].split([',', ':', ' ']).find(|text| !text.is_empty()).expect("a value")
            });
            if option == "size" {
                continue;
            }
            assert_eq!(read(&[(option, first)]).unwrap(), usual, "{option}");
            for value in values {
                read(&[(option, value)]).unwrap_or_else(|error| panic!("{error}"));
            }
        }
    }
    assert!(PAGE.row("`size`")[2].starts_with("20 in `blokus`, 14 in `blokus_duo`"));
}

#[test]
fn documented_examples() {
    let batch = Batch::<Classic>::new(Rules::CLASSIC, 1, Options::default());
    let id = batch.read_actions(&["a20,b20,a19"]).unwrap()[0];
    assert!(PAGE.0.contains(&format!("`a20,b20,a19` is {id}")));
    let names: Vec<&str> = Piece::all().map(Piece::name).collect();
    assert!(PAGE.0.contains(&names.join(" ")));
    for symmetry in [&Symmetry::all(&Rules::CLASSIC)[..], &Symmetry::all(&Rules::DUO)].concat() {
        assert!(PAGE.0.contains(&format!("`{}`", symmetry.name())), "{}", symmetry.name());
    }
}

#[test]
fn documented_arrays() {
    for (place, arrays) in
        [Classic::arrays(&Rules::CLASSIC), Duo::arrays(&Rules::DUO)].iter().enumerate()
    {
        for array in *arrays {
            let shape: Vec<String> = array.shape.iter().map(usize::to_string).collect();
            let cell = PAGE.row(&format!("array `{}`", array.name))[1];
            let found = cell.split(" / ").nth(place).unwrap_or(cell);
            assert_eq!(found, format!("({})", shape.join(", ")), "{}", array.name);
        }
    }
}

#[test]
fn documented_endings() {
    PAGE.check_endings(&ENDINGS);
    PAGE.check_version::<Classic>();
}

#[test]
fn documented_channel_names() {
    for (colors, channels) in
        [(4, Classic::channel_names(&Rules::CLASSIC)), (2, Duo::channel_names(&Rules::DUO))]
    {
        let group = |first: usize| channels[first].group.as_str();
        let rows = ["0 … C − 1", "C … 2·C − 1"].map(|row| PAGE.row(row)[1]);
        for (row, first) in rows.iter().zip([0, colors]) {
            let what = row.strip_prefix("for the colors: ").expect("what they have");
            assert!(what.starts_with(group(first)), "{what}");
            assert!(channels[first..first + colors].iter().all(|one| one.group == group(first)));
        }
        for (row, channel) in [("2·C", 2 * colors), ("2·C + 1", 2 * colors + 1)] {
            let named = format!("{} {}", group(channel), channels[channel].name);
            assert!(PAGE.row(row)[1].starts_with(&named), "{named}");
        }
    }
    let planes = Classic::action_planes(&Rules::CLASSIC);
    assert!(PAGE.0.contains(&format!("the grid format ({}, N, N)", planes.len())));
    let mut groups: Vec<&str> = planes.iter().map(|plane| plane.group.as_str()).collect();
    groups.dedup();
    assert!(PAGE.0.contains(&groups.join(" ")));
    assert_eq!(names(&planes, 1..3), ["I2 1", "I2 2"]);
}

#[test]
fn documented_state() {
    let mut batch = Batch::<Classic>::new(Rules::CLASSIC, 1, Options::default());
    let actions = batch.read_actions(&["a20,b20"]).expect("a legal move");
    batch.step(&actions, Outputs::none()).expect("a legal action");
    let mut state = vec![0; batch.state_bytes()];
    batch.write_states(&[0], &mut state).expect("the buffer fits");
    let mut cells = [0; 384];
    cells[0] = 0b11;
    PAGE.check_field("cells of the four colors", &state, &cells);
    let all = (1_u32 << 21) - 1;
    let left = [all & !(1 << 1), all, all, all].map(u32::to_le_bytes).concat();
    PAGE.check_field("pieces left", &state, &left);
    PAGE.check_field("variant", &state, &[20, 0, 0]);
    PAGE.check_field("the color to place", &state, &[0, 0, 1, 0, 0]);
    PAGE.check_field("scored last", &state, &[0, 2, 0, 0, 0, 0, 0, 0]);
}
