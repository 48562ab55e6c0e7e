//! Properties that hold for every table.

use std::fmt::Debug;

use fourfold_common::SplitMix64;
use fourfold_table::{Declaration, HistoryError, Seat, Table, targets};
use proptest::prelude::*;

pub(crate) type Checked = Result<(), TestCaseError>;

/// A table that can be copied and compared.
pub(crate) trait Whole: Table + Clone + PartialEq + Debug {}

impl<T: Table + Clone + PartialEq + Debug> Whole for T {}

/// Plays a random legal move if there is one, in a random one of the two notations.
pub(crate) fn play_any(table: &mut impl Table, rng: &mut SplitMix64) {
    let Some(&seat) = table.acting().first() else { return };
    let choices = table.choices(seat);
    let choice = &choices[rng.next() as usize % choices.len()];
    let text = if rng.next().is_multiple_of(2) { &choice.text } else { &choice.code };
    table.play_as(seat, text).unwrap_or_else(|error| panic!("{text}: {error}"));
}

/// Tries a random step, which may not be allowed.
pub(crate) fn step_any(table: &mut impl Table, rng: &mut SplitMix64) {
    let seat = Seat::new((rng.next() % (table.seats().len() as u64 + 1)) as u8);
    // Only the resulting state matters here; what steps return is tested elsewhere.
    match rng.next() % 12 {
        0..5 => play_any(table, rng),
        5 | 6 => _ = table.undo(),
        7 => _ = table.redo(),
        8 => _ = table.jump(rng.next() as usize % 40),
        9 => _ = table.declare(Declaration::Claim(seat)),
        10 => _ = table.declare(Declaration::Resign(seat)),
        _ => _ = table.declare(Declaration::Draw),
    }
}

/// Checks that undo and redo lead through the same positions.
pub(crate) fn undo_and_redo_agree(played: &impl Whole) -> Checked {
    let mut table = played.clone();
    let mut stations = Vec::new();
    loop {
        stations.push((table.position(), table.played().to_vec(), table.scene()));
        if table.undo().is_err() {
            break;
        }
    }
    prop_assert!(stations.len() > played.ply());
    prop_assert_eq!(table.undone(), played.played());
    prop_assert_eq!(table.undo(), Err(HistoryError::NothingToUndo));
    while let Some(station) = stations.pop() {
        prop_assert_eq!((table.position(), table.played().to_vec(), table.scene()), station);
        prop_assert_eq!(table.redo().is_ok(), !stations.is_empty());
    }
    prop_assert_eq!(&table, played);
    for ply in [0, played.ply() / 2, played.ply()] {
        table.jump(ply).unwrap();
        prop_assert_eq!(table.ply(), ply);
    }
    prop_assert_eq!(&table, played);
    Ok(())
}

/// Checks that a new move discards the undone ones. `ply` must be less than the number of plies
/// played.
pub(crate) fn a_new_move_drops_the_undone(played: &impl Whole, ply: usize, seed: u64) -> Checked {
    let mut table = played.clone();
    table.jump(ply).unwrap();
    let before = table.played().to_vec();
    play_any(&mut table, &mut SplitMix64::new(seed));
    prop_assert!(table.undone().is_empty());
    prop_assert_eq!(table.redo(), Err(HistoryError::NothingToRedo));
    prop_assert_eq!(&table.played()[..before.len()], &before[..]);
    prop_assert_eq!(table.ply(), before.len() + 1);
    Ok(())
}

/// Checks that exactly the seats to move have choices, and that each choice can be played by its
/// code and by its text.
pub(crate) fn choices_may_be_played(table: &impl Whole) -> Checked {
    for seat in (0..=table.seats().len()).map(|seat| Seat::new(seat as u8)) {
        let choices = table.choices(seat);
        prop_assert_eq!(!choices.is_empty(), table.acting().contains(&seat));
        prop_assert!(choices.is_sorted_by(|one, other| one.code < other.code));
        for choice in &choices {
            let (mut by_code, mut by_text) = (table.clone(), table.clone());
            by_code.play(&choice.code).unwrap();
            by_text.play_as(seat, &format!(" {} ", choice.text)).unwrap();
            prop_assert_eq!(&by_code, &by_text);
            prop_assert!(targets(&choices)[&choice.from[..]][&choice.to[..]].contains(&choice));
        }
    }
    Ok(())
}

/// Checks that errors leave the table unchanged, with moves, positions and files that are almost
/// valid.
pub(crate) fn an_error_changes_nothing(
    played: &impl Whole,
    text: &str,
    position: &str,
    file: &str,
) -> Checked {
    let mut table = played.clone();
    _ = table.undo();
    let before = table.clone();
    let seat = Seat::new((text.len() % 6) as u8);
    macro_rules! unchanged {
        ($step:expr) => {
            if $step.is_err() {
                prop_assert_eq!(&table, &before);
            } else {
                table = before.clone();
            }
        };
    }
    unchanged!(table.play(text));
    unchanged!(table.play_as(seat, text));
    unchanged!(table.set(position));
    unchanged!(table.set(text));
    unchanged!(table.import(file));
    unchanged!(table.import(text));
    unchanged!(table.set_tag(text, file));
    unchanged!(table.jump(usize::from(text.len() as u8)));
    unchanged!(table.declare(Declaration::Claim(seat)));
    unchanged!(table.declare(Declaration::Flag(seat)));
    prop_assert_eq!(table, before);
    Ok(())
}
