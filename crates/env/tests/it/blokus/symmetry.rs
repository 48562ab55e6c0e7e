//! A transformed game looks as its symmetry says.

use fourfold_env::blokus::{Blokus, Color, Player, Rules, Symmetry, View};
use fourfold_env::{AnyBatch, Batch, DescribedBatch, Stage};

use super::reference::Reference;
use super::{FOUR, Look, TWO, batch, four, play_out, two};
use crate::step_outputs::StepOutputs;

/// Returns the text of a position with every cell and color mapped.
fn moved(text: &str, symmetry: &Symmetry) -> String {
    let reference = Reference::new(text, true);
    let (size, colors) = (reference.size, reference.letters.len());
    let mut cells = vec![vec!['.'; size]; size];
    for (row, line) in reference.board(text).into_iter().enumerate() {
        for (column, color) in line.into_iter().enumerate() {
            let (row, column) = place(symmetry.name(), size, (row, column));
            if let Some(color) = color {
                cells[row][column] = reference.letters[next(symmetry.name(), color, colors)];
            }
        }
    }
    let rows: Vec<String> = cells
        .iter()
        .map(|row| {
            let (mut text, mut empty) = (String::new(), 0);
            for &cell in row.iter().chain(&['/']) {
                if cell == '.' {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    text.push_str(&empty.to_string());
                    empty = 0;
                }
                text.push(cell);
            }
            text.trim_end_matches('/').to_owned()
        })
        .collect();
    let parts: Vec<&str> = text.split(' ').collect();
    let change = |letters: &str| {
        let known = |letter: &char| reference.letters.contains(letter);
        let mut changed: Vec<usize> = letters
            .chars()
            .filter(known)
            .map(|letter| reference.letters.iter().position(|&other| other == letter).unwrap_or(0))
            .map(|color| next(symmetry.name(), color, colors))
            .collect();
        changed.sort();
        let changed: String = changed.into_iter().map(|color| reference.letters[color]).collect();
        if changed.is_empty() { "-".to_owned() } else { changed }
    };
    format!("{} {} {} {}", parts[0], change(parts[1]), rows.join("/"), change(parts[3]))
}

/// Maps a cell, by the name of the symmetry.
fn place(name: &str, size: usize, (mut row, mut column): (usize, usize)) -> (usize, usize) {
    if name.ends_with("transpose") {
        (row, column) = (column, row);
    }
    for _ in 0..quarters(name) {
        // Clockwise: the top row becomes the last column.
        (row, column) = (column, size - 1 - row);
    }
    (row, column)
}

fn quarters(name: &str) -> usize {
    match name {
        "identity" | "transpose" => 0,
        "quarter turn" => 1,
        "half turn" | "half turn and transpose" => 2,
        "three-quarter turn" => 3,
        name => panic!("no symmetry {name}"),
    }
}

/// Maps a color, by the name of the symmetry.
fn next(name: &str, color: usize, colors: usize) -> usize {
    (color + quarters(name) * colors / 4) % colors
}

struct Moved(usize);

