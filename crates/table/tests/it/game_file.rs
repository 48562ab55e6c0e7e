//! Files of every game: recognizing, reading and converting them, damaged or not.

use fourfold_common::SplitMix64;
use fourfold_table::game_file::{FileFormat, FileGame, GameReader, Target};
use fourfold_table::kung_fu;

use crate::properties::game_file;

const PGN: &str = "[White \"Ada\"]\n[Result \"1-0\"]\n\n1. e4 e5 (1... c5 {sharp}) 2. Bc4 $1 Nc6 3. Qh5 Nf6?? 4. Qxf7# 1-0\n\n\
    [White \"Ben\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O *\n";
const PGN4: &str = "[StartFen4 \"4PCo\"]\n[Variant \"Teams\"]\n[Red \"Ann\"]\n\n\
    1. h2-h3 .. b8-c8 .. g13-g12 ( .. h13-h12 {safer} ) .. m7-l7\n2. Qg1xQn8+! .. R\n";
const SGF: &str = "(;GM[Blokus Duo]PB[Ada]PW[B\\]n];B[e8,e9,e10];W[j5](;B[f7])(;B[d7]))";
const REPLAY: &str = "{\"kung_fu_replay\":1,\"rules_version\":1,\"rules\":\"8x8 lightning\",\
    \"acts\":[\"0 1 P:1:6:4->4,4\",\"40 resign 2\"],\"end\":40}";
const FEN: &str = "# two positions\n4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1\n\
    1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id \"BK; 1\"; fmvn 7;\n";
const FEN4: &str =
    "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-6,yK,7/14/14/14/14/14/13,gK/bK,13/14/14/14/14/14/7,rK,6\n";
const BLOKUS: &str = "duo p 14/14/14/14/4p9/4p9/4p9/14/14/14/14/14/14/14 -\n";

/// A file in every format, with the extension that it usually has.
fn samples() -> Vec<(FileFormat, &'static str, Vec<u8>)> {
    let binary = kung_fu::write_bytes(&kung_fu::read_text(REPLAY).expect("a replay"));
    vec![
        (FileFormat::Pgn, "pgn", PGN.into()),
        (FileFormat::Pgn4, "pgn4", PGN4.into()),
        (FileFormat::Sgf, "blksgf", SGF.into()),
        (FileFormat::KungFuJson, "json", REPLAY.into()),
        (FileFormat::KungFuBinary, "kfr", binary),
        (FileFormat::Fen, "epd", FEN.into()),
        (FileFormat::Fen4, "fen4", FEN4.into()),
        (FileFormat::BlokusPositions, "txt", BLOKUS.into()),
    ]
}

fn read(bytes: &[u8]) -> Vec<FileGame> {
    let reader = GameReader::new(Box::new(std::io::Cursor::new(bytes.to_vec())), None);
    reader.expect("a known format").collect::<Result<_, _>>().expect("readable")
}

#[test]
fn every_format_is_recognized_by_its_content() {
    assert_eq!(samples().len(), FileFormat::ALL.len());
    for (format, extension, bytes) in samples() {
        for before in [&b""[..], b"\xef\xbb\xbf", b"\n \r\n"] {
            if format == FileFormat::KungFuBinary && !before.is_empty() {
                continue;
            }
            let file = [before, &bytes].concat();
            // An extension that does not fit is ignored.
            for name in [None, Some(format!("a.{extension}")), Some("a.sgf".to_owned())] {
                let path = name.as_deref().map(std::path::Path::new);
                assert_eq!(FileFormat::recognize(&file, path), Ok(format), "{name:?}");
            }
        }
        for game in read(&bytes) {
            assert!(game.problems.is_empty(), "{format}: {:?}", game.problems);
            assert!(game.start().is_some() && game.game().is_some());
        }
    }
}

#[test]
fn doubtful_files_are_decided_by_their_extension() {
    let of = |text: &str, name: &str| FileFormat::recognize(text.as_bytes(), Some(name.as_ref()));
    assert_eq!(of("1. h2-h3", "a.pgn4"), Ok(FileFormat::Pgn4));
    assert_eq!(of("1. h2-h3", "a.pgn"), Ok(FileFormat::Pgn));
    assert_eq!(of("Some words before the games", "a.PGN"), Ok(FileFormat::Pgn));
    assert_eq!(of("{a comment} 1. e4 *", "a"), Ok(FileFormat::Pgn));
    assert_eq!(of("{\"Best game\"} [Event \"A\"]", "a"), Ok(FileFormat::Pgn));
    assert_eq!(of("{} 1. e4 *", "a"), Ok(FileFormat::Pgn));
    assert_eq!(of("(c) 2020\n[Event \"A\"]", "a"), Ok(FileFormat::Pgn));
    assert_eq!(of("(c) Ann\n(;GM[Blokus Duo])", "a"), Ok(FileFormat::Sgf));
    assert_eq!(of("# my games\n[Event \"A\"]", "a"), Ok(FileFormat::Pgn));
    assert_eq!(of("# my games\n\n1. e4", "a.pgn"), Ok(FileFormat::Pgn));
    assert_eq!(of("1/2-1/2", "a"), Ok(FileFormat::Pgn));
    assert_eq!(of("Nf3 d5", "a"), Ok(FileFormat::Pgn));
    assert_eq!(of("[Variant \"FFA\"]\n\n1. h2-h3", "a.pgn"), Ok(FileFormat::Pgn4));
    assert_eq!(of("[White \"A\"]\n\n1. e4 .. e5", "a"), Ok(FileFormat::Pgn));
}

