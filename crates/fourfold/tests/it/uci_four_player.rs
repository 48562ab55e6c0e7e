//! Four-player chess in 4pchess's dialect of UCI: our side, and matches against others.

use std::fs;
use std::path::Path;
use std::time::Duration;

use fourfold_bots::uci::four_player::Engine;
use fourfold_bots::{Bot, BotMove, Budget, Score, Situation, ThinkError};

use crate::cli::fourfold;

const START: &str = "R-0,0,0,0-1,1,1,1-1,1,1,1-0,0,0,0-0-\
    x,x,x,yR,yN,yB,yK,yQ,yB,yN,yR,x,x,x/x,x,x,yP,yP,yP,yP,yP,yP,yP,yP,x,x,x/x,x,x,8,x,x,x/\
    bR,bP,10,gP,gR/bN,bP,10,gP,gN/bB,bP,10,gP,gB/bQ,bP,10,gP,gK/bK,bP,10,gP,gQ/bB,bP,10,gP,gB/\
    bN,bP,10,gP,gN/bR,bP,10,gP,gR/x,x,x,8,x,x,x/x,x,x,rP,rP,rP,rP,rP,rP,rP,rP,x,x,x/\
    x,x,x,rR,rN,rB,rQ,rK,rB,rN,rR,x,x,x";
/// Red can capture the king of Green.
const KING_CAPTURE: &str = "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-\
    6,yK,7/14/14/14/14/7,bR,6/3,rR,9,gK/bK,13/14/14/14/14/14/7,rK,6";

/// Sends lines to `fourfold uci`, and returns what it writes.
fn said(game: &str, lines: &str) -> Vec<String> {
    let (code, out, err) = fourfold(&["uci", "--game", game], lines);
    assert_eq!((code, err.as_str()), (0, ""));
    out.lines().map(str::to_owned).collect()
}

#[test]
fn our_engine_speaks_the_dialect() {
    let lines = format!(
        "uci\nsetoption name Level value greedy\nisready\nget_num_legal_moves\n\
         position fen {START} moves h2-h4 b10d10\nget_num_legal_moves\ngo nodes 5\n"
    );
    let lines = said("four-player-teams", &lines);
    assert!(lines[0].starts_with("id name Fourfold"), "{lines:?}");
    let levels = "option name Level type combo default master var random var novice var greedy";
    assert!(lines.iter().any(|line| line.starts_with(levels)), "{lines:?}");
    let legal: Vec<&str> =
        lines.iter().filter_map(|line| line.strip_prefix("info string n_legal ")).collect();
    assert_eq!(legal, ["20", "20"]);
    let best = lines.last().expect("an answer");
    let code = best.strip_prefix("bestmove ").expect("a move");
    assert!(code.contains('-'), "{best}");
}

#[test]
fn searches_report_their_best_line() {
    for (id, go) in [
        ("four-player-teams", "nodes 3000"),
        ("four-player-teams", "movetime 50"),
        ("four-player-teams", "rtime 900 btime 900 ytime 900 gtime 900"),
        ("four-player", "nodes 200"),
    ] {
        let lines = said(id, &format!("position startpos\ngo {go}\n"));
        let [report, best] = &lines[..] else { panic!("{lines:?}") };
        let code = best.strip_prefix("bestmove ").expect("a move");
        assert!(report.starts_with("info depth ") && report.contains(&format!(" pv {code}")));
        assert_eq!(report.contains(" score "), id == "four-player-teams", "{report}");
    }
}

#[test]
fn unusual_requests_are_answered() {
    let over =
        "B-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-6,yK,7/14/14/14/14/14/14/bK,13/14/14/14/14/14/7,rK,6";
    for (lines, answer) in [
        ("fly", "info string unknown command 'fly'"),
        ("setoption name Hash value 3", "info string unknown option 'Hash'"),
        (
            "setoption name Level value god",
            "info string unknown level 'god': expected one of random, ",
        ),
        ("setoption name threads value 2", "info string expected threads 1, got '2'"),
        ("position fen R-0", "info string "),
        ("position startpos moves a1-a2", "info string "),
        ("go depth 1", "info string 'go depth' is ignored: expected movetime, nodes or clocks"),
        (
            &format!("position fen {KING_CAPTURE} moves d8-n8\ngo"),
            "info string Game completed. RY won.",
        ),
        (&format!("position fen {over}\ngo"), "info string "),
    ] {
        let level = "setoption name Level value random\n";
        let lines_said = said("four-player-teams", &format!("{level}{lines}\n"));
        assert!(lines_said.first().is_some_and(|line| line.starts_with(answer)), "{lines_said:?}");
    }
}

#[test]
fn matches_are_played_against_engines() {
    let binary = env!("CARGO_BIN_EXE_fourfold");
    let engine = format!("uci:{binary} uci --game four-player-teams?Level=greedy");
    for budget in [["--nodes", "400"], ["--movetime", "5"]] {
        let options = ["--game", "four-player-teams", "--games", "2", "--threads", "1"];
        let players = ["match", &engine, "random"];
        let (code, out, err) = fourfold(&[&players[..], &options, &budget].concat(), "");
        assert_eq!(code, 0, "{err}");
        let row = out.lines().find(|line| line.starts_with("uci:")).expect("a row");
        assert!(row.contains("100.0%"), "{out}");
    }
    let engine = format!("uci:{binary} uci --game four-player-teams?Lives=9");
    let options = ["--game", "four-player-teams", "--nodes", "5"];
    let (code, _, err) = fourfold(&[&["match", &engine, "random"][..], &options].concat(), "");
    let error = "refused the option 'Lives': unknown option 'Lives'";
    assert!(code == 2 && err.contains(error), "{err}");
}

