//! The commands for game files: `show`, `convert` and `replay`.

use std::fs;
use std::path::PathBuf;

use crate::cli::fourfold;
use fourfold_common::SplitMix64;

const PGN: &str = "[White \"Ada\"]\n[Black \"Ben\"]\n[Result \"1-0\"]\n\n\
    1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n";
const PGN4: &str = "[StartFen4 \"4PCo\"]\n[Variant \"FFA\"]\n[Red \"Ann\"]\n\n\
    1. h2-h3 .. b8-c8 .. g13-g12 .. m7-l7\n2. Qg1xQn8+ .. R\n";
const SGF: &str = "(;GM[Blokus Duo]PB[Ada]PW[Ben];B[e8,e9,e10];W[j5])\n";
const REPLAY: &str = r#"{"kung_fu_replay":1,"rules_version":1,"rules":"8x8 lightning",
    "acts":["0 1 P:1:6:4->4,4","40 resign 2"],"end":40}"#;
const FEN: &str = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1\n";
const FEN4: &str =
    "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-6,yK,7/14/14/14/14/14/13,gK/bK,13/14/14/14/14/14/7,rK,6\n";

/// Writes a file into a temporary folder.
fn file(folder: &tempfile::TempDir, name: &str, text: &str) -> String {
    let path: PathBuf = folder.path().join(name);
    fs::write(&path, text).expect("a file");
    path.to_str().expect("UTF-8").to_owned()
}

#[test]
fn show_prints_boards_with_coordinates() {
    let (code, out, err) = fourfold(&["show", "-"], PGN);
    assert_eq!(code, 0, "{err}");
    let expected = "\
Ada – Ben

  White   Ada
  Black   Ben
  Result  1-0

  8  r  .  b  q  k+ b  .  r
  7  p  p  p  p  . (Q) p  p
  6  .  .  n  .  .  n  .  .
  5  .  .  .  .  p  .  . (.)
  4  .  .  B  .  P  .  .  .
  3  .  .  .  .  .  .  .  .
  2  P  P  P  P  .  P  P  P
  1  R  N  B  .  K  .  N  R

     a  b  c  d  e  f  g  h

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7#

White wins by checkmate
r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4
";
    assert_eq!(out, expected);
    let (_, out, _) = fourfold(&["show", "--ply", "1", "-"], PGN);
    assert!(
        out.contains("  4  .  .  .  . (P) .  .  .\n") && out.contains("\nBlack to move\n"),
        "{out}"
    );
    let (code, _, err) = fourfold(&["show", "--ply", "8", "-"], PGN);
    assert!(code == 2 && err.contains("there is no ply 8: the last one is 7"), "{err}");
}

#[test]
fn show_reads_every_format() {
    for (text, lines) in [
        (
            PGN4,
            &[
                "Ann\n",
                "   8  bK   .  bP ",
                " gP (rQ)\n",
                "Points: red 9, ",
                "Yellow to move, in check\n",
            ][..],
        ),
        (
            SGF,
            &[
                "Ada – Ben\n",
                "  14  .  .",
                "  10  .  .  .  .  P  .",
                " (O) ",
                "Points: purple -86, ",
            ],
        ),
        (REPLAY, &["Rules: 8x8 lightning\n", "  4  .  .  .  .  P*", "White wins by resignation\n"]),
        (FEN, &["  1  R  .  .  .  K  .  .  R\n", "White to move\n"]),
        (FEN4, &["  14               .   .   .  yK ", "Red to move\n"]),
        ("duo p 14/14/14/14/4p9/4p9/4p9/14/14/14/14/14/14/14 -", &["  10  .  .  .  .  P  ."]),
    ] {
        let (code, out, err) = fourfold(&["show", "-"], text);
        assert_eq!((code, err.as_str()), (0, ""), "{text}");
        for line in lines {
            assert!(out.contains(line), "{line:?} is missing in\n{out}");
        }
        // There are no colors, and no blanks at the ends of lines, if the output is not a terminal.
        assert!(
            !out.contains('\u{1b}') && out.lines().all(|line| line.trim_end() == line),
            "{out}"
        );
    }
    let (code, out, _) = fourfold(&["show", "--tick", "13", "-"], REPLAY);
    assert!(code == 0 && out.ends_with("     * resting\n\nTick 13\n"), "{out}");
    assert!(fourfold(&["show", "--tick", "99", "-"], REPLAY).2.contains("the last tick is 40"));
    assert!(fourfold(&["show", "--tick", "9", "-"], PGN).2.contains("--tick is for kung fu chess"));
    assert!(
        fourfold(&["show", "--ply", "9", "-"], REPLAY).2.contains("--ply is for games with turns")
    );
}

