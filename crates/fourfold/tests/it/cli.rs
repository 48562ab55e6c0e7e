//! The command-line program from the outside, as a person or a script uses it.

use std::io::Write;
use std::process::{Command, Output, Stdio};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

pub(crate) fn fourfold(arguments: &[&str], input: &str) -> (i32, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_fourfold"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    // A command that does not read its input may have ended already.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let Output { status, stdout, stderr } = child.wait_with_output().expect("the binary ends");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (status.code().expect("an exit code"), text(stdout), text(stderr))
}

#[test]
fn help_lists_the_commands() {
    let (code, out, _) = fourfold(&["--help"], "");
    assert_eq!(code, 0);
    for word in [
        "arena",
        "--port",
        "perft",
        "verify",
        "show",
        "convert",
        "replay",
        "completions",
        "Examples:",
    ] {
        assert!(out.contains(word), "{word} is missing in\n{out}");
    }
}

#[test]
fn perft_prints_nodes_to_stdout_and_time_to_stderr() {
    for threads in ["1", "2", "7"] {
        let (code, out, err) = fourfold(&["perft", "4", "--threads", threads], "");
        assert_eq!((code, out.as_str()), (0, "nodes 197281\n"));
        assert!(err.contains("nodes/s"), "{err}");
    }
    for (depth, nodes) in [("0", "nodes 1\n"), ("1", "nodes 20\n"), ("2", "nodes 400\n")] {
        assert_eq!(fourfold(&["perft", depth], "").1, nodes);
    }
}

#[test]
fn perft_divides_by_first_move() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let (_, out, _) = fourfold(&["perft", "--game", "chess", "--divide", "3", "--fen", fen], "");
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 49);
    assert_eq!(lines[0], "a1b1: 1969");
    assert!(lines.contains(&"e1g1: 2059"));
    assert_eq!(lines[48], "nodes 97862");
}

#[test]
fn perft_supports_chess960() {
    let fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    let (_, out, _) = fourfold(&["perft", "4", "--chess960", "--fen", fen], "");
    assert_eq!(out, "nodes 326672\n");
}

#[test]
fn invalid_arguments_are_reported() {
    let (code, out, err) = fourfold(&["perft", "3", "--fen", "8/8 w - - 0 1"], "");
    assert_eq!((code, out.as_str()), (2, ""));
    assert_eq!(
        err,
        "fourfold: invalid FEN: board: expected 8 ranks separated by '/', got 2, in '8/8'\n"
    );
    for arguments in [
        &["perft"][..],
        &["perft", "x"],
        &["perft", "-1"],
        &["perft", "99"],
        &["perft", "1", "--threads", "0"],
        &["dance"],
    ] {
        let (code, _, err) = fourfold(arguments, "");
        assert_eq!(code, 2, "{arguments:?}");
        assert!(err.contains("error:"), "{err}");
    }
}

#[test]
fn verify_reports_each_case_and_fails_on_a_miss() {
    let input = format!("# counts\n\n{START};3;8902\n{START};2;401\n{START};9;2439530234167\n");
    let (code, out, _) = fourfold(&["verify", "-"], &input);
    assert_eq!(code, 1);
    assert_eq!(
        out,
        format!(
            "pass -:3: perft 3 of {START}: 8902\n\
             FAIL -:4: perft 2 of {START}: expected 401, got 400\n\
             skip -:5: perft 9 of {START}: 2439530234167 nodes are more than --max-nodes 200000000\n\
             1 passed, 1 failed, 1 skipped\n"
        )
    );
}

#[test]
fn verify_writes_json() {
    let input = format!("{START};2;401\n{START};1;20\nnonsense\n");
    let (code, out, err) = fourfold(&["verify", "--json", "-"], &input);
    assert_eq!(code, 1);
    let lines: Vec<serde_json::Value> =
        out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[0]["verdict"], "failed");
    assert_eq!((&lines[0]["expected"], &lines[0]["got"]), (&401.into(), &400.into()));
    assert_eq!(lines[1]["verdict"], "passed");
    assert_eq!(lines[2]["line"], 3);
    assert_eq!(lines[3], serde_json::json!({"passed": 1, "failed": 2, "skipped": 0}));
    assert_eq!(err, "1 passed, 2 failed, 0 skipped\n");
}

#[test]
fn verify_reads_other_suites_and_chess960() {
    let input = format!(
        "{START} ;D1 20 ;D2 400 ;D3 8902\n\
         bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9;3;12189\n"
    );
    let (code, out, _) = fourfold(&["verify", "-"], &input);
    assert_eq!((code, out.lines().last()), (0, Some("4 passed, 0 failed, 0 skipped")));
}

