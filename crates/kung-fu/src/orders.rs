//! Orders: which are legal, why others are refused, and their effects.

use alloc::vec::Vec;

use fourfold_board::KNIGHT_LEAPS;
use fourfold_common::ensure;
use thiserror::Error;

use crate::board::{Bitboard, Cell, Side};
use crate::game::{NO_PIECE, bit_indices};
use crate::piece::{Piece, Status, squares};
use crate::{Game, PieceId, Player, Role};

/// An order to move a piece to a square. For castling, the king is ordered two squares toward the
/// rook.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Order {
    /// The piece to move.
    pub piece: PieceId,
    /// The target.
    pub to: Cell,
}

/// What an accepted order does.
enum Effect {
    Move(Order),
    Castle { king: Order, rook: Order },
}

impl Game {
    /// Orders a player's piece to a row and column. The order is checked on the current state, and
    /// the piece starts on the next tick.
    ///
    /// # Errors
    /// Returns the first reason against the order; the game is then unchanged.
    pub fn order(&mut self, player: Player, piece: PieceId, to: (i32, i32)) -> Result<(), Refusal> {
        match self.check_order(player, piece, to)? {
            Effect::Move(order) => self.start_move(order, None),
            Effect::Castle { king, rook } => {
                self.start_move(king, None);
                self.start_move(rook, Some(king.piece));
            }
        }
        self.last_order = self.tick;
        Ok(())
    }

    /// Returns why an order would be refused, or `None` if it is legal.
    pub fn refusal(&self, player: Player, piece: PieceId, to: (i32, i32)) -> Option<Refusal> {
        self.check_order(player, piece, to).err()
    }

    /// Makes a piece leave its square. It starts to move on the next tick.
    fn start_move(&mut self, Order { piece: PieceId(index), to }: Order, king: Option<PieceId>) {
        let index = index as usize;
        let ticks_per_square = u64::from(self.rules().speed.ticks_per_square);
        let piece = &mut self.pieces[index];
        let start = self.tick + 1;
        let arrive = start + squares(piece.role(), piece.at, to) * ticks_per_square;
        piece.set_status(Status::Moving { to, start, arrive, king });
        piece.set_moved(true);
        self.standing[piece.at.0 as usize] = NO_PIECE;
        self.flying |= 1 << index;
        self.first_events[index] = self.first_event(index);
        self.next_event = self.next_event.min(self.first_events[index]);
    }

    fn check_order(
        &self,
        player: Player,
        id: PieceId,
        (row, column): (i32, i32),
    ) -> Result<Effect, Refusal> {
        ensure!(self.outcome().is_none(), Refusal::GameOver);
        ensure!(!self.is_closed(), Refusal::TickClosed);
        ensure!(self.rules().players.contains(player), Refusal::NotPlaying);
        ensure!(!self.eliminated.contains(player), Refusal::Eliminated);
        let piece = self.piece(id).ok_or(Refusal::NoPiece)?;
        ensure!(piece.player == player, Refusal::NotYourPiece);
        match piece.status() {
            Status::Gone => return Err(Refusal::Captured),
            Status::Moving { .. } => return Err(Refusal::Moving),
            Status::Resting { .. } => return Err(Refusal::Resting),
            Status::Standing => {}
        }
        let here = (i32::from(piece.at.row()), i32::from(piece.at.column()));
        ensure!((row, column) != here, Refusal::SameSquare);
        let side = 0..self.rules().board.size() as i32;
        ensure!(side.contains(&row) && side.contains(&column), Refusal::OffBoard);
        let to = Cell::on(self.rules().board, row, column).ok_or(Refusal::CutCorner)?;
        let order = Order { piece: id, to };
        match piece.role() {
            Role::Pawn => self.check_pawn(piece, to)?,
            Role::Knight => self.check_knight(piece, to)?,
            Role::King => {
                if let Some(rook) = self.check_king(piece, to)? {
                    return Ok(Effect::Castle { king: order, rook });
                }
            }
            Role::Bishop | Role::Rook | Role::Queen => self.check_slider(piece, to)?,
        }
        Ok(Effect::Move(order))
    }

