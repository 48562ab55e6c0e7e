//! An independent implementation of the channels and `pieces_left`, from the text of the position
//! and the oracle.

use fourfold_env::blokus::{Blokus, View};
use fourfold_env::{AnyBatch, Batch, DescribedBatch, ObservationRows, Rows, ValueRows};
use fourfold_oracle::blokus as oracle;

use super::reference::{Cell, Reference};
use super::{Look, for_batches};

/// Returns the observation of a color, cell by cell, following the table in the documentation.
fn reference(text: &str, viewer: usize, turns: bool) -> (Vec<f32>, Vec<f32>) {
    let reference = Reference::new(text, turns);
    let (size, count) = (reference.size, reference.letters.len());
    let channels = 2 * count + 2;
    let board = reference.board(text);
    let mut values = vec![0.0; size * size * channels];
    let mut mark = |cell: Cell, channel: usize| {
        let (row, column) = reference.seen(viewer, cell);
        values[(row * size + column) * channels + channel] = 1.0;
    };
    let colors: Vec<usize> =
        (0..count).map(|seat| if turns { (viewer + seat) % count } else { seat }).collect();
    let mut left = Vec::new();
    for (seat, &color) in colors.iter().enumerate() {
        let letter = reference.letters[color].to_string();
        for cell in oracle::frontier(text, &letter).expect("a position") {
            mark(reference.cell(&cell), count + seat);
        }
        let names = oracle::left(text, &letter).expect("a position");
        let has = |name: &&str| names.iter().any(|other| other == name);
        left.extend(reference.names.iter().map(|name| f32::from(u8::from(has(name)))));
    }
    for row in 0..size {
        for column in 0..size {
            if let Some(color) = board[row][column] {
                let seat = colors.iter().position(|&other| other == color).expect("a color");
                mark((row, column), seat);
                continue;
            }
            let touches = [(0, 1), (1, 0), (1, 2), (2, 1)].iter().any(|&(down, right)| {
                let line = (row + down).checked_sub(1).and_then(|row| board.get(row));
                let cell = (column + right).checked_sub(1);
                line.zip(cell).and_then(|(line, cell)| line.get(cell)) == Some(&Some(viewer))
            });
            if !touches {
                mark((row, column), 2 * count);
            }
        }
    }
    mark(reference.starts[viewer], 2 * count + 1);
    (values, left)
}

struct Planes {
    view: View,
    looks: usize,
    compared: usize,
}

/// Returns the color whose view a player has.
fn viewer(text: &str, player: usize) -> usize {
    let reference = Reference::new(text, true);
    let turn = reference.turn(text);
    if oracle::report(text).expect("a position").player_to_move.unwrap_or(0) == player {
        return turn;
    }
    match text.split(' ').next() {
        // The player's color that comes next.
        Some("classic-2") => (0..4).map(|step| (turn + step) % 4).find(|color| color % 2 == player),
        _ => Some(player),
    }
    .expect("a color")
}

impl Look for Planes {
    fn look<const COLORS: usize>(&mut self, batch: &mut Batch<Blokus<COLORS>>) {
        self.looks += 1;
        if !self.looks.is_multiple_of(3) {
            return;
        }
        let (games, layout) = (batch.games(), batch.spec().observation.clone());
        let (values, bytes, scalars) = (layout.values(), layout.packed_bytes(), layout.scalars);
        for player in 0..batch.spec().players {
            let mut floats = vec![9.0; games * values];
            let mut numbers = vec![vec![9.0; games * scalars]; 4];
            let [one, two, three, four] = &mut numbers[..] else { unreachable!("four of them") };
            let rows = ObservationRows {
                values: ValueRows::Float(Rows::new(&mut floats, values)),
                scalars: Rows::new(one, scalars),
            };
            batch.observe(Some(player), rows).unwrap();
            let mut halves = vec![half::f16::NAN; games * values];
            let rows = ObservationRows {
                values: ValueRows::Half(Rows::new(&mut halves, values)),
                scalars: Rows::new(two, scalars),
            };
            batch.observe(Some(player), rows).unwrap();
            let mut small = vec![9; games * values];
            let rows = ObservationRows {
                values: ValueRows::Bytes(Rows::new(&mut small, values)),
                scalars: Rows::new(three, scalars),
            };
            batch.observe(Some(player), rows).unwrap();
            let mut planes = vec![9; games * bytes];
            let rows = ObservationRows {
                values: ValueRows::Packed(Rows::new(&mut planes, bytes)),
                scalars: Rows::new(four, scalars),
            };
            batch.observe(Some(player), rows).unwrap();
            assert!(numbers.windows(2).all(|two| two[0] == two[1]));
            for (game, text) in batch.texts().iter().enumerate() {
                let (expected, left) =
                    reference(text, viewer(text, player), self.view == View::Own);
                assert!(floats[game * values..][..values] == expected, "player {player} in {text}");
                assert_eq!(numbers[0][game * scalars..][..scalars], left, "{text}");
                let planes = &planes[game * bytes..][..bytes];
                let (size, row_bytes) = (layout.width, layout.width.div_ceil(8));
                for (place, value) in expected.iter().enumerate() {
                    let (cell, channel) = (place / layout.planes, place % layout.planes);
                    let (row, column) = (cell / size, cell % size);
                    let byte = channel * layout.plane_bytes() + row * row_bytes + column / 8;
                    assert_eq!(f32::from(planes[byte] >> (column % 8) & 1), *value);
                    assert_eq!(f32::from(small[game * values + place]), *value);
                    assert_eq!(halves[game * values + place].to_f32(), *value);
                }
                let set: u32 = planes.iter().map(|byte| byte.count_ones()).sum();
                assert_eq!(set as usize, expected.iter().filter(|&&value| value == 1.0).count());
                self.compared += 1;
            }
        }
    }
}

#[test]
fn observations_match_the_reference_in_every_format() {
    let mut planes = Planes { view: View::Own, looks: 0, compared: 0 };
    for_batches(View::Own, 2, &mut planes);
    assert!(planes.compared > 500, "{}", planes.compared);
}

#[test]
fn absolute_view_is_not_rotated() {
    let mut planes = Planes { view: View::Absolute, looks: 0, compared: 0 };
    for_batches(View::Absolute, 1, &mut planes);
    assert!(planes.compared > 200, "{}", planes.compared);
}

#[test]
fn pieces_left_accompanies_the_planes() {
    let four = super::batch(super::four(&[]), 1);
    let two = super::batch(super::two(&[]), 1);
    for (layout, shape) in [(&four.spec().observation, [4, 21]), (&two.spec().observation, [2, 21])]
    {
        let beside = layout.scalar_array.expect("an array");
        assert_eq!((beside.name, beside.shape), ("pieces_left", &shape[..]));
        assert_eq!(layout.scalars, shape[0] * shape[1]);
        assert_eq!(layout.channels.len(), 2 * shape[0] + 2);
    }
}
