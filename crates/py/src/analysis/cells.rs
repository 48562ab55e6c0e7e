//! Builders of Arrow columns, filled row by row.

use std::sync::Arc;

use fourfold_chess::{BOARD, Bitboard, Square};

use super::arrow::{Array, BatchTooLarge, Buffer, Offsets};

/// The representation of sets of squares.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// One number with a bit for each square.
    Bits,
    /// A list of square names.
    Squares,
}

/// The builder of a column.
pub(super) trait Cells: Send {
    fn finish(self) -> Result<Array, BatchTooLarge>;
}

/// Columns of numbers.
macro_rules! numbers {
    ($($number:ty => $format:literal),*) => {$(
        impl Cells for Vec<$number> {
            fn finish(self) -> Result<Array, BatchTooLarge> {
                Ok(Array::numbers($format, self))
            }
        }
    )*};
}

numbers!(u8 => c"C", u32 => c"I", u64 => c"L", i32 => c"i");

/// A column of texts.
pub(super) struct Texts {
    offsets: Offsets,
    bytes: Vec<u8>,
}

impl Texts {
    pub(super) fn new() -> Texts {
        Texts::with_room(0, 0)
    }

    /// Reserves memory for `rows` texts of `bytes` bytes each.
    pub(super) fn with_room(rows: usize, bytes: usize) -> Texts {
        Texts { offsets: Offsets::with_capacity(rows), bytes: Vec::with_capacity(rows * bytes) }
    }

    pub(super) fn push(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
        self.offsets.push(self.bytes.len());
    }
}

impl Cells for Texts {
    fn finish(self) -> Result<Array, BatchTooLarge> {
        let offsets = self.offsets.finish(self.bytes.len())?;
        let len = offsets.len() - 1;
        let buffers: Vec<Box<dyn Buffer>> = vec![Box::new(offsets), Box::new(self.bytes)];
        Ok(Array { format: c"u", len, buffers, children: Vec::new() })
    }
}

/// A column in one of the two formats.
pub(super) enum InFormat<B, N> {
    Bits(B),
    Names(N),
}

impl<B: Cells, N: Cells> Cells for InFormat<B, N> {
    fn finish(self) -> Result<Array, BatchTooLarge> {
        match self {
            InFormat::Bits(numbers) => numbers.finish(),
            InFormat::Names(names) => names.finish(),
        }
    }
}

/// A column of squares, as numbers from a1 = 0 to h8 = 63 or as names.
pub(super) type Squares = InFormat<Vec<u8>, Texts>;

impl Squares {
    pub(super) fn new(format: Format) -> Squares {
        match format {
            Format::Bits => InFormat::Bits(Vec::new()),
            Format::Squares => InFormat::Names(Texts::new()),
        }
    }

    pub(super) fn push(&mut self, square: Square) {
        match self {
            InFormat::Bits(numbers) => numbers.push(square.index() as u8),
            InFormat::Names(names) => names.push(&BOARD.name(square)),
        }
    }
}

/// A column of sets of squares.
pub(super) type Sets = InFormat<Vec<u64>, List<Texts>>;

impl Sets {
    pub(super) fn new(format: Format, rows: usize) -> Sets {
        match format {
            Format::Bits => InFormat::Bits(Vec::with_capacity(rows)),
            Format::Squares => InFormat::Names(List::of(Texts::new())),
        }
    }

    #[inline]
    pub(super) fn push(&mut self, set: Bitboard) {
        match self {
            InFormat::Bits(numbers) => numbers.push(set.words()[0]),
            InFormat::Names(names) => {
                names.push(set.iter(), |names, square| names.push(&BOARD.name(square)));
            }
        }
    }
}

/// A column of lists.
pub(super) struct List<C> {
    offsets: Offsets,
    items: C,
    /// The total number of items.
    length: usize,
}

impl<C> List<C> {
    pub(super) fn of(items: C) -> List<C> {
        List { offsets: Offsets::with_capacity(0), items, length: 0 }
    }

    /// Adds a row of items, each added to the item column by `push`.
    pub(super) fn push<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        mut push: impl FnMut(&mut C, T),
    ) {
        for item in items {
            push(&mut self.items, item);
            self.length += 1;
        }
        self.offsets.push(self.length);
    }
}

impl<C: Cells> Cells for List<C> {
    fn finish(self) -> Result<Array, BatchTooLarge> {
        let children = vec![("item".into(), Arc::new(self.items.finish()?))];
        let offsets = self.offsets.finish(self.length)?;
        let len = offsets.len() - 1;
        Ok(Array { format: c"+l", len, buffers: vec![Box::new(offsets)], children })
    }
}

/// A column of structs with two named fields.
pub(super) struct Pair<A, B>(pub(super) [&'static str; 2], pub(super) A, pub(super) B);

impl<A: Cells, B: Cells> Cells for Pair<A, B> {
    fn finish(self) -> Result<Array, BatchTooLarge> {
        Ok(record([(self.0[0], self.1.finish()?), (self.0[1], self.2.finish()?)]))
    }
}

/// A column of structs with three named fields.
pub(super) struct Triple<A, B, C>(
    pub(super) [&'static str; 3],
    pub(super) A,
    pub(super) B,
    pub(super) C,
);

impl<A: Cells, B: Cells, C: Cells> Cells for Triple<A, B, C> {
    fn finish(self) -> Result<Array, BatchTooLarge> {
        let Triple(names, first, second, third) = self;
        Ok(record([
            (names[0], first.finish()?),
            (names[1], second.finish()?),
            (names[2], third.finish()?),
        ]))
    }
}

fn record<const N: usize>(columns: [(&'static str, Array); N]) -> Array {
    Array::record(columns.map(|(name, column)| (name.into(), Arc::new(column))).into())
}
