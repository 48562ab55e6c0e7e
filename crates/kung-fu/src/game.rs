//! The state of a game: plain data, cheap to copy.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use core::fmt;

use bytemuck::{Pod, Zeroable};

use crate::board::Cell;
use crate::piece::{MAX_PIECES, Piece, Status};
use crate::rules::PlainRules;
use crate::{Outcome, PieceId, Player, Players, Rules};

/// Marks the absence of a piece where an index is expected.
pub(crate) const NO_PIECE: u8 = 255;

/// A game of kung fu chess.
///
/// A game is at a [tick](Game::now). Orders are checked on its current state, and [`Game::tick`] and
/// [`Game::advance_to`] lead to later states. Standing pieces are found by their square; pieces in
/// flight are in a set of their own. A tick on which nothing happens costs nothing: when a piece
/// starts to move, its first possible collision is computed exactly, so the game always knows the
/// next tick that matters.
///
/// The bytes of a game are stable, so it can be stored and copied as such. Bytes from elsewhere
/// must be checked with [`Game::is_valid`]; without that, methods may panic.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Game {
    pub(crate) tick: u64,
    /// The ticks of the latest accepted order and capture; 0 if there was none.
    pub(crate) last_order: u64,
    pub(crate) last_capture: u64,
    /// The indices of the pieces in flight and of the resting pieces, as bits.
    pub(crate) flying: u64,
    pub(crate) resting: u64,
    /// A tick no later than the next one on which anything happens.
    pub(crate) next_event: u64,
    /// For each piece in flight, a tick no later than the first one on which something happens to
    /// it, apart from what the entries of other pieces cover.
    pub(crate) first_events: [u64; MAX_PIECES],
    pub(crate) pieces: [Piece; MAX_PIECES],
    /// The index of the piece that stands on each square, or [`NO_PIECE`].
    pub(crate) standing: [u8; 256],
    rules: PlainRules,
    pub(crate) count: u8,
    pub(crate) eliminated: Players,
    /// The players who have won as bits, 0 for a draw, or `NO_OUTCOME`.
    outcome: u8,
    /// 1 if a player has resigned or a draw was agreed on this tick, otherwise 0.
    tick_closed: u8,
}

/// Marks a game in progress.
const NO_OUTCOME: u8 = 255;

/// Compares the observable state. The predicted next events are ignored.
impl PartialEq for Game {
    fn eq(&self, other: &Game) -> bool {
        (self.rules, self.tick, self.last_order, self.last_capture)
            == (other.rules, other.tick, other.last_order, other.last_capture)
            && (self.eliminated, self.outcome, self.tick_closed)
                == (other.eliminated, other.outcome, other.tick_closed)
            && self.pieces[..self.count as usize] == other.pieces[..other.count as usize]
    }
}

impl Eq for Game {}

impl Game {
    /// Creates a game without pieces.
    pub(crate) fn empty(rules: Rules) -> Game {
        Game {
            rules: PlainRules::new(rules),
            tick: 0,
            last_order: 0,
            last_capture: 0,
            pieces: [Piece::NONE; MAX_PIECES],
            count: 0,
            standing: [NO_PIECE; 256],
            flying: 0,
            resting: 0,
            eliminated: Players::NONE,
            outcome: NO_OUTCOME,
            tick_closed: 0,
            next_event: 1,
            first_events: [u64::MAX; MAX_PIECES],
        }
    }

    /// Returns the game as it should be stored: without predicted events. These depend on how the
    /// game got here, and are computed again when they are needed.
    #[must_use]
    pub fn without_predictions(&self) -> Game {
        // Predictions may be too early, but not too late.
        Game { next_event: self.tick + 1, first_events: [0; MAX_PIECES], ..*self }
    }

    /// Returns whether the bytes of this value form a game that can be reached,
    /// [without predictions](Game::without_predictions).
    ///
    /// ```
    /// use fourfold_kung_fu::{Game, Rules};
    /// let game = Game::new(Rules::STANDARD)?.without_predictions();
    /// let mut bytes = bytemuck::bytes_of(&game).to_owned();
    /// assert!(bytemuck::pod_read_unaligned::<Game>(&bytes).is_valid());
    /// bytes[1000] ^= 1;
    /// assert!(!bytemuck::pod_read_unaligned::<Game>(&bytes).is_valid());
    /// # Ok::<(), fourfold_kung_fu::CreateError>(())
    /// ```
    pub fn is_valid(&self) -> bool {
        // Reading a snapshot checks the state and computes everything that is derived. Snapshots can
        // be written only for players that exist.
        self.count as usize <= MAX_PIECES
            && self.pieces().all(|piece| Player::ALL.contains(&piece.player))
            && Game::from_bytes(&self.to_bytes()).is_ok_and(|game| {
                bytemuck::bytes_of(&game.without_predictions()) == bytemuck::bytes_of(self)
            })
    }

    /// Returns the rules.
    #[inline(always)]
    pub const fn rules(&self) -> Rules {
        self.rules.get()
    }

    /// Returns the number of ticks that have passed.
    #[inline]
    pub const fn now(&self) -> u64 {
        self.tick
    }

