//! Runs every example of `docs/analysis.md`. The page says what the keys mean.

use std::marker::PhantomData;

use fourfold_oracle::chess::Variant;
use fourfold_oracle::study::{Contact, Facts, SideFacts, XRays};

use crate::common::{self, expect};
use crate::twins::{Oracle, Twin};

#[test]
fn oracle_follows_the_page() {
    run_page::<Oracle>();
}

/// Runs the whole page and lists all examples that fail.
fn run_page<T: Twin>() {
    let path = format!("{}/../../docs/analysis.md", env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let failures = failures::<T>(&page);
    assert!(failures.is_empty(), "\n{}\n", failures.join("\n"));
}

fn failures<T: Twin>(page: &str) -> Vec<String> {
    common::failures("analysis", page, || Example::<T> {
        variant: Variant::Standard,
        facts: None,
        checks: 0,
        twin: PhantomData,
    })
}

/// A block while it runs.
struct Example<T> {
    variant: Variant,
    facts: Option<Facts>,
    checks: usize,
    twin: PhantomData<T>,
}

impl<'a, T: Twin> common::Example<'a> for Example<T> {
    fn run_line(&mut self, key: &str, value: &'a str) -> Result<(), String> {
        match key {
            "variant" | "position" if self.facts.is_some() => Err("comes too late".to_string()),
            "variant" => {
                self.variant = match value {
                    "standard" => Variant::Standard,
                    "chess960" => Variant::Chess960,
                    _ => return Err(format!("unknown variant {value}")),
                };
                Ok(())
            }
            "position" => {
                self.facts = Some(T::analyse(value, self.variant)?);
                Ok(())
            }
            "invalid" => {
                self.checks += 1;
                let answer = T::analyse(value, self.variant);
                answer.map_or(Ok(()), |_| Err("expected a refusal, got facts".to_string()))
            }
            _ => {
                self.checks += 1;
                let facts = self.facts.as_ref().ok_or("no position yet")?;
                let got = fact(facts, key).ok_or("unknown key, or nobody there")?;
                expect(value, got)
            }
        }
    }

    fn checks(&self) -> usize {
        self.checks
    }
}

/// The fact of that name as the page writes it.
fn fact(facts: &Facts, key: &str) -> Option<String> {
    match key.split(' ').collect::<Vec<_>>()[..] {
        ["attackers", at] => Some(squares(&row::<Contact>(&facts.attack_map, at)?.attackers)),
        ["defenders", at] => Some(squares(&row::<Contact>(&facts.attack_map, at)?.defenders)),
        ["white", ref fact @ ..] => side_fact(&facts.white, fact),
        ["black", ref fact @ ..] => side_fact(&facts.black, fact),
        _ => None,
    }
}

fn side_fact(side: &SideFacts, fact: &[&str]) -> Option<String> {
    match *fact {
        ["pieces"] => Some(squares(&side.pieces)),
        ["attacked"] => Some(squares(&side.attacked)),
        ["hanging"] => Some(squares(&side.hanging)),
        ["pinned"] => Some(squares(&side.pinned)),
        ["pinned_pawns"] => Some(squares(&side.pinned_pawns)),
        ["skewered"] => Some(squares(&side.skewered)),
        ["developed"] => Some(squares(&side.developed)),
        ["pawns.all"] => Some(squares(&side.pawns.all)),
        ["pawns.doubled"] => Some(squares(&side.pawns.doubled)),
        ["pawns.isolated"] => Some(squares(&side.pawns.isolated)),
        ["pawns.backward"] => Some(squares(&side.pawns.backward)),
        ["pawns.backward_held"] => Some(squares(&side.pawns.backward_held)),
        ["pawns.passed"] => Some(squares(&side.pawns.passed)),
        ["outposts"] => Some(squares(&side.outposts)),
        ["en_prise"] => Some(squares(&side.en_prise)),
        ["forks"] => Some(squares(&side.forks)),
        ["see"] => Some(pairs(&side.see)),
        ["mobility"] => Some(pairs(&side.mobility)),
        ["material"] => Some(side.material.to_string()),
        ["king_ring"] => Some(side.king_ring.to_string()),
        ["x_rays", "own", at] => Some(squares(&row::<XRays>(&side.x_rays, at)?.own)),
        ["x_rays", "enemy", at] => Some(squares(&row::<XRays>(&side.x_rays, at)?.enemy)),
        ["x_rays", "any", at] => Some(squares(&row::<XRays>(&side.x_rays, at)?.any)),
        ["x_rays"] => Some(squares(&side.x_rays.iter().map(|(at, _)| at).collect::<Vec<_>>())),
        _ => None,
    }
}

fn row<'a, A>(rows: &'a [(String, A)], at: &str) -> Option<&'a A> {
    rows.iter().find(|(square, _)| square == at).map(|(_, value)| value)
}

fn squares<S: AsRef<str>>(squares: &[S]) -> String {
    let names: Vec<&str> = squares.iter().map(S::as_ref).collect();
    if names.is_empty() { "none".to_string() } else { names.join(" ") }
}

fn pairs(rows: &[(String, impl ToString)]) -> String {
    let rows: Vec<String> =
        rows.iter().map(|(name, value)| format!("{name}={}", value.to_string())).collect();
    squares(&rows)
}

/// What fails on a page of one block with these lines.
fn failures_of(lines: &[&str]) -> Vec<String> {
    failures::<Oracle>(&format!("```analysis\n{}\n```\n", lines.join("\n")))
}

const POSITION: &str = "position: 4k3/8/2p5/3p4/4P3/8/8/3RK3 w - - 0 1";

#[test]
fn a_wrong_value_fails_with_its_line() {
    let fails = |line: &str, failure: &str| {
        let failure = format!("analysis.md:4: {failure}");
        assert_eq!(failures_of(&[POSITION, "# comment", line]), [failure]);
    };
    fails(POSITION, "position: comes too late");
    fails("variant: chess960", "variant: comes too late");
    fails("white attacked: none", "white attacked: expected none, got e4");
    fails("white pieces: d1 e4 e1", "white pieces: expected d1 e4 e1, got d1 e1 e4");
    fails("white see: none", "white see: expected none, got d1d5=-3 e4d5=1");
    fails("attackers d5: d1", "attackers d5: expected d1, got d1 e4");
    fails("defenders d4: d1", "defenders d4: unknown key, or nobody there");
    fails("white x_rays own e1: none", "white x_rays own e1: unknown key, or nobody there");
    fails("white x_rays any d1: d6", "white x_rays any d1: expected d6, got f1 g1 h1 d6 d7 d8");
    fails("white weather: fair", "white weather: unknown key, or nobody there");
    fails("invalid: 4k3/8/8/8/8/8/8/4K3 w - - 0 1", "invalid: expected a refusal, got facts");
}

#[test]
fn what_says_nothing_fails() {
    assert_eq!(failures_of(&[POSITION]), ["analysis.md:1: block checks nothing"]);
    assert_eq!(
        failures_of(&["white attacked: none"]),
        ["analysis.md:2: white attacked: no position yet"]
    );
    assert_eq!(
        failures_of(&["variant: losers"]),
        ["analysis.md:2: variant: unknown variant losers"]
    );
}
