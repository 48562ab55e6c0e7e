//! A position and the placement rules.

use super::board::{Board, Cell, Color};
use super::pieces::{Piece, connected_part, piece_of, pieces};
use super::variant::Variant;

/// Everything that a position's text describes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Position {
    pub(super) variant: Variant,
    pub(super) board: Board,
    /// The color to move; `None` if the game is over.
    pub(super) turn: Option<Color>,
    /// The colors that have placed all their pieces, the single square last, in the order of play.
    pub(super) bonus: Vec<Color>,
}

/// Why a placement is illegal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Refusal {
    NotAPiece,
    OffBoard,
    AlreadyPlaced,
    Occupied(Cell),
    OwnEdge(Cell),
    NoCorner,
    /// The first piece covers none of these start squares.
    NotOnStart(Vec<Cell>),
    GameOver,
}

impl Position {
    pub(super) fn start(variant: Variant) -> Position {
        let board = Board::empty(variant.side);
        let turn = Some(variant.colors[0]);
        Position { variant, board, turn, bonus: Vec::new() }
    }

    /// Returns the color's cells, grouped into parts that are connected by edges.
    pub(super) fn parts(&self, color: Color) -> Vec<Vec<Cell>> {
        let mut cells = self.board.cells_of(color);
        let mut parts = Vec::new();
        while !cells.is_empty() {
            let part = connected_part(&cells);
            cells.retain(|cell| !part.contains(cell));
            parts.push(part);
        }
        parts
    }

    /// Returns the pieces that the color has not placed, in table order.
    pub(super) fn left(&self, color: Color) -> Vec<&'static Piece> {
        let placed: Vec<&Piece> =
            self.parts(color).iter().filter_map(|part| piece_of(part)).collect();
        pieces().iter().filter(|piece| !placed.contains(piece)).collect()
    }

    fn has_placed(&self, color: Color) -> bool {
        !self.board.cells_of(color).is_empty()
    }

    /// Returns the empty cells of which the color's next piece must cover at least one: cells that
    /// touch the color at a corner but not at an edge, or the start squares before the first piece.
    pub(super) fn frontier(&self, color: Color) -> Vec<Cell> {
        if !self.has_placed(color) {
            let mut starts = self.variant.starts_of(color);
            starts.retain(|start| self.board.is_empty(*start));
            return starts;
        }
        let is_frontier = |cell: &Cell| {
            self.board.is_empty(*cell)
                && self.board.touches_corner(*cell, color)
                && !self.board.touches_edge(*cell, color)
        };
        self.board.cells().filter(is_frontier).collect()
    }

    /// Returns all legal placements of the color, whether it is to move or not.
    pub(super) fn placements(&self, color: Color) -> Vec<Vec<Cell>> {
        self.each_placement(color).collect()
    }

    /// Whether the color has a legal placement; a color without one is eliminated.
    pub(super) fn can_place(&self, color: Color) -> bool {
        self.each_placement(color).next().is_some()
    }

    /// Tries every orientation of every remaining piece, with its top left corner on every cell.
    fn each_placement(&self, color: Color) -> impl Iterator<Item = Vec<Cell>> {
        let starts = (!self.has_placed(color)).then(|| self.variant.starts_of(color));
        let orientations = self.left(color).into_iter().flat_map(|piece| &piece.orientations);
        let placements = orientations.flat_map(|orientation| {
            self.board.cells().map(move |corner| cells_from(orientation, corner))
        });
        placements
            .filter(move |cells| self.fits(cells, color, starts.as_deref()))
            .map(Iterator::collect)
    }

    /// Checks the three placement rules for the cells of a piece that the color has left. The
    /// corner rule, or for a color's first piece the start rule, rejects the most and is checked
    /// first.
    fn fits(
        &self,
        cells: &(impl Iterator<Item = Cell> + Clone),
        color: Color,
        starts: Option<&[Cell]>,
    ) -> bool {
        let board = &self.board;
        let touches_corner_or_start = match starts {
            Some(starts) => cells.clone().any(|cell| starts.contains(&cell)),
            None => cells.clone().any(|cell| board.touches_corner(cell, color)),
        };
        touches_corner_or_start
            && cells.clone().all(|cell| board.is_empty(cell))
            && !cells.clone().any(|cell| board.touches_edge(cell, color))
    }

    /// Returns the first reason why the cells may not be placed now, or `None` if they may. The
    /// cells are checked in the given order.
    pub(super) fn refusal(&self, cells: &[Cell]) -> Option<Refusal> {
        let board = &self.board;
        let Some(piece) = piece_of(cells) else {
            return Some(Refusal::NotAPiece);
        };
        if !cells.iter().all(|cell| board.has(*cell)) {
            return Some(Refusal::OffBoard);
        }
        if let Some(color) = self.turn
            && !self.left(color).contains(&piece)
        {
            return Some(Refusal::AlreadyPlaced);
        }
        if let Some(cell) = cells.iter().find(|cell| !board.is_empty(**cell)) {
            return Some(Refusal::Occupied(*cell));
        }
        let Some(color) = self.turn else {
            return Some(Refusal::GameOver);
        };
        if let Some(cell) = cells.iter().find(|cell| board.touches_edge(**cell, color)) {
            return Some(Refusal::OwnEdge(*cell));
        }
        if self.has_placed(color) {
            let touches = cells.iter().any(|cell| board.touches_corner(*cell, color));
            return (!touches).then_some(Refusal::NoCorner);
        }
        let starts = self.frontier(color);
        let covers = starts.iter().any(|start| cells.contains(start));
        (!covers).then_some(Refusal::NotOnStart(starts))
    }

    /// Returns the position after a legal placement of the color to move.
    pub(super) fn play(&self, cells: &[Cell], color: Color) -> Position {
        let mut next = self.clone();
        for cell in cells {
            next.board.put(*cell, color);
        }
        let single_square = piece_of(cells).is_some_and(Piece::is_single_square);
        if single_square && next.left(color).is_empty() {
            next.bonus.push(color);
            next.bonus.sort_by_key(|color| self.variant.index(*color));
        }
        let after = self.variant.colors_after(color);
        next.turn = after.into_iter().find(|color| next.can_place(*color));
        next
    }

    /// Returns the number of sequences of `depth` placements.
    pub(super) fn sequences(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let Some(color) = self.turn else {
            return 0;
        };
        let placements = self.placements(color);
        if depth == 1 {
            return placements.len() as u64;
        }
        placements.iter().map(|cells| self.play(cells, color).sequences(depth - 1)).sum()
    }
}

/// Returns the cells of an orientation with its top left corner on the given cell.
fn cells_from(orientation: &[Cell], (row, col): Cell) -> impl Iterator<Item = Cell> + Clone {
    orientation.iter().map(move |&(down, right)| (row + down, col + right))
}
