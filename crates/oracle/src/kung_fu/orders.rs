//! Which orders are accepted, and why the others are rejected.

use std::fmt;

use super::Game;
use super::board::Square;
use super::piece::{Flight, Piece, Place};
use crate::board::Role;
use crate::error::ensure;
use crate::text::kebab_case;

/// Why an order, a resignation or a draw is rejected. If several reasons apply, the first one in
/// this list is returned.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Refusal {
    /// `game-over`: the game has ended.
    GameOver,
    /// `tick-closed`: a player has already resigned on this tick, and resignations come after its
    /// orders.
    TickClosed,
    /// `not-playing`: the player does not exist or does not take part in this game.
    NotPlaying,
    /// `eliminated`: the player has lost their king.
    Eliminated,
    /// `no-piece`: no piece has this id.
    NoPiece,
    /// `not-your-piece`: the piece belongs to another player.
    NotYourPiece,
    /// `captured`: the piece is off the board.
    Captured,
    /// `moving`: the piece is moving, or has been ordered on this tick.
    Moving,
    /// `resting`: the piece is still resting.
    Resting,
    /// `same-square`: the piece is already on the square.
    SameSquare,
    /// `off-board`: the square is outside the board's rows and columns.
    OffBoard,
    /// `cut-corner`: the square is in a cut corner.
    CutCorner,
    /// `geometry`: pieces of this role do not move like that.
    Geometry,
    /// `blocked`: a piece blocks the path or the square.
    Blocked,
    /// `castling`: the king cannot castle, or not on this side.
    Castling,
    /// `not-all-agree`: a living player who is not a bot has not agreed to the draw.
    NotAllAgree,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&kebab_case(self))
    }
}

/// The pieces that an accepted order moves, by index, with their destinations.
pub(super) struct Plan {
    piece: (usize, Square),
    /// The rook, if the order is castling.
    rook: Option<(usize, Square)>,
}

impl Game {
    pub(super) fn check_order(&self, player: i64, id: &str, to: Square) -> Result<Plan, Refusal> {
        ensure!(self.result.is_none(), Refusal::GameOver);
        ensure!(!self.closed, Refusal::TickClosed);
        self.require_living(player)?;
        let index = self.pieces.iter().position(|piece| piece.id == id);
        let index = index.ok_or(Refusal::NoPiece)?;
        let piece = &self.pieces[index];
        ensure!(piece.player == player, Refusal::NotYourPiece);
        let from = match piece.place {
            Place::Gone => return Err(Refusal::Captured),
            Place::Moving(_) => return Err(Refusal::Moving),
            Place::Standing { rests_until: Some(_), .. } => return Err(Refusal::Resting),
            Place::Standing { at, rests_until: None } => at,
        };
        ensure!(to != from, Refusal::SameSquare);
        ensure!(self.setup.board.is_within_edges(to), Refusal::OffBoard);
        ensure!(!self.setup.board.is_cut(to), Refusal::CutCorner);
        let rook = self.check_move(piece, from, to)?;
        Ok(Plan { piece: (index, to), rook })
    }

    pub(super) fn require_living(&self, player: i64) -> Result<(), Refusal> {
        ensure!(self.setup.players.contains(&player), Refusal::NotPlaying);
        if self.eliminated.contains(&player) { Err(Refusal::Eliminated) } else { Ok(()) }
    }

    /// Starts the moves of a plan.
    pub(super) fn start(&mut self, plan: &Plan) {
        self.start_flight(plan.piece, false);
        if let Some(rook) = plan.rook {
            self.start_flight(rook, true);
        }
        self.last_order = self.now;
    }

    fn start_flight(&mut self, (index, to): (usize, Square), castling: bool) {
        let per_square = self.setup.speed.per_square;
        let start = self.now + 1;
        let piece = &mut self.pieces[index];
        let from = piece.stands_at().expect("only standing pieces are ordered");
        let squares = if piece.role == Role::Knight { 2 } else { distance(from, to) };
        let arrival = start + squares * per_square;
        piece.place = Place::Moving(Flight { from, to, start, arrival, castling });
        piece.moved = true;
    }