    /// Returns the outcome, or `None` while the game is in progress.
    #[inline]
    pub const fn outcome(&self) -> Option<Outcome> {
        match self.outcome {
            NO_OUTCOME => None,
            0 => Some(Outcome::Draw),
            players => Some(Outcome::Win(Players::from_bits(players))),
        }
    }

    pub(crate) const fn set_outcome(&mut self, outcome: Option<Outcome>) {
        self.outcome = match outcome {
            None => NO_OUTCOME,
            Some(Outcome::Draw) => 0,
            Some(Outcome::Win(players)) => players.bits(),
        };
    }

    /// Returns the eliminated players.
    pub const fn eliminated(&self) -> Players {
        self.eliminated
    }

    /// Returns the players who take part and are not eliminated.
    pub const fn alive(&self) -> Players {
        self.rules().players.without(self.eliminated)
    }

    /// Returns the tick of the latest accepted order; 0 if there was none.
    pub const fn last_order(&self) -> u64 {
        self.last_order
    }

    /// Returns the tick of the latest capture; 0 if there was none.
    pub const fn last_capture(&self) -> u64 {
        self.last_capture
    }

    /// Returns whether orders are refused until the next tick, because a player has resigned on
    /// this one.
    pub const fn is_closed(&self) -> bool {
        self.tick_closed != 0
    }

    pub(crate) const fn set_closed(&mut self, closed: bool) {
        self.tick_closed = closed as u8;
    }

    /// Returns all pieces by index, including those that are gone.
    pub fn pieces(&self) -> impl ExactSizeIterator<Item = &Piece> {
        self.pieces[..self.count as usize].iter()
    }

    /// Returns the piece with an index, or one that is gone if there are fewer. Only the lowest six bits count.
    #[inline(always)]
    pub const fn entry(&self, index: usize) -> &Piece {
        &self.pieces[index % MAX_PIECES]
    }

    /// Returns the indices of the pieces in flight, as bits.
    #[inline(always)]
    pub const fn flying(&self) -> u64 {
        self.flying
    }

    /// Returns the ids of all pieces, including those that are gone.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = PieceId> + use<> {
        (0..self.count).map(PieceId)
    }

    /// Returns a piece by its id.
    #[inline]
    pub fn piece(&self, id: PieceId) -> Option<&Piece> {
        self.pieces[..self.count as usize].get(id.0 as usize)
    }

    /// Returns the piece that stands on a square, resting or not.
    pub fn piece_at(&self, cell: Cell) -> Option<PieceId> {
        let id = self.standing[cell.0 as usize];
        (id != NO_PIECE).then_some(PieceId(id))
    }

    /// Returns the number of pieces in flight.
    pub const fn in_flight(&self) -> usize {
        self.flying.count_ones() as usize
    }

    /// Returns the name of a piece: its role, player, row and column at the start, such as
    /// `P:1:6:4`. Returns `?` if there is no such piece.
    pub fn name(&self, id: PieceId) -> String {
        self.piece(id).map_or("?".to_owned(), |piece| {
            let (role, cell) = piece.origin();
            format!("{}:{}:{}:{}", role.letter(), piece.player, cell.row(), cell.column())
        })
    }

    /// Returns the piece with a name.
    pub fn piece_named(&self, name: &str) -> Option<PieceId> {
        self.ids().find(|&id| self.name(id) == name)
    }

    /// Returns whether two players are the same or in the same team.
    #[inline(always)]
    pub(crate) fn same_team(&self, one: Player, other: Player) -> bool {
        one == other || self.rules().teams && (one.index() ^ other.index()) & 1 == 0
    }
}

/// Iterates over the indices of the set bits in ascending order.
#[inline]
pub(crate) fn bit_indices(mut bits: u64) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let index = bits.trailing_zeros() as usize;
        bits &= bits.wrapping_sub(1);
        (index < 64).then_some(index)
    })
}

/// Writes the whole state except the rules, in one line.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let result = match self.outcome() {
            None => "none".to_owned(),
            Some(Outcome::Draw) => "draw".to_owned(),
            Some(Outcome::Win(players)) => players.joined("+"),
        };
        write!(
            f,
            "t{} order={} capture={} closed={} eliminated={} result={result}",
            self.tick,
            self.last_order,
            self.last_capture,
            if self.is_closed() { "yes" } else { "no" },
            if self.eliminated.is_empty() { "none".to_owned() } else { self.eliminated.joined("") },
        )?;
        for id in self.ids() {
            let piece = &self.pieces[id.0 as usize];
            write!(f, "; {} {} ", self.name(id), piece.role().letter())?;
            let at = piece.at;
            match piece.status() {
                Status::Gone => {
                    f.write_str("gone")?;
                    continue;
                }
                Status::Standing => write!(f, "{},{}", at.row(), at.column())?,
                Status::Resting { until } => {
                    write!(f, "{},{} until={until}", at.row(), at.column())?;
                }
                Status::Moving { to, start, arrive, king } => {
                    write!(f, "{},{}>{},{}", at.row(), at.column(), to.row(), to.column())?;
                    write!(f, " start={start} arrive={arrive}")?;
                    f.write_str(if king.is_some() { " castling" } else { "" })?;
                }
            }
            f.write_str(if piece.moved() { " moved" } else { "" })?;
        }
        Ok(())
    }
}
