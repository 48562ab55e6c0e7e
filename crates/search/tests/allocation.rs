//! Simulations do not allocate once the buffers have grown.
#![allow(unsafe_code, reason = "implementing an allocator requires unsafe code")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use fourfold_env::Describe;
use fourfold_env::blokus::{self, Duo};
use fourfold_env::chess::{self, Chess};
use fourfold_env::four_player::{self, FourPlayer};
use fourfold_env::kung_fu::{self, Eight};
use fourfold_search::{AnySearch, Options, Search, Uniform};

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
fn simulations_do_not_allocate() {
    check::<Chess>(chess::Rules::FIDE);
    check::<FourPlayer>(four_player::Rules::FREE_FOR_ALL);
    check::<Duo>(blokus::Rules::DUO);
    check::<Eight>(kung_fu::Rules::<8>::default());
}

fn check<G: Describe>(rules: G::Rules) {
    let options = Options { leaves_per_game: 4, ..Options::new(300) };
    let mut search = Search::<G>::new(rules.clone(), 2, options).expect("options");
    let state = G::start(&rules);
    let run = |search: &mut Search<G>| {
        search.clear();
        let before = ALLOCATIONS.get();
        search.run(|_| &state, &Uniform::default()).expect("numbers");
        ALLOCATIONS.get() - before
    };
    assert!(run(&mut search) > 0, "the first run allocates the buffers");
    assert_eq!(run(&mut search), 0, "{}", G::NAME);
}
