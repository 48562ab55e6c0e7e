//! Checks `data/blokus`: known counts, the placements of known positions, and whole games.

use std::collections::BTreeMap;

use fourfold_oracle::harness::{data_lines, depth_and_count, read_file, value, values};
use sha2::{Digest, Sha256};

use super::implementations::{Engine, Implementation, Oracle};

#[test]
fn oracle_counts_as_published() {
    // Up to depth 3 in classic and depth 2 in duo, and a sample of duo's depth 3.
    check_counts(&Oracle, "counts.perft", 1, 200_000);
    check_counts(&Oracle, "duo-divide.perft", 80, 400_000);
}

#[test]
fn oracle_finds_the_placements_of_the_positions() {
    check_positions(&Oracle);
}

#[test]
fn oracle_plays_the_games() {
    check_games(&Oracle);
}

#[test]
fn engine_counts_as_published() {
    // Classic up to depth 4, duo up to depth 3, and all parts of duo's depth 3.
    check_counts(&Engine, "counts.perft", 1, 100_000_000);
    check_counts(&Engine, "duo-divide.perft", 1, 400_000);
}

#[test]
fn engine_finds_the_placements_of_the_positions() {
    check_positions(&Engine);
}

#[test]
fn engine_plays_the_games() {
    check_games(&Engine);
}

fn read(file: &str) -> String {
    read_file(&format!("data/blokus/{file}"))
}

/// Checks every `every`th line of a file, for counts up to `most`.
fn check_counts(implementation: &impl Implementation, file: &str, every: usize, most: u64) {
    let text = read(file);
    let mut checked = 0;
    for (number, line) in data_lines(&text).step_by(every) {
        let at = format!("{file}:{number}");
        let (start, counts) = line.split_once(" ; ").unwrap_or_else(|| panic!("{at}: no counts"));
        let position =
            if start.contains(' ') { Ok(start.to_string()) } else { implementation.start(start) };
        let position = position.unwrap_or_else(|error| panic!("{at}: {error}"));
        for count in counts.split(" ; ") {
            let (depth, count) = depth_and_count(count);
            if count <= most {
                assert_eq!(implementation.perft(&position, depth), Ok(count), "{at}: D{depth}");
                checked += 1;
            }
        }
    }
    assert!(checked > 5, "only {checked} counts");
}

/// A group of `key: value` lines.
#[derive(Clone, Copy)]
struct Case<'a>(&'a str);

impl<'a> Case<'a> {
    fn optional(self, key: &str) -> Option<&'a str> {
        values(self.0, key).next()
    }

    fn value(self, key: &str) -> &'a str {
        value(self.0, key)
    }

    /// Returns the words of a value; `none` means no words.
    fn words(self, key: &str) -> Vec<&'a str> {
        self.value(key).split(' ').filter(|word| *word != "none").collect()
    }

    fn numbers(self, key: &str) -> Vec<i32> {
        self.words(key).into_iter().map(|word| word.parse().expect("a number")).collect()
    }
}

fn cases(text: &str) -> impl Iterator<Item = Case<'_>> {
    text.split("\n\n").skip(1).map(Case)
}

fn side(variant: &str) -> i32 {
    match variant {
        "classic" => 20,
        "duo" => 14,
        _ => panic!("no side for {variant}"),
    }
}

fn colors(variant: &str) -> &'static [&'static str] {
    match variant {
        "classic" => &["b", "y", "r", "g"],
        "duo" => &["p", "o"],
        _ => panic!("no colors for {variant}"),
    }
}

fn turn(position: &str) -> &str {
    position.split(' ').nth(1).expect("four fields")
}

fn check_positions(implementation: &impl Implementation) {
    let names = piece_names();
    let text = read("positions.txt");
    let mut checked = 0;
    for case in cases(&text) {
        let (id, variant) = (case.value("id"), case.value("variant"));
        let position = implementation.game(variant, &case.words("moves")).expect(id).position;
        assert_eq!(turn(&position), case.value("turn"), "{id}");
        for (color, count) in colors(variant).iter().zip(case.numbers("counts")) {
            let moves = implementation.moves_of(&position, color).expect(id);
            assert_eq!(moves.len() as i32, count, "{id}: {color}");
            let left = implementation.left(&position, color).expect(id);
            assert_eq!(left, case.words(&format!("left {color}")), "{id}: {color}");
            if *color == case.value("turn") {
                assert_eq!(
                    sorted(implementation.moves(&position).expect(id)),
                    sorted(moves),
                    "{id}"
                );
            }
        }
        let moves = implementation.moves_of(&position, case.value("color")).expect(id);
        let mut lines: Vec<String> =
            moves.iter().map(|mv| line_of(mv, side(variant), &names)).collect();
        lines.sort();
        assert_eq!(by_piece(&lines), by_piece_of(case), "{id}");
        assert_eq!(sha256(&lines.join("\n")), case.value("sha256"), "{id}");
        checked += 1;
    }
    assert_eq!(checked, 21, "positions.txt");
}

