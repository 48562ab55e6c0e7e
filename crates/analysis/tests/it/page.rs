//! Runs every example of `docs/analysis.md`, which documents the keys.

use std::marker::PhantomData;

use fourfold_oracle::analysis::Facts;
use fourfold_oracle::chess::Variant;
use fourfold_oracle::harness::{self, expect};

use super::compare::{Implementation, Oracle};
use super::engine::Engine;
use super::fact_rows::rows;

#[test]
fn oracle_follows_the_page() {
    run_page::<Oracle>();
}

#[test]
fn engine_follows_the_page() {
    run_page::<Engine>();
}

fn run_page<T: Implementation>() {
    let page = harness::read_file("docs/analysis.md");
    harness::check_page("analysis", &page, Example::<T>::new);
}

/// The state of a running block.
struct Example<T> {
    variant: Variant,
    facts: Option<Facts>,
    checks: usize,
    implementation: PhantomData<T>,
}

impl<T> Example<T> {
    fn new() -> Self {
        let variant = Variant::Standard;
        Example { variant, facts: None, checks: 0, implementation: PhantomData }
    }
}

impl<'a, T: Implementation> harness::Example<'a> for Example<T> {
    fn run_line(&mut self, key: &str, value: &'a str) -> Result<(), String> {
        match key {
            "variant" | "position" if self.facts.is_some() => {
                Err("must come before the checks".to_string())
            }
            "variant" => {
                self.variant = match value {
                    "standard" => Variant::Standard,
                    "chess960" => Variant::Chess960,
                    _ => return Err(format!("unknown variant {value}")),
                };
                Ok(())
            }
            "position" => {
                self.facts = Some(T::analyze(value, self.variant)?);
                Ok(())
            }
            "invalid" => {
                self.checks += 1;
                let answer = T::analyze(value, self.variant);
                answer.map_or(Ok(()), |_| Err("expected an error, got facts".to_string()))
            }
            _ => {
                self.checks += 1;
                let rows = rows(self.facts.as_ref().ok_or("no position yet")?);
                let row = rows.iter().find(|(name, _)| name == key);
                let (_, got) = row.ok_or("unknown key, or no piece on that square")?;
                expect(value, got)
            }
        }
    }

    fn checks(&self) -> usize {
        self.checks
    }
}

/// Returns the failures of a page that consists of one block with these lines.
fn failures_of(lines: &[&str]) -> Vec<String> {
    let page = format!("```analysis\n{}\n```\n", lines.join("\n"));
    harness::failures("analysis", &page, Example::<Oracle>::new)
}

const POSITION: &str = "position: 4k3/8/2p5/3p4/4P3/8/8/3RK3 w - - 0 1";

#[test]
fn a_wrong_value_fails_with_its_line() {
    let fails = |line: &str, failure: &str| {
        let failure = format!("analysis.md:4: {failure}");
        assert_eq!(failures_of(&[POSITION, "# comment", line]), [failure]);
    };
    fails(POSITION, "position: must come before the checks");
    fails("variant: chess960", "variant: must come before the checks");
    fails("white attacked: none", "white attacked: expected none, got e4");
    fails("white pieces: d1 e4 e1", "white pieces: expected d1 e4 e1, got d1 e1 e4");
    fails("white see: none", "white see: expected none, got d1d5=-3 e4d5=1");
    fails("attackers d5: d1", "attackers d5: expected d1, got d1 e4");
    fails("defenders d4: d1", "defenders d4: unknown key, or no piece on that square");
    fails(
        "white x_rays own e1: none",
        "white x_rays own e1: unknown key, or no piece on that square",
    );
    fails("white x_rays any d1: d6", "white x_rays any d1: expected d6, got f1 g1 h1 d6 d7 d8");
    fails("white weather: fair", "white weather: unknown key, or no piece on that square");
    fails("invalid: 4k3/8/8/8/8/8/8/4K3 w - - 0 1", "invalid: expected an error, got facts");
}

#[test]
fn a_block_without_checks_fails() {
    assert_eq!(failures_of(&[POSITION]), ["analysis.md:1: the block has no checks"]);
    assert_eq!(
        failures_of(&["white attacked: none"]),
        ["analysis.md:2: white attacked: no position yet"]
    );
    assert_eq!(
        failures_of(&["variant: losers"]),
        ["analysis.md:2: variant: unknown variant losers"]
    );
}
