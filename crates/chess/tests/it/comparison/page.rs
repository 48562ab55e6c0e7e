//! Runs every example of `docs/rules/chess.md`, which documents the keys.

use fourfold_oracle::chess::Variant;
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

fn run_page(rules: &impl Implementation) {
    let page = harness::read_file("docs/rules/chess.md");
    harness::check_page("chess", &page, || Example::new(rules));
}

fn failures(page: &str) -> Vec<String> {
    harness::failures("chess", page, || Example::new(&Oracle))
}

/// The state of a running block.
struct Example<'a, R> {
    rules: &'a R,
    variant: Variant,
    /// The FEN of the `position` line.
    start: Option<&'a str>,
    played: Vec<&'a str>,
    /// The FEN after the moves played.
    current: String,
    checks: usize,
}

impl<'a, R: Implementation> harness::Example<'a> for Example<'a, R> {
    fn run_line(&mut self, key: &str, value: &'a str) -> Result<(), String> {
        match key {
            "position" => self.set_position(value),
            "variant" => self.set_variant(value),
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

impl<'a, R: Implementation> Example<'a, R> {
    fn new(rules: &'a R) -> Example<'a, R> {
        Example {
            rules,
            variant: Variant::Standard,
            start: None,
            played: Vec::new(),
            current: String::new(),
            checks: 0,
        }
    }

    fn set_position(&mut self, fen: &'a str) -> Result<(), String> {
        if self.start.is_some() {
            return Err("given twice".to_string());
        }
        self.start = Some(fen);
        self.current = fen.to_string();
        Ok(())
    }

    fn set_variant(&mut self, name: &str) -> Result<(), String> {
        if self.checks > 0 || !self.played.is_empty() {
            return Err("must come before the checks".to_string());
        }
        self.variant = match name {
            "standard" => Variant::Standard,
            "chess960" => Variant::Chess960,
            _ => return Err(format!("unknown variant '{name}'")),
        };
        Ok(())
    }

    fn play(&mut self, moves: &'a str) -> Result<(), String> {
        for uci in moves.split_whitespace() {
            self.current = self.rules.play(&self.current, uci, self.variant)?;
            self.played.push(uci);
        }
        Ok(())
    }

    fn check(&self, key: &str, value: &str) -> Result<(), String> {
        let (rules, fen, variant) = (self.rules, self.current.as_str(), self.variant);
        if self.start.is_some() == (key == "invalid") {
            return Err("'invalid' takes no position; every other key needs one".to_string());
        }
        match key.split(' ').collect::<Vec<_>>()[..] {
            ["legal"] => self.check_each(value, true),
            ["illegal"] => self.check_each(value, false),
            ["moves", "from", square] => {
                let moves = rules.moves(fen, variant)?;
                let targets = moves.iter().filter_map(|uci| uci.strip_prefix(square));
                expect_set(value, targets.map(str::to_string).collect())
            }
            ["count"] => expect(value, rules.moves(fen, variant)?.len()),
            ["san"] => {
                let (uci, name) = value.split_once(' ').ok_or("not a move and its name")?;
                expect(name, rules.san(fen, uci, variant)?)
            }
            ["after", uci] => expect(value, rules.play(fen, uci, variant)?),
            ["facts"] => {
                let facts = rules.facts(self.start.unwrap_or_default(), &self.played, variant)?;
                expect_set(value, facts.iter().map(|fact| fact.replace(' ', "-")).collect())
            }
            ["perft", depth] => {
                let depth = depth.parse().map_err(|_| format!("bad depth '{depth}'"))?;
                expect(value, rules.perft(fen, depth, variant)?)
            }
            ["exchange", uci] => expect(value, rules.exchange(fen, uci, variant)?),
            ["invalid"] => match rules.moves(value, variant) {
                Ok(_) => Err(format!("expected '{value}' to be rejected, got its moves")),
                Err(_) => Ok(()),
            },
            _ => Err("unknown key".to_string()),
        }
    }

    fn check_each(&self, moves: &str, legal: bool) -> Result<(), String> {
        let listed = self.rules.moves(&self.current, self.variant)?;
        expect_each(moves, legal, &listed, |uci| {
            self.rules.play(&self.current, uci, self.variant).is_ok()
        })
    }
}

/// Returns the failures of a page that consists of one block with these lines.
fn failures_of(lines: &[&str]) -> Vec<String> {
    failures(&format!("```chess\n{}\n```\n", lines.join("\n")))
}

const KINGS: &str = "position: 4k3/8/8/8/8/8/8/4K3 w - - 0 1";

#[test]
fn a_page_without_blocks_fails() {
    assert_eq!(failures("# Chess\n"), ["chess.md: no chess blocks"]);
}

#[test]
fn a_block_that_checks_nothing_fails() {
    assert_eq!(failures_of(&[KINGS]), ["chess.md:1: the block has no checks"]);
}

#[test]
fn an_unknown_key_fails() {
    assert_eq!(failures_of(&[KINGS, "moves: e1e2"]), ["chess.md:3: moves: unknown key"]);
    assert_eq!(failures_of(&[KINGS, "count 5"]), ["chess.md:3: count 5: not 'key: value'"]);
}

#[test]
fn a_wrong_value_fails_with_its_line() {
    let fails = |line: &str, failure: &str| {
        assert_eq!(failures_of(&[KINGS, "# comment", line]), [format!("chess.md:4: {failure}")]);
    };
    fails("count: 6", "count: expected 6, got 5");
    fails(
        "legal: e1e2 e1e3",
        "legal: expected e1e3 to be legal, but it is not listed and not playable",
    );
    fails("illegal: e1e2", "illegal: expected e1e2 to be illegal, but it is listed and playable");
    fails("moves from e1: d1 d2", "moves from e1: expected d1 d2, got d1 d2 e2 f1 f2");
    fails("san: e1e2 Ke2+", "san: expected Ke2+, got Ke2");
    fails("after e1e2: 8", "after e1e2: expected 8, got 4k3/8/8/8/8/8/4K3/8 b - - 1 1");
    fails("facts: none", "facts: expected , got insufficient-material");
    fails("perft 1: 6", "perft 1: expected 6, got 5");
    fails("exchange e1e2: 1", "exchange e1e2: expected 1, got 0");
}

#[test]
fn a_good_fen_called_invalid_fails() {
    let failures = failures_of(&["invalid: 4k3/8/8/8/8/8/8/4K3 w - - 0 1"]);
    assert_eq!(failures.len(), 1);
    assert!(failures[0].starts_with("chess.md:2: invalid: expected"));
}
