//! The generator compared with slower ones.

use fourfold_blokus::{ORIENTATIONS, Orientation, Position, Variant, random_walk};

use crate::properties::reference_generators::frontier::corner_cells;
use crate::properties::reference_generators::{GENERATORS, legal_of};

#[test]
fn all_generators_find_the_same_placements() {
    for (seed, variant) in [(1, Variant::CLASSIC_3), (2, Variant::DUO)] {
        for position in random_walk(Position::start(variant), seed).step_by(5) {
            for color in variant.colors() {
                let expected = position.legal_moves_of(color);
                for (name, generate) in GENERATORS {
                    let found = legal_of(&position, color, generate);
                    assert_eq!(found, expected, "{name}, color {color:?} in {position}");
                }
            }
        }
    }
}

#[test]
fn most_cells_are_corner_cells() {
    let shapes = || (0..ORIENTATIONS).map(Orientation::from_index);
    let corners: usize = shapes().map(|shape| corner_cells(shape).count()).sum();
    let cells: usize = shapes().map(|shape| shape.cells().len()).sum();
    assert_eq!((corners, cells), (309, 414));
}
