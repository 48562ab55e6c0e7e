//! Pieces: what they are, and where.

use super::board::Square;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

impl Kind {
    const ALL: [Kind; 6] =
        [Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen, Kind::King];

    pub(super) fn letter(self) -> char {
        match self {
            Kind::Pawn => 'P',
            Kind::Knight => 'N',
            Kind::Bishop => 'B',
            Kind::Rook => 'R',
            Kind::Queen => 'Q',
            Kind::King => 'K',
        }
    }

    pub(super) fn from_letter(letter: char) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.letter() == letter)
    }

    pub(super) fn from_text(text: &str) -> Option<Kind> {
        let mut letters = text.chars();
        let kind = Kind::from_letter(letters.next()?)?;
        letters.next().is_none().then_some(kind)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Piece {
    /// Kind, player, row and column at the start of the game, like `P:1:6:4`.
    pub(super) id: String,
    pub(super) player: i64,
    pub(super) kind: Kind,
    pub(super) place: Place,
    /// Whether it has ever been ordered; such a king or rook does not castle.
    pub(super) moved: bool,
}

impl Piece {
    pub(super) fn new(kind: Kind, player: i64, at: Square, moved: bool) -> Piece {
        let id = format!("{}:{player}:{}:{}", kind.letter(), at.row, at.col);
        Piece { id, player, kind, place: Place::Standing { at, rests_until: None }, moved }
    }

    pub(super) fn stands_at(&self) -> Option<Square> {
        match self.place {
            Place::Standing { at, .. } => Some(at),
            Place::Moving(_) | Place::Gone => None,
        }
    }

    pub(super) fn flight(&self) -> Option<Flight> {
        match self.place {
            Place::Moving(flight) => Some(flight),
            Place::Standing { .. } | Place::Gone => None,
        }
    }

    pub(super) fn is_gone(&self) -> bool {
        self.place == Place::Gone
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// On a square; it takes no orders before the tick on which its rest ends.
    Standing {
        at: Square,
        rests_until: Option<i64>,
    },
    Moving(Flight),
    /// Taken or removed.
    Gone,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Flight {
    pub(super) from: Square,
    pub(super) to: Square,
    /// The tick on which it is still on its origin.
    pub(super) start: i64,
    /// The tick on which it stands on its destination.
    pub(super) arrival: i64,
    /// Of a rook: it castles, and its king has not arrived yet.
    pub(super) castling: bool,
}

impl Flight {
    pub(super) fn total(&self) -> i64 {
        self.arrival - self.start
    }

    /// Row and column at a tick, in parts of a square. The parts must be so small that the result
    /// is whole: half the distance of one tick is enough, for knights too.
    pub(super) fn position(&self, now: i64, parts: i64) -> (i64, i64) {
        let at = |from: i64, to: i64| {
            let way = parts * (from * self.total() + (to - from) * (now - self.start));
            assert_eq!(way % self.total(), 0, "{self:?} is between parts at tick {now}");
            way / self.total()
        };
        (at(self.from.row, self.to.row), at(self.from.col, self.to.col))
    }

    /// Whether it goes along a row or a column.
    pub(super) fn is_straight(&self) -> bool {
        self.from.row == self.to.row || self.from.col == self.to.col
    }
}
