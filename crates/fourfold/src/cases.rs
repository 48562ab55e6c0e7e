//! Files of test cases: positions and games with their expected results.

use std::rc::Rc;

use indicatif::ProgressBar;
use serde_json::{Value, json};

use crate::analyze;
use crate::case_lines::{self, LegalMoves};
use crate::games::{GAMES, Tree};
use crate::kung_fu::KungFu;
use crate::perft;

/// The kinds of case files, each with what its lines look like.
pub(crate) const KINDS: [(&str, &str); 6] = [
    ("perft counts of chess", "FEN;depth;nodes  or  FEN ;D1 nodes ;D2 nodes …"),
    ("perft counts of four-player chess", "FEN4 ; rules ; D1 nodes ; D2 nodes …"),
    ("perft counts of Blokus", "VARIANT ; D1 nodes …  or  POSITION ; D1 nodes …"),
    ("legal moves of four-player chess", "case: NAME, then rules:, position: and moves:"),
    ("games of kung fu chess", "case: NAME, then rules:, pieces:, order:, until: and expect:"),
    ("facts of chess positions", "the JSON lines that `fourfold analyze` writes"),
];

/// Parses the cases of a file. The format is detected from the content.
pub(crate) fn read(text: &str) -> Result<Vec<Case>, String> {
    if ["{\"fen\"", "{\"game\""].iter().any(|start| text.trim_start().starts_with(start)) {
        let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        return some(lines.map(|(number, line)| analyzed(number, line)).collect());
    }
    if case_lines::is_lines(text) {
        return some(case_lines::read(text));
    }
    let lines = (1..).zip(text.lines().map(str::trim));
    let cases = lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .flat_map(|(number, line)| counted(number, line))
        .collect();
    some(cases)
}

fn some(cases: Vec<Case>) -> Result<Vec<Case>, String> {
    let kinds = || format!("has no cases: expected {}", KINDS.map(|(kind, _)| kind).join(", "));
    if cases.is_empty() { Err(kinds()) } else { Ok(cases) }
}

fn analyzed(line: usize, text: &str) -> Case {
    let check = Check::Analyzed(text.to_owned());
    Case { line: Some(line), title: "analysis".to_owned(), check: Ok(check) }
}

/// A test case with its place in a file.
pub(crate) struct Case {
    pub(crate) line: Option<usize>,
    pub(crate) title: String,
    /// The check to run, or the reason why the case is invalid.
    pub(crate) check: Result<Check, String>,
}

pub(crate) enum Check {
    /// A perft count.
    Count { root: Rc<Tree>, depth: u32, nodes: u64 },
    /// A game of kung fu chess with its expected events.
    Played(KungFu),
    /// A position of four-player chess with its legal moves.
    Moves(LegalMoves),
    /// A line with the facts of a chess position.
    Analyzed(String),
}

/// The result of a case.
pub(crate) struct Verdict {
    pub(crate) outcome: Outcome,
    /// The result in words.
    pub(crate) text: String,
    /// The numbers in the text, for JSON.
    pub(crate) details: Value,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Passed,
    Failed,
    Skipped,
}

impl Verdict {
    fn failed(why: String) -> Verdict {
        Verdict { outcome: Outcome::Failed, details: json!({"error": why}), text: why }
    }

    /// Returns the verdict on a case whose `what` are compared one by one.
    fn of(compared: Result<usize, String>, what: &str) -> Verdict {
        let passed = |count: usize| Verdict {
            outcome: Outcome::Passed,
            text: format!("{count} {what} as expected"),
            details: json!({what: count}),
        };
        compared.map_or_else(Verdict::failed, passed)
    }
}

impl Case {
    pub(crate) fn verdict(&self, max_nodes: u64, threads: usize) -> Verdict {
        let (root, depth, expected) = match &self.check {
            Ok(Check::Count { root, depth, nodes }) => (root, *depth, *nodes),
            Ok(Check::Played(game)) => return Verdict::of(game.verdict(), "events"),
            Ok(Check::Moves(case)) => return Verdict::of(case.verdict(), "moves"),
            Ok(Check::Analyzed(line)) => return Verdict::of(analyze::compare(line), "facts"),
            Err(why) => return Verdict::failed(why.clone()),
        };
        if expected > max_nodes {
            return Verdict {
                outcome: Outcome::Skipped,
                text: format!("{expected} nodes are more than --max-nodes {max_nodes}"),
                details: json!({"expected": expected, "max_nodes": max_nodes}),
            };
        }
        let hidden = |_| ProgressBar::hidden();
        let got = perft::count(root, depth, threads, max_nodes, &hidden).nodes;
        let (outcome, text) = match got {
            _ if got == expected => (Outcome::Passed, got.to_string()),
            _ if got > max_nodes => {
                return Verdict::failed(format!("expected {expected}, got more than {max_nodes}"));
            }
            _ => (Outcome::Failed, format!("expected {expected}, got {got}")),
        };
        Verdict { outcome, text, details: json!({"expected": expected, "got": got}) }
    }
}

/// Parses a line of perft counts.
fn counted(line: usize, text: &str) -> Vec<Case> {
    let case = |title: String, check| Case { line: Some(line), title, check };
    let game = GAMES.iter().find(|game| (game.recognizes)(text)).unwrap_or(&GAMES[0]);
    let fields: Vec<&str> = text.split(';').map(str::trim).collect();
    let parsed = (game.read_line)(&fields).filter(|line| !line.counts.is_empty());
    let Some(parsed) = parsed else {
        let error = format!("expected {}, depths up to {}", game.line_form, perft::MAX_DEPTH);
        return vec![case("line".to_owned(), Err(error))];
    };
    let root = match parsed.root {
        Ok(root) => Rc::new(root),
        Err(error) => return vec![case("line".to_owned(), Err(error.to_string()))],
    };
    let check = |(depth, nodes)| {
        let check = Check::Count { root: Rc::clone(&root), depth, nodes };
        case(format!("perft {depth} of {}", parsed.title), Ok(check))
    };
    parsed.counts.into_iter().map(check).collect()
}
