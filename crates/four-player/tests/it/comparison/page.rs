//! Runs every example of `docs/rules/four-player.md`, which documents the keys.

use fourfold_oracle::four_player::{Report, Rules};
use fourfold_oracle::harness::{self, expect, expect_each, expect_set};

use super::implementations::{Engine, Implementation, Oracle};

#[test]
fn oracle_follows_the_page() {
    run_page(&Oracle);
}

#[test]
fn engine_follows_the_page() {
    run_page(&Engine);
}

fn run_page(implementation: &impl Implementation) {
    let page = harness::read_file("docs/rules/four-player.md");
    harness::check_page("four-player", &page, || Example::new(implementation));
}

/// The state of a running block.
struct Example<'a, T> {
    implementation: &'a T,
    rules: Rules,
    /// The FEN4 of the `position` line.
    start: Option<&'a str>,
    played: Vec<&'a str>,
    checks: usize,
}

impl<'a, T: Implementation> harness::Example<'a> for Example<'a, T> {
    fn run_line(&mut self, key: &str, value: &'a str) -> Result<(), String> {
        match key {
            "position" => self.set_position(value),
            "rules" => self.set_rules(value),
            "play" => self.play(value),
            _ => {
                self.checks += 1;
                self.check(key, value)
            }
        }
    }

    fn checks(&self) -> usize {
        self.checks
    }
}

impl<'a, T: Implementation> Example<'a, T> {
    fn new(implementation: &'a T) -> Example<'a, T> {
        Example {
            implementation,
            rules: Rules::default(),
            start: None,
            played: Vec::new(),
            checks: 0,
        }
    }

    fn set_position(&mut self, fen4: &'a str) -> Result<(), String> {
        if self.start.is_some() {
            return Err("given twice".to_string());
        }
        self.start = Some(fen4);
        Ok(())
    }

    fn set_rules(&mut self, words: &str) -> Result<(), String> {
        if self.checks > 0 || !self.played.is_empty() {
            return Err("must come before the checks".to_string());
        }
        self.rules = Rules::parse(words).map_err(|error| error.to_string())?;
        Ok(())
    }

    fn play(&mut self, plies: &'a str) -> Result<(), String> {
        self.played.extend(plies.split_whitespace());
        self.current().map(|_| ())
    }

    /// Returns the status of the game. Its FEN4 must round-trip.
    fn current(&self) -> Result<Report, String> {
        let start = self.start.ok_or("needs a position")?;
        let report = self.implementation.game(start, &self.played, &self.rules)?;
        expect(&report.fen4, self.implementation.state(&report.fen4, &self.rules)?)?;
        Ok(report)
    }

    /// Returns the legal moves; none if the game has ended, even by a draw that the position alone
    /// does not show.
    fn moves(&self) -> Result<Vec<String>, String> {
        let current = self.current()?;
        match current.ending {
            Some(_) => Ok(Vec::new()),
            None => self.implementation.moves(&current.fen4, &self.rules),
        }
    }

    fn check(&self, key: &str, value: &str) -> Result<(), String> {
        let (implementation, rules) = (self.implementation, &self.rules);
        if key == "invalid" {
            return self.check_invalid(value);
        }
        let current = self.current()?;
        let fen4 = current.fen4.as_str();
        match key.split(' ').collect::<Vec<_>>()[..] {
            ["legal"] => self.check_each(value, true),
            ["illegal"] => self.check_each(value, false),
            ["moves", "from", square] => {
                let moves = self.moves()?;
                let targets = moves.iter().filter_map(|mv| target_from(square, mv));
                expect_set(value, targets.map(str::to_string).collect())
            }
            ["count"] => expect(value, self.moves()?.len()),
            ["after", mv] => expect(value, implementation.play(fen4, mv, rules)?),
            ["state"] => expect(value, fen4),
            ["points"] => expect(value, field(fen4, 4).replace(',', " ")),
            ["alive"] => expect(value, alive(fen4)),
            ["turn"] => expect(value, field(fen4, 0)),
            ["ending"] => expect(value, current.ending.as_deref().unwrap_or("none")),
            ["winners"] => expect(value, or_none(&current.winners)),
            ["check"] => expect(value, or_none(&current.in_check)),
            ["attacked", square, "by", letters] => {
                let attacked = implementation.attacked(fen4, square, letters, rules)?;
                expect(value, if attacked { "yes" } else { "no" })
            }
            ["perft", depth] => {
                let depth = depth.parse().map_err(|_| format!("bad depth '{depth}'"))?;
                expect(value, implementation.perft(fen4, depth, rules)?)
            }
            _ => Err("unknown key".to_string()),
        }
    }

    fn check_invalid(&self, fen4: &str) -> Result<(), String> {
        if self.start.is_some() {
            return Err("takes no position".to_string());
        }
        match self.implementation.state(fen4, &self.rules) {
            Ok(_) => Err(format!("expected '{fen4}' to be rejected, got its state")),
            Err(_) => Ok(()),
        }
    }

    fn check_each(&self, moves: &str, legal: bool) -> Result<(), String> {
        let start = self.start.unwrap_or_default();
        expect_each(moves, legal, &self.moves()?, |mv| {
            let plies: Vec<&str> = self.played.iter().copied().chain([mv]).collect();
            self.implementation.game(start, &plies, &self.rules).is_ok()
        })
    }
}

/// Returns the target of a move that starts from the square: `d1` is not the origin of `d10d11`.
fn target_from<'a>(square: &str, mv: &'a str) -> Option<&'a str> {
    mv.strip_prefix(square).filter(|target| !target.starts_with(|next: char| next.is_ascii_digit()))
}

