//! Games, endings, refused moves, files and scenes.

use fourfold_blokus::Variant;
use fourfold_common::SplitMix64;
use fourfold_table::{
    BlokusTable, Declaration, DeclareError, GAMES, PlayError, ReadError, Seat, Table, TagError,
    TurnError,
};

use super::{BLUE, GREEN, RED, VARIANTS, YELLOW, outcome, play};
use crate::common::play_any;

#[test]
fn players_place_in_turn() {
    let mut table = BlokusTable::new(Variant::CLASSIC);
    assert_eq!((table.game(), table.seats()), ("blokus", &["blue", "yellow", "red", "green"][..]));
    for (seat, text) in [(BLUE, "a20"), (YELLOW, "t20"), (RED, "t1"), (GREEN, "a1")] {
        assert_eq!(table.acting(), [seat]);
        assert_eq!(table.play(text).unwrap().number, 1);
    }
    let played = table.play("I2 C19, b19").unwrap();
    assert_eq!((played.number, &played.text[..], &played.code[..]), (2, "I2 b19,c19", "b19,c19"));
    assert_eq!(table.scene().last_move, ["b19", "c19"]);
    assert_eq!(table.scene().scores, [-86, -88, -88, -88]);
}

#[test]
fn two_and_three_player_variants() {
    let mut pairs = BlokusTable::new(Variant::CLASSIC_2);
    let mut three = BlokusTable::new(Variant::CLASSIC_3);
    let mut movers = [Vec::new(), Vec::new()];
    for (table, seats) in [&mut pairs, &mut three].into_iter().zip(&mut movers) {
        for text in ["a20", "t20", "t1", "a1", "b19,c19", "s19,r19", "s2,r2", "b2,c2"] {
            let played = table.play(text).unwrap();
            seats.push((played.seat.index(), played.color));
        }
    }
    let colors = [0, 1, 2, 3, 0, 1, 2, 3].map(Some);
    let with = |seats: [usize; 8]| seats.into_iter().zip(colors).collect::<Vec<_>>();
    assert_eq!(movers[0], with([0, 1, 0, 1, 0, 1, 0, 1]));
    assert_eq!(movers[1], with([0, 1, 2, 0, 0, 1, 2, 1]), "the players take turns with green");
    assert_eq!(pairs.scene().scores, [-172, -172]);
    assert_eq!(three.scene().scores, [-86; 3]);
    let scene = three.scene();
    assert_eq!((scene.colors[3].seat, scene.colors[2].seat), (None, Some(RED)));
}

#[test]
fn a_whole_game_ends_with_the_most_points() {
    for (seed, info) in (0..).zip(GAMES.iter().filter(|info| info.id.starts_with("blokus"))) {
        let mut table = BlokusTable::new(VARIANTS[0]);
        let made = fourfold_table::make(info.id).unwrap();
        table.import(&made.export()).unwrap();
        assert_eq!((table.game(), table.seats()), (info.id, info.seats));
        let mut rng = SplitMix64::new(seed);
        while !table.acting().is_empty() {
            play_any(&mut table, &mut rng);
        }
        let (scene, end) = (table.scene(), table.outcome().unwrap());
        let most = *scene.scores.iter().max().unwrap();
        let best = |seat: &Seat| scene.scores[seat.index()] == most;
        assert!(!end.winners.is_empty() && end.winners.iter().all(best), "{end:?}");
        assert!(end.text.contains(&format!("with {most} point")), "{end:?}");
        assert!(scene.colors.iter().all(|color| color.done && color.frontier.is_empty()));
        assert!(matches!(table.play("a1"), Err(PlayError::Turn(TurnError::GameOver(..)))));
    }
}

#[test]
fn withdrawn_players_are_skipped_and_cannot_win() {
    let mut table = BlokusTable::new(Variant::CLASSIC);
    play(&mut table, "a20,b20,c20,d20,e20");
    table.declare(Declaration::Resign(YELLOW)).unwrap();
    assert_eq!((table.acting(), table.scene().eliminated), (vec![RED], vec![YELLOW]));
    let again = table.declare(Declaration::Flag(YELLOW)).unwrap_err();
    assert_eq!(again.to_string(), "yellow is no longer in the game");
    play(&mut table, "t1 a1 f19");
    assert_eq!(table.acting(), [RED], "yellow's turn is skipped");
    table.declare(Declaration::Flag(BLUE)).unwrap();
    assert_eq!(outcome(&table), "goes on");
    let mut left = table.clone();
    let mut rng = SplitMix64::new(1);
    while !left.acting().is_empty() {
        play_any(&mut left, &mut rng);
    }
    let winners = left.outcome().unwrap().winners;
    assert!(!winners.contains(&BLUE) && !winners.contains(&YELLOW), "{winners:?}");
    table.declare(Declaration::Flag(GREEN)).unwrap();
    assert_eq!(outcome(&table), "red wins by time forfeit");
    assert!(table.acting().is_empty() && table.scene().colors.iter().all(|color| !color.turn));
    for _ in 0..2 {
        table.undo().unwrap();
    }
    assert_eq!((table.scene().eliminated, table.acting()), (vec![YELLOW], vec![RED]));
}

#[test]
fn shared_color_is_withdrawn_with_the_first_player() {
    let mut table = BlokusTable::new(Variant::CLASSIC_3);
    play(&mut table, "a20 t20 t1 a1");
    table.declare(Declaration::Resign(YELLOW)).unwrap();
    play(&mut table, "b19,c19 s2,r2");
    assert_eq!(table.acting(), [BLUE], "neither yellow nor green");
    assert!(table.scene().colors[3].done);
    let mut read = BlokusTable::new(Variant::DUO);
    read.import(&table.export()).unwrap();
    assert_eq!(read, table);
}

