//! What pages see of a game in real time.

use fourfold_kung_fu::{Game, PieceId, Status, TICKS_PER_SECOND};
use fourfold_table::{Seat, Tints, kung_fu};
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
    /// Where it stands, or has left from.
    square: String,
    /// While it flies: where to, and the ticks of its start and arrival.
    #[serde(skip_serializing_if = "Option::is_none")]
    flight: Option<(String, u64, u64)>,
    /// While it rests: since and until which tick.
    #[serde(skip_serializing_if = "Option::is_none")]
    rest: Option<(u64, u64)>,
}

/// A piece for pages; one that is gone has only its number.
fn shown(game: &Game, id: PieceId) -> Value {
    let rules = game.rules();
    let gone = json!({"id": id.0, "gone": true});
    let Some(piece) = game.piece(id).filter(|piece| piece.is_there()) else { return gone };
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
        piece: piece.kind().letter(),
        seat: kung_fu::seat_of(rules, piece.player()),
        square: square(piece.at()),
        flight,
        rest,
    };
    json!(shown)
}

/// The pieces that look different in another state of the same game.
pub(super) fn changed_pieces(before: &Game, now: &Game) -> Vec<Value> {
    let same = |id: PieceId| match (before.piece(id), now.piece(id)) {
        (Some(one), Some(other)) => {
            (one.kind(), one.at(), one.status()) == (other.kind(), other.at(), other.status())
        }
        (one, other) => one.is_none() && other.is_none(),
    };
    now.ids().filter(|&id| !same(id)).map(|id| shown(now, id)).collect()
}

/// The pieces that are there.
pub(crate) fn pieces(game: &Game) -> Vec<Value> {
    let there = |id: &PieceId| game.piece(*id).is_some_and(|piece| piece.is_there());
    game.ids().filter(there).map(|id| shown(game, id)).collect()
}

impl Room {
    /// What everybody sees and seldom changes.
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
            tints: Tints::of(rules.seats.len()),
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

    /// How time runs, in milliseconds of the game: `now`, and from when on it does or did; it is
    /// earlier in the seconds before.
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

    /// What a guest sees beside that.
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
