//! Move encodings: by planes of a board rotated to the player to move, or by squares.
//!
//! The planes are listed in `docs/environments/four_player.md`.

use std::ops::ControlFlow;

use fourfold_board::{Direction, KNIGHT_LEAPS};
use fourfold_four_player::{
    Army, BOARD, Bitboard, Each, Mode, Move, MoveKind, MoveSink, Player, Position, Role, SQUARES,
    Square,
};

use crate::legal::LegalList;

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
static BY_NUMBER: [[u8; SQUARES]; 4] = squares();
/// The dense index of each square; the inverse of `BY_NUMBER`.
static NUMBER: [[u8; 256]; 4] = numbers();
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
                    Some(piece) => PLANES + 3 * piece + pawn_way(turn, from, to),
                    None => plane(viewer, from, to),
                };
                number(viewer, from) * planes + plane
            }
            Labels::Flat => {
                let promotion = mv.promotion().and_then(promotion_number).unwrap_or(0);
                (number(Player::Red, from) * SQUARES + number(Player::Red, to)) * 4 + promotion
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
                let from = numbered(viewer, from as usize)?;
                let quarter = 2 * viewer as usize;
                let ((files, ranks), distance) = match plane as usize {
                    plane @ ..FIRST_LEAP => {
                        let way = Direction::ALL[(plane / FARTHEST + quarter) % 8];
                        (way.step(), (plane % FARTHEST + 1) as i32)
                    }
                    plane @ FIRST_LEAP..PLANES => {
                        (KNIGHT_LEAPS[(plane - FIRST_LEAP + quarter) % 8], 1)
                    }
                    plane => {
                        let army = Army::of(position.turn());
                        let [left, right] = army.captures;
                        let way = [army.forward, left, right][(plane - PLANES) % 3];
                        let kind = *UNDERPROMOTIONS.get((plane - PLANES) / 3)?;
                        let to = leap(from, way.step())?;
                        return meant(position, from, to, Some(kind));
                    }
                };
                let to = leap(from, (files * distance, ranks * distance))?;
                meant(position, from, to, None)
            }
            Labels::Flat => {
                let label = label as usize;
                let from = numbered(Player::Red, label / 4 / SQUARES)?;
                let to = numbered(Player::Red, label / 4 % SQUARES)?;
                let promotion = Role::PROMOTIONS[label % 4];
                meant(position, from, to, Some(promotion).filter(|&kind| kind != Role::Queen))
            }
        }
    }

    /// Converts a label from one viewer to another.
    pub fn turned(self, label: u32, from: Player, to: Player) -> u32 {
        let Labels::Planes { planes, .. } = self else { return label };
        let quarters = 2 * (4 + from as usize - to as usize);
        let label = label as usize;
        let Some(square) = numbered(from, label / planes) else { return label as u32 };
        let plane = match label % planes {
            plane @ ..FIRST_LEAP => (plane / FARTHEST + quarters) % 8 * FARTHEST + plane % FARTHEST,
            plane @ FIRST_LEAP..PLANES => FIRST_LEAP + (plane - FIRST_LEAP + quarters) % 8,
            // Underpromotion planes are always relative to the player to move.
            plane => plane,
        };
        (number(to, square) * planes + plane) as u32
    }

    /// Adds the labels of all legal moves to a list.
    #[inline(always)]
    pub(crate) fn list(self, position: &Position, list: &mut LegalList<'_>) {
        let turn = position.turn();
        match self {
            Labels::Planes { planes, viewer } => {
                let _ = position.generate(&mut PlaneSink {
                    list,
                    numbers: &NUMBER[viewer as usize],
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
                    list.push(self.encode(turn, mv));
                }
            }
        }
    }
}

/// Adds moves to a list as plane labels. A slide is one run of labels, and other groups of moves
/// share the computation of what they have in common.
struct PlaneSink<'a, 'b> {
    list: &'a mut LegalList<'b>,
    numbers: &'static [u8; 256],
    leaps: &'static [u8; 256],
    planes: u32,
    viewer: Player,
    turn: Player,
}

impl PlaneSink<'_, '_> {
    /// Returns the first label of a cell.
    #[inline(always)]
    fn first(&self, cell: u8) -> u32 {
        u32::from(self.numbers[cell as usize]) * self.planes
    }

    /// Returns the first plane of a direction.
    #[inline(always)]
    fn direction(&self, way: Direction) -> u32 {
        (way as u32).wrapping_sub(2 * self.viewer as u32) % 8 * FARTHEST as u32
    }
}

