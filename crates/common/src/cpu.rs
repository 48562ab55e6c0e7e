//! Runtime dispatch to the instructions of the CPU that the program runs on.
//!
//! A build for baseline x86-64 uses neither `popcnt` nor `pext`. Hot code calls [`dispatch`] once, at
//! its outermost call, and everything inlined into it is also compiled for newer CPUs:
//!
//! ```
//! use fourfold_common::cpu::{self, Cpu, Work};
//!
//! struct CountOnes<'a>(&'a [u64]);
//!
//! impl Work for CountOnes<'_> {
//!     type Output = u32;
//!
//!     #[inline(always)]
//!     fn run<C: Cpu>(self, _cpu: C) -> u32 {
//!         self.0.iter().map(|word| word.count_ones()).sum()
//!     }
//! }
//!
//! assert_eq!(cpu::dispatch(CountOnes(&[1, 3, 7])), 6);
//! ```
#![allow(unsafe_code, reason = "CPU features found at run time, prefetching and streaming stores")]

/// Whether the code is compiled for a GPU. Prefer [`Cpu::LOCKSTEP`] where there is a [`Cpu`].
pub const IS_GPU: bool = cfg!(target_arch = "nvptx64");

/// A computation that is compiled once for each [`Cpu`].
pub trait Work {
    /// The result of the computation.
    type Output;

    /// Runs the computation. Mark it and the functions it calls `#[inline(always)]`: only inlined
    /// code is compiled for the CPU. Recursive calls go through [`Cpu::dispatch`].
    fn run<C: Cpu>(self, cpu: C) -> Self::Output;
}

/// A zero-sized proof that the CPU supports certain instructions.
pub trait Cpu: Copy + Send + Sync + 'static {
    /// Whether [`Cpu::pext`] is a single fast instruction.
    const FAST_PEXT: bool;
    /// Whether threads run in lockstep, as on a GPU: then a single path for all cases is faster than a
    /// branch, and arithmetic is faster than a large table.
    const LOCKSTEP: bool = false;

    /// Where threads run in lockstep: waits until all threads of the group have come here, because they may
    /// have taken different paths before. All of them must come here.
    #[inline(always)]
    fn converge(self) {}

    /// Where threads run in lockstep: returns whether `yes` is true in any thread of the group. All of them must
    /// come here. Elsewhere returns `yes`, so a search may stop early by it, but must not depend on it.
    #[inline(always)]
    fn any(self, yes: bool) -> bool {
        yes
    }

    /// Runs `work` with this CPU's instructions, in a call that is not inlined.
    fn dispatch<W: Work>(self, work: W) -> W::Output;

    /// The former name of [`Self::dispatch`].
    #[deprecated(note = "renamed to `dispatch`")]
    fn enter<W: Work>(self, work: W) -> W::Output {
        self.dispatch(work)
    }

    /// Extracts the bits of `word` selected by `mask` and packs them at the low end (`pext`).
    fn pext(self, word: u64, mask: u64) -> u64;
}

/// The baseline CPU of the build, without optional instructions.
#[derive(Clone, Copy, Debug)]
pub struct Baseline;

impl Cpu for Baseline {
    const FAST_PEXT: bool = false;

    // Not inlined, so that the work is not compiled again in every caller.
    #[inline(never)]
    fn dispatch<W: Work>(self, work: W) -> W::Output {
        work.run(self)
    }

    #[inline]
    fn pext(self, word: u64, mask: u64) -> u64 {
        let (mut extracted, mut rest, mut bit) = (0, mask, 0);
        while rest != 0 {
            let lowest = rest & rest.wrapping_neg();
            extracted |= ((word & lowest != 0) as u64) << bit;
            rest &= rest - 1;
            bit += 1;
        }
        extracted
    }
}

/// A processor whose threads run in lockstep.
#[derive(Clone, Copy, Debug)]
pub struct Simt {
    /// The threads of the group that came to the same place, as bits.
    #[cfg_attr(not(target_arch = "nvptx64"), expect(dead_code, reason = "the CPU has one thread"))]
    threads: u32,
}

impl Simt {
    /// A group that consists of this thread alone, and so never waits.
    pub const ALONE: Simt = Simt { threads: 0 };

    /// Returns the group of the threads that are here at the same time.
    #[inline(always)]
    pub fn here() -> Simt {
        #[cfg(target_arch = "nvptx64")]
        {
            let threads;
            // SAFETY: only reads which threads are active.
            unsafe { core::arch::asm!("activemask.b32 {};", out(reg32) threads) };
            Simt { threads }
        }
        #[cfg(not(target_arch = "nvptx64"))]
        Simt::ALONE
    }
}

impl Cpu for Simt {
    const FAST_PEXT: bool = false;
    const LOCKSTEP: bool = true;

    #[inline(always)]
    fn converge(self) {
        #[cfg(target_arch = "nvptx64")]
        if self.threads != 0 {
            // SAFETY: all threads of the group come here, as the trait requires.
            unsafe { core::arch::asm!("bar.warp.sync {};", in(reg32) self.threads) };
        }
    }

