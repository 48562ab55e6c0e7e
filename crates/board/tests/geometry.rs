//! Tests of the board shapes of the four games, and of the set operations.

use std::collections::BTreeSet;

use fourfold_board::{Bitboard, Direction, Geometry, KING_LEAPS, KNIGHT_LEAPS, Square};
use proptest::prelude::*;

static EIGHT: Geometry<64, 1> = Geometry::rectangle(8, 8);
static TWELVE: Geometry<144, 3> = Geometry::cross(12, 2);
static FOURTEEN: Geometry<196, 4> = Geometry::cross(14, 3);
static TWENTY: Geometry<400, 7> = Geometry::rectangle(20, 20);

#[test]
fn boards_have_the_squares_of_their_games() {
    assert_eq!(EIGHT.squares().len(), 64);
    assert_eq!(TWELVE.squares().len(), 128);
    assert_eq!(FOURTEEN.squares().len(), 160);
    assert_eq!(TWENTY.squares().len(), 400);
}

/// Returns the largest number of squares that these directions reach from any one square.
fn largest_fan_out<const N: usize, const W: usize>(
    board: &Geometry<N, W>,
    directions: &[Direction],
) -> usize {
    let fan_outs = board.squares().iter().map(|from| board.rays(from, directions).len());
    fan_outs.max().expect("the board has squares")
}

#[test]
fn fan_outs_are_exact() {
    let rook = &Direction::ORTHOGONALS;
    let bishop = &Direction::DIAGONALS;
    let queen = &Direction::ALL;
    assert_eq!([rook, bishop].map(|directions| largest_fan_out(&EIGHT, directions)), [14, 13]);
    assert_eq!(largest_fan_out(&EIGHT, queen), 27);
    assert_eq!([rook, bishop].map(|directions| largest_fan_out(&FOURTEEN, directions)), [26, 19]);
    assert_eq!(largest_fan_out(&FOURTEEN, queen), 45);
    assert_eq!([rook, bishop].map(|directions| largest_fan_out(&TWELVE, directions)), [22, 17]);
    assert_eq!(largest_fan_out(&TWELVE, queen), 39);
}

/// Reads a set drawn as a board, highest rank first: `X` is a member.
fn set_of(rows: [&str; 14]) -> Bitboard<4> {
    let cells = rows.iter().rev().flat_map(|row| row.bytes()).enumerate();
    cells.filter(|&(_, cell)| cell == b'X').map(|(index, _)| Square::new(index)).collect()
}

#[test]
fn a_slide_ends_at_a_cut_corner() {
    let c4 = FOURTEEN.parse("c4").unwrap();
    let drawn = set_of([
        "   ........   ",
        "   ........   ",
        "   .......X   ",
        "..X......X....",
        "..X.....X.....",
        "..X....X......",
        "..X...X.......",
        "..X..X........",
        "X.X.X.........",
        ".XXX..........",
        "XX.XXXXXXXXXXX",
        "   X.......   ",
        "   .X......   ",
        "   ..X.....   ",
    ]);
    assert_eq!(FOURTEEN.rays(c4, &Direction::ALL), drawn);
    assert_eq!(FOURTEEN.names(FOURTEEN.ray(c4, Direction::South)), "");
    assert_eq!(FOURTEEN.names(FOURTEEN.ray(c4, Direction::SouthEast)), "f1 e2 d3");
    assert_eq!(FOURTEEN.names(FOURTEEN.ray(c4, Direction::NorthWest)), "b5 a6");
}

