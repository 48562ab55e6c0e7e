//! Time: collisions, arrivals and rests, and looking ahead to the next event.

use crate::board::{Cell, Side};
use crate::game::{NO_PIECE, bit_indices};
use crate::piece::{MAX_PIECES, Piece, Status};
use crate::trajectory::Trajectory;
use crate::{EventKind, Events, Game, Outcome, PieceId, Players, Role};

impl Game {
    /// Advances the game by one tick and reports its events. Does nothing if the game is over.
    #[inline]
    pub fn tick(&mut self, events: &mut impl Events) {
        if self.outcome().is_some() {
            return;
        }
        self.tick += 1;
        self.set_closed(false);
        if self.tick >= self.next_event {
            self.process_tick(events);
        }
    }

    /// Advances the game to a tick, or until it is over. The result is the same as with single
    /// ticks, but ticks on which nothing happens are skipped. Does nothing if the tick has passed.
    pub fn advance_to(&mut self, tick: u64, events: &mut impl Events) {
        while self.outcome().is_none() && self.tick < tick {
            self.tick = (self.next_event - 1).clamp(self.tick, tick - 1);
            self.tick(events);
        }
    }

    /// Returns the first tick on which something may happen if no orders are given.
    pub const fn next_event(&self) -> u64 {
        self.next_event
    }

    /// Processes everything that happens on the current tick.
    #[inline(never)]
    fn process_tick(&mut self, events: &mut impl Events) {
        let due = self.due();
        let (eliminated, returned) = self.resolve_collisions(due, events);
        let mut stopped = self.arrive(due, events);
        for rook in bit_indices(returned) {
            if self.return_rook(rook, events) {
                stopped |= 1 << rook;
            }
        }
        let next_rest_end = self.end_rests(events);
        if !eliminated.is_empty() {
            self.eliminate(eliminated, events);
        }
        if self.outcome().is_none() && self.tick >= self.draw_tick() {
            self.end(Outcome::Draw, events);
        }
        self.look_ahead_after(stopped, next_rest_end);
    }

    /// Returns the pieces in flight to which something may happen on the current tick. Of two that collide,
    /// at least one is among them.
    fn due(&self) -> u64 {
        let is_due = |&index: &usize| self.first_events[index] <= self.tick;
        bit_indices(self.flying).filter(is_due).fold(0, |due, index| due | 1 << index)
    }

    /// Finds all collisions and applies them together. Returns the players who have lost a king,
    /// and the rooks whose castling is canceled.
    fn resolve_collisions<E: Events>(&mut self, due: u64, events: &mut E) -> (Players, u64) {
        let mut victims = 0;
        self.for_each_collision(due, |one, other| {
            let [one_captured, other_captured] = self.captured(one, other);
            victims |= u64::from(one_captured) << one | u64::from(other_captured) << other;
        });
        if victims == 0 {
            return (Players::NONE, 0);
        }
        self.last_capture = self.tick;
        if !E::IGNORED {
            for victim in bit_indices(victims) {
                let by = self.capturer(due, victim);
                self.report(events, EventKind::Captured { victim: PieceId(victim as u8), by });
            }
        }
        let mut eliminated = Players::NONE;
        for victim in bit_indices(victims) {
            let piece = &self.pieces[victim];
            if piece.role() == Role::King {
                eliminated = eliminated.with(piece.player);
            } else {
                self.remove(victim);
            }
        }
        // Kings last, so that a castling rook that is captured on the same tick does not return.
        let mut returned = 0;
        for victim in bit_indices(victims) {
            if self.pieces[victim].is_alive() {
                returned |= self.remove(victim).map_or(0, |rook| 1 << rook);
            }
        }
        for rook in bit_indices(returned) {
            self.report_return(rook, events);
        }
        (eliminated, returned)
    }

    /// Calls `visit` with the indices of any two pieces that collide, one of which is in `due`.
    #[inline(always)]
    fn for_each_collision(&self, due: u64, mut visit: impl FnMut(usize, usize)) {
        let ticks_per_square = self.rules().speed.ticks_per_square;
        let trajectory = |index: usize| {
            let piece = &self.pieces[index % MAX_PIECES];
            Trajectory::of(piece, ticks_per_square, self.tick)
        };
        for index in bit_indices(due) {
            let flight = trajectory(index);
            if !flight.can_collide(0) {
                continue;
            }
            let (row, column) = flight.nearest(0, ticks_per_square);
            let occupant = self.standing[Cell::at(row, column).0 as usize];
            let stands = occupant != NO_PIECE;
            if stands && flight.collides(&trajectory(occupant.into()), 0, ticks_per_square) {
                visit(index, occupant as usize);
            }
            // Two pieces that are both due are met only once.
            let met = due & (2_u64 << index).wrapping_sub(1);
            for other in bit_indices(self.flying & !met) {
                if flight.collides(&trajectory(other), 0, ticks_per_square) {
                    visit(index, other);
                }
            }
        }
    }