impl Look for Moved {
    fn look<const COLORS: usize>(&mut self, one: &mut Batch<Blokus<COLORS>>) {
        let rules = *one.rules();
        let text = one.texts()[0].clone();
        if self.0 % 2 == 1 && one.status(0).stage == Stage::Ongoing {
            self.0 += 1;
            return;
        }
        let mut here = StepOutputs::of(one);
        one.write_outputs(here.outputs().1).unwrap();
        for symmetry in Symmetry::all(&rules) {
            self.0 += 1;
            let mut other = batch(rules, 1);
            let there_text = moved(&text, &symmetry);
            other.reset_to(None, &[&there_text]).unwrap();
            let mut there = StepOutputs::of(&other);
            other.write_outputs(there.outputs().1).unwrap();
            check_masks(&symmetry, &here, &there);
            // A finished game is shown to the first player, who may be a different one after the
            // mapping.
            if one.status(0).stage == Stage::Ongoing {
                check_planes(&symmetry, &here, &there, rules);
                let left = symmetry.shown_colors();
                for (color, &to) in left.iter().enumerate() {
                    assert_eq!(
                        here.scalars[21 * color..][..21],
                        there.scalars[21 * to.index()..][..21]
                    );
                }
                let player = symmetry.player(Player::ALL[here.current_player[0] as usize]);
                assert_eq!(there.current_player[0] as usize, player.index(), "{there_text}");
            }
            for player in 0..one.spec().players {
                let to = symmetry.player(Player::ALL[player]).index();
                assert_eq!(here.scores[player], there.scores[to]);
                assert_eq!(here.rewards[player], there.rewards[to]);
                assert_eq!(here.alive[player], there.alive[to]);
            }
            let size = rules.variant().size();
            for cell in [(0, 0), (0, size - 1), (size / 2, 0)] {
                assert_eq!(symmetry.cell(cell), place(symmetry.name(), size, cell));
            }
            for color in 0..COLORS {
                let to = next(symmetry.name(), color, COLORS);
                assert_eq!(symmetry.color(Color::ALL[color]).index(), to);
            }
        }
    }
}

fn bit(bytes: &[u8], index: usize) -> bool {
    bytes[index / 8] >> (index % 8) & 1 != 0
}

fn check_masks(symmetry: &Symmetry, here: &StepOutputs, there: &StepOutputs) {
    for (id, &to) in symmetry.actions().iter().enumerate() {
        assert_eq!(bit(&here.mask, id), bit(&there.mask, to as usize), "{symmetry:?}: {id}");
    }
}

fn check_planes<const COLORS: usize>(
    symmetry: &Symmetry,
    here: &StepOutputs,
    there: &StepOutputs,
    rules: Rules<COLORS>,
) {
    let size = rules.variant().size();
    let row_bytes = size.div_ceil(8);
    let at = |planes: &[u8], channel: usize, square: usize| {
        let row = (channel * size + square / size) * row_bytes;
        bit(planes, 8 * row + square % size)
    };
    let squares = symmetry.squares();
    for (channel, &to) in symmetry.channels().iter().enumerate() {
        for (square, &place) in squares.iter().enumerate() {
            let same = at(&here.planes, channel, square) == at(&there.planes, to, place);
            assert!(same, "{symmetry:?}: channel {channel}, square {square}");
        }
    }
}

#[test]
fn transformed_games_have_transformed_outputs() {
    let mut moved = Moved(0);
    for view in [View::Own, View::Absolute] {
        for (seed, options) in FOUR.into_iter().enumerate() {
            play_out(batch(super::seen(four(options), view), 1), seed as u64, &mut moved);
        }
        for (seed, options) in TWO.into_iter().enumerate() {
            play_out(batch(super::seen(two(options), view), 1), seed as u64, &mut moved);
        }
    }
    assert!(moved.0 > 800, "{}", moved.0);
}

#[test]
fn rotations_do_not_change_the_own_view() {
    for symmetry in Symmetry::all(&Rules::CLASSIC) {
        assert!(symmetry.actions().iter().zip(0..).all(|(&id, same)| id == same));
        assert!(symmetry.squares().iter().zip(0..).all(|(&square, same)| square == same));
    }
    let changes = |rules: &Rules<2>| {
        let all = Symmetry::all(rules);
        all.iter().map(|symmetry| symmetry.actions()[1] != 1).collect::<Vec<_>>()
    };
    assert_eq!(changes(&Rules::DUO), [false, true, false, true]);
    assert_eq!(changes(&super::seen(Rules::DUO, View::Absolute)), [false, true, true, true]);
    assert_eq!(Symmetry::all(&four(&[("players", "3")])).len(), 1);
    let players: Vec<usize> = Symmetry::all(&four(&[("players", "2")]))
        .iter()
        .map(|symmetry| symmetry.player(Player::ALL[0]).index())
        .collect();
    assert_eq!(players, [0, 1, 0, 1]);
}
