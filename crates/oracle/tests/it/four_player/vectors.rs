//! Checks `data/four-player`: known counts, and the moves of positions that each exercise one rule.

use fourfold_oracle::four_player::Rules;

use super::rules::{Engine, Oracle, Twin};

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

pub(crate) fn read(file: &str) -> String {
    let path = format!("{}/../../data/four-player/{file}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Checks all counts up to `most`.
fn check_counts(twin: &impl Twin, most: u64) {
    let mut checked = 0;
    for (number, line) in (1..).zip(read("counts.perft").lines()) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let at = format!("counts.perft:{number}");
        let fields: Vec<&str> = line.split(" ; ").collect();
        let [fen4, words, ref counts @ ..] = fields[..] else {
            panic!("{at}: not 'FEN4 ; rules ; D1 sequences …'");
        };
        let rules = Rules::parse(words).unwrap_or_else(|error| panic!("{at}: {error}"));
        for count in counts {
            let (depth, count) = depth_and_count(count)
                .unwrap_or_else(|| panic!("{at}: '{count}' is not 'D1 sequences'"));
            if count <= most {
                assert_eq!(twin.perft(fen4, depth, &rules), Ok(count), "{at}: D{depth}");
                checked += 1;
            }
        }
    }
    assert!(checked > 200, "only {checked} counts");
}

fn depth_and_count(text: &str) -> Option<(u32, u64)> {
    let (depth, count) = text.strip_prefix('D')?.split_once(' ')?;
    Some((depth.parse().ok()?, count.parse().ok()?))
}

/// Checks the move lists. A case is a group of `key: value` lines.
fn check_cases(twin: &impl Twin) {
    let text = read("cases.txt");
    let mut checked = 0;
    for case in text.split("\n\n").skip(1) {
        let value = |key: &str| {
            let line = case.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
            line.unwrap_or_else(|| panic!("cases.txt: no {key} in\n{case}"))
        };
        let name = value("case");
        let rules = Rules::parse(value("rules")).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut moves = twin.moves(value("position"), &rules).expect(name);
        moves.sort();
        assert_eq!(moves, value("moves").split(' ').collect::<Vec<_>>(), "{name}");
        checked += 1;
    }
    assert_eq!(checked, 18, "cases.txt");
}
