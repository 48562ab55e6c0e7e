//! `fourfold match` from the outside: every game works, the same seed gives the same games, and
//! errors are clear.

use std::process::{Command, Output};

use crate::random_model::Files;

fn matched(arguments: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_fourfold"))
        .arg("match")
        .args(arguments)
        .output()
        .expect("the binary runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (status.code().expect("an exit code"), text(stdout), text(stderr))
}

#[test]
fn games_do_not_depend_on_the_number_of_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    let games = |threads: &str, seed: &str| {
        let path = folder.path().join(format!("{threads}-{seed}.pgn"));
        let name = path.to_str().expect("a name");
        let arguments =
            ["beginner", "casual@500", "--games", "6", "--threads", threads, "--seed", seed];
        let (code, out, err) = matched(&[&arguments[..], &["--save", name]].concat());
        assert_eq!(code, 0, "{err}");
        assert!(out.contains("beginner") && out.contains("casual@500"), "{out}");
        std::fs::read_to_string(path).expect("the games")
    };
    let one = games("1", "5");
    assert_eq!(one, games("3", "5"));
    assert_ne!(one, games("1", "6"));
    let mut read = 0;
    for game in fourfold_chess::pgn::Reader::new(one.as_bytes()) {
        game.expect("a game");
        read += 1;
    }
    assert_eq!(read, 6);
    for tag in ["[White \"beginner\"]", "[Black \"beginner\"]", "[White \"casual@500\"]"] {
        assert_eq!(one.matches(tag).count(), 3, "{tag}");
    }
}

#[test]
fn every_turn_based_game_can_be_played() {
    for (game, players) in [
        ("chess960", &["random", "greedy"][..]),
        ("four-player", &["greedy", "random", "random"]),
        ("four-player-teams", &["greedy", "random"]),
        ("blokus", &["greedy", "random", "random", "greedy"]),
        ("blokus-2", &["greedy", "random"]),
        ("blokus-3", &["greedy", "random", "random"]),
        ("blokus-duo", &["greedy", "random"]),
    ] {
        let (code, out, err) = matched(&[&["--game", game, "--games", "1"], players].concat());
        assert_eq!(code, 0, "{game}: {err}");
        assert_eq!(out.lines().count(), players.len() + 1, "{game}: {out}");
        assert_eq!(out.contains("mean place"), players.len() > 2, "{game}: {out}");
    }
}

#[test]
fn models_play_every_game_that_is_trained() {
    for (environment, more) in [
        // With longer openings, games end sooner.
        ("chess", &["--plies", "60"][..]),
        ("four_player", &["--plies", "120"]),
        ("blokus_duo", &["--plies", "10"]),
        ("kung_fu", &["--rules", "lightning no-capture=60 no-draw-before=200"]),
        ("kung_fu", &["--rules", "standard no-capture=60 no-draw-before=200"]),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        Files::new(environment, (1, 4), 1).write(folder.path());
        let (game, model) =
            (environment.replace('_', "-"), format!("learned:{}", folder.path().display()));
        let player = format!("{model}@2");
        let options = ["--game", &game, "--games", "2", &player, "random"];
        let (code, out, err) = matched(&[&options[..], more].concat());
        assert_eq!(code, 0, "{game}: {err}");
        let row = out.lines().find(|line| line.starts_with(&player)).expect("a row");
        assert_eq!(row.split_whitespace().nth(1), Some("2"), "{game}: {out}");
        for other in ["chess960", "four-player-teams", "blokus", "kung-fu-12x12"] {
            let (code, _, err) = matched(&[&model, "random", "--game", other]);
            let expected = format!("is a model for {game}, not {other}");
            assert!(code == 2 && err.contains(&expected), "{err}");
        }
    }
}