#[test]
fn verify_reports_invalid_files() {
    for (input, message) in [
        ("", "FAIL -: file: has no cases: expected perft counts of chess, "),
        ("# nothing\n", "FAIL -: file: has no cases: expected perft counts of chess, "),
        ("case: A\nposition: R-0\nmoves: a1a2", "FAIL -:1: A: expected a FEN4 with 7 fields"),
        ("case: A\nmoves: a1a2\npieces: x", "FAIL -:1: A: unknown key 'pieces': expected one of "),
        ("{\"cases\": []}", "FAIL -:1: line: expected 'FEN;depth;nodes'"),
        ("case: A\nuntil: x", "FAIL -:1: A: until: expected a tick, got 'x'"),
        ("8/8;1;1", "FAIL -:1: line: invalid FEN: fields: expected 6"),
        ("8/8;1", "FAIL -:1: line: expected 'FEN;depth;nodes'"),
        ("7k/8/8/8/8/8/8/K7 w - - 0 1;1000000;1", "FAIL -:1: line: expected 'FEN;depth;nodes'"),
        (
            "4k3/8/8/8/8/8/4K3/7R w H - 0 1;1;1",
            "FAIL -:1: line: invalid FEN: castling: no king can castle with a rook on h1",
        ),
        ("8/8;x;1", "FAIL -:1: line: expected 'FEN;depth;nodes'"),
    ] {
        let (code, out, _) = fourfold(&["verify", "-"], input);
        assert_eq!(code, 1);
        assert!(out.starts_with(message), "{out}");
        assert_eq!(out.lines().last(), Some("0 passed, 1 failed, 0 skipped"));
    }
    let (code, out, _) = fourfold(&["verify", "no-such-file"], "");
    assert_eq!(code, 1);
    assert!(out.starts_with("FAIL no-such-file: file: cannot be read: "), "{out}");
}

#[test]
fn verify_plays_cases_of_kung_fu_chess() {
    let lines = "case: A\nrules: lightning\npieces: K:1:7:0 K:2:0:0 P:1:6:4\n\
                 order: t0 1 P:1:6:4->5,4\nuntil: 9\n\
                 expect: t0 P:1:6:4->5,4 accepted\nexpect: t7 P:1:6:4 arrives 5,4\n";
    let (code, out, _) = fourfold(&["verify", "-"], lines);
    assert_eq!((code, out.lines().next()), (0, Some("pass -:1: A: 2 events as expected")));
    let (code, out, _) = fourfold(&["verify", "-"], &lines.replace("arrives 5,4", "arrives 4,4"));
    assert_eq!(code, 1);
    assert!(out.starts_with("FAIL -:1: A: expected t0 P:1:6:4->5,4 accepted, t7"), "{out}");
}

#[test]
fn analyze_writes_json_that_verify_reads() {
    let fens = format!("{START}\n# a comment\nr3k3/2N5/8/8/6b1/7P/8/4K3 b - - 0 1\nrubbish\n");
    let (code, out, err) = fourfold(&["analyze", "-"], &fens);
    assert_eq!((code, out.lines().count()), (0, 2));
    assert!(err.starts_with("fourfold: standard input:4: invalid FEN: "), "{err}");
    assert!(err.contains("2 positions, ") && err.contains(", 1 unreadable"), "{err}");
    let last: serde_json::Value =
        serde_json::from_str(out.lines().last().expect("a line")).expect("JSON");
    assert_eq!(last["black"]["hanging"], serde_json::json!(["g4", "a8"]));
    assert_eq!(last["white"]["pawns"]["passed"], serde_json::json!(["h3"]));
    let (code, verdicts, _) = fourfold(&["verify", "-"], &out);
    assert_eq!((code, verdicts.lines().last()), (0, Some("2 passed, 0 failed, 0 skipped")));
    let wrong = out.replace("[\"g4\",\"a8\"]", "[\"g4\"]");
    let (code, verdicts, _) = fourfold(&["verify", "-"], &wrong);
    assert_eq!(code, 1);
    assert!(
        verdicts.contains("FAIL -:2: analysis: black hanging: expected [\"g4\"]"),
        "{verdicts}"
    );
    // FENs without counters and EPDs are positions too, unless strict reading is asked for.
    let short = "4k3/8/8/8/8/8/8/4K3 w - -\n4k3/8/8/8/8/8/8/4K3 w - - id \"x\";\n";
    let (code, out, err) = fourfold(&["analyze", "-"], short);
    assert_eq!((code, out.lines().count()), (0, 2), "{err}");
    assert_eq!(fourfold(&["analyze", short.lines().next().expect("a FEN")], "").0, 0);
    assert_eq!(fourfold(&["analyze", "--strict", "-"], short).0, 1);
    let (code, _, err) = fourfold(&["analyze", "--strict", "-"], "rubbish/ x\n");
    assert_eq!((code, err.contains("0 positions")), (1, true), "{err}");
}