/// An engine that has the habits of 4pchess: it ignores a limit of nodes, it is silent when it has no
/// move, it announces few options, and it calls a game over when a king can be captured.
const HABITS: &str = r#"
while read -r line; do
  echo "$line" >> "$1"
  case "$line" in
    uci) echo "id name Habits"; echo uciok;;
    isready) echo readyok;;
    "setoption name lives"*) echo "info string Unrecognized option: lives";;
    *moves*e2-e9*) echo "info string Invalid move 'e2-e9'";;
    "position fen $2"*) over=1;;
    "go nodes"*)
      if [ "$over" ]; then
        echo "info string Game completed. RY won."
      else
        echo "info depth 1 time 0 nodes 30 pv h2-h4 b10-d10 score 12"
        echo "info depth 2 time 5 nodes 600 pv d10-d11=Q b10-d10 h2-h3 score -100000000 nps 9"
      fi;;
    "go movetime"*) silent=1;;
    "go depth 1") echo "info depth 1 time 0 nodes 7 pv g2-g3 score 3 nps 9"; echo "bestmove g2-g3";;
    stop) if [ "$silent" ]; then silent=; else echo "bestmove d10-d11=Q"; fi;;
    quit) exit;;
  esac
done
"#;

struct Habits {
    folder: tempfile::TempDir,
    engine: Engine,
}

impl Habits {
    fn start() -> Habits {
        let folder = tempfile::tempdir().expect("a folder");
        let engine = start(folder.path(), &[("threads", "1")]).expect("an engine");
        Habits { folder, engine }
    }

    fn think(
        &mut self,
        start: &str,
        moves: &[&str],
        budget: Budget<'_>,
    ) -> Result<BotMove, ThinkError> {
        let moves: Vec<String> = moves.iter().copied().map(str::to_owned).collect();
        self.engine.think(&Situation { start, moves: &moves }, budget)
    }

    /// Returns what the engine was told, from the first move asked for.
    fn told(&self) -> Vec<String> {
        let text = fs::read_to_string(self.folder.path().join("told")).expect("a record");
        let lines = text.lines().skip_while(|line| !line.starts_with("position"));
        lines.filter(|line| *line != "isready").map(str::to_owned).collect()
    }
}

fn start(folder: &Path, options: &[(&str, &str)]) -> Result<Engine, fourfold_bots::EngineError> {
    let script = folder.join("engine.sh");
    fs::write(&script, HABITS).expect("a script");
    let told = folder.join("told");
    let options: Vec<(String, String)> =
        options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let command = format!("sh {} {} {KING_CAPTURE}", script.display(), told.display());
    Engine::start(&command, &options)
}

#[test]
fn engines_are_stopped_when_they_have_searched_enough() {
    let mut habits = Habits::start();
    let thought = habits.think(START, &["h2h3"], Budget::nodes(500)).expect("a move");
    assert_eq!((thought.code.as_str(), thought.depth, thought.nodes), ("d10d11q", 2, 600));
    assert_eq!(thought.lines[0].codes, ["d10d11q", "b10d10", "h2h3"]);
    assert_eq!(thought.lines[0].score, Score::Mate(-2));
    let told = habits.told();
    let search = [&format!("position fen {START} moves h2-h3"), "go nodes 500", "stop"];
    assert_eq!(told, search);
    let again = habits.think(START, &["h2h3"], Budget::nodes(500)).expect("a move");
    assert_eq!(again, thought);
    assert_eq!(habits.told()[3..], search);
}

#[test]
fn engines_without_a_move_are_asked_again() {
    let mut habits = Habits::start();
    habits.engine.set_movetime(Some(Duration::from_millis(1)));
    let thought = habits.think(START, &[], Budget::nodes(1)).expect("a move");
    assert_eq!((thought.code.as_str(), thought.nodes), ("g2g3", 7));
    assert_eq!(habits.told()[1..], ["go movetime 1", "stop", "go depth 1"]);
}

#[test]
fn kings_that_can_be_captured_are_captured() {
    let mut habits = Habits::start();
    let thought = habits.think(KING_CAPTURE, &[], Budget::nodes(9)).expect("a move");
    assert_eq!(thought.code, "d8n8");
}

#[test]
fn engines_that_refuse_are_an_error() {
    let mut habits = Habits::start();
    let error = habits.think(START, &["e2e9"], Budget::nodes(9)).unwrap_err().to_string();
    assert!(error.ends_with("refused the position: Invalid move 'e2-e9'"), "{error}");
    let folder = tempfile::tempdir().expect("a folder");
    let error = start(folder.path(), &[("lives", "9")]).unwrap_err().to_string();
    assert!(error.ends_with("refused the option 'lives': Unrecognized option: lives"), "{error}");
    let error = Engine::start("true", &[]).unwrap_err().to_string();
    assert!(error.contains("exited") || error.contains("does not accept input"), "{error}");
}