#[test]
fn resignations_and_draws_end_two_player_games() {
    for (declaration, text, result) in [
        (Declaration::Resign(Seat::new(1)), "purple wins by resignation", "B+R"),
        (Declaration::Flag(Seat::new(0)), "orange wins by time forfeit", "W+T"),
        (Declaration::Draw, "draw by agreement", "0"),
    ] {
        let mut table = BlokusTable::new(Variant::DUO);
        play(&mut table, "e10");
        let claim = table.declare(Declaration::Claim(Seat::new(1))).unwrap_err();
        assert!(matches!(claim, DeclareError::NothingToClaim(..)), "{claim}");
        table.declare(declaration).unwrap();
        assert_eq!(outcome(&table), text);
        assert!(table.tags().contains(&("RE".to_owned(), result.to_owned())));
        let mut read = BlokusTable::new(Variant::CLASSIC);
        read.import(&table.export()).unwrap();
        assert_eq!(read, table);
        // Other programs write only the result.
        read.import(&format!("(;GM[Blokus Duo]RE[{result}];B[e10])")).unwrap();
        assert_eq!(outcome(&read), text);
    }
}

#[test]
fn refusals_name_the_rule_and_the_cell() {
    let mut table = BlokusTable::new(Variant::DUO);
    let purple = Seat::new(0);
    let refusal = |table: &BlokusTable, text: &str| {
        table.refusal(purple, text).map_or_else(|| "fits".to_owned(), |error| error.to_string())
    };
    assert_eq!(refusal(&table, "e10"), "fits");
    assert_eq!(refusal(&table, "a1"), "the first piece must cover the start square e10");
    play(&mut table, "e10,e9 j5");
    for (text, why) in [
        ("f8,f9", "piece I2 is already on the board"),
        ("d10,d11,d12", "d10 touches an edge of the same color"),
        ("j5,j6,j7", "j5 is occupied"),
        ("a1", "no cell touches a corner of the same color"),
        ("n1,o1,p1", "'n1,o1,p1' is off the board"),
        ("f8,g9", "the cells 'f8,g9' do not form a piece"),
        ("V3 f8", "these cells form piece I1, not V3"),
        ("hello", "expected a placement like 'a1,b1,a2' or 'V3 a1,b1,a2', got 'hello'"),
        ("I1 f8", "fits"),
    ] {
        assert_eq!(refusal(&table, text), why, "{text}");
    }
    assert_eq!(table.refusal(Seat::new(1), "f8").unwrap().to_string(), "orange may not move now");
    assert_eq!(table.ply(), 2, "`refusal` plays nothing");
}

#[test]
fn import_errors_say_where_and_why() {
    let mut table = BlokusTable::new(Variant::DUO);
    for (text, why) in [
        (";B[e10];W[a1]", "move 2: the first piece must cover the start square j5"),
        (";B[e10];B[f9]", "move 2: purple placed a piece, but it is orange's turn"),
        (";B[e10];W[z99]", "move 2: 'z99' is off the board"),
        (";B[]C[resigned];W[j5]", "move 1: the game is over"),
    ] {
        let error = table.import(&format!("(;GM[Blokus Duo]{text})")).unwrap_err();
        assert_eq!(error.to_string(), why, "{text}");
    }
    assert_eq!(table.import("1. e4"), Err(ReadError::NoGame));
    let other = table.set("two-5 p 5/5/5/5/5 -").unwrap_err();
    assert_eq!(other.to_string(), "expected a position of variant duo, got two-5");
    assert_eq!(table, BlokusTable::new(Variant::DUO));
}

#[test]
fn files_have_player_names() {
    let mut table = BlokusTable::new(Variant::CLASSIC_2);
    table.set_tag("Blue-red", "Ada ]").unwrap();
    assert!(table.export().starts_with("(;GM[Blokus Two-Player]PB[Ada \\]]"), "{}", table.export());
    let mut table = BlokusTable::new(Variant::CLASSIC);
    table.set_tag("Green", "Bob").unwrap();
    assert_eq!(
        table.tags(),
        [("GM", "Blokus"), ("P4", "Bob")].map(|(name, value)| (name.into(), value.into()))
    );
    for name in ["GM", "RE", "1", "W"] {
        assert_eq!(table.set_tag(name, "x"), Err(TagError::Derived(name.to_owned())));
    }
    for name in ["a_b", "", "a b"] {
        assert_eq!(table.set_tag(name, "x"), Err(TagError::Malformed(name.to_owned())));
    }
}

#[test]
fn scene_as_json() {
    let mut table = BlokusTable::new(Variant::CLASSIC);
    play(&mut table, "a20,a19,b19");
    let json = serde_json::to_value(table.scene()).unwrap();
    assert_eq!(
        (&json["board"]["rows"][0][0], &json["seat_colors"]),
        (&"a20".into(), &"blokus".into())
    );
    let blue = &json["colors"][0];
    assert_eq!(blue["squares"], serde_json::json!(["a20", "a19", "b19"]));
    assert_eq!(blue["frontier"], serde_json::json!(["c20", "c18"]));
    assert_eq!((&blue["turn"], &json["colors"][1]["turn"]), (&false.into(), &true.into()));
    assert_eq!(blue["left"].as_array().unwrap().len(), 20);
    assert_eq!(
        json["piece_shapes"][3],
        serde_json::json!({"name": "V3", "cells": [[0, 0], [0, 1], [1, 0]]})
    );
    let svg = table.scene().picture(Default::default()).svg();
    assert!(svg.contains(r##"data-part="tiles" data-seat="0" fill="#2d66cc""##), "{svg}");
}