    /// Checks a move from square to square. For castling, returns the rook and its destination.
    fn check_move(
        &self,
        piece: &Piece,
        from: Square,
        to: Square,
    ) -> Result<Option<(usize, Square)>, Refusal> {
        let (rows, cols) = ((to.row - from.row).abs(), (to.col - from.col).abs());
        let orthogonal = rows == 0 || cols == 0;
        let diagonal = rows == cols;
        let fits = match piece.role {
            Role::Pawn => return self.check_pawn_move(piece, from, to).map(|()| None),
            Role::King if self.is_castling(piece, from, to) => {
                return self.castling_rook(piece, from, to).map(Some).ok_or(Refusal::Castling);
            }
            Role::King => distance(from, to) == 1,
            Role::Knight => rows * cols == 2,
            Role::Bishop => diagonal,
            Role::Rook => orthogonal,
            Role::Queen | Role::OnePointQueen => orthogonal || diagonal,
        };
        ensure!(fits, Refusal::Geometry);
        let path = if piece.role == Role::Knight { Vec::new() } else { between(from, to) };
        let open = path.into_iter().all(|square| self.is_open(piece.player, square));
        let stands_own = self.standing(to).is_some_and(|other| self.is_own(piece.player, other));
        ensure!(open && !stands_own && !self.is_reserved(piece.player, to), Refusal::Blocked);
        Ok(None)
    }

    fn check_pawn_move(&self, pawn: &Piece, from: Square, to: Square) -> Result<(), Refusal> {
        let army = self.setup.board.army(pawn.player);
        if army.pawn_targets(from).contains(&to) {
            let captures = self.standing(to).is_some_and(|other| !self.is_own(pawn.player, other));
            ensure!(captures, Refusal::Geometry);
            let reserved = self.is_reserved(pawn.player, to);
            return if reserved { Err(Refusal::Blocked) } else { Ok(()) };
        }
        let (one, two) = (from.step(army.forward, 1), from.step(army.forward, 2));
        let path = if to == one {
            vec![one]
        } else if to == two && army.is_on_pawn_line(from) {
            vec![one, two]
        } else {
            return Err(Refusal::Geometry);
        };
        let open = path.into_iter().all(|square| self.is_open(pawn.player, square));
        if open { Ok(()) } else { Err(Refusal::Blocked) }
    }

    /// Whether a king moves two squares along its back line.
    fn is_castling(&self, king: &Piece, from: Square, to: Square) -> bool {
        let army = self.setup.board.army(king.player);
        army.is_on_back_line(from) && army.is_on_back_line(to) && distance(from, to) == 2
    }

    /// Returns the rook that castles with the king, and its destination, if castling is allowed.
    fn castling_rook(&self, king: &Piece, from: Square, to: Square) -> Option<(usize, Square)> {
        let homes = self.setup.board.army(king.player).rook_homes();
        let home = homes.into_iter().find(|&home| between(from, home).contains(&to))?;
        let rook = self.pieces.iter().position(|piece| {
            piece.player == king.player
                && piece.role == Role::Rook
                && !piece.moved
                && piece.place == Place::Standing { at: home, rests_until: None }
        })?;
        let free = between(from, home).into_iter().all(|square| {
            let ends = |piece: &Piece| piece.flight().is_some_and(|flight| flight.to == square);
            self.standing(square).is_none() && !self.pieces.iter().any(ends)
        });
        (free && !king.moved).then(|| (rook, between(from, to)[0]))
    }

    /// Whether the player's pieces may pass over the square and the player's pawns may advance to
    /// it.
    fn is_open(&self, player: i64, square: Square) -> bool {
        self.setup.board.has(square)
            && self.standing(square).is_none()
            && !self.is_reserved(player, square)
    }

    pub(super) fn standing(&self, square: Square) -> Option<&Piece> {
        self.pieces.iter().find(|piece| piece.stands_at() == Some(square))
    }

    /// Whether a piece belongs to the player or their partner.
    pub(super) fn is_own(&self, player: i64, piece: &Piece) -> bool {
        self.setup.team(piece.player) == self.setup.team(player)
    }

    /// Whether a piece of the player or their partner is moving to the square, or a castling rook
    /// of theirs may have to return to it.
    fn is_reserved(&self, player: i64, square: Square) -> bool {
        self.pieces.iter().filter(|piece| self.is_own(player, piece)).any(|piece| {
            piece.flight().is_some_and(|flight| {
                flight.to == square || flight.castling && flight.from == square
            })
        })
    }
}

/// The number of king moves between two squares.
fn distance(from: Square, to: Square) -> i64 {
    (to.row - from.row).abs().max((to.col - from.col).abs())
}

/// Returns the squares strictly between two squares on one line.
fn between(from: Square, to: Square) -> Vec<Square> {
    let step = ((to.row - from.row).signum(), (to.col - from.col).signum());
    (1..distance(from, to)).map(|times| from.step(step, times)).collect()
}
