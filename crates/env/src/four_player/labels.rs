//! Move encodings: by planes of a board rotated to the player to move, or by squares.
//!
//! The planes are listed in `docs/environments/four_player.md`.

use core::ops::ControlFlow;

use fourfold_board::{Direction, KNIGHT_LEAPS};
use fourfold_four_player::{
    Army, BOARD, Bitboard, Each, Mode, Move, MoveKind, MoveSink, Player, Position, Role, SQUARES,
    Square,
};

use crate::legal::ActionSink;

/// Planes per square in free-for-all: eight directions by 13 distances, and eight leaps.
pub const PLANES: usize = FIRST_LEAP + 8;
/// Planes per square in teams, where pawns have a choice of promotion.
pub const TEAM_PLANES: usize = PLANES + 3 * UNDERPROMOTIONS.len();
/// Promotions with planes of their own. Promotion to a queen uses the plane of the pawn's
/// direction.
pub const UNDERPROMOTIONS: [Role; 3] = [Role::Knight, Role::Bishop, Role::Rook];
/// Number of flat labels.
pub const FLAT: usize = SQUARES * SQUARES * Role::PROMOTIONS.len();

/// The longest slide, in squares.
pub(super) const FARTHEST: usize = 13;
/// The plane of the first knight leap.
pub(super) const FIRST_LEAP: usize = 8 * FARTHEST;

/// How the moves of the player to move are encoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Labels {
    /// `from · planes + plane`, on the board as `viewer` sees it.
    Planes {
        /// Number of planes per square.
        planes: usize,
        /// The player whose view is used.
        viewer: Player,
    },
    /// `(from · 160 + to) · 4 + promotion`, on the board as Red sees it.
    Flat,
}

/// The existing squares by dense index: row by row from the top, as each player sees the board.
static FROM_DENSE_INDEX: [[u8; SQUARES]; 4] = squares();
/// The dense index of each square; the inverse of `FROM_DENSE_INDEX`.
static DENSE_INDEX: [[u8; 256]; 4] = dense_indices();
/// The planes of knight leaps and one-square steps, by viewer and by the wrapping difference of the
/// cell indices.
static LEAP: [[u8; 256]; 4] = leaps();

impl Labels {
    /// Returns the number of labels.
    pub const fn count(self) -> usize {
        match self {
            Labels::Planes { planes, .. } => SQUARES * planes,
            Labels::Flat => FLAT,
        }
    }

    /// Returns the label of a move by `turn`.
    pub fn encode(self, turn: Player, mv: Move) -> u32 {
        let (from, to) = (mv.from(), mv.to());
        let label = match self {
            Labels::Planes { planes, viewer } => {
                let plane = match mv.promotion().and_then(underpromotion) {
                    Some(piece) => PLANES + 3 * piece + pawn_direction(turn, from, to),
                    None => plane(viewer, from, to),
                };
                dense_index(viewer, from) * planes + plane
            }
            Labels::Flat => {
                let promotion = mv.promotion().and_then(promotion_index).unwrap_or(0);
                (dense_index(Player::Red, from) * SQUARES + dense_index(Player::Red, to)) * 4
                    + promotion
            }
        };
        label as u32
    }

    /// Returns the move that a label denotes in a position. Legality is checked only for castling
    /// and en passant. Returns `None` if no piece of the player to move could make such a move.
    #[inline]
    pub fn decode(self, position: &Position, label: u32) -> Option<Move> {
        match self {
            Labels::Planes { planes, viewer } => {
                // Division of 32-bit integers is faster.
                let (from, plane) = (label / planes as u32, label % planes as u32);
                let from = from_dense_index(viewer, from as usize)?;
                let quarter = 2 * viewer as usize;
                let Some(plane) = (plane as usize).checked_sub(PLANES) else {
                    let to = leap(from, plane_step(plane as usize, quarter))?;
                    return move_between(position, from, to, None);
                };
                let army = Army::of(position.turn());
                let [left, right] = army.captures;
                let direction = [army.forward, left, right][plane % 3];
                let kind = *UNDERPROMOTIONS.get(plane / 3)?;
                move_between(position, from, leap(from, direction.step())?, Some(kind))
            }
            Labels::Flat => {
                let label = label as usize;
                let from = from_dense_index(Player::Red, label / 4 / SQUARES)?;
                let to = from_dense_index(Player::Red, label / 4 % SQUARES)?;
                let promotion = Role::PROMOTIONS[label % 4];
                move_between(
                    position,
                    from,
                    to,
                    Some(promotion).filter(|&kind| kind != Role::Queen),
                )
            }
        }
    }

