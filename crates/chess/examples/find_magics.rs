//! Searches for the multipliers in `src/attacks/magics.rs` and prints that file:
//! `cargo run --release -p fourfold-chess --example find_magics`.

use fourfold_board::{Bitboard, Direction, Square};
use fourfold_chess::BOARD;
use fourfold_common::SplitMix64;

fn main() {
    println!("//! Multipliers for slider lookups, printed by `examples/find_magics.rs`.\n");
    print("ROOK", &Direction::ORTHOGONALS);
    println!();
    print("BISHOP", &Direction::DIAGONALS);
}

fn print(name: &str, directions: &[Direction]) {
    let mut rng = SplitMix64::new(64);
    println!("#[rustfmt::skip]\npub(crate) static {name}: [u64; 64] = [");
    for index in 0..64 {
        println!("    {:#018x},", search(Square::new(index), directions, &mut rng));
    }
    println!("];");
}

/// Tries sparse random numbers until one maps every set of blockers to its own slot, or to one
/// shared only with sets that have the same attacks.
fn search(from: Square, directions: &[Direction], rng: &mut SplitMix64) -> u64 {
    let mask = fourfold_chess::attacks::relevant_blockers(from, directions);
    let bits = mask.len() as u32;
    let mut cases = Vec::new();
    let mut blockers = 0u64;
    loop {
        let occupied = Bitboard::from_words([blockers]);
        cases.push((blockers, BOARD.slides(from, directions, occupied).words()[0]));
        blockers = blockers.wrapping_sub(mask.words()[0]) & mask.words()[0];
        if blockers == 0 {
            break;
        }
    }
    // Zero marks an unused slot: a slider always attacks at least one square.
    let mut table = vec![0u64; 1 << bits];
    loop {
        let magic = rng.next() & rng.next() & rng.next();
        table.fill(0);
        let fits = cases.iter().all(|&(blockers, seen)| {
            let place = &mut table[(blockers.wrapping_mul(magic) >> (64 - bits)) as usize];
            let free = *place == 0 || *place == seen;
            *place = seen;
            free
        });
        if fits {
            return magic;
        }
    }
}
