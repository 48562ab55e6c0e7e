//! Static evaluation of a position, in centipawns for the side to move.
//!
//! The weights were tuned together with the piece-square tables: see `piece_square.rs`.

use fourfold_board::Square;
use fourfold_chess::attacks::{bishop_attacks, king_attacks, knight_attacks, rook_attacks};
use fourfold_chess::{Bitboard, Color, Position, Role};
use fourfold_common::cpu::Cpu;

use super::taper::{Incremental, Taper};

const PAIR_OF_BISHOPS: Taper = Taper(22, 63);
const DOUBLED: Taper = Taper(-6, -30);
const ISOLATED: Taper = Taper(-10, -5);
/// A pawn that is defended by another pawn, and a pawn with another one beside it.
const GUARDED: Taper = Taper(10, 0);
const PHALANX: Taper = Taper(5, -1);
/// A passed pawn by its rank, in addition to its piece-square value.
static PASSED: [Taper; 8] = [
    Taper(0, 0),
    Taper(-1, 15),
    Taper(3, 24),
    Taper(-5, 44),
    Taper(31, 81),
    Taper(30, 100),
    Taper(51, 104),
    Taper(0, 0),
];
/// For each step by which the enemy king is farther than ours from the square in front of a passed
/// pawn.
const ESCORTED: Taper = Taper(0, 9);
/// A passed pawn with an enemy piece right in front of it.
const BLOCKADED: Taper = Taper(-16, -33);
const OPEN_FILE: Taper = Taper(27, 0);
const HALF_OPEN_FILE: Taper = Taper(17, 15);
/// The usual mobility of a knight, bishop, rook and queen, and the value of each additional square.
/// Squares attacked by enemy pawns do not count.
static MOBILITY: [(i32, Taper); 4] =
    [(4, Taper(5, 1)), (6, Taper(6, 0)), (6, Taper(4, 5)), (12, Taper(3, -7))];
/// A knight, bishop, rook or queen that is attacked by a pawn.
const HIT_BY_PAWN: Taper = Taper(45, 30);
/// A knight or bishop in the enemy's half that a pawn defends and no enemy pawn can drive away.
const OUTPOST: Taper = Taper(31, 12);
/// A rook or queen that is attacked by a knight or bishop, or a queen that is attacked by a rook.
const HIT_BY_LESS: Taper = Taper(33, 26);
/// A pawn of the king's shelter, on the rank in front of the king or one rank farther.
const SHELTER: [Taper; 2] = [Taper(17, -7), Taper(2, -5)];
/// The king's file or one beside it, without a pawn of the king's side.
const OPEN_AT_KING: Taper = Taper(-14, -2);
/// The value of a danger of 16 to the enemy king; it grows with the square of the danger.
const DANGER: Taper = Taper(18, 10);
/// How much a knight, bishop, rook or queen that attacks squares around the enemy king adds to the
/// danger.
static KING_ATTACKERS: [i32; 4] = [3, 2, 3, 5];
/// The limit of the squared danger.
const MAX_DANGER: i32 = 6000;
const TEMPO: i32 = 6;

/// Evaluates a position for the side to move.
#[inline(always)]
pub(super) fn evaluate<C: Cpu>(cpu: C, position: &Position, incremental: Incremental) -> i32 {
    let sides = [Side::new(position, Color::White), Side::new(position, Color::Black)];
    let mut sum = incremental.sum;
    sum += sides[0].look(cpu, &sides[1]) - sides[1].look(cpu, &sides[0]);
    let white = incremental.blend(sum);
    let white = white + mop_up(position, &sides, white);
    let white = white * weight(position, white) / 64;
    let score = match position.turn() {
        Color::White => white,
        Color::Black => -white,
    };
    // The score fades as the fifty-move rule comes closer.
    let calm = i32::from(position.halfmoves().min(100));
    score * (220 - calm) / 220 + TEMPO
}

/// The pieces of one side.
struct Side<'a> {
    position: &'a Position,
    color: Color,
    own: Bitboard,
    occupied: Bitboard,
    pawns: Bitboard,
    king: Square,
    /// The squares attacked by its pawns.
    guarded: Bitboard,
}