/// Checks rays, slides, `between` and `line` against walking over the coordinates of a square board
/// whose corners are cut.
fn tables_equal_walking<const N: usize, const W: usize>(
    board: &Geometry<N, W>,
    side: i32,
    cut: i32,
) {
    let outer = |at: i32| at < cut || at >= side - cut;
    let square = |file: i32, rank: i32| {
        let inside = (0..side).contains(&file) && (0..side).contains(&rank);
        (inside && !(outer(file) && outer(rank)))
            .then(|| Square::new((rank * side + file) as usize))
    };
    let squares: Vec<Square> = board.squares().iter().collect();
    let mut rng = fourfold_common::SplitMix64::new(N as u64);
    for &from in &squares {
        let blockers: BTreeSet<Square> =
            squares.iter().copied().filter(|_| rng.next().is_multiple_of(4)).collect();
        let occupied: Bitboard<W> = blockers.iter().copied().collect();
        for direction in Direction::ALL {
            let (mut ray, mut slide) = (Vec::new(), BTreeSet::new());
            let (files, ranks) = direction.step();
            let (mut file, mut rank) = (from.index() as i32 % side, from.index() as i32 / side);
            let mut open = true;
            while let Some(next) = square(file + files, rank + ranks) {
                (file, rank) = (file + files, rank + ranks);
                let between: BTreeSet<Square> = ray.iter().copied().collect();
                assert_eq!(board.between(from, next).iter().collect::<BTreeSet<_>>(), between);
                assert!(board.line(from, next).contains(from));
                assert!(board.line(from, next).contains(next));
                assert_eq!(board.line(from, next), board.line(next, from));
                ray.push(next);
                if open {
                    slide.insert(next);
                    open = !blockers.contains(&next);
                }
            }
            let ray: BTreeSet<Square> = ray.into_iter().collect();
            assert_eq!(board.ray(from, direction).iter().collect::<BTreeSet<_>>(), ray);
            assert_eq!(
                board.slide(from, direction, occupied).iter().collect::<BTreeSet<_>>(),
                slide
            );
        }
        let distance = |to: &Square, leap: &[(i32, i32)]| {
            let files = board.file(*to) as i32 - board.file(from) as i32;
            let ranks = board.rank(*to) as i32 - board.rank(from) as i32;
            leap.contains(&(files, ranks))
        };
        for leaps in [&KING_LEAPS, &KNIGHT_LEAPS] {
            let reached: Bitboard<W> =
                squares.iter().copied().filter(|to| distance(to, leaps)).collect();
            assert_eq!(board.leaps(from, leaps), reached);
        }
    }
}

#[test]
fn tables_equal_walking_on_every_board() {
    tables_equal_walking(&EIGHT, 8, 0);
    tables_equal_walking(&TWELVE, 12, 2);
    tables_equal_walking(&FOURTEEN, 14, 3);
}

#[test]
fn dense_indices_and_names_round_trip() {
    fn check<const N: usize, const W: usize>(board: &Geometry<N, W>) {
        for (number, square) in board.squares().iter().enumerate() {
            assert_eq!(board.dense_index(square), number);
            assert_eq!(board.from_dense_index(number), Some(square));
            assert_eq!(board.parse(&board.name(square)), Ok(square));
        }
        assert_eq!(board.from_dense_index(board.squares().len()), None);
    }
    check(&EIGHT);
    check(&TWELVE);
    check(&FOURTEEN);
    check(&TWENTY);
}

#[test]
fn invalid_names_are_rejected_with_a_reason() {
    let message = |name| FOURTEEN.parse(name).unwrap_err().to_string();
    assert_eq!(message("4d"), "expected a square like 'd4', got '4d'");
    assert_eq!(message("a1"), "the board has no square 'a1'");
    assert_eq!(message("a15"), "the board has no square 'a15'");
    for name in ["", "a", "a01", "a+4", "a-4", "A4", "é4", "a99999", "a4 ", " a4", "a٤"] {
        assert!(FOURTEEN.parse(name).is_err(), "{name:?}");
    }
}

proptest! {
    #[test]
    fn a_bitboard_is_a_set(
        left in proptest::collection::btree_set(0usize..196, 0..60),
        right in proptest::collection::btree_set(0usize..196, 0..60),
    ) {
        let bits = |set: &BTreeSet<usize>| -> Bitboard<4> {
            set.iter().map(|&index| Square::new(index)).collect()
        };
        let members = |set: Bitboard<4>| -> BTreeSet<usize> { set.iter().map(Square::index).collect() };
        let (a, b) = (bits(&left), bits(&right));
        prop_assert_eq!(members(a | b), &left | &right);
        prop_assert_eq!(members(a & b), &left & &right);
        prop_assert_eq!(members(a - b), &left - &right);
        prop_assert_eq!(members(a ^ b), &left ^ &right);
        prop_assert_eq!(members(!a).len(), 256 - left.len());
        prop_assert_eq!(a.len(), left.len());
        prop_assert_eq!(a.iter().len(), left.len());
        prop_assert_eq!(a.is_empty(), left.is_empty());
        prop_assert_eq!(a.more_than_one(), left.len() > 1);
        prop_assert_eq!(a.intersects(b), !left.is_disjoint(&right));
        prop_assert_eq!(a.first().map(Square::index), left.first().copied());
        prop_assert_eq!(a.last().map(Square::index), left.last().copied());
        prop_assert_eq!(Bitboard::from_words(a.words()), a);
        for index in 0..196 {
            prop_assert_eq!(a.contains(Square::new(index)), left.contains(&index));
        }
    }
}
