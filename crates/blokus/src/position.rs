//! Positions, and how placements change them.

use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use bytemuck::{Pod, Zeroable};
use fourfold_common::cpu::{self, Cpu, Work};

use crate::cell_set::{CellSet, ROWS};
use crate::pieces::{MAX_PIECE_SIZE, PIECES, Piece};
use crate::sink::{Count, Each, PlacementSink};
use crate::{
    Color, MAX_COLORS, Placement, PlacementList, Player, Refusal, Variant, movegen, zobrist,
};

/// A position of Blokus: plain data that is cheap to copy.
///
/// For each color it stores the cells it covers, the *free* cells it may still cover (those that
/// are empty and do not touch an edge of the color), and its *frontier*, the free cells that touch
/// a corner of the color. A placement is legal if all its cells are free and at least one is on the
/// frontier. Every placement updates these sets incrementally for all colors.
///
/// ```
/// use fourfold_blokus::{Color, Position, Variant};
///
/// let mut position = Position::start(Variant::CLASSIC);
/// assert_eq!(position.legal_moves().len(), 58);
/// position.play(position.parse_move("a20,a19,b19")?)?;
/// assert_eq!(position.frontier(Color::ALL[0]).len(), 2);
/// assert_eq!(position.turn(), Some(Color::ALL[1]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The bytes of a position are stable, so it can be stored and copied as such. Bytes from elsewhere
/// must be checked with [`Position::is_valid`]; without that, methods may panic.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Position {
    pub(crate) cells: [CellSet; MAX_COLORS],
    pub(crate) free: [CellSet; MAX_COLORS],
    pub(crate) frontier: [CellSet; MAX_COLORS],
    /// The pieces that each color has left, as bits.
    pub(crate) remaining: [u32; MAX_COLORS],
    pub(crate) key: u64,
    pub(crate) variant: Variant,
    /// The colors that get the bonus for placing all pieces with the single square last, as bits.
    pub(crate) bonus: u8,
    /// The colors known to be eliminated, that is, unable to place a piece ever again, as bits.
    pub(crate) eliminated: u8,
    /// The index of the color to move, or `NO_COLOR`.
    turn: u8,
    padding: [u8; 2],
}

/// Marks that no color is to move.
const NO_COLOR: u8 = 255;

/// The last row of a set, which is never on the board.
const PADDING: usize = ROWS - 1;

/// All pieces, as bits.
pub(crate) const ALL_PIECES: u32 = (1 << PIECES) - 1;

impl Position {
    /// Returns the start position.
    pub fn start(variant: Variant) -> Position {
        let mut position = Position::empty(variant);
        position.set_turn(Some(Color(0)));
        position
    }

    /// Returns an empty board with no color to move.
    pub(crate) fn empty(variant: Variant) -> Position {
        let board = CellSet::full(variant.size());
        let mut position = Position {
            cells: [CellSet::EMPTY; MAX_COLORS],
            free: [CellSet::EMPTY; MAX_COLORS],
            frontier: [CellSet::EMPTY; MAX_COLORS],
            remaining: [0; MAX_COLORS],
            key: zobrist::none(),
            variant,
            bonus: 0,
            eliminated: 0,
            turn: NO_COLOR,
            padding: [0; 2],
        };
        for color in variant.colors() {
            position.free[color.index()] = board;
            position.remaining[color.index()] = ALL_PIECES;
            position.frontier[color.index()] = position.starts(color);
        }
        position
    }

    /// Returns whether the bytes of this value form a position that a game can reach. This is true
    /// for every position that was not made from bytes.
    pub fn is_valid(&self) -> bool {
        let has_turn = |turn: Color| turn.0 < self.variant.colors().len() as u8;
        if !self.variant.is_valid() || !self.turn().is_none_or(has_turn) {
            return false;
        }
        // Reading the text computes everything that is derived. It finds all colors that are
        // eliminated, while a game knows only those whose turn has come.
        Position::parse(&self.to_string()).is_ok_and(|position| {
            let known = self.eliminated & position.eliminated;
            *self == Position { eliminated: known, ..position }
        })
    }

