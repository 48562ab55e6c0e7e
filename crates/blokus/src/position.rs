//! A position of Blokus, and playing on it.

use fourfold_board::cpu;

use crate::generate::{Collect, Count, Each, Generator, PlacementSink};
use crate::pieces::{LARGEST, PIECES, Piece};
use crate::rows::{ROWS, Rows};
use crate::{
    MAX_COLORS, Placement, PlacementList, Refusal, Variant, frontier, naive, parallel, zobrist,
};

/// A position of Blokus: plain data, cheap to copy.
///
/// Each colour has its cells, the cells that it may still cover (`free`: empty, and touching no edge
/// of its own), and among them its *frontier*, those that touch one of its corners: a placement is
/// legal if all its cells are free and one is on the frontier. Both are kept up to date by every
/// placement of every colour.
///
/// ```
/// use fourfold_blokus::{Position, Variant};
///
/// let mut position = Position::start(Variant::CLASSIC);
/// assert_eq!(position.legal().len(), 58);
/// position.play(position.parse_move("a20,a19,b19")?)?;
/// assert_eq!(position.frontier(0).len(), 2);
/// assert_eq!(position.turn(), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    pub(crate) cells: [Rows; MAX_COLORS],
    pub(crate) free: [Rows; MAX_COLORS],
    pub(crate) frontier: [Rows; MAX_COLORS],
    /// The pieces that each colour has left, as bits.
    pub(crate) left: [u32; MAX_COLORS],
    pub(crate) key: u64,
    pub(crate) variant: Variant,
    /// Colours that have placed all, the single square last, as bits.
    pub(crate) bonus: u8,
    /// Colours known to be out, as bits.
    pub(crate) out: u8,
    pub(crate) turn: Option<u8>,
}

/// All pieces, as bits.
pub(crate) const ALL_PIECES: u32 = (1 << PIECES) - 1;

/// All that is needed to take a placement back.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    before: Position,
}

impl Position {
    /// The start of a game.
    pub fn start(variant: Variant) -> Position {
        let mut position = Position::empty(variant);
        position.give_turn(Some(0));
        position
    }

    /// An empty board; nobody is to move yet.
    pub(crate) fn empty(variant: Variant) -> Position {
        let board = Rows::board(variant.size());
        let mut position = Position {
            cells: [Rows::EMPTY; MAX_COLORS],
            free: [Rows::EMPTY; MAX_COLORS],
            frontier: [Rows::EMPTY; MAX_COLORS],
            left: [0; MAX_COLORS],
            key: zobrist::none(),
            variant,
            bonus: 0,
            out: 0,
            turn: None,
        };
        for color in 0..variant.colors() {
            position.free[color] = board;
            position.left[color] = ALL_PIECES;
            position.frontier[color] = position.starts(color);
        }
        position
    }

    /// The cells, empty or not, on which a colour may begin.
    pub(crate) fn starts(&self, color: usize) -> Rows {
        let mut starts = Rows::EMPTY;
        for other in 0..self.variant.colors() {
            if other == color || self.variant.has_free_starts() {
                let (row, column) = self.variant.start(other);
                starts.insert(row, column);
            }
        }
        starts
    }

    /// What is played.
    #[inline(always)]
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// The colour to place next; nothing when the game is over.
    #[inline(always)]
    pub fn turn(&self) -> Option<usize> {
        self.turn.map(usize::from)
    }

    /// The player who places next.
    pub fn mover(&self) -> Option<usize> {
        let color = self.turn()?;
        Some(self.variant.mover(color, self.placed(color)))
    }

    /// The same board in another colour's turn; nothing if it cannot place.
    pub fn with_turn(&self, color: usize) -> Option<Position> {
        if color >= self.variant.colors() || !self.can_place(color) {
            return None;
        }
        let mut position = *self;
        position.give_turn(Some(color as u8));
        Some(position)
    }

    /// A colour's cells.
    pub fn cells(&self, color: usize) -> &Rows {
        &self.cells[color]
    }

    /// The cells that a colour may still cover.
    pub fn free(&self, color: usize) -> &Rows {
        &self.free[color]
    }

    /// The free cells that touch a corner of a colour; before its first placement its start square,
    /// while that is empty.
    pub fn frontier(&self, color: usize) -> &Rows {
        &self.frontier[color]
    }