    /// Converts a label from one viewer to another.
    pub fn rotated(self, label: u32, from: Player, to: Player) -> u32 {
        let Labels::Planes { planes, .. } = self else { return label };
        let quarters = 2 * (4 + from as usize - to as usize);
        let label = label as usize;
        let Some(square) = from_dense_index(from, label / planes) else { return label as u32 };
        let plane = match label % planes {
            plane @ ..FIRST_LEAP => (plane / FARTHEST + quarters) % 8 * FARTHEST + plane % FARTHEST,
            plane @ FIRST_LEAP..PLANES => FIRST_LEAP + (plane - FIRST_LEAP + quarters) % 8,
            // Underpromotion planes are always relative to the player to move.
            plane => plane,
        };
        (dense_index(to, square) * planes + plane) as u32
    }

    /// Passes the labels of all legal moves to a sink.
    #[inline(always)]
    pub(crate) fn generate(self, position: &Position, sink: &mut impl ActionSink) {
        let turn = position.turn();
        match self {
            Labels::Planes { planes, viewer } => {
                let _ = position.generate(&mut PlaneSink {
                    sink,
                    dense_indices: &DENSE_INDEX[viewer as usize],
                    leaps: &LEAP[viewer as usize],
                    planes: planes as u32,
                    viewer,
                    turn,
                });
            }
            // From a list of moves: inlining the generator a second time would double the build
            // time.
            Labels::Flat => {
                for &mv in &position.legal_moves() {
                    sink.push(self.encode(turn, mv));
                }
            }
        }
    }
}

/// Passes moves on as plane labels. A slide is one run of labels, and other groups of moves
/// share the computation of what they have in common.
struct PlaneSink<'a, S> {
    sink: &'a mut S,
    dense_indices: &'static [u8; 256],
    leaps: &'static [u8; 256],
    planes: u32,
    viewer: Player,
    turn: Player,
}

impl<S> PlaneSink<'_, S> {
    /// Returns the first label of a cell.
    #[inline(always)]
    fn first(&self, cell: u8) -> u32 {
        u32::from(self.dense_indices[cell as usize]) * self.planes
    }

    /// Returns the first plane of a direction.
    #[inline(always)]
    fn direction(&self, direction: Direction) -> u32 {
        (direction as u32).wrapping_sub(2 * self.viewer as u32) % 8 * FARTHEST as u32
    }
}

