//! Finished columns in the memory layout of Apache Arrow. No value is ever null.

use std::borrow::Cow;
use std::sync::Arc;

use thiserror::Error;

/// A column, or a struct of columns for whole rows. Immutable, because consumers share it.
pub(crate) enum Array {
    UInt8(Vec<u8>),
    UInt32(Vec<u32>),
    UInt64(Vec<u64>),
    Int32(Vec<i32>),
    /// Row `i` is `bytes[offsets[i]..offsets[i + 1]]`, in UTF-8.
    Utf8 {
        offsets: Vec<i32>,
        bytes: Vec<u8>,
    },
    /// Row `i` is `items[offsets[i]..offsets[i + 1]]`.
    List {
        offsets: Vec<i32>,
        items: Arc<Array>,
    },
    /// Columns of equal length, by name.
    Struct(Vec<(Cow<'static, str>, Arc<Array>)>),
}

impl Array {
    /// Returns the number of rows.
    pub(crate) fn len(&self) -> usize {
        match self {
            Array::UInt8(values) => values.len(),
            Array::UInt32(values) => values.len(),
            Array::UInt64(values) => values.len(),
            Array::Int32(values) => values.len(),
            Array::Utf8 { offsets, .. } | Array::List { offsets, .. } => offsets.len() - 1,
            Array::Struct(columns) => columns.first().map_or(0, |(_, column)| column.len()),
        }
    }

    /// Returns the columns of a struct, with their names.
    pub(crate) fn columns(&self) -> &[(Cow<'static, str>, Arc<Array>)] {
        match self {
            Array::Struct(columns) => columns,
            _ => &[],
        }
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
