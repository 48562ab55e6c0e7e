//! The kung fu environments: ids, masks, observations, rewards, endings, and the guarantees of a
//! batch.

mod compare;
mod play;
mod reference;
mod state;

use fourfold_env::kung_fu::{Eight, KungFu, Rules, Twelve};
use fourfold_env::{Autoreset, Batch, Options};

type Given = &'static [(&'static str, &'static str)];

/// Various options: both speeds and others, steps of one tick and of many, and games in which kings
/// are often captured.
const EIGHT: [Given; 5] = [
    &[("max_ticks", "900")],
    &[("speed", "lightning"), ("interval", "1"), ("max_ticks", "300")],
    &[("ticks_per_square", "2"), ("rest", "0"), ("interval", "5"), ("max_ticks", "2000")],
    &[("speed", "lightning"), ("interval", "30"), ("view", "absolute"), ("max_ticks", "4000")],
    &[
        ("ticks_per_square", "1"),
        ("rest", "5000"),
        ("no_move", "40"),
        ("no_capture", "50"),
        ("no_draw_before", "60"),
    ],
];
const TWELVE: [Given; 5] = [
    &[("speed", "lightning"), ("max_ticks", "300")],
    &[("seats", "134"), ("eliminated", "freeze"), ("ticks_per_square", "3"), ("rest", "4")],
    &[("teams", "on"), ("ticks_per_square", "2"), ("rest", "3"), ("interval", "7")],
    &[("seats", "24"), ("ticks_per_square", "1"), ("rest", "2"), ("view", "absolute")],
    &[("seats", "123"), ("teams", "on"), ("ticks_per_square", "4"), ("rest", "8")],
];

fn eight(given: &[(&str, &str)]) -> Rules<8> {
    Rules::<8>::from_options(given).expect("options of the game")
}

fn twelve(given: &[(&str, &str)]) -> Rules<12> {
    Rules::<12>::from_options(given).expect("options of the game")
}

/// Returns a batch without autoreset.
fn batch<const SIDE: usize>(rules: Rules<SIDE>, games: usize) -> Batch<KungFu<SIDE>> {
    let options = Options { autoreset: Autoreset::Disabled, ..Options::default() };
    Batch::new(rules, games, options)
}

#[test]
fn state_size_is_bounded() {
    assert!(size_of::<Eight>() <= 4096, "{}", size_of::<Eight>());
    assert_eq!(size_of::<Eight>(), size_of::<Twelve>());
}
