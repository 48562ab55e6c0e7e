//! Tests of rooms on their own, without network and disk.

use super::*;
use crate::clock::TimeControl;
use crate::protocol::{self, Command};
use fourfold_common::SplitMix64;
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

/// A game of chess for two players, or of four-player chess.
fn room<const SEATS: usize>(players: [Player; SEATS]) -> Room {
    let game = if SEATS == 2 { "chess" } else { "four-player" };
    room_of(game, players.to_vec())
}

fn room_of(game: &str, players: Vec<Player>) -> Room {
    room_with(game, players, false)
}

fn room_with(game: &str, players: Vec<Player>, casual: bool) -> Room {
    let clock = Some(TimeControl { initial: 60_000, increment: 1_000, delay: 0 });
    let setup = Setup {
        game: game.to_owned(),
        clock,
        rules: None,
        players,
        listed: false,
        casual,
        start: None,
    };
    Room::new("x".to_owned(), setup).expect("as many players as seats")
}

/// Everything that pages see of a room.
fn seen(room: &Room) -> Value {
    let public = room.whole(&room.public(1_000_000, true, |_| true, 0));
    let personal = [ADA, BOB, EVE].map(|guest| protocol::object(&room.personal(guest)));
    serde_json::json!([public, personal])
}

/// A random command that is sensible more often than not.
fn some_command(room: &Room, rng: &mut SplitMix64) -> Command {
    let ply = room.table.ply();
    let seats = room.table.seats().len() as u64;
    match rng.next() % 18 {
        9 => Command::DeclineTakeback,
        0 => Command::Draw,
        1 => Command::Decline,
        2 => Command::Takeback,
        3 => Command::Rematch,
        4 => Command::Sit { seat: Seat::new((rng.next() % (seats + 1)) as u8) },
        5 if rng.next().is_multiple_of(8) => Command::Resign,
        6 => Command::Claim,
        8 => {
            let seat = Seat::new((rng.next() % (seats + 1)) as u8);
            Command::Fill { seat, bot: ["random", "best"][rng.next() as usize % 2].to_owned() }
        }
        7 => Command::Move { text: "e2e4".to_owned(), ply: 0 },
        _ => {
            let seat = room.table.acting().first().copied();
            let choices = seat.map_or_else(Vec::new, |seat| room.table.choices(seat));
            let text = match choices.len() {
                0 => "nothing".to_owned(),
                count => choices[rng.next() as usize % count].code.clone(),
            };
            Command::Move { text, ply }
        }
    }
}

