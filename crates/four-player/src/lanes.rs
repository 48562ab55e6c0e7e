//! Finds the legal moves of one player in several threads that run in lockstep, as on a GPU.
//!
//! Each thread, or lane, finds the moves of one piece, and one of the moves that are tested one by one:
//! steps of the king, castling and en passant. All lanes run through the same instructions, so there is
//! one path for all players and directions.

use fourfold_board::{Direction, Square};
use fourfold_common::cpu::{self, Cpu};

use crate::army::ARMIES;
use crate::lines::{Axis, runs, walk};
use crate::pieces::{ALL_PIECES, Code, EMPTY, KINGS, Pieces, cell, code, codes_of};
use crate::position::NONE;
use crate::safety::{Test, Unchanged, attacks, is_safe, is_safe_rare};
use crate::targets::{STRIDES, Targets};
use crate::{
    Bitboard, KingCapture, MAX_PIECES, Mode, Move, MoveKind, Player, Players, Position, Role,
};

/// The number of lanes: one for each piece of an army.
pub const LANES: usize = MAX_PIECES;

/// The first lane that tests castling; the lanes before test the steps of the king.
const CASTLING: u32 = 8;
/// The first lane that tests en passant: three opponents in two directions.
const EN_PASSANT: u32 = 10;

/// Receives the moves that one lane finds.
///
/// Mark the methods `#[inline(always)]`.
pub trait LaneSink {
    /// The piece on `from` can make some moves. If `promotes`, they are promotions with a choice.
    fn piece(&mut self, from: Square, targets: Targets, promotes: bool);

    /// The piece on `from` can move by some distance in the direction with an index. If `promotes`, this is a
    /// capture by a pawn that promotes with a choice.
    fn single(&mut self, from: Square, direction: u32, distance: u32, promotes: bool);
}

/// Notes whether there is a move.
struct Any(bool);

impl LaneSink for Any {
    #[inline(always)]
    fn piece(&mut self, _: Square, targets: Targets, _: bool) {
        self.0 |= !targets.is_empty();
    }

    #[inline(always)]
    fn single(&mut self, _: Square, _: u32, _: u32, _: bool) {
        self.0 = true;
    }
}

impl Position {
    /// Sends those legal moves of the player to move to a sink that a lane finds. Every move is found by
    /// exactly one of [`LANES`] lanes.
    #[inline(always)]
    pub fn moves_of_lane(&self, cpu: impl Cpu, lane: usize, sink: &mut impl LaneSink) {
        let finder = Finder::new(self);
        let is_ongoing = self.ending().is_none();
        let mut checks = 0;
        if is_ongoing && finder.is_alive {
            checks = finder.checks();
            finder.pieces(lane as u32, checks, sink);
        }
        // Pieces take different paths, and some lanes have none.
        cpu.converge();
        if is_ongoing {
            finder.singles(lane as u32, checks, sink);
        }
    }

    /// Returns whether the player to move has a legal move, by going through all lanes.
    pub(crate) fn any_lane_has_move(&self) -> bool {
        (0..LANES).any(|lane| self.lane_has_move(lane))
    }

    /// Returns whether a lane finds a legal move. Not inlined, because it is large and rarely needed.
    #[inline(never)]
    fn lane_has_move(&self, lane: usize) -> bool {
        let mut any = Any(false);
        self.moves_of_lane(cpu::PORTABLE, lane, &mut any);
        any.0
    }

    /// Like [`Position::checked_by`], with one path for all players.
    #[inline(always)]
    pub(crate) fn checked_in_lockstep(&self, player: Player) -> Players {
        let codes = codes_of(Players::one(player)) as u32;
        let mut checked = 0;
        for other in 0..4 {
            let king = self.state.kings[other];
            let is_attacked = attacks(&self.pieces, king, codes, Unchanged) != 0;
            checked |= u8::from(is_attacked) << other;
        }
        // Opponents have kings; what was found about other players means nothing.
        self.opponents(player).and(Players::from_bits(checked))
    }