    #[inline(always)]
    fn any(self, yes: bool) -> bool {
        #[cfg(target_arch = "nvptx64")]
        if self.threads != 0 {
            let found: u32;
            // SAFETY: all threads of the group come here, as the trait requires.
            unsafe {
                core::arch::asm!(
                    "{{ .reg .pred p, q; setp.ne.u32 p, {1}, 0; vote.sync.any.pred q, p, {2}; \
                     selp.u32 {0}, 1, 0, q; }}",
                    out(reg32) found,
                    in(reg32) u32::from(yes),
                    in(reg32) self.threads,
                );
            }
            return found != 0;
        }
        yes
    }

    #[inline(never)]
    fn dispatch<W: Work>(self, work: W) -> W::Output {
        work.run(self)
    }

    #[inline]
    fn pext(self, word: u64, mask: u64) -> u64 {
        Baseline.pext(word, mask)
    }
}

/// What code uses that is not called through [`dispatch`].
#[cfg(not(target_arch = "nvptx64"))]
pub type Portable = Baseline;
/// What code uses that is not called through [`dispatch`].
#[cfg(target_arch = "nvptx64")]
pub type Portable = Simt;

/// The value of type [`Portable`].
#[cfg(not(target_arch = "nvptx64"))]
pub const PORTABLE: Portable = Baseline;
/// The value of type [`Portable`].
#[cfg(target_arch = "nvptx64")]
pub const PORTABLE: Portable = Simt::ALONE;

/// Runs `work` with the best instructions that the CPU supports. The CPU is detected only once.
#[inline]
pub fn dispatch<W: Work>(work: W) -> W::Output {
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    if let Some(cpu) = modern::Modern::detect() {
        return cpu.dispatch(work);
    }
    PORTABLE.dispatch(work)
}

/// Prefetches the memory of `values` into the cache. Has no other effect.
#[inline(always)]
pub fn prefetch<T>(values: &[T]) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let bytes = values.as_ptr_range();
        let (mut line, end) = (bytes.start.cast::<i8>(), bytes.end.cast::<i8>());
        while line < end {
            // SAFETY: prefetching is allowed at any address and affects only the caches.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(line) };
            line = line.wrapping_add(64);
        }
    }
    #[cfg(target_arch = "nvptx64")]
    {
        let bytes = values.as_ptr_range();
        let (mut line, end) = (bytes.start.cast::<u8>(), bytes.end.cast::<u8>());
        while line < end {
            // SAFETY: affects only the caches. On a GPU only data in global memory is prefetched.
            unsafe { core::arch::asm!("prefetch.global.L1 [{0}];", in(reg64) line) };
            line = line.wrapping_add(128);
        }
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "nvptx64")))]
    let _ = values;
}

/// Returns a bit mask of the nonzero words: bit `i` is set if `words[i]` is not zero.
#[inline(always)]
pub fn nonzero_mask_u32(words: &[u32; 8]) -> u8 {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{
            _mm_cmpeq_epi32, _mm_loadu_si128, _mm_packs_epi32, _mm_setzero_si128,
        };
        // SAFETY: each load reads four of the eight words; every x86-64 CPU has these instructions.
        unsafe {
            let zero = _mm_setzero_si128();
            let low = _mm_cmpeq_epi32(_mm_loadu_si128(words.as_ptr().cast()), zero);
            let high = _mm_cmpeq_epi32(_mm_loadu_si128(words[4..].as_ptr().cast()), zero);
            !bits(_mm_packs_epi32(low, high))
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    (0..8).fold(0, |bits, index| bits | u8::from(words[index] != 0) << index)
}

/// Returns a bit mask of the nonzero half words: bit `i` is set if `words[i]` is not zero.
#[inline(always)]
pub fn nonzero_mask_u16(words: &[u16; 8]) -> u8 {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_mm_cmpeq_epi16, _mm_loadu_si128, _mm_setzero_si128};
        // SAFETY: the load reads the eight half words; every x86-64 CPU has these instructions.
        unsafe {
            let zero = _mm_setzero_si128();
            !bits(_mm_cmpeq_epi16(_mm_loadu_si128(words.as_ptr().cast()), zero))
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    (0..8).fold(0, |bits, index| bits | u8::from(words[index] != 0) << index)
}

/// Returns the sign bits of eight half words; bit 0 is that of the lowest one.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn bits(halves: core::arch::x86_64::__m128i) -> u8 {
    use core::arch::x86_64::{_mm_movemask_epi8, _mm_packs_epi16};
    // SAFETY: every x86-64 CPU has these instructions.
    unsafe { _mm_movemask_epi8(_mm_packs_epi16(halves, halves)) as u8 }
}