#[test]
fn analyze_chooses_facts_and_formats() {
    let fen = "r3k3/2N5/8/8/6b1/7P/8/4K3 b - - 0 1";
    // The British spelling is an alias.
    for name in ["analyze", "analyse"] {
        let (code, out, _) = fourfold(&[name, fen], "");
        assert!(code == 0 && out.contains("hanging                 1 (h3)  2 (g4 a8)"), "{out}");
    }
    let (_, out, _) =
        fourfold(&["analyze", "--format", "csv", "--facts", "hanging,material", fen], "");
    let head = "fen,white_hanging,white_material,black_hanging,black_material";
    assert_eq!(out, format!("{head}\n{fen},h3,4,g4 a8,8\n"));
    let (code, _, err) = fourfold(&["analyze", "--facts", "colour", fen], "");
    assert!(
        code == 2 && err.contains("unknown fact 'colour': expected one of pieces, attacked"),
        "{err}"
    );
    let games = "[Event \"a\"]\n\n1. e4 zz *\n\n[Event \"b\"]\n\n1. e4 e5 2. Nf3 *\n";
    for threads in ["1", "3"] {
        let (code, out, err) = fourfold(&["analyze", "--threads", threads, "-"], games);
        assert_eq!((code, out.lines().count()), (0, 6), "{err}");
        assert!(err.contains("line 3, column 7: expected a move like"), "{err}");
        assert!(out.starts_with("{\"game\":1,\"ply\":0,\"fen\":\"rnbq"), "{out}");
        assert!(out.lines().last().expect("a line").starts_with("{\"game\":2,\"ply\":3,"), "{out}");
        let (code, verdicts, _) = fourfold(&["verify", "-"], &out);
        assert_eq!((code, verdicts.lines().last()), (0, Some("6 passed, 0 failed, 0 skipped")));
    }
    let csv = ["analyze", "--format", "csv", "--facts", "material", "-"];
    let (_, out, _) = fourfold(&csv, games);
    assert!(out.starts_with("game,ply,fen,white_material,black_material\n1,0,rnbq"), "{out}");
}

#[test]
fn verify_stops_counting_above_the_limit() {
    let input = format!("{START};9;5\n");
    let (code, out, _) = fourfold(&["verify", "--max-nodes", "1000", "-"], &input);
    assert_eq!(code, 1);
    assert!(out.contains("expected 5, got more than 1000"), "{out}");
}

#[test]
fn verify_does_not_panic_on_any_text() {
    let words = [
        START,
        ";",
        "D1 ",
        "20",
        "x",
        " ",
        "-1",
        "\u{0}",
        "é",
        "#",
        "\n",
        "99999999999999999999",
        "{",
    ];
    let mut keys = fourfold_common::SplitMix64::new(1);
    for _ in 0..60 {
        let input: String =
            (0..30).map(|_| words[(keys.next() % words.len() as u64) as usize]).collect();
        let (code, out, err) = fourfold(&["verify", "--max-nodes", "1000", "-"], &input);
        assert!(code == 0 || code == 1, "{input:?}: {code} {err}");
        assert!(out.lines().last().is_some_and(|line| line.ends_with(" skipped")), "{out}");
    }
}

#[test]
fn closed_pipes_do_not_panic() {
    for (arguments, code) in [
        (&["completions", "bash"][..], 0),
        (&["perft", "2", "--divide"], 0),
        (&["verify", "no-such-file"], 1),
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_fourfold"))
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        drop((child.stdout.take(), child.stderr.take()));
        assert_eq!(child.wait().expect("the binary ends").code(), Some(code), "{arguments:?}");
    }
}

#[test]
fn data_files_pass() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/chess/classic.perft");
    let (code, out, _) = fourfold(&["verify", "--max-nodes", "500000", path], "");
    assert_eq!((code, out.lines().last()), (0, Some("27 passed, 0 failed, 13 skipped")));
}

