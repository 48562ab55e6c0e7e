//! Lenient reading: the cases of `data/chess/pgn-cases.txt`, which python-chess reads too
//! (`python/tests/test_pgn_peer.py`), what it keeps, and that no input takes superlinear time.

use std::time::Duration;

use fourfold_chess::pgn::{Game, Line, MAX_PROBLEMS, Node, Reader};
use fourfold_chess::{Position, Variant, random_walk};
use fourfold_common::SplitMix64;
use fourfold_oracle::harness::quick_or_full;

const CASES: &str = include_str!("../../../../data/chess/pgn-cases.txt");

/// A case of the file.
struct Case<'a> {
    name: &'a str,
    /// The moves and results of the games, and the places of the problems.
    expected: [&'a str; 2],
    /// The annotations and the tags, if they are given.
    nags: Option<&'a str>,
    tags: Option<&'a str>,
    text: String,
}

fn cases() -> Vec<Case<'static>> {
    let case = |part: &'static str| {
        let (name, rest) = part.split_once('\n').expect("a name");
        let value = |key: &str| {
            let mut lines = rest.lines().filter_map(|line| line.strip_prefix("= "));
            lines.find_map(|line| line.strip_prefix(key)).map(str::trim)
        };
        let lines = rest.lines().filter(|line| !line.starts_with("= "));
        let text: String = lines.map(|line| format!("{line}\n")).collect();
        let text = text.replace("␍\n", "\r\n").replace('␍', "\r");
        let expected = ["games:", "problems:"].map(|key| value(key).unwrap_or_default());
        Case { name, expected, nags: value("nags:"), tags: value("tags:"), text }
    };
    CASES.split("\n== ").skip(1).map(case).collect()
}

/// Writes the moves of a game in UCI, with variations in parentheses, and its result.
fn described(game: &Game) -> String {
    let mut words = line(&game.line, game.start);
    words.push(game.result.text().to_owned());
    words.join(" ")
}

fn line(line: &Line, mut position: Position) -> Vec<String> {
    let mut words = Vec::new();
    for node in &line.moves {
        words.push(position.uci_recorded(node.mv));
        let variations = node.variations.iter().filter(|variation| !variation.moves.is_empty());
        words.extend(
            variations.map(|variation| format!("({})", self::line(variation, position).join(" "))),
        );
        position.play_recorded(node.mv);
    }
    words
}

/// Reads games and returns them with the places of all problems.
fn read(text: &str) -> [String; 2] {
    let mut reader = Reader::new(text.as_bytes());
    let (mut games, mut problems) = (Vec::new(), Vec::new());
    while let Some(game) = reader.next() {
        let error = game.map(|game| games.push(described(&game))).err();
        problems.extend(error.into_iter().chain(reader.take_problems()));
    }
    let places = problems.iter().map(|problem| format!("{}:{}", problem.line, problem.column));
    [games.join(" | "), places.collect::<Vec<_>>().join(" ")]
}

/// Writes the moves of a game that have annotations, with the numbers of these.
fn nags(game: &Game) -> Vec<String> {
    let annotated = game.line.moves.iter().filter(|node| !node.nags.is_empty());
    let numbers = |node: &Node| node.nags.iter().map(|nag| format!(" {nag}")).collect::<String>();
    annotated.map(|node| node.mv.uci(game.start.variant()) + &numbers(node)).collect()
}

#[test]
fn every_case_is_read_as_described() {
    let cases = cases();
    assert!(cases.len() >= 110, "{}", cases.len());
    let different: Vec<String> = cases
        .iter()
        .filter(|case| read(&case.text) != case.expected)
        .map(|case| {
            format!("{}:\n{:?} instead of\n{:?}", case.name, read(&case.text), case.expected)
        })
        .collect();
    assert!(different.is_empty(), "{}", different.join("\n"));
    for Case { name, nags, tags, text, .. } in cases {
        let games: Vec<Game> = Reader::new(text.as_bytes()).flatten().collect();
        if let Some(nags) = nags {
            assert_eq!(
                games.iter().flat_map(self::nags).collect::<Vec<_>>().join(", "),
                nags,
                "{name}"
            );
        }
        if let Some(tags) = tags {
            let read = games.iter().flat_map(|game| &game.tags);
            let read: Vec<String> = read.map(|(name, value)| format!("{name}: {value}")).collect();
            assert_eq!(read.join(", "), tags, "{name}");
        }
        crate::properties::pgn(text.as_bytes());
    }
}

