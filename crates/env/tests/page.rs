//! `docs/environments/chess.md` says what the code does.

use fourfold_chess::Role;
use fourfold_env::chess::labels::{CASTLING_LONG, CASTLING_SHORT, PLANE, Plane};
use fourfold_env::chess::{Chess, ENDINGS, Rules};
use fourfold_env::{AnyBatch, Batch, Channel, Game, Options};

const PAGE: &str = include_str!("../../../docs/environments/chess.md");

/// The cells of the rows whose first cell is this.
fn row(first: &str) -> Vec<&'static str> {
    let rows = PAGE.lines().filter(|line| line.starts_with("| "));
    let cells = |line: &'static str| line.trim_matches('|').split('|').map(str::trim).collect();
    let found: Vec<Vec<&str>> =
        rows.map(cells).filter(|cells: &Vec<&str>| cells[0] == first).collect();
    assert_eq!(found.len(), 1, "one row begins with '{first}'");
    found[0].clone()
}

#[test]
fn sizes_are_true() {
    let batch = Batch::<Chess>::new(Rules::FIDE, 1, Options::default());
    let spec = batch.spec();
    let layout = &spec.observation;
    assert_eq!(row("id")[1], format!("`{}`", batch.id()));
    assert!(row("players")[1].starts_with(&format!("{}:", spec.players)));
    assert_eq!(row("actions")[1], spec.actions.to_string());
    assert_eq!(row("most legal actions")[1], spec.max_legal.to_string());
    let shape = format!("({}, {}, {})", layout.height, layout.width, layout.channels.len());
    assert!(row("observation")[1].starts_with(&shape));
    let packed = format!("{} planes of {} bytes", layout.planes, layout.plane_bytes());
    assert!(row("packed observation")[1].starts_with(&packed));
    assert!(row("packed observation")[1].ends_with(&format!("{} scalars", layout.scalars)));
    assert!(size_of::<Chess>() <= 2048 && row("state")[1].contains("2048"));
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
        assert!(row(planes)[1].starts_with("along the "));
        line(first, files, ranks);
    }
    let knights = row("65–72")[1].split_once(": ").expect("a list").1.replace('−', "-");
    for (plane, text) in (65..73).zip(knights.split(' ')) {
        let Plane { files, ranks, .. } = PLANE[plane];
        assert_eq!(text, format!("({files:+},{ranks:+})"));
    }
    assert!(row("0–8")[1].starts_with("underpromotion to rook (0–2), bishop (3–5), knight (6–8)"));
    for (plane, meaning) in PLANE[..9].iter().enumerate() {
        let role = [Role::Rook, Role::Bishop, Role::Knight][plane / 3];
        let files = [0, 1, -1][plane % 3];
        assert_eq!(*meaning, Plane { files, ranks: 1, underpromotion: Some(role) });
    }
    assert!(PAGE.contains(&format!(
        "{CASTLING_LONG} on the queen's side, {CASTLING_SHORT} on the\nking's"
    )));
}

#[test]
fn endings_are_true() {
    for (code, ending) in ENDINGS.iter().enumerate() {
        assert_eq!(row(&code.to_string())[1], *ending);
    }
    assert!(row("`fide` (default)")[2].starts_with(&Rules::FIDE.max_steps.to_string()));
    assert!(row("`seed`")[2].starts_with(&Rules::SEED.max_steps.to_string()));
    assert!(row("`pgx`")[2].starts_with(&Rules::PGX.max_steps.to_string()));
}

#[test]
fn the_version_is_in_the_history() {
    let history = PAGE.split_once("## Versions").expect("a history").1;
    assert!(history.contains(&format!("| v{} |", Chess::VERSION)));
}
