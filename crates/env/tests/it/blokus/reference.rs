//! A reference implementation of ids and views, based on the texts of the rules oracle and the
//! table of pieces: slow, and shares no code with the environment.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

pub(crate) type Cell = (usize, usize);

/// The board of a variant, as described by the text of a position.
pub(crate) struct Reference {
    pub(crate) size: usize,
    pub(crate) letters: Vec<char>,
    pub(crate) starts: Vec<Cell>,
    pub(crate) names: Vec<&'static str>,
    /// Whether the board is rotated to the viewer.
    pub(crate) turns: bool,
}

impl Reference {
    /// Creates the reference for the text of a position.
    pub(crate) fn new(text: &str, turns: bool) -> Reference {
        let rows = text.split(' ').nth(2).expect("rows");
        let size = rows.split('/').count();
        let end = size - 1;
        let (letters, starts) = if text.starts_with("duo") {
            ("po", vec![(4, 4), (9, 9)])
        } else if text.starts_with("two") {
            ("po", vec![(0, 0), (end, end)])
        } else {
            ("byrg", vec![(0, 0), (0, end), (end, end), (end, 0)])
        };
        let letters = letters.chars().collect();
        Reference { size, letters, starts, names: PIECES.0.clone(), turns }
    }

    /// Returns all placements on the board.
    pub(crate) fn placements(&self) -> Arc<Placements> {
        static MADE: Mutex<Vec<(usize, Arc<Placements>)>> = Mutex::new(Vec::new());
        let mut made = MADE.lock().expect("nobody has failed");
        if let Some((_, found)) = made.iter().find(|(size, _)| *size == self.size) {
            return Arc::clone(found);
        }
        let all = Arc::new(Placements::new(self.size));
        made.push((self.size, Arc::clone(&all)));
        all
    }

    /// Returns the color to move; the first one when the game is over.
    pub(crate) fn turn(&self, text: &str) -> usize {
        let letter = text.split(' ').nth(1).and_then(|turn| turn.chars().next());
        self.letters.iter().position(|&other| Some(other) == letter).unwrap_or(0)
    }

    /// Returns a cell as a color sees it: its start square is at or nearest to the top left.
    pub(crate) fn seen(&self, color: usize, (mut row, mut column): Cell) -> Cell {
        let quarters = if self.turns { color * 4 / self.letters.len() } else { 0 };
        for _ in 0..quarters {
            (row, column) = (self.size - 1 - column, row);
        }
        (row, column)
    }

    /// Returns the id of a move in text form, as a color sees it.
    pub(crate) fn id(&self, color: usize, mv: &str) -> u32 {
        let mut cells: Vec<Cell> =
            mv.split(',').map(|name| self.seen(color, self.cell(name))).collect();
        cells.sort();
        self.placements().ids[&cells]
    }

    /// Returns the cell with a name such as `a20`.
    pub(crate) fn cell(&self, name: &str) -> Cell {
        let row: usize = name[1..].parse().expect("a row");
        (self.size - row, (name.as_bytes()[0] - b'a') as usize)
    }

    /// Returns the colors on the cells, row by row.
    pub(crate) fn board(&self, text: &str) -> Vec<Vec<Option<usize>>> {
        let rows = text.split(' ').nth(2).expect("rows").split('/');
        let board: Vec<Vec<Option<usize>>> = rows
            .map(|row| {
                let (mut cells, mut number) = (Vec::new(), 0);
                for letter in row.chars() {
                    match letter.to_digit(10) {
                        Some(digit) => number = 10 * number + digit as usize,
                        None => {
                            cells.extend(vec![None; number]);
                            number = 0;
                            cells.push(self.letters.iter().position(|&other| other == letter));
                        }
                    }
                }
                cells.extend(vec![None; number]);
                cells
            })
            .collect();
        assert!(board.iter().all(|row| row.len() == self.size), "{text}");
        board
    }
}

/// All placements on a board of one size.
pub(crate) struct Placements {
    /// Ids by sorted cells.
    pub(crate) ids: HashMap<Vec<Cell>, u32>,
    /// The orientation, row and column of every id.
    pub(crate) boxes: Vec<(usize, usize, usize)>,
}

impl Placements {
    fn new(size: usize) -> Placements {
        let (mut ids, mut boxes) = (HashMap::new(), Vec::new());
        for (number, shape) in PIECES.1.iter().enumerate() {
            for row in 0..size {
                for column in 0..size {
                    let cells: Vec<Cell> =
                        shape.iter().map(|cell| (row + cell.0, column + cell.1)).collect();
                    if cells.iter().all(|cell| cell.0 < size && cell.1 < size) {
                        ids.insert(cells, boxes.len() as u32);
                        boxes.push((number, row, column));
                    }
                }
            }
        }
        Placements { ids, boxes }
    }
}

type Pieces = (Vec<&'static str>, Vec<Vec<Cell>>);
static PIECES: LazyLock<Pieces> = LazyLock::new(pieces);

/// Returns the names of the pieces and the cells of all orientations, in table order.
fn pieces() -> Pieces {
    let table = include_str!("../../../../../data/blokus/pieces.txt");
    let lines = table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let (mut names, mut shapes) = (Vec::new(), Vec::new());
    for line in lines {
        let parts: Vec<&str> = line.split(" ; ").collect();
        names.push(parts[0]);
        for shape in parts[3].split(" | ") {
            let cell = |text: &str| {
                let (row, column) = text.split_once(',').expect("a row and a column");
                (row.parse().expect("a number"), column.parse().expect("a number"))
            };
            shapes.push(shape.split(' ').map(cell).collect());
        }
    }
    assert_eq!((names.len(), shapes.len()), (21, 91));
    (names, shapes)
}
