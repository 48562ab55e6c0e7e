//! What happens, as data and as text.

use crate::side::Cell;
use crate::{Game, Kind, Outcome, PieceId};

/// Something that has happened on a tick.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Event {
    /// When.
    pub tick: u64,
    /// What.
    pub what: What,
}

/// What can happen. On one tick things happen in this order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum What {
    /// A piece was taken: by the one that is named, or by nobody if both died.
    Taken {
        /// The piece.
        victim: PieceId,
        /// Its taker.
        by: Option<PieceId>,
    },
    /// A rook that was castling stands at home again, for its king has died.
    Returns {
        /// The rook.
        rook: PieceId,
        /// Its home.
        at: Cell,
    },
    /// A piece has arrived.
    Arrives {
        /// The piece.
        piece: PieceId,
        /// Where.
        at: Cell,
    },
    /// A pawn has become something better.
    Becomes {
        /// The pawn.
        piece: PieceId,
        /// What it is now.
        kind: Kind,
    },
    /// A piece may be ordered again.
    Rested {
        /// The piece.
        piece: PieceId,
    },
    /// A piece left the board without being taken.
    Removed {
        /// The piece.
        piece: PieceId,
    },
    /// The game is over.
    Over(Outcome),
}

/// Who is told what happens.
pub trait Events {
    /// Something has happened.
    fn push(&mut self, event: Event);
}

impl Events for Vec<Event> {
    #[inline]
    fn push(&mut self, event: Event) {
        self.push(event);
    }
}

/// Nobody wants to know what happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoEvents;

impl Events for NoEvents {
    #[inline]
    fn push(&mut self, _: Event) {}
}

impl Game {
    /// An event as text: `t31 P:1:6:4 arrives 5,4`.
    pub fn text(&self, event: &Event) -> String {
        let name = |piece| self.name(piece);
        let cell = |cell: Cell| format!("{},{}", cell.row(), cell.column());
        let what = match event.what {
            What::Taken { victim, by } => {
                let by = by.map_or("nobody".to_owned(), name);
                format!("{} taken by {by}", name(victim))
            }
            What::Returns { rook, at } => format!("{} returns {}", name(rook), cell(at)),
            What::Arrives { piece, at } => format!("{} arrives {}", name(piece), cell(at)),
            What::Becomes { piece, kind } => format!("{} becomes {}", name(piece), kind.letter()),
            What::Rested { piece } => format!("{} rested", name(piece)),
            What::Removed { piece } => format!("{} removed", name(piece)),
            What::Over(Outcome::Draw) => "draw".to_owned(),
            What::Over(Outcome::Win(players)) => {
                format!("game over winner {}", players.joined("+"))
            }
        };
        format!("t{} {what}", event.tick)
    }
}
