//! Generates the legal moves of the player to move. Checks and pins are found by one scan from the
//! king; only rare cases are tested by making the move.

use core::ops::ControlFlow;

use fourfold_board::{Direction, Square};
use fourfold_common::cpu::{self, Cpu, Work};

use crate::army::{Army, army};
use crate::lines::{Axis, stride, walk};
use crate::moves::{Count, Each, MoveSink};
use crate::pieces::{
    ALL_PIECES, Attackers, Codes, EMPTY, KING, KINGS, KNIGHT, Pieces, REACH, attackers_from, cell,
    code, codes_of, only, sliders_from,
};
use crate::position::NONE;
use crate::{
    BOARD, Bitboard, KingCapture, Mode, Move, MoveKind, MoveList, Player, Players, Position, Role,
};

impl Position {
    /// Returns the legal moves; empty if the game is over.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.legal_moves_into(&mut list);
        list
    }

    /// Replaces the contents of `list` with the legal moves.
    pub fn legal_moves_into(&self, list: &mut MoveList) {
        list.clear();
        cpu::dispatch(List(self, list));
    }

    /// Returns the number of legal moves.
    #[inline(always)]
    pub fn count_legal(&self) -> usize {
        let mut count = Count(0);
        let _ = self.generate(&mut count);
        count.0
    }

    /// Returns whether the player to move has a legal move.
    #[inline(always)]
    pub fn has_legal_move(&self) -> bool {
        if cpu::IS_GPU {
            return self.any_lane_has_move();
        }
        self.has_free_pawn() || self.search_for_legal_move()
    }

    /// Searches for a legal move, stopping at the first.
    fn search_for_legal_move(&self) -> bool {
        cpu::dispatch(AnyMove(self))
    }

    /// Returns whether the player to move is not in check and has a pawn that can step forward and
    /// is not on a line with the king, so it cannot be pinned. True in most positions and cheap to
    /// test.
    #[inline(always)]
    fn has_free_pawn(&self) -> bool {
        let us = self.turn();
        if self.ending().is_some() || !self.alive().contains(us) {
            return false;
        }
        let king = self.state.kings[us as usize];
        let pawns = self.army(us) & (self.pieces.role(Role::Pawn) - REACH[king as usize]);
        let empty = BOARD.squares() - self.pieces.occupied();
        let free = match us {
            Player::Red => shifted(pawns, Generator::<0>::ARMY.forward),
            Player::Blue => shifted(pawns, Generator::<1>::ARMY.forward),
            Player::Yellow => shifted(pawns, Generator::<2>::ARMY.forward),
            Player::Green => shifted(pawns, Generator::<3>::ARMY.forward),
        };
        (free & empty).any()
            && !self.pieces.attacked(king, &self.pieces.attackers(self.opponents(us)))
    }

    /// Returns whether `mv` is legal.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.generate(&mut Each(|other| {
            if other == mv { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }))
        .is_break()
    }

    /// Sends the legal moves to `sink` until it breaks.
    #[inline(always)]
    pub fn generate<S: MoveSink>(&self, sink: &mut S) -> ControlFlow<()> {
        if self.ending().is_some() {
            return ControlFlow::Continue(());
        }
        if !self.alive().contains(self.turn()) {
            return self.walking_king_moves(sink);
        }
        match self.turn() {
            Player::Red => Generator::<0>::new(self).generate(sink),
            Player::Blue => Generator::<1>::new(self).generate(sink),
            Player::Yellow => Generator::<2>::new(self).generate(sink),
            Player::Green => Generator::<3>::new(self).generate(sink),
        }
    }

    /// Generates the steps of the king of a player who has withdrawn: to empty squares that no
    /// living player attacks.
    fn walking_king_moves<S: MoveSink>(&self, sink: &mut S) -> ControlFlow<()> {
        let king = self.state.kings[self.turn() as usize];
        let living = self.pieces.attackers(self.alive());
        // Remove the king, so that it does not shield the squares behind it.
        let mut pieces = self.pieces;
        pieces.remove(king, code(self.turn(), Role::King));
        let mut steps = Bitboard::EMPTY;
        for to in KING[king as usize] - self.pieces.occupied() {
            if !pieces.attacked(cell(to), &living) {
                steps |= to.into();
            }
        }
        sink.leaps(Square::new(king as usize), steps)
    }
}

