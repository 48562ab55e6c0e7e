//! Placements and positions as text.

use std::fmt;

use fourfold_board::shown;

use crate::pieces::PIECES;
use crate::rows::Rows;
use crate::{Placement, Position, Refusal, Variant};

/// The name of a cell: its column as a letter, its row as a number from 1 at the bottom.
pub fn cell_name(size: usize, row: usize, column: usize) -> String {
    format!("{}{}", (b'a' + column as u8) as char, size - row)
}

impl Placement {
    /// The placement as its cells, the bottom row first: `a1,b1,a2`.
    pub fn text(self, size: usize) -> String {
        let mut cells: Vec<(usize, usize)> = self.cells().collect();
        cells.sort_by_key(|&(row, column)| (std::cmp::Reverse(row), column));
        let names = cells.iter().map(|&(row, column)| cell_name(size, row, column));
        names.collect::<Vec<_>>().join(",")
    }

    /// The placement that a text names by its cells, in any order.
    ///
    /// # Errors
    /// If it names none.
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
            // Rows above the board are counted from its bottom too, until the shape is known.
            cells.push((99 - row, (column as u8 - b'a') as usize));
        }
        let no_piece = || ParseMoveError::NoPiece { text: text.to_owned() };
        let shape = Placement::of_shape(&cells).ok_or_else(no_piece)?;
        let outside = |&&(row, column): &&(usize, usize)| row + size < 99 || column >= size;
        if cells.iter().any(|cell| outside(&cell)) {
            return Err(ParseMoveError::OffBoard { text: text.to_owned() });
        }
        let row = cells.iter().map(|cell| cell.0).min().unwrap_or(0) + size - 99;
        let column = cells.iter().map(|cell| cell.1).min().unwrap_or(0);
        Placement::new(size, shape, row, column).ok_or_else(no_piece)
    }

    /// The orientation whose shape some cells have, wherever they are.
    fn of_shape(cells: &[(usize, usize)]) -> Option<usize> {
        let row = cells.iter().map(|cell| cell.0).min()?;
        let column = cells.iter().map(|cell| cell.1).min()?;
        let at_corner: Vec<(usize, usize)> =
            cells.iter().map(|cell| (cell.0 - row, cell.1 - column)).collect();
        if at_corner.iter().any(|cell| cell.0 > 4 || cell.1 > 4) {
            return None;
        }
        Placement::of_cells(5, &at_corner).map(Placement::orientation)
    }
}

impl Position {
    /// The legal placement that a text names by its cells.
    ///
    /// # Errors
    /// If it names none, or one that breaks a rule: the error says which and where.
    pub fn parse_move(&self, text: &str) -> Result<Placement, ParseMoveError> {
        let placement = Placement::parse(self.variant().size(), text.trim())?;
        match self.refusal(placement) {
            None => Ok(placement),
            Some(refusal) => Err(ParseMoveError::Refused { text: text.to_owned(), refusal }),
        }
    }