impl MoveSink for PlaneSink<'_, '_> {
    #[inline(always)]
    fn slide(&mut self, from: Square, way: Direction, first: u32, count: u32) -> ControlFlow<()> {
        let label = self.first(from.index() as u8) + self.direction(way) + first - 1;
        self.list.push_run(label, count);
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn leaps(&mut self, from: Square, to: Bitboard) -> ControlFlow<()> {
        let from = from.index() as u8;
        let first = self.first(from);
        for to in to.iter_by_word() {
            let leap = (to.index() as u8).wrapping_sub(from);
            self.list.push(first + u32::from(self.leaps[leap as usize]));
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
                let way = (ahead as usize + 8 - 2 * self.turn as usize) % 8;
                (PLANES + 3 * piece + [0, 2, 0, 0, 0, 0, 0, 1][way]) as u32
            }
            None => self.direction(ahead) + steps - 1,
        };
        for to in to.iter_by_word() {
            let from = (to.index() as u8).wrapping_sub(back);
            self.list.push(self.first(from) + plane);
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn single(&mut self, mv: Move) -> ControlFlow<()> {
        let labels = Labels::Planes { planes: self.planes as usize, viewer: self.viewer };
        self.list.push(labels.encode(self.turn, mv));
        ControlFlow::Continue(())
    }
}

/// Returns the move of the piece on `from` to `to`.
#[inline]
fn meant(
    position: &Position,
    from: Square,
    to: Square,
    underpromotion: Option<Role>,
) -> Option<Move> {
    let turn = position.turn();
    let man = position.piece_at(from).filter(|man| man.owner == Some(turn))?;
    let (files, ranks) = difference(from, to);
    match man.role {
        Role::Pawn => pawn_move(position, from, to, underpromotion),
        _ if underpromotion.is_some() => None,
        // Two squares straight: castling.
        Role::King if files * files + ranks * ranks == 4 => single(position, from, to, None),
        Role::Knight | Role::Bishop | Role::Rook | Role::Queen | Role::King | Role::Promoted => {
            made(|sink| sink.leaps(from, to.into()))
        }
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
    let (line, usual) = match position.rules().mode {
        Mode::FreeForAll => (army.promotion_free, Role::Promoted),
        Mode::Teams => (army.promotion_teams, Role::Queen),
    };
    let promotion = match (line.contains(to), underpromotion) {
        (false, None) => None,
        (true, None) => Some(usual),
        (true, Some(kind)) if usual == Role::Queen => Some(kind),
        (_, Some(_)) => return None,
    };
    let way = difference(from, to);
    let (files, ranks) = army.forward.step();
    let ahead = match way {
        _ if way == (2 * files, 2 * ranks) => {
            return made(|sink| sink.pawns(army.forward, 2, to.into(), promotion));
        }
        _ => [army.forward, army.captures[0], army.captures[1]]
            .into_iter()
            .find(|ahead| ahead.step() == way)?,
    };
    let offered = |player: Player| position.en_passant(player).is_some_and(|offer| offer.0 == to);
    if ahead != army.forward && position.opponents(turn).iter().any(offered) {
        return single(position, from, to, promotion);
    }
    made(|sink| sink.pawns(ahead, 1, to.into(), promotion))
}

/// Returns the first move of a group, which contains only one.
#[inline(always)]
fn made(bundle: impl FnOnce(&mut dyn MoveSink) -> ControlFlow<()>) -> Option<Move> {
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
            && mv.kind() != MoveKind::Plain
    };
    position.legal_moves().iter().find(is_meant).copied()
}

/// Returns the index of a role in `UNDERPROMOTIONS`.
#[inline(always)]
fn underpromotion(kind: Role) -> Option<usize> {
    UNDERPROMOTIONS.into_iter().position(|piece| piece == kind)
}

/// Returns the index of a promotion in a flat label, or `None` for a one-point queen.
fn promotion_number(kind: Role) -> Option<usize> {
    Role::PROMOTIONS.into_iter().position(|piece| piece == kind)
}

/// Returns 0 if a pawn moves straight, 1 if it captures to the left and 2 to the right, as its
/// player sees it.
fn pawn_way(turn: Player, from: Square, to: Square) -> usize {
    let way = difference(from, to);
    let taking = Army::of(turn).captures.iter().position(|ahead| ahead.step() == way);
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
    let way = Direction::ALL.iter().position(|way| way.step() == step).unwrap_or(0);
    turned(way) * FARTHEST + files.abs().max(ranks.abs()) as usize - 1
}

/// Returns the dense index of a square for a viewer.
#[inline(always)]
pub(super) fn number(viewer: Player, square: Square) -> usize {
    NUMBER[viewer as usize][square.index() & 255] as usize
}

/// Returns the square with a dense index for a viewer.
#[inline(always)]
pub(super) fn numbered(viewer: Player, number: usize) -> Option<Square> {
    BY_NUMBER[viewer as usize].get(number).map(|&cell| Square::new(cell as usize))
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
        let (mut number, mut cell) = (0, 0);
        while cell < 14 * 14 {
            let (row, column) = (cell / 14, cell % 14);
            if let Some(square) = BOARD.square(column, 13 - row) {
                table[viewer][number] = Player::ALL[viewer].from_view(square).index() as u8;
                number += 1;
            }
            cell += 1;
        }
        viewer += 1;
    }
    table
}

const fn numbers() -> [[u8; 256]; 4] {
    let squares = squares();
    let mut table = [[0; 256]; 4];
    let mut index = 0;
    while index < 4 * SQUARES {
        let (viewer, number) = (index / SQUARES, index % SQUARES);
        table[viewer][squares[viewer][number] as usize] = number as u8;
        index += 1;
    }
    table
}

const fn leaps() -> [[u8; 256]; 4] {
    let mut table = [[0; 256]; 4];
    let mut index = 0;
    while index < 4 * 8 {
        let (viewer, way) = (index / 8, index % 8);
        let turned = (way + 8 - 2 * viewer) % 8;
        let (files, ranks) = Direction::ALL[way].step();
        table[viewer][(files + 16 * ranks) as u8 as usize] = (turned * FARTHEST) as u8;
        let (files, ranks) = KNIGHT_LEAPS[way];
        table[viewer][(files + 16 * ranks) as u8 as usize] = (FIRST_LEAP + turned) as u8;
        index += 1;
    }
    table
}