/// Collects the legal moves in a list.
struct List<'a>(&'a Position, &'a mut MoveList);

impl Work for List<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, _cpu: C) {
        let _ = self.0.generate(&mut Each(|mv| {
            // Compiles to fewer instructions than `push`: the capacity check is `==` instead of `<`.
            self.1.insert(self.1.len(), mv);
            ControlFlow::Continue(())
        }));
    }
}

/// Determines whether there is a legal move.
struct AnyMove<'a>(&'a Position);

impl Work for AnyMove<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<C: Cpu>(self, _cpu: C) -> bool {
        self.0.generate(&mut First).is_break()
    }
}

/// A sink that breaks at the first move.
struct First;

impl MoveSink for First {
    #[inline(always)]
    fn slide(&mut self, _: Square, _: Direction, _: u32, count: u32) -> ControlFlow<()> {
        if count > 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    #[inline(always)]
    fn leaps(&mut self, _: Square, to: Bitboard) -> ControlFlow<()> {
        if to.any() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    #[inline(always)]
    fn pawns(&mut self, _: Direction, _: u32, to: Bitboard, _: Option<Role>) -> ControlFlow<()> {
        if to.any() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    #[inline(always)]
    fn single(&mut self, _: Move) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

/// Generates the moves of army `A` in a position where it is to move.
struct Generator<'a, const A: usize> {
    position: &'a Position,
    pieces: &'a Pieces,
    /// The square of the player's own king.
    king: u8,
    /// The living opponents.
    opponents: Players,
    attackers: Attackers,
    own: Bitboard,
    /// Squares that hold no piece of the player's own side, minus kings that ordinary moves may not
    /// capture.
    targets: Bitboard,
    /// The codes of the pieces that ordinary moves may capture.
    capturable: Codes,
    /// Living opponents' kings whose captures are generated separately, because they may end a
    /// check.
    kings: Bitboard,
    /// The player's own pinned pieces, by the axis of the pin.
    pinned: [Bitboard; 4],
    /// The owners of the pinning pieces.
    pinners: Players,
    /// The number of pieces that give check.
    checkers: u32,
    /// The squares to which a piece other than the king can move to end a single check.
    evasions: Bitboard,
    /// The squares behind the king, as seen from a checking slider: attacked once the king leaves.
    behind_king: Bitboard,
}

impl<'a, const A: usize> Generator<'a, A> {
    const US: Player = Player::ALL[A];
    const ARMY: Army = army(A);

    #[inline(always)]
    fn new(position: &'a Position) -> Self {
        let us = Self::US;
        let pieces = &position.pieces;
        let alive = position.alive();
        let rules = position.rules();
        let (opponents, friends) = match rules.mode {
            Mode::FreeForAll => (alive.without(us), Players::one(us)),
            Mode::Teams => {
                let team = Players::one(us).with(us.opposite());
                (Players::from_bits(alive.bits() & !team.bits()), team)
            }
        };
        let own = pieces.of(us);
        let friendly = match rules.mode {
            Mode::FreeForAll => own,
            Mode::Teams => own | pieces.of(us.opposite()),
        };
        let attackers = pieces.attackers(opponents);
        let mut generator = Generator {
            position,
            pieces,
            king: position.state.kings[us as usize],
            opponents,
            attackers,
            own,
            targets: BOARD.squares() - friendly,
            capturable: ALL_PIECES & !codes_of(friends),
            kings: Bitboard::EMPTY,
            pinned: [Bitboard::EMPTY; 4],
            pinners: Players::NONE,
            checkers: 0,
            evasions: Bitboard::EMPTY,
            behind_king: Bitboard::EMPTY,
        };
        generator.scan_from_king();
        match rules.king_capture {
            KingCapture::Allow if generator.checkers == 0 => {}
            KingCapture::Allow => {
                // Capturing a king eliminates its army, which ends the checks that it gives.
                generator.kings = generator.kings_of(generator.opponents);
                generator.exclude_kings();
            }
            KingCapture::Forbid => generator.exclude_kings(),
        }
        generator
    }

    /// Finds checks and pins: the nearest pieces on the king's lines, and the next ones behind the
    /// player's own pieces.
    #[inline(always)]
    fn scan_from_king(&mut self) {
        self.scan_along(Axis::Rank);
        self.scan_along(Axis::File);
        self.scan_along(Axis::Rising);
        self.scan_along(Axis::Falling);
        let knights = KNIGHT[self.king as usize] & self.attackers.knights;
        self.checkers += knights.len() as u32;
        self.evasions |= knights;
    }

    #[inline(always)]
    fn scan_along(&mut self, axis: Axis) {
        let (up, down) = self.pieces.lines().empty(self.king, axis);
        self.scan_toward(axis, axis.up(), up);
        self.scan_toward(axis, axis.down(), down);
    }

    #[inline(always)]
    fn scan_toward(&mut self, axis: Axis, direction: Direction, empty: u32) {
        let near = walk(self.king, direction, empty + 1);
        let piece = 1 << self.pieces.at(near);
        if attackers_from(direction, empty + 1) & self.attackers.codes & piece != 0 {
            self.checkers += 1;
            self.evasions.toggle(Square::new(near as usize));
            if sliders_from(direction) & piece != 0 {
                let (king, near) = (Square::new(self.king as usize), Square::new(near as usize));
                self.evasions |= BOARD.between(king, near);
                self.behind_king |= only(walk(self.king, direction.opposite(), 1));
            }
        } else if codes_of(Players::one(Self::US)) & piece != 0 {
            let beyond = self.pieces.lines().empty_toward(near, direction);
            let piece = self.pieces.at(walk(near, direction, beyond + 1));
            if sliders_from(direction) & self.attackers.codes & 1 << piece != 0 {
                self.pinned[axis as usize].toggle(Square::new(near as usize));
                self.pinners = self.pinners.with(Player::from_index(piece >> 3));
            }
        }
    }

    #[inline(always)]
    fn has_pins(&self) -> bool {
        !self.pinners.is_empty()
    }

    #[inline(always)]
    fn all_pinned(&self) -> Bitboard {
        let [a, b, c, d] = self.pinned;
        a | b | c | d
    }

    /// Returns the squares of the kings of living players.
    fn kings_of(&self, players: Players) -> Bitboard {
        let kings = players.iter().map(|player| self.position.state.kings[player as usize]);
        kings.fold(Bitboard::EMPTY, |set, king| set | only(king))
    }

    /// Excludes living opponents' kings from the targets of ordinary moves.
    fn exclude_kings(&mut self) {
        self.targets -= self.kings_of(self.opponents);
        self.capturable &= !(KINGS & codes_of(self.opponents));
    }

    /// Generates the cheapest moves first, so that a search for any legal move stops early.
    #[inline(always)]
    fn generate<S: MoveSink>(&self, sink: &mut S) -> ControlFlow<()> {
        let mut en_passant = Bitboard::EMPTY;
        if self.may_capture_en_passant() {
            en_passant = self.en_passant_squares();
            self.en_passant(sink, en_passant)?;
        }
        if self.checkers == 0 {
            self.pawns(sink, BOARD.squares(), en_passant)?;
            self.knights(sink, BOARD.squares())?;
            self.sliders(sink)?;
            if self.has_pins() {
                self.pinned_pieces(sink)?;
            }
            self.castling(sink)?;
        } else {
            if self.checkers == 1 {
                self.pawns(sink, self.evasions, en_passant)?;
                self.knights(sink, self.evasions)?;
                self.slider_evasions(sink)?;
            }
            self.king_captures(sink, self.own - only(self.king), self.kings, en_passant)?;
        }
        self.king_steps(sink)
    }

    #[inline(always)]
    fn king_steps<S: MoveSink>(&self, sink: &mut S) -> ControlFlow<()> {
        let mut safe = Bitboard::EMPTY;
        let targets = self.targets | self.kings;
        for to in (KING[self.king as usize] & targets).iter_by_word() {
            let occupant = 1 << self.pieces.at(cell(to));
            let legal = if KINGS & self.attackers.codes & occupant != 0 {
                self.is_legal(Move::new(self.king, cell(to), MoveKind::Normal, None))
            } else {
                !self.behind_king.contains(to) && !self.pieces.attacked(cell(to), &self.attackers)
            };
            if legal {
                safe.toggle(to);
            }
        }
        sink.leaps(Square::new(self.king as usize), safe)
    }

    #[inline(always)]
    fn knights<S: MoveSink>(&self, sink: &mut S, allowed: Bitboard) -> ControlFlow<()> {
        let knights = self.own & (self.pieces.role(Role::Knight) - self.all_pinned());
        let allowed = self.targets & allowed;
        for from in knights.iter_by_word() {
            sink.leaps(from, KNIGHT[from.index() & 255] & allowed)?;
        }
        ControlFlow::Continue(())
    }

    /// Generates slides when the king is not in check.
    #[inline(always)]
    fn sliders<S: MoveSink>(&self, sink: &mut S) -> ControlFlow<()> {
        let free = self.own - self.all_pinned();
        let queens = self.pieces.queens();
        for from in (free & (self.pieces.role(Role::Rook) | queens)).iter_by_word() {
            self.slide(sink, from, Axis::Rank)?;
            self.slide(sink, from, Axis::File)?;
        }
        for from in (free & (self.pieces.role(Role::Bishop) | queens)).iter_by_word() {
            self.slide(sink, from, Axis::Rising)?;
            self.slide(sink, from, Axis::Falling)?;
        }
        ControlFlow::Continue(())
    }

    /// Generates the moves of pinned pieces other than pawn moves along the pin: a slider may move
    /// between its king and the pinning piece, and every piece may capture the king of a player who
    /// pins it.
    #[cold]
    fn pinned_pieces<S: MoveSink>(&self, sink: &mut S) -> ControlFlow<()> {
        for axis in Axis::ALL {
            let sliders = sliders_from(axis.up());
            for from in self.pinned[axis as usize] {
                if sliders & 1 << self.pieces.at(cell(from)) != 0 {
                    self.slide(sink, from, axis)?;
                }
            }
        }
        if self.position.rules().king_capture == KingCapture::Forbid {
            return ControlFlow::Continue(());
        }
        let kings = self.kings_of(self.pinners);
        let pieces = self.all_pinned().iter().filter(|from| REACH[from.index()].intersects(kings));
        self.king_captures(sink, pieces.collect(), kings, self.en_passant_squares())
    }

    #[inline(always)]
    fn slide<S: MoveSink>(&self, sink: &mut S, from: Square, axis: Axis) -> ControlFlow<()> {
        let (up, down) = self.pieces.lines().empty(cell(from), axis);
        for (direction, empty) in [(axis.up(), up), (axis.down(), down)] {
            let occupant = self.pieces.at(walk(cell(from), direction, empty + 1));
            let count = empty + (self.capturable >> occupant & 1) as u32;
            sink.slide(from, direction, 1, count)?;
        }
        ControlFlow::Continue(())
    }

    /// Generates the slides that end a single check, by looking outward from the target squares.
    fn slider_evasions<S: MoveSink>(&self, sink: &mut S) -> ControlFlow<()> {
        let pinned = self.all_pinned();
        let own = codes_of(Players::one(Self::US));
        for to in self.evasions & self.targets {
            for direction in Direction::ALL {
                let distance = self.pieces.lines().empty_toward(cell(to), direction) + 1;
                let from = walk(cell(to), direction, distance);
                let slides = sliders_from(direction) & own & 1 << self.pieces.at(from) != 0;
                if slides && !pinned.intersects(only(from)) {
                    let from = Square::new(from as usize);
                    sink.slide(from, direction.opposite(), distance, 1)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns whether a pawn attacks the en passant square of another player.
    #[inline(always)]
    fn may_capture_en_passant(&self) -> bool {
        let pawn = code(Self::US, Role::Pawn);
        let mut may = false;
        for other in [Self::US.next(), Self::US.opposite(), Self::US.opposite().next()] {
            // `NONE` has no neighbors on the board, so there is no pawn.
            let skipped = self.position.state.en_passant[other as usize];
            for direction in Self::ARMY.captures {
                may |= self.pieces.at(walk(skipped, direction.opposite(), 1)) == pawn;
            }
        }
        may
    }

    /// Returns the en passant squares of living opponents.
    fn en_passant_squares(&self) -> Bitboard {
        let mut skipped = Bitboard::EMPTY;
        for player in self.opponents.iter() {
            let square = self.position.state.en_passant[player as usize];
            if square != NONE {
                skipped |= only(square);
            }
        }
        skipped
    }

    #[inline(always)]
    fn pawns<S: MoveSink>(
        &self,
        sink: &mut S,
        allowed: Bitboard,
        en_passant: Bitboard,
    ) -> ControlFlow<()> {
        let pawns = self.own & self.pieces.role(Role::Pawn);
        let free = pawns - self.all_pinned();
        let occupied = self.pieces.occupied();
        let empty = BOARD.squares() - occupied;
        let forward = Self::ARMY.forward;
        // A pinned pawn may move along the axis of the pin.
        let on_axis =
            |direction: Direction| free | pawns & self.pinned[Axis::of(direction) as usize];
        let single = shifted(on_axis(forward), forward) & empty;
        let double = shifted(single & Self::ARMY.third_line, forward) & empty;
        self.pawn_moves(sink, forward, single & allowed)?;
        sink.pawns(forward, 2, double & allowed, None)?;
        let targets = self.targets & occupied & (allowed - en_passant);
        for direction in Self::ARMY.captures {
            self.pawn_moves(sink, direction, shifted(on_axis(direction), direction) & targets)?;
        }
        ControlFlow::Continue(())
    }

    /// Generates single steps or captures of pawns, including promotions.
    #[inline(always)]
    fn pawn_moves<S: MoveSink>(
        &self,
        sink: &mut S,
        direction: Direction,
        to: Bitboard,
    ) -> ControlFlow<()> {
        let promoting = to & self.promotion_line();
        sink.pawns(direction, 1, to - promoting, None)?;
        if promoting.any() {
            for &role in self.promotions() {
                sink.pawns(direction, 1, promoting, Some(role))?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn promotion_line(&self) -> Bitboard {
        match self.position.rules().mode {
            Mode::FreeForAll => Self::ARMY.promotion_free,
            Mode::Teams => Self::ARMY.promotion_teams,
        }
    }

    fn promotions(&self) -> &'static [Role] {
        match self.position.rules().mode {
            Mode::FreeForAll => &[Role::OnePointQueen],
            Mode::Teams => &Role::PROMOTIONS,
        }
    }

    #[inline(always)]
    fn castling<S: MoveSink>(&self, sink: &mut S) -> ControlFlow<()> {
        let rights = self.position.state.castling >> (2 * Self::US as usize) & 3;
        if rights == 0 {
            return ControlFlow::Continue(());
        }
        let axis = match Axis::of(Self::ARMY.forward) {
            Axis::File => Axis::Rank,
            Axis::Rank | Axis::Rising | Axis::Falling => Axis::File,
        };
        let (up, down) = self.pieces.lines().empty(self.king, axis);
        for (corner, direction, empty) in [(0, axis.down(), down), (1, axis.up(), up)] {
            let rook = cell(Self::ARMY.corners[corner]);
            if rights >> corner & 1 != 0 && walk(self.king, direction, empty + 1) == rook {
                self.castling_move(sink, direction)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Generates the castling move unless a square on the king's path is attacked.
    fn castling_move<S: MoveSink>(&self, sink: &mut S, direction: Direction) -> ControlFlow<()> {
        let (crossed, to) = (walk(self.king, direction, 1), walk(self.king, direction, 2));
        if self.pieces.attacked(crossed, &self.attackers)
            || self.pieces.attacked(to, &self.attackers)
        {
            return ControlFlow::Continue(());
        }
        sink.single(Move::new(self.king, to, MoveKind::Castling, None))
    }

    /// Generates en passant captures. Each is tested by making it, because it may remove two pieces
    /// from one line.
    #[cold]
    fn en_passant<S: MoveSink>(&self, sink: &mut S, en_passant: Bitboard) -> ControlFlow<()> {
        for skipped in en_passant {
            let occupant = self.pieces.at(cell(skipped));
            let kings = self.kings.contains(skipped);
            if occupant != EMPTY && self.capturable >> occupant & 1 == 0 && !kings {
                continue;
            }
            for direction in Self::ARMY.captures {
                let from = walk(cell(skipped), direction.opposite(), 1);
                if self.pieces.at(from) == code(Self::US, Role::Pawn) {
                    self.pawn_capture(sink, from, cell(skipped), MoveKind::EnPassant)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Generates captures of living opponents' kings by some pieces. Each is tested by making it.
    #[cold]
    fn king_captures<S: MoveSink>(
        &self,
        sink: &mut S,
        pieces: Bitboard,
        kings: Bitboard,
        en_passant: Bitboard,
    ) -> ControlFlow<()> {
        if pieces.is_empty() {
            return ControlFlow::Continue(());
        }
        let own = self.pieces.attackers(Players::one(Self::US));
        for target in kings {
            if !self.pieces.attacked(cell(target), &own) {
                continue;
            }
            for from in self.pieces.attackers_of(cell(target), &own) & pieces {
                let (from, to) = (cell(from), cell(target));
                if self.pieces.at(from) != code(Self::US, Role::Pawn) {
                    let mv = Move::new(from, to, MoveKind::Normal, None);
                    if self.is_legal(mv) {
                        sink.single(mv)?;
                    }
                } else if !en_passant.contains(target) {
                    self.pawn_capture(sink, from, to, MoveKind::Normal)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn pawn_capture<S: MoveSink>(
        &self,
        sink: &mut S,
        from: u8,
        to: u8,
        kind: MoveKind,
    ) -> ControlFlow<()> {
        if !self.is_legal(Move::new(from, to, kind, None)) {
            return ControlFlow::Continue(());
        }
        if !self.promotion_line().intersects(only(to)) {
            return sink.single(Move::new(from, to, kind, None));
        }
        for &role in self.promotions() {
            sink.single(Move::new(from, to, kind, Some(role)))?;
        }
        ControlFlow::Continue(())
    }

    /// Tests whether a pseudo-legal move leaves the player's own king safe, by making it. In teams,
    /// capturing a king ends the game, so the move is legal even if the player's king is attacked.
    #[cold]
    fn is_legal(&self, mv: Move) -> bool {
        let mut after = *self.position;
        after.advance(mv);
        match self.position.rules().mode {
            Mode::Teams if after.ending().is_some() => true,
            Mode::FreeForAll | Mode::Teams => !after.is_check(Self::US),
        }
    }
}

/// Moves all members of a set by one step. Members that leave the board end on cells that do not
/// exist.
#[inline(always)]
fn shifted(set: Bitboard, direction: Direction) -> Bitboard {
    let [a, b, c, d] = set.words();
    let steps = stride(direction) as i8;
    let bits = u32::from(steps.unsigned_abs());
    let back = 64 - bits;
    Bitboard::from_words(if steps > 0 {
        [a << bits, b << bits | a >> back, c << bits | b >> back, d << bits | c >> back]
    } else {
        [a >> bits | b << back, b >> bits | c << back, c >> bits | d << back, d >> bits]
    })
}
