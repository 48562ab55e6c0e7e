//! Replay frames of a real-time game: what changes on each tick, for pages that play it back.

use fourfold_kung_fu::Replay;
use fourfold_table::ensure;
use serde_json::{Value, json};

use super::room::Room;
use super::view;
use crate::game::GameRoom;
use crate::guest::GuestId;
use crate::protocol::{self, Object};

/// The maximum number of frames per response.
const MOST_FRAMES: usize = 2000;

/// Returns the state at the end of a replay, as a guest sees it.
///
/// # Errors
/// Returns a message for the guest if it cannot be played back.
pub(crate) fn last_state(replay: &Replay, guest: GuestId) -> Result<Object, String> {
    let mut room = Room::of_replay(replay)?;
    play(&mut room, replay, |_| {})?;
    let mut state = room.whole(&room.public(0, true, |_| false, 0));
    state.insert("realtime_pieces".to_owned(), Value::Array(view::pieces(room.game())));
    state.insert("time".to_owned(), room.time(0));
    state.extend(room.personal(guest, &[]));
    Ok(state)
}

/// Returns the frames from number `from` on, up to the maximum per response. The first frame has
/// all pieces; each later one has those that have changed, as in a `delta` message.
///
/// # Errors
/// Returns a message for the guest if the replay cannot be played back, or has fewer frames.
pub(crate) fn frames(replay: &Replay, from: usize) -> Result<Object, String> {
    let mut room = Room::of_replay(replay)?;
    let mut last_shown = *room.game();
    let (mut eliminated, mut captured) = (room.eliminated(), 0);
    let first = json!({"tick": 0, "realtime_pieces": view::pieces(&last_shown), "eliminated": eliminated, "captured": room.captured()});
    let mut frames = if from == 0 { vec![first] } else { Vec::new() };
    let mut count = 1;
    play(&mut room, replay, |room| {
        let game = room.game();
        let wanted = (from..from + MOST_FRAMES).contains(&count);
        let pieces = view::changed_pieces(&last_shown, game);
        let now_captured = room.captured().iter().map(Vec::len).sum::<usize>();
        if pieces.is_empty() && now_captured == captured && room.eliminated() == eliminated {
            return;
        }
        count += 1;
        if wanted {
            let mut frame = json!({"tick": game.now(), "realtime_pieces": pieces});
            if room.eliminated() != eliminated {
                frame["eliminated"] = json!(room.eliminated());
            }
            if now_captured != captured {
                frame["captured"] = json!(room.captured());
            }
            frames.push(frame);
        }
        (last_shown, eliminated, captured) = (*game, room.eliminated(), now_captured);
    })?;
    ensure!(from < count, "expected a frame below {count}, got {from}");
    let end = room.game().now();
    Ok(protocol::object(&json!({"end": end, "count": count, "frames": frames})))
}

/// Plays a replay to its end, and calls `show` after each tick on which something may have
/// happened.
fn play(room: &mut Room, replay: &Replay, mut show: impl FnMut(&Room)) -> Result<(), String> {
    let mut actions = replay.actions.iter().peekable();
    loop {
        let now = room.game().now();
        while let Some((_, action)) = actions.next_if(|(tick, _)| *tick <= now) {
            room.replay_action(now, action)?;
        }
        show(room);
        let due = actions.peek().map_or(replay.end, |(tick, _)| *tick);
        let next = room.game().next_event().max(now + 1).min(due);
        if room.is_over() || next <= now {
            break;
        }
        room.advance(next);
    }
    match actions.next() {
        Some((tick, _)) => Err(format!("the replay has an action on tick {tick}, after the end")),
        None => Ok(()),
    }
}
