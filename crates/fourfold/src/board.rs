//! Boards in a terminal.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::IsTerminal;

use fourfold_draw::{Look, Mark, Picture, PlacedPiece, Seat, Shape, Surface};
use fourfold_table::Scene;

/// A board as text. Every square is three characters wide, or four where pieces have two letters.
pub(crate) struct Board<'a> {
    shape: &'a Shape,
    cells: BTreeMap<&'a str, Cell>,
    /// How many letters the pieces have.
    width: usize,
}

/// What a square shows.
#[derive(Clone, Default)]
struct Cell {
    text: String,
    /// The characters before and after the text.
    around: Option<(char, char)>,
    /// The color of the text.
    ink: Option<u8>,
    /// Whether the whole square has the color of its owner.
    filled: bool,
    highlighted: bool,
}

/// Whether output has colors: never in a file or pipe, and not if `NO_COLOR` is set.
pub(crate) fn has_colors() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    std::io::stdout().is_terminal() && !set("NO_COLOR") && !dumb
}

/// Colors of the 256-color palette.
mod ink {
    /// Light and dark squares, and the same highlighted: between white and black pieces in brightness.
    pub(super) const FOR_TWO: [[u8; 2]; 2] = [[137, 95], [143, 100]];
    /// Squares that are brighter than the colors of four players.
    pub(super) const FOR_FOUR: [[u8; 2]; 2] = [[187, 144], [153, 110]];
    pub(super) const PLAIN: u8 = 236;
    pub(super) const GONE: u8 = 243;

    /// Returns the color of a player by name, as the pieces on light and dark squares have it.
    pub(super) fn of(name: &str) -> u8 {
        match name {
            "white" => 231,
            "red" => 124,
            "blue" => 19,
            "yellow" => 94,
            "green" => 22,
            "purple" => 91,
            "orange" => 208,
            _ => 16,
        }
    }

    /// Returns the color of a tile, which is lighter than that of a piece.
    pub(super) fn of_tile(name: &str) -> u8 {
        match name {
            "red" => 160,
            "blue" => 33,
            "yellow" => 220,
            "green" => 34,
            name => of(name),
        }
    }
}

