//! Arrow columns while they are written, row by row.

use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::types::{ArrowPrimitiveType, UInt8Type, UInt64Type};
use arrow_array::{ArrayRef, ListArray, PrimitiveArray, StructArray};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{ArrowError, Field};
use fourfold_chess::{BOARD, Bitboard, Square};

/// How sets of squares are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// As one number, with a bit for each square.
    Bits,
    /// As lists of names.
    Squares,
}

/// What a column is collected in.
pub(super) trait Cells: Send {
    fn finish(self) -> Result<ArrayRef, ArrowError>;
}

/// A number in each row.
pub(super) struct Numbers<T: ArrowPrimitiveType>(pub(super) Vec<T::Native>);

impl<T: ArrowPrimitiveType> Cells for Numbers<T> {
    fn finish(self) -> Result<ArrayRef, ArrowError> {
        Ok(Arc::new(PrimitiveArray::<T>::new(self.0.into(), None)))
    }
}

/// A text in each row.
#[derive(Default)]
pub(super) struct Texts(StringBuilder);

impl Texts {
    /// With room for so many texts of so many bytes each.
    pub(super) fn with_room(rows: usize, bytes: usize) -> Texts {
        Texts(StringBuilder::with_capacity(rows, rows * bytes))
    }

    pub(super) fn push(&mut self, text: &str) {
        self.0.append_value(text);
    }
}

impl Cells for Texts {
    fn finish(mut self) -> Result<ArrayRef, ArrowError> {
        Ok(Arc::new(self.0.finish()))
    }
}

/// A square in each row: its number from a1 = 0 to h8 = 63, or its name.
pub(super) enum Squares {
    Bits(Numbers<UInt8Type>),
    Names(Texts),
}

impl Squares {
    pub(super) fn new(form: Form) -> Squares {
        match form {
            Form::Bits => Squares::Bits(Numbers(Vec::new())),
            Form::Squares => Squares::Names(Texts::default()),
        }
    }

    pub(super) fn push(&mut self, square: Square) {
        match self {
            Squares::Bits(numbers) => numbers.0.push(square.index() as u8),
            Squares::Names(names) => names.push(&BOARD.name(square)),
        }
    }
}

impl Cells for Squares {
    fn finish(self) -> Result<ArrayRef, ArrowError> {
        match self {
            Squares::Bits(numbers) => numbers.finish(),
            Squares::Names(names) => names.finish(),
        }
    }
}

/// A set of squares in each row.
pub(super) enum Sets {
    Bits(Numbers<UInt64Type>),
    Names(List<Texts>),
}

impl Sets {
    pub(super) fn new(form: Form, rows: usize) -> Sets {
        match form {
            Form::Bits => Sets::Bits(Numbers(Vec::with_capacity(rows))),
            Form::Squares => Sets::Names(List::of(Texts::default())),
        }
    }

    #[inline]
    pub(super) fn push(&mut self, set: Bitboard) {
        match self {
            Sets::Bits(numbers) => numbers.0.push(set.words()[0]),
            Sets::Names(names) => {
                names.push(set.iter(), |names, square| names.push(&BOARD.name(square)));
            }
        }
    }
}

impl Cells for Sets {
    fn finish(self) -> Result<ArrayRef, ArrowError> {
        match self {
            Sets::Bits(numbers) => numbers.finish(),
            Sets::Names(names) => names.finish(),
        }
    }
}

/// A list in each row.
pub(super) struct List<C> {
    lengths: Vec<usize>,
    items: C,
}

impl<C> List<C> {
    pub(super) const fn of(items: C) -> List<C> {
        List { lengths: Vec::new(), items }
    }

    /// A row with some items, each put among the others by `push`.
    pub(super) fn push<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        mut push: impl FnMut(&mut C, T),
    ) {
        let mut length = 0;
        for item in items {
            push(&mut self.items, item);
            length += 1;
        }
        self.lengths.push(length);
    }
}

impl<C: Cells> Cells for List<C> {
    fn finish(self) -> Result<ArrayRef, ArrowError> {
        let items = self.items.finish()?;
        let field = Arc::new(Field::new("item", items.data_type().clone(), false));
        let offsets = OffsetBuffer::from_lengths(self.lengths);
        Ok(Arc::new(ListArray::try_new(field, offsets, items, None)?))
    }
}

/// Two cells in each row, by their names.
pub(super) struct Pair<A, B>(pub(super) [&'static str; 2], pub(super) A, pub(super) B);

impl<A: Cells, B: Cells> Cells for Pair<A, B> {
    fn finish(self) -> Result<ArrayRef, ArrowError> {
        record([(self.0[0], self.1.finish()?), (self.0[1], self.2.finish()?)])
    }
}

/// Three cells in each row, by their names.
pub(super) struct Triple<A, B, C>(
    pub(super) [&'static str; 3],
    pub(super) A,
    pub(super) B,
    pub(super) C,
);

impl<A: Cells, B: Cells, C: Cells> Cells for Triple<A, B, C> {
    fn finish(self) -> Result<ArrayRef, ArrowError> {
        let Triple(names, first, second, third) = self;
        record([
            (names[0], first.finish()?),
            (names[1], second.finish()?),
            (names[2], third.finish()?),
        ])
    }
}

fn record<const N: usize>(fields: [(&str, ArrayRef); N]) -> Result<ArrayRef, ArrowError> {
    let (fields, arrays): (Vec<Field>, Vec<ArrayRef>) = fields
        .into_iter()
        .map(|(name, array)| (Field::new(name, array.data_type().clone(), false), array))
        .unzip();
    Ok(Arc::new(StructArray::try_new(fields.into(), arrays, None)?))
}
