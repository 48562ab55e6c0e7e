//! Laws, on games of random moves from any start.

use fourfold_board::Keys;
use fourfold_table::{ChessTable, Declaration, HistoryError, Seat, Table, targets};
use proptest::prelude::*;

use super::{BLACK, WHITE};

fn texts(table: &ChessTable) -> Vec<String> {
    table.played().iter().map(|played| played.text.clone()).collect()
}

/// A start of either variant.
fn start() -> impl Strategy<Value = ChessTable> {
    (0u16..1920).prop_map(|number| ChessTable::chess960(number).unwrap_or_default())
}

/// A game of random moves, which the rules may have ended.
fn game() -> impl Strategy<Value = ChessTable> {
    (start(), 0usize..120, any::<u64>()).prop_map(|(mut table, plies, seed)| {
        let mut keys = Keys::new(seed);
        (0..plies).for_each(|_| play_any(&mut table, &mut keys));
        table
    })
}

/// Plays a random legal move if there is one, now as SAN, now as UCI.
fn play_any(table: &mut ChessTable, keys: &mut Keys) {
    let Some(&seat) = table.acting().first() else { return };
    let choices = table.choices(seat);
    let choice = &choices[keys.next() as usize % choices.len()];
    let text = if keys.next().is_multiple_of(2) { &choice.text } else { &choice.code };
    table.play_as(seat, text).unwrap_or_else(|error| panic!("{text}: {error}"));
}

/// Any step, allowed or not.
fn step_any(table: &mut ChessTable, keys: &mut Keys) {
    let seat = Seat::new((keys.next() % 3) as u8);
    // What a step returns is tried elsewhere; here only the state that it leaves counts.
    match keys.next() % 12 {
        0..5 => play_any(table, keys),
        5 | 6 => _ = table.undo(),
        7 => _ = table.redo(),
        8 => _ = table.jump(keys.next() as usize % 40),
        9 => _ = table.declare(Declaration::Claim(seat)),
        10 => _ = table.declare(Declaration::Resign(seat)),
        _ => _ = table.declare(Declaration::Draw),
    }
}

proptest! {
    #[test]
    fn undo_and_redo_lead_through_the_same_positions(played in game()) {
        let mut table = played.clone();
        let mut stations = Vec::new();
        loop {
            stations.push((table.position(), table.played().to_vec(), table.scene()));
            if table.undo().is_err() {
                break;
            }
        }
        prop_assert_eq!(stations.len(), played.ply() + 1);
        prop_assert_eq!(table.undone(), played.played());
        prop_assert_eq!(table.undo(), Err(HistoryError::NothingToUndo));
        while let Some(station) = stations.pop() {
            prop_assert_eq!((table.position(), table.played().to_vec(), table.scene()), station);
            prop_assert_eq!(table.redo().is_ok(), !stations.is_empty());
        }
        prop_assert_eq!(&table, &played);
        for ply in [0, played.ply() / 2, played.ply()] {
            table.jump(ply).unwrap();
            prop_assert_eq!(table.ply(), ply);
        }
        prop_assert_eq!(table, played);
    }

    #[test]
    fn a_new_move_drops_what_is_undone(played in game(), ply in any::<prop::sample::Index>(), seed: u64) {
        prop_assume!(played.ply() > 0);
        let mut table = played.clone();
        table.jump(ply.index(played.ply())).unwrap();
        let before = texts(&table);
        play_any(&mut table, &mut Keys::new(seed));
        prop_assert!(table.undone().is_empty());
        prop_assert_eq!(table.redo(), Err(HistoryError::NothingToRedo));
        prop_assert_eq!(&texts(&table)[..before.len()], &before[..]);
        prop_assert_eq!(table.ply(), before.len() + 1);
    }

    #[test]
    fn whatever_was_done_the_moves_in_effect_tell_the_position(start in start(), seed: u64) {
        let (mut table, mut keys) = (start.clone(), Keys::new(seed));
        for _ in 0..60 {
            step_any(&mut table, &mut keys);
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
    fn a_game_reads_back_from_its_file(played in game(), end in 0u8..6, name in "\\PC{0,20}") {
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
    fn what_is_imported_reads_back_from_what_is_exported(
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
    fn every_man_is_on_the_board_or_in_a_tray(played in game()) {
        let scene = played.scene();
        for seat in [WHITE, BLACK] {
            let men = scene.men.iter().filter(|man| man.seat == seat).count();
            prop_assert_eq!(men + scene.trays[1 - seat.index()].len(), 16);
            prop_assert!(scene.trays[seat.index()].is_sorted_by_key(|&man| "QRBNP".find(man)));
        }
        let mut first = played.clone();
        first.jump(0).unwrap();
        prop_assert_eq!(played.start(), first.position());
    }

    #[test]
    fn choices_are_what_may_be_played(table in game()) {
        for seat in [WHITE, BLACK, Seat::new(2)] {
            let choices = table.choices(seat);
            prop_assert_eq!(!choices.is_empty(), table.acting().contains(&seat));
            prop_assert!(choices.is_sorted_by(|one, other| one.code < other.code));
            for choice in &choices {
                let (mut by_code, mut by_text) = (table.clone(), table.clone());
                by_code.play(&choice.code).unwrap();
                by_text.play_as(seat, &format!(" {} ", choice.text)).unwrap();
                prop_assert_eq!(&by_code, &by_text);
                prop_assert!(targets(&choices)[&choice.from[..]][&choice.to[..]].contains(&choice));
            }
        }
    }

    #[test]
    fn an_error_changes_nothing(
        played in game(),
        text in prop_oneof!["\\PC{0,12}", "[KQRBNOa-h1-8x=+#qrbn-]{0,7}", "[a-h][1-8][a-h][1-8][qrbnk]?"],
        fen in "[pnbrqkPNBRQK1-8/]{15,40} [wb] [KQkq-]{1,4} - 0 1",
        pgn in "(\\[[A-Z][a-z]{1,4} \"\\PC{0,5}\"\\]\n)?(1\\. (e4|f3|Nf3|x) ?(e5|Nc6|\\(|\\{)? ?){0,3}(1-0|\\*)?",
    ) {
        let mut table = played.clone();
        _ = table.undo();
        let before = table.clone();
        let seat = Seat::new((text.len() % 4) as u8);
        macro_rules! unchanged {
            ($step:expr) => {
                if $step.is_err() {
                    prop_assert_eq!(&table, &before);
                } else {
                    table = before.clone();
                }
            };
        }
        unchanged!(table.play(&text));
        unchanged!(table.play_as(seat, &text));
        unchanged!(table.set(&fen));
        unchanged!(table.set(&text));
        unchanged!(table.import(&pgn));
        unchanged!(table.import(&text));
        unchanged!(table.set_tag(&text, &pgn));
        unchanged!(table.jump(usize::from(text.len() as u8)));
        unchanged!(table.declare(Declaration::Claim(seat)));
        unchanged!(table.declare(Declaration::Flag(seat)));
        prop_assert_eq!(table, before);
    }
}
