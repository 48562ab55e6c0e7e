//! Runs every example of `docs/rules/blokus.md`, which documents the keys.

use fourfold_oracle::blokus::Report;
use fourfold_oracle::harness::{self, expect, expect_each, expect_set, or_none};

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
    let page = harness::read_file("docs/rules/blokus.md");
    harness::check_page("blokus", &page, || Example::new(implementation));
}

/// The state of a running block.
struct Example<'a, T> {
    implementation: &'a T,
    /// The value of the `variant` line, if the block has one.
    variant: Option<&'a str>,
    /// The current position.
    position: Option<String>,
    played: Vec<&'a str>,
    checks: usize,
}

impl<'a, T: Implementation> harness::Example<'a> for Example<'a, T> {
    fn run_line(&mut self, key: &str, value: &'a str) -> Result<(), String> {
        match key {
            "position" => self.begin(value.to_string()),
            "variant" => {
                self.variant = Some(value);
                self.begin(self.implementation.start(value)?)
            }
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
        Example { implementation, variant: None, position: None, played: Vec::new(), checks: 0 }
    }

    fn begin(&mut self, position: String) -> Result<(), String> {
        if self.position.is_some() {
            return Err("the block already has a start".to_string());
        }
        self.position = Some(position);
        self.current().map(|_| ())
    }

    fn play(&mut self, moves: &'a str) -> Result<(), String> {
        for mv in moves.split_whitespace() {
            let position = self.position.take().ok_or("needs a position")?;
            self.position = Some(self.implementation.play(&position, mv)?);
            self.played.push(mv);
        }
        self.current().map(|_| ())
    }

    /// Returns the status of the game. The position must round-trip, and a game from the empty
    /// board must have the same status as its last position.
    fn current(&self) -> Result<Report, String> {
        let position = self.position.as_ref().ok_or("needs a position")?;
        let report = self.implementation.report(position)?;
        expect(position, &report.position)?;
        if let Some(variant) = self.variant {
            let game = self.implementation.game(variant, &self.played)?;
            expect(&format!("{report:?}"), format!("{game:?}"))?;
        }
        Ok(report)
    }

    fn check(&self, key: &str, value: &str) -> Result<(), String> {
        let implementation = self.implementation;
        if key == "invalid" {
            return self.check_invalid(value);
        }
        let current = self.current()?;
        let position = current.position.as_str();
        match key.split(' ').collect::<Vec<_>>()[..] {
            ["legal"] => self.check_each(position, value, true),
            ["illegal"] => self.check_each(position, value, false),
            ["refused", mv] => {
                expect(value, implementation.refusal(position, mv)?.as_deref().unwrap_or("legal"))
            }
            ["moves"] => expect_set(value, implementation.moves(position)?),
            ["count"] => expect(value, implementation.moves(position)?.len()),
            ["count", color] => expect(value, implementation.moves_of(position, color)?.len()),
            ["after", mv] => expect(value, implementation.play(position, mv)?),
            ["state"] => expect(value, position),
            ["turn"] => expect(value, position.split(' ').nth(1).unwrap_or_default()),
            ["frontier", color] => expect_set(value, implementation.frontier(position, color)?),
            ["left", color] => expect(value, or_none(&implementation.left(position, color)?)),
            ["basic"] => expect(value, or_none(&current.basic)),
            ["advanced"] => expect(value, or_none(&current.advanced)),
            ["players"] => expect(value, or_none(&current.players)),
            ["winners"] => expect(value, or_none(&current.winners)),
            ["eliminated"] => expect(
                value,
                if current.eliminated.is_empty() { "none" } else { &current.eliminated },
            ),
            ["player"] => expect(value, or_none(current.player_to_move.as_slice())),
            ["perft", depth] => {
                let depth = depth.parse().map_err(|_| format!("bad depth '{depth}'"))?;
                expect(value, implementation.perft(position, depth)?)
            }
            _ => Err("unknown key".to_string()),
        }
    }

    fn check_invalid(&self, position: &str) -> Result<(), String> {
        if self.position.is_some() {
            return Err("takes no position".to_string());
        }
        match self.implementation.report(position) {
            Ok(_) => Err(format!("expected '{position}' to be rejected, but it was accepted")),
            Err(_) => Ok(()),
        }
    }

    fn check_each(&self, position: &str, moves: &str, legal: bool) -> Result<(), String> {
        expect_each(moves, legal, &self.implementation.moves(position)?, |mv| {
            let is_playable = self.implementation.play(position, mv).is_ok();
            let is_refused = self.implementation.refusal(position, mv) != Ok(None);
            assert_eq!(is_playable, !is_refused, "{mv} in {position}");
            is_playable
        })
    }
}

/// Returns the failures of a page that consists of one block with these lines.
fn failures_of(lines: &[&str]) -> Vec<String> {
    let page = format!("```blokus\n{}\n```\n", lines.join("\n"));
    harness::failures("blokus", &page, || Example::new(&Oracle))
}

#[test]
fn a_wrong_value_fails_with_its_line() {
    let fails = |line: &str, failure: &str| {
        let failure = format!("blokus.md:4: {failure}");
        assert_eq!(failures_of(&["variant: two-2", "# comment", line]), [failure]);
    };
    fails("count: 5", "count: expected 5, got 7");
    fails("count o: 5", "count o: expected 5, got 7");
    fails(
        "moves: a2",
        "moves: expected a2, got a1,a2 a1,a2,b2 a1,b1,a2 a1,b1,a2,b2 a2 a2,b2 b1,a2,b2",
    );
    fails("legal: a2 b1", "legal: expected b1 to be legal, but it is not listed and not playable");
    fails("illegal: b1 a2", "illegal: expected a2 to be illegal, but it is listed and playable");
    fails("refused b1: no-corner", "refused b1: expected no-corner, got not-on-start:a2");
    fails("refused a2: no-corner", "refused a2: expected no-corner, got legal");
    fails("after a2: x", "after a2: expected x, got two-2 o p1/2 -");
    fails("state: x", "state: expected x, got two-2 p 2/2 -");
    fails("turn: o", "turn: expected o, got p");
    fails("frontier p: a1", "frontier p: expected a1, got a2");
    fails("basic: 0 0", "basic: expected 0 0, got -89 -89");
    fails("advanced: 0 0", "advanced: expected 0 0, got -89 -89");
    fails("players: 0 0", "players: expected 0 0, got -89 -89");
    fails("winners: 0", "winners: expected 0, got none");
    fails("eliminated: p", "eliminated: expected p, got none");
    fails("player: 1", "player: expected 1, got 0");
    fails("perft 1: 5", "perft 1: expected 5, got 7");
    fails("facts: none", "facts: unknown key");
}

#[test]
fn a_block_without_checks_fails() {
    assert_eq!(failures_of(&["variant: two-2"]), ["blokus.md:1: the block has no checks"]);
    assert_eq!(failures_of(&["count: 5"]), ["blokus.md:2: count: needs a position"]);
    let both = ["variant: two-2", "position: two-2 p 2/2 -"];
    assert_eq!(failures_of(&both), ["blokus.md:3: position: the block already has a start"]);
    let good = failures_of(&["invalid: two-2 p 2/2 -"]);
    assert!(good[0].starts_with("blokus.md:2: invalid: expected"), "{good:?}");
}
