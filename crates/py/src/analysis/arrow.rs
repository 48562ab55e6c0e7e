//! Finished columns in the memory layout of Apache Arrow. No value is ever null.

use std::borrow::Cow;
use std::ffi::{CStr, c_void};
use std::sync::Arc;

use thiserror::Error;

/// A column, or a struct of columns for whole rows. Immutable, because consumers share it.
pub(crate) struct Array {
    /// The type, as a format string of Arrow.
    pub(super) format: &'static CStr,
    /// The number of rows.
    pub(super) len: usize,
    /// All buffers except the validity buffer.
    pub(super) buffers: Vec<Box<dyn Buffer>>,
    /// The columns of a struct, or the items of a list, with their names.
    pub(super) children: Vec<(Cow<'static, str>, Arc<Array>)>,
}

/// Memory that does not move as long as it is not changed.
pub(super) trait Buffer: Send + Sync {
    fn start(&self) -> *const c_void;
}

impl<T: Send + Sync> Buffer for Vec<T> {
    fn start(&self) -> *const c_void {
        self.as_ptr().cast()
    }
}

impl Array {
    /// Returns a column of numbers.
    pub(super) fn numbers<T: Send + Sync + 'static>(format: &'static CStr, list: Vec<T>) -> Array {
        Array { format, len: list.len(), buffers: vec![Box::new(list)], children: Vec::new() }
    }

    /// Returns a struct of columns of equal length.
    pub(super) fn record(children: Vec<(Cow<'static, str>, Arc<Array>)>) -> Array {
        let len = children.first().map_or(0, |(_, column)| column.len);
        Array { format: c"+s", len, buffers: Vec::new(), children }
    }
}

/// The offsets of a text or list column while it grows.
pub(super) struct Offsets(Vec<i32>);

impl Offsets {
    pub(super) fn with_capacity(rows: usize) -> Offsets {
        let mut offsets = Vec::with_capacity(rows + 1);
        offsets.push(0);
        Offsets(offsets)
    }

    /// Ends a row. `end` is the number of bytes or items so far.
    pub(super) fn push(&mut self, end: usize) {
        // An offset that does not fit is reported by `finish`: the last one is the largest.
        self.0.push(end as i32);
    }

    /// Returns the finished offsets of a column with `total` bytes or items.
    pub(super) fn finish(self, total: usize) -> Result<Vec<i32>, BatchTooLarge> {
        if i32::try_from(total).is_ok() { Ok(self.0) } else { Err(BatchTooLarge { total }) }
    }
}

/// A column exceeds Arrow's 32-bit offsets.
#[derive(Debug, Error)]
#[error(
    "a batch has {total} bytes or items in one column, more than {}; use a smaller batch_size",
    i32::MAX
)]
pub(crate) struct BatchTooLarge {
    total: usize,
}
