//! Property tests on games of random moves from any start position.

use std::collections::HashMap;
use std::sync::LazyLock;

use fourfold_common::SplitMix64;
use fourfold_table::{CapturedPiece, ChessTable, Declaration, Table};
use proptest::prelude::*;

use super::{BLACK, WHITE};
use crate::common::{self, Aside, Step, play_any, step_any};

/// Replays a game for what it has captured and the name of its opening.
fn replay(start: &ChessTable, steps: &[Step]) -> Aside {
    const OPENINGS: &str = include_str!("../../../src/chess/openings.tsv");
    static NAMES: LazyLock<HashMap<u64, String>> = LazyLock::new(|| {
        let named = |line: &str| {
            let fields: Vec<&str> = line.split('\t').collect();
            let mut table = ChessTable::new();
            super::play(&mut table, fields[2]);
            (table.current().key(), format!("{} {}", fields[0], fields[1]))
        };
        OPENINGS.lines().map(named).collect()
    });
    let (mut table, mut opening) = (start.clone(), None);
    let mut captured = vec![Vec::new(); 2];
    for step in steps {
        let Step::Move(code) = step else { continue };
        let before = table.current();
        table.play(code).unwrap();
        let turn = before.turn() as usize;
        if let Some(role) = before.captured(table.latest().unwrap()) {
            let seat = if turn == 0 { BLACK } else { WHITE };
            captured[turn].push(CapturedPiece { piece: role.letter(), seat });
        }
        opening = NAMES.get(&table.current().key()).or(opening);
    }
    for list in &mut captured {
        list.sort_by_key(|captured: &CapturedPiece| "QRBNP".find(captured.piece));
    }
    (captured, opening.cloned())
}

/// A start position of either variant.
fn start() -> impl Strategy<Value = ChessTable> {
    (0u16..1920).prop_map(|number| ChessTable::chess960(number).unwrap_or_default())
}

/// A game of random moves, which the rules may have ended.
fn game() -> impl Strategy<Value = ChessTable> {
    (start(), 0usize..120, any::<u64>()).prop_map(|(mut table, plies, seed)| {
        let mut rng = SplitMix64::new(seed);
        (0..plies).for_each(|_| play_any(&mut table, &mut rng));
        table
    })
}

proptest! {
    // Each case replays a game many times.
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_table_agrees_with_its_twin(number in 0u16..1920, seed: u64) {
        let start = ChessTable::chess960(number).unwrap_or_default();
        common::agrees_with_its_twin(&start, seed, replay)?;
    }
}

proptest! {
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
    fn moves_in_effect_lead_to_the_position(start in start(), seed: u64) {
        let (mut table, mut rng) = (start.clone(), SplitMix64::new(seed));
        for _ in 0..60 {
            step_any(&mut table, &mut rng);
        }
        let mut again = start;
        for played in table.played() {
            prop_assert_eq!(again.play(&played.code).unwrap(), played);
        }
        prop_assert_eq!(table.position(), again.position());
        prop_assert!(again.outcome().is_none() || table.outcome() == again.outcome());
        let mut read = ChessTable::new();
        read.import(&table.export()).unwrap();
        prop_assert_eq!(read.scene(), table.scene());
    }

    #[test]
    fn games_round_trip_through_files(played in game(), end in 0u8..6, name in "\\PC{0,20}") {
        let mut table = played;
        table.set_tag("White", &name).unwrap();
        // A game that is over refuses the declaration.
        _ = match end {
            0 => table.declare(Declaration::Resign(WHITE)),
            1 => table.declare(Declaration::Flag(BLACK)),
            2 => table.declare(Declaration::Draw),
            3 => table.declare(Declaration::Claim(table.acting().first().copied().unwrap_or(WHITE))),
            _ => Ok(()),
        };
        let mut read = ChessTable::new();
        read.import(&table.export()).unwrap();
        prop_assert_eq!(read, table);
    }

    #[test]
    fn imported_games_round_trip(
        tags in prop::collection::vec(prop::sample::select(vec![
            "[Result \"1-0\"]", "[Termination \"normal\"]", "[Termination \"Resignation\"]",
            "[Termination \"time forfeit\"]", "[White \"é\"]", "[White \"\"]",
            "[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]", "[Variant \"Chess960\"]",
        ]), 0..4),
        words in prop::collection::vec(prop::sample::select(vec![
            "f3", "e5", "g4", "Qh4#", "e4", "(", ")", "{ a }", "$1", "; } b\n",
        ]), 0..12),
        result in prop::sample::select(vec!["", "*", "1-0", "0-1", "1/2-1/2"]),
    ) {
        let text = format!("{}\n\n{} {result}", tags.join("\n"), words.join(" "));
        let mut table = ChessTable::new();
        if table.import(&text).is_ok() {
            let mut read = ChessTable::new();
            read.import(&table.export()).unwrap();
            prop_assert_eq!(read, table);
        }
    }

    #[test]
    fn every_piece_is_on_the_board_or_in_a_tray(played in game()) {
        let scene = played.scene();
        for seat in [WHITE, BLACK] {
            let pieces = scene.pieces.iter().filter(|piece| piece.seat == seat).count();
            prop_assert_eq!(pieces + scene.captured[1 - seat.index()].len(), 16);
            prop_assert!(scene.captured[seat.index()].is_sorted_by_key(|captured| "QRBNP".find(captured.piece)));
        }
        let mut first = played.clone();
        first.jump(0).unwrap();
        prop_assert_eq!(played.start(), first.position());
    }

    #[test]
    fn choices_can_be_played(table in game()) {
        common::choices_may_be_played(&table)?;
    }

    #[test]
    fn an_error_changes_nothing(
        played in game(),
        text in prop_oneof!["\\PC{0,12}", "[KQRBNOa-h1-8x=+#qrbn-]{0,7}", "[a-h][1-8][a-h][1-8][qrbnk]?"],
        fen in "[pnbrqkPNBRQK1-8/]{15,40} [wb] [KQkq-]{1,4} - 0 1",
        pgn in "(\\[[A-Z][a-z]{1,4} \"\\PC{0,5}\"\\]\n)?(1\\. (e4|f3|Nf3|x) ?(e5|Nc6|\\(|\\{)? ?){0,3}(1-0|\\*)?",
    ) {
        common::an_error_changes_nothing(&played, &text, &fen, &pgn)?;
    }
}
