//! Operations on shared memory that are faster than those on other memory.
#![allow(unsafe_code, reason = "operations on shared memory")]

use core::sync::atomic::{AtomicU32, Ordering};

/// Sets bits of a word in shared memory. Other threads may do the same.
#[inline(always)]
pub(crate) fn or(word: &mut u32, bits: u32) {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: the reference is to shared memory, and the operation is atomic.
    unsafe {
        core::arch::asm!(
            "{{ .reg .u64 t; cvta.to.shared.u64 t, {0}; red.shared.or.b32 [t], {1}; }}",
            in(reg64) core::ptr::from_mut(word),
            in(reg32) bits,
        );
    }
    #[cfg(not(target_arch = "nvptx64"))]
    {
        *word |= bits;
    }
}

/// Sets bits of a word in any memory. Other threads may do the same.
#[inline(always)]
pub(crate) fn or_anywhere(word: &mut u32, bits: u32) {
    // SAFETY: the reference is valid, and other threads use the same operation.
    unsafe { AtomicU32::from_ptr(word) }.fetch_or(bits, Ordering::Relaxed);
}

/// Adds to a word in shared memory. Other threads may do the same.
#[inline(always)]
pub(crate) fn add(word: &mut u32, number: u32) {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: the reference is to shared memory, and the operation is atomic.
    unsafe {
        core::arch::asm!(
            "{{ .reg .u64 t; cvta.to.shared.u64 t, {0}; red.shared.add.u32 [t], {1}; }}",
            in(reg64) core::ptr::from_mut(word),
            in(reg32) number,
        );
    }
    #[cfg(not(target_arch = "nvptx64"))]
    {
        *word += number;
    }
}

/// Words of shared memory that no thread changes at the moment.
#[derive(Clone, Copy)]
pub(crate) struct Words<'a> {
    words: &'a [u32],
    /// The address in shared memory, which has only 32 bits.
    #[cfg(target_arch = "nvptx64")]
    address: u32,
}

impl<'a> Words<'a> {
    /// Wraps words that must be in shared memory.
    #[inline(always)]
    pub(crate) fn new(words: &'a [u32]) -> Words<'a> {
        #[cfg(target_arch = "nvptx64")]
        {
            let address: u32;
            // SAFETY: only converts an address.
            unsafe {
                core::arch::asm!(
                    "{{ .reg .u64 t; cvta.to.shared.u64 t, {1}; cvt.u32.u64 {0}, t; }}",
                    out(reg32) address,
                    in(reg64) words.as_ptr(),
                    options(pure, nomem),
                );
            }
            Words { words, address }
        }
        #[cfg(not(target_arch = "nvptx64"))]
        Words { words }
    }

    /// Returns a word.
    ///
    /// # Safety
    /// The index must be less than the number of words.
    #[inline(always)]
    pub(crate) unsafe fn get(self, index: u32) -> u32 {
        debug_assert!((index as usize) < self.words.len());
        #[cfg(target_arch = "nvptx64")]
        {
            let word;
            // SAFETY: the caller promises that there is such a word.
            unsafe {
                core::arch::asm!(
                    "ld.shared.u32 {0}, [{1}];",
                    out(reg32) word,
                    in(reg32) self.address + 4 * index,
                    options(pure, readonly),
                );
            }
            word
        }
        #[cfg(not(target_arch = "nvptx64"))]
        self.words[index as usize]
    }
}