/// Copies bytes past the caches with non-temporal stores, for data that is not read again soon.
///
/// # Panics
/// Panics if the lengths differ.
#[inline]
pub fn copy_streaming(from: &[u8], to: &mut [u8]) {
    assert_eq!(from.len(), to.len(), "source and destination differ in length");
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_sfence, _mm_stream_si128};
        let head = to.as_ptr().align_offset(size_of::<__m128i>()).min(to.len());
        let (first, from) = from.split_at(head);
        let (start, to) = to.split_at_mut(head);
        start.copy_from_slice(first);
        let (from, last) = from.as_chunks::<16>();
        let (to, end) = to.as_chunks_mut::<16>();
        for (from, to) in from.iter().zip(to) {
            // SAFETY: both chunks are 16 bytes long, and the destination is aligned to 16 bytes.
            unsafe {
                let bytes = _mm_loadu_si128(from.as_ptr().cast());
                _mm_stream_si128(to.as_mut_ptr().cast(), bytes);
            }
        }
        // SAFETY: a fence is always allowed; it orders the streamed stores before everything that
        // follows.
        unsafe { _mm_sfence() };
        end.copy_from_slice(last);
    }
    #[cfg(not(target_arch = "x86_64"))]
    to.copy_from_slice(from);
}

#[cfg(all(target_arch = "x86_64", feature = "std"))]
pub use modern::Modern;

#[cfg(all(target_arch = "x86_64", feature = "std"))]
mod modern {
    use core::arch::x86_64::__cpuid;
    use core::sync::atomic::{AtomicU8, Ordering};

    use super::{Cpu, Work};

    /// An x86-64 CPU with AVX2, BMI1, BMI2, LZCNT, POPCNT and a fast `pext`.
    ///
    /// Only [`Modern::detect`] creates one, so having a value proves that the features are
    /// available.
    #[derive(Clone, Copy, Debug)]
    pub struct Modern(());

    impl Modern {
        /// Returns a `Modern` if this CPU has the features. The result is cached.
        #[inline]
        pub fn detect() -> Option<Modern> {
            const UNKNOWN: u8 = 0;
            const NO: u8 = 1;
            const YES: u8 = 2;
            static FOUND: AtomicU8 = AtomicU8::new(UNKNOWN);
            let mut found = FOUND.load(Ordering::Relaxed);
            if found == UNKNOWN {
                found = if has_features() && !has_slow_pext() { YES } else { NO };
                FOUND.store(found, Ordering::Relaxed);
            }
            (found == YES).then_some(Modern(()))
        }
    }

    fn has_features() -> bool {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
    }

    /// AMD CPUs before Zen 3 (family 19h) have `pext`, but it takes hundreds of cycles.
    fn has_slow_pext() -> bool {
        let vendor = __cpuid(0);
        let signature = __cpuid(1).eax;
        let family = (signature >> 8 & 0xf) + (signature >> 20 & 0xff);
        let amd = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes).concat();
        amd == b"AuthenticAMD" && family < 0x19
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn run<W: Work>(cpu: Modern, work: W) -> W::Output {
        work.run(cpu)
    }

    impl Cpu for Modern {
        const FAST_PEXT: bool = true;

        #[inline]
        fn dispatch<W: Work>(self, work: W) -> W::Output {
            // SAFETY: a `Modern` exists only if these features were detected.
            unsafe { run(self, work) }
        }

        #[inline(always)]
        fn pext(self, word: u64, mask: u64) -> u64 {
            // SAFETY: a `Modern` exists only if BMI2 was detected.
            unsafe { core::arch::x86_64::_pext_u64(word, mask) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streaming_copies_every_byte_and_no_other() {
        let from: Vec<u8> = (1..=200).collect();
        for start in 0..20 {
            for length in 0..120 {
                let mut to = vec![0; 160];
                copy_streaming(&from[start..][..length], &mut to[start..][..length]);
                let mut expected = vec![0; 160];
                expected[start..][..length].copy_from_slice(&from[start..][..length]);
                assert_eq!(to, expected, "{length} bytes from {start}");
            }
        }
        prefetch(&from);
        prefetch::<u8>(&[]);
    }

    #[test]
    fn nonzero_masks_have_the_right_bits() {
        for expected in 0..=255u8 {
            let set = |index: usize| expected >> index & 1 != 0;
            for value in [1, 0x8000_0000, u32::MAX, 0x10000] {
                let words = core::array::from_fn(|index| if set(index) { value } else { 0 });
                assert_eq!(nonzero_mask_u32(&words), expected);
            }
            for value in [1, 0x8000, u16::MAX, 0x100] {
                let words = core::array::from_fn(|index| if set(index) { value } else { 0 });
                assert_eq!(nonzero_mask_u16(&words), expected);
            }
        }
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn pext_implementations_agree() {
        let Some(modern) = Modern::detect() else {
            println!("skipped: this CPU has no BMI2");
            return;
        };
        let mut rng = crate::SplitMix64::new(1);
        for _ in 0..10_000 {
            let (word, mask) = (rng.next(), rng.next() & rng.next());
            assert_eq!(Baseline.pext(word, mask), modern.pext(word, mask));
        }
    }
}
