//! Exact positions of pieces, and when two of them first collide.
//!
//! The unit of positions is 1/(2·ticks per square) square. A sliding piece covers two units per
//! tick along each axis on which it moves, a knight as many as its leap has squares along that
//! axis.
//!
//! Ticks are relative to one that the caller chooses near the flights, usually the current one. Then all
//! numbers are small, and the arithmetic is fast on a GPU too.

use crate::Role;
use crate::piece::{Piece, Status, squares};

/// The path of a piece through space and time: a straight line, or a point if it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trajectory {
    /// The position at `start`.
    row: i32,
    column: i32,
    /// The change per tick.
    down: i32,
    right: i32,
    start: i32,
    /// The first tick on which the piece can collide with others, and its last tick.
    from: i32,
    to: i32,
}

impl Trajectory {
    /// Returns the trajectory of a piece that stands or moves, with ticks relative to `now`.
    #[inline]
    pub(crate) fn of(piece: &Piece, ticks_per_square: u32, now: u64) -> Trajectory {
        let unit = 2 * ticks_per_square as i32;
        let mut trajectory = Trajectory {
            row: i32::from(piece.at.row()) * unit,
            column: i32::from(piece.at.column()) * unit,
            down: 0,
            right: 0,
            start: 0,
            from: i32::MIN,
            to: i32::MAX,
        };
        if let Status::Moving { to, start, arrive, .. } = piece.status() {
            let relative = |tick: u64| tick.wrapping_sub(now) as i32;
            let start = relative(start);
            let (down, right) = piece.at.to(to);
            let (down, right) = if piece.role() == Role::Knight {
                // A knight cannot collide during the first 85% of its flight.
                let total = squares(Role::Knight, piece.at, to) as u32 * ticks_per_square;
                trajectory.from = start + (85 * total).div_ceil(100) as i32;
                (down, right)
            } else {
                trajectory.from = start;
                (2 * down.signum(), 2 * right.signum())
            };
            (trajectory.down, trajectory.right) = (i32::from(down), i32::from(right));
            (trajectory.start, trajectory.to) = (start, relative(arrive));
        }
        trajectory
    }

    /// Returns the position at a tick, as row and column.
    #[inline]
    fn position_at(&self, tick: i32) -> (i32, i32) {
        let ticks = tick - self.start;
        (self.row + self.down * ticks, self.column + self.right * ticks)
    }

    /// Returns whether the piece can collide with others at a tick.
    #[inline]
    pub(crate) fn can_collide(&self, tick: i32) -> bool {
        (self.from..=self.to).contains(&tick)
    }

    /// Returns the row and column of the square whose center is nearest at a tick.
    #[inline]
    pub(crate) fn nearest(&self, tick: i32, ticks_per_square: u32) -> (u8, u8) {
        let (row, column) = self.position_at(tick);
        let nearest = |place: i32| (place as u32 + ticks_per_square) / (2 * ticks_per_square);
        (nearest(row) as u8, nearest(column) as u8)
    }

    /// Returns whether two pieces collide at a tick: both can, and they are less than two fifths of
    /// a square apart.
    #[inline]
    pub(crate) fn collides(&self, other: &Trajectory, tick: i32, ticks_per_square: u32) -> bool {
        self.can_collide(tick)
            && other.can_collide(tick)
            && self.is_close(other, tick, ticks_per_square)
    }

    #[inline]
    fn is_close(&self, other: &Trajectory, tick: i32, ticks_per_square: u32) -> bool {
        let ((row, column), (other_row, other_column)) =
            (self.position_at(tick), other.position_at(tick));
        // Longer distances are too long in any case, and their squares might be too large.
        let limit = ticks_per_square;
        let down = row.abs_diff(other_row).min(limit);
        let right = column.abs_diff(other_column).min(limit);
        25 * (down * down + right * right) < 16 * limit * limit
    }

    /// Returns the first tick from `after` on at which two pieces would collide if there were no
    /// others.
    pub(crate) fn first_collision(
        &self,
        other: &Trajectory,
        after: i32,
        ticks_per_square: u32,
    ) -> Option<i32> {
        let first = self.from.max(other.from).max(after);
        let last = self.to.min(other.to);
        if first > last {
            return None;
        }
        if self.is_close(other, first, ticks_per_square) {
            return Some(first);
        }
        // The squared distance decreases to a single minimum and then increases.
        let (down, right) = (self.down - other.down, self.right - other.right);
        let speed = down * down + right * right;
        if speed == 0 {
            return None;
        }
        let ((row, column), (other_row, other_column)) =
            (self.position_at(first), other.position_at(first));
        let approach = -(down * (row - other_row) + right * (column - other_column));
        if approach <= 0 {
            return None;
        }
        let nearest = (first + (approach as u32 / speed as u32) as i32).min(last);
        let mut close = if self.is_close(other, nearest, ticks_per_square) {
            nearest
        } else if nearest < last && self.is_close(other, nearest + 1, ticks_per_square) {
            nearest + 1
        } else {
            return None;
        };
        let mut apart = first;
        while close - apart > 1 {
            let middle = apart.midpoint(close);
            if self.is_close(other, middle, ticks_per_square) {
                close = middle
            } else {
                apart = middle
            }
        }
        Some(close)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Player;
    use crate::board::Cell;
    use fourfold_common::SplitMix64;

    /// Returns a random piece that stands or moves in any direction, legal or not.
    fn random(rng: &mut SplitMix64, ticks_per_square: u32) -> Piece {
        let mut below = |count: u64| (rng.next() % count) as u8;
        let at = Cell::at(4 + below(4), 4 + below(4));
        let start = u64::from(below(40));
        let mut piece = Piece::new(Role::Queen, Player::ALL[0], at);
        let (role, to) = match below(4) {
            0 => return piece,
            1 => {
                let (far, near) = (2 - 4 * below(2) as i8, 1 - 2 * below(2) as i8);
                (Role::Knight, at.step(if below(2) == 0 { (far, near) } else { (near, far) }))
            }
            _ => {
                let (down, right) = (below(3) as i8 - 1, below(3) as i8 - 1);
                let length = 1 + below(4) as i8;
                (Role::Queen, at.step((down * length, right * length)))
            }
        };
        let arrive = start + squares(role, at, to) * u64::from(ticks_per_square);
        piece.set_role(role);
        piece.set_status(Status::Moving { to, start, arrive, king: None });
        piece
    }

    #[test]
    fn first_collisions_equal_a_search_of_all_ticks() {
        let mut rng = SplitMix64::new(1);
        let mut met = 0;
        for _ in 0..60_000 {
            let ticks_per_square = [1, 2, 6, 7, 30][(rng.next() % 5) as usize];
            let (one, other) =
                (random(&mut rng, ticks_per_square), random(&mut rng, ticks_per_square));
            if one.status() == Status::Standing && other.status() == Status::Standing {
                continue;
            }
            let now = rng.next() % 30;
            let (one, other) = (
                Trajectory::of(&one, ticks_per_square, now),
                Trajectory::of(&other, ticks_per_square, now),
            );
            let after = (rng.next() % 30) as i32 - now as i32;
            let expected = (after..300).find(|&tick| one.collides(&other, tick, ticks_per_square));
            assert_eq!(
                one.first_collision(&other, after, ticks_per_square),
                expected,
                "{one:?} {other:?}"
            );
            assert_eq!(
                other.first_collision(&one, after, ticks_per_square),
                expected,
                "{one:?} {other:?}"
            );
            met += u32::from(expected.is_some());
        }
        assert!(met > 1500, "only {met} met");
    }
}
