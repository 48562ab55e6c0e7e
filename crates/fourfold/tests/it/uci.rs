//! The UCI engine from the outside, as a chess GUI uses it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use fourfold_bots::uci::Engine;
use fourfold_bots::{Bot, Budget, Situation};
use fourfold_chess::{Position, Variant};

/// A UCI session with the engine.
struct Talk {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Talk {
    fn new() -> Talk {
        let mut child = Command::new(env!("CARGO_BIN_EXE_fourfold"))
            .arg("uci")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Talk { child, input, output }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("it listens");
    }

    /// Returns all lines up to and including the first that starts with `word`.
    fn until(&mut self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).expect("text") > 0, "it ended: {lines:?}");
            lines.push(line.trim_end().to_owned());
            if line.starts_with(word) {
                return lines;
            }
        }
    }

    /// Sends some lines and returns the output until the engine is ready again.
    fn after(&mut self, lines: &[&str]) -> Vec<String> {
        lines.iter().for_each(|line| self.say(line));
        self.say("isready");
        self.until("readyok")
    }

    fn best(&mut self) -> String {
        let line = self.until("bestmove").pop().expect("a line");
        line.split(' ').nth(1).expect("a move").to_owned()
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        let _ = writeln!(self.input, "quit");
        let status = self.child.wait().expect("it ends");
        assert!(status.success() || std::thread::panicking(), "{status}");
    }
}

#[test]
fn handshake() {
    let mut talk = Talk::new();
    talk.say("uci");
    let lines = talk.until("uciok");
    assert!(lines[0].starts_with("id name Fourfold"), "{lines:?}");
    for name in ["Hash", "Threads", "MultiPV", "UCI_Chess960", "Level"] {
        let option = format!("option name {name} type ");
        assert!(lines.iter().any(|line| line.starts_with(&option)), "{name}");
    }
    assert_eq!(talk.after(&["ucinewgame"]), ["readyok"]);
}

#[test]
fn searches_send_info_and_a_legal_best_move() {
    let mut talk = Talk::new();
    for go in
        ["depth 5", "nodes 3000", "movetime 30", "wtime 500 btime 500 winc 10 binc 10", "mate 2"]
    {
        talk.say("position startpos moves e2e4 e7e5 g1f3");
        talk.say(&format!("go {go}"));
        let lines = talk.until("bestmove");
        let info =
            lines.iter().find(|line| line.starts_with("info depth 1 ")).expect("a first round");
        for word in ["seldepth", "multipv 1", "score cp", "nodes", "nps", "hashfull", "time", "pv"]
        {
            assert!(info.contains(&format!(" {word} ")), "{word} is not in {info}");
        }
        let mut position = Position::start();
        for code in ["e2e4", "e7e5", "g1f3"] {
            position.play_unchecked(position.parse_uci(code).expect("legal"));
        }
        let best = lines[lines.len() - 1].split(' ').nth(1).expect("a move").to_owned();
        assert!(position.parse_uci(&best).is_ok(), "{best} after go {go}");
    }
}

#[test]
fn infinite_and_ponder_searches_hold_the_answer() {
    let mut talk = Talk::new();
    // A mate in one is found in the first iteration, but the answer is held back.
    let mate = "position fen 7k/8/6K1/8/8/8/8/R7 w - - 0 1";
    for (go, end) in [
        ("go infinite", "stop"),
        ("go ponder wtime 1000 btime 1000", "ponderhit"),
        // A new command ends the search.
        ("go infinite", "position startpos"),
    ] {
        talk.say(mate);
        talk.say(go);
        talk.until("info depth 1 ");
        let lines = talk.after(&[]);
        assert!(lines.iter().all(|line| !line.starts_with("bestmove")), "{lines:?}");
        talk.say(end);
        assert_eq!(talk.best(), "a1a8", "{go}");
    }
    talk.say("go depth 2 searchmoves a2a3");
    assert_eq!(talk.best(), "a2a3");
}