    /// Returns the move between two squares, which must be legal.
    #[inline(always)]
    pub fn legal_move(&self, from: Square, to: Square, underpromotion: Option<Role>) -> Move {
        let (from, to) = (cell(from), cell(to));
        let us = self.turn();
        let step = to.wrapping_sub(from);
        let forward = STRIDES[2 * us as usize];
        let (mut kind, mut promotion) = (MoveKind::Normal, None);
        match self.pieces.at(from) & 7 {
            PAWN => {
                if step == forward.wrapping_mul(2) {
                    kind = MoveKind::DoubleStep;
                } else if step != forward && offers_en_passant(self, self.opponents(us), to) {
                    kind = MoveKind::EnPassant;
                }
                promotion = match self.rules().mode {
                    Mode::FreeForAll => (line(us, to) >= 7).then_some(Role::OnePointQueen),
                    Mode::Teams => {
                        let role = underpromotion.unwrap_or(Role::Queen);
                        promotes_in_teams(us, to).then_some(role)
                    }
                };
            }
            KING if matches!(step as i8, 2 | -2 | 32 | -32) => kind = MoveKind::Castling,
            _ => {}
        }
        Move::new(from, to, kind, promotion)
    }
}

/// Roles as they are in codes.
const PAWN: u8 = Role::Pawn as u8;
const KNIGHT: u8 = Role::Knight as u8;
const BISHOP: u8 = Role::Bishop as u8;
const ROOK: u8 = Role::Rook as u8;
const KING: u8 = Role::King as u8;

/// What all lanes know of a position.
#[derive(Clone, Copy)]
struct Finder<'a> {
    position: &'a Position,
    pieces: &'a Pieces,
    us: Player,
    /// False if this is the king of a player who has withdrawn.
    is_alive: bool,
    is_teams: bool,
    king: u8,
    opponents: Players,
    /// The codes of the pieces whose attacks count. Those of owned pieces are below 32.
    hostile: u32,
    /// The codes that a move can end on: an empty square and everything that may be captured.
    open: u64,
}

impl<'a> Finder<'a> {
    #[inline(always)]
    fn new(position: &'a Position) -> Self {
        let us = position.turn();
        let rules = position.rules();
        let is_alive = position.alive().contains(us);
        let is_teams = rules.mode == Mode::Teams;
        let friends = match rules.mode {
            Mode::FreeForAll => Players::one(us),
            Mode::Teams => Players::one(us).with(us.opposite()),
        };
        // The king of a player who has withdrawn evades everyone, and captures nothing.
        let opponents = if is_alive {
            Players::from_bits(position.alive().bits() & !friends.bits())
        } else {
            position.alive()
        };
        let hostile = codes_of(opponents) as u32;
        let mut open = 1 << EMPTY;
        if is_alive {
            open |= ALL_PIECES & !codes_of(friends);
            if rules.king_capture == KingCapture::Forbid {
                open &= !(KINGS & u64::from(hostile));
            }
        }
        Finder {
            position,
            pieces: &position.pieces,
            us,
            is_alive,
            is_teams,
            king: position.state.kings[us as usize],
            opponents,
            hostile,
            open,
        }
    }

    /// Returns 1 if a move can end on a cell with these contents.
    #[inline(always)]
    fn is_open(&self, code: Code) -> u64 {
        self.open >> code & 1
    }

    /// Returns where the king is attacked from: bits 0 to 7 are directions, 8 to 15 leaps of a knight.
    #[inline(always)]
    fn checks(&self) -> u32 {
        attacks(self.pieces, self.king, self.hostile, Unchanged)
    }

    /// Finds the moves of the piece of a lane; the king is not among them, so there are enough lanes.
    #[inline(always)]
    fn pieces(&self, lane: u32, checks: u32, sink: &mut impl LaneSink) {
        let own = self.pieces.of(self.us) - self.pieces.role(Role::King);
        if lane < own.len() as u32 {
            self.piece(nth(own, lane), checks, sink);
        }
    }

    #[inline(always)]
    fn piece(&self, from: u8, checks: u32, sink: &mut impl LaneSink) {
        let role = self.pieces.at(from) & 7;
        let mut targets = match role {
            PAWN => self.pawn(from),
            KNIGHT => self.knight(from),
            _ => self.slider(from, role),
        };
        let pin = self.pin(from);
        if checks != 0 || pin.is_some() {
            targets = self.restricted(from, targets, checks, pin);
        }
        let ahead = from.wrapping_add(STRIDES[2 * self.us as usize]);
        let promotes = role == PAWN && self.is_teams && promotes_in_teams(self.us, ahead);
        sink.piece(Square::new(from as usize), targets, promotes);
    }