fn sorted(mut moves: Vec<String>) -> Vec<String> {
    moves.sort();
    moves
}

/// Maps the orientations, written as in `pieces.txt`, to the names of the pieces.
fn piece_names() -> BTreeMap<String, String> {
    let text = read("pieces.txt");
    let mut names = BTreeMap::new();
    for (_, line) in data_lines(&text) {
        let fields: Vec<&str> = line.split(" ; ").collect();
        let [name, _, _, orientations] = fields[..] else {
            panic!("pieces.txt: not four fields: {line}");
        };
        for orientation in orientations.split(" | ") {
            names.insert(orientation.to_string(), name.to_string());
        }
    }
    assert_eq!(names.len(), 91, "pieces.txt");
    names
}

/// Writes a placement in the form that the digests use: `L5 0,0 0,1 1,0 2,0 3,0`.
fn line_of(mv: &str, side: i32, names: &BTreeMap<String, String>) -> String {
    let cell = |text: &str| -> (i32, i32) {
        let row: i32 = text[1..].parse().expect("a row number");
        (side - row, i32::from(text.as_bytes()[0] - b'a'))
    };
    let mut cells: Vec<(i32, i32)> = mv.split(',').map(cell).collect();
    cells.sort();
    let top = cells.iter().map(|cell| cell.0).min().expect("a cell");
    let left = cells.iter().map(|cell| cell.1).min().expect("a cell");
    let write = |top: i32, left: i32| -> String {
        let cells = cells.iter().map(|(row, col)| format!("{},{}", row - top, col - left));
        cells.collect::<Vec<_>>().join(" ")
    };
    format!("{} {}", names[&write(top, left)], write(0, 0))
}

/// Counts the lines for each piece.
fn by_piece(lines: &[String]) -> BTreeMap<&str, i32> {
    let mut counts = BTreeMap::new();
    for line in lines {
        *counts.entry(&line[..2]).or_insert(0) += 1;
    }
    counts
}

fn by_piece_of(case: Case<'_>) -> BTreeMap<&str, i32> {
    let words = case.words("by-piece");
    words.chunks(2).map(|pair| (pair[0], pair[1].parse().expect("a count"))).collect()
}

fn sha256(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn check_games(implementation: &impl Implementation) {
    let text = read("games.txt");
    let mut checked = 0;
    for case in cases(&text) {
        let (id, variant) = (case.value("id"), case.value("variant"));
        let moves = case.words("moves");
        let counts = case.optional("counts").map(|_| case.numbers("counts"));
        let mut position = implementation.start(variant).expect(id);
        for (ply, (mv, color)) in moves.iter().zip(case.value("colors").chars()).enumerate() {
            assert_eq!(turn(&position), color.to_string(), "{id}: ply {ply}");
            let legal = implementation.moves(&position).expect(id);
            assert!(legal.iter().any(|other| other == mv), "{id}: ply {ply}");
            if let Some(counts) = &counts {
                assert_eq!(legal.len() as i32, counts[ply], "{id}: ply {ply}");
            }
            position = implementation.play(&position, mv).expect(id);
        }
        assert_eq!(turn(&position), "-", "{id}");
        let report = implementation.game(variant, &moves).expect(id);
        assert_eq!(report.position, position, "{id}");
        assert_eq!(implementation.report(&position).as_ref(), Ok(&report), "{id}");
        assert_eq!(report.basic, case.numbers("basic"), "{id}");
        assert_eq!(report.advanced, case.numbers("advanced"), "{id}");
        assert_eq!(report.players, report.advanced, "{id}");
        assert_eq!(report.eliminated, colors(variant).concat(), "{id}");
        assert_eq!(report.player_to_move, None, "{id}");
        let bonus: Vec<i32> = report
            .advanced
            .iter()
            .zip(&report.basic)
            .map(|(with, without)| with - without)
            .collect();
        assert_eq!(bonus, case.numbers("bonus"), "{id}");
        if variant == "classic" {
            let two = implementation.game("classic-2", &moves).expect(id);
            let points: Vec<i32> = two.players.iter().map(|points| 2 * 89 + points).collect();
            assert_eq!(points, case.numbers("two-player-points"), "{id}");
            let three = implementation.game("classic-3", &moves).expect(id);
            assert_eq!(three.players, report.advanced[..3], "{id}");
        }
        checked += 1;
    }
    assert_eq!(checked, 5, "games.txt");
}