#[test]
fn lists_of_positions_are_read_with_any_line_ends_and_as_latin_1() {
    let fens = ["4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/4K3 b"];
    for separator in ["\n", "\r", "\r\n", "\r\n\r\n# a comment\r"] {
        let games = read(format!("{}{separator}{separator}x/x", fens.join(separator)).as_bytes());
        let starts: Vec<_> = games.iter().filter_map(FileGame::start).collect();
        assert_eq!(starts, [fens[0], "4k3/8/8/8/8/8/8/4K3 b - - 0 1"], "{separator:?}");
        let lines =
            1 + 2 * 3 * separator.matches('\n').count().max(separator.matches('\r').count());
        let line =
            games[2].problems[0].strip_prefix("line ").and_then(|rest| rest.split(':').next());
        assert!(
            line.is_some_and(|line| line.parse::<usize>().is_ok_and(|line| line <= lines)),
            "{line:?}"
        );
    }
    let games = read(b"4k3/8/8/8/8/8/8/4K3 w - - id \"M\xfcller\";");
    assert_eq!(games[0].tags(), [("id".to_owned(), "Müller".to_owned())]);
}

#[test]
fn strict_readers_refuse_what_deviates_from_the_standards() {
    for (text, lenient, strict) in [
        ("1. e4 e5 2. Nf3\n\n[White \"B\"]\n\n1. g1f3 --", [Some(3), Some(2)], [Some(3), None]),
        ("1. h2-h3 .. b7xc7\n\n[Red \"B\"]\n\n1. h2-h3", [Some(2), Some(1)], [None, Some(1)]),
        ("4k3/8/8/8/8/8/8/4K3 w\n4k3/8/8/8/8/8/8/4K3 w - - 0 1", [Some(0); 2], [None, Some(0)]),
    ] {
        for (expected, is_strict) in [(lenient, false), (strict, true)] {
            let stream = Box::new(std::io::Cursor::new(text.as_bytes().to_vec()));
            let reader = GameReader::new(stream, None).expect("a known format");
            let reader = if is_strict { reader.strict() } else { reader };
            let games: Vec<FileGame> = reader.map(|game| game.expect("readable")).collect();
            let plies: Vec<_> =
                games.iter().map(|game| game.start().map(|_| game.plies())).collect();
            assert_eq!(plies, expected, "{text} {is_strict}");
        }
    }
}

#[test]
fn unknown_files_are_refused_with_the_formats() {
    for (bytes, problem) in [
        (&b""[..], "the file is empty: expected PGN, PGN4, Blokus SGF, kung fu chess replay"),
        (b" \n", "the file is empty: expected "),
        (b"Dear Sir or Madam", "unknown file format: expected PGN, "),
        (b"\x89PNG\0\0", "unknown binary file: expected "),
        (b"\x1f\x8b\x08", "the file is compressed with gzip (decompress it first): expected "),
        (b"\xff\xfe1\0.\0", "the file is UTF-16 text (convert it to UTF-8 first): expected "),
    ] {
        let error = FileFormat::recognize(bytes, None).expect_err("unknown").to_string();
        assert!(error.starts_with(problem), "{error}");
    }
}

#[test]
fn games_have_tags_moves_and_results() {
    let games = read(PGN.as_bytes());
    assert_eq!((games.len(), games[0].plies(), games[1].plies()), (2, 7, 1));
    assert_eq!(games[0].players(), ["Ada"]);
    assert_eq!(games[0].outcome().expect("mate").text, "white wins by checkmate");
    assert_eq!(games[1].start().as_deref(), Some("4k3/8/8/8/8/8/8/4K2R w K - 0 1"));
    let games = read(PGN4.as_bytes());
    assert_eq!((games[0].game(), games[0].moves().len()), (Some("four-player-teams"), 5));
    let games = read(SGF.as_bytes());
    assert_eq!(games[0].players(), ["Ada", "B]n"]);
    let games = read(REPLAY.as_bytes());
    assert_eq!(games[0].outcome().expect("it is over").text, "white wins by resignation");
    let games = read(FEN.as_bytes());
    assert_eq!(games[1].tags(), [("bm".into(), "Qd1+".into()), ("id".into(), "BK; 1".into())]);
    assert!(games[1].start().expect("a position").ends_with(" b - - 0 7"));
}

