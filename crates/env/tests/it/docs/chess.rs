//! `docs/environments/chess.md` matches the code.

use fourfold_chess::{Color, Role};
use fourfold_env::chess::labels::{CASTLING_LONG, CASTLING_SHORT, PLANE, Plane};
use fourfold_env::chess::{Chess, ENDINGS, Rules};
use fourfold_env::{AnyBatch, Batch, Channel, Describe, DescribedBatch, Options, Outputs};

use super::{Page, names, words};

const PAGE: Page = Page(include_str!("../../../../../docs/environments/chess.md"));

#[test]
fn documented_sizes() {
    let layout = PAGE.check_sizes::<Chess>(&Rules::FIDE);
    for (index, channel) in layout.channels.iter().enumerate() {
        let scalar = matches!(channel, Channel::Scalar(_));
        assert_eq!(scalar, index == 113 || index == 118, "channel {index}");
    }
}

#[test]
fn documented_planes() {
    let line = |first: usize, files: i32, ranks: i32| {
        for (place, distance) in (-7..=7).filter(|&distance| distance != 0).enumerate() {
            let expected =
                Plane { files: files * distance, ranks: ranks * distance, underpromotion: None };
            assert_eq!(PLANE[first + place], expected, "plane {}", first + place);
        }
    };
    for (planes, first, files, ranks) in
        [("9–22", 9, 0, 1), ("23–36", 23, 1, 0), ("37–50", 37, 1, 1), ("51–64", 51, 1, -1)]
    {
        assert!(PAGE.row(planes)[1].starts_with("along the "));
        line(first, files, ranks);
    }
    let knights = PAGE.row("65–72")[1].split_once(": ").expect("a list").1.replace('−', "-");
    for (plane, text) in (65..73).zip(knights.split(' ')) {
        let Plane { files, ranks, .. } = PLANE[plane];
        assert_eq!(text, format!("({files:+},{ranks:+})"));
    }
    assert!(
        PAGE.row("0–8")[1].starts_with("underpromotion to rook (0–2), bishop (3–5), knight (6–8)")
    );
    for (plane, meaning) in PLANE[..9].iter().enumerate() {
        let role = [Role::Rook, Role::Bishop, Role::Knight][plane / 3];
        let files = [0, 1, -1][plane % 3];
        assert_eq!(*meaning, Plane { files, ranks: 1, underpromotion: Some(role) });
    }
    assert!(PAGE.0.contains(&format!(
        "{CASTLING_LONG} on the queen's side, {CASTLING_SHORT} on the\nking's"
    )));
}

#[test]
fn documented_endings() {
    PAGE.check_endings(&ENDINGS);
    assert!(PAGE.row("`fide` (default)")[2].starts_with(&Rules::FIDE.max_steps.to_string()));
    assert!(PAGE.row("`legacy`")[2].starts_with(&Rules::LEGACY.max_steps.to_string()));
    assert!(PAGE.row("`pgx`")[2].starts_with(&Rules::PGX.max_steps.to_string()));
}

#[test]
fn current_version_is_documented() {
    PAGE.check_version::<Chess>();
}

#[test]
fn documented_channel_names() {
    let channels = Chess::channel_names(&Rules::FIDE);
    for ago in 0..8 {
        let first = 14 * ago;
        let mine = PAGE.row("14·i + 0 … 5")[1].replace("my ", "");
        let mine: Vec<String> = words(&mine).iter().map(|men| format!("my {men}")).collect();
        assert_eq!(names(&channels, first..first + 6), mine);
        let theirs = PAGE.row("14·i + 6 … 11")[1].strip_prefix("their ").expect("whose they are");
        let theirs: Vec<String> = words(theirs).iter().map(|men| format!("their {men}")).collect();
        assert_eq!(names(&channels, first + 6..first + 12), theirs);
        assert!(PAGE.row("14·i + 12")[1].contains(&channels[first + 12].name));
        assert!(PAGE.row("14·i + 13")[1].ends_with("occurred more than once"));
        assert_eq!(channels[first + 13].name, "occurred more than once");
    }
    assert!(PAGE.row("112")[1].contains(&channels[112].name));
    for channel in [113, 118] {
        assert_eq!(PAGE.row(&channel.to_string())[1], channels[channel].name);
    }
    let mine = ["I can castle queenside", "I can castle kingside"];
    assert_eq!(names(&channels, 114..116), mine);
    assert_eq!(PAGE.row("114, 115")[1], "I can castle queenside, kingside");
    assert_eq!(names(&channels, 116..118), mine.map(|text| text.replace('I', "they")));
    assert_eq!(PAGE.row("116, 117")[1], "they can castle queenside, kingside");
}

#[test]
fn documented_action_plane_names() {
    let planes = Chess::action_planes(&Rules::FIDE);
    for (row, first) in [("9–22", 9), ("23–36", 23), ("37–50", 37), ("51–64", 51)] {
        let [back, forth] = words(PAGE.row(row)[1])[..] else { panic!("no pair in {row}") };
        let (back, forth) = (
            back.strip_suffix(" 7 … 1").expect("from afar"),
            forth.strip_suffix(" 1 … 7").expect("to afar"),
        );
        let all = (1..=7).rev().map(|far| format!("{back} {far}"));
        let all: Vec<String> = all.chain((1..=7).map(|far| format!("{forth} {far}"))).collect();
        assert_eq!(names(&planes, first..first + 14), all);
        let group = PAGE.row(row)[1].split(": ").next().expect("a group");
        assert!(planes[first..first + 14].iter().all(|plane| plane.group == group));
    }
    let leaps: Vec<&str> =
        PAGE.row("65–72")[1].split_once(": ").expect("a list").1.split(' ').collect();
    assert_eq!(names(&planes, 65..73), leaps);
    let ways = words(PAGE.row("0–8")[1]);
    for (plane, caption) in planes[..9].iter().enumerate() {
        let piece = ["rook", "bishop", "knight"][plane / 3];
        assert_eq!(caption.name, format!("{piece}, {}", ways[plane % 3]));
    }
}

#[test]
fn documented_state() {
    let mut batch = Batch::<Chess>::new(Rules::FIDE, 1, Options::default());
    let size = batch.state_bytes();
    assert!(size <= 1900, "{size} bytes");
    let actions = batch.read_actions(&["e2e4"]).expect("a legal move");
    batch.step(&actions, Outputs::none()).expect("a legal action");
    let mut state = vec![0; size];
    batch.write_states(&[0], &mut state).expect("the buffer fits");
    let board = batch.state(0).position().board();
    let roles = Role::ALL.map(|role| board.role(role).words()[0]);
    let colors = [Color::White, Color::Black].map(|color| board.color(color).words()[0]);
    let board = [&roles[..], &colors].concat().into_iter().flat_map(u64::to_le_bytes);
    PAGE.check_field("board:", &state, &board.collect::<Vec<u8>>());
    PAGE.check_field("rooks that may castle", &state, &(0x81_u64 | 0x81 << 56).to_le_bytes());
    PAGE.check_field("plies without", &state, &[0, 0, 1, 0]);
    PAGE.check_field("side to move", &state, &[1, 0, 0, 0]);
    PAGE.check_field("| steps", &state, &1_u32.to_le_bytes());
    PAGE.check_field("which of the eight", &state, &[0, 2, 1, 0]);
    let status = [vec![0; 32], vec![1; 4], vec![0; 5], vec![255, 255, 0]].concat();
    PAGE.check_field("status:", &state, &status);
}
