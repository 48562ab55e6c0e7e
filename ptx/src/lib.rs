//! The kernels of `fourfold-kernels` as PTX entry points, for the game that a feature selects.
#![feature(abi_ptx, asm_experimental_arch, stdarch_nvptx)]
#![no_std]

use core::alloc::{GlobalAlloc, Layout};
use core::arch::nvptx::_syncthreads;
use core::arch::{asm, global_asm};
use core::panic::PanicInfo;
use core::slice;

use fourfold_kernels::launch::{
    Begin, FIRST_REPEATED, LAST_PHASE, WriteBoolMasks, WritePackedMasks, WriteSparseMasks,
};
#[cfg(not(feature = "rows"))]
use fourfold_kernels::launch::{Check, Restart, Show};
#[cfg(feature = "rows")]
use fourfold_kernels::rows::{CheckRows, Start};
#[cfg(feature = "rows")]
use fourfold_kernels::SampleMasks;
use fourfold_kernels::{Finish, Kernel, Place, WriteObservations};
#[cfg(not(feature = "rows"))]
use fourfold_kernels::{Sample, SampleLogits};
use half::{bf16, f16};

#[cfg(feature = "blokus")]
use fourfold_env::blokus::Classic as Game;
#[cfg(feature = "blokus_duo")]
use fourfold_env::blokus::Duo as Game;
#[cfg(feature = "chess")]
use fourfold_env::chess::Chess as Game;
#[cfg(feature = "four_player")]
use fourfold_env::four_player::FourPlayer as Game;
#[cfg(feature = "kung_fu")]
use fourfold_env::kung_fu::Eight as Game;
#[cfg(feature = "kung_fu_4p")]
use fourfold_env::kung_fu::Twelve as Game;

// The size is set by the launch.
global_asm!(".extern .shared .align 16 .b8 shared_memory[];");

/// Runs a kernel in this thread.
#[inline(always)]
unsafe fn run<K: Kernel>(kernel: &K) {
    let threads: u32;
    // SAFETY: only reads which threads of this warp exist: all of them are here.
    unsafe { asm!("activemask.b32 {};", out(reg32) threads) };
    let mut next = Some(0);
    // Every phase is compiled by itself, so that its number is known.
    macro_rules! run_phases {
        ($($phase:literal)+) => {
            $(
                if (K::HAS_PHASES || $phase == 0) && next == Some($phase) {
                    // SAFETY: the caller promises it.
                    next = unsafe { run_phase(kernel, $phase, threads) };
                }
            )+
        };
    }
    run_phases!(0 1 2);
    if K::REPEATS {
        while let Some(phase) = next.filter(|&phase| phase >= FIRST_REPEATED) {
            // SAFETY: the caller promises it.
            next = unsafe { run_phase(kernel, phase, threads) };
        }
    }
    run_phases!(3 4 5 6 7 8 9 10 11 12 13);
    const _: () = assert!(LAST_PHASE == 13, "every phase is run");
}

/// Runs a phase of a kernel in this thread, and returns the phase that follows. `threads` are those of this warp, as bits.
#[inline(always)]
unsafe fn run_phase<K: Kernel>(kernel: &K, phase: usize, threads: u32) -> Option<usize> {
    // SAFETY: all threads of a block run through the same phases; the host passes valid addresses.
    unsafe {
        let (place, shared) = here();
        kernel.run(phase, place, shared);
        if !K::HAS_PHASES {
            return None;
        }
        _syncthreads();
        // Threads that have followed different paths would go on one after another.
        asm!("bar.warp.sync {};", in(reg32) threads);
        kernel.next(phase, shared)
    }
}

/// Returns the place of this thread, and the shared memory of its block.
///
/// The compiler must not know that the result is always the same: it would keep what it computes from it in
/// registers from one phase to the next.
#[inline(always)]
unsafe fn here<'a>() -> (Place, &'a mut [u32]) {
    let memory: *mut u32;
    let (bytes, block, thread, threads): (u32, u32, u32, u32);
    // SAFETY: reads registers, and the address and the size of the shared memory of this block.
    unsafe {
        asm!(
            "mov.u64 {0}, shared_memory;",
            "cvta.shared.u64 {0}, {0};",
            "mov.u32 {1}, %dynamic_smem_size;",
            "mov.u32 {2}, %ctaid.x;",
            "mov.u32 {3}, %tid.x;",
            "mov.u32 {4}, %ntid.x;",
            out(reg64) memory,
            out(reg32) bytes,
            out(reg32) block,
            out(reg32) thread,
            out(reg32) threads,
        );
        let place =
            Place { block: block as usize, thread: thread as usize, threads: threads as usize };
        (place, slice::from_raw_parts_mut(memory, bytes as usize / 4))
    }
}

macro_rules! kernels {
    ($($name:ident: $kernel:ty;)+) => {
        $(
            /// See the kernel's documentation.
            ///
            /// # Safety
            /// As for [`Kernel::run`].
            #[unsafe(no_mangle)]
            pub unsafe extern "ptx-kernel" fn $name(kernel: $kernel) {
                // SAFETY: the host promises it.
                unsafe { run(&kernel) }
            }
        )+
    };
}

#[cfg(not(feature = "rows"))]
kernels! {
    check: Check<Game>;
    begin: Begin<Game>;
    finish: Finish<Game>;
    show: Show<Game>;
    restart: Restart<Game>;
    sample: Sample<Game>;
    sample_logits: SampleLogits<Game>;
    write_packed_masks: WritePackedMasks<Game>;
    write_bool_masks: WriteBoolMasks<Game>;
    write_sparse_masks: WriteSparseMasks<Game>;
    write_observations_u8: WriteObservations<Game, u8>;
    write_observations_f16: WriteObservations<Game, f16>;
    write_observations_bf16: WriteObservations<Game, bf16>;
    write_observations_f32: WriteObservations<Game, f32>;
}

#[cfg(feature = "rows")]
kernels! {
    check_rows: CheckRows<Game, true>;
    start: Start<Game, true>;
    begin: Begin<Game, true>;
    finish: Finish<Game, true>;
    sample_masks: SampleMasks;
    write_packed_masks: WritePackedMasks<Game, true>;
    write_bool_masks: WriteBoolMasks<Game, true>;
    write_sparse_masks: WriteSparseMasks<Game, true>;
    write_observations_u8: WriteObservations<Game, u8, true>;
    write_observations_f16: WriteObservations<Game, f16, true>;
    write_observations_bf16: WriteObservations<Game, bf16, true>;
    write_observations_f32: WriteObservations<Game, f32, true>;
}

/// Kernels do not allocate.
struct NoHeap;

// SAFETY: never returns memory.
unsafe impl GlobalAlloc for NoHeap {
    unsafe fn alloc(&self, _: Layout) -> *mut u8 {
        core::ptr::null_mut()
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[global_allocator]
static HEAP: NoHeap = NoHeap;

/// Stops the kernel: the next call of the driver returns an error.
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    // SAFETY: ends the kernel.
    unsafe { asm!("trap;", options(noreturn)) }
}

/// Compares bytes; the core library of the target does not have it.
///
/// # Safety
/// Both addresses must have `count` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memcmp(one: *const u8, other: *const u8, count: usize) -> i32 {
    for index in 0..count {
        // SAFETY: the caller promises it. Volatile, so that it is not turned into a call of itself.
        let (one, other) =
            unsafe { (one.add(index).read_volatile(), other.add(index).read_volatile()) };
        if one != other {
            return i32::from(one) - i32::from(other);
        }
    }
    0
}