    #[inline(always)]
    fn pawn(&self, from: u8) -> Targets {
        let forward = 2 * self.us as u32;
        let stride = STRIDES[forward as usize];
        let ahead = from.wrapping_add(stride);
        let single = self.pieces.at(ahead) == EMPTY;
        let double = single
            && line(self.us, from) == 1
            && self.pieces.at(ahead.wrapping_add(stride)) == EMPTY;
        let mut targets = Targets::NONE;
        targets.add(forward, u64::from(single) | u64::from(double) << 1);
        self.pawn_capture(&mut targets, from, (forward + 7) & 7);
        self.pawn_capture(&mut targets, from, forward + 1);
        targets
    }

    #[inline(always)]
    fn pawn_capture(&self, targets: &mut Targets, from: u8, direction: u32) {
        let to = from.wrapping_add(STRIDES[direction as usize]);
        let occupant = self.pieces.at(to);
        // Captures on an en passant square are en passant captures.
        let captures = occupant != EMPTY
            && self.is_open(occupant) != 0
            && !offers_en_passant(self.position, self.opponents, to);
        targets.add(direction, u64::from(captures));
    }

    #[inline(always)]
    fn knight(&self, from: u8) -> Targets {
        let mut targets = Targets::NONE;
        for leap in 0..8 {
            let to = from.wrapping_add(STRIDES[8 + leap as usize]);
            targets.add_leap(leap, self.is_open(self.pieces.at(to)));
        }
        targets
    }

    #[inline(always)]
    fn slider(&self, from: u8, role: u8) -> Targets {
        let mut targets = Targets::NONE;
        self.slide(&mut targets, from, Axis::Rank);
        self.slide(&mut targets, from, Axis::File);
        self.slide(&mut targets, from, Axis::Rising);
        self.slide(&mut targets, from, Axis::Falling);
        targets.and(match role {
            BISHOP => Targets::DIAGONAL,
            ROOK => Targets::STRAIGHT,
            _ => Targets::ALL,
        })
    }

    #[inline(always)]
    fn slide(&self, targets: &mut Targets, from: u8, axis: Axis) {
        let (up, down) = self.pieces.lines().empty(from, axis);
        let mut add = |direction: Direction, empty| {
            let occupant = self.pieces.at(walk(from, direction, empty + 1));
            targets.add_run(direction as u32, empty + self.is_open(occupant) as u32);
        };
        add(axis.up(), up);
        add(axis.down(), down);
    }

    /// Returns the direction in which a piece is pinned, as seen from its king, and the pinning player.
    #[inline(always)]
    fn pin(&self, from: u8) -> Option<(u32, u8)> {
        let (file, rank) = (u32::from(from & 15), u32::from(from >> 4));
        let (king_file, king_rank) = (u32::from(self.king & 15), u32::from(self.king >> 4));
        let (same_file, same_rank) = (file == king_file, rank == king_rank);
        let rising = file + king_rank == king_file + rank;
        let falling = file + rank == king_file + king_rank;
        // Choosing numbers needs no branches, unlike choosing an `Axis`.
        let (bit, king_bit) =
            if same_file { (rank + 1, king_rank + 1) } else { (file + 1, king_file + 1) };
        let (line, upward) = if same_rank {
            (rank, Direction::East)
        } else if same_file {
            (16 + file, Direction::North)
        } else if rising {
            (32 + (file.wrapping_sub(rank) & 31), Direction::NorthEast)
        } else {
            (64 + file + rank, Direction::SouthEast)
        };
        let (up, down) = runs(self.pieces.lines().word(line as usize), bit);
        let is_up = bit > king_bit;
        let (toward, beyond) = if is_up { (down, up) } else { (up, down) };
        let direction = if is_up { upward as u32 } else { upward as u32 + 4 };
        let stride = STRIDES[direction as usize & 7];
        let pinning = self.pieces.at(from.wrapping_add(stride.wrapping_mul(beyond as u8 + 1)));
        let on_line = same_file | same_rank | rising | falling;
        let is_next = toward + 1 == bit.abs_diff(king_bit);
        let sliders = if same_file | same_rank { STRAIGHT_SLIDERS } else { DIAGONAL_SLIDERS };
        let attacks = (sliders & self.hostile).unbounded_shr(u32::from(pinning)) & 1 != 0;
        (on_line & is_next & attacks).then_some((direction, pinning >> 3))
    }

