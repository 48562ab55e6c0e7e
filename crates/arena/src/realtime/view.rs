//! The state of a real-time game as sent to pages.

use fourfold_kung_fu::{Game, PieceId, Status, TICKS_PER_SECOND};
use fourfold_table::kung_fu;
use serde_json::{Value, json};

use super::room::Room;
use crate::game::GameRoom;
use crate::guest::GuestId;
use crate::protocol::{self, Object};

/// Returns a piece as it is drawn: where it stands, or where its flight started. A piece that has
/// left the board has only its id.
fn shown(game: &Game, id: PieceId) -> Value {
    let rules = game.rules();
    let gone = json!({"id": id.0, "gone": true});
    let Some(piece) = game.piece(id).filter(|piece| piece.is_alive()) else { return gone };
    let square = |cell| kung_fu::square(rules.board, cell);
    let mut shown = json!({
        "id": id.0, "piece": piece.role().letter(), "square": square(piece.at()),
        "seat": kung_fu::seat_of(&rules, piece.player()),
    });
    match piece.status() {
        // The destination, and the ticks of start and arrival.
        Status::Moving { to, start, arrive, .. } => {
            shown["flight"] = json!((square(to), start, arrive));
        }
        // The ticks of start and end.
        Status::Resting { until } => {
            shown["rest"] = json!((until.saturating_sub(u64::from(rules.speed.rest)), until));
        }
        Status::Standing | Status::Gone => {}
    }
    shown
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
    /// Returns how time runs, in milliseconds of game time: the present as `now`, and since when
    /// time has been running, or where it stopped, as `from`. During the countdown, `now` is less
    /// than `from`.
    pub(super) fn time(&self, now: u64) -> Value {
        let rate = TICKS_PER_SECOND;
        let millis = |tick: u64| (tick * 1000 / u64::from(rate)) as i64;
        let phase = match self.clock {
            _ if self.is_over() => "over",
            Some(_) => "running",
            None if self.seats().open_seat().is_some() => "waiting",
            None => "paused",
        };
        let (tick, passed) = match self.clock {
            Some(clock) => (clock.tick, now as i64 - clock.at as i64),
            None => (self.game().now(), 0),
        };
        let from = millis(tick);
        json!({"phase": phase, "rate": rate, "from": from, "now": from + passed})
    }

    /// Returns the part of the state that only this guest sees.
    pub(super) fn personal(&self, guest: GuestId, missed: &[Value]) -> Object {
        let you = self.seats().seats_of(guest);
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
            "you": you, "legal_moves": [], "takeback": false, "hint": false, "premoves": premoves, "missed": missed,
        });
        protocol::object(&personal)
    }
}