    /// Reads a position: variant, colour to move, rows from the top, colours with the second bonus.
    ///
    /// ```
    /// use fourfold_blokus::Position;
    /// let position = Position::parse("two-5 o pp3/1p3/5/5/5 -")?;
    /// assert_eq!(position.legal().len(), 58);
    /// assert_eq!(position.to_string(), "two-5 o pp3/1p3/5/5/5 -");
    /// assert_eq!(Position::parse("two-5 o p1pp1/5/5/5/5 -").unwrap_err().to_string(),
    ///     "the pieces of purple do not hang together by corners");
    /// # Ok::<(), fourfold_blokus::ParsePositionError>(())
    /// ```
    ///
    /// # Errors
    /// The fault, and where it is.
    pub fn parse(text: &str) -> Result<Position, ParsePositionError> {
        let parts: Vec<&str> = text.split(' ').collect();
        let [name, turn, rows, bonus] = parts[..] else {
            return Err(ParsePositionError::Parts { found: parts.len() });
        };
        let variant = Variant::from_name(name)
            .ok_or_else(|| ParsePositionError::Variant { name: name.to_owned() })?;
        let mut position = Position::empty(variant);
        let sets = read_rows(variant, rows)?;
        for (color, cells) in sets.iter().enumerate() {
            position.place_all(color, cells)?;
        }
        position.bonus = read_bonus(&position, bonus)?;
        let can: Vec<usize> =
            (0..variant.colors()).filter(|&color| position.can_place(color)).collect();
        let turn_color = match turn {
            "-" if can.is_empty() => None,
            _ => {
                let mut letters = turn.chars();
                let color = letters.next().and_then(|letter| variant.color(letter));
                let fits = |&color: &usize| letters.next().is_none() && can.contains(&color);
                let color = color.filter(fits);
                let wrong = || ParsePositionError::Turn { text: turn.to_owned() };
                Some(color.ok_or_else(wrong)? as u8)
            }
        };
        for color in 0..variant.colors() {
            position.out |= u8::from(!can.contains(&color)) << color;
        }
        position.give_turn(turn_color);
        Ok(position)
    }

    /// Places all pieces of a colour, which are its parts that hang together by edges.
    fn place_all(&mut self, color: usize, cells: &Rows) -> Result<(), ParsePositionError> {
        let name = self.variant().color_name(color);
        let size = self.variant().size();
        let mut rest: Vec<(usize, usize)> = cells.cells().collect();
        let mut pieces: Vec<Placement> = Vec::new();
        while let Some(first) = rest.first().copied() {
            let part = connected(first, &mut rest, |(r, c), (row, column)| {
                r.abs_diff(row) + c.abs_diff(column) == 1
            });
            let (row, column) = first;
            let cell = cell_name(size, row, column);
            let piece = Placement::of_cells(size, &part)
                .ok_or(ParsePositionError::NoPiece { color: name, cell })?;
            if pieces.iter().any(|other| other.piece() == piece.piece()) {
                return Err(ParsePositionError::Twice { color: name, piece: piece.piece().name() });
            }
            pieces.push(piece);
        }
        let Some(&first) = pieces.first() else { return Ok(()) };
        let starts = self.starts(color);
        if cells.intersection(&starts).is_empty() {
            return Err(ParsePositionError::NoStart { color: name });
        }
        let mut rest = pieces.clone();
        connected(first, &mut rest, |one: Placement, other: Placement| {
            one.cells().any(|(r, c)| {
                other.cells().any(|(row, column)| r.abs_diff(row) == 1 && c.abs_diff(column) == 1)
            })
        });
        if !rest.is_empty() {
            return Err(ParsePositionError::Apart { color: name });
        }
        pieces.into_iter().for_each(|piece| self.place(color, piece));
        self.bonus = 0;
        Ok(())
    }
}

/// Takes out of a list what hangs together with one of its members.
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

fn read_rows(variant: Variant, text: &str) -> Result<Vec<Rows>, ParsePositionError> {
    let size = variant.size();
    let mut sets = vec![Rows::EMPTY; variant.colors()];
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != size {
        return Err(ParsePositionError::Rows { found: rows.len(), size });
    }
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
                sets[color].insert(row, column);
                column += 1;
            }
            if column > size {
                return Err(wrong());
            }
        }
        if column != size {
            return Err(wrong());
        }
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
        if position.placed(color) < PIECES || bonus >> color != 0 {
            return Err(wrong());
        }
        bonus |= 1 << color;
    }
    if bonus == 0 { Err(wrong()) } else { Ok(bonus) }
}

/// Writes the position in the form that [`Position::parse`] reads.
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
                        write_empty(f, std::mem::take(&mut empty))?;
                        write!(f, "{}", variant.letter(color))?;
                    }
                }
            }
            write_empty(f, empty)?;
            f.write_str(if row + 1 < variant.size() { "/" } else { " " })?;
        }
        let bonus: String = (0..variant.colors())
            .filter(|&color| self.bonus >> color & 1 != 0)
            .map(|color| variant.letter(color))
            .collect();
        f.write_str(if bonus.is_empty() { "-" } else { &bonus })
    }
}

