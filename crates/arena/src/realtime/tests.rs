//! Tests of real-time rooms on their own, without network, disk and clock.

use fourfold_common::SplitMix64;
use fourfold_kung_fu::{self as rules, Game, PieceId, Refusal, Status, random_order};
use fourfold_table::Seat;

use super::room::{Premove, Room, RoomEvent};
use crate::game::{Entry, GameRoom};
use crate::guest::GuestId;
use crate::seating::{Player, SeatEvent, Setup};

fn setup(game: &str, rules: &str, seats: usize) -> Setup {
    let guest = |seat: usize| Player::Guest { guest: GuestId(seat as i64), name: seat.to_string() };
    let players = (0..seats).map(guest).collect();
    Setup {
        game: game.to_owned(),
        clock: None,
        rules: Some(rules.to_owned()),
        players,
        listed: false,
        casual: false,
        start: None,
    }
}

fn room(rules: &str, seats: usize) -> Room {
    let game = if rules.contains("12x12") { "kung-fu-12x12" } else { "kung-fu" };
    Room::new("x".to_owned(), setup(game, rules, seats)).expect("a game")
}

fn apply(room: &mut Room, event: RoomEvent) {
    room.apply(&Entry { at: 0, event }).expect("it is allowed");
}

fn order(room: &mut Room, player: u8, name: &str, to: (u8, u8)) {
    let tick = room.game().now();
    let PieceId(piece) = room.game().piece_named(name).expect("a piece");
    apply(room, RoomEvent::Order { tick, player, piece, to });
}

fn text(room: &Room) -> &str {
    room.outcome.as_ref().map_or("", |outcome| &outcome.text)
}

/// Replaying the stored entries of a random game produces the same room: the same game, tick for
/// tick, and everything that the board does not show.
#[test]
fn rooms_are_restored_from_their_entries() {
    let mut rng = SplitMix64::new(3);
    let mut ends = 0;
    for (rules, seats) in [
        ("8x8 ticks-per-square=3 rest=9", 2),
        ("12x12 ticks-per-square=2 rest=7", 4),
        ("12x12 ticks-per-square=2 rest=7 teams freeze", 4),
        ("12x12 ticks-per-square=1 rest=0 players=123", 3),
    ] {
        for round in 0..6 {
            let mut first = room(rules, seats);
            let mut kept = Vec::new();
            let mut happen = |room: &mut Room, event: RoomEvent| {
                let entry = Entry { at: 1000, event };
                if room.apply(&entry).is_ok() {
                    kept.push(serde_json::to_string(&entry).expect("our own data"));
                }
            };
            happen(&mut first, RoomEvent::Go { tick: 0 });
            while !first.is_over() && first.game().now() < 400 {
                let tick = first.game().now() + rng.next() % 3;
                first.advance(tick);
                for player in first.game().alive().iter() {
                    let Some(order) = random_order(first.game(), player, &mut rng) else {
                        continue;
                    };
                    let to = (order.to.row(), order.to.column());
                    let tick = first.game().now();
                    happen(
                        &mut first,
                        RoomEvent::Order {
                            tick,
                            player: player.number(),
                            piece: order.piece.0,
                            to,
                        },
                    );
                }
                if rng.next().is_multiple_of(300) {
                    let tick = first.game().now();
                    happen(&mut first, RoomEvent::Resign { tick, player: 1 + (round % 4) as u8 });
                    // After a resignation, orders are refused until the next tick.
                    first.advance(tick + 1);
                }
            }
            let end = first.game().now();
            happen(&mut first, RoomEvent::Stop { tick: end });
            let mut again = room(rules, seats);
            for text in &kept {
                let entry = serde_json::from_str(text).expect("what was written");
                again.apply(&entry).expect("it was allowed before");
            }
            assert_eq!(again.game().to_string(), first.game().to_string(), "{rules}");
            assert_eq!(
                (again.captured(), text(&again)),
                (first.captured(), text(&first)),
                "{rules}"
            );
            assert_eq!(again.export(), first.export(), "{rules}");
            let replay = fourfold_table::kung_fu::read_text(&first.export().1).expect("a replay");
            let seeker = replay.seeker().expect("it can be played");
            assert_eq!(seeker.last().outcome(), first.game().outcome(), "{rules}");
            ends += usize::from(first.is_over());
        }
    }
    assert!(ends > 3, "only {ends} games have come to an end");
}

#[test]
fn bots_do_not_vote_on_draws() {
    let mut room = room("12x12 players=123 ticks-per-square=1", 3);
    let seat = Seat::new(1);
    let (level, name) = ("greedy".to_owned(), "Greedy".to_owned());
    apply(&mut room, RoomEvent::Seating(SeatEvent::Fill { seat, level, name }));
    assert!(room.is_ready());
    apply(&mut room, RoomEvent::Go { tick: 0 });
    assert!(!room.is_ready());
    assert!(room.rules().bots.contains(rules::Player::ALL[1]));
    assert_eq!(room.active_bots(), [(rules::Player::ALL[1], "greedy")]);
    apply(&mut room, RoomEvent::Draw { tick: 5, players: vec![1, 3] });
    assert_eq!((text(&room), room.game().now()), ("draw by agreement", 5));
}

