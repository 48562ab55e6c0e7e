//! The Blokus environments: ids, masks, observations, rewards, symmetries, and the guarantees of a
//! batch.

mod ids;
mod observation;
mod play;
mod reference;
mod state;
mod symmetry;

use fourfold_env::blokus::{Blokus, Classic, Duo, Rules, View};
use fourfold_env::{AnyBatch, Autoreset, Batch, Options, Outputs, Stage};

/// Options of games with four colors, and with two.
const FOUR: [&[(&str, &str)]; 6] = [
    &[],
    &[("players", "2")],
    &[("players", "3")],
    &[("size", "10")],
    &[("size", "5"), ("free_starts", "on")],
    &[("free_starts", "on")],
];
const TWO: [&[(&str, &str)]; 5] = [
    &[],
    &[("size", "10")],
    &[("size", "5")],
    &[("starts", "corners")],
    &[("free_starts", "on"), ("size", "9")],
];

fn four(options: &[(&str, &str)]) -> Rules<4> {
    Rules::<4>::from_options(options).expect("options of the game")
}

fn two(options: &[(&str, &str)]) -> Rules<2> {
    Rules::<2>::from_options(options).expect("options of the game")
}

/// Returns the same rules with another view.
fn seen<const COLORS: usize>(mut rules: Rules<COLORS>, view: View) -> Rules<COLORS> {
    rules.view = view;
    rules
}

/// Returns a batch without autoreset.
fn batch<const COLORS: usize>(rules: Rules<COLORS>, games: usize) -> Batch<Blokus<COLORS>> {
    let options = Options { autoreset: Autoreset::Disabled, ..Options::default() };
    Batch::new(rules, games, options)
}

/// A check of a batch with any number of colors.
trait Look {
    fn look<const COLORS: usize>(&mut self, batch: &mut Batch<Blokus<COLORS>>);
}

/// Plays random games of all variants to their end; `look` is called before each step and at the
/// end.
fn for_batches(view: View, games: usize, look: &mut impl Look) {
    for (seed, options) in FOUR.into_iter().enumerate() {
        play_out(batch(seen(four(options), view), games), seed as u64, look);
    }
    for (seed, options) in TWO.into_iter().enumerate() {
        play_out(batch(seen(two(options), view), games), seed as u64, look);
    }
}

fn play_out<const COLORS: usize>(
    mut batch: Batch<Blokus<COLORS>>,
    seed: u64,
    look: &mut impl Look,
) {
    batch.reset(Some(seed));
    let mut actions = vec![0; batch.games()];
    loop {
        look.look(&mut batch);
        if (0..batch.games()).all(|game| batch.status(game).stage != Stage::Ongoing) {
            return;
        }
        batch.sample(None, &mut actions).expect("one action per row");
        batch.step(&actions, Outputs::none()).expect("sampled actions are legal");
    }
}

#[test]
fn state_size_is_bounded() {
    assert!(size_of::<Classic>() <= 1536 && size_of::<Duo>() <= 1536, "{}", size_of::<Classic>());
}