#[test]
fn completions_are_printed_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let (code, out, _) = fourfold(&["completions", shell], "");
        assert_eq!(code, 0);
        let commands =
            ["arena", "analyze", "perft", "verify", "show", "convert", "replay", "match", "uci"];
        // Only these shells complete the values of options.
        let values = if ["bash", "zsh", "fish"].contains(&shell) {
            &["four-player", "fen4"][..]
        } else {
            &[]
        };
        for word in commands.iter().chain(values).chain(&["animate"]) {
            assert!(out.contains(word), "{word} is missing for {shell}");
        }
    }
}

#[test]
fn perft_supports_four_player_chess() {
    let four = |more: &[&str]| fourfold(&[&["perft", "--game", "four-player"], more].concat(), "");
    assert_eq!(four(&["4"]).1, "nodes 152050\n");
    assert_eq!(four(&["4", "--setup", "classic", "--mode", "teams"]).1, "nodes 158402\n");
    let mate = "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-6,yK,7/10,rR,3/4,bN,9/14/14/14/bK,13/13,gK/14/3,rR,10/\
                14/14/14/7,rK,6";
    for (rules, nodes) in [("off", 1226), ("on-turn", 1296), ("immediate", 1307)] {
        let (code, out, _) = four(&["3", "--fen", mate, "--rules", rules]);
        assert_eq!((code, out), (0, format!("nodes {nodes}\n")), "{rules}");
    }
    let (_, out, _) = four(&["2", "--divide"]);
    assert!(out.starts_with("d2d3: 20\n") && out.ends_with("nodes 395\n"), "{out}");
}

#[test]
fn options_of_other_games_are_refused() {
    let (code, _, err) = fourfold(&["perft", "2", "--mode", "teams"], "");
    assert_eq!((code, err.as_str()), (2, "fourfold: --mode requires --game four-player\n"));
    let (code, _, err) = fourfold(&["perft", "2", "--game", "four-player", "--chess960"], "");
    assert_eq!((code, err.as_str()), (2, "fourfold: --chess960 requires --game chess\n"));
    let (code, _, err) = fourfold(&["perft", "2", "--game", "four-player", "--fen", "R-0"], "");
    assert!(code == 2 && err.contains("expected a FEN4 with 7 fields"), "{err}");
}

#[test]
fn verify_supports_four_player_chess() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/four-player/counts.perft");
    let (code, out, _) = fourfold(&["verify", "--max-nodes", "20000", file], "");
    assert!(code == 0 && out.contains(" 0 failed, "), "{out}");
    let line = "R-0 ; ffa ; D1 20\nR-0,0,0,0 ; D1 20\nRxy ; ffa";
    let (code, out, _) = fourfold(&["verify", "-"], line);
    assert_eq!(code, 1);
    assert!(out.contains("-:1: line: expected a FEN4 with 7 fields"), "{out}");
    assert!(out.contains("-:2: line: expected 'FEN4 ; rules ; D1 nodes"), "{out}");
    assert!(out.contains("-:3: line: expected 'FEN;depth;nodes'"), "{out}");
}

#[test]
fn verify_compares_the_legal_moves_of_four_player_chess() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/four-player/cases.txt");
    let (code, out, _) = fourfold(&["verify", file], "");
    assert_eq!((code, out.lines().last()), (0, Some("18 passed, 0 failed, 0 skipped")));
    let text = std::fs::read_to_string(file).expect("a file").replace("h1g1 h1g2", "h1g1 h1a1");
    let (code, out, _) = fourfold(&["verify", "-"], &text);
    assert_eq!(code, 1);
    assert!(out.contains("ep_two_flanks: missing moves: h1a1; unexpected moves: h1g2"), "{out}");
    let (_, help, _) = fourfold(&["verify", "--help"], "");
    assert!(help.contains("Kinds of files:") && help.contains("games of kung fu chess:"), "{help}");
}

#[test]
fn perft_and_verify_support_blokus() {
    let perft = |more: &[&str]| fourfold(&[&["perft"], more].concat(), "").1;
    assert_eq!(perft(&["3", "--game", "blokus"]), "nodes 195112\n");
    assert_eq!(perft(&["2", "--game", "blokus-duo"]), "nodes 171396\n");
    let position = "two-5 o pp3/1p3/5/5/5 -";
    assert_eq!(perft(&["1", "--game", "blokus", "--fen", position]), "nodes 58\n");
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/blokus/counts.perft");
    let (code, out, _) = fourfold(&["verify", "--max-nodes", "200000", file], "");
    assert!(code == 0 && out.contains(" 0 failed, "), "{out}");
    let (code, out, _) = fourfold(&["verify", "-"], "duo p 14 ; D1 5\nclassic ; D1 57");
    assert_eq!(code, 1);
    assert!(out.contains("-:1: line: expected a position with 4 fields"), "{out}");
    assert!(out.contains("expected 57, got 58"), "{out}");
}

