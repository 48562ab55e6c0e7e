//! Symmetries of the board: a rotated or mirrored position has the rotated or mirrored placements.

use std::collections::BTreeSet;

use fourfold_blokus::{Color, Placement, Position, Variant, random_walk};

/// A symmetry of the board, with its effect on cells and colors.
struct Symmetry {
    cell: fn(usize, (usize, usize)) -> (usize, usize),
    /// The image of each color, by index.
    colors: [usize; 4],
}

const QUARTER_TURN: Symmetry =
    Symmetry { cell: |size, (row, column)| (column, size - 1 - row), colors: [1, 2, 3, 0] };
const HALF_TURN: Symmetry = Symmetry {
    cell: |size, (row, column)| (size - 1 - row, size - 1 - column),
    colors: [1, 0, 3, 2],
};
const TRANSPOSE: Symmetry =
    Symmetry { cell: |_, (row, column)| (column, row), colors: [0, 1, 2, 3] };
/// On the 20 by 20 board, the colors in the other two corners swap places.
const TRANSPOSE_FOUR: Symmetry =
    Symmetry { cell: |_, (row, column)| (column, row), colors: [0, 3, 2, 1] };

impl Symmetry {
    fn color(&self, color: Color) -> Color {
        Color::ALL[self.colors[color.index()]]
    }

    fn placement(&self, size: usize, placement: Placement) -> Placement {
        let cells: Vec<(usize, usize)> =
            placement.cells().map(|cell| (self.cell)(size, cell)).collect();
        Placement::from_cells(size, &cells).expect("it is on the board")
    }

    /// Applies the symmetry to a position, by way of its text.
    fn position(&self, position: &Position) -> Position {
        let variant = position.variant();
        let size = variant.size();
        let mut cells = vec![vec!['1'; size]; size];
        for row in 0..size {
            for column in 0..size {
                if let Some(color) = position.color_at(row, column) {
                    let (r, c) = (self.cell)(size, (row, column));
                    cells[r][c] = variant.letter(self.color(color));
                }
            }
        }
        let rows: Vec<String> = cells
            .iter()
            .map(|row| {
                let runs = row.chunk_by(|one, other| one == other);
                let run = |run: &[char]| match run[0] {
                    '1' => run.len().to_string(),
                    _ => run.iter().collect(),
                };
                runs.map(run).collect()
            })
            .collect();
        let turn = match position.turn() {
            Some(color) => variant.letter(self.color(color)),
            None => '-',
        };
        let text = format!("{variant} {turn} {} -", rows.join("/"));
        Position::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }
}

fn hold(variant: Variant, symmetry: &Symmetry) {
    let size = variant.size();
    let mut compared = 0;
    for seed in 0..3 {
        for position in random_walk(Position::start(variant), seed).step_by(3) {
            // If a color has placed all its pieces, the text also has to give the bonus.
            if variant.colors().any(|color| position.remaining(color).next().is_none()) {
                continue;
            }
            let turned = symmetry.position(&position);
            for color in variant.colors() {
                let other = symmetry.color(color);
                let moves = position.legal_moves_of(color);
                let expected: BTreeSet<Placement> = moves
                    .into_iter()
                    .map(|placement| symmetry.placement(size, placement))
                    .collect();
                let found: BTreeSet<Placement> = turned.legal_moves_of(other).into_iter().collect();
                assert_eq!(found, expected, "color {other:?} in {turned}");
                assert_eq!(turned.advanced_score(other), position.advanced_score(color));
                compared += 1;
            }
        }
    }
    assert!(compared > 30, "only {compared} compared");
}

#[test]
fn classic_boards_are_symmetric_under_quarter_turns() {
    hold(Variant::CLASSIC, &QUARTER_TURN);
    hold(Variant::four(10).expect("a size"), &QUARTER_TURN);
}

#[test]
fn the_classic_board_is_symmetric_under_transposition() {
    hold(Variant::CLASSIC, &TRANSPOSE_FOUR);
}

#[test]
fn duo_is_symmetric_under_half_turns_and_transposition() {
    hold(Variant::DUO, &HALF_TURN);
    hold(Variant::DUO, &TRANSPOSE);
}
