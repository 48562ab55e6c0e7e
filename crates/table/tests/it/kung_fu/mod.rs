//! Replay files of kung fu chess: round trips and error messages.

#[path = "../../../../kung-fu/tests/it/properties/mod.rs"]
#[allow(dead_code, reason = "random games are all that is wanted here")]
mod properties;

use std::collections::BTreeSet;

use fourfold_common::SplitMix64;
use fourfold_kung_fu::{Game, Replay};
use fourfold_table::kung_fu::{ReplayFileError, read_bytes, read_text, write_bytes, write_text};

use properties::{RULES, below, random_game};

#[test]
fn replays_round_trip() {
    let mut rng = SplitMix64::new(1);
    for words in RULES {
        let (replay, events, last) = random_game(words, &mut rng);
        for again in [
            read_text(&write_text(&replay)).expect("JSON of ours"),
            read_bytes(&write_bytes(&replay)).expect("bytes of ours"),
        ] {
            assert_eq!(again, replay, "{words}");
            let seeker = again.seeker().expect("it was played");
            assert_eq!((seeker.events(), seeker.last()), (&events[..], &last));
        }
        let (long, short) = (write_text(&replay).len(), write_bytes(&replay).len());
        assert!(
            short < 6 * replay.actions.len() + 100 && short * 4 < long,
            "{short} of {long} bytes"
        );
    }
}

#[test]
fn custom_starting_pieces_are_kept() {
    let start = Game::parse("lightning", "K:1:7:4 R:1:7:7+moved K:2:0:4").expect("a game");
    let replay = Replay::of(&start);
    assert!(write_text(&replay).contains("R:1:7:7+moved"));
    assert_eq!(read_text(&write_text(&replay)), Ok(replay.clone()));
    assert_eq!(read_bytes(&write_bytes(&replay)), Ok(replay));
}

#[test]
fn replays_with_former_words_are_read() {
    let start = Game::parse("12x12 ticks-per-square=5 players=134", "").unwrap();
    let text = write_text(&Replay::of(&start));
    let former = text.replace("ticks-per-square=", "tps=").replace("players=", "seats=");
    assert_ne!(former, text);
    assert_eq!(read_text(&former).unwrap(), Replay::of(&start));
}

#[test]
fn errors_name_the_fault() {
    let replay = Replay::of(&Game::parse("lightning", "").expect("a game"));
    let text = write_text(&replay);
    let fault = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        read_text(&text.replace(from, to)).expect_err("a fault")
    };
    assert_eq!(fault("\"rules_version\": 1", "\"rules_version\": 7"), ReplayFileError::Rules(7));
    assert_eq!(fault("\"kung_fu_replay\": 1", "\"kung_fu_replay\": 2"), ReplayFileError::Format(2));
    assert!(fault("8x8", "9x9").to_string().contains("'9x9'"));
    let act = fault("[]", "[\"5 1 P:1:6:4->9,9\"]").to_string();
    assert!(act.starts_with("entry 1: expected an action like '"), "{act}");
    assert!(act.ends_with(", got '5 1 P:1:6:4->9,9'"), "{act}");
    assert!(fault("{", "").to_string().contains("not a kung fu chess replay: "));
}

#[test]
fn reading_damaged_replays_does_not_panic() {
    let mut rng = SplitMix64::new(2);
    const REASONS: [&str; 4] = [
        "not a kung fu chess replay: ",
        "the game was played under version ",
        "the game cannot start: ",
        "entry ",
    ];
    let (mut refused, mut taken, mut reasons) = (0, 0, BTreeSet::new());
    let replays = RULES.map(|words| random_game(words, &mut rng).0);
    for number in 0..3000 {
        let replay = &replays[number % replays.len()];
        let mut bytes = write_bytes(replay);
        // Damage the short header as often as the whole file.
        let reach = if below(&mut rng, 2) == 0 { 60 } else { bytes.len() };
        let place = below(&mut rng, reach);
        match below(&mut rng, 4) {
            0 => bytes.truncate(place),
            1 => bytes.insert(place, rng.next() as u8),
            _ => bytes[place] = rng.next() as u8,
        }
        match read_bytes(&bytes) {
            Ok(read) => {
                // Its encoding may be longer than necessary, so compare the replays, not the bytes.
                assert_eq!(read_bytes(&write_bytes(&read)), Ok(read.clone()));
                if let Ok(seeker) = read.seeker() {
                    assert!(seeker.last().now() <= read.end);
                }
                taken += 1;
            }
            Err(error) => {
                let text = error.to_string();
                let known = REASONS.iter().find(|reason| text.starts_with(**reason));
                let reason = known.unwrap_or_else(|| panic!("an unknown reason: {text}"));
                assert!(text.len() > reason.len(), "{text}");
                reasons.insert(*reason);
                refused += 1;
            }
        }
    }
    assert!(refused > 300 && taken > 300, "{refused} refused, {taken} taken");
    assert_eq!(reasons, BTreeSet::from(REASONS));
}