#[test]
fn replay_plays_kung_fu_chess_replays() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.json");
    let name = path.to_str().expect("UTF-8");
    let game = |version: u32, act: &str| {
        let text = format!(
            r#"{{"kung_fu_replay":1,"rules_version":{version},"rules":"8x8 lightning","acts":["0 1 P:1:6:4->4,4","{act}"],"end":40}}"#
        );
        std::fs::write(&path, text).expect("a file");
    };
    game(1, "40 resign 2");
    let (code, out, _) = fourfold(&["replay", "--events", name], "");
    assert_eq!(code, 0);
    assert!(out.starts_with("t13 P:1:6:4 arrives 4,4\n"), "{out}");
    assert!(out.ends_with("t40 game over winner 1\nend 40 winner 1\n"), "{out}");
    game(1, "30 1 P:1:6:3->5,3");
    assert_eq!(fourfold(&["replay", name], "").1, "end 40 unfinished\n");
    game(1, "30 1 P:1:6:4->3,4");
    let (code, out, err) = fourfold(&["replay", name], "");
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(err.contains("entry 2, on tick 30, is refused: the piece is resting"), "{err}");
    game(9, "40 resign 2");
    assert!(fourfold(&["replay", name], "").2.contains("version 9"), "of another version");
    std::fs::write(&path, b"\xff\xfe").expect("a file");
    assert!(fourfold(&["replay", name], "").2.contains("expected PGN, PGN4, "));
    assert!(fourfold(&["replay", "no/such/file"], "").2.contains("cannot read no/such/file"));
}

#[test]
fn data_is_exported_and_imported() {
    let folder = tempfile::tempdir().expect("a folder");
    let name = |name: &str| folder.path().join(name).display().to_string();
    let (data, copy, text, other) = (name("a.db"), name("b.db"), name("a.jsonl"), name("b.jsonl"));
    let (code, _, err) = fourfold(&["data", "export", "--data", &data, &text], "");
    assert_eq!(code, 2);
    assert!(err.contains("a.db cannot be used"), "{err}");
    assert!(!folder.path().join("a.jsonl").exists() && !folder.path().join("a.db").exists());

    let guest = r#"{"row":{"id":7,"name":"Ada","secret":{"hex":"00ff"}},"table":"guests"}"#;
    let export = format!("{{\"fourfold\":\"arena\",\"format\":4}}\n{guest}\n{{\"rows\":1}}\n");
    let (code, _, err) = fourfold(&["data", "import", "--data", &data, "-"], &export);
    assert_eq!((code, err.starts_with("imported 0 games into ")), (0, true), "{err}");
    assert_eq!(fourfold(&["data", "export", "--data", &data, &text], "").0, 0);
    assert_eq!(fourfold(&["data", "import", "--data", &copy, &text], "").0, 0);
    let (_, out, _) = fourfold(&["data", "export", "--data", &copy, "-"], "");
    assert!(out.contains(guest), "{out}");
    // An existing file is not overwritten, and damaged text is refused by line.
    assert_eq!(fourfold(&["data", "export", "--data", &data, &text], "").0, 2);
    let (code, _, err) = fourfold(&["data", "import", "--data", &other, "-"], &export[..60]);
    assert_eq!(code, 2);
    assert!(err.contains("line 2: it is not JSON"), "{err}");
}

/// The service and the container start the program with arguments that it has.
#[test]
fn deployment_files_use_existing_arguments() {
    let unit = include_str!("../../../../deploy/fourfold.service");
    let started = unit.lines().find_map(|line| line.strip_prefix("ExecStart="));
    let mut words = started.expect("a command").split(' ');
    assert_eq!(words.next(), Some("/usr/local/bin/fourfold"));
    let service: Vec<&str> = words.collect();
    let container = include_str!("../../../../deploy/Containerfile");
    let entry = container.lines().find_map(|line| line.strip_prefix("ENTRYPOINT "));
    let words: Vec<&str> = entry.expect("a command").trim_matches(['[', ']']).split(", ").collect();
    let words: Vec<&str> = words.iter().map(|word| word.trim_matches('"')).collect();
    assert_eq!(words[0], "fourfold");
    for arguments in [&service[..], &words[1..]] {
        let (code, out, err) = fourfold(&[arguments, &["--help"]].concat(), "");
        assert_eq!((code, err.as_str()), (0, ""), "{arguments:?}");
        assert!(out.contains("--behind-proxy"), "{out}");
    }
}
