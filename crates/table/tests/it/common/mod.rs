//! Properties that hold for every table.

use std::fmt::Debug;

use fourfold_common::SplitMix64;
use fourfold_table::{CapturedPiece, Declaration, HistoryError, Seat, Table, targets};
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

/// The captured pieces by seat, and the name of the opening.
pub(crate) type Aside = (Vec<Vec<CapturedPiece>>, Option<String>);

/// A step that a [`Twin`] repeats.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Move(String),
    Declare(Declaration),
}

/// The simplest table: it keeps only what was done, and does it again from the start.
#[derive(Clone, Debug)]
pub(crate) struct Twin<T> {
    start: T,
    steps: Vec<Step>,
    at: usize,
}

impl<T: Whole> Twin<T> {
    /// Returns the table after the first `at` steps.
    fn after(&self, at: usize) -> T {
        let mut table = self.start.clone();
        for step in &self.steps[..at] {
            match step {
                Step::Move(code) => _ = table.play(code).unwrap(),
                Step::Declare(declaration) => table.declare(*declaration).unwrap(),
            }
        }
        table
    }

    fn take(&mut self, step: Step) {
        self.steps.truncate(self.at);
        self.steps.push(step);
        self.at += 1;
    }

    /// Returns how many steps are in effect after a jump, if there are as many moves.
    fn steps_at(&self, ply: usize) -> Option<usize> {
        let moves = |at: usize| {
            self.steps[..at].iter().filter(|step| matches!(step, Step::Move(_))).count()
        };
        (0..=self.steps.len()).rfind(|&at| moves(at) == ply)
    }
}

/// Checks a table against its twin, with random moves, declarations, undo, redo and jumps.
/// `recompute` returns the captured pieces and the opening after steps from a start, from the
/// positions alone.
pub(crate) fn agrees_with_its_twin<T: Whole>(
    start: &T,
    seed: u64,
    recompute: fn(&T, &[Step]) -> Aside,
) -> Checked {
    let (mut table, mut rng) = (start.clone(), SplitMix64::new(seed));
    let mut twin = Twin { start: start.clone(), steps: Vec::new(), at: 0 };
    for _ in 0..16 {
        let ply = rng.next() as usize % (table.ply() + table.undone().len() + 2);
        let seat = Seat::new((rng.next() % table.seats().len() as u64) as u8);
        let declaration = match rng.next() % 3 {
            0 => Declaration::Flag(seat),
            1 => Declaration::Draw,
            _ => Declaration::Resign(seat),
        };
        match rng.next() % 16 {
            // Long enough to pass several of the states that the table keeps.
            0..8 => {
                for _ in 0..rng.next() % 30 {
                    if table.outcome().is_none() {
                        play_any(&mut table, &mut rng);
                        twin.take(Step::Move(table.played().last().unwrap().code.clone()));
                    }
                }
            }
            8 | 9 => {
                let undone = table.undo().is_ok();
                prop_assert_eq!(undone, twin.at > 0);
                twin.at -= usize::from(undone);
            }
            10 | 11 => {
                let repeated = table.redo().is_ok();
                prop_assert_eq!(repeated, twin.at < twin.steps.len());
                twin.at += usize::from(repeated);
            }
            12..15 => {
                let at = twin.steps_at(ply);
                let scene = table.scene_at(ply);
                let expected = at.map(|at| twin.after(at).scene());
                prop_assert_eq!(scene.as_ref().ok(), expected.as_ref());
                let jumped = table.jump(ply);
                prop_assert_eq!(scene.err(), jumped.err());
                twin.at = at.unwrap_or(twin.at);
            }
            _ => {
                if table.declare(declaration).is_ok() {
                    twin.take(Step::Declare(declaration));
                }
            }
        }
        let expected = twin.after(twin.at);
        prop_assert_eq!(table.scene(), expected.scene());
        prop_assert_eq!(table.played(), expected.played());
        prop_assert_eq!(table.undone().len(), twin.after(twin.steps.len()).ply() - table.ply());
        prop_assert_eq!(table.situation(), expected.situation());
        prop_assert_eq!(table.export(), expected.export());
        prop_assert_eq!(table.claimable(), expected.claimable());
        if let Some(&seat) = table.acting().first() {
            prop_assert_eq!(table.choices(seat), expected.choices(seat));
        }
        let scene = table.scene();
        let aside = (scene.captured, scene.opening.map(str::to_owned));
        prop_assert_eq!(aside, recompute(start, &twin.steps[..twin.at]));
    }
    Ok(())
}
