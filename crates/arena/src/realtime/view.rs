//! The state of a real-time game as sent to pages.

use fourfold_kung_fu::{Game, PieceId, Status, TICKS_PER_SECOND};
use fourfold_table::{Seat, SeatColors, kung_fu};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::room::Room;
use crate::guest::GuestId;
use crate::protocol::{self, Public};
use crate::viewer::{Viewer, is_here, watchers};

/// A piece as it is drawn.
#[derive(Serialize)]
struct Shown {
    id: u8,
    piece: char,
    seat: Option<Seat>,
    /// Where it stands, or where its flight started.
    square: String,
    /// During a flight: the destination, and the ticks of start and arrival.
    #[serde(skip_serializing_if = "Option::is_none")]
    flight: Option<(String, u64, u64)>,
    /// During a rest: the ticks of start and end.
    #[serde(skip_serializing_if = "Option::is_none")]
    rest: Option<(u64, u64)>,
}

/// Returns a piece as sent to pages. A piece that has left the board has only its id.
fn shown(game: &Game, id: PieceId) -> Value {
    let rules = game.rules();
    let gone = json!({"id": id.0, "gone": true});
    let Some(piece) = game.piece(id).filter(|piece| piece.is_alive()) else { return gone };
    let square = |cell| kung_fu::square(rules.board, cell);
    let (flight, rest) = match piece.status() {
        Status::Moving { to, start, arrive, .. } => (Some((square(to), start, arrive)), None),
        Status::Resting { until } => {
            (None, Some((until.saturating_sub(u64::from(rules.speed.rest)), until)))
        }
        Status::Standing | Status::Gone => (None, None),
    };
    let shown = Shown {
        id: id.0,
        piece: piece.role().letter(),
        seat: kung_fu::seat_of(rules, piece.player()),
        square: square(piece.at()),
        flight,
        rest,
    };
    json!(shown)
}

/// Returns the pieces that look different in `now`.
pub(super) fn changed_pieces(before: &Game, now: &Game) -> Vec<Value> {
    let same = |id: PieceId| match (before.piece(id), now.piece(id)) {
        (Some(one), Some(other)) => {
            (one.role(), one.at(), one.status()) == (other.role(), other.at(), other.status())
        }
        (one, other) => one.is_none() && other.is_none(),
    };
    now.ids().filter(|&id| !same(id)).map(|id| shown(now, id)).collect()
}

/// Returns the pieces that are still on the board.
pub(crate) fn pieces(game: &Game) -> Vec<Value> {
    let there = |id: &PieceId| game.piece(*id).is_some_and(|piece| piece.is_alive());
    game.ids().filter(there).map(|id| shown(game, id)).collect()
}

impl Room {
    /// Returns the public state without pieces and time, which rarely changes.
    pub(super) fn talk(&self, stored: bool, viewers: &[Viewer]) -> Map<String, Value> {
        let rules = self.rules();
        protocol::object(&Public {
            id: self.id(),
            game: self.kind().id,
            board: kung_fu::shape(rules.board),
            seats: self.places(),
            players: self.party().shown(|guest| is_here(viewers, guest)),
            teams: self.teams(),
            out: self.out(),
            scores: Vec::new(),
            tints: SeatColors::of(rules.seats.len()),
            colors: Vec::new(),
            shapes: Vec::new(),
            men: Vec::new(),
            trays: self.trays().to_vec(),
            last_move: Vec::new(),
            check: Vec::new(),
            acting: Vec::new(),
            claim: None,
            outcome: self.outcome().cloned(),
            moves: &[],
            clock: None,
            draw: self.draw.first().copied(),
            agreed: self.draw.clone(),
            rematch: self.party().rematch().to_vec(),
            next: self.party().next(),
            stored,
            watchers: watchers(viewers, self.party()),
            rated: self.is_rated(),
            ratings: self.standings(),
        })
    }

    /// Returns how time runs, in milliseconds of game time: the present as `now`, and since when
    /// time has been running, or where it stopped, as `from`. During the countdown, `now` is less
    /// than `from`.
    pub(super) fn time(&self, now: u64) -> Value {
        let rate = TICKS_PER_SECOND;
        let millis = |tick: u64| (tick * 1000 / u64::from(rate)) as i64;
        let phase = match self.pace {
            _ if self.is_over() => "over",
            Some(_) => "running",
            None if self.party().open_seat().is_some() => "waiting",
            None => "paused",
        };
        match self.pace {
            Some(pace) => {
                let from = millis(pace.tick);
                json!({"phase": phase, "rate": rate, "from": from, "now": from + now as i64 - pace.at as i64})
            }
            None => {
                let now = millis(self.game().now());
                json!({"phase": phase, "rate": rate, "from": now, "now": now})
            }
        }
    }

    /// Returns the part of the state that only this guest sees.
    pub(super) fn personal(&self, guest: GuestId, missed: &[Value]) -> Map<String, Value> {
        let you = self.party().seats_of(guest);
        let player = you.first().and_then(|seat| self.player(*seat));
        let board = self.rules().board;
        let premoves = self.premoves.iter().filter(|(_, premove)| Some(premove.player) == player);
        let premoves = premoves.filter_map(|(id, premove)| {
            let to = fourfold_kung_fu::Cell::on(board, premove.to.0, premove.to.1)?;
            Some(json!({"piece": id.0, "to": kung_fu::square(board, to)}))
        });
        let premoves: Vec<Value> = premoves.collect();
        let missed = you.first().and_then(|seat| missed.get(seat.index()));
        let personal = json!({
            "you": you, "choices": [], "takeback": false, "hint": false, "premoves": premoves, "missed": missed,
        });
        protocol::object(&personal)
    }
}
