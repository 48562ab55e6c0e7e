//! One tick: collisions, arrivals, the ends of rests, eliminations, and the end of the game.

use std::collections::BTreeMap;

use super::board::Square;
use super::piece::{Piece, Place};
use super::setup::Eliminated;
use super::{Game, Outcome};
use crate::board::Role;

/// A piece that can collide with others.
struct Body {
    index: usize,
    /// Row and column, in units of `1 / parts` of a square.
    position: (i64, i64),
    /// The tick on which its move started; `None` for a standing piece.
    start: Option<i64>,
    can_capture: bool,
}

impl Game {
    /// Runs the next tick.
    pub(super) fn advance(&mut self) -> Vec<String> {
        let mut events = Vec::new();
        self.now += 1;
        self.closed = false;
        self.collide(&mut events);
        let returned = self.return_rooks(&mut events);
        self.arrive(&mut events);
        self.capture_returned(&returned, &mut events);
        self.end_rests(&mut events);
        self.eliminate(&mut events);
        self.draw_by_timers(&mut events);
        events
    }

    /// Finds every capture, then applies them all.
    fn collide(&mut self, events: &mut Vec<String>) {
        let bodies = self.bodies();
        let mut captures: BTreeMap<usize, Vec<&Body>> = BTreeMap::new();
        for (index, one) in bodies.iter().enumerate() {
            for other in &bodies[index + 1..] {
                if !self.meet(one, other) {
                    continue;
                }
                let (one_captured, other_captured) = captured_of(one, other);
                if one_captured {
                    captures
                        .entry(one.index)
                        .or_default()
                        .extend((!other_captured).then_some(other));
                }
                if other_captured {
                    captures.entry(other.index).or_default().extend((!one_captured).then_some(one));
                }
            }
        }
        for (victim, capturers) in captures {
            // Standing capturers (`None`) sort before moving ones.
            let named = capturers.iter().min_by_key(|body| (body.start, body.index));
            let name =
                named.map_or("nobody".to_string(), |body| self.pieces[body.index].id.clone());
            self.capture(victim, &name, events);
        }
    }

    fn capture(&mut self, victim: usize, capturer: &str, events: &mut Vec<String>) {
        self.pieces[victim].place = Place::Gone;
        self.last_capture = self.now;
        events.push(self.event(&format!("{} captured by {capturer}", self.pieces[victim].id)));
    }

    /// Returns all pieces that can collide, in the order of their ids.
    fn bodies(&self) -> Vec<Body> {
        let parts = self.parts();
        let mut bodies = Vec::new();
        for (index, piece) in self.pieces.iter().enumerate() {
            match piece.place {
                Place::Gone => {}
                Place::Standing { at, .. } => bodies.push(Body {
                    index,
                    position: (at.row * parts, at.col * parts),
                    start: None,
                    can_capture: true,
                }),
                Place::Moving(flight) => {
                    let elapsed = self.now - flight.start;
                    if piece.role == Role::Knight && elapsed * 100 < 85 * flight.total() {
                        continue;
                    }
                    bodies.push(Body {
                        index,
                        position: flight.position(self.now, parts),
                        start: Some(flight.start),
                        can_capture: !(piece.role == Role::Pawn && flight.is_straight()),
                    });
                }
            }
        }
        bodies
    }

    /// The number of units per square in which positions are measured.
    fn parts(&self) -> i64 {
        2 * self.setup.speed.per_square
    }

    /// Whether two pieces are enemies and less than two fifths of a square apart.
    fn meet(&self, one: &Body, other: &Body) -> bool {
        let (rows, cols) = (one.position.0 - other.position.0, one.position.1 - other.position.1);
        let parts = self.parts();
        let is_near = 25 * (rows * rows + cols * cols) < 4 * parts * parts;
        is_near && !self.is_own(self.pieces[one.index].player, &self.pieces[other.index])
    }

    /// Moves castling rooks whose king is gone back to their home squares, and returns their
    /// indices.
    pub(super) fn return_rooks(&mut self, events: &mut Vec<String>) -> Vec<usize> {
        let mut returned = Vec::new();
        for index in 0..self.pieces.len() {
            let piece = &self.pieces[index];
            let Some(flight) = piece.flight().filter(|flight| flight.castling) else { continue };
            if self.king(piece.player).is_gone() {
                let home = flight.from;
                events.push(self.event(&format!("{} returns {}", piece.id, at(home))));
                let place = Place::Standing { at: home, rests_until: None };
                let rook = &mut self.pieces[index];
                (rook.place, rook.moved) = (place, false);
                returned.push(index);
            }
        }
        returned
    }

    /// Captures rooks that returned to a square occupied by an enemy.
    pub(super) fn capture_returned(&mut self, returned: &[usize], events: &mut Vec<String>) {
        for &index in returned {
            let rook = &self.pieces[index];
            let enemy = self.pieces.iter().find(|piece| {
                piece.stands_at() == rook.stands_at() && !self.is_own(rook.player, piece)
            });
            if let Some(name) = enemy.map(|enemy| enemy.id.clone()) {
                self.capture(index, &name, events);
            }
        }
    }

