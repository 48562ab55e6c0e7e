//! The state of a game: plain data, cheap to copy.

use std::fmt;

use crate::piece::{MAX_PIECES, Piece, Status};
use crate::side::Cell;
use crate::{Outcome, PieceId, Players, Rules};

/// In the place of a piece's number: no piece.
pub(crate) const NOBODY: u8 = 255;

/// A game of kung fu chess.
///
/// It stands at a [tick](Game::now): orders are judged on this state, and [`Game::tick`] or
/// [`Game::advance_to`] lead to later ones. Pieces that stand are found by their cell, pieces that fly
/// in a set of their own. Nothing is done on a tick on which nothing happens: when a piece sets out, it
/// is worked out when it first meets another one, exactly, and the game knows the next tick that
/// matters.
#[derive(Clone, Copy, Debug)]
pub struct Game {
    pub(crate) rules: Rules,
    pub(crate) tick: u64,
    /// The ticks of the latest accepted order and capture; 0 if there was none.
    pub(crate) ordered: u64,
    pub(crate) captured: u64,
    pub(crate) pieces: [Piece; MAX_PIECES],
    pub(crate) count: u8,
    /// Who stands on each cell.
    pub(crate) standing: [u8; 256],
    /// The numbers of pieces that fly and that rest, as bits.
    pub(crate) flying: u64,
    pub(crate) resting: u64,
    pub(crate) out: Players,
    pub(crate) outcome: Option<Outcome>,
    /// Whether somebody has resigned or a draw was made on this tick.
    pub(crate) closed: bool,
    /// No later than the first tick on which anything happens.
    pub(crate) next: u64,
    /// For each piece that flies, no later than the first tick on which something happens to it that
    /// was not foreseen for another one.
    pub(crate) meets: [u64; MAX_PIECES],
}

/// Equal if all that can be seen of them is; how far ahead each has looked does not matter.
impl PartialEq for Game {
    fn eq(&self, other: &Game) -> bool {
        (self.rules, self.tick, self.ordered, self.captured)
            == (other.rules, other.tick, other.ordered, other.captured)
            && (self.out, self.outcome, self.closed) == (other.out, other.outcome, other.closed)
            && self.pieces[..self.count as usize] == other.pieces[..other.count as usize]
    }
}

impl Eq for Game {}

impl Game {
    /// Nobody is there yet.
    pub(crate) fn empty(rules: Rules) -> Game {
        Game {
            rules,
            tick: 0,
            ordered: 0,
            captured: 0,
            pieces: [Piece::NONE; MAX_PIECES],
            count: 0,
            standing: [NOBODY; 256],
            flying: 0,
            resting: 0,
            out: Players::NONE,
            outcome: None,
            closed: false,
            next: 1,
            meets: [u64::MAX; MAX_PIECES],
        }
    }

    /// The rules that are played.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// How many ticks have run.
    #[inline]
    pub const fn now(&self) -> u64 {
        self.tick
    }

    /// How the game has ended, if it has.
    #[inline]
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Who has lost the king.
    pub const fn out(&self) -> Players {
        self.out
    }

    /// Who is seated and not out.
    pub const fn alive(&self) -> Players {
        self.rules.seats.without(self.out)
    }

    /// The tick of the latest accepted order; 0 if there was none.
    pub const fn last_order(&self) -> u64 {
        self.ordered
    }

    /// The tick of the latest capture; 0 if there was none.
    pub const fn last_capture(&self) -> u64 {
        self.captured
    }

    /// Whether orders wait for the next tick, for somebody has resigned on this one.
    pub const fn is_closed(&self) -> bool {
        self.closed
    }

    /// All pieces there ever were, in the order of their numbers.
    pub fn pieces(&self) -> impl ExactSizeIterator<Item = &Piece> {
        self.pieces[..self.count as usize].iter()
    }

    /// The numbers of all pieces there ever were.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = PieceId> + use<> {
        (0..self.count).map(PieceId)
    }

    /// A piece by its number, if there is one.
    #[inline]
    pub fn piece(&self, id: PieceId) -> Option<&Piece> {
        self.pieces[..self.count as usize].get(id.0 as usize)
    }

    /// The piece that stands on a cell.
    pub fn standing_at(&self, cell: Cell) -> Option<PieceId> {
        let id = self.standing[cell.0 as usize];
        (id != NOBODY).then_some(PieceId(id))
    }

    /// How many pieces fly.
    pub const fn in_flight(&self) -> usize {
        self.flying.count_ones() as usize
    }

    /// A piece's name: kind, player, row and column at the start, `P:1:6:4`. `?` for no piece.
    pub fn name(&self, id: PieceId) -> String {
        self.piece(id).map_or("?".to_owned(), |piece| {
            let (kind, cell) = piece.born;
            format!("{}:{}:{}:{}", kind.letter(), piece.player, cell.row(), cell.column())
        })
    }

    /// The piece with a name.
    pub fn piece_named(&self, name: &str) -> Option<PieceId> {
        self.ids().find(|&id| self.name(id) == name)
    }

    /// Whether two players are on one side.
    #[inline(always)]
    pub(crate) fn are_friends(&self, one: u8, other: u8) -> bool {
        one == other || self.rules.teams && (one ^ other) & 1 == 0
    }

    /// Where a piece is at the present tick, as row and column in units of 1/(2·tps) of a square.
    pub fn place(&self, id: PieceId) -> Option<(i64, i64)> {
        let piece = self.piece(id).filter(|piece| piece.is_there())?;
        let course = crate::course::Course::of(piece, self.rules.speed.ticks_per_square);
        // Ordered on this tick, it sets out on the next one.
        let tick = match piece.status {
            Status::Moving { start, .. } => self.tick.max(start),
            Status::Standing | Status::Resting { .. } | Status::Gone => self.tick,
        };
        Some(course.place(tick))
    }
}

/// The numbers of set bits, ascending.
#[inline]
pub(crate) fn members(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let index = bits.trailing_zeros() as usize;
        bits &= bits.wrapping_sub(1);
        (index < 64).then_some(index)
    })
}

/// The whole state in one line; all but the rules.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let result = match self.outcome {
            None => "none".to_owned(),
            Some(Outcome::Draw) => "draw".to_owned(),
            Some(Outcome::Win(players)) => players.joined("+"),
        };
        write!(
            f,
            "t{} order={} capture={} closed={} out={} result={result}",
            self.tick,
            self.ordered,
            self.captured,
            if self.closed { "yes" } else { "no" },
            if self.out.is_empty() { "none".to_owned() } else { self.out.joined("") },
        )?;
        for id in self.ids() {
            let piece = &self.pieces[id.0 as usize];
            write!(f, "; {} {} ", self.name(id), piece.kind.letter())?;
            let at = piece.at;
            match piece.status {
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
            f.write_str(if piece.moved { " moved" } else { "" })?;
        }
        Ok(())
    }
}
