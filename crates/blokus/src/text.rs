//! Text notation of placements and positions.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use fourfold_common::{ensure, join, quote_short};
use thiserror::Error;

use crate::cell_set::CellSet;
use crate::pieces::PIECES;
use crate::{Color, Placement, Position, Refusal, Variant};

/// Returns the name of a cell: a letter for the column and a number for the row, counted from 1 at
/// the bottom.
pub fn cell_name(size: usize, row: usize, column: usize) -> String {
    format!("{}{}", (b'a' + column as u8) as char, size - row)
}

/// Sorts cells in the order in which they are written: the bottom row first.
pub(crate) fn bottom_up(cells: impl Iterator<Item = (usize, usize)>) -> Vec<(usize, usize)> {
    let mut cells: Vec<(usize, usize)> = cells.collect();
    cells.sort_by_key(|&(row, column)| (core::cmp::Reverse(row), column));
    cells
}

/// Returns the names of cells, separated by commas.
pub(crate) fn cell_names(size: usize, cells: impl Iterator<Item = (usize, usize)>) -> String {
    join(bottom_up(cells).into_iter().map(|(row, column)| cell_name(size, row, column)), ",")
}

impl Placement {
    /// Writes the placement as its cells, bottom row first: `a1,b1,a2`.
    pub fn to_text(self, size: usize) -> String {
        cell_names(size, self.cells())
    }

    /// Parses a placement given as its cells, in any order.
    ///
    /// # Errors
    /// Returns an error if the text is malformed, or if the cells are not a piece on a board of
    /// this size.
    pub fn parse(size: usize, text: &str) -> Result<Placement, ParseMoveError> {
        let malformed = || ParseMoveError::Malformed { text: text.to_owned() };
        let mut cells = Vec::new();
        for name in text.split(',') {
            let mut letters = name.chars();
            let column = letters.next().filter(char::is_ascii_lowercase).ok_or_else(malformed)?;
            let digits = letters.as_str();
            let plain = (1..=2).contains(&digits.len())
                && digits.bytes().all(|digit| digit.is_ascii_digit())
                && !digits.starts_with('0');
            let row: usize = digits.parse().ok().filter(|_| plain).ok_or_else(malformed)?;
            // The row may lie above the board, so count down from 99 until the shape is known.
            cells.push((99 - row, (column as u8 - b'a') as usize));
        }
        let (orientation, row, column) = Placement::shape_of(&cells)
            .ok_or_else(|| ParseMoveError::NoPiece { text: text.to_owned() })?;
        let row = (row + size).checked_sub(99);
        row.and_then(|row| Placement::new(size, orientation, row, column))
            .ok_or_else(|| ParseMoveError::OffBoard { text: text.to_owned() })
    }
}

impl Position {
    /// Parses a legal placement of the color to move, given as its cells in any order.
    ///
    /// # Errors
    /// Returns an error if the text is not a placement, or if the placement breaks a rule.
    pub fn parse_move(&self, text: &str) -> Result<Placement, ParseMoveError> {
        let placement = Placement::parse(self.variant().size(), text.trim())?;
        match self.refusal(placement) {
            None => Ok(placement),
            Some(refusal) => Err(ParseMoveError::Illegal { text: text.to_owned(), refusal }),
        }
    }

    /// Parses a position: the variant, the color to move, the rows from the top, and the colors
    /// that have earned the bonus for placing the single square last.
    ///
    /// ```
    /// use fourfold_blokus::Position;
    /// let position = Position::parse("two-5 o pp3/1p3/5/5/5 -")?;
    /// assert_eq!(position.legal_moves().len(), 58);
    /// assert_eq!(position.to_string(), "two-5 o pp3/1p3/5/5/5 -");
    /// assert_eq!(Position::parse("two-5 o p1pp1/5/5/5/5 -").unwrap_err().to_string(),
    ///     "the pieces of purple are not all connected by corners");
    /// # Ok::<(), fourfold_blokus::ParsePositionError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error that describes the first fault found.
    pub fn parse(text: &str) -> Result<Position, ParsePositionError> {
        let parts: Vec<&str> = text.split(' ').collect();
        let [name, turn, rows, bonus] = parts[..] else {
            return Err(ParsePositionError::FieldCount { found: parts.len() });
        };
        let variant = Variant::from_name(name)
            .ok_or_else(|| ParsePositionError::Variant { name: name.to_owned() })?;
        let mut position = Position::of_sets(variant, &read_rows(variant, rows)?)?;
        position.bonus = read_bonus(&position, bonus)?;
        let color = turn.parse().ok().and_then(|letter| variant.color(letter));
        let is_free = color.is_some_and(|color| position.has_legal_move(color));
        let over = turn == "-" && position.turn().is_none();
        ensure!(is_free || over, ParsePositionError::Turn { text: turn.to_owned() });
        position.set_turn(color);
        Ok(position)
    }