#[test]
fn openings_come_from_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a name").to_owned();
    let (openings, games) = (path("openings.epd"), path("games.pgn"));
    std::fs::write(&openings, "8/8/8/4k3/8/8/4P3/4K3 w - - id \"pawn\";\n1. a3 a6 2. b3\n")
        .expect("a file");
    let options = ["--openings", &openings, "--games", "4", "--save", &games];
    let (code, _, err) = matched(&[&["random", "greedy"], &options[..]].concat());
    assert_eq!(code, 0, "{err}");
    let saved = std::fs::read_to_string(&games).expect("games");
    assert_eq!(saved.matches("[FEN \"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\"]").count(), 2, "{saved}");
    assert_eq!(saved.matches("1. a3 a6 2. b3").count(), 2, "{saved}");
    std::fs::write(&openings, "e2e4\ne2e5\n").expect("a file");
    let (code, _, err) = matched(&["random", "greedy", "--openings", &openings]);
    let error = format!("{openings}:2: a pawn does not move from e2 to e5");
    assert!(code == 2 && err.contains(&error), "{err}");
    let (code, _, err) =
        matched(&["random", "greedy", "--game", "kung-fu", "--openings", &openings]);
    assert!(code == 2 && err.contains("--openings is only for turn-based games"), "{err}");
}

#[test]
#[cfg(target_os = "linux")]
fn times_can_be_cpu_times() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a name").to_owned();
    // It mates after a pause that takes no CPU time.
    let script = "while read -r line; do case $line in uci) echo uciok;; isready) echo readyok;; quit) exit;;\n\
                  go*) sleep 0.2; echo bestmove g1g8;; esac; done\n";
    std::fs::write(path("engine.sh"), script).expect("a script");
    std::fs::write(path("mate.epd"), "k7/8/1K6/8/8/8/8/6R1 w - -\n").expect("a file");
    let sleeper = format!("uci:sh {}", path("engine.sh"));
    let seconds = |more: &[&str]| {
        let openings = path("mate.epd");
        let options = ["--movetime", "40", "--games", "2", "--json", "--openings", &openings];
        let (code, out, err) = matched(&[&[&sleeper[..], &sleeper], &options[..], more].concat());
        assert_eq!(code, 0, "{err}");
        let found: serde_json::Value = serde_json::from_str(&out).expect("JSON");
        assert_eq!(found["cputime"], !more.is_empty(), "{out}");
        assert_eq!(found["players"][1]["won"], 1, "{out}");
        found["players"][0]["seconds_per_move"].as_f64().expect("a time")
    };
    let [wall, cpu] = [seconds(&[]), seconds(&["--cputime"])];
    assert!(wall >= 0.2 && cpu < 0.15, "{wall} {cpu}");
}

#[test]
fn sprt_ends_early() {
    let arguments = ["greedy", "random", "--games", "1000", "--sprt", "0", "200"];
    let (code, out, err) = matched(&arguments);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("200 Elo rather than 0"), "{out}");
    let games = out.lines().nth(1).and_then(|line| line.split_whitespace().nth(1));
    assert!(
        games.and_then(|text| text.parse().ok()).is_some_and(|games: u32| games < 100),
        "{out}"
    );
}

#[test]
fn errors_name_the_problem() {
    for (arguments, error) in [
        (&["random", "nobody"][..], "unknown level 'nobody' of chess"),
        (&["random", "random", "random"], "expected at most 2 players for chess, got 3"),
        (&["random", "random", "--game", "checkers"], "unknown game 'checkers'"),
        (&["random", "uci:/nowhere"], "a UCI engine needs --nodes or --movetime"),
        (&["random", "uci:/nowhere", "--nodes", "5"], "the engine '/nowhere' could not be started"),
        (
            &["random", "random", "--reaction", "250"],
            "--reaction is only for kung-fu and kung-fu-12x12, not chess",
        ),
        (&["random", "random", "--sprt", "5", "0"], "ELO0 (5) must be less than ELO1 (0)"),
    ] {
        let (code, _, err) = matched(arguments);
        assert_eq!(code, 2, "{arguments:?}");
        assert!(err.contains(error), "{arguments:?}: {err}");
    }
}
