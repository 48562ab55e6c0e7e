//! An independent implementation of the 48 channels, from the FEN4 of the position.

use fourfold_env::{AnyBatch, Batch, DescribedBatch, ObservationRows, Rows, ValueRows};

use super::{FourPlayer, for_batches};

const VALUES: usize = 14 * 14 * 48;

/// Returns the cells of a FEN4's board, row by row from rank 14.
fn cells(board: &str) -> Vec<Vec<&str>> {
    board
        .split('/')
        .map(|row| {
            let mut cells = Vec::new();
            for cell in row.split(',') {
                match cell.parse::<usize>() {
                    Ok(empty) => cells.extend(vec![""; empty]),
                    Err(_) => cells.push(cell),
                }
            }
            assert_eq!(cells.len(), 14, "{row}");
            cells
        })
        .collect()
}

/// Writes the observation of a player, square by square, following the table in the documentation.
fn reference(fen4: &str, viewer: usize, out: &mut [f32]) {
    let (head, board) = fen4.rsplit_once('-').expect("a board");
    let (head, extra) = head.split_once("-{").unwrap_or((head, ""));
    let parts: Vec<&str> = head.split('-').collect();
    let four = |part: &str| -> Vec<f32> {
        part.split(',').map(|number| number.parse().expect("a number")).collect()
    };
    let (dead, short, long, points) =
        (four(parts[1]), four(parts[2]), four(parts[3]), four(parts[4]));
    let clock: f32 = parts[5].parse().expect("a number");
    let cells = cells(board);
    for row in 0..14 {
        for column in 0..14 {
            // Find the place on Red's board by rotating back one quarter turn per player.
            let (mut r, mut c) = (row, column);
            for _ in 0..viewer {
                (r, c) = (c, 13 - r);
            }
            let out = &mut out[(row * 14 + column) * 48..][..48];
            out.fill(0.0);
            let cell = cells[r][c];
            if let Some(owner) = cell.chars().next().and_then(|owner| "rbyg".find(owner)) {
                let kind = "PNBRQKD".find(&cell[1..]).expect("a kind");
                out[(owner + 4 - viewer) % 4 * 7 + kind] = 1.0;
            }
            out[28] = f32::from(u8::from(cell.starts_with('d')));
            out[29] = f32::from(u8::from((3..11).contains(&row) || (3..11).contains(&column)));
            let name = format!("'{}{}:", (b'a' + c as u8) as char, 14 - r);
            out[30] = f32::from(u8::from(extra.contains(&name)));
            for seat in 0..4 {
                let player = (viewer + seat) % 4;
                out[31 + 2 * seat] = short[player];
                out[32 + 2 * seat] = long[player];
                out[39 + seat] = 1.0 - dead[player];
                out[43 + seat] = points[player] / 100.0;
            }
            out[47] = clock / 100.0;
        }
    }
}

fn check(batch: &mut Batch<FourPlayer>, absolute: bool) {
    let games = batch.games();
    for player in 0..4 {
        let mut floats = vec![9.0; games * VALUES];
        let rows = ObservationRows {
            values: ValueRows::Float(Rows::new(&mut floats, VALUES)),
            scalars: Rows::none(),
        };
        batch.observe(Some(player), rows).unwrap();
        let (mut bytes, mut scalars) = (vec![9; games * VALUES], vec![9.0; games * 17]);
        let rows = ObservationRows {
            values: ValueRows::Bytes(Rows::new(&mut bytes, VALUES)),
            scalars: Rows::new(&mut scalars, 17),
        };
        batch.observe(Some(player), rows).unwrap();
        let mut planes = vec![9; games * 31 * 28];
        let rows = ObservationRows {
            values: ValueRows::Packed(Rows::new(&mut planes, 31 * 28)),
            scalars: Rows::new(&mut scalars, 17),
        };
        batch.observe(Some(player), rows).unwrap();
        let mut expected = vec![0.0; VALUES];
        for (game, text) in batch.texts().iter().enumerate() {
            reference(text, if absolute { 0 } else { player }, &mut expected);
            assert!(floats[game * VALUES..][..VALUES] == expected, "player {player} in {text}");
            assert_eq!(scalars[game * 17..][..17], expected[31..48]);
            let planes = &planes[game * 31 * 28..][..31 * 28];
            for (place, value) in expected.iter().enumerate() {
                let (row, column, channel) = (place / 48 / 14, place / 48 % 14, place % 48);
                let byte = bytes[game * VALUES + place];
                if channel >= 31 {
                    assert_eq!(byte, 0);
                    continue;
                }
                let packed = planes[channel * 28 + row * 2 + column / 8] >> (column % 8) & 1;
                assert_eq!(f32::from(byte), *value);
                assert_eq!(packed, byte);
            }
        }
    }
}

#[test]
fn observations_match_the_reference_in_every_format() {
    let mut looks = 0;
    for_batches(&[], 120, |batch| {
        looks += 1;
        if looks % 8 == 0 {
            check(batch, false);
        }
    });
}

#[test]
fn absolute_view_shows_reds_board() {
    let mut looks = 0;
    for_batches(&[("view", "absolute")], 40, |batch| {
        looks += 1;
        if looks % 16 == 0 {
            check(batch, true);
        }
    });
}