/// Why a text is not a legal placement.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ParseMoveError {
    /// Not cells with commas between them.
    Malformed {
        /// The text.
        text: String,
    },
    /// The cells are no piece.
    NoPiece {
        /// The text.
        text: String,
    },
    /// A cell is off the board.
    OffBoard {
        /// The text.
        text: String,
    },
    /// A rule forbids it.
    Refused {
        /// The text.
        text: String,
        /// Which one.
        refusal: Refusal,
    },
}

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseMoveError::Malformed { text } => {
                write!(f, "'{}' is not a placement like 'a1,b1,a2'", shown(text))
            }
            ParseMoveError::NoPiece { text } => {
                write!(f, "the cells '{}' are not one piece", shown(text))
            }
            ParseMoveError::OffBoard { text } => {
                write!(f, "'{}' leaves the board", shown(text))
            }
            ParseMoveError::Refused { refusal, .. } => write!(f, "{refusal}"),
        }
    }
}

impl std::error::Error for ParseMoveError {}

/// Why a text is not a position.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ParsePositionError {
    /// Not four parts.
    Parts {
        /// How many there are.
        found: usize,
    },
    /// No such variant.
    Variant {
        /// Its name.
        name: String,
    },
    /// Not as many rows as the board has.
    Rows {
        /// How many there are.
        found: usize,
        /// How many it has.
        size: usize,
    },
    /// A row is not one of this board.
    Row {
        /// Its number from the bottom.
        number: usize,
        /// What it says.
        text: String,
        /// How many cells it should have.
        size: usize,
    },
    /// Cells of one colour that are no piece.
    NoPiece {
        /// The colour.
        color: &'static str,
        /// One of the cells.
        cell: String,
    },
    /// A colour has a piece twice.
    Twice {
        /// The colour.
        color: &'static str,
        /// The piece.
        piece: &'static str,
    },
    /// A colour covers no start square.
    NoStart {
        /// The colour.
        color: &'static str,
    },
    /// A colour's pieces do not hang together.
    Apart {
        /// The colour.
        color: &'static str,
    },
    /// A bonus that a colour cannot have.
    Bonus {
        /// What it says.
        text: String,
    },
    /// A turn of a colour that cannot place, or of nobody while somebody can.
    Turn {
        /// What it says.
        text: String,
    },
}

impl fmt::Display for ParsePositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use ParsePositionError as Error;
        match self {
            Error::Parts { found } => write!(
                f,
                "a position has 4 parts with single spaces between them (variant, turn, rows, \
                 bonus); this has {found}"
            ),
            Error::Variant { name } => write!(
                f,
                "there is no variant '{}', only classic, classic-2, classic-3, duo, four-N and \
                 two-N with N up to 22, each with +free behind it if starts are free",
                shown(name)
            ),
            Error::Rows { found, size } => write!(f, "{found} rows, where the board has {size}"),
            Error::Row { number, text, size } => {
                write!(f, "row {number} '{}' is not one of {size} cells", shown(text))
            }
            Error::NoPiece { color, cell } => {
                write!(f, "the cells of {color} around {cell} are not one piece")
            }
            Error::Twice { color, piece } => write!(f, "{color} has the piece {piece} twice"),
            Error::NoStart { color } => write!(f, "{color} does not cover its start square"),
            Error::Apart { color } => {
                write!(f, "the pieces of {color} do not hang together by corners")
            }
            Error::Bonus { text } => {
                write!(f, "bonus '{}' does not name colours that placed all pieces", shown(text))
            }
            Error::Turn { text } => {
                write!(f, "turn '{}' is not a colour that can place", shown(text))
            }
        }
    }
}

impl std::error::Error for ParsePositionError {}