#[test]
fn outcomes_have_a_reason() {
    let mut taken = room("8x8 ticks-per-square=1 rest=0", 2);
    apply(&mut taken, RoomEvent::Go { tick: 0 });
    order(&mut taken, 1, "P:1:6:4", (4, 4));
    taken.advance(5);
    for (tick, to) in [(10, (3, 7)), (20, (1, 5)), (30, (0, 4))] {
        order(&mut taken, 1, "Q:1:7:3", to);
        taken.advance(tick);
    }
    assert_eq!(text(&taken), "white wins by capturing Black's king");
    let captured: Vec<char> = taken.captured()[0].iter().map(|lying| lying.piece).collect();
    assert_eq!(captured, ['P', 'K']);

    let mut late = room("8x8 no-move=5 no-capture=5 no-draw-before=5", 2);
    apply(&mut late, RoomEvent::Go { tick: 0 });
    late.advance(4);
    assert!(!late.is_over());
    late.advance(5);
    assert_eq!(text(&late), "draw by inactivity (no move and no capture for too long)");

    let mut left = room("12x12 teams", 4);
    apply(&mut left, RoomEvent::Go { tick: 0 });
    apply(&mut left, RoomEvent::Resign { tick: 3, player: 2 });
    assert_eq!((left.eliminated(), left.is_over()), (vec![Seat::new(1)], false));
    assert!(left.apply(&Entry { at: 0, event: RoomEvent::Resign { tick: 4, player: 2 } }).is_err());
    apply(&mut left, RoomEvent::Resign { tick: 4, player: 4 });
    assert_eq!(text(&left), "red and yellow win by resignation");
}

#[test]
fn targets_match_the_rules_now_or_after_the_rest() {
    let mut rng = SplitMix64::new(9);
    let mut room = room("8x8 ticks-per-square=2 rest=6", 2);
    apply(&mut room, RoomEvent::Go { tick: 0 });
    let mut compared = 0;
    for _ in 0..200 {
        let tick = room.game().now() + 1;
        room.advance(tick);
        for player in room.game().alive().iter() {
            for id in room.game().ids() {
                let Ok(targets) = room.targets(player, id) else { continue };
                let mut later: Game = *room.game();
                let mut events = Vec::new();
                let waits = |game: &Game| {
                    let status = game.piece(id).map(|piece| piece.status());
                    matches!(status, Some(Status::Moving { .. } | Status::Resting { .. }))
                };
                while waits(&later) && later.outcome().is_none() {
                    later.tick(&mut events);
                }
                for to in &targets {
                    let to = (i32::from(to.row()), i32::from(to.column()));
                    assert_eq!(later.refusal(player, id, to), None);
                    compared += 1;
                }
            }
            if let Some(order) = random_order(room.game(), player, &mut rng) {
                let (tick, to) = (room.game().now(), (order.to.row(), order.to.column()));
                apply(
                    &mut room,
                    RoomEvent::Order { tick, player: player.number(), piece: order.piece.0, to },
                );
            }
        }
        if room.is_over() {
            break;
        }
    }
    assert!(compared > 500, "only {compared}");
    let refused = room.targets(rules::Player::ALL[0], PieceId(255)).unwrap_err();
    assert!([Refusal::NoPiece, Refusal::GameOver].map(|r| r.to_string()).contains(&refused));
}

#[test]
fn premoves_are_due_when_the_piece_has_rested() {
    let mut room = room("8x8 ticks-per-square=2 rest=6", 2);
    apply(&mut room, RoomEvent::Go { tick: 0 });
    order(&mut room, 1, "P:1:6:4", (5, 4));
    let pawn = room.game().piece_named("P:1:6:4").expect("a pawn");
    room.premoves.insert(pawn, Premove { player: rules::Player::ALL[0], to: (4, 4) });
    // It leaves on tick 1, arrives on tick 3 and has rested on tick 9.
    for tick in 1..=8 {
        room.advance(tick);
        assert_eq!(room.due_premoves(), []);
    }
    room.advance(9);
    assert_eq!(
        room.due_premoves(),
        [(pawn, Premove { player: rules::Player::ALL[0], to: (4, 4) })]
    );
    assert!(room.premoves.is_empty());
    // An order for the piece discards its premove, and so does losing the piece.
    room.premoves.insert(pawn, Premove { player: rules::Player::ALL[0], to: (4, 4) });
    order(&mut room, 1, "P:1:6:4", (4, 4));
    assert!(room.premoves.is_empty());
    room.premoves.insert(pawn, Premove { player: rules::Player::ALL[0], to: (3, 4) });
    apply(&mut room, RoomEvent::Resign { tick: 9, player: 1 });
    assert!(room.premoves.is_empty());
}

#[test]
fn stopped_at_is_the_last_tick_known_alive() {
    let mut room = room("8x8", 2);
    assert_eq!(room.stopped_at(99_000), None);
    room.apply(&Entry { at: 10_000, event: RoomEvent::Go { tick: 0 } }).expect("all are there");
    assert_eq!(room.stopped_at(9_000), Some(0), "it had not begun");
    assert_eq!(room.stopped_at(12_000), Some(60));
    order(&mut room, 1, "P:1:6:4", (5, 4));
    room.advance(90);
    assert_eq!(room.stopped_at(12_000), Some(90), "what is kept has happened");
    apply(&mut room, RoomEvent::Stop { tick: 90 });
    assert_eq!(room.stopped_at(99_000), None);
    room.apply(&Entry { at: 50_000, event: RoomEvent::Go { tick: 90 } }).expect("all are there");
    assert_eq!(room.stopped_at(51_000), Some(120));
}