    fn arrive(&mut self, events: &mut Vec<String>) {
        for index in 0..self.pieces.len() {
            let piece = &self.pieces[index];
            let Some(flight) = piece.flight().filter(|flight| flight.arrival == self.now) else {
                continue;
            };
            let army = self.setup.board.army(piece.player);
            let promotes = piece.role == Role::Pawn && army.is_on_promotion_line(flight.to);
            events.push(self.event(&format!("{} arrives {}", piece.id, at(flight.to))));
            if promotes {
                events.push(self.event(&format!("{} becomes Q", piece.id)));
            }
            let rests_until = Some(self.now + self.setup.speed.rest);
            let piece = &mut self.pieces[index];
            piece.place = Place::Standing { at: flight.to, rests_until };
            if promotes {
                piece.role = Role::Queen;
            }
        }
        self.release_rooks();
    }

    /// Castling rooks whose king has arrived complete their move independently of the king.
    fn release_rooks(&mut self) {
        for index in 0..self.pieces.len() {
            let king_moves = self.king(self.pieces[index].player).flight().is_some();
            if let Place::Moving(flight) = &mut self.pieces[index].place {
                flight.castling &= king_moves;
            }
        }
    }

    fn end_rests(&mut self, events: &mut Vec<String>) {
        for index in 0..self.pieces.len() {
            let Place::Standing { at, rests_until: Some(until) } = self.pieces[index].place else {
                continue;
            };
            if until <= self.now {
                self.pieces[index].place = Place::Standing { at, rests_until: None };
                events.push(self.event(&format!("{} rested", self.pieces[index].id)));
            }
        }
    }

    /// Eliminates players without a king. The last remaining side wins; until then the armies of
    /// eliminated players are removed or frozen.
    pub(super) fn eliminate(&mut self, events: &mut Vec<String>) {
        let players = self.setup.players.clone();
        let is_eliminated =
            |&player: &i64| !self.eliminated.contains(&player) && self.king(player).is_gone();
        let eliminated: Vec<i64> = players.iter().copied().filter(is_eliminated).collect();
        self.eliminated.extend(&eliminated);
        self.eliminated.sort();

        let mut sides: Vec<i64> =
            self.living().into_iter().map(|player| self.setup.team(player)).collect();
        sides.sort();
        sides.dedup();
        match sides[..] {
            [] => self.end(Outcome::Draw, events),
            [side] => {
                let winners = players.into_iter().filter(|&player| self.setup.team(player) == side);
                self.end(Outcome::Won(winners.collect()), events);
            }
            _ => self.remove_armies(&eliminated, events),
        }
    }

    fn remove_armies(&mut self, eliminated: &[i64], events: &mut Vec<String>) {
        if self.setup.eliminated == Eliminated::Freeze {
            return;
        }
        for index in 0..self.pieces.len() {
            let piece = &self.pieces[index];
            if eliminated.contains(&piece.player) && !piece.is_gone() {
                self.remove(index, events);
            }
        }
    }

    pub(super) fn remove(&mut self, index: usize, events: &mut Vec<String>) {
        self.pieces[index].place = Place::Gone;
        events.push(self.event(&format!("{} removed", self.pieces[index].id)));
    }

    fn draw_by_timers(&mut self, events: &mut Vec<String>) {
        let speed = self.setup.speed;
        if self.result.is_none()
            && self.now - self.last_order >= speed.no_move
            && self.now - self.last_capture >= speed.no_capture
            && self.now >= speed.no_draw_before
        {
            self.end(Outcome::Draw, events);
        }
    }

    pub(super) fn end(&mut self, outcome: Outcome, events: &mut Vec<String>) {
        events.push(self.event(&match &outcome {
            Outcome::Draw => "draw".to_string(),
            Outcome::Won(_) => format!("game over winner {}", outcome.text()),
        }));
        self.result = Some(outcome);
    }

    pub(super) fn king(&self, player: i64) -> &Piece {
        let is_king = |piece: &&Piece| piece.player == player && piece.role == Role::King;
        self.pieces.iter().find(is_king).expect("every player has a king, on the board or off it")
    }

    pub(super) fn event(&self, text: &str) -> String {
        format!("t{} {text}", self.now)
    }
}

/// Whether the first and whether the second of two colliding pieces is captured.
fn captured_of(one: &Body, other: &Body) -> (bool, bool) {
    match (one.can_capture, other.can_capture) {
        (true, false) => (false, true),
        (false, true) => (true, false),
        (true, true) | (false, false) => match (one.start, other.start) {
            (Some(one), Some(other)) => (one >= other, other >= one),
            (Some(_), None) => (false, true),
            (None, Some(_)) => (true, false),
            (None, None) => unreachable!("two enemies stand on one square"),
        },
    }
}

pub(super) fn at(square: Square) -> String {
    format!("{},{}", square.row, square.col)
}
