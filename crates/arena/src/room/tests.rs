//! Rooms by themselves, without network and disk.

use super::*;
use crate::protocol::Command;
use fourfold_board::Keys;
use serde_json::Value;

const ADA: GuestId = GuestId(1);
const BOB: GuestId = GuestId(2);
const EVE: GuestId = GuestId(3);

fn guest(guest: GuestId) -> Player {
    Player::Guest { guest, name: format!("{}", guest.0) }
}

fn bot() -> Player {
    Player::Bot { level: "random".to_owned(), name: "Random".to_owned() }
}

fn setup(players: [Player; 2]) -> Setup {
    let clock = Some(TimeControl { initial: 60_000, increment: 1_000 });
    Setup { game: "chess".to_owned(), clock, players: players.to_vec() }
}

fn room(players: [Player; 2]) -> Room {
    Room::new("x".to_owned(), setup(players)).expect("chess has two seats")
}

/// Everything that pages see of a room.
fn seen(room: &Room) -> Value {
    let public = protocol::object(&room.public(1_000_000, true, |_| true));
    let personal = [ADA, BOB, EVE].map(|guest| protocol::object(&room.personal(guest)));
    serde_json::json!([public, personal])
}

/// A command that makes sense more often than not.
fn some_command(room: &Room, keys: &mut Keys) -> Command {
    let ply = room.table.ply();
    match keys.next() % 16 {
        0 => Command::Draw,
        1 => Command::Decline,
        2 => Command::Takeback,
        3 => Command::Rematch,
        4 => Command::Sit { seat: Seat::new((keys.next() % 3) as u8) },
        5 if keys.next().is_multiple_of(8) => Command::Resign,
        6 => Command::Claim,
        7 => Command::Move { text: "e2e4".to_owned(), ply: 0 },
        _ => {
            let seat = room.table.acting().first().copied();
            let choices = seat.map_or_else(Vec::new, |seat| room.table.choices(seat));
            let text = match choices.len() {
                0 => "nothing".to_owned(),
                count => choices[keys.next() as usize % count].code.clone(),
            };
            Command::Move { text, ply }
        }
    }
}

#[test]
fn the_same_entries_make_the_same_room_and_a_refusal_changes_nothing() {
    let games = [
        [guest(ADA), guest(BOB)],
        [guest(ADA), guest(ADA)],
        [bot(), guest(BOB)],
        [guest(ADA), Player::Open],
    ];
    let mut happened = 0;
    let mut refused = 0;
    for (number, players) in games.into_iter().cycle().take(40).enumerate() {
        let mut keys = Keys::new(number as u64);
        let mut first = room(players.clone());
        let mut entries = Vec::new();
        for step in 0..150 {
            let at = 1_000 * step;
            let who = [ADA, BOB, EVE][(keys.next() % 3) as usize];
            let before = seen(&first);
            let command = some_command(&first, &mut keys);
            let entry = first.decide(who, "Name", &command).map(|act| Entry { at, act });
            match entry.and_then(|entry| first.act(&entry).map(|()| entry)) {
                Ok(entry) => {
                    happened += 1;
                    entries.push(serde_json::to_string(&entry).expect("plain data"));
                }
                Err(_) => {
                    refused += 1;
                    assert_eq!(seen(&first), before, "{command:?} was refused");
                }
            }
        }
        let mut again = room(players);
        for entry in &entries {
            let entry: Entry = serde_json::from_str(entry).expect("as it was written");
            again.act(&entry).expect("as it happened");
        }
        assert_eq!(seen(&again), seen(&first));
    }
    assert!(happened > 500 && refused > 500, "{happened} {refused}");
}

#[test]
fn only_the_owner_of_a_seat_moves_for_it() {
    let room = room([guest(ADA), guest(BOB)]);
    let command = Command::Move { text: "e2e4".to_owned(), ply: 0 };
    assert!(room.decide(ADA, "", &command).is_ok());
    assert!(room.decide(EVE, "", &command).is_err());
    // Black's owner speaks for Black, whose turn it is not.
    let act = room.decide(BOB, "", &command).expect("a player");
    assert!(matches!(act, Act::Move { seat, .. } if seat == Seat::new(1)));
}

#[test]
fn a_takeback_gives_the_time_back_and_earns_nothing() {
    let mut room = room([guest(ADA), guest(ADA)]);
    let mut at = 0;
    let mut act = |room: &mut Room, act: Act| {
        at += 1_000;
        room.act(&Entry { at, act }).expect("allowed");
        at
    };
    let play = |seat, text: &str| Act::Move { seat: Seat::new(seat), text: text.to_owned() };
    act(&mut room, play(0, "e4"));
    let before = act(&mut room, play(1, "e5"));
    let left = |room: &Room, now| serde_json::to_value(room.clock().unwrap().face(now)).unwrap();
    let earlier = left(&room, before);
    let mut now = before;
    for _ in 0..20 {
        act(&mut room, play(0, "Nf3"));
        now = act(&mut room, Act::Takeback { plies: 1 });
    }
    assert_eq!(left(&room, now)["left"], earlier["left"]);
    now = act(&mut room, Act::Takeback { plies: 2 });
    assert_eq!(left(&room, now + 9_000)["left"], serde_json::json!([60_000, 60_000]));
}

#[test]
fn an_offer_stands_while_the_other_thinks() {
    let mut room = room([guest(ADA), guest(BOB)]);
    let play = |seat, text: &str| Act::Move { seat: Seat::new(seat), text: text.to_owned() };
    let mut act = |act| room.act(&Entry { at: 0, act }).map(|()| room.draw);
    let white = Some(Seat::new(0));
    assert_eq!(act(Act::Offer(Seat::new(0))), Ok(white));
    assert_eq!(act(play(0, "e4")), Ok(white));
    assert_eq!(act(play(1, "e5")), Ok(None));
}

#[test]
fn the_file_names_the_players() {
    let export = room([guest(ADA), bot()]).export();
    assert!(export.contains("[White \"1\"]"), "{export}");
    assert!(export.contains("[Black \"Random\"]"), "{export}");
}