#[test]
fn options_take_effect() {
    let mut talk = Talk::new();
    let lines = talk.after(&["setoption name Hash value 1", "setoption name MultiPV value 3"]);
    assert_eq!(lines, ["readyok"]);
    talk.say("go depth 3");
    let lines = talk.until("bestmove");
    assert!(lines.iter().any(|line| line.contains(" depth 3 ") && line.contains(" multipv 3 ")));
    let fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    talk.say("setoption name UCI_Chess960 value true");
    talk.say(&format!("position fen {fen}"));
    talk.say("go nodes 500");
    let best = talk.best();
    let position = Position::from_fen_in(fen, Variant::Chess960).expect("a position");
    assert!(position.parse_uci(&best).is_ok(), "{best}");
    for level in ["random", "beginner", "casual"] {
        talk.say(&format!("setoption name Level value {level}"));
        talk.say("go movetime 500");
        assert!(position.parse_uci(&talk.best()).is_ok(), "{level}");
    }
}

#[test]
fn fens_without_counters_are_accepted() {
    let mut talk = Talk::new();
    talk.say("position fen k7/8/1K6/8/8/8/8/8 b - -");
    talk.say("go depth 1");
    assert_eq!(talk.best(), "a8b8");
}

#[test]
fn invalid_commands_are_reported() {
    let mut talk = Talk::new();
    for (line, answer) in [
        ("hello", "unknown command 'hello'"),
        ("go sideways", "unknown 'go' parameter 'sideways'"),
        ("position fen nonsense", "invalid FEN"),
        ("position startpos moves e2e5", "'e2e5' is not legal in"),
        ("setoption name Hash value -3", "expected Hash from 1 to 4096, got '-3'"),
        ("setoption name Color value red", "unknown option 'Color'"),
        ("setoption name Level value god", "unknown level 'god'"),
        ("stop", "readyok"),
        ("ponderhit", "readyok"),
        ("", "readyok"),
    ] {
        let said = talk.after(&[line]);
        assert!(said[0].contains(answer), "{line}: {said:?}");
    }
    // Without a legal move, there is no best move.
    talk.say("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    talk.say("go depth 4");
    assert_eq!(talk.best(), "(none)");
}

#[test]
fn fourfold_can_be_used_as_a_uci_bot() {
    let path = concat!(env!("CARGO_BIN_EXE_fourfold"), " uci");
    let options = [("Hash".to_owned(), "1".to_owned())];
    let mut engine = Engine::start(path, &options, false).expect("it speaks UCI");
    assert!(engine.name().starts_with("Fourfold"));
    let start = "7k/8/6K1/8/8/8/8/R7 w - - 0 1";
    let thought = engine.think(&Situation { start, moves: &[] }, Budget::nodes(1000));
    assert_eq!(thought.expect("a move").code, "a1a8");
    let wrong = [("Colour".to_owned(), "red".to_owned())];
    let error = Engine::start(path, &wrong, false).unwrap_err().to_string();
    assert!(error.ends_with("has no option 'Colour'"), "{error}");
}

#[test]
#[cfg(target_os = "linux")]
fn engines_are_stopped_when_their_cpu_time_is_used_up() {
    use std::time::Duration;

    let command = format!("{} uci", env!("CARGO_BIN_EXE_fourfold"));
    let mut engine = Engine::start(&command, &[], false).expect("an engine");
    engine.set_movetime(Some(Duration::from_millis(50)));
    engine.set_cputime(true);
    let clock = fourfold_bots::CpuClock::of_process(engine.process());
    let before = clock.read().expect("a time");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    engine.think(&Situation { start, moves: &[] }, Budget::nodes(1)).expect("a move");
    let spent = clock.read().expect("a time") - before;
    // It is told that it has a second.
    let expected = Duration::from_millis(40)..Duration::from_millis(500);
    assert!(expected.contains(&spent), "{spent:?}");
}