#[test]
fn files_with_several_games_are_listed() {
    let bad = PGN.replace("Bc4", "Ke3").replace("Ada", "Cem");
    let games = format!("{PGN}\n{bad}\n{}", PGN.replace("Ada", "Dot"));
    let (code, out, _) = fourfold(&["show", "-"], &games);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(code, 1);
    assert_eq!(
        lines[..2],
        ["  game  result   plies  players", "     1  1-0          7  Ada – Ben"]
    );
    assert!(out.contains("     2  problem: line 11, column 13: "), "{out}");
    assert_eq!(lines.last(), Some(&"     3  1-0          7  Dot – Ben"));
    let (code, out, _) = fourfold(&["show", "--game", "3", "-"], &games);
    assert!(code == 0 && out.starts_with("Dot – Ben\n"), "{out}");
    let (code, _, err) = fourfold(&["show", "--game", "9", "-"], &games);
    assert_eq!((code, err.as_str()), (2, "fourfold: expected a game from 1 to 3, got 9\n"));
    let (code, _, err) = fourfold(&["show", "--ply", "1", "-"], &games);
    assert!(code == 2 && err.contains("require --game"), "{err}");
    let (_, out, _) = fourfold(&["show", "-"], &FEN.repeat(2));
    assert_eq!(out, format!("  game  position\n     1  {FEN}     2  {FEN}"));
}

#[test]
fn convert_writes_other_formats_of_the_same_game() {
    let (code, out, _) = fourfold(&["convert", "-", "--to", "uci"], PGN);
    assert_eq!(
        (code, &out[..]),
        (0, "position startpos moves e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7\n")
    );
    let (_, fens, _) = fourfold(&["convert", "-", "--to", "fen"], PGN);
    assert_eq!(fens.lines().count(), 8);
    assert_eq!(fourfold(&["convert", "-", "--to", "fen"], &fens).1, fens);
    let (_, epd, _) = fourfold(&["convert", "-", "--to", "epd"], PGN);
    assert!(epd.contains(" b KQkq e3 hmvc 0; fmvn 1;\n"), "{epd}");
    assert_eq!(fourfold(&["convert", "-", "--to", "fen"], &epd).1, fens);
    let (_, json, _) = fourfold(&["convert", "-", "--to", "json"], &format!("{PGN}\n{PGN}"));
    let games: Vec<serde_json::Value> =
        json.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((games.len(), &games[1]["number"]), (2, &2.into()));
    assert_eq!((&games[0]["tags"]["White"], &games[0]["result"]), (&"Ada".into(), &"1-0".into()));
    assert_eq!(games[0]["moves"][6]["text"], "Qxf7#");
    let (_, pgn, _) = fourfold(&["convert", "-", "--to", "pgn"], &format!("{PGN}{PGN}"));
    assert_eq!(pgn, format!("{PGN}\n{PGN}"));
    let (_, sgf, _) = fourfold(&["convert", "-", "--to", "sgf"], SGF);
    assert_eq!(sgf, "(;GM[Blokus Duo]PB[Ada]PW[Ben]\n;B[e8,e9,e10]\n;W[j5])\n");
    let (_, positions, _) = fourfold(&["convert", "-", "--to", "positions"], SGF);
    assert_eq!(positions.lines().count(), 3);
    assert!(fourfold(&["convert", "-", "--to", "pgn4"], PGN4).1.ends_with("2. Qg1xQn8+ .. R\n"));
    assert_eq!(fourfold(&["convert", "-", "--to", "fen4"], PGN4).1.lines().count(), 7);
    assert_eq!(fourfold(&["convert", "-", "--to", "fen4"], FEN4).1, FEN4);
}

#[test]
fn converting_keeps_the_moves_before_a_problem() {
    let bad = PGN.replace("Bc4", "Ke3");
    let (code, out, err) = fourfold(&["convert", "-", "--to", "uci"], &format!("{bad}\n{PGN}"));
    assert_eq!((code, out.lines().next()), (1, Some("position startpos moves e2e4 e7e5")));
    assert_eq!(out.lines().count(), 2);
    assert!(err.starts_with("fourfold: -: game 1: line 5, column 13: 'Ke3' is not legal"), "{err}");
    let strict = ["convert", "-", "--to", "uci", "--strict"];
    let (code, out, _) = fourfold(&strict, &format!("{bad}\n{PGN}"));
    assert_eq!((code, out.lines().count()), (1, 1));
    // A move that is only read leniently is not one for strict readers.
    for command in [&strict[..], &["show", "-", "--strict"], &["replay", "-", "--strict"]] {
        assert_eq!(fourfold(&command[..command.len() - 1], "1. g1f3 *").0, 0, "{command:?}");
        let (code, out, err) = fourfold(command, "1. g1f3 *");
        assert!(code == 1 && (out + &err).contains("line 1, column 4"), "{command:?}");
    }
}

