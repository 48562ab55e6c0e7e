//! `docs/environments/chess.md` says what the code does.

use fourfold_chess::Role;
use fourfold_env::Channel;
use fourfold_env::chess::labels::{CASTLING_LONG, CASTLING_SHORT, PLANE, Plane};
use fourfold_env::chess::{Chess, ENDINGS, Rules};

use crate::Page;

const PAGE: Page = Page(include_str!("../../../../docs/environments/chess.md"));

#[test]
fn sizes_are_true() {
    let layout = PAGE.check_sizes::<Chess>(&Rules::FIDE, 2048);
    for (index, channel) in layout.channels.iter().enumerate() {
        let scalar = matches!(channel, Channel::Scalar(_));
        assert_eq!(scalar, index == 113 || index == 118, "channel {index}");
    }
}

#[test]
fn planes_are_true() {
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
fn endings_are_true() {
    PAGE.check_endings(&ENDINGS);
    assert!(PAGE.row("`fide` (default)")[2].starts_with(&Rules::FIDE.max_steps.to_string()));
    assert!(PAGE.row("`seed`")[2].starts_with(&Rules::SEED.max_steps.to_string()));
    assert!(PAGE.row("`pgx`")[2].starts_with(&Rules::PGX.max_steps.to_string()));
}

#[test]
fn the_version_is_in_the_history() {
    PAGE.check_version::<Chess>();
}
