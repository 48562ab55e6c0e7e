//! Facts of many positions as Arrow columns.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use fourfold_analysis::{Analysis, Blockers, SideFacts, attack_map, x_rays};
use fourfold_chess::{Color, Position};
use fourfold_table::study::{
    ATTACK_MAP, FactSelection, Fault, ItemLocation, SETS, SourceKind as FileKind, captures, forks,
    sets, sets_of,
};

use super::arrow::{Array, BatchTooLarge};
use super::cells::{Cells, Format, List, Pair, Sets, Squares, Texts, Triple};

/// Few FENs are longer than this.
const FEN_BYTES: usize = 64;

/// The source of the positions, which determines the columns that identify a row.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SourceKind {
    /// A list of FENs.
    Texts,
    /// A list of boards. The caller has them, so there is no FEN column.
    Boards,
    /// A file.
    File(FileKind),
}

/// The contents of the columns.
#[derive(Clone)]
pub(crate) struct Plan {
    pub(crate) chosen: FactSelection,
    pub(crate) format: Format,
    pub(crate) source: SourceKind,
}

/// A position to be analyzed.
pub(crate) struct Entry<'a> {
    pub(crate) at: ItemLocation,
    /// The FEN as it was given, if it was.
    pub(crate) fen: Option<&'a str>,
    pub(crate) position: Result<Position, Fault>,
}

/// A position and its analysis.
struct Row<'a> {
    at: ItemLocation,
    fen: Option<&'a str>,
    position: &'a Position,
    analysis: &'a Analysis,
}

/// Some rows, and the faults of positions that could not be read.
pub(crate) struct Batch {
    /// The rows as a struct of columns.
    pub(crate) rows: Arc<Array>,
    pub(crate) faults: Vec<Fault>,
}

/// A column under construction.
enum Column {
    /// A set of squares of one side, by its index in [`SETS`]. Most columns are of this type, so
    /// they avoid dynamic dispatch.
    Set {
        color: Color,
        place: usize,
        cells: Sets,
    },
    Other(Box<dyn Other>),
}

/// A column of any other type.
trait Other {
    fn push(&mut self, row: &Row<'_>);
    fn finish(self: Box<Self>) -> Result<Array, BatchTooLarge>;
}

/// The builder of a column, and the function that adds a row to it.
struct Written<C, F>(C, F);

impl<C: Cells, F: Fn(&mut C, &Row<'_>)> Other for Written<C, F> {
    fn push(&mut self, row: &Row<'_>) {
        (self.1)(&mut self.0, row);
    }

    fn finish(self: Box<Self>) -> Result<Array, BatchTooLarge> {
        self.0.finish()
    }
}

/// All columns with their names.
#[derive(Default)]
struct Columns(Vec<(String, Column)>);

impl Columns {
    fn add<C: Cells + 'static>(
        &mut self,
        name: impl Into<String>,
        cells: C,
        write: impl Fn(&mut C, &Row<'_>) + 'static,
    ) {
        self.0.push((name.into(), Column::Other(Box::new(Written(cells, write)))));
    }

    fn push(&mut self, row: &Row<'_>) {
        let found = Color::ALL.map(|color| sets(row.analysis.side(color)));
        for (_, column) in &mut self.0 {
            match column {
                Column::Set { color, place, cells } => cells.push(found[*color as usize][*place]),
                Column::Other(other) => other.push(row),
            }
        }
    }

    fn finish(self) -> Result<Arc<Array>, BatchTooLarge> {
        let finished = self.0.into_iter().map(|(name, column)| {
            let array = match column {
                Column::Set { cells, .. } => cells.finish()?,
                Column::Other(other) => other.finish()?,
            };
            Ok((name.into(), Arc::new(array)))
        });
        Ok(Arc::new(Array::record(finished.collect::<Result<_, _>>()?)))
    }
}

impl Plan {
    /// Returns columns without rows, for their names and types.
    pub(crate) fn schema(&self) -> Result<Arc<Array>, BatchTooLarge> {
        self.columns(0).finish()
    }

    /// Reads and analyzes positions, until it should stop. `read` gets the index of each in `items`.
    pub(crate) fn batch<'a, T>(
        &self,
        items: &'a [T],
        stop: &AtomicBool,
        read: impl Fn(usize, &'a T) -> Entry<'a>,
    ) -> Result<Batch, BatchTooLarge> {
        let mut columns = self.columns(items.len());
        let mut faults = Vec::new();
        let items = items.iter().enumerate().take_while(|_| !stop.load(Ordering::Relaxed));
        for (index, item) in items {
            let Entry { at, fen, position } = read(index, item);
            match &position {
                Ok(position) => {
                    let analysis = &self.chosen.analyze(position);
                    columns.push(&Row { at, fen, position, analysis });
                }
                Err(fault) => faults.push(fault.clone()),
            }
        }
        Ok(Batch { rows: columns.finish()?, faults })
    }