    /// The colour on a cell.
    pub fn color_at(&self, row: usize, column: usize) -> Option<usize> {
        (0..self.variant.colors()).find(|&color| self.cells[color].contains(row, column))
    }

    /// Whether a colour has a piece left.
    #[inline(always)]
    pub fn has(&self, color: usize, piece: Piece) -> bool {
        self.left[color] >> piece.number() & 1 != 0
    }

    /// The pieces that a colour has left.
    pub fn left(&self, color: usize) -> impl Iterator<Item = Piece> + '_ {
        Piece::all().filter(move |&piece| self.has(color, piece))
    }

    /// How many pieces a colour has placed.
    pub fn placed(&self, color: usize) -> usize {
        PIECES - self.left[color].count_ones() as usize
    }

    /// Whether a colour has nothing left to place, now or later.
    #[inline(always)]
    pub fn is_out(&self, color: usize) -> bool {
        self.out >> color & 1 != 0 || !self.can_place(color)
    }

    /// The Zobrist key of board, pieces and turn.
    #[inline(always)]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// The score of a colour without bonuses: minus the squares that it has left.
    #[inline(always)]
    pub fn basic_score(&self, color: usize) -> i32 {
        let squares = (1..).zip(Piece::BY_SIZE).map(|(size, pieces): (i32, u32)| {
            size * (self.left[color] & pieces).count_ones() as i32
        });
        -squares.sum::<i32>()
    }

    /// The score of a colour: 15 more for placing all pieces, and 5 more if the single square was
    /// last.
    #[inline(always)]
    pub fn advanced_score(&self, color: usize) -> i32 {
        let all = if self.left[color] == 0 { 15 } else { 0 };
        let single = if self.bonus >> color & 1 != 0 { 5 } else { 0 };
        self.basic_score(color) + all + single
    }

    /// The advanced scores of the players: of all their colours, without a shared one.
    pub fn player_scores(&self) -> Vec<i32> {
        let mut scores = vec![0; self.variant.players()];
        for color in 0..self.variant.colors() {
            if let Some(player) = self.variant.owner(color) {
                scores[player] += self.advanced_score(color);
            }
        }
        scores
    }

    /// The players who have won; nobody while the game goes on.
    pub fn winners(&self) -> Vec<usize> {
        if self.turn.is_some() {
            return Vec::new();
        }
        let scores = self.player_scores();
        let best = scores.iter().copied().max();
        (0..scores.len()).filter(|&player| Some(scores[player]) == best).collect()
    }

    /// Plays a placement of the colour in turn.
    ///
    /// # Errors
    /// The rule that it breaks; the position is then unchanged.
    pub fn play(&mut self, placement: Placement) -> Result<(), Refusal> {
        match self.refusal(placement) {
            None => {
                self.play_unchecked(placement);
                Ok(())
            }
            Some(refusal) => Err(refusal),
        }
    }

    /// Plays a placement that is legal here.
    ///
    /// Another one leaves a wrong position behind, never undefined behaviour.
    #[inline(always)]
    pub fn play_unchecked(&mut self, placement: Placement) {
        debug_assert!(self.is_legal(placement), "{placement:?} is not legal in {self}");
        if let Some(color) = self.turn() {
            self.place(color, placement);
            self.pass_turn(color);
        }
    }

    /// The position after a placement that is legal here.
    pub fn after(&self, placement: Placement) -> Position {
        let mut after = *self;
        after.play_unchecked(placement);
        after
    }

    /// Plays a placement that is legal here and tells how to take it back.
    pub fn make(&mut self, placement: Placement) -> Undo {
        let undo = Undo { before: *self };
        self.play_unchecked(placement);
        undo
    }

    /// Takes back the latest placement made.
    pub fn unmake(&mut self, undo: Undo) {
        *self = undo.before;
    }

    /// Puts a colour's piece on the board: its cells are free for nobody, the cells at its edges not
    /// for its own colour, and those at its corners become frontier.
    #[inline(always)]
    pub(crate) fn place(&mut self, color: usize, placement: Placement) {
        let top = placement.row();
        let rows = placement.rows();
        let first = self.left[color] == ALL_PIECES;
        for other in 0..self.variant.colors() {
            for (row, &bits) in rows.iter().enumerate() {
                self.free[other].0[(top + row) % ROWS] &= !bits;
                self.frontier[other].0[(top + row) % ROWS] &= !bits;
            }
        }
        if first {
            self.frontier[color] = Rows::EMPTY;
        }
        // Rows from one above the piece to one below it.
        let at = |row: usize| if (1..=LARGEST).contains(&row) { rows[row - 1] } else { 0 };
        for row in 0..LARGEST + 2 {
            let Some(place) = (top + row).checked_sub(1).filter(|&place| place < ROWS) else {
                continue;
            };
            let (above, here) = (if row > 0 { at(row - 1) } else { 0 }, at(row));
            let beside = above | at(row + 1);
            let free = self.free[color].0[place] & !(beside | here << 1 | here >> 1);
            self.free[color].0[place] = free;
            let corners = beside << 1 | beside >> 1;
            self.frontier[color].0[place] = (self.frontier[color].0[place] | corners) & free;
            self.cells[color].0[place] |= here;
        }
        let piece = placement.piece();
        self.left[color] &= !(1 << piece.number());
        if self.left[color] == 0 && piece == Piece::SINGLE {
            self.bonus |= 1 << color;
        }
        self.key ^= zobrist::placement(color, placement);
    }

    /// Gives the turn to the next colour that can place; colours that cannot are out.
    #[inline(always)]
    pub(crate) fn pass_turn(&mut self, color: usize) {
        let colors = self.variant.colors();
        let mut next = color;
        let mut turn = None;
        for _ in 0..colors {
            next = if next + 1 == colors { 0 } else { next + 1 };
            if self.out >> next & 1 == 0 {
                if self.can_place(next) {
                    turn = Some(next as u8);
                    break;
                }
                self.out |= 1 << next;
            }
        }
        self.give_turn(turn);
    }

    pub(crate) fn give_turn(&mut self, turn: Option<u8>) {
        self.key ^= self.turn.map_or(zobrist::none(), |color| zobrist::turn(color as usize));
        self.key ^= turn.map_or(zobrist::none(), |color| zobrist::turn(color as usize));
        self.turn = turn;
    }

    /// The legal placements of the colour in turn, by their numbers; none when the game is over.
    pub fn legal(&self) -> Vec<Placement> {
        self.turn().map_or(Vec::new(), |color| self.legal_of(color, Generator::default()))
    }

    /// The legal placements of any colour, as one of the generators finds them.
    pub fn legal_of(&self, color: usize, generator: Generator) -> Vec<Placement> {
        let mut list = Vec::new();
        self.generate(color, generator, &mut |placement| list.push(placement));
        list.sort_unstable();
        list
    }

    /// Puts the legal placements of the colour in turn in place of those in a list, in no certain
    /// order.
    pub fn legal_into(&self, list: &mut PlacementList) {
        list.clear();
        if let Some(color) = self.turn() {
            self.collect(color, list);
        }
    }

    /// How many placements are legal.
    pub fn count_legal(&self) -> u64 {
        let mut count = Count(0);
        if let Some(color) = self.turn() {
            self.collect(color, &mut count);
        }
        count.0
    }

    /// Sends the legal placements of a colour to a function, in no certain order.
    pub fn generate(&self, color: usize, generator: Generator, each: &mut dyn FnMut(Placement)) {
        match generator {
            Generator::Naive => naive::generate(&self.grid(), color, each),
            Generator::Frontier => frontier::generate(self, color, each),
            Generator::Parallel => self.collect(color, &mut Each(each)),
        }
    }

    /// Sends the legal placements of a colour to a sink, in rows of one orientation.
    pub fn collect<S: PlacementSink>(&self, color: usize, sink: &mut S) {
        cpu::enter(Collect { position: self, color, sink });
    }

    /// The same for callers who have entered the [`cpu`] already.
    #[inline(always)]
    pub fn legal_rows<S: PlacementSink>(&self, color: usize, sink: &mut S) {
        parallel::generate(self, color, sink);
    }

    /// Whether a colour can place anything: stops at the first placement found.
    #[inline(always)]
    pub fn can_place(&self, color: usize) -> bool {
        self.some_legal(color).is_some()
    }

    /// Some legal placement of a colour: the first one found, among the small pieces.
    #[inline(always)]
    pub fn some_legal(&self, color: usize) -> Option<Placement> {
        parallel::some(self, color)
    }
}
