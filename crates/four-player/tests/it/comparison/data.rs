//! Checks `data/four-player`: known counts, and the moves of positions that each exercise one rule.

use fourfold_oracle::four_player::Rules;
use fourfold_oracle::harness::{data_lines, depth_and_count, read_file, value};

use super::implementations::{Engine, Implementation, Oracle};

#[test]
fn oracle_counts_as_published() {
    check_counts(&Oracle, 10_000);
}

#[test]
fn engine_counts_as_published() {
    // All start positions to depth 5 and every other entry; `fourfold verify` goes to depth 7.
    check_counts(&Engine, 4_000_000);
}

#[test]
fn engine_finds_the_moves_of_the_cases() {
    check_cases(&Engine);
}

#[test]
fn oracle_finds_the_moves_of_the_cases() {
    check_cases(&Oracle);
}

/// Checks all counts up to `most`.
fn check_counts(implementation: &impl Implementation, most: u64) {
    let mut checked = 0;
    for (number, line) in data_lines(&read_file("data/four-player/counts.perft")) {
        let at = format!("counts.perft:{number}");
        let fields: Vec<&str> = line.split(" ; ").collect();
        let [fen4, words, ref counts @ ..] = fields[..] else {
            panic!("{at}: not 'FEN4 ; rules ; D1 sequences …'");
        };
        let rules = Rules::parse(words).unwrap_or_else(|error| panic!("{at}: {error}"));
        for count in counts {
            let (depth, count) = depth_and_count(count);
            if count <= most {
                assert_eq!(implementation.perft(fen4, depth, &rules), Ok(count), "{at}: D{depth}");
                checked += 1;
            }
        }
    }
    assert!(checked > 200, "only {checked} counts");
}

/// Checks the move lists. A case is a group of `key: value` lines.
fn check_cases(implementation: &impl Implementation) {
    let text = read_file("data/four-player/cases.txt");
    let mut checked = 0;
    for case in text.split("\n\n").skip(1) {
        let value = |key| value(case, key);
        let name = value("case");
        let rules = Rules::parse(value("rules")).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut moves = implementation.moves(value("position"), &rules).expect(name);
        moves.sort();
        assert_eq!(moves, value("moves").split(' ').collect::<Vec<_>>(), "{name}");
        checked += 1;
    }
    assert_eq!(checked, 18, "cases.txt");
}
