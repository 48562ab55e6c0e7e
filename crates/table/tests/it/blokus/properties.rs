//! Property tests on games of random placements and withdrawals.

use fourfold_blokus::Variant;
use fourfold_common::SplitMix64;
use fourfold_table::{BlokusTable, Declaration, Seat, Table};
use proptest::prelude::*;

use super::VARIANTS;
use crate::common::{self, Step, play_any, step_any};

fn start() -> impl Strategy<Value = BlokusTable> {
    let small = [Variant::four(7), Variant::two(6)].map(|variant| variant.expect("such a board"));
    let variants = [&VARIANTS[..], &small, &[Variant::DUO.with_free_starts()]].concat();
    prop::sample::select(variants).prop_map(BlokusTable::new)
}

/// A game of random placements and occasional withdrawals, which may be over.
fn game() -> impl Strategy<Value = BlokusTable> {
    (start(), 0usize..90, any::<u64>()).prop_map(|(mut table, steps, seed)| {
        let mut rng = SplitMix64::new(seed);
        for _ in 0..steps {
            let seat = Seat::new((rng.next() % 4) as u8);
            // Declarations fail if the player has already withdrawn.
            match rng.next() % 60 {
                0 => _ = table.declare(Declaration::Resign(seat)),
                1 => _ = table.declare(Declaration::Flag(seat)),
                2 if steps > 80 => _ = table.declare(Declaration::Draw),
                _ => play_any(&mut table, &mut rng),
            }
        }
        table
    })
}

proptest! {
    // Each case replays a game many times.
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_table_agrees_with_its_twin(start in start(), seed: u64) {
        let nothing = |start: &BlokusTable, _: &[Step]| (vec![Vec::new(); start.seats().len()], None);
        common::agrees_with_its_twin(&start, seed, nothing)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn undo_and_redo_visit_the_same_positions(played in game()) {
        common::undo_and_redo_agree(&played)?;
    }

    #[test]
    fn new_moves_discard_undone_ones(played in game(), ply in any::<prop::sample::Index>(), seed: u64) {
        prop_assume!(played.ply() > 0);
        common::a_new_move_drops_the_undone(&played, ply.index(played.ply()), seed)?;
    }

    #[test]
    fn choices_can_be_played(table in game()) {
        common::choices_may_be_played(&table)?;
    }

    #[test]
    fn refusal_matches_the_error_of_play(
        table in game(),
        text in prop_oneof!["([a-n][1-9][0-4]?,){0,4}[a-n][1-9][0-4]?", "\\PC{0,8}", "[IVLTZ][1-5] a1,a2"],
    ) {
        for seat in (0..5).map(Seat::new) {
            let refused = table.refusal(seat, &text);
            prop_assert_eq!(table.clone().play_as(seat, &text).err(), refused);
        }
    }

    #[test]
    fn an_error_changes_nothing(
        played in game(),
        text in prop_oneof!["\\PC{0,12}", "([a-t][1-9][0-9]?,){0,4}[a-t][1-9][0-9]?"],
        position in "(duo|classic|classic-3|four-7) [bpyo-] [0-9bpyo/]{7,40} -",
        sgf in "\\(;(GM\\[(Blokus|Blokus Duo|Go)\\])?(RE\\[[BW0][+]?[RT]?\\])?(;[1-4BW]\\[(a20|e10|j5|t20|a1,a2)?\\](C\\[resigned\\])?){0,4}\\)?",
    ) {
        common::an_error_changes_nothing(&played, &text, &position, &sgf)?;
    }

    #[test]
    fn situation_leads_to_the_position(start in start(), seed: u64) {
        let (mut table, mut rng) = (start.clone(), SplitMix64::new(seed));
        for _ in 0..60 {
            step_any(&mut table, &mut rng);
        }
        let (position, moves) = table.situation();
        let mut again = start;
        again.set(&position).unwrap();
        for code in moves {
            again.play(&code).unwrap();
        }
        // The situation does not include a declared end.
        prop_assert_eq!(again.position(), table.position());
        if table.outcome().is_none() {
            prop_assert_eq!(again.acting(), table.acting());
            prop_assert_eq!(again.choices(table.acting()[0]), table.choices(table.acting()[0]));
        }
    }

    #[test]
    fn games_round_trip_through_files(played in game(), name in "\\PC{0,20}") {
        let mut table = played;
        table.set_tag("EV", &name).unwrap();
        let mut read = BlokusTable::new(Variant::DUO);
        read.import(&table.export()).unwrap_or_else(|error| panic!("{error}: {}", table.export()));
        table.jump(table.ply()).unwrap();
        prop_assert_eq!(read.export(), table.export());
        prop_assert_eq!(read.scene(), table.scene());
    }

    #[test]
    fn scene_shows_all_squares_and_pieces(table in game()) {
        let scene = table.scene();
        for (index, color) in table.variant().colors().zip(&scene.colors) {
            prop_assert_eq!(color.squares.len(), table.current().cells(index).len());
            let left = color.left.iter().map(|name| name[1..].parse::<usize>().unwrap()).sum::<usize>();
            prop_assert_eq!(left + color.squares.len(), 89);
            prop_assert!(color.frontier.iter().all(|square| !color.squares.contains(square)));
        }
        let turns = scene.colors.iter().filter(|color| color.turn).count();
        prop_assert_eq!(turns, scene.acting.len());
        prop_assert_eq!(scene.acting.is_empty(), scene.outcome.is_some());
    }
}