fn field(fen4: &str, index: usize) -> &str {
    fen4.split('-').nth(index).unwrap_or_default()
}

/// Returns the letters of the players who are not eliminated.
fn alive(fen4: &str) -> String {
    let dead = field(fen4, 1).split(',');
    ["R", "B", "Y", "G"]
        .into_iter()
        .zip(dead)
        .filter(|(_, dead)| *dead == "0")
        .map(|(l, _)| l)
        .collect()
}

fn or_none(letters: &str) -> &str {
    if letters.is_empty() { "none" } else { letters }
}

/// Returns the failures of a page that consists of one block with these lines.
fn failures_of(lines: &[&str]) -> Vec<String> {
    let page = format!("```four-player\n{}\n```\n", lines.join("\n"));
    harness::failures("four-player", &page, || Example::new(&Oracle))
}

const KINGS: &str = "position: R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-6,yK,7/14/14/14/14/14/bK,13/13,gK/14/14/14/3,rP,10/14/7,rK,6";

#[test]
fn a_wrong_value_fails_with_its_line() {
    let fails = |line: &str, failure: &str| {
        let failure = format!("four-player.md:4: {failure}");
        assert_eq!(failures_of(&[KINGS, "# comment", line]), [failure]);
    };
    fails("count: 5", "count: expected 5, got 6");
    fails(
        "legal: d3d4 d3d5",
        "legal: expected d3d5 to be legal, but it is not listed and not playable",
    );
    fails("illegal: d3d4", "illegal: expected d3d4 to be illegal, but it is listed and playable");
    fails("moves from h1: g1", "moves from h1: expected g1, got g1 g2 h2 i1 i2");
    fails("points: 1 0 0 0", "points: expected 1 0 0 0, got 0 0 0 0");
    fails("alive: RY", "alive: expected RY, got RBYG");
    fails("turn: B", "turn: expected B, got R");
    fails("ending: bare-kings", "ending: expected bare-kings, got none");
    fails("winners: R", "winners: expected R, got none");
    fails("check: R", "check: expected R, got none");
    fails("attacked h2 by R: no", "attacked h2 by R: expected no, got yes");
    fails("perft 1: 5", "perft 1: expected 5, got 6");
    fails("facts: none", "facts: unknown key");
}

#[test]
fn a_block_without_checks_fails() {
    assert_eq!(failures_of(&[KINGS]), ["four-player.md:1: the block has no checks"]);
    assert_eq!(failures_of(&["count: 5"]), ["four-player.md:2: count: needs a position"]);
    let good = KINGS.replace("position", "invalid");
    assert!(failures_of(&[&good])[0].starts_with("four-player.md:2: invalid: expected"));
}
