//! Events, as data and as text.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::board::Cell;
use crate::{Game, Outcome, PieceId, Role};

/// Something that happened on a tick.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Event {
    /// The tick.
    pub tick: u64,
    /// What happened.
    pub kind: EventKind,
}

/// The kinds of events. The events of a tick are reported in this order, except that a promotion
/// directly follows the arrival, and that a rook that returns may be captured after the arrivals.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EventKind {
    /// A piece was captured.
    Captured {
        /// The captured piece.
        victim: PieceId,
        /// The piece that captured it, or `None` if every piece that did was captured in the same
        /// collision.
        by: Option<PieceId>,
    },
    /// A castling rook is back on its home square, because its king is gone.
    Returns {
        /// The rook.
        rook: PieceId,
        /// Its home square.
        at: Cell,
    },
    /// A piece arrived.
    Arrives {
        /// The piece.
        piece: PieceId,
        /// The square.
        at: Cell,
    },
    /// A pawn was promoted.
    Promoted {
        /// The pawn.
        piece: PieceId,
        /// The new role.
        role: Role,
    },
    /// A piece has finished its rest and accepts orders again.
    Rested {
        /// The piece.
        piece: PieceId,
    },
    /// A piece was removed from the board without being captured.
    Removed {
        /// The piece.
        piece: PieceId,
    },
    /// The game is over.
    Over(Outcome),
}

/// A receiver of events.
pub trait Events {
    /// Whether events are discarded, so that they need not be found out.
    const IGNORED: bool = false;

    /// Receives an event.
    fn push(&mut self, event: Event);
}

impl Events for Vec<Event> {
    #[inline]
    fn push(&mut self, event: Event) {
        self.push(event);
    }
}

/// Discards all events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoEvents;

impl Events for NoEvents {
    const IGNORED: bool = true;

    #[inline]
    fn push(&mut self, _: Event) {}
}

impl Game {
    /// Returns an event as text: `t31 P:1:6:4 arrives 5,4`.
    pub fn text(&self, event: &Event) -> String {
        let name = |piece| self.name(piece);
        let cell = |cell: Cell| format!("{},{}", cell.row(), cell.column());
        let what = match event.kind {
            EventKind::Captured { victim, by } => {
                let by = by.map_or("nobody".to_owned(), name);
                format!("{} captured by {by}", name(victim))
            }
            EventKind::Returns { rook, at } => format!("{} returns {}", name(rook), cell(at)),
            EventKind::Arrives { piece, at } => format!("{} arrives {}", name(piece), cell(at)),
            EventKind::Promoted { piece, role } => {
                format!("{} becomes {}", name(piece), role.letter())
            }
            EventKind::Rested { piece } => format!("{} rested", name(piece)),
            EventKind::Removed { piece } => format!("{} removed", name(piece)),
            EventKind::Over(Outcome::Draw) => "draw".to_owned(),
            EventKind::Over(Outcome::Win(players)) => {
                format!("game over winner {}", players.joined("+"))
            }
        };
        format!("t{} {what}", event.tick)
    }
}