impl<'a> Side<'a> {
    #[inline(always)]
    fn new(position: &'a Position, color: Color) -> Side<'a> {
        let board = position.board();
        let pawns = board.pieces(color, Role::Pawn);
        Side {
            position,
            color,
            own: board.color(color),
            occupied: board.occupied(),
            pawns,
            king: position.king(color),
            guarded: beside(ahead(color, pawns)),
        }
    }

    #[inline(always)]
    fn pieces(&self, role: Role) -> Bitboard {
        self.position.board().role(role) & self.own
    }

    /// Returns all terms for this side except the piece-square values.
    #[inline(always)]
    fn look<C: Cpu>(&self, cpu: C, enemy: &Side<'_>) -> Taper {
        let mut sum = self.structure(enemy);
        let minor = self.pieces(Role::Knight) | self.pieces(Role::Bishop);
        if self.pieces(Role::Bishop).more_than_one() {
            sum += PAIR_OF_BISHOPS;
        }
        let hit = (enemy.own - enemy.pawns - Bitboard::of(enemy.king)) & self.guarded;
        sum += HIT_BY_PAWN * hit.len() as i32;
        let driven = front_and_beside(enemy.color, enemy.pawns);
        sum += OUTPOST * (minor & self.guarded & half(enemy.color) & !driven).len() as i32;

        let ring = king_attacks(enemy.king) | Bitboard::of(enemy.king);
        let ring = ring | ahead(enemy.color, ring);
        let useful = !(self.pawns | Bitboard::of(self.king) | enemy.guarded);
        let queens = enemy.pieces(Role::Queen);
        let rooks = enemy.pieces(Role::Rook) | queens;
        let more_valuable = [rooks, rooks, queens, Bitboard::EMPTY];
        let (mut attackers, mut danger) = (0, 0);
        for (index, role) in
            [Role::Knight, Role::Bishop, Role::Rook, Role::Queen].into_iter().enumerate()
        {
            let (usual, each) = MOBILITY[index];
            for from in self.pieces(role) {
                let seen = self.seen(cpu, role, from);
                sum += each * ((seen & useful).len() as i32 - usual);
                let close = (seen & ring).len() as i32;
                if close > 0 {
                    attackers += 1;
                    danger += KING_ATTACKERS[index] * (close + 1);
                }
                if role == Role::Rook {
                    sum += self.on_file(enemy, from);
                }
                sum += HIT_BY_LESS * (seen & more_valuable[index]).len() as i32;
            }
        }
        if attackers > 1 {
            let fewer = if self.pieces(Role::Queen).is_empty() { 3 } else { 1 };
            let squared = (danger * danger).min(MAX_DANGER) / fewer;
            sum += (DANGER * squared).shift(8);
        }
        sum + self.shelter()
    }

    #[inline(always)]
    fn seen<C: Cpu>(&self, cpu: C, role: Role, from: Square) -> Bitboard {
        match role {
            Role::Knight => knight_attacks(from),
            // Pieces that move along the same line support each other from behind.
            Role::Bishop => bishop_attacks(cpu, from, self.occupied - self.pieces(Role::Queen)),
            Role::Rook => {
                let friends = self.pieces(Role::Queen) | self.pieces(Role::Rook);
                rook_attacks(cpu, from, self.occupied - friends)
            }
            _ => rook_attacks(cpu, from, self.occupied) | bishop_attacks(cpu, from, self.occupied),
        }
    }

    #[inline(always)]
    fn on_file(&self, enemy: &Side<'_>, square: Square) -> Taper {
        let file = Bitboard::from_words([FILE_A << (square.index() & 7)]);
        match (file.intersects(self.pawns), file.intersects(enemy.pawns)) {
            (false, false) => OPEN_FILE,
            (false, true) => HALF_OPEN_FILE,
            (true, _) => Taper(0, 0),
        }
    }

    /// Evaluates the pawn structure: doubled, isolated, defended and passed pawns.
    #[inline(always)]
    fn structure(&self, enemy: &Side<'_>) -> Taper {
        let front = fill(self.color, ahead(self.color, self.pawns));
        let mut sum = DOUBLED * (self.pawns & front).len() as i32;
        let files = front | fill(!self.color, self.pawns);
        sum += ISOLATED * (self.pawns - beside(files)).len() as i32;
        sum += GUARDED * (self.pawns & self.guarded).len() as i32;
        sum += PHALANX * (self.pawns & beside(self.pawns)).len() as i32;

        let stopped = front_and_beside(enemy.color, enemy.pawns)
            | fill(enemy.color, ahead(enemy.color, enemy.pawns));
        for pawn in self.pawns - stopped - fill(!self.color, ahead(!self.color, self.pawns)) {
            let rank = match self.color {
                Color::White => pawn.index() / 8,
                Color::Black => 7 - pawn.index() / 8,
            };
            sum += PASSED[rank & 7];
            let next = ahead(self.color, Bitboard::of(pawn));
            if next.intersects(enemy.own) {
                sum += BLOCKADED;
            }
            if let Some(next) = next.first().filter(|_| rank > 2) {
                let lead = distance(enemy.king, next) - distance(self.king, next);
                sum += ESCORTED * (lead * (rank as i32 - 2));
            }
        }
        sum
    }

    /// Evaluates the pawns in front of the king, and the files without one.
    #[inline(always)]
    fn shelter(&self) -> Taper {
        let king = Bitboard::of(self.king);
        let first = ahead(self.color, king | beside(king));
        let second = ahead(self.color, first);
        let bare = files(king | beside(king)) & !files(self.pawns);
        SHELTER[0] * (self.pawns & first).len() as i32
            + SHELTER[1] * (self.pawns & second).len() as i32
            + OPEN_AT_KING * bare.count_ones() as i32
    }
}

/// Returns a bonus for driving a nearly bare king to the edge, or to the right corner, with the
/// other king close to it.
#[inline(always)]
fn mop_up(position: &Position, sides: &[Side<'_>; 2], lead: i32) -> i32 {
    let (strong, weak, sign) = if lead > 0 { (0, 1, 1) } else { (1, 0, -1) };
    let bare = sides[weak].own.len() <= 2 && sides[weak].pawns.is_empty();
    if !bare || lead.abs() < 350 || sides[strong].pawns.any() {
        return 0;
    }
    let king = sides[weak].king;
    let off = |line: usize| (2 * line as i32 - 7).abs();
    let (file, rank) = (king.index() & 7, king.index() / 8);
    let mut edge = 12 * (off(file).max(off(rank))) + 4 * (off(file) + off(rank));
    let bishops = position.board().role(Role::Bishop);
    if bishops.len() == 1
        && position.board().role(Role::Knight).any()
        && sides[strong].own.len() == 3
    {
        // A bishop and a knight mate in the corners of the bishop's color.
        let dark = bishops.intersects(DARK);
        let corner = |corner: usize| distance(king, Square::new(corner));
        let far = if dark { corner(0).min(corner(63)) } else { corner(7).min(corner(56)) };
        edge = 40 * (7 - far);
    }
    sign * (edge + 10 * (7 - distance(sides[0].king, sides[1].king)))
}

/// Returns how much of a lead can be turned into a win, in units of 1/64.
#[inline(always)]
fn weight(position: &Position, lead: i32) -> i32 {
    let board = position.board();
    let strong = if lead > 0 { Color::White } else { Color::Black };
    let piece_material = |color: Color| {
        let own = board.color(color);
        let count = |role: Role| (board.role(role) & own).len() as i32;
        3 * (count(Role::Knight) + count(Role::Bishop))
            + 5 * count(Role::Rook)
            + 9 * count(Role::Queen)
    };
    let (ours, theirs) = (piece_material(strong), piece_material(!strong));
    if board.pieces(strong, Role::Pawn).is_empty() {
        let two_knights = ours == 6 && board.pieces(strong, Role::Knight).len() == 2;
        if ours <= 3 || two_knights && theirs == 0 {
            return 1;
        }
        if ours - theirs <= 3 {
            return 12;
        }
    }
    let bishops = board.role(Role::Bishop);
    let alone =
        |color: Color| (bishops & board.color(color)).len() == 1 && piece_material(color) == 3;
    let opposite = bishops.intersects(DARK) && bishops.intersects(!DARK);
    if opposite && alone(Color::White) && alone(Color::Black) { 32 } else { 64 }
}

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;
const DARK: Bitboard = Bitboard::from_words([0xaa55_aa55_aa55_aa55]);

/// Shifts a set some ranks forward for a side.
#[inline(always)]
const fn forward(color: Color, set: u64, ranks: u32) -> u64 {
    match color {
        Color::White => set << (8 * ranks),
        Color::Black => set >> (8 * ranks),
    }
}

/// Shifts a set one rank forward for a side.
#[inline(always)]
fn ahead(color: Color, set: Bitboard) -> Bitboard {
    let [set] = set.words();
    Bitboard::from_words([forward(color, set, 1)])
}

/// Returns a set with all squares in front of it.
#[inline(always)]
fn fill(color: Color, set: Bitboard) -> Bitboard {
    let [mut set] = set.words();
    for ranks in [1, 2, 4] {
        set |= forward(color, set, ranks);
    }
    Bitboard::from_words([set])
}

/// Returns the squares to the left and to the right of a set.
#[inline(always)]
fn beside(set: Bitboard) -> Bitboard {
    let [set] = set.words();
    Bitboard::from_words([(set & !FILE_H) << 1 | (set & !FILE_A) >> 1])
}

/// Returns all squares that pawns attack, or will attack as they advance.
#[inline(always)]
fn front_and_beside(color: Color, pawns: Bitboard) -> Bitboard {
    beside(fill(color, ahead(color, pawns)))
}

/// Returns the four ranks on which a side starts.
const fn half(color: Color) -> Bitboard {
    Bitboard::from_words([match color {
        Color::White => 0xffff_ffff,
        Color::Black => 0xffff_ffff << 32,
    }])
}

/// Returns the files on which a set has squares, one bit for each.
#[inline(always)]
fn files(set: Bitboard) -> u64 {
    let [set] = fill(Color::Black, set).words();
    set & 0xff
}

/// Returns how many king moves apart two squares are.
#[inline(always)]
fn distance(from: Square, to: Square) -> i32 {
    let files = (from.index() & 7).abs_diff(to.index() & 7);
    files.max((from.index() / 8).abs_diff(to.index() / 8)) as i32
}
