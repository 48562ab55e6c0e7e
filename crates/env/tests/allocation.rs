//! A step does not allocate, whatever the format of its outputs.
#![allow(unsafe_code, reason = "implementing an allocator requires unsafe code")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use fourfold_env::blokus::{self, Classic, Duo};
use fourfold_env::chess::{self, Chess};
use fourfold_env::four_player::{self, FourPlayer};
use fourfold_env::kung_fu::{self, Eight, Twelve};
use fourfold_env::{
    AnyBatch, Batch, Describe, MaskRows, ObservationRows, Options, Outputs, Rows, ValueRows,
};

struct Counting;

thread_local! {
    /// Counted for each thread, because the test harness may allocate in another thread.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: all calls are forwarded to the system allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller upholds the contract of this function.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller upholds the contract of this function.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn steps_do_not_allocate() {
    check::<Chess>(chess::Rules::FIDE);
    check::<Classic>(blokus::Rules::CLASSIC);
    check::<Duo>(blokus::Rules::DUO);
    let given = [("speed", "lightning"), ("max_ticks", "600")];
    check::<Eight>(kung_fu::Rules::<8>::from_options(&given).expect("options"));
    check::<Twelve>(kung_fu::Rules::<12>::from_options(&given).expect("options"));
    for rules in [four_player::Rules::FREE_FOR_ALL, four_player::Rules::TEAMS] {
        check::<FourPlayer>(four_player::Rules { max_steps: 150, ..rules });
    }
}

fn check<G: Describe>(rules: G::Rules) {
    // The same total number of observations for every game.
    let games = 64 / G::spec(&rules).mask_rows();
    let mut batch = Batch::<G>::new(rules, games, Options::default());
    batch.reset(Some(1));
    let spec = batch.spec().clone();
    let (rows, players) = (spec.mask_rows(), spec.players);
    let [bytes, ids, most] = [spec.mask_bytes(), spec.actions, spec.max_legal].map(|n| rows * n);
    let layout = &spec.observation;
    let [packed, numbers, values] =
        [layout.packed_bytes(), layout.scalars, layout.values()].map(|n| rows * n);
    let mut actions = vec![0; games * rows];
    let (mut bits, mut bools) = (vec![0; games * bytes], vec![false; games * ids]);
    let (mut counts, mut indices) = (vec![0; games * rows], vec![0; games * most]);
    let mut planes = vec![0; games * packed];
    let mut scalars = vec![0.0; games * numbers];
    let (mut floats, mut rewards) = (vec![0.0; games * values], vec![0.0; games * players]);
    let (mut ended, mut allocated) = (0, 0);
    for step in 0..400 {
        let mut out = Outputs::none();
        out.rewards = Rows::new(&mut rewards, players);
        out.mask = match step % 3 {
            0 => MaskRows::Packed(Rows::new(&mut bits, bytes)),
            1 => MaskRows::Bool(Rows::new(&mut bools, ids)),
            _ => MaskRows::Sparse {
                counts: Rows::new(&mut counts, rows),
                indices: Rows::new(&mut indices, most),
            },
        };
        out.observation = match step % 2 {
            0 => ObservationRows {
                values: ValueRows::Packed(Rows::new(&mut planes, packed)),
                scalars: Rows::new(&mut scalars, numbers),
            },
            _ => ObservationRows {
                values: ValueRows::Float(Rows::new(&mut floats, values)),
                scalars: Rows::new(&mut scalars, numbers),
            },
        };
        let before = ALLOCATIONS.get();
        batch.sample(None, &mut actions).expect("one action per row");
        ended += batch.step(&actions, out).expect("sampled actions are legal");
        allocated += ALLOCATIONS.get() - before;
    }
    assert!(ended > 25, "only {ended} games of {} ended", G::NAME);
    assert_eq!(allocated, 0, "{}", G::NAME);
}