    /// Returns those moves that are legal although the king is in check or the piece is pinned.
    #[inline(always)]
    fn restricted(
        &self,
        from: u8,
        targets: Targets,
        checks: u32,
        pin: Option<(u32, u8)>,
    ) -> Targets {
        let mut allowed = Targets::ALL;
        if checks != 0 {
            allowed = Targets::NONE;
            if checks & (checks - 1) == 0 {
                // The squares from the king to the piece that gives check.
                let stride = STRIDES[checks.trailing_zeros() as usize & 15];
                let mut to = self.king;
                loop {
                    to = to.wrapping_add(stride);
                    allowed = allowed.or(Targets::between(from, to));
                    if self.pieces.at(to) != EMPTY {
                        break;
                    }
                }
            }
        }
        // Captures of kings are legal if they end the checks, or the attack of the pinning piece.
        let mut captured = self.opponents;
        if let Some((direction, pinner)) = pin {
            allowed = allowed.and(Targets::along(direction));
            if checks == 0 {
                captured = Players::from_bits(1 << pinner);
            }
        }
        let mut legal = targets.and(allowed);
        for player in 0..4 {
            let king = self.position.state.kings[player as usize];
            let capture = Targets::between(from, king).and(targets);
            if captured.bits() >> player & 1 != 0 && !capture.is_empty() {
                legal = legal.without(capture);
                if self.is_teams || self.captures_king_safely(from, king, player) {
                    legal = legal.or(capture);
                }
            }
        }
        legal
    }

    #[inline(always)]
    fn captures_king_safely(&self, from: u8, to: u8, player: u32) -> bool {
        let hostile = self.hostile & !(0xff << (8 * player));
        is_safe_rare(self.position, self.king, from, to, hostile)
    }

    /// Finds one of the moves that are tested one by one: a step of the king, castling or en passant.
    #[inline(always)]
    fn singles(&self, lane: u32, checks: u32, sink: &mut impl LaneSink) {
        let us = self.us as u32;
        let corner = lane & 1;
        let is_step = lane < CASTLING;
        let is_castling = !is_step && lane < EN_PASSANT;
        let mut direction = if is_step { lane } else { 6 - 4 * corner - 2 * (us & 1) };
        let stride = STRIDES[direction as usize & 7];
        let next = self.king.wrapping_add(stride);
        let (king, hostile) = (self.king, self.hostile);
        let mut test = Test { king: next, from: king, to: next, pawn: NONE, hostile };
        let mut is_possible = is_step;
        if is_castling {
            is_possible = self.is_alive && checks == 0 && self.may_castle(corner, stride);
        } else if lane >= EN_PASSANT {
            let other = Player::from_index((us + 1 + (lane - EN_PASSANT) / 2) as u8);
            direction = (2 * us + if corner == 0 { 7 } else { 1 }) & 7;
            let to = self.position.state.en_passant[other as usize];
            // `NONE` has no neighbors on the board, so there is no pawn.
            let from = to.wrapping_sub(STRIDES[direction as usize & 7]);
            let pawn = to.wrapping_add(STRIDES[2 * other as usize]);
            test = Test { king, from, to, pawn, hostile };
            is_possible = self.is_alive
                && self.opponents.contains(other)
                && self.pieces.at(from) == code(self.us, Role::Pawn);
        }
        let occupant = self.pieces.at(test.to);
        is_possible &= self.is_open(occupant) != 0;
        let mut ends_game = false;
        if (KINGS as u32 & self.hostile).unbounded_shr(u32::from(occupant)) & 1 != 0 {
            test.hostile &= !(0xff << (occupant & 24));
            ends_game = self.is_teams;
        }
        let mut is_legal = is_possible && (ends_game || is_safe(self.pieces, &test));
        let mut distance = 1;
        if is_castling && is_legal {
            let to = next.wrapping_add(stride);
            is_legal = is_safe_rare(self.position, to, king, to, hostile);
            distance = 2;
        }
        if is_legal {
            let promotes =
                lane >= EN_PASSANT && self.is_teams && promotes_in_teams(self.us, test.to);
            sink.single(Square::new(test.from as usize), direction, distance, promotes);
        }
    }