    fn check_slider(&self, piece: &Piece, to: Cell) -> Result<(), Refusal> {
        let (down, right) = piece.at.to(to);
        let orthogonal = down == 0 || right == 0;
        let diagonal = down.unsigned_abs() == right.unsigned_abs();
        let fits = match piece.role() {
            Role::Rook => orthogonal,
            Role::Bishop => diagonal,
            Role::Queen | Role::King | Role::Knight | Role::Pawn => orthogonal || diagonal,
        };
        ensure!(fits, Refusal::Geometry);
        let step = (down.signum(), right.signum());
        let mut cell = piece.at.step(step);
        while cell != to {
            let open = cell.exists(self.rules().board) && !self.is_occupied(cell);
            ensure!(open, Refusal::Blocked);
            cell = cell.step(step);
        }
        let squares = down.unsigned_abs().max(right.unsigned_abs());
        ensure!(!self.is_path_reserved(piece, step, squares), Refusal::Blocked);
        self.check_end(piece, to)
    }

    /// Checks that a piece may end its move there, as far as standing pieces are concerned.
    fn check_end(&self, piece: &Piece, to: Cell) -> Result<(), Refusal> {
        let own = self.piece_on(to).is_some_and(|other| self.same_team(piece.player, other.player));
        ensure!(!own, Refusal::Blocked);
        Ok(())
    }

    /// Returns whether one of the squares that a piece reaches with up to so many steps is reserved for the
    /// player's side.
    fn is_path_reserved(&self, piece: &Piece, step: (i8, i8), steps: u8) -> bool {
        let Cell(start) = piece.at;
        let Cell(stride) = Cell(0).step(step);
        let is_on_path = |Cell(cell): Cell| {
            (1..=steps).any(|steps| start.wrapping_add(stride.wrapping_mul(steps)) == cell)
        };
        let mut is_reserved = false;
        self.for_each_reserved(piece.player, |cell| is_reserved |= is_on_path(cell));
        is_reserved
    }

    fn check_knight(&self, piece: &Piece, to: Cell) -> Result<(), Refusal> {
        let leap = piece.at.to(to);
        let (down, right) = (leap.0.unsigned_abs(), leap.1.unsigned_abs());
        ensure!(down.min(right) == 1 && down.max(right) == 2, Refusal::Geometry);
        ensure!(!self.is_path_reserved(piece, leap, 1), Refusal::Blocked);
        self.check_end(piece, to)
    }

    fn check_pawn(&self, piece: &Piece, to: Cell) -> Result<(), Refusal> {
        let side = Side::of(self.rules().board, piece.player);
        let (down, right) = side.forward;
        let one = piece.at.step(side.forward);
        let two = one.step(side.forward);
        if to == one || to == two && side.pawns.contains(piece.at) {
            let is_free = !self.is_occupied(one) && !self.is_occupied(to);
            let steps = if to == one { 1 } else { 2 };
            let is_reserved = self.is_path_reserved(piece, side.forward, steps);
            ensure!(is_free && !is_reserved, Refusal::Blocked);
            return Ok(());
        }
        let diagonals = [one.step((right, down)), one.step((-right, -down))];
        let captures = diagonals.contains(&to)
            && self.piece_on(to).is_some_and(|other| !self.same_team(piece.player, other.player));
        ensure!(captures, Refusal::Geometry);
        ensure!(!self.is_path_reserved(piece, piece.at.to(to), 1), Refusal::Blocked);
        Ok(())
    }

    /// Checks a king's move. Returns the order of the rook if it is castling.
    fn check_king(&self, piece: &Piece, to: Cell) -> Result<Option<Order>, Refusal> {
        let (down, right) = piece.at.to(to);
        let side = Side::of(self.rules().board, piece.player);
        if down.unsigned_abs().max(right.unsigned_abs()) == 1 {
            ensure!(!self.is_path_reserved(piece, (down, right), 1), Refusal::Blocked);
            self.check_end(piece, to)?;
            return Ok(None);
        }
        let two = (down, right) == (2 * down.signum(), 2 * right.signum());
        ensure!(two && side.back.contains(piece.at) && side.back.contains(to), Refusal::Geometry);
        self.castling(piece, side, (down.signum(), right.signum())).map(Some)
    }