    /// Returns the cells on which a color may begin, whether or not they are empty.
    pub(crate) fn starts(&self, color: Color) -> CellSet {
        let mut starts = CellSet::EMPTY;
        for other in self.variant.colors() {
            if other == color || self.variant.has_free_starts() {
                let (row, column) = self.variant.start(other);
                starts.insert(row, column);
            }
        }
        starts
    }

    /// Returns the variant.
    #[inline(always)]
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// Returns the color to move, or `None` if the game is over.
    #[inline(always)]
    pub const fn turn(&self) -> Option<Color> {
        if self.turn == NO_COLOR { None } else { Some(Color(self.turn)) }
    }

    /// Returns the player to move, or `None` if the game is over.
    pub fn player_to_move(&self) -> Option<Player> {
        let color = self.turn()?;
        Some(self.variant.placing_player(color, self.placed(color)))
    }

    /// Returns the same board with another color to move, or `None` if that color cannot place a
    /// piece.
    pub fn with_turn(&self, color: Color) -> Option<Position> {
        if !self.has_legal_move(color) {
            return None;
        }
        let mut position = *self;
        position.set_turn(Some(color));
        Some(position)
    }

    /// Returns the cells that a color covers.
    pub fn cells(&self, color: Color) -> &CellSet {
        &self.cells[color.index()]
    }

    /// Returns the cells that a color may still cover.
    pub fn free(&self, color: Color) -> &CellSet {
        &self.free[color.index()]
    }

    /// Returns the free cells that touch a corner of a color. Before the first placement of the
    /// color, these are its empty start squares.
    pub fn frontier(&self, color: Color) -> &CellSet {
        &self.frontier[color.index()]
    }

    /// Returns the color on a cell, or `None` if the cell is empty.
    pub fn color_at(&self, row: usize, column: usize) -> Option<Color> {
        self.variant.colors().find(|&color| self.cells[color.index()].contains(row, column))
    }

    /// Returns whether a piece is among those that a color has left.
    #[inline(always)]
    pub fn has(&self, color: Color, piece: Piece) -> bool {
        self.remaining[color.index()] >> piece.index() & 1 != 0
    }