#[test]
fn replays_are_converted_to_binary_and_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let (json, binary) = (file(&folder, "game.json", REPLAY), folder.path().join("game.kfr"));
    let binary = binary.to_str().expect("UTF-8");
    let (code, out, err) = fourfold(&["convert", &json, "--to", "binary", "--out", binary], "");
    assert_eq!((code, out.as_str()), (0, ""), "{err}");
    assert!(fs::read(binary).expect("a file").starts_with(b"KFR1"));
    let back = fourfold(&["convert", binary, "--to", "json"], "").1;
    assert_eq!(back, fourfold(&["convert", &json, "--to", "json"], "").1);
    assert!(fourfold(&["show", binary], "").1.contains("White wins by resignation"));
    assert_eq!(fourfold(&["replay", binary], "").1, "end 40 winner 1\n");
}

#[test]
fn impossible_conversions_write_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let (pgn, out) = (file(&folder, "game.pgn", PGN), folder.path().join("out"));
    let path = out.to_str().expect("UTF-8");
    let (code, _, err) = fourfold(&["convert", &pgn, "--to", "sgf", "--out", path], "");
    assert_eq!(code, 2);
    assert!(
        err.contains("cannot convert chess to sgf: expected one of pgn, fen, epd, uci, json"),
        "{err}"
    );
    assert!(!out.exists());
    let (code, _, err) = fourfold(&["convert", &pgn, "--to", "pgn", "--out", &pgn], "");
    assert!(code == 2 && err.contains("--out must not be the file that is converted"), "{err}");
    assert_eq!(fs::read_to_string(&pgn).expect("a file"), PGN);
    let (code, _, err) = fourfold(&["convert", &pgn, "--to", "doc"], "");
    assert!(code == 2 && err.contains("possible values: pgn, pgn4, sgf, fen, epd, "), "{err}");
}

#[test]
fn replay_prints_moves_boards_and_results() {
    let (code, out, _) = fourfold(&["replay", "--events", "-"], PGN);
    assert!(code == 0 && out.starts_with("1 white e4\n2 black e5\n"), "{out}");
    assert!(out.ends_with("7 white Qxf7#\nend 7 winner white\n"), "{out}");
    let (_, out, _) = fourfold(&["replay", "--boards", "-"], PGN);
    assert_eq!(out.matches("     a  b  c  d  e  f  g  h\n").count(), 8);
    // Without a terminal, an animation is a list of boards.
    assert_eq!(fourfold(&["replay", "--animate", "-"], PGN).1, out);
    assert_eq!(fourfold(&["replay", "-"], PGN4).1, "end 5 unfinished\n");
    assert!(fourfold(&["replay", "--events", "-"], SGF).1.starts_with("1 purple I3 e8,e9,e10\n"));
    let (_, out, _) = fourfold(&["replay", "--boards", "-"], REPLAY);
    assert!(
        out.contains("t13 P:1:6:4 arrives 4,4\n\n  8  r  n") && out.contains("     ~ moving\n"),
        "{out}"
    );
    let (code, out, err) =
        fourfold(&["replay", "-"], &format!("{PGN}\n[White \"B\"]\n\n1. e4 Ke2 *\n"));
    assert_eq!((code, out.as_str()), (1, "end 7 winner white\ngame 2\nend 1 unfinished\n"));
    assert!(err.starts_with("fourfold: -: game 2: line 9, column 7: 'Ke2' is not legal"), "{err}");
}

#[test]
fn unknown_files_are_refused_with_the_formats() {
    for command in [&["show", "-"][..], &["replay", "-"], &["convert", "-", "--to", "json"]] {
        for (text, problem) in [("", "the file is empty"), ("Dear Sir", "unknown file format")] {
            let (code, out, err) = fourfold(command, text);
            assert_eq!((code, out.as_str()), (2, ""), "{command:?}");
            assert!(
                err.contains(problem) && err.contains(": expected PGN, PGN4, Blokus SGF, "),
                "{err}"
            );
        }
        let missing = [&[command[0], "no/such/file"], &command[2..]].concat();
        assert!(fourfold(&missing, "").2.contains("cannot read no/such/file"));
    }
}

#[test]
fn damaged_files_have_a_message_and_an_exit_status() {
    let mut random = SplitMix64::new(3);
    let mut next = |limit: usize| (random.next() % limit as u64) as usize;
    for text in [PGN, PGN4, SGF, REPLAY, FEN, FEN4] {
        for _ in 0..12 {
            let mut damaged: String = text.chars().take(1 + next(text.len())).collect();
            let at = next(damaged.len());
            damaged.insert(at, ['(', '}', '"', '9', '-', '\0'][next(6)]);
            for command in [&["show", "-"][..], &["replay", "-"], &["convert", "-", "--to", "json"]]
            {
                let (code, out, err) = fourfold(command, &damaged);
                assert!((0..=2).contains(&code), "{command:?} {damaged:?}: {code} {err}");
                assert!(
                    code == 0 || !err.is_empty() || out.to_lowercase().contains("problem: "),
                    "{damaged:?}"
                );
                assert!(!err.contains("panicked"), "{damaged:?}: {err}");
            }
        }
    }
}
