//! A common interface to oracle and engine: takes a FEN and returns all facts.

use fourfold_oracle::analysis::{self, Facts};
use fourfold_oracle::chess::Variant;

use super::engine::Engine;
use super::fact_rows::rows;
use super::positions::for_positions;

/// An implementation of the analysis.
pub(crate) trait Implementation {
    /// Returns all facts about a position.
    fn analyze(fen: &str, variant: Variant) -> Result<Facts, String>;
}

/// The slow reference implementation.
pub(crate) struct Oracle;

impl Implementation for Oracle {
    fn analyze(fen: &str, variant: Variant) -> Result<Facts, String> {
        analysis::analyze_in(fen, variant).map_err(|error| error.to_string())
    }
}

/// The number of positions in each half of the comparison.
const POSITIONS: usize = 3000;

/// Compares all facts from two implementations on `count` positions of every kind.
pub(crate) fn agree<A: Implementation, B: Implementation>(
    count: usize,
    seed: u64,
) -> Result<(), String> {
    let mut answer = Ok(());
    for_positions(count, seed, |fen, variant| {
        if answer.is_ok() {
            answer = difference(&A::analyze(fen, variant), &B::analyze(fen, variant))
                .map_or(Ok(()), |difference| Err(format!("{difference} in {variant:?} {fen}")));
        }
    });
    answer
}

/// Returns the first fact that differs, with both texts.
fn difference(a: &Result<Facts, String>, b: &Result<Facts, String>) -> Option<String> {
    let (a, b) = match (a, b) {
        (Ok(a), Ok(b)) => (rows(a), rows(b)),
        (Err(_), Err(_)) => return None,
        (Err(error), Ok(_)) | (Ok(_), Err(error)) => return Some(error.clone()),
    };
    let differs = |((name_a, a), (name_b, b)): &(_, _)| name_a != name_b || a != b;
    let lengths =
        (a.len() != b.len()).then(|| "different numbers of sliders or pieces".to_string());
    let texts = a.into_iter().zip(b).find(differs);
    texts.map(|((name, a), (_, b))| format!("{name}: {a} and {b}")).or(lengths)
}

#[test]
fn engine_and_oracle_find_the_same_facts() {
    assert_eq!(agree::<Oracle, Engine>(POSITIONS, 1), Ok(()));
}

/// A second seed in a test of its own, so that both halves run in parallel.
#[test]
fn engine_and_oracle_find_the_same_facts_with_another_seed() {
    assert_eq!(agree::<Oracle, Engine>(POSITIONS, 2), Ok(()));
}

#[test]
fn a_difference_is_named() {
    struct Careless;
    impl Implementation for Careless {
        fn analyze(fen: &str, variant: Variant) -> Result<Facts, String> {
            let mut facts = Oracle::analyze(fen, variant)?;
            facts.black.pawns.doubled.clear();
            Ok(facts)
        }
    }
    assert_eq!(agree::<Oracle, Oracle>(20, 5), Ok(()));
    let found = agree::<Oracle, Careless>(60, 5).expect_err("doubled pawns are common");
    assert!(found.starts_with("black pawns.doubled: "), "{found}");
    let refused = Err("no FEN".to_string());
    assert_eq!(difference(&refused, &refused), None);
    assert_eq!(difference(&refused, &Ok(Facts::default())), Some("no FEN".to_string()));
}
