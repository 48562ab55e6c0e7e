//! Facts of many positions as Arrow columns.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::{
    Array, ArrayRef, Int32Array, ListArray, RecordBatch, StringArray, StructArray, UInt8Array,
    UInt32Array, UInt64Array,
};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{ArrowError, Field, Fields, Schema, SchemaRef};
use arrow_select::concat::concat_batches;
use fourfold_chess::{BOARD, Bitboard, Color, Position, Square};
use fourfold_study::{Analysis, Blockers, SideFacts, attack_map, x_rays};
use fourfold_table::study::{
    ATTACK_MAP, At, Chosen, Fault, Found, Holds, Item, PAWN_SETS, captures, forks, set,
};

/// Positions whose facts are turned into columns together: so many as caches hold.
const PART: usize = 512;

/// How sets of squares are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// As one number, with a bit for each square.
    Bits,
    /// As lists of names.
    Squares,
}

/// What goes into the columns.
#[derive(Clone)]
pub(crate) struct Plan {
    pub(crate) chosen: Chosen,
    pub(crate) form: Form,
    /// It says which columns tell where a position comes from.
    pub(crate) holds: Holds,
}

/// A position with what was found out about it.
struct Row<'a> {
    at: At,
    fen: Cow<'a, str>,
    position: Position,
    analysis: Analysis,
}

/// Some rows, one after the other, and what could not be read among them.
pub(crate) struct Batch {
    pub(crate) rows: RecordBatch,
    pub(crate) faults: Vec<Fault>,
}

impl Plan {
    /// The names and types of the columns.
    pub(crate) fn schema(&self) -> Result<SchemaRef, ArrowError> {
        Ok(self.columns(&[])?.schema())
    }

    /// Reads and analyses some positions.
    pub(crate) fn batch(&self, items: &[Item]) -> Result<Batch, ArrowError> {
        let mut faults = Vec::new();
        let mut parts = Vec::with_capacity(items.len().div_ceil(PART));
        let mut rows = Vec::with_capacity(PART.min(items.len()));
        for items in items.chunks(PART) {
            for item in items {
                match item.position() {
                    Ok(position) => rows.push(Row {
                        at: item.at,
                        fen: match &item.found {
                            Ok(Found::Text(text)) => Cow::Borrowed(text),
                            _ => Cow::Owned(position.fen()),
                        },
                        analysis: self.chosen.analyse(&position),
                        position,
                    }),
                    Err(fault) => faults.push(fault),
                }
            }
            parts.push(self.columns(&rows)?);
            rows.clear();
        }
        let rows = concat_batches(&self.schema()?, &parts)?;
        Ok(Batch { rows, faults })
    }

    fn columns(&self, rows: &[Row<'_>]) -> Result<RecordBatch, ArrowError> {
        let mut columns = places(self.holds, rows);
        let fens: ArrayRef =
            Arc::new(StringArray::from_iter_values(rows.iter().map(|row| &row.fen)));
        columns.push(("fen".to_owned(), fens));
        for color in Color::ALL {
            for name in self.chosen.of_sides() {
                self.side(rows, color, name, &mut columns)?;
            }
        }
        if self.chosen.has(ATTACK_MAP) {
            columns.push((ATTACK_MAP.to_owned(), self.attack_map(rows)?));
        }
        let fields = columns
            .iter()
            .map(|(name, array)| Field::new(name, array.data_type().clone(), false))
            .collect::<Fields>();
        let arrays = columns.into_iter().map(|(_, array)| array).collect();
        RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)
    }

