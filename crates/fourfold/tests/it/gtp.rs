//! Blokus engines that speak GTP: ours, and matches against others.

use crate::cli::fourfold;

/// Sends lines to `fourfold gtp`, and returns its answers.
fn answers(arguments: &[&str], lines: &str) -> Vec<String> {
    let (code, out, err) = fourfold(&[&["gtp"], arguments].concat(), lines);
    assert_eq!((code, err.as_str()), (0, ""));
    out.split_terminator("\n\n").map(str::to_owned).collect()
}

#[test]
fn a_game_is_played_over_gtp() {
    let session = "name\n1 protocol_version\n# a comment\n\nplay b e8,E9,e10\nplay W j5 # corner\n2 showboard\n\
                   undo\nknown_command undo\nall_legal w\nreg_genmove w\ngenmove w\ng\nfinal_score\nquit\nname\n";
    let said = answers(&["--level", "greedy"], session);
    assert_eq!(said.len(), 13);
    assert_eq!(said[..4], ["= Fourfold", "=1 2", "= ", "= "]);
    assert!(said[4].starts_with("=2 \nduo p "), "{}", said[4]);
    assert_eq!(said[5..7], ["= ", "= true"]);
    let legal: Vec<&str> = said[7].trim_start_matches("= ").lines().collect();
    assert!(legal.len() > 100 && legal.contains(&said[8].trim_start_matches("= ")), "{}", said[8]);
    assert_eq!(said[8], said[9], "the same seed");
    assert_eq!(said[10].matches(',').count(), 4, "{}", said[10]);
    // Black has placed a piece of three squares and one of five, White one of five.
    assert_eq!(said[11..], ["= B+3", "= "]);
}

#[test]
fn every_variant_is_played_to_the_end() {
    for (name, colors, score) in [
        ("Blokus Duo", &["b", "w"][..], &['B', 'W', '0'][..]),
        ("Blokus", &["1", "2", "3", "4"], &['1', '2', '3', '4', '5', '6', '7', '8']),
    ] {
        let turns: String =
            (0..21).flat_map(|_| colors).map(|color| format!("genmove {color}\n")).collect();
        let said =
            answers(&["--level", "random"], &format!("set_game {name}\n{turns}final_score\ng\n"));
        let passes = said.iter().filter(|text| *text == "= pass").count();
        assert!(
            passes > 0 && said[1..=21 * colors.len()].iter().all(|text| text.starts_with("= ")),
            "{said:?}"
        );
        let [.., end, over] = &said[..] else { panic!("{said:?}") };
        assert!(end.trim_start_matches("= ").starts_with(score), "{end}");
        assert_eq!(over, "? the game is over");
    }
}

#[test]
fn invalid_commands_are_answered() {
    for (line, answer) in [
        ("fly", "? unknown command 'fly': expected one of all_legal, clear_board, "),
        ("7 play", "?7 expected a color after play"),
        ("play b", "? expected a move after play"),
        ("play 5 e10", "? unknown color '5': expected one of B, W"),
        ("play w j5", "? it is the turn of B"),
        ("play b pass", "? B has a move"),
        ("play b a1", "? "),
        ("play b \u{1F600}", "? "),
        ("genmove w", "? it is the turn of another color"),
        ("undo", "? there is no move to undo"),
        ("set_game Go", "? unknown game 'Go': expected Blokus, "),
        ("set_random_seed x", "? expected a number, got 'x'"),
    ] {
        let said = answers(&[], &format!("{line}\n"));
        assert!(said.len() == 1 && said[0].starts_with(answer), "{line}: {said:?}");
    }
    let (code, _, err) = fourfold(&["gtp", "--level", "god"], "");
    assert!(
        code == 2 && err.starts_with("fourfold: unknown level 'god': expected one of random, "),
        "{err}"
    );
}

#[test]
fn matches_are_played_against_gtp_engines() {
    let binary = env!("CARGO_BIN_EXE_fourfold");
    let engine = format!("gtp:{binary} gtp --level greedy");
    for (game, opponents) in
        [("blokus-duo", &["random"][..]), ("blokus", &["random", "random", "random"])]
    {
        let games = (opponents.len() + 1).to_string();
        let options = ["--game", game, "--games", &games, "--threads", "1"];
        let (code, out, err) = fourfold(&[&["match", &engine], opponents, &options].concat(), "");
        assert_eq!(code, 0, "{err}");
        assert!(out.lines().any(|line| line.contains("gtp:")), "{out}");
    }
    for (command, error) in [
        ("/nowhere/at/all", "could not be started"),
        ("true", "the engine 'true' "),
        ("cat", "the engine 'cat' does not speak GTP: it sent 'name'"),
    ] {
        let engine = format!("gtp:{command}");
        let (code, _, err) = fourfold(&["match", &engine, "random", "--game", "blokus-duo"], "");
        assert!(code == 2 && err.contains(error), "{command}: {err}");
    }
}