    /// Returns the order of the rook if a king, standing on its back line and not resting, can
    /// castle in a direction.
    pub(crate) fn castling(
        &self,
        king: &Piece,
        side: &Side,
        step: (i8, i8),
    ) -> Result<Order, Refusal> {
        let ascends = step.0 + step.1 > 0;
        let home = side.back.cell(side.ends[usize::from(ascends)]);
        let rook = self.standing[home.0 as usize];
        ensure!(!king.moved() && rook != NO_PIECE, Refusal::Castling);
        let piece = &self.pieces[rook as usize];
        let fits = piece.role() == Role::Rook
            && piece.player == king.player
            && !piece.moved()
            && piece.status() == Status::Standing;
        let (down, right) = king.at.to(home);
        let beyond = (down.signum(), right.signum()) == step;
        ensure!(fits && beyond && squares(Role::Rook, king.at, home) >= 3, Refusal::Castling);
        let crossed = king.at.step(step);
        let mut cell = crossed;
        while cell != home {
            ensure!(!self.is_occupied(cell), Refusal::Castling);
            cell = cell.step(step);
        }
        let is_between = |cell: Cell| {
            let (first, last) = (king.at.min(home), king.at.max(home));
            side.back.contains(cell) && first < cell && cell < last
        };
        let mut flying = bit_indices(self.flying).map(|index| self.pieces[index].status());
        let ends_between = |status| matches!(status, Status::Moving { to, .. } if is_between(to));
        ensure!(!flying.any(ends_between), Refusal::Castling);
        Ok(Order { piece: PieceId(rook), to: crossed })
    }

    /// Calls `visit` with the squares that are reserved for a player's side: the targets of its pieces in
    /// flight, and the home squares of castling rooks.
    #[inline(always)]
    pub(crate) fn for_each_reserved(&self, player: Player, mut visit: impl FnMut(Cell)) {
        for index in bit_indices(self.flying) {
            let piece = &self.pieces[index];
            if let Status::Moving { to, king, .. } = piece.status()
                && self.same_team(player, piece.player)
            {
                visit(to);
                if king.is_some() {
                    visit(piece.at);
                }
            }
        }
    }

    #[inline]
    fn is_occupied(&self, cell: Cell) -> bool {
        self.standing[cell.0 as usize] != NO_PIECE
    }

    #[inline]
    pub(crate) fn piece_on(&self, cell: Cell) -> Option<&Piece> {
        let id = self.standing[cell.0 as usize];
        (id != NO_PIECE).then(|| &self.pieces[id as usize])
    }

    /// Replaces the contents of `list` with a player's legal orders, piece by piece. There are none
    /// if the player may not give orders.
    pub fn legal_orders_into(&self, player: Player, list: &mut Vec<Order>) {
        list.clear();
        self.for_each_order(player, |piece, _, to| list.push(Order { piece, to }));
    }

    /// Calls `visit` with a player's legal orders, piece by piece: the piece, its square and its
    /// target.
    #[inline(always)]
    pub fn for_each_order(&self, player: Player, mut visit: impl FnMut(PieceId, Cell, Cell)) {
        if self.outcome().is_some() || self.is_closed() || !self.alive().contains(player) {
            return;
        }
        let mut reserved = Bitboard::EMPTY;
        self.for_each_reserved(player, |cell| reserved = reserved.with(cell.square()));
        for index in 0..self.count {
            let piece = &self.pieces[index as usize];
            if piece.player == player && piece.status() == Status::Standing {
                self.orders_of(piece, reserved, |to| visit(PieceId(index), piece.at, to));
            }
        }
    }