#[test]
fn rooms_are_determined_by_their_entries() {
    let open = || Player::Open;
    let games = [
        ("chess", vec![guest(ADA), guest(BOB)]),
        ("chess", vec![guest(ADA), guest(ADA)]),
        ("chess", vec![bot(), guest(BOB)]),
        ("chess", vec![guest(ADA), open()]),
        ("four-player", vec![guest(ADA), guest(BOB), guest(EVE), bot()]),
        ("four-player", vec![guest(ADA); 4]),
        ("four-player", vec![bot(), guest(BOB), open(), open()]),
        ("four-player-teams", vec![guest(EVE), guest(BOB), guest(ADA), open()]),
        ("blokus", vec![guest(EVE), guest(BOB), guest(ADA), bot()]),
        ("blokus-2", vec![guest(ADA), guest(BOB)]),
        ("blokus-3", vec![guest(ADA), guest(BOB), guest(EVE)]),
        ("blokus-duo", vec![guest(ADA), bot()]),
    ];
    let mut happened = 0;
    let mut refused = 0;
    for (number, (game, players)) in games.into_iter().cycle().take(48).enumerate() {
        let mut rng = SplitMix64::new(number as u64);
        let casual = number % 2 == 1;
        let mut first = room_with(game, players.clone(), casual);
        let mut entries = Vec::new();
        for step in 0..150 {
            let at = 1_000 * step;
            let who = [ADA, BOB, EVE][(rng.next() % 3) as usize];
            let before = seen(&first);
            let command = some_command(&first, &mut rng);
            let entry = match (first.bot_to_move(), &command) {
                (Some((seat, _)), Command::Move { text, .. }) => {
                    Ok(RoomEvent::Move { seat, text: text.clone() })
                }
                _ => first.decide(who, "Name", &command),
            };
            let entry = entry.map(|event| Entry { at, event });
            match entry.and_then(|entry| first.apply(&entry).map(|()| entry)) {
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
        let mut again = room_with(game, players, casual);
        for entry in &entries {
            let entry: Entry<RoomEvent> = serde_json::from_str(entry).expect("as it was written");
            again.apply(&entry).expect("as it happened");
        }
        assert_eq!(seen(&again), seen(&first));
    }
    assert!(happened > 500 && refused > 500, "{happened} {refused}");
}

#[test]
fn only_the_owner_of_a_seat_may_move() {
    let room = room([guest(ADA), guest(BOB)]);
    let command = Command::Move { text: "e2e4".to_owned(), ply: 0 };
    assert!(room.decide(ADA, "", &command).is_ok());
    assert!(room.decide(EVE, "", &command).is_err());
    // The owner of Black acts for Black, even when it is not Black's turn.
    let event = room.decide(BOB, "", &command).expect("a player");
    assert!(matches!(event, RoomEvent::Move { seat, .. } if seat == Seat::new(1)));
}

#[test]
fn takebacks_restore_the_clocks() {
    let mut room = room([guest(ADA), guest(ADA)]);
    let mut at = 0;
    let mut apply = |room: &mut Room, event: RoomEvent| {
        at += 1_000;
        room.apply(&Entry { at, event }).expect("allowed");
        at
    };
    let play = |seat, text: &str| RoomEvent::Move { seat: Seat::new(seat), text: text.to_owned() };
    apply(&mut room, play(0, "e4"));
    let before = apply(&mut room, play(1, "e5"));
    let left = |room: &Room, now| serde_json::to_value(room.clock().unwrap().face(now)).unwrap();
    let earlier = left(&room, before);
    let mut now = before;
    for _ in 0..20 {
        apply(&mut room, play(0, "Nf3"));
        now = apply(&mut room, RoomEvent::Takeback { plies: 1 });
    }
    assert_eq!(left(&room, now)["left"], earlier["left"]);
    now = apply(&mut room, RoomEvent::Takeback { plies: 2 });
    assert_eq!(left(&room, now + 9_000)["left"], serde_json::json!([60_000, 60_000]));
}

#[test]
fn draw_offers_stand_until_the_opponent_moves() {
    let mut room = room([guest(ADA), guest(BOB)]);
    let play = |seat, text: &str| RoomEvent::Move { seat: Seat::new(seat), text: text.to_owned() };
    let mut apply = |event| room.apply(&Entry { at: 0, event }).map(|()| room.seats.draw.clone());
    let white = vec![Seat::new(0)];
    assert_eq!(apply(RoomEvent::Seating(SeatEvent::Offer(Seat::new(0)))), Ok(white.clone()));
    assert_eq!(apply(play(0, "e4")), Ok(white));
    assert_eq!(apply(play(1, "e5")), Ok(vec![]));
}

/// Carries out a guest's command at the given time.
fn take(room: &mut Room, who: GuestId, command: &Command, at: u64) -> Result<(), String> {
    let event = room.decide(who, "Name", command)?;
    room.apply(&Entry { at, event })
}

fn moving(room: &Room, text: &str) -> Command {
    Command::Move { text: text.to_owned(), ply: room.table.ply() }
}

#[test]
fn a_draw_needs_the_agreement_of_all_active_players() {
    const DAN: GuestId = GuestId(4);
    let seats = [ADA, BOB, EVE, DAN];
    let mut room = room(seats.map(guest));
    let mut apply = |who, command: &Command| {
        take(&mut room, who, command, 0).map(|()| (room.seats.draw.len(), room.is_over()))
    };
    assert_eq!(apply(ADA, &Command::Draw), Ok((1, false)));
    assert_eq!(apply(ADA, &Command::Draw), Err("you have already offered a draw".to_owned()));
    assert_eq!(apply(EVE, &Command::Draw), Ok((2, false)));
    assert_eq!(apply(EVE, &Command::Draw), Err("you have already accepted the draw".to_owned()));
    assert_eq!(apply(EVE, &Command::Decline), Err("nobody has offered you a draw".to_owned()));
    assert_eq!(apply(DAN, &Command::Decline), Ok((0, false)));
    assert_eq!(apply(DAN, &Command::Draw), Ok((1, false)));
    assert_eq!(apply(BOB, &Command::Draw), Ok((2, false)));
    // Players who want the draw may move; the move of any other player declines it.
    let play = |text: &str, ply| Command::Move { text: text.to_owned(), ply };
    assert_eq!(apply(ADA, &Command::Draw), Ok((3, false)));
    assert_eq!(apply(ADA, &play("h2h3", 0)), Ok((3, false)));
    assert_eq!(apply(BOB, &play("b7c7", 1)), Ok((3, false)));
    assert_eq!(apply(EVE, &play("g13g12", 2)), Ok((0, false)));
    // A player who has resigned is no longer asked and cannot decline.
    assert_eq!(apply(BOB, &Command::Resign), Ok((0, false)));
    assert_eq!(apply(BOB, &Command::Draw), Err("you have been eliminated".to_owned()));
    assert_eq!(apply(ADA, &Command::Draw), Ok((1, false)));
    assert_eq!(apply(BOB, &Command::Decline), Err("nobody has offered you a draw".to_owned()));
    assert_eq!(apply(EVE, &Command::Draw), Ok((2, false)));
    assert_eq!(apply(DAN, &Command::Draw), Ok((0, true)));
    assert_eq!(room.table.scene().scores, [10, 0, 10, 10]);
}

#[test]
fn a_takeback_needs_the_agreement_of_the_opponent_in_a_casual_game() {
    let players = || vec![guest(ADA), guest(BOB)];
    let mut rated = room_with("chess", players(), false);
    let first = moving(&rated, "e4");
    take(&mut rated, ADA, &first, 0).expect("legal");
    let refusal = take(&mut rated, ADA, &Command::Takeback, 0).unwrap_err();
    assert_eq!(refusal, "takebacks are available only in casual games");
    assert!(!rated.personal(ADA).takeback);

    let mut room = room_with("chess", players(), true);
    let refused = |room: &mut Room, who, command| take(room, who, &command, 0).unwrap_err();
    let nothing = "there is no move of yours to take back";
    assert_eq!(refused(&mut room, ADA, Command::Takeback), nothing);
    take(&mut room, ADA, &first, 0).expect("legal");
    assert_eq!(refused(&mut room, BOB, Command::Takeback), nothing);
    assert_eq!(
        refused(&mut room, BOB, Command::DeclineTakeback),
        "nobody has asked you for a takeback"
    );
    assert!(room.personal(ADA).takeback && !room.personal(BOB).takeback);
    let offer = |room: &Room| seen(room)[0]["takeback_offer"].clone();
    take(&mut room, ADA, &Command::Takeback, 0).expect("a request");
    assert_eq!((room.table.ply(), offer(&room)), (1, Value::from(0)));
    assert!(!room.personal(ADA).takeback && room.personal(BOB).takeback);
    let again = "you have already asked for a takeback";
    assert_eq!(refused(&mut room, ADA, Command::Takeback), again);
    assert_eq!(
        refused(&mut room, ADA, Command::DeclineTakeback),
        "nobody has asked you for a takeback"
    );
    take(&mut room, BOB, &Command::DeclineTakeback, 0).expect("a request is pending");
    assert_eq!((room.table.ply(), offer(&room)), (1, Value::Null));
    // A move clears the request, too.
    take(&mut room, ADA, &Command::Takeback, 0).expect("another request");
    let answer = moving(&room, "e5");
    take(&mut room, BOB, &answer, 0).expect("legal");
    assert_eq!(offer(&room), Value::Null);
    // It goes back to the latest move of the player who asked.
    take(&mut room, ADA, &Command::Takeback, 0).expect("another request");
    take(&mut room, BOB, &Command::Takeback, 0).expect("agreed");
    assert_eq!((room.table.ply(), offer(&room)), (0, Value::Null));
    take(&mut room, ADA, &first, 0).expect("legal");
    take(&mut room, ADA, &Command::Takeback, 0).expect("another request");
    take(&mut room, BOB, &Command::Resign, 0).expect("a player");
    assert_eq!(offer(&room), Value::Null);
    assert!(refused(&mut room, BOB, Command::Takeback).starts_with("the game is over"));
}

#[test]
fn a_takeback_needs_the_agreement_of_all_people_in_the_game() {
    let players = vec![guest(ADA), bot(), guest(BOB), guest(EVE)];
    let mut room = room_with("four-player", players, true);
    for (seat, text) in [(0, "h2h3"), (1, "b7c7"), (2, "g13g12")] {
        let event = RoomEvent::Move { seat: Seat::new(seat), text: text.to_owned() };
        room.apply(&Entry { at: 0, event }).expect("legal");
    }
    let votes = |room: &Room| room.takeback_votes.iter().map(|seat| seat.index()).collect();
    let apply = |room: &mut Room, who, command: &Command| -> Result<Vec<usize>, String> {
        take(room, who, command, 0).map(|()| votes(room))
    };
    assert_eq!(apply(&mut room, ADA, &Command::Takeback), Ok(vec![0]));
    assert_eq!(apply(&mut room, EVE, &Command::Takeback), Ok(vec![0, 3]));
    let again = Err("you have already agreed to the takeback".to_owned());
    assert_eq!(apply(&mut room, EVE, &Command::Takeback), again);
    assert_eq!(apply(&mut room, BOB, &Command::Takeback), Ok(vec![]));
    assert_eq!(room.table.ply(), 0);
    // Nobody comes back into the game by a takeback.
    for (seat, text) in [(0, "h2h3"), (1, "b7c7")] {
        let event = RoomEvent::Move { seat: Seat::new(seat), text: text.to_owned() };
        room.apply(&Entry { at: 0, event }).expect("legal");
    }
    assert_eq!(apply(&mut room, BOB, &Command::Resign), Ok(vec![]));
    let gone = Err("a player has been eliminated since your last move".to_owned());
    assert_eq!(apply(&mut room, ADA, &Command::Takeback), gone);
    assert_eq!(
        apply(&mut room, BOB, &Command::Takeback),
        Err("you have been eliminated".to_owned())
    );
}

#[test]
fn bots_decline_draws() {
    let mut room = room([guest(ADA), guest(BOB), guest(EVE), bot()]);
    let refusal = Err("Random declines the draw".to_owned());
    assert_eq!(take(&mut room, ADA, &Command::Draw, 0), refusal);
    let gone = RoomEvent::Declare(Declaration::Resign(Seat::new(3)));
    room.apply(&Entry { at: 0, event: gone }).expect("a bot without a move resigns");
    assert_eq!(take(&mut room, ADA, &Command::Draw, 0), Ok(()));
}

#[test]
fn resigning_eliminates_and_starts_the_next_clock() {
    let mut room = room([guest(ADA), guest(BOB), guest(EVE), guest(EVE)]);
    let clock = |room: &Room, now| serde_json::to_value(room.clock().unwrap().face(now)).unwrap();
    // No clock runs before the first move, even if a player resigns.
    take(&mut room, ADA, &Command::Resign, 1_000).expect("a player");
    assert_eq!(clock(&room, 9_000)["running"], Value::Null);
    let bobs = moving(&room, "b7c7");
    take(&mut room, BOB, &bobs, 9_000).expect("Bob's turn");
    assert_eq!(room.deadline(), Some((Seat::new(2), 69_000)));
    let flag = RoomEvent::Declare(Declaration::Flag(Seat::new(2)));
    room.apply(&Entry { at: 69_000, event: flag }).expect("time is up");
    assert_eq!(room.table.eliminated(), [Seat::new(0), Seat::new(2)]);
    assert_eq!(room.deadline(), Some((Seat::new(3), 129_000)));
    // When another player resigns, the clock of the player to move keeps running; the last player
    // left wins.
    take(&mut room, BOB, &Command::Resign, 70_000).expect("a player");
    assert!(room.is_over());
    assert_eq!(clock(&room, 80_000)["left"], serde_json::json!([60_000, 60_000, 0, 59_000]));
    assert_eq!(take(&mut room, ADA, &Command::Rematch, 80_000), Ok(()));
}

#[test]
fn eliminated_players_cannot_take_back_and_bots_play_on() {
    let mut room = room([guest(ADA), bot(), bot(), bot()]);
    assert!(!room.is_left_to_bots());
    let first = moving(&room, "h2h3");
    take(&mut room, ADA, &first, 0).expect("legal");
    assert!(room.personal(ADA).takeback);
    take(&mut room, ADA, &Command::Resign, 0).expect("a player");
    assert!(room.is_left_to_bots() && !room.is_over() && !room.personal(ADA).takeback);
    for command in [Command::Takeback, Command::Draw] {
        let refusal = take(&mut room, ADA, &command, 0).unwrap_err();
        assert_eq!(refusal, "you have been eliminated", "{command:?}");
    }
    let refusal = take(&mut room, ADA, &Command::Resign, 0).unwrap_err();
    assert_eq!(refusal, "red is no longer in the game");
    assert!(room.personal(ADA).legal_moves.is_empty());
}

#[test]
fn players_can_fill_open_seats_with_bots() {
    let fill = |seat, bot: &str| Command::Fill { seat: Seat::new(seat), bot: bot.to_owned() };
    let mut room = room([guest(ADA), Player::Open, guest(BOB), Player::Open]);
    assert_eq!(take(&mut room, BOB, &fill(1, "greedy"), 0), Ok(()));
    let refused = |room: &mut Room, who, command| take(room, who, &command, 0).unwrap_err();
    assert_eq!(refused(&mut room, ADA, fill(1, "greedy")), "blue's seat is taken");
    assert_eq!(refused(&mut room, ADA, fill(4, "greedy")), "there is no seat 4");
    assert_eq!(refused(&mut room, ADA, fill(3, "x")), "four-player has no bot 'x'");
    let watching = "you are watching: only players can do that";
    assert_eq!(refused(&mut room, EVE, fill(3, "greedy")), watching);
    let early = moving(&room, "h2h3");
    assert_eq!(refused(&mut room, ADA, early), "waiting for a player to take green's seat");
    assert_eq!(take(&mut room, ADA, &fill(3, "random"), 0), Ok(()));
    let first = moving(&room, "h2h3");
    assert_eq!(take(&mut room, ADA, &first, 0), Ok(()));
    assert_eq!(room.bot_to_move(), Some((Seat::new(1), "greedy")));
}

#[test]
fn exports_have_player_names() {
    let (_, export) = room([guest(ADA), bot()]).export();
    assert!(export.contains("[White \"1\"]"), "{export}");
    assert!(export.contains("[Black \"Random\"]"), "{export}");
}
