//! A step allocates nothing, in whatever form its outputs are.
#![allow(unsafe_code, reason = "an allocator that counts is unsafe by its interface")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use fourfold_env::chess::{Chess, Rules};
use fourfold_env::{AnyBatch, Batch, MaskRows, ObservationRows, Options, Outputs, Rows};

struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: everything is left to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller keeps the promises of this function.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the promises of this function.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn steps_allocate_nothing() {
    const GAMES: usize = 256;
    let mut batch = Batch::<Chess>::new(Rules::FIDE, GAMES, Options::default());
    batch.reset(Some(1));
    let mut actions = vec![0; GAMES];
    let (mut bits, mut bools) = (vec![0; GAMES * 584], vec![false; GAMES * 4672]);
    let (mut counts, mut indices) = (vec![0; GAMES], vec![0; GAMES * 218]);
    let (mut planes, mut scalars) = (vec![0; GAMES * 117 * 8], vec![0.0; GAMES * 2]);
    let (mut floats, mut rewards) = (vec![0.0; GAMES * 64 * 119], vec![0.0; GAMES * 2]);
    let (mut ended, mut allocated) = (0, 0);
    for step in 0..400 {
        let mut out = Outputs::none();
        out.rewards = Rows::new(&mut rewards, 2);
        out.mask = match step % 3 {
            0 => MaskRows::Packed(Rows::new(&mut bits, 584)),
            1 => MaskRows::Bool(Rows::new(&mut bools, 4672)),
            _ => MaskRows::Sparse {
                counts: Rows::new(&mut counts, 1),
                indices: Rows::new(&mut indices, 218),
            },
        };
        out.observation = match step % 2 {
            0 => ObservationRows::Packed {
                planes: Rows::new(&mut planes, 117 * 8),
                scalars: Rows::new(&mut scalars, 2),
            },
            _ => ObservationRows::Float(Rows::new(&mut floats, 64 * 119)),
        };
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        batch.sample(None, &mut actions);
        ended += batch.step(&actions, out).expect("sampled actions are legal");
        allocated += ALLOCATIONS.load(Ordering::Relaxed) - before;
    }
    assert!(ended > 100, "only {ended} games ended");
    assert_eq!(allocated, 0);
}