#[test]
fn the_moves_before_an_error_are_kept() {
    for seed in 0..200 {
        let positions: Vec<Position> = random_walk(Position::start(), seed).take(40).collect();
        let mut game = Game::new(Position::start());
        for (position, next) in positions.iter().zip(&positions[1..]) {
            let moves = position.legal_moves();
            let mv = moves.iter().find(|&&mv| position.after(mv) == *next).expect("a legal move");
            game.line.moves.push(Node::new(*mv));
        }
        let kept = (seed % 39) as usize;
        let mut damaged = game.clone();
        damaged.line.moves.truncate(kept.min(game.line.moves.len()));
        let text = damaged.to_string();
        let text =
            format!("{} Ke9 Qxa1 Xe5 (e4 e5) {{x}} 1-0", text.trim_end().trim_end_matches('*'));
        let mut reader = Reader::new(text.as_bytes());
        let read = reader.next().expect("a game").expect("the moves before the error");
        assert_eq!(read.line, damaged.line, "{text}");
        assert_eq!(read.result.text(), "1-0");
        assert!(!reader.problems().is_empty());
    }
}

/// Returns how long this thread has run, not counting time in which others ran, so that the test does
/// not depend on an idle machine. Only Linux knows.
fn cpu_time() -> Option<Duration> {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    statistics.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// Returns the least time of a few runs that reading a text takes.
fn time(text: &str) -> Option<Duration> {
    let run = |_| {
        let started = cpu_time()?;
        for strict in [false, true] {
            let mut reader = Reader::new(text.as_bytes());
            reader.set_strict(strict);
            while reader.next().is_some() {}
            assert!(reader.problems().len() <= MAX_PROBLEMS);
        }
        Some(cpu_time()? - started)
    };
    (0..2).filter_map(run).min()
}

/// Returns whether a text takes at most linear time, compared with a tenth of it. Quadratic time would
/// be a hundred times as long.
fn is_linear(tenth: &str, text: &str) -> bool {
    // A busy machine slows some runs down, but not all.
    (0..5).any(|_| {
        time(text).is_none_or(|long| {
            let short = || time(tenth).unwrap_or_default().max(Duration::from_millis(1));
            long < Duration::from_millis(50) || long < 50 * short()
        })
    })
}

#[test]
fn no_input_takes_superlinear_time() {
    const COUNT: usize = 10_000;
    for part in [
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "$",
        ";\n",
        "%\n",
        "\r",
        "\n\n",
        "(=)",
        "*",
        "1",
        ".",
        "a",
        "é",
        "( e4 ",
        ") ",
        "e4 ",
        "1. ",
        "-- ",
        "foo ",
        "1-0 ",
        "* 1. ",
        "$999 ",
        "[a",
        "[a \"",
        "\"",
        "[a \"\" ",
        "[a \"b\"]\n",
        "[a \"b\"] ",
        "\n\n[a \"",
        "{\n\n[a \"b\"]\n",
        "{\n",
        "1. e4 * ",
        "1. e4 ( 1. d4 ",
        "1. e4 (1. Ke2) ",
        "1. e4 Ke4 (",
        "[FEN \"8\"]\n",
        "1. e4 e5 2. Ke3\n",
        "a8(",
        "\\\"",
        "{}",
        "{}(",
        "[a-b \"c\"d\"]\n",
        "[a-b \"",
        "[a.b\"",
        "x[a-b \"c\"",
        "{ 1-0\n[Event \"",
        "e4 *\n\n",
        "[a \"b\"]\n\n",
        "[Variant \"x\"]\n\n*\n",
    ] {
        for opening in ["", "1. e4 ", "[a \"", "1. e4 {"] {
            let text = |count| format!("{opening}{}", part.repeat(count));
            assert!(is_linear(&text(COUNT / 10), &text(COUNT)), "{opening:?} {part:?}");
        }
    }
}

#[test]
fn no_repeated_text_takes_superlinear_time() {
    const BYTES: usize = 50_000;
    const PIECES: &str = "[|]|\"|\\|{|}|(|)|;|%|$|*|\n|\n\n|\r|\n[|[Event \"|[a \"|[a-b \"|a|a-b|.|-|é|\u{feff}|\0|1|1.|\
                          1-0|1-0\n|e4|e4 |a8|a8(Q)|=|(=)|!|--|  |\t";
    let pieces: Vec<&str> = PIECES.split('|').collect();
    let mut rng = SplitMix64::new(27);
    for _ in 0..quick_or_full(100, 10_000) {
        let mut random = || pieces[(rng.next() % pieces.len() as u64) as usize];
        let opening = random();
        let length = random().len() + 1;
        let part: String = (0..length).map(|_| random()).collect();
        let text = |bytes: usize| format!("{opening}{}", part.repeat(bytes / part.len()));
        assert!(is_linear(&text(BYTES / 10), &text(BYTES)), "{opening:?} {part:?}");
    }
}

#[test]
fn many_tags_between_empty_lines_take_linear_time() {
    let text = |count| (0..count).map(|tag| format!("[a{tag} \"\"]\n\n")).collect::<String>();
    assert!(is_linear(&text(2_000), &text(20_000)));
    let game = Reader::new(text(2_000).as_bytes()).next().expect("a game").expect("tags alone");
    assert_eq!(game.tags.len(), 2_000);
}

#[test]
fn a_comment_with_the_start_of_another_game_is_read_back() {
    for length in 0..100 {
        let mut game = Game::new(Position::start());
        let comment = format!("{} 1-0 [Event \"B\"] and so on", "x".repeat(length));
        game.line.comments.push(comment.trim().to_owned());
        let text = game.to_string();
        for mut reader in [Reader::new(text.as_bytes()), Reader::strict(text.as_bytes())] {
            assert_eq!(reader.next().expect("a game").expect("no error"), game, "{text}");
            assert!(reader.next().is_none());
        }
    }
}

#[test]
fn a_million_parentheses_braces_and_tags_are_read() {
    for (opening, part) in [("1. e4 ", "("), ("1. e4 ", "{"), ("", "[a \"b\"]\n"), ("1. e4 ", "a")]
    {
        let text = format!("{opening}{}", part.repeat(1_000_000));
        let mut reader = Reader::new(text.as_bytes());
        let game = reader.next().expect("a game").expect("the moves before");
        assert_eq!(game.line.moves.len(), usize::from(!opening.is_empty()));
        assert!(reader.next().is_none());
    }
}

#[test]
fn lenient_fens_say_which_field_is_wrong() {
    let error = |text| Position::from_fen_lenient(text, Variant::Standard).unwrap_err().to_string();
    for (fen, message) in [
        (
            "",
            "invalid FEN: fields: expected 1 to 6 fields (board, turn, castling, en passant, halfmove clock, move number), got 0 in ''",
        ),
        (
            "8/8 w - - 0 1 x",
            "invalid FEN: fields: expected 1 to 6 fields (board, turn, castling, en passant, halfmove clock, move number), got 7 in '8/8 w - - 0 1 x'",
        ),
        (
            "4k3/8/8/7/8/8/8/4K3",
            "invalid FEN: board: expected 8 squares in rank 5, got 7, in '4k3/8/8/7/8/8/8/4K3'",
        ),
        ("4k3/8/8/8/8/8/8/4K3 x", "invalid FEN: turn: expected 'w' or 'b', got 'x'"),
        (
            "4k3/8/8/8/8/8/8/4K3 w xy",
            "invalid FEN: castling: expected '-' or letters of 'KQkq' and of files, such as 'HAha', got 'xy'",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - e9",
            "invalid FEN: en passant: expected '-' or a square, got 'e9'",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - x",
            "invalid FEN: halfmove clock: expected a number from 0 to 9999, got 'x'",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 x",
            "invalid FEN: move number: expected a number from 1 to 9999, got 'x'",
        ),
        (
            "4k3/8/8/8/8/8/4R3/4K3",
            "invalid FEN: turn: Black is in check but has just moved, in 'w'",
        ),
    ] {
        assert_eq!(error(fen), message, "{fen}");
    }
}