impl<'a> Board<'a> {
    /// Returns an empty board.
    pub(crate) fn new(shape: &'a Shape) -> Board<'a> {
        Board { shape, cells: BTreeMap::new(), width: 1 }
    }

    /// Returns the board of a picture. `names` are those of the seats or, in Blokus, of the colors.
    pub(crate) fn of(picture: &'a Picture, names: &[&str]) -> Board<'a> {
        let mut board = Board::new(&picture.shape);
        let name = |seat: Seat| names.get(seat.index()).copied().unwrap_or_default();
        board.width = if names.len() > 2 && picture.tiles.is_empty() { 2 } else { 1 };
        for tile in &picture.tiles {
            let letter: String = name(tile.seat).chars().take(1).collect();
            let cell = board.cell(&tile.square);
            cell.text = letter.to_ascii_uppercase();
            cell.ink = Some(ink::of_tile(name(tile.seat)));
            cell.filled = true;
        }
        let width = board.width;
        let mut put = |piece: &'a PlacedPiece, square: &'a str| {
            let gone = picture.eliminated.contains(&piece.seat);
            let cell = board.cell(square);
            cell.text = piece_text(piece, name(piece.seat), width);
            cell.ink = Some(if gone { ink::GONE } else { ink::of(name(piece.seat)) });
        };
        picture.pieces.iter().for_each(|piece| put(piece, &piece.square));
        for flight in &picture.flights {
            put(&flight.piece, if flight.done < 500 { &flight.piece.square } else { &flight.to });
        }
        for flight in &picture.flights {
            let square = if flight.done < 500 { &flight.piece.square } else { &flight.to };
            board.mark(square, ' ', '~');
        }
        picture.rests.iter().for_each(|(square, _)| board.mark(square, ' ', '*'));
        for (square, mark) in &picture.marks {
            match mark {
                Mark::LastMove => board.mark(square, '(', ')'),
                Mark::Check => board.mark(square, ' ', '+'),
                _ => continue,
            }
            board.cell(square).highlighted = true;
        }
        board
    }

    fn cell(&mut self, square: &'a str) -> &mut Cell {
        self.cells.entry(square).or_default()
    }

    /// Puts the letter of a piece on a square, in the color of its owner.
    pub(crate) fn put(&mut self, square: &'a str, letter: char, owner: &str) {
        let cell = self.cell(square);
        cell.text = letter.into();
        cell.ink = Some(ink::of(owner));
    }

    /// Sets the characters around what stands on a square.
    pub(crate) fn mark(&mut self, square: &'a str, before: char, after: char) {
        self.cell(square).around = Some((before, after));
    }

    /// Returns the board with its coordinates, in lines that end with a line break.
    pub(crate) fn text(&self, colors: bool) -> String {
        let Shape { rows, ranks, files, .. } = self.shape;
        let margin = ranks.iter().map(String::len).max().unwrap_or(0).max(1) + 2;
        let mut text = String::new();
        for (row, (squares, rank)) in rows.iter().zip(ranks).enumerate() {
            let mut line = format!("{rank:>margin$} ");
            for (column, square) in squares.iter().enumerate() {
                let dark = (rows.len() - 1 - row + column).is_multiple_of(2);
                self.write_cell(&mut line, square.as_deref(), dark, colors);
            }
            let _ = writeln!(text, "{}", line.trim_end());
        }
        let labels: String =
            files.iter().map(|file| format!(" {file:>width$} ", width = self.width)).collect();
        let _ = writeln!(text, "\n{:margin$} {}", "", labels.trim_end());
        text
    }

    fn write_cell(&self, line: &mut String, square: Option<&str>, dark: bool, colors: bool) {
        let Some(square) = square else {
            line.extend(std::iter::repeat_n(' ', self.width + 2));
            return;
        };
        let empty = Cell::default();
        let cell = self.cells.get(square).unwrap_or(&empty);
        let checkered = self.shape.surface == Surface::Checkered;
        let dot = if colors && checkered { "" } else { "." };
        let text = if cell.text.is_empty() { dot } else { &cell.text };
        let (before, after) = cell.around.unwrap_or((' ', ' '));
        let content = format!("{before}{text:>width$}{after}", width = self.width);
        if !colors {
            line.push_str(&content);
            return;
        }
        let squares = if self.width == 1 { ink::FOR_TWO } else { ink::FOR_FOUR };
        let ground = match (cell.filled, checkered) {
            (true, _) => cell.ink.unwrap_or(ink::PLAIN),
            (false, false) => ink::PLAIN,
            (false, true) => squares[usize::from(cell.highlighted)][usize::from(dark)],
        };
        let color = match cell.ink {
            Some(_) if cell.filled => 16,
            Some(color) => color,
            None if checkered => 16,
            None => ink::GONE,
        };
        let _ = write!(line, "\x1b[1;38;5;{color};48;5;{ground}m{content}\x1b[0m");
    }
}

/// Returns a piece as letters: in upper and lower case for two players, and otherwise with the
/// letter of its owner before it, as in FEN4.
fn piece_text(piece: &PlacedPiece, owner: &str, width: usize) -> String {
    let letter = piece.piece;
    match owner.chars().next() {
        Some(owner) if width > 1 => format!("{owner}{letter}"),
        Some('b') => letter.to_ascii_lowercase().to_string(),
        _ => letter.to_string(),
    }
}

/// Returns the names that the letters on a board stand for: of seats or, in Blokus, of colors.
pub(crate) fn names_of(scene: &Scene) -> Vec<&'static str> {
    if scene.colors.is_empty() {
        scene.seats.iter().map(|seat| seat.name).collect()
    } else {
        scene.colors.iter().map(|color| color.name).collect()
    }
}

/// Returns the board of a scene.
pub(crate) fn scene(scene: &Scene, colors: bool) -> String {
    Board::of(&scene.picture(Look::default()), &names_of(scene)).text(colors)
}