    /// Returns which of two colliding pieces are captured.
    fn captured(&self, one: usize, other: usize) -> [bool; 2] {
        let (a, b) = (&self.pieces[one], &self.pieces[other]);
        if self.same_team(a.player, b.player) {
            return [false; 2];
        }
        match (can_capture(a), can_capture(b)) {
            (true, false) => [false, true],
            (false, true) => [true, false],
            // A moving piece captures a standing one. Of two moving pieces, the one that started
            // first captures the other; if they started together, both are captured.
            (true, true) => match (started(a), started(b)) {
                (Some(a), Some(b)) => [a >= b, b >= a],
                (a, b) => [a.is_none(), b.is_none()],
            },
            (false, false) => [started(a) >= started(b), started(b) >= started(a)],
        }
    }

    /// Returns the piece that captures another one on the current tick: of those that are not captured
    /// in the same collision, a standing one or else the one that started first.
    fn capturer(&self, due: u64, victim: usize) -> Option<PieceId> {
        let mut best = None;
        self.for_each_collision(due, |one, other| {
            let capturer = match self.captured(one, other) {
                [true, false] if one == victim => other,
                [false, true] if other == victim => one,
                _ => return,
            };
            let rank = (started(&self.pieces[capturer]), capturer);
            best = Some(best.map_or(rank, |best: (Option<u64>, usize)| best.min(rank)));
        });
        best.map(|(_, capturer)| PieceId(capturer as u8))
    }

    /// Ends the flights that are due: the pieces start to rest, and pawns are promoted. Returns
    /// these pieces.
    fn arrive(&mut self, due: u64, events: &mut impl Events) -> u64 {
        let mut arrived = 0;
        let rest_ends = self.tick + u64::from(self.rules().speed.rest);
        for index in bit_indices(self.flying & due) {
            let piece = &mut self.pieces[index];
            let Status::Moving { to, arrive, .. } = piece.status() else { continue };
            if arrive > self.tick {
                continue;
            }
            let id = PieceId(index as u8);
            piece.at = to;
            piece.set_status(Status::Resting { until: rest_ends });
            let piece = *piece;
            self.flying &= !(1 << index);
            self.resting |= 1 << index;
            self.standing[to.0 as usize] = index as u8;
            arrived |= 1 << index;
            self.report(events, EventKind::Arrives { piece: id, at: to });
            let side = Side::of(self.rules().board, piece.player);
            if piece.role() == Role::Pawn && side.promotion.contains(to) {
                self.pieces[index].set_role(Role::Queen);
                self.report(events, EventKind::Promoted { piece: id, role: Role::Queen });
            }
            if piece.role() == Role::King
                && let Some(rook) = self.castling_rook(index)
                && let Status::Moving { to, start, arrive, .. } = self.pieces[rook].status()
            {
                self.pieces[rook].set_status(Status::Moving { to, start, arrive, king: None });
            }
        }
        arrived
    }

    pub(crate) fn report_return(&self, rook: usize, events: &mut impl Events) {
        let at = self.pieces[rook].at;
        self.report(events, EventKind::Returns { rook: PieceId(rook as u8), at });
    }

    /// Puts a rook back on its home square. If an enemy piece stands there, the rook is captured.
    /// Returns whether the rook stands.
    pub(crate) fn return_rook(&mut self, rook: usize, events: &mut impl Events) -> bool {
        let home = self.pieces[rook].at.0 as usize;
        let occupant = self.standing[home];
        if occupant == NO_PIECE {
            self.standing[home] = rook as u8;
            return true;
        }
        self.pieces[rook].set_status(Status::Gone);
        self.last_capture = self.tick;
        let (victim, by) = (PieceId(rook as u8), Some(PieceId(occupant)));
        self.report(events, EventKind::Captured { victim, by });
        false
    }