    /// Returns empty columns with capacity for a number of rows.
    fn columns(&self, rows: usize) -> Columns {
        let mut columns = Columns::default();
        self.add_places(&mut columns, rows);
        for color in Color::ALL {
            for name in self.chosen.of_sides() {
                self.add_fact(&mut columns, rows, color, name);
            }
        }
        if self.chosen.has(ATTACK_MAP) {
            self.add_attack_map(&mut columns);
        }
        columns
    }

    /// Adds the columns that identify a position, and its FEN.
    fn add_places(&self, columns: &mut Columns, rows: usize) {
        let name = match self.source {
            SourceKind::Texts | SourceKind::Boards | SourceKind::File(FileKind::Fen) => "index",
            SourceKind::File(FileKind::Lines) => "line",
            SourceKind::File(FileKind::Games) => "game",
        };
        let numbers = Vec::<u64>::with_capacity(rows);
        columns.add(name, numbers, |numbers, row| {
            numbers.push(match row.at {
                ItemLocation::Only => 0,
                ItemLocation::Index(number)
                | ItemLocation::Line(number)
                | ItemLocation::Game(number, _) => number,
            });
        });
        if name == "game" {
            let plies = Vec::<u32>::with_capacity(rows);
            columns.add("ply", plies, |plies, row| {
                plies.push(match row.at {
                    ItemLocation::Game(_, ply) => ply,
                    ItemLocation::Only | ItemLocation::Index(_) | ItemLocation::Line(_) => 0,
                });
            });
        }
        if self.source != SourceKind::Boards {
            columns.add("fen", Texts::with_room(rows, FEN_BYTES), |fens, row| {
                let fen = row.fen.map_or_else(|| Cow::Owned(row.position.fen()), Cow::Borrowed);
                fens.push(&fen);
            });
        }
    }

    /// Adds the columns of one fact of one side: six for `pawns`, one for any other fact.
    fn add_fact(&self, columns: &mut Columns, rows: usize, color: Color, name: &'static str) {
        let format = self.format;
        let column = format!("{}_{name}", color.name());
        let places = sets_of(name);
        let named = places.len() > 1;
        for place in places {
            let column = if named { format!("{column}_{}", SETS[place]) } else { column.clone() };
            let cells = Sets::new(format, rows);
            columns.0.push((column, Column::Set { color, place, cells }));
        }
        let number: fn(&SideFacts) -> u32 = match name {
            "forks" => {
                return columns.add(column, List::of(Texts::new()), move |list, row| {
                    let forks = forks(row.position, row.analysis.side(color));
                    list.push(forks, |texts, text| texts.push(&text));
                });
            }
            "see" => {
                let values = Vec::<i32>::new();
                let captured = List::of(Pair(["move", "value"], Texts::new(), values));
                return columns.add(column, captured, move |list, row| {
                    let captures = captures(row.position, row.analysis.side(color));
                    list.push(captures, |Pair(_, moves, values), (mv, value)| {
                        moves.push(&mv);
                        values.push(value);
                    });
                });
            }
            "x_rays" => {
                let squares = Squares::new(format);
                let rays = List::of(Pair(["square", "squares"], squares, Sets::new(format, 0)));
                return columns.add(column, rays, move |list, row| {
                    let rays = x_rays(row.position, Blockers::Any);
                    let own = rays.filter(|ray| ray.piece.color == color);
                    list.push(own, |Pair(_, squares, sets), ray| {
                        squares.push(ray.square);
                        sets.push(ray.gained);
                    });
                });
            }
            "material" => |facts| facts.material,
            "mobility" => |facts| facts.mobility,
            "king_ring" => |facts| facts.king_ring,
            _ => return,
        };
        let numbers = Vec::<i32>::with_capacity(rows);
        columns.add(column, numbers, move |numbers, row| {
            numbers.push(number(row.analysis.side(color)) as i32);
        });
    }

    fn add_attack_map(&self, columns: &mut Columns) {
        let sets = || Sets::new(self.format, 0);
        let names = ["square", "attackers", "defenders"];
        let map = List::of(Triple(names, Squares::new(self.format), sets(), sets()));
        columns.add(ATTACK_MAP, map, |list, row| {
            let pieces = attack_map(row.position);
            list.push(pieces, |Triple(_, squares, attackers, defenders), piece| {
                let (square, _, attacking, defending) = piece;
                squares.push(square);
                attackers.push(attacking);
                defenders.push(defending);
            });
        });
    }
}