    /// Returns whether the player has the right to castle, and all squares up to the rook are empty.
    #[inline(always)]
    fn may_castle(&self, corner: u32, stride: u8) -> bool {
        let axis = if self.us as u32 & 1 == 0 { Axis::Rank } else { Axis::File };
        let (up, down) = self.pieces.lines().empty(self.king, axis);
        let empty = if corner == 0 { down } else { up };
        let right = self.position.state.castling >> (2 * self.us as u32 + corner) & 1;
        let nearest = self.king.wrapping_add(stride.wrapping_mul(empty as u8 + 1));
        right != 0 && nearest == CORNERS[self.us as usize][corner as usize & 1]
    }
}

const STRAIGHT_SLIDERS: u32 = 0x0101_0101 * (1 << ROOK | QUEENS);
const DIAGONAL_SLIDERS: u32 = 0x0101_0101 * (1 << BISHOP | QUEENS);
const QUEENS: u32 = 1 << Role::Queen as u8 | 1 << Role::OnePointQueen as u8;

/// The squares of the rooks that castle, by player.
static CORNERS: [[u8; 2]; 4] = {
    let mut table = [[0; 2]; 4];
    let mut player = 0;
    while player < 4 {
        let [low, high] = ARMIES[player].corners;
        table[player] = [cell(low), cell(high)];
        player += 1;
    }
    table
};

/// Returns the distance of a square from a player's back line.
#[inline(always)]
fn line(player: Player, cell: u8) -> u8 {
    let along = if player as u8 & 1 == 0 { cell >> 4 } else { cell & 15 };
    if player as u8 & 2 == 0 { along } else { 13u8.wrapping_sub(along) }
}

/// Returns whether a pawn of a player promotes on a square of the board, in teams.
#[inline(always)]
fn promotes_in_teams(player: Player, cell: u8) -> bool {
    // A square beyond the board wraps around.
    matches!(line(player, cell), 10..14)
}

/// Returns whether this is the en passant square of one of some players.
#[inline(always)]
fn offers_en_passant(position: &Position, players: Players, cell: u8) -> bool {
    let mut found = false;
    for player in 0..4 {
        let is_in = players.bits() >> player & 1 != 0;
        found |= is_in & (position.state.en_passant[player] == cell);
    }
    found
}

/// Returns the `nth` square of a set that has more than `nth`.
#[inline(always)]
fn nth(set: Bitboard, nth: u32) -> u8 {
    let words = set.words();
    let (mut word, mut left, mut base) = (words[0], nth, 0);
    let mut before = 0;
    for index in 1..4 {
        before += words[index - 1].count_ones();
        if nth >= before {
            (word, left, base) = (words[index], nth - before, 64 * index as u32);
        }
    }
    let mut bits = word as u32;
    if left >= bits.count_ones() {
        left -= bits.count_ones();
        bits = (word >> 32) as u32;
        base += 32;
    }
    let mut width = 16;
    while width > 0 {
        let count = (bits & ((1 << width) - 1)).count_ones();
        if left >= count {
            left -= count;
            bits >>= width;
            base += width;
        }
        width /= 2;
    }
    base as u8
}

#[cfg(test)]
mod tests {
    use crate::{Player, Position, Rules, StartPosition, random_walk};

    #[test]
    fn lockstep_finds_the_same_checks() {
        for (game, words) in (1..).zip(["", "teams", "forbid-king-capture"].repeat(4)) {
            let rules = Rules::parse(words).expect("words of rules");
            let start = Position::start(StartPosition::Modern, rules);
            for position in random_walk(start, game).take(600) {
                for player in Player::ALL {
                    let found = position.checked_in_lockstep(player);
                    assert_eq!(found, position.checked_by(player), "{player} in {position}");
                }
                assert_eq!(position.any_lane_has_move(), position.has_legal_move(), "{position}");
            }
        }
    }
}
