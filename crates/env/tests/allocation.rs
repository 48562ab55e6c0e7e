//! A step allocates nothing, in whatever form its outputs are.
#![allow(unsafe_code, reason = "an allocator that counts is unsafe by its interface")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use fourfold_env::blokus::{self, Classic, Duo};
use fourfold_env::chess::{self, Chess};
use fourfold_env::four_player::{self, FourPlayer};
use fourfold_env::{AnyBatch, Batch, Game, MaskRows, ObservationRows, Options, Outputs, Rows};

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
    check::<Chess>(chess::Rules::FIDE);
    check::<Classic>(blokus::Rules::CLASSIC);
    check::<Duo>(blokus::Rules::DUO);
    for rules in [four_player::Rules::FREE_FOR_ALL, four_player::Rules::TEAMS] {
        check::<FourPlayer>(four_player::Rules { max_steps: 150, ..rules });
    }
}

fn check<G: Game>(rules: G::Rules) {
    const GAMES: usize = 256;
    let mut batch = Batch::<G>::new(rules, GAMES, Options::default());
    batch.reset(Some(1));
    let spec = batch.spec().clone();
    let (bytes, players, most) = (spec.mask_bytes(), spec.players, spec.max_legal);
    let layout = &spec.observation;
    let mut actions = vec![0; GAMES];
    let (mut bits, mut bools) = (vec![0; GAMES * bytes], vec![false; GAMES * spec.actions]);
    let (mut counts, mut indices) = (vec![0; GAMES], vec![0; GAMES * most]);
    let mut planes = vec![0; GAMES * layout.packed_bytes()];
    let mut scalars = vec![0.0; GAMES * layout.scalars];
    let (mut floats, mut rewards) =
        (vec![0.0; GAMES * layout.values()], vec![0.0; GAMES * players]);
    let (mut ended, mut allocated) = (0, 0);
    for step in 0..400 {
        let mut out = Outputs::none();
        out.rewards = Rows::new(&mut rewards, players);
        out.mask = match step % 3 {
            0 => MaskRows::Packed(Rows::new(&mut bits, bytes)),
            1 => MaskRows::Bool(Rows::new(&mut bools, spec.actions)),
            _ => MaskRows::Sparse {
                counts: Rows::new(&mut counts, 1),
                indices: Rows::new(&mut indices, most),
            },
        };
        out.observation = match step % 2 {
            0 => ObservationRows::Packed {
                planes: Rows::new(&mut planes, layout.packed_bytes()),
                scalars: Rows::new(&mut scalars, layout.scalars),
            },
            _ => ObservationRows::Float {
                values: Rows::new(&mut floats, layout.values()),
                scalars: Rows::new(&mut scalars, layout.scalars),
            },
        };
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        batch.sample(None, &mut actions);
        ended += batch.step(&actions, out).expect("sampled actions are legal");
        allocated += ALLOCATIONS.load(Ordering::Relaxed) - before;
    }
    assert!(ended > 100, "only {ended} games of {} ended", G::NAME);
    assert_eq!(allocated, 0, "{}", G::NAME);
}