impl<S: ActionSink> MoveSink for PlaneSink<'_, S> {
    #[inline(always)]
    fn slide(
        &mut self,
        from: Square,
        direction: Direction,
        first: u32,
        count: u32,
    ) -> ControlFlow<()> {
        let label = self.first(from.index() as u8) + self.direction(direction) + first - 1;
        self.sink.push_run(label, count);
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn leaps(&mut self, from: Square, to: Bitboard) -> ControlFlow<()> {
        let from = from.index() as u8;
        let first = self.first(from);
        for to in to.iter_by_word() {
            let leap = (to.index() as u8).wrapping_sub(from);
            self.sink.push(first + u32::from(self.leaps[leap as usize]));
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn pawns(
        &mut self,
        ahead: Direction,
        steps: u32,
        to: Bitboard,
        promotion: Option<Role>,
    ) -> ControlFlow<()> {
        let (files, ranks) = ahead.step();
        let back = ((files + 16 * ranks) * steps as i32) as u8;
        let plane = match promotion.and_then(underpromotion) {
            Some(piece) => {
                // Straight, left and right, as the player to move sees it.
                let direction = (ahead as usize + 8 - 2 * self.turn as usize) % 8;
                (PLANES + 3 * piece + [0, 2, 0, 0, 0, 0, 0, 1][direction]) as u32
            }
            None => self.direction(ahead) + steps - 1,
        };
        for to in to.iter_by_word() {
            let from = (to.index() as u8).wrapping_sub(back);
            self.sink.push(self.first(from) + plane);
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn single(&mut self, mv: Move) -> ControlFlow<()> {
        let labels = Labels::Planes { planes: self.planes as usize, viewer: self.viewer };
        self.sink.push(labels.encode(self.turn, mv));
        ControlFlow::Continue(())
    }
}

/// Returns the move of the piece on `from` to `to`.
#[inline]
fn move_between(
    position: &Position,
    from: Square,
    to: Square,
    underpromotion: Option<Role>,
) -> Option<Move> {
    let turn = position.turn();
    let piece = position.piece_at(from).filter(|piece| piece.owner == Some(turn))?;
    let (files, ranks) = difference(from, to);
    match piece.role {
        Role::Pawn => pawn_move(position, from, to, underpromotion),
        _ if underpromotion.is_some() => None,
        // Two squares straight: castling.
        Role::King if files * files + ranks * ranks == 4 => single(position, from, to, None),
        Role::Knight
        | Role::Bishop
        | Role::Rook
        | Role::Queen
        | Role::King
        | Role::OnePointQueen => only_move(|sink| sink.leaps(from, to.into())),
    }
}

fn pawn_move(
    position: &Position,
    from: Square,
    to: Square,
    underpromotion: Option<Role>,
) -> Option<Move> {
    let turn = position.turn();
    let army = Army::of(turn);
    let (line, default) = match position.rules().mode {
        Mode::FreeForAll => (army.promotion_free, Role::OnePointQueen),
        Mode::Teams => (army.promotion_teams, Role::Queen),
    };
    let promotion = match (line.contains(to), underpromotion) {
        (false, None) => None,
        (true, None) => Some(default),
        (true, Some(kind)) if default == Role::Queen => Some(kind),
        (_, Some(_)) => return None,
    };
    let direction = difference(from, to);
    let (files, ranks) = army.forward.step();
    let ahead = match direction {
        _ if direction == (2 * files, 2 * ranks) => {
            return only_move(|sink| sink.pawns(army.forward, 2, to.into(), promotion));
        }
        _ => [army.forward, army.captures[0], army.captures[1]]
            .into_iter()
            .find(|ahead| ahead.step() == direction)?,
    };
    let offered =
        |player: Player| position.en_passant(player).is_some_and(|(skipped, _)| skipped == to);
    if ahead != army.forward && position.opponents(turn).iter().any(offered) {
        return single(position, from, to, promotion);
    }
    only_move(|sink| sink.pawns(ahead, 1, to.into(), promotion))
}

/// Returns the first move of a group, which contains only one.
#[inline(always)]
fn only_move(bundle: impl FnOnce(&mut dyn MoveSink) -> ControlFlow<()>) -> Option<Move> {
    let mut found = None;
    let _ = bundle(&mut Each(|mv| {
        found = Some(mv);
        ControlFlow::Break(())
    }));
    found
}

/// Returns a move that is not part of a group, if it is legal: castling or en passant.
#[cold]
fn single(position: &Position, from: Square, to: Square, promotion: Option<Role>) -> Option<Move> {
    let is_meant = |mv: &&Move| {
        (mv.from(), mv.to(), mv.promotion()) == (from, to, promotion)
            && mv.kind() != MoveKind::Normal
    };
    position.legal_moves().iter().find(is_meant).copied()
}

/// Returns the index of a role in `UNDERPROMOTIONS`.
#[inline(always)]
fn underpromotion(kind: Role) -> Option<usize> {
    UNDERPROMOTIONS.into_iter().position(|piece| piece == kind)
}

/// Returns the index of a promotion in a flat label, or `None` for a one-point queen.
fn promotion_index(kind: Role) -> Option<usize> {
    Role::PROMOTIONS.into_iter().position(|piece| piece == kind)
}

/// Returns 0 if a pawn moves straight, 1 if it captures to the left and 2 to the right, as its
/// player sees it.
fn pawn_direction(turn: Player, from: Square, to: Square) -> usize {
    let direction = difference(from, to);
    let taking = Army::of(turn).captures.iter().position(|ahead| ahead.step() == direction);
    taking.map_or(0, |side| 1 + side)
}

/// Returns the plane of a move as `viewer` sees it; not for underpromotions.
fn plane(viewer: Player, from: Square, to: Square) -> usize {
    let (files, ranks) = difference(from, to);
    let turned = |index: usize| (index + 8 - 2 * viewer as usize) % 8;
    if let Some(leap) = KNIGHT_LEAPS.iter().position(|&leap| leap == (files, ranks)) {
        return FIRST_LEAP + turned(leap);
    }
    let step = (files.signum(), ranks.signum());
    let direction =
        Direction::ALL.iter().position(|direction| direction.step() == step).unwrap_or(0);
    turned(direction) * FARTHEST + files.abs().max(ranks.abs()) as usize - 1
}

/// Returns the dense index of a square for a viewer.
#[inline(always)]
pub(super) fn dense_index(viewer: Player, square: Square) -> usize {
    DENSE_INDEX[viewer as usize][square.index() & 255] as usize
}

/// Returns the square with a dense index for a viewer.
#[inline(always)]
pub(super) fn from_dense_index(viewer: Player, index: usize) -> Option<Square> {
    FROM_DENSE_INDEX[viewer as usize].get(index).map(|&cell| Square::new(cell as usize))
}

/// Returns the change of file and rank of a plane, rotated by this many eighths of a turn; not for
/// underpromotions.
#[inline(always)]
pub(super) fn plane_step(plane: usize, turn: usize) -> (i32, i32) {
    match plane.checked_sub(FIRST_LEAP) {
        Some(leap) => KNIGHT_LEAPS[(leap + turn) % 8],
        None => {
            let (files, ranks) = Direction::ALL[(plane / FARTHEST + turn) % 8].step();
            let distance = (plane % FARTHEST + 1) as i32;
            (files * distance, ranks * distance)
        }
    }
}

/// Returns the change of file and rank. Rows are 16 cells apart.
#[inline(always)]
pub(super) const fn difference(from: Square, to: Square) -> (i32, i32) {
    let (from, to) = (from.index() as i32, to.index() as i32);
    (to % 16 - from % 16, to / 16 - from / 16)
}

/// Returns the square at this offset of file and rank, if it exists.
#[inline(always)]
pub(super) fn leap(from: Square, (files, ranks): (i32, i32)) -> Option<Square> {
    let from = from.index() as i32;
    BOARD.square(from % 16 + files, from / 16 + ranks)
}

const fn squares() -> [[u8; SQUARES]; 4] {
    let mut table = [[0; SQUARES]; 4];
    let mut viewer = 0;
    while viewer < 4 {
        let (mut index, mut cell) = (0, 0);
        while cell < 14 * 14 {
            let (row, column) = (cell / 14, cell % 14);
            if let Some(square) = BOARD.square(column, 13 - row) {
                table[viewer][index] = Player::ALL[viewer].from_view(square).index() as u8;
                index += 1;
            }
            cell += 1;
        }
        viewer += 1;
    }
    table
}

const fn dense_indices() -> [[u8; 256]; 4] {
    let squares = squares();
    let mut table = [[0; 256]; 4];
    let mut index = 0;
    while index < 4 * SQUARES {
        let (viewer, dense_index) = (index / SQUARES, index % SQUARES);
        table[viewer][squares[viewer][dense_index] as usize] = dense_index as u8;
        index += 1;
    }
    table
}

const fn leaps() -> [[u8; 256]; 4] {
    let mut table = [[0; 256]; 4];
    let mut index = 0;
    while index < 4 * 8 {
        let (viewer, direction) = (index / 8, index % 8);
        let turned = (direction + 8 - 2 * viewer) % 8;
        let (files, ranks) = Direction::ALL[direction].step();
        table[viewer][(files + 16 * ranks) as u8 as usize] = (turned * FARTHEST) as u8;
        let (files, ranks) = KNIGHT_LEAPS[direction];
        table[viewer][(files + 16 * ranks) as u8 as usize] = (FIRST_LEAP + turned) as u8;
        index += 1;
    }
    table
}
