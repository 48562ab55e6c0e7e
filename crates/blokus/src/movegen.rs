//! Move generation: each orientation is tested at all places of the board at once.
//!
//! A set of cells has one word per row. Shifted by the row and column of one cell of a piece, the
//! free cells tell for all origins at once whether that cell fits. The `and` over all cells of an
//! orientation tells where it fits, and the `or` over the frontier, shifted likewise, tells where
//! it touches a corner.
//!
//! Three things make this cheap. Orientations share their first cells, so they are stored as a
//! [tree](NODES) with 125 nodes instead of 414 cells. Only the rows from which a piece can reach
//! the frontier are searched. And boards of up to 16 columns use 16-bit words.

use core::ops::{BitAnd, BitOr};

use fourfold_common::cpu;

use crate::cell_set::{CellSet, ROWS};
use crate::pieces::{MAX_PIECE_SIZE, ORIENTATIONS, Orientation, PIECES, Piece};
use crate::sink::PlacementSink;
use crate::{Color, Placement, Position};

/// Sends all legal placements of a color to a sink.
#[inline(always)]
pub(crate) fn generate<S: PlacementSink>(position: &Position, color: Color, sink: &mut S) {
    search(position, color, &mut All(sink));
}

/// Returns the first legal placement found for a color.
#[inline(always)]
pub(crate) fn any(position: &Position, color: Color) -> Option<Placement> {
    if position.has(color, Piece::SINGLE) {
        // The single square fits on every frontier cell.
        let (row, &bits) =
            position.frontier[color.index()].0.iter().enumerate().find(|row| *row.1 != 0)?;
        let column = bits.trailing_zeros() as u8;
        return Some(Placement { orientation: 0, row: row as u8, column });
    }
    let mut first = First(None);
    search(position, color, &mut first);
    first.0
}

/// Receives the places where each orientation can be placed.
trait Finder {
    /// Handles the places of an orientation in the `R` rows from `top` on. Returns true to stop the
    /// search.
    fn find<W: Word, const R: usize>(
        &mut self,
        orientation: u8,
        top: usize,
        places: &[W; R],
    ) -> bool;
}

struct All<'a, S>(&'a mut S);

impl<S: PlacementSink> Finder for All<'_, S> {
    #[inline(always)]
    fn find<W: Word, const R: usize>(
        &mut self,
        orientation: u8,
        top: usize,
        places: &[W; R],
    ) -> bool {
        let mut used = W::used(places);
        while used != 0 {
            let row = used.trailing_zeros() as usize % R.next_power_of_two();
            used &= used - 1;
            self.0.row(orientation as usize, top + row, places[row].bits());
        }
        false
    }
}

struct First(Option<Placement>);

impl Finder for First {
    #[inline(always)]
    fn find<W: Word, const R: usize>(
        &mut self,
        orientation: u8,
        top: usize,
        places: &[W; R],
    ) -> bool {
        let used = W::used(places);
        if used != 0 {
            let row = used.trailing_zeros() as usize % R.next_power_of_two();
            let column = places[row].bits().trailing_zeros() as u8;
            self.0 = Some(Placement { orientation, row: (top + row) as u8, column });
        }
        used != 0
    }
}

/// Searches the places of the pieces that a color has left.
#[inline(always)]
fn search<F: Finder>(position: &Position, color: Color, finder: &mut F) {
    let Some((top, rows)) = window(&position.frontier[color.index()]) else { return };
    match (position.variant.size() <= 16, rows) {
        (true, ..=8) => search_in::<u16, 8, F>(position, color, top, finder),
        (true, _) => search_in::<u16, 16, F>(position, color, top, finder),
        (false, ..=8) => search_in::<u32, 8, F>(position, color, top, finder),
        (false, ..=16) => search_in::<u32, 16, F>(position, color, top, finder),
        (false, _) => search_in::<u32, ROWS, F>(position, color, top, finder),
    }
}

/// Returns the first row in which a piece that reaches the frontier can have its origin, and the
/// number of such rows.
#[inline(always)]
fn window(frontier: &CellSet) -> Option<(usize, usize)> {
    let mut used = 0u32;
    for (row, &bits) in frontier.0.iter().enumerate() {
        used |= u32::from(bits != 0) << row;
    }
    if used == 0 {
        return None;
    }
    let first = (used.trailing_zeros() as usize).saturating_sub(MAX_PIECE_SIZE - 1);
    let last = 31 - used.leading_zeros() as usize;
    Some((first, last + 1 - first))
}

