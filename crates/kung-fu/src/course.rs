//! Where things are, exactly, and when two of them first come too close.
//!
//! Positions are whole numbers in units of 1/(2·tps) of a square: a slide covers two of them on each
//! tick, a knight as many as its leap has squares.

use crate::Kind;
use crate::piece::{Piece, Status, squares};

/// The way of a piece through space and time: a straight line, or a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Course {
    /// Where it is at `start`.
    row: i64,
    column: i64,
    /// What a tick adds.
    down: i64,
    right: i64,
    start: u64,
    /// The first tick on which it touches and can be touched, and the last one of this course.
    from: u64,
    to: u64,
}

impl Course {
    /// The course of a piece that stands or moves.
    #[inline]
    pub(crate) fn of(piece: &Piece, tps: u32) -> Course {
        let unit = 2 * i64::from(tps);
        let mut course = Course {
            row: i64::from(piece.at.row()) * unit,
            column: i64::from(piece.at.column()) * unit,
            down: 0,
            right: 0,
            start: 0,
            from: 0,
            to: u64::MAX,
        };
        if let Status::Moving { to, start, arrive, .. } = piece.status {
            let (down, right) = piece.at.to(to);
            let (down, right) = if piece.kind == Kind::Knight {
                // Untouchable and harmless for the first 85 hundredths.
                let total = squares(Kind::Knight, piece.at, to) * u64::from(tps);
                course.from = start + (85 * total).div_ceil(100);
                (down, right)
            } else {
                course.from = start;
                (2 * down.signum(), 2 * right.signum())
            };
            (course.down, course.right) = (i64::from(down), i64::from(right));
            (course.start, course.to) = (start, arrive);
        }
        course
    }

    /// Where it is at a tick, as row and column.
    #[inline]
    pub(crate) fn place(&self, tick: u64) -> (i64, i64) {
        let ticks = tick as i64 - self.start as i64;
        (self.row + self.down * ticks, self.column + self.right * ticks)
    }

    /// Whether it touches others at a tick.
    #[inline]
    pub(crate) fn touches(&self, tick: u64) -> bool {
        (self.from..=self.to).contains(&tick)
    }

    /// The cell whose middle is nearest at a tick, as row and column.
    #[inline]
    pub(crate) fn nearest(&self, tick: u64, tps: u32) -> (u8, u8) {
        let (row, column) = self.place(tick);
        let tps = i64::from(tps);
        (((row + tps) / (2 * tps)) as u8, ((column + tps) / (2 * tps)) as u8)
    }

    /// Whether two are closer than two fifths of a square at a tick on which both touch.
    #[inline]
    pub(crate) fn collides(&self, other: &Course, tick: u64, tps: u32) -> bool {
        self.touches(tick) && other.touches(tick) && self.is_close(other, tick, tps)
    }

    #[inline]
    fn is_close(&self, other: &Course, tick: u64, tps: u32) -> bool {
        let ((row, column), (other_row, other_column)) = (self.place(tick), other.place(tick));
        let (down, right) = (row - other_row, column - other_column);
        25 * (down * down + right * right) < 16 * i64::from(tps) * i64::from(tps)
    }

    /// The first tick from `after` on at which two collide, were nobody else there.
    pub(crate) fn meeting(&self, other: &Course, after: u64, tps: u32) -> Option<u64> {
        let first = self.from.max(other.from).max(after);
        let last = self.to.min(other.to);
        if first > last {
            return None;
        }
        if self.is_close(other, first, tps) {
            return Some(first);
        }
        // The square of the distance falls to one least value and rises again.
        let (down, right) = (self.down - other.down, self.right - other.right);
        let speed = down * down + right * right;
        if speed == 0 {
            return None;
        }
        let ((row, column), (other_row, other_column)) = (self.place(first), other.place(first));
        let approach = -(down * (row - other_row) + right * (column - other_column));
        if approach <= 0 {
            return None;
        }
        let nearest = (first + (approach / speed) as u64).min(last);
        let mut close = match () {
            () if self.is_close(other, nearest, tps) => nearest,
            () if nearest < last && self.is_close(other, nearest + 1, tps) => nearest + 1,
            () => return None,
        };
        let mut apart = first;
        while close - apart > 1 {
            let middle = apart.midpoint(close);
            if self.is_close(other, middle, tps) { close = middle } else { apart = middle }
        }
        Some(close)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::side::Cell;
    use fourfold_board::Keys;

    /// A random piece that stands or flies in any way, legal or not.
    fn random(keys: &mut Keys, tps: u32) -> Piece {
        let mut below = |count: u64| (keys.next() % count) as u8;
        let at = Cell::at(4 + below(4), 4 + below(4));
        let start = u64::from(below(40));
        let piece = Piece { at, kind: Kind::Queen, status: Status::Standing, ..Piece::NONE };
        let (kind, to) = match below(4) {
            0 => return piece,
            1 => {
                let (far, near) = (2 - 4 * below(2) as i8, 1 - 2 * below(2) as i8);
                (Kind::Knight, at.step(if below(2) == 0 { (far, near) } else { (near, far) }))
            }
            _ => {
                let (down, right) = (below(3) as i8 - 1, below(3) as i8 - 1);
                let length = 1 + below(4) as i8;
                (Kind::Queen, at.step((down * length, right * length)))
            }
        };
        let arrive = start + squares(kind, at, to) * u64::from(tps);
        let status = Status::Moving { to, start, arrive, king: None };
        Piece { kind, status, ..piece }
    }

    #[test]
    fn meetings_are_the_first_collisions_of_all_ticks() {
        let mut keys = Keys::new(1);
        let mut met = 0;
        for _ in 0..60_000 {
            let tps = [1, 2, 6, 7, 30][(keys.next() % 5) as usize];
            let (one, other) = (random(&mut keys, tps), random(&mut keys, tps));
            if one.status == Status::Standing && other.status == Status::Standing {
                continue;
            }
            let (one, other) = (Course::of(&one, tps), Course::of(&other, tps));
            let after = keys.next() % 30;
            let expected = (after..300).find(|&tick| one.collides(&other, tick, tps));
            assert_eq!(one.meeting(&other, after, tps), expected, "{one:?} {other:?}");
            assert_eq!(other.meeting(&one, after, tps), expected, "{one:?} {other:?}");
            met += u32::from(expected.is_some());
        }
        assert!(met > 1500, "only {met} met");
    }
}
