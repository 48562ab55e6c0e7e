//! Files of test cases: positions and games with their expected results.

use std::rc::Rc;

use indicatif::ProgressBar;

use crate::analyze;
use crate::kung_fu::{self, KungFu};
use crate::perft;
use crate::tree::Tree;

/// Parses the cases of a file. The format is detected from the content.
pub(crate) fn read(text: &str) -> Result<Vec<Case>, String> {
    if text.trim_start().starts_with("{\"fen\"") {
        let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        return some(lines.map(|(number, line)| analyzed(number, line)).collect());
    }
    if kung_fu::is_lines(text) {
        return some(kung_fu::read_lines(text).into_iter().map(played).collect());
    }
    let lines = (1..).zip(text.lines().map(str::trim));
    let cases = lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .flat_map(|(number, line)| {
            // A FEN4 begins with the player to move.
            if line.starts_with(['R', 'B', 'Y', 'G']) && line[1..].starts_with('-') {
                four_player_cases(number, line)
            } else if is_blokus(line) {
                blokus_cases(number, line)
            } else {
                chess_cases(number, line)
            }
        })
        .collect();
    some(cases)
}

fn some(cases: Vec<Case>) -> Result<Vec<Case>, String> {
    if cases.is_empty() { Err("has no cases".to_owned()) } else { Ok(cases) }
}

fn analyzed(line: usize, text: &str) -> Case {
    let check = Check::Analyzed(text.to_owned());
    Case { line: Some(line), title: "analysis".to_owned(), check: Ok(check) }
}

fn played((line, title, case): kung_fu::Read) -> Case {
    Case { line: Some(line), title, check: case.map(Check::Played) }
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
    /// A line with the facts of a chess position.
    Analyzed(String),
}

pub(crate) enum Verdict {
    Passed { nodes: u64 },
    EventsMatched { events: usize },
    FactsMatched { facts: usize },
    Failed { expected: u64, got: u64 },
    Invalid { why: String },
    Skipped { expected: u64, max_nodes: u64 },
}

impl Case {
    pub(crate) fn verdict(&self, max_nodes: u64, threads: usize) -> Verdict {
        let (root, depth, expected) = match &self.check {
            Ok(Check::Count { root, depth, nodes }) => (root, *depth, *nodes),
            Ok(Check::Played(game)) => {
                return match game.verdict() {
                    Ok(events) => Verdict::EventsMatched { events },
                    Err(why) => Verdict::Invalid { why },
                };
            }
            Ok(Check::Analyzed(line)) => {
                return match analyze::compare(line) {
                    Ok(facts) => Verdict::FactsMatched { facts },
                    Err(why) => Verdict::Invalid { why },
                };
            }
            Err(why) => return Verdict::Invalid { why: why.clone() },
        };
        if expected > max_nodes {
            return Verdict::Skipped { expected, max_nodes };
        }
        let hidden = |_| ProgressBar::hidden();
        let got = perft::count(root, depth, threads, max_nodes, &hidden).nodes;
        match got {
            _ if got == expected => Verdict::Passed { nodes: expected },
            _ if got > max_nodes => {
                let why = format!("expected {expected}, got more than {max_nodes}");
                Verdict::Invalid { why }
            }
            _ => Verdict::Failed { expected, got },
        }
    }
}

/// Parses a line of chess cases: `FEN;depth;nodes` or `FEN ;D1 nodes ;D2 nodes …`.
fn chess_cases(line: usize, text: &str) -> Vec<Case> {
    let fields: Vec<&str> = text.split(';').map(str::trim).collect();
    let (fen, fields) = fields.split_first().unwrap_or((&"", &[]));
    let fields: Vec<&str> = fields.iter().copied().filter(|field| !field.is_empty()).collect();
    let counts = match fields[..] {
        [depth, nodes] if !depth.starts_with('D') => count(depth, nodes).map(|count| vec![count]),
        _ => counts(&fields),
    };
    let expected = "'FEN;depth;nodes' or 'FEN ;D1 nodes ;D2 nodes …'";
    counted(line, fen, expected, counts, || Tree::chess_of_either_kind(fen))
}

/// Parses a line of four-player chess cases: `FEN4 ; rules ; D1 nodes ; D2 nodes …`.
fn four_player_cases(line: usize, text: &str) -> Vec<Case> {
    let fields: Vec<&str> = text.split(';').map(str::trim).collect();
    let (fen4, words, counts) = match fields[..] {
        [fen4, words, ref rest @ ..] => (fen4, words, counts(rest)),
        _ => ("", "", None),
    };
    let expected = "'FEN4 ; rules ; D1 nodes ; D2 nodes …'";
    let root = || Tree::four_player(Some(fen4), "", words);
    counted(line, &format!("{fen4} ({words})"), expected, counts, root)
}

/// Returns whether a line begins with a variant of Blokus.
fn is_blokus(line: &str) -> bool {
    let name = line.split([' ', ';']).next().unwrap_or_default();
    fourfold_blokus::Variant::from_name(name).is_some()
}

/// Parses a line of Blokus cases: `VARIANT ; D1 nodes …` or `POSITION ; D1 nodes …`.
fn blokus_cases(line: usize, text: &str) -> Vec<Case> {
    let fields: Vec<&str> = text.split(';').map(str::trim).collect();
    let (position, rest) = fields.split_first().unwrap_or((&"", &[]));
    let expected = "'VARIANT ; D1 nodes …' or 'POSITION ; D1 nodes …'";
    counted(line, position, expected, counts(rest), || Tree::blokus(position))
}

/// Makes cases from perft counts of one position.
fn counted(
    line: usize,
    name: &str,
    expected: &str,
    counts: Option<Vec<(u32, u64)>>,
    root: impl FnOnce() -> anyhow::Result<Tree>,
) -> Vec<Case> {
    let case = |title: String, check| Case { line: Some(line), title, check };
    let Some(counts) = counts.filter(|counts| !counts.is_empty()) else {
        let error = format!("expected {expected}, depths up to {}", perft::MAX_DEPTH);
        return vec![case("line".to_owned(), Err(error))];
    };
    let root = match root() {
        Ok(root) => Rc::new(root),
        Err(error) => return vec![case("line".to_owned(), Err(error.to_string()))],
    };
    let check = |(depth, nodes)| {
        let check = Check::Count { root: Rc::clone(&root), depth, nodes };
        case(format!("perft {depth} of {name}"), Ok(check))
    };
    counts.into_iter().map(check).collect()
}

/// Parses counts such as `D1 20`.
fn counts(fields: &[&str]) -> Option<Vec<(u32, u64)>> {
    let read = |field: &&str| {
        let (depth, nodes) = field.strip_prefix('D')?.split_once(' ')?;
        count(depth, nodes)
    };
    fields.iter().map(read).collect()
}

fn count(depth: &str, nodes: &str) -> Option<(u32, u64)> {
    let depth = depth.trim().parse().ok().filter(|&depth| depth <= perft::MAX_DEPTH)?;
    Some((depth, nodes.trim().parse().ok()?))
}