    /// Returns the pieces that a color has left.
    pub fn remaining(&self, color: Color) -> impl Iterator<Item = Piece> + '_ {
        Piece::all().filter(move |&piece| self.has(color, piece))
    }

    /// Returns the pieces that a color has left, as bits by index.
    #[inline(always)]
    pub const fn remaining_bits(&self, color: Color) -> u32 {
        self.remaining[color.index()]
    }

    /// Returns the number of pieces that a color has placed.
    pub fn placed(&self, color: Color) -> usize {
        PIECES - self.remaining[color.index()].count_ones() as usize
    }

    /// Returns whether a color is eliminated: it cannot place a piece now, and never will again.
    #[inline(always)]
    pub fn is_eliminated(&self, color: Color) -> bool {
        self.eliminated & color.bit() != 0 || !self.has_legal_move(color)
    }

    /// Returns whether a color was found to be eliminated when its turn came. Unlike [`Position::is_eliminated`],
    /// does not search for a placement.
    #[inline(always)]
    pub const fn is_known_eliminated(&self, color: Color) -> bool {
        self.eliminated & color.bit() != 0
    }

    /// Returns the Zobrist key, which covers the board and the color to move.
    #[inline(always)]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// Returns the basic score of a color: minus one for each square of the pieces it has left.
    #[inline(always)]
    pub fn basic_score(&self, color: Color) -> i32 {
        let squares = (1..).zip(Piece::BY_SIZE).map(|(size, pieces): (i32, u32)| {
            size * (self.remaining[color.index()] & pieces).count_ones() as i32
        });
        -squares.sum::<i32>()
    }

    /// Returns the advanced score of a color: the basic score, plus 15 for placing all pieces, plus
    /// another 5 if the single square was placed last.
    #[inline(always)]
    pub fn advanced_score(&self, color: Color) -> i32 {
        let all = if self.remaining[color.index()] == 0 { 15 } else { 0 };
        let single = if self.bonus & color.bit() != 0 { 5 } else { 0 };
        self.basic_score(color) + all + single
    }

    /// Returns the advanced scores of the players, summed over the colors they own. A shared color
    /// does not count.
    pub fn player_scores(&self) -> Vec<i32> {
        let mut scores = vec![0; self.variant.players().len()];
        for color in self.variant.colors() {
            if let Some(player) = self.variant.owner(color) {
                scores[player.index()] += self.advanced_score(color);
            }
        }
        scores
    }

    /// Returns the players with the highest score, or none while the game is in progress.
    pub fn winners(&self) -> Vec<Player> {
        if self.turn().is_some() {
            return Vec::new();
        }
        let scores = self.player_scores();
        let best = scores.iter().copied().max();
        self.variant.players().filter(|player| Some(scores[player.index()]) == best).collect()
    }

    /// Plays a placement of the color to move.
    ///
    /// # Errors
    /// Returns the rule that the placement breaks. The position is then unchanged.
    pub fn play(&mut self, placement: Placement) -> Result<(), Refusal> {
        match self.refusal(placement) {
            None => {
                self.play_unchecked(placement);
                Ok(())
            }
            Some(refusal) => Err(refusal),
        }
    }

    /// Plays a placement without checking that it is legal.
    ///
    /// An illegal placement leads to a wrong position, but never to undefined behavior.
    #[inline(always)]
    pub fn play_unchecked(&mut self, placement: Placement) {
        debug_assert!(self.is_legal(placement), "{placement:?} is not legal in {self}");
        if let Some(color) = self.turn() {
            self.place(color, placement);
            self.pass_turn(color);
        }
    }

    /// Plays a placement like [`Position::play_unchecked`], but passes the turn to the next color that is not known to
    /// be eliminated, without a search for its placements. If it has none, call [`Position::eliminate`], until the
    /// color to move has one or the game is over.
    #[inline(always)]
    pub fn play_unsettled(&mut self, placement: Placement) {
        if let Some(color) = self.turn() {
            self.place(color, placement);
            self.set_turn(self.next_known(color));
        }
    }

    /// Eliminates the color to move, and passes the turn to the next one that is not known to be eliminated.
    #[inline(always)]
    pub fn eliminate(&mut self) {
        if let Some(color) = self.turn() {
            self.eliminated |= color.bit();
            self.set_turn(self.next_known(color));
        }
    }

    /// Returns the first color after this one, or the color itself, that is not known to be eliminated.
    #[inline(always)]
    fn next_known(&self, color: Color) -> Option<Color> {
        let colors = self.variant.colors().len() as u32;
        let all = (1 << colors) - 1;
        let left = all & !u32::from(self.eliminated);
        // The colors from the next one on in the lowest bits.
        let from = color.0 as u32 + 1;
        let rotated = (left >> from | left << (colors - from)) & all;
        let next = from + rotated.trailing_zeros();
        (rotated != 0).then(|| Color(if next >= colors { next - colors } else { next } as u8))
    }

    /// Returns the position after a legal placement.
    pub fn after(&self, placement: Placement) -> Position {
        let mut after = *self;
        after.play_unchecked(placement);
        after
    }

    /// Places a piece: its cells are no longer free for any color, the cells at its edges are no
    /// longer free for `color`, and the free cells at its corners join the frontier of `color`.
    #[inline(always)]
    pub(crate) fn place(&mut self, color: Color, placement: Placement) {
        let top = placement.row();
        let rows = placement.rows();
        let first = self.remaining[color.index()] == ALL_PIECES;
        // Below and in the next loop, rows are read before any is written, so that a GPU does not wait for each of
        // them. Rows off the board are replaced by the last one, where nothing changes.
        for other in self.variant.colors() {
            let (free, frontier) =
                (&mut self.free[other.index()].0, &mut self.frontier[other.index()].0);
            let changed: [(u32, u32); MAX_PIECE_SIZE] = core::array::from_fn(|row| {
                let index = (top + row).min(PADDING);
                (free[index] & !rows[row], frontier[index] & !rows[row])
            });
            for (row, &changed) in changed.iter().enumerate() {
                let index = (top + row).min(PADDING);
                (free[index], frontier[index]) = changed;
            }
        }
        if first {
            self.frontier[color.index()] = CellSet::EMPTY;
        }
        // The rows from one above the piece to one below it.
        let at = |row: usize| if (1..=MAX_PIECE_SIZE).contains(&row) { rows[row - 1] } else { 0 };
        let (cells, free, frontier) = (
            &mut self.cells[color.index()].0,
            &mut self.free[color.index()].0,
            &mut self.frontier[color.index()].0,
        );
        let changed: [(u32, u32, u32); MAX_PIECE_SIZE + 2] = core::array::from_fn(|row| {
            let index = (top + row).wrapping_sub(1).min(PADDING);
            let (above, here) = (if row > 0 { at(row - 1) } else { 0 }, at(row));
            let beside = above | at(row + 1);
            let free = free[index] & !(beside | here << 1 | here >> 1);
            let corners = beside << 1 | beside >> 1;
            (cells[index] | here, free, (frontier[index] | corners) & free)
        });
        for (row, &changed) in changed.iter().enumerate() {
            let index = (top + row).wrapping_sub(1).min(PADDING);
            (cells[index], free[index], frontier[index]) = changed;
        }
        let piece = placement.piece();
        self.remaining[color.index()] &= !(1 << piece.index());
        if self.remaining[color.index()] == 0 && piece == Piece::SINGLE {
            self.bonus |= color.bit();
        }
        self.key ^= zobrist::placement(color, placement);
    }

    /// Passes the turn to the next color that can place a piece. Colors that cannot are eliminated.
    #[inline(always)]
    pub(crate) fn pass_turn(&mut self, color: Color) {
        let colors = self.variant.colors().len() as u8;
        let mut next = color;
        let mut turn = None;
        for _ in 0..colors {
            next = Color(if next.0 + 1 == colors { 0 } else { next.0 + 1 });
            if self.eliminated & next.bit() == 0 {
                if self.has_legal_move(next) {
                    turn = Some(next);
                    break;
                }
                self.eliminated |= next.bit();
            }
        }
        self.set_turn(turn);
    }

    pub(crate) fn set_turn(&mut self, turn: Option<Color>) {
        self.key ^= self.turn().map_or(zobrist::none(), zobrist::turn);
        self.key ^= turn.map_or(zobrist::none(), zobrist::turn);
        self.turn = turn.map_or(NO_COLOR, |color| color.0);
    }

    /// Returns the legal placements of the color to move in the order of their dense indices, or
    /// none if the game is over.
    pub fn legal_moves(&self) -> Vec<Placement> {
        self.turn().map_or(Vec::new(), |color| self.legal_moves_of(color))
    }

    /// Returns the legal placements of any color in the order of their dense indices.
    pub fn legal_moves_of(&self, color: Color) -> Vec<Placement> {
        let mut list = Vec::new();
        self.generate(color, &mut Each(|placement| list.push(placement)));
        list.sort_unstable();
        list
    }

    /// Replaces the contents of `list` with the legal placements of the color to move, in
    /// unspecified order.
    pub fn legal_moves_into(&self, list: &mut PlacementList) {
        list.clear();
        if let Some(color) = self.turn() {
            self.generate(color, list);
        }
    }

    /// Returns the number of legal placements of the color to move.
    pub fn count_legal(&self) -> usize {
        let mut count = Count(0);
        if let Some(color) = self.turn() {
            self.generate(color, &mut count);
        }
        count.0 as usize
    }

    /// Sends the legal placements of a color to a sink, grouped by orientation and row, in unspecified
    /// order.
    pub fn generate<S: PlacementSink>(&self, color: Color, sink: &mut S) {
        struct Generate<'a, S>(&'a Position, Color, &'a mut S);

        impl<S: PlacementSink> Work for Generate<'_, S> {
            type Output = ();

            #[inline(always)]
            fn run<C: Cpu>(self, _: C) {
                movegen::generate(self.0, self.1, self.2);
            }
        }

        cpu::dispatch(Generate(self, color, sink));
    }

    /// Like [`Position::generate`], for callers that have already called [`cpu::dispatch`].
    #[inline(always)]
    pub fn generate_inline<S: PlacementSink>(&self, color: Color, sink: &mut S) {
        movegen::generate(self, color, sink);
    }

    /// Returns whether a color can place a piece. Stops at the first placement found.
    #[inline(always)]
    pub fn has_legal_move(&self, color: Color) -> bool {
        self.any_legal_move(color).is_some()
    }

    /// Returns the first legal placement found for a color, trying the single square first.
    #[inline(always)]
    pub fn any_legal_move(&self, color: Color) -> Option<Placement> {
        movegen::any(self, color)
    }
}