    /// Returns the position in which the colors cover these cells, given by color. The first color
    /// that can place a piece is to move, and no bonus has been earned.
    pub(crate) fn of_sets(
        variant: Variant,
        sets: &[CellSet],
    ) -> Result<Position, ParsePositionError> {
        let mut position = Position::empty(variant);
        for (color, cells) in variant.colors().zip(sets) {
            position.place_all(color, cells)?;
        }
        let mut first = None;
        for color in variant.colors() {
            if position.has_legal_move(color) {
                first = first.or(Some(color));
            } else {
                position.eliminated |= color.bit();
            }
        }
        position.set_turn(first);
        Ok(position)
    }

    /// Returns the pieces that a color has placed.
    #[cfg(feature = "std")]
    pub(crate) fn placements(&self, color: Color) -> Vec<Placement> {
        let groups = groups(self.cells(color));
        let size = self.variant().size();
        groups.iter().filter_map(|cells| Placement::from_cells(size, cells)).collect()
    }

    /// Places all pieces of a color. Its edge-connected groups of cells are its pieces.
    fn place_all(&mut self, color: Color, cells: &CellSet) -> Result<(), ParsePositionError> {
        let name = self.variant().color_name(color);
        let size = self.variant().size();
        let mut pieces: Vec<Placement> = Vec::new();
        for part in groups(cells) {
            let (row, column) = part[0];
            let cell = cell_name(size, row, column);
            let piece = Placement::from_cells(size, &part)
                .ok_or(ParsePositionError::NoPiece { color: name, cell })?;
            ensure!(
                !pieces.iter().any(|other| other.piece() == piece.piece()),
                ParsePositionError::DuplicatePiece { color: name, piece: piece.piece().name() }
            );
            pieces.push(piece);
        }
        let Some(&first) = pieces.first() else { return Ok(()) };
        let starts = self.starts(color);
        let covers_start = !cells.intersection(&starts).is_empty();
        ensure!(covers_start, ParsePositionError::NoStart { color: name });
        let mut rest = pieces.clone();
        connected(first, &mut rest, |one: Placement, other: Placement| {
            one.cells().any(|(r, c)| {
                other.cells().any(|(row, column)| r.abs_diff(row) == 1 && c.abs_diff(column) == 1)
            })
        });
        ensure!(rest.is_empty(), ParsePositionError::Disconnected { color: name });
        pieces.into_iter().for_each(|piece| self.place(color, piece));
        self.bonus = 0;
        Ok(())
    }
}

/// Returns the groups of cells that are connected by edges. None is empty.
fn groups(cells: &CellSet) -> Vec<Vec<(usize, usize)>> {
    let mut rest: Vec<(usize, usize)> = cells.cells().collect();
    let mut groups = Vec::new();
    while let Some(first) = rest.first().copied() {
        groups.push(connected(first, &mut rest, |(r, c), (row, column)| {
            r.abs_diff(row) + c.abs_diff(column) == 1
        }));
    }
    groups
}

/// Removes from `rest` everything that is connected with `first`, and returns it.
fn connected<T: Copy + PartialEq>(
    first: T,
    rest: &mut Vec<T>,
    joined: impl Fn(T, T) -> bool,
) -> Vec<T> {
    rest.retain(|&other| other != first);
    let mut part = vec![first];
    let mut next = 0;
    while next < part.len() {
        let from = part[next];
        next += 1;
        part.extend(rest.iter().copied().filter(|&other| joined(from, other)));
        rest.retain(|other| !part.contains(other));
    }
    part
}

fn read_rows(variant: Variant, text: &str) -> Result<Vec<CellSet>, ParsePositionError> {
    let size = variant.size();
    let mut sets = vec![CellSet::EMPTY; variant.colors().len()];
    let rows: Vec<&str> = text.split('/').collect();
    ensure!(rows.len() == size, ParsePositionError::Rows { found: rows.len(), size });
    for (row, text) in rows.into_iter().enumerate() {
        let wrong = || ParsePositionError::Row { number: size - row, text: text.to_owned(), size };
        let mut column = 0;
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            if let Some(digit) = letter.to_digit(10) {
                let mut run = digit as usize;
                while let Some(digit) = letters.peek().and_then(|next| next.to_digit(10)) {
                    letters.next();
                    run = if run == 0 { size + 1 } else { (10 * run + digit as usize).min(99) };
                }
                column += if run == 0 { size + 1 } else { run };
            } else {
                let color = variant.color(letter).filter(|_| column < size).ok_or_else(wrong)?;
                sets[color.index()].insert(row, column);
                column += 1;
            }
            ensure!(column <= size, wrong());
        }
        ensure!(column == size, wrong());
    }
    Ok(sets)
}