    /// The columns of one fact of one side: six for the pawns, one for each other.
    fn side(
        &self,
        rows: &[Row<'_>],
        color: Color,
        name: &'static str,
        columns: &mut Vec<(String, ArrayRef)>,
    ) -> Result<(), ArrowError> {
        let column = format!("{}_{name}", color.name());
        let facts = || rows.iter().map(|row| row.analysis.of_color(color));
        let both = || rows.iter().map(|row| (&row.position, row.analysis.of_color(color)));
        if let Some(set) = set(name) {
            columns.push((column, self.sets(facts().map(set))?));
            return Ok(());
        }
        let array: ArrayRef = match name {
            "pawns" => {
                for (kind, set) in PAWN_SETS {
                    let sets = facts().map(|facts| set(&facts.pawns));
                    columns.push((format!("{column}_{kind}"), self.sets(sets)?));
                }
                return Ok(());
            }
            "forks" => texts(both().map(|(position, facts)| forks(position, facts)))?,
            "see" => exchanges(both().map(|(position, facts)| captures(position, facts)))?,
            "x_rays" => self.x_rays(rows, color)?,
            _ => {
                let number: fn(&SideFacts) -> u32 = match name {
                    "material" => |facts| facts.material,
                    "mobility" => |facts| facts.mobility,
                    _ => |facts| facts.king_ring,
                };
                Arc::new(Int32Array::from_iter_values(facts().map(|facts| number(facts) as i32)))
            }
        };
        columns.push((column, array));
        Ok(())
    }

    /// Sets of squares.
    fn sets(&self, sets: impl Iterator<Item = Bitboard>) -> Result<ArrayRef, ArrowError> {
        match self.form {
            Form::Bits => {
                Ok(Arc::new(UInt64Array::from_iter_values(sets.map(|set| set.words()[0]))))
            }
            Form::Squares => texts(sets.map(|set| set.iter().map(|square| BOARD.name(square)))),
        }
    }

    /// Single squares: their names, or their numbers from a1 = 0 to h8 = 63.
    fn squares(&self, squares: Vec<Square>) -> ArrayRef {
        let squares = squares.into_iter();
        match self.form {
            Form::Bits => {
                Arc::new(UInt8Array::from_iter_values(squares.map(|square| square.index() as u8)))
            }
            Form::Squares => {
                Arc::new(StringArray::from_iter_values(squares.map(|square| BOARD.name(square))))
            }
        }
    }

    fn x_rays(&self, rows: &[Row<'_>], color: Color) -> Result<ArrayRef, ArrowError> {
        let (mut lengths, mut squares, mut sets) = (Vec::new(), Vec::new(), Vec::new());
        for row in rows {
            let before = squares.len();
            for ray in x_rays(&row.position, Blockers::Any).filter(|ray| ray.man.color == color) {
                squares.push(ray.square);
                sets.push(ray.gained);
            }
            lengths.push(squares.len() - before);
        }
        let sets = self.sets(sets.into_iter())?;
        records(lengths, vec![("square", self.squares(squares)), ("squares", sets)])
    }

    fn attack_map(&self, rows: &[Row<'_>]) -> Result<ArrayRef, ArrowError> {
        let mut lengths = Vec::with_capacity(rows.len());
        let (mut squares, mut attackers, mut defenders) = (Vec::new(), Vec::new(), Vec::new());
        for row in rows {
            let before = squares.len();
            for (square, _, attacking, defending) in attack_map(&row.position) {
                squares.push(square);
                attackers.push(attacking);
                defenders.push(defending);
            }
            lengths.push(squares.len() - before);
        }
        let fields = vec![
            ("square", self.squares(squares)),
            ("attackers", self.sets(attackers.into_iter())?),
            ("defenders", self.sets(defenders.into_iter())?),
        ];
        records(lengths, fields)
    }
}

/// Where the positions come from.
fn places(holds: Holds, rows: &[Row<'_>]) -> Vec<(String, ArrayRef)> {
    let numbers = || {
        rows.iter().map(|row| match row.at {
            At::Alone => 0,
            At::Index(number) | At::Line(number) | At::Game(number, _) => number,
        })
    };
    let numbers: ArrayRef = Arc::new(UInt64Array::from_iter_values(numbers()));
    match holds {
        Holds::Fen | Holds::Fens => vec![("index".to_owned(), numbers)],
        Holds::Lines => vec![("line".to_owned(), numbers)],
        Holds::Games => {
            let plies = rows.iter().map(|row| match row.at {
                At::Game(_, ply) => ply,
                At::Alone | At::Index(_) | At::Line(_) => 0,
            });
            let plies: ArrayRef = Arc::new(UInt32Array::from_iter_values(plies));
            vec![("game".to_owned(), numbers), ("ply".to_owned(), plies)]
        }
    }
}

/// A list of texts in each row.
fn texts(
    rows: impl Iterator<Item = impl IntoIterator<Item = String>>,
) -> Result<ArrayRef, ArrowError> {
    let mut lengths = Vec::new();
    let mut values = StringBuilder::new();
    for row in rows {
        let mut length = 0;
        for text in row {
            values.append_value(text);
            length += 1;
        }
        lengths.push(length);
    }
    list(lengths, Arc::new(values.finish()))
}

/// Captures with what they win.
fn exchanges(rows: impl Iterator<Item = Vec<(String, i32)>>) -> Result<ArrayRef, ArrowError> {
    let (mut lengths, mut moves, mut values) = (Vec::new(), StringBuilder::new(), Vec::new());
    for row in rows {
        lengths.push(row.len());
        for (mv, value) in row {
            moves.append_value(mv);
            values.push(value);
        }
    }
    let values: ArrayRef = Arc::new(Int32Array::from(values));
    records(lengths, vec![("move", Arc::new(moves.finish())), ("value", values)])
}

/// A list of records in each row, given by their fields.
fn records(lengths: Vec<usize>, fields: Vec<(&str, ArrayRef)>) -> Result<ArrayRef, ArrowError> {
    let (fields, arrays): (Vec<Field>, Vec<ArrayRef>) = fields
        .into_iter()
        .map(|(name, array)| (Field::new(name, array.data_type().clone(), false), array))
        .unzip();
    list(lengths, Arc::new(StructArray::try_new(fields.into(), arrays, None)?))
}

/// A list in each row, of so many values.
fn list(lengths: Vec<usize>, values: ArrayRef) -> Result<ArrayRef, ArrowError> {
    let field = Arc::new(Field::new("item", values.data_type().clone(), false));
    let offsets = OffsetBuffer::from_lengths(lengths);
    Ok(Arc::new(ListArray::try_new(field, offsets, values, None)?))
}