    /// Ends the rests that are due. Returns the tick on which the next one ends.
    fn end_rests(&mut self, events: &mut impl Events) -> u64 {
        let mut next = u64::MAX;
        for index in bit_indices(self.resting) {
            let Status::Resting { until } = self.pieces[index].status() else { continue };
            if until <= self.tick {
                self.pieces[index].set_status(Status::Standing);
                self.resting &= !(1 << index);
                self.report(events, EventKind::Rested { piece: PieceId(index as u8) });
            } else {
                next = next.min(until);
            }
        }
        next
    }

    /// Recomputes the tick of the next event.
    pub(crate) fn look_ahead(&mut self) {
        for index in bit_indices(self.flying) {
            self.first_events[index] = self.first_event(index);
        }
        let rest_ends = bit_indices(self.resting).map(|index| match self.pieces[index].status() {
            Status::Resting { until } => until,
            Status::Standing | Status::Moving { .. } | Status::Gone => u64::MAX,
        });
        let next_rest_end = rest_ends.min().unwrap_or(u64::MAX);
        self.set_next(next_rest_end);
    }

    /// Updates the next event after the pieces in `stopped` have stopped on the current tick.
    /// Everything else that was predicted for later ticks still holds.
    fn look_ahead_after(&mut self, stopped: u64, next_rest_end: u64) {
        let ticks_per_square = self.rules().speed.ticks_per_square;
        for index in bit_indices(self.flying) {
            if self.first_events[index] <= self.tick {
                self.first_events[index] = self.first_event(index);
                continue;
            }
            let piece = &self.pieces[index];
            for other in bit_indices(stopped) {
                let other = &self.pieces[other];
                if self.same_team(piece.player, other.player) || !other.is_alive() {
                    continue;
                }
                let trajectory = Trajectory::of(piece, ticks_per_square, self.tick);
                let other = Trajectory::of(other, ticks_per_square, self.tick);
                if let Some(ticks) = trajectory.first_collision(&other, 1, ticks_per_square) {
                    let collision = self.tick + ticks as u64;
                    self.first_events[index] = self.first_events[index].min(collision);
                }
            }
        }
        self.set_next(next_rest_end);
    }

    fn set_next(&mut self, next_rest_end: u64) {
        if self.outcome().is_some() {
            self.next_event = u64::MAX;
            return;
        }
        let mut next = self.draw_tick().min(next_rest_end);
        for index in bit_indices(self.flying) {
            next = next.min(self.first_events[index]);
        }
        self.next_event = next.max(self.tick + 1);
    }

    /// Returns the first tick on which something happens to a piece in flight: it arrives, or
    /// collides with another piece.
    pub(crate) fn first_event(&self, index: usize) -> u64 {
        let ticks_per_square = self.rules().speed.ticks_per_square;
        let piece = &self.pieces[index];
        let Status::Moving { to, arrive, .. } = piece.status() else { return u64::MAX };
        let trajectory = Trajectory::of(piece, ticks_per_square, self.tick);
        let mut first = arrive;
        let mut consider = |other: &Piece| {
            if !self.same_team(piece.player, other.player) {
                let other = Trajectory::of(other, ticks_per_square, self.tick);
                if let Some(ticks) = trajectory.first_collision(&other, 1, ticks_per_square) {
                    first = first.min(self.tick + ticks as u64);
                }
            }
        };
        for other in bit_indices(self.flying & !(1 << index)) {
            consider(&self.pieces[other]);
        }
        // A sliding piece comes close only to the squares on its path, a knight only to its target.
        let (down, right) = piece.at.to(to);
        let step = (down.signum(), right.signum());
        let mut cell = if piece.role() == Role::Knight { to } else { piece.at.step(step) };
        loop {
            let occupant = self.standing[cell.0 as usize];
            if occupant != NO_PIECE {
                consider(&self.pieces[occupant as usize]);
            }
            if cell == to {
                return first;
            }
            cell = cell.step(step);
        }
    }
}

/// Returns the tick on which a piece started to move, or `None` if it stands.
#[inline]
fn started(piece: &Piece) -> Option<u64> {
    if let Status::Moving { start, .. } = piece.status() { Some(start) } else { None }
}

/// Returns whether a piece can capture. A pawn that moves straight ahead cannot.
#[inline]
fn can_capture(piece: &Piece) -> bool {
    match piece.status() {
        Status::Moving { to, .. } if piece.role() == Role::Pawn => {
            let (down, right) = piece.at.to(to);
            down != 0 && right != 0
        }
        Status::Moving { .. } | Status::Standing | Status::Resting { .. } | Status::Gone => true,
    }
}