fn read_bonus(position: &Position, text: &str) -> Result<u8, ParsePositionError> {
    let wrong = || ParsePositionError::Bonus { text: text.to_owned() };
    let mut bonus = 0;
    if text == "-" {
        return Ok(bonus);
    }
    for letter in text.chars() {
        let color = position.variant().color(letter).ok_or_else(wrong)?;
        ensure!(position.placed(color) >= PIECES && bonus >> color.index() == 0, wrong());
        bonus |= color.bit();
    }
    if bonus == 0 { Err(wrong()) } else { Ok(bonus) }
}

/// Writes the position in the format that [`Position::parse`] reads.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let variant = self.variant();
        let turn = self.turn().map_or('-', |color| variant.letter(color));
        write!(f, "{variant} {turn} ")?;
        for row in 0..variant.size() {
            let mut empty = 0;
            let write_empty = |f: &mut fmt::Formatter<'_>, empty: usize| {
                if empty > 0 { write!(f, "{empty}") } else { Ok(()) }
            };
            for column in 0..variant.size() {
                match self.color_at(row, column) {
                    None => empty += 1,
                    Some(color) => {
                        write_empty(f, core::mem::take(&mut empty))?;
                        write!(f, "{}", variant.letter(color))?;
                    }
                }
            }
            write_empty(f, empty)?;
            f.write_str(if row + 1 < variant.size() { "/" } else { " " })?;
        }
        let bonus: String = variant
            .colors()
            .filter(|&color| self.bonus & color.bit() != 0)
            .map(|color| variant.letter(color))
            .collect();
        f.write_str(if bonus.is_empty() { "-" } else { &bonus })
    }
}

/// The error returned when a string is not a legal placement.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ParseMoveError {
    /// The text is not a list of cells separated by commas.
    #[error("expected a placement like 'a1,b1,a2', got '{}'", quote_short(.text))]
    Malformed {
        /// The text.
        text: String,
    },
    /// The cells do not form a piece.
    #[error("the cells '{}' do not form a piece", quote_short(.text))]
    NoPiece {
        /// The text.
        text: String,
    },
    /// A cell is off the board.
    #[error("'{}' is off the board", quote_short(.text))]
    OffBoard {
        /// The text.
        text: String,
    },
    /// The placement breaks a rule.
    #[error("{refusal}")]
    Illegal {
        /// The text.
        text: String,
        /// The rule.
        refusal: Refusal,
    },
}

/// The error returned when a string is not a position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ParsePositionError {
    /// The text does not have four fields.
    #[error(
        "expected a position with 4 fields separated by single spaces (variant, color to move, \
         rows, bonus), got {found}"
    )]
    FieldCount {
        /// The number of fields found.
        found: usize,
    },
    /// The variant does not exist.
    #[error(
        "unknown variant '{}': expected classic, classic-2, classic-3, duo, four-N or two-N with N \
         up to 22, optionally followed by +free",
        quote_short(.name)
    )]
    Variant {
        /// The name given.
        name: String,
    },
    /// The number of rows does not match the board.
    #[error("expected {size} rows, got {found}")]
    Rows {
        /// The number of rows found.
        found: usize,
        /// The number of rows of the board.
        size: usize,
    },
    /// A row is malformed or has the wrong number of cells.
    #[error("expected {size} cells in row {number}, got '{}'", quote_short(.text))]
    Row {
        /// The number of the row, counted from 1 at the bottom.
        number: usize,
        /// The text of the row.
        text: String,
        /// The number of cells it should have.
        size: usize,
    },
    /// Connected cells of one color do not form a piece.
    #[error("the cells of {color} around {cell} do not form a piece")]
    NoPiece {
        /// The color.
        color: &'static str,
        /// The name of one of the cells.
        cell: String,
    },
    /// A color has placed a piece twice.
    #[error("{color} has placed {piece} twice")]
    DuplicatePiece {
        /// The color.
        color: &'static str,
        /// The name of the piece.
        piece: &'static str,
    },
    /// A color has pieces on the board but does not cover a start square.
    #[error("{color} does not cover its start square")]
    NoStart {
        /// The color.
        color: &'static str,
    },
    /// The pieces of a color are not all connected by corners.
    #[error("the pieces of {color} are not all connected by corners")]
    Disconnected {
        /// The color.
        color: &'static str,
    },
    /// The bonus field names a color that cannot have it.
    #[error(
        "expected '-' or colors that have placed all their pieces as the bonus, got '{}'",
        quote_short(.text)
    )]
    Bonus {
        /// The text of the field.
        text: String,
    },
    /// The color to move cannot place a piece, or none is given although a color can.
    #[error(
        "expected a color that can place a piece, or '-' if none can, got '{}'",
        quote_short(.text)
    )]
    Turn {
        /// The text of the field.
        text: String,
    },
}