    #[inline(always)]
    fn orders_of(&self, piece: &Piece, reserved: Bitboard, mut order: impl FnMut(Cell)) {
        let board = self.rules().board;
        let open = |to: Cell| {
            to.exists(board)
                && !reserved.contains(to.square())
                && !self
                    .piece_on(to)
                    .is_some_and(|other| self.same_team(piece.player, other.player))
        };
        match piece.role() {
            Role::Knight => {
                for (right, down) in KNIGHT_LEAPS {
                    let to = piece.at.step((down as i8, right as i8));
                    if open(to) {
                        order(to);
                    }
                }
            }
            Role::King => {
                for step in ORTHOGONAL.into_iter().chain(DIAGONAL) {
                    let to = piece.at.step(step);
                    if open(to) {
                        order(to);
                    }
                }
                let side = Side::of(board, piece.player);
                if !piece.moved() && side.back.contains(piece.at) {
                    for step in ORTHOGONAL {
                        let to = piece.at.step((2 * step.0, 2 * step.1));
                        let along = to.exists(board) && side.back.contains(to);
                        if along && self.castling(piece, side, step).is_ok() {
                            order(to);
                        }
                    }
                }
            }
            Role::Pawn => {
                let side = Side::of(board, piece.player);
                let (down, right) = side.forward;
                let one = piece.at.step(side.forward);
                let free = |cell: Cell| open(cell) && !self.is_occupied(cell);
                if free(one) {
                    order(one);
                    let two = one.step(side.forward);
                    if side.pawns.contains(piece.at) && free(two) {
                        order(two);
                    }
                }
                for to in [one.step((right, down)), one.step((-right, -down))] {
                    if open(to) && self.is_occupied(to) {
                        order(to);
                    }
                }
            }
            Role::Bishop | Role::Rook | Role::Queen => {
                let orthogonal = piece.role() != Role::Bishop;
                let diagonal = piece.role() != Role::Rook;
                let steps = ORTHOGONAL.into_iter().filter(|_| orthogonal);
                for step in steps.chain(DIAGONAL.into_iter().filter(|_| diagonal)) {
                    let mut to = piece.at.step(step);
                    while open(to) {
                        order(to);
                        if self.is_occupied(to) {
                            break;
                        }
                        to = to.step(step);
                    }
                }
            }
        }
    }
}

const ORTHOGONAL: [(i8, i8); 4] = [(-1, 0), (0, -1), (0, 1), (1, 0)];
const DIAGONAL: [(i8, i8); 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];

/// Why an order is refused. If there are several reasons, the first in this order is given.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
pub enum Refusal {
    /// The game is over.
    #[error("the game is over")]
    GameOver,
    /// A player has resigned on this tick, so orders are refused until the next one.
    #[error("a player has just resigned: repeat the order on the next tick")]
    TickClosed,
    /// The player does not take part in the game.
    #[error("there is no such player in this game")]
    NotPlaying,
    /// The player is eliminated.
    #[error("the player is eliminated")]
    Eliminated,
    /// There is no such piece.
    #[error("there is no such piece")]
    NoPiece,
    /// The piece belongs to another player.
    #[error("the piece belongs to another player")]
    NotYourPiece,
    /// The piece was captured or removed.
    #[error("the piece has been captured")]
    Captured,
    /// The piece is in flight, or was ordered on this tick.
    #[error("the piece is already moving")]
    Moving,
    /// The piece is resting.
    #[error("the piece is resting")]
    Resting,
    /// The piece is already on this square.
    #[error("the piece is already there")]
    SameSquare,
    /// The square is off the board.
    #[error("the square is off the board")]
    OffBoard,
    /// The square is in a cut corner.
    #[error("the square is in a cut corner")]
    CutCorner,
    /// The piece does not move like that.
    #[error("this piece does not move like that")]
    Geometry,
    /// A piece is in the way, or a piece of the same side is moving there.
    #[error("a piece is in the way, or one of yours is moving there")]
    Blocked,
    /// The king and the rook cannot castle now.
    #[error("the king and the rook cannot castle now")]
    Castling,
}

impl Refusal {
    /// Returns the name used in text, such as `not-your-piece`.
    pub const fn name(self) -> &'static str {
        match self {
            Refusal::GameOver => "game-over",
            Refusal::TickClosed => "tick-closed",
            Refusal::NotPlaying => "not-playing",
            Refusal::Eliminated => "eliminated",
            Refusal::NoPiece => "no-piece",
            Refusal::NotYourPiece => "not-your-piece",
            Refusal::Captured => "captured",
            Refusal::Moving => "moving",
            Refusal::Resting => "resting",
            Refusal::SameSquare => "same-square",
            Refusal::OffBoard => "off-board",
            Refusal::CutCorner => "cut-corner",
            Refusal::Geometry => "geometry",
            Refusal::Blocked => "blocked",
            Refusal::Castling => "castling",
        }
    }
}