/// The word that holds a row.
trait Word: Copy + BitAnd<Output = Self> + BitOr<Output = Self> {
    const NONE: Self;
    const ALL: Self;
    fn of(row: u32) -> Self;
    fn bits(self) -> u32;
    /// Returns a bit set of the rows that are not empty.
    fn used<const R: usize>(rows: &[Self; R]) -> u32;
}

impl Word for u16 {
    const NONE: u16 = 0;
    const ALL: u16 = u16::MAX;
    #[inline(always)]
    fn of(row: u32) -> u16 {
        row as u16
    }
    #[inline(always)]
    fn bits(self) -> u32 {
        u32::from(self)
    }
    #[inline(always)]
    fn used<const R: usize>(rows: &[u16; R]) -> u32 {
        let eights = rows.as_chunks().0.iter().rev();
        eights.fold(0, |used, eight| used << 8 | u32::from(cpu::nonzero_mask_u16(eight)))
    }
}

impl Word for u32 {
    const NONE: u32 = 0;
    const ALL: u32 = u32::MAX;
    #[inline(always)]
    fn of(row: u32) -> u32 {
        row
    }
    #[inline(always)]
    fn bits(self) -> u32 {
        self
    }
    #[inline(always)]
    fn used<const R: usize>(rows: &[u32; R]) -> u32 {
        let eights = rows.as_chunks().0.iter().rev();
        eights.fold(0, |used, eight| used << 8 | u32::from(cpu::nonzero_mask_u32(eight)))
    }
}

/// The rows reserved for a shifted set: the window, and the rows that a piece reaches below it.
const SHIFTED_ROWS: usize = 32;

/// A set from some row on, shifted to the left by zero to four columns.
struct Shifted<W>([W; MAX_PIECE_SIZE * SHIFTED_ROWS]);

impl<W: Word> Shifted<W> {
    /// Copies from row `top` on as many rows as pieces with their origin in one of `R` rows can
    /// reach.
    #[inline(always)]
    fn new<const R: usize>(set: &CellSet, top: usize) -> Shifted<W> {
        let mut padded = [0; ROWS + SHIFTED_ROWS];
        padded[..ROWS].copy_from_slice(&set.0);
        let rows: &[u32; SHIFTED_ROWS] = padded[top % ROWS..].first_chunk().expect("rows to spare");
        let mut shifted = [W::NONE; MAX_PIECE_SIZE * SHIFTED_ROWS];
        for (columns, shifted) in shifted.as_chunks_mut::<SHIFTED_ROWS>().0.iter_mut().enumerate() {
            for row in 0..R + 8 {
                shifted[row] = W::of(rows[row] >> columns);
            }
        }
        Shifted(shifted)
    }

    /// Returns the origins for which the cell of a node is in the set.
    #[inline(always)]
    fn at<const R: usize>(&self, node: &Node) -> [W; R] {
        *self.0[node.offset as usize..].first_chunk().expect("as many rows as the window has")
    }
}

/// Visits the nodes, parents before children.
#[inline(always)]
fn search_in<W: Word, const R: usize, F: Finder>(
    position: &Position,
    color: Color,
    top: usize,
    finder: &mut F,
) {
    let remaining = position.remaining[color.index()];
    let free = Shifted::<W>::new::<R>(&position.free[color.index()], top);
    let frontier = Shifted::<W>::new::<R>(&position.frontier[color.index()], top);
    // By depth: where all cells up to that node fit, and where one of them is on the frontier.
    let mut paths = [([W::ALL; R], [W::NONE; R]); 8];
    for (word, mut nodes) in nodes_of(remaining).into_iter().enumerate() {
        while nodes != 0 {
            let node = &TREE.nodes[64 * word + nodes.trailing_zeros() as usize % 64];
            nodes &= nodes - 1;
            let depth = node.depth as usize % 8;
            let (fits, hits) = paths[depth];
            let fits = and(fits, free.at(node));
            let hits = or(hits, frontier.at(node));
            paths[(depth + 1) % 8] = (fits, hits);
            if remaining & node.piece != 0 && finder.find(node.orientation, top, &and(fits, hits)) {
                return;
            }
        }
    }
}

#[inline(always)]
fn and<W: Word, const R: usize>(one: [W; R], other: [W; R]) -> [W; R] {
    core::array::from_fn(|row| one[row] & other[row])
}

#[inline(always)]
fn or<W: Word, const R: usize>(one: [W; R], other: [W; R]) -> [W; R] {
    core::array::from_fn(|row| one[row] | other[row])
}

