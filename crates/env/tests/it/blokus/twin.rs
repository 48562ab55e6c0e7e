//! Ids and views once more, from the texts of the rules' oracle and the table of pieces: slow, and
//! sharing nothing with the environment.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

pub(crate) type Cell = (usize, usize);

/// The boards of a variant as a text names it.
pub(crate) struct Twin {
    pub(crate) size: usize,
    pub(crate) letters: Vec<char>,
    pub(crate) starts: Vec<Cell>,
    pub(crate) names: Vec<&'static str>,
    /// Whether boards are turned to the viewer.
    pub(crate) turns: bool,
}

impl Twin {
    /// For a position's text.
    pub(crate) fn new(text: &str, turns: bool) -> Twin {
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
        Twin { size, letters, starts, names: PIECES.0.clone(), turns }
    }

    /// All placements of the board.
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

    /// The colour to move; the first one when the game is over.
    pub(crate) fn turn(&self, text: &str) -> usize {
        let letter = text.split(' ').nth(1).and_then(|turn| turn.chars().next());
        self.letters.iter().position(|&other| Some(other) == letter).unwrap_or(0)
    }

    /// A cell as a colour sees it: its start square is at the top left, or nearest to it.
    pub(crate) fn seen(&self, color: usize, (mut row, mut column): Cell) -> Cell {
        let quarters = if self.turns { color * 4 / self.letters.len() } else { 0 };
        for _ in 0..quarters {
            (row, column) = (self.size - 1 - column, row);
        }
        (row, column)
    }

    /// The id of a move's text as a colour has it.
    pub(crate) fn id(&self, color: usize, mv: &str) -> u32 {
        let mut cells: Vec<Cell> =
            mv.split(',').map(|name| self.seen(color, self.cell(name))).collect();
        cells.sort();
        self.placements().ids[&cells]
    }

    /// The cell with a name.
    pub(crate) fn cell(&self, name: &str) -> Cell {
        let row: usize = name[1..].parse().expect("a row");
        (self.size - row, (name.as_bytes()[0] - b'a') as usize)
    }

    /// The colours on the cells, row by row.
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

/// Every placement on a board of one size.
pub(crate) struct Placements {
    /// By its sorted cells.
    pub(crate) ids: HashMap<Vec<Cell>, u32>,
    /// The number of the orientation, the row and the column of every id.
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

/// The names of the pieces, and the cells of all orientations, in the order of the table.
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