#[test]
fn a_problem_does_not_hide_other_games() {
    let games = read(b"1. e4 Ke3 *\n\n[White \"B\"]\n\n1. d4 *\n");
    let first = &games[0].problems[0];
    assert!(first.starts_with("line 1, column 7: ") && first.contains("'Ke3'"), "{first}");
    assert_eq!((games.len(), games[1].number, games[1].plies()), (2, 2, 1));
    // The moves before the problem are kept.
    assert_eq!((games[0].plies(), games[0].convert(Target::Uci).is_ok()), (1, true));
    let games = read(b"1. e4 -- 2. d4 *");
    let uci = games[0].convert(Target::Uci).expect("UCI");
    assert_eq!(uci, b"position startpos moves e2e4 0000 d2d4\n");
    let games = read(b"4k3/8/8/8/8/8/8/4K3 w - - 0 1\n4k3/8 w\n\n8/8/4k3/8/8/8/8/4K3 b - - 0 1\n");
    assert!(games[1].problems[0].starts_with("line 2: invalid FEN"), "{:?}", games[1].problems);
    assert_eq!((games.len(), games[2].problems.len()), (3, 0));
    let games = read(b"(;GM[Blokus Duo];B[e10]) (;GM[Blokus];1[a1]) (;GM[Blokus];1[a20])");
    assert_eq!(games.iter().map(FileGame::plies).collect::<Vec<_>>(), [1, 0, 1]);
    assert!(games[1].problems[0].starts_with("move 1: "), "{:?}", games[1].problems);
    let late = REPLAY.replace("40 resign 2", "30 1 P:1:6:4->3,4");
    let games = read(late.as_bytes());
    assert!(games[0].problems[0].contains("entry 2"), "{:?}", games[0].problems);
    assert!(games[0].replay().is_some() && games[0].outcome().is_none());
}

#[test]
fn converted_games_are_read_back() {
    for (format, _, bytes) in samples() {
        for game in read(&bytes) {
            for target in Target::ALL {
                let Ok(converted) = game.convert(target) else { continue };
                if matches!(target, Target::Uci)
                    || (target == Target::Json && game.replay().is_none())
                {
                    continue;
                }
                let again = read(&converted);
                assert!(again.iter().all(|game| game.problems.is_empty()), "{format} to {target}");
                assert_eq!(again[0].start(), game.start(), "{format} to {target}");
                if again[0].format.has_moves() {
                    assert_eq!(again[0].moves(), game.moves(), "{format} to {target}");
                    assert_eq!(
                        again[0].convert(target).as_ref(),
                        Ok(&converted),
                        "{format} to {target}"
                    );
                } else {
                    assert_eq!(again.len(), game.convert(target).map_or(0, |all| lines(&all)));
                }
            }
        }
    }
}

fn lines(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte == b'\n').count()
}

#[test]
fn impossible_conversions_name_what_is_accepted() {
    for (bytes, target, message) in [
        (PGN, Target::Sgf, "cannot convert chess to sgf: expected one of pgn, fen, epd, uci, json"),
        (
            PGN4,
            Target::Pgn,
            "cannot convert four-player chess to pgn: expected one of pgn4, fen4, json",
        ),
        (SGF, Target::Fen, "cannot convert Blokus to fen: expected one of sgf, positions, json"),
        (REPLAY, Target::Uci, "cannot convert kung fu chess to uci: expected one of json, binary"),
    ] {
        let error = read(bytes.as_bytes())[0].convert(target).expect_err("impossible");
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn damaged_files_never_panic() {
    let mut random = SplitMix64::new(5);
    let mut damaged = 0;
    for (format, _, bytes) in samples() {
        let cut = (0..bytes.len()).map(|end| bytes[..end].to_vec());
        let mut next = |limit: usize| (random.next() % limit as u64) as usize;
        let changed: Vec<Vec<u8>> = (0..400)
            .map(|_| {
                let mut file = bytes.clone();
                for _ in 0..=next(3) {
                    let at = next(file.len());
                    match next(4) {
                        0 => file[at] = next(256) as u8,
                        1 => drop(file.remove(at)),
                        2 => file.insert(at, b"()[]{};\"\\/-*.0a1K \n"[next(19)]),
                        _ => file.extend_from_within(at..),
                    }
                }
                file
            })
            .collect();
        for file in cut.chain(changed) {
            if FileFormat::recognize(&file, None).is_ok() {
                damaged += read(&file).iter().filter(|game| !game.problems.is_empty()).count();
            }
            game_file(&file);
        }
        assert!(damaged > 50, "{format}: only {damaged} problems were found");
        damaged = 0;
    }
}

#[test]
fn games_are_read_one_by_one() {
    /// An endless stream of games that counts what was read.
    struct Endless(usize);
    impl std::io::Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let game = b"[White \"A\"]\n\n1. e4 e5 *\n\n";
            for byte in buffer.iter_mut() {
                *byte = game[self.0 % game.len()];
                self.0 += 1;
            }
            Ok(buffer.len())
        }
    }
    let mut reader = GameReader::new(Box::new(Endless(0)), None).expect("PGN");
    for number in 1..=10_000 {
        let game = reader.next().expect("endless").expect("readable");
        assert_eq!((game.number, game.plies()), (number, 2));
    }
    assert!(reader.bytes_read() < 10_000 * 28 + (1 << 18), "{}", reader.bytes_read());
}