/// The number of distinct prefixes of the cell lists of all orientations.
const NODES: usize = 125;

/// A set of nodes, as bits.
type Nodes = [u64; 2];

/// A common prefix of the cell lists of some orientations: the cells of its parent and one more.
#[derive(Clone, Copy)]
struct Node {
    /// The index of the cell in [`Shifted`].
    offset: u8,
    /// The number of cells before this one.
    depth: u8,
    /// The orientation that has exactly these cells, if there is one.
    orientation: u8,
    /// The bit of its piece, or 0 if there is none.
    piece: u32,
}

struct Tree {
    /// In depth-first order.
    nodes: [Node; 128],
    /// The nodes on the paths to the orientations of each piece.
    paths: [Nodes; PIECES],
}

static TREE: Tree = tree();

/// Returns the nodes needed for a set of pieces.
#[inline(always)]
fn nodes_of(mut pieces: u32) -> Nodes {
    let mut nodes = [0; 2];
    while pieces != 0 {
        let [low, high] = TREE.paths[pieces.trailing_zeros() as usize % PIECES];
        pieces &= pieces - 1;
        nodes = [nodes[0] | low, nodes[1] | high];
    }
    nodes
}

const fn tree() -> Tree {
    let none = Node { offset: 0, depth: 0, orientation: 0, piece: 0 };
    let mut tree = Tree { nodes: [none; 128], paths: [[0; 2]; PIECES] };
    let (order, mut count, mut next) = (sorted(), 0, 0);
    // The nodes of the previous orientation, by depth.
    let mut path = [0; MAX_PIECE_SIZE];
    while next < ORIENTATIONS {
        let shape = Orientation::from_index(order[next]);
        let shared = if next == 0 { 0 } else { same_cells(shape, order[next - 1]) };
        let piece = shape.piece.index();
        let mut depth = 0;
        while depth < shape.size as usize {
            if depth >= shared {
                let (row, column) = shape.cells[depth];
                let offset = row + SHIFTED_ROWS as u8 * column;
                tree.nodes[count] = Node { offset, depth: depth as u8, ..none };
                path[depth] = count;
                count += 1;
            }
            tree.paths[piece][path[depth] / 64] |= 1 << (path[depth] % 64);
            depth += 1;
        }
        tree.nodes[path[depth - 1]].orientation = order[next] as u8;
        tree.nodes[path[depth - 1]].piece = 1 << piece;
        next += 1;
    }
    assert!(count == NODES);
    tree
}

/// Returns the length of the common prefix of two cell lists.
const fn same_cells(shape: &Orientation, other: usize) -> usize {
    let other = Orientation::from_index(other);
    let mut same = 0;
    while same < shape.size as usize && same < other.size as usize {
        let (one, two) = (shape.cells[same], other.cells[same]);
        if one.0 != two.0 || one.1 != two.1 {
            break;
        }
        same += 1;
    }
    same
}

/// Returns the orientations sorted by their cell lists, prefixes first.
const fn sorted() -> [usize; ORIENTATIONS] {
    let mut order = [0; ORIENTATIONS];
    let mut count = 0;
    while count < ORIENTATIONS {
        let mut index = count;
        while index > 0 && comes_before(count, order[index - 1]) {
            order[index] = order[index - 1];
            index -= 1;
        }
        order[index] = count;
        count += 1;
    }
    order
}

const fn comes_before(one: usize, other: usize) -> bool {
    let (one, other) = (Orientation::from_index(one), Orientation::from_index(other));
    let mut cell = 0;
    while cell < one.size as usize && cell < other.size as usize {
        let (a, b) = (one.cells[cell], other.cells[cell]);
        if a.0 != b.0 {
            return a.0 < b.0;
        }
        if a.1 != b.1 {
            return a.1 < b.1;
        }
        cell += 1;
    }
    one.size < other.size
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_contains_every_orientation() {
        let mut found = Vec::new();
        let mut cells = Vec::new();
        for node in &TREE.nodes[..NODES] {
            cells.truncate(node.depth as usize);
            assert_eq!(cells.len(), node.depth as usize);
            cells.push((node.offset % SHIFTED_ROWS as u8, node.offset / SHIFTED_ROWS as u8));
            if node.piece != 0 {
                let shape = Orientation::from_index(node.orientation as usize);
                assert_eq!(shape.cells(), cells);
                assert_eq!(node.piece, 1 << shape.piece.index());
                found.push(node.orientation);
            }
        }
        found.sort();
        assert!(found.into_iter().map(usize::from).eq(0..ORIENTATIONS));
    }
}
