//! Property tests on games of random moves and withdrawals from every opening.

use fourfold_common::SplitMix64;
use fourfold_four_player::{MoveKind, Player, Role, Rules, StartPosition};
use fourfold_table::{CapturedPiece, Declaration, FourPlayerTable, Seat, Table};
use proptest::prelude::*;

use crate::common::{self, Aside, Step, play_any, step_any};

/// Replays a game for what each player has captured.
fn replay(start: &FourPlayerTable, steps: &[Step]) -> Aside {
    let mut table = start.clone();
    let mut captured = vec![Vec::new(); 4];
    for step in steps {
        let before = table.current();
        let code = match step {
            Step::Declare(declaration) => {
                table.declare(*declaration).unwrap();
                continue;
            }
            Step::Move(code) => code,
        };
        table.play(code).unwrap();
        let mv = table.latest().unwrap();
        let passed = Player::ALL.into_iter().filter_map(|owner| {
            let (skipped, pawn) = before.en_passant(owner)?;
            (mv.kind() == MoveKind::EnPassant && skipped == mv.to()).then_some(pawn)
        });
        for piece in [mv.to()].into_iter().chain(passed).filter_map(|at| before.piece_at(at)) {
            let Some(owner) = piece.owner else { continue };
            if before.alive().contains(owner) || piece.role == Role::King {
                let (piece, seat) = (piece.role.letter(), Seat::new(owner as u8));
                captured[before.turn() as usize].push(CapturedPiece { piece, seat });
            }
        }
    }
    for list in &mut captured {
        list.sort_by_key(|piece: &CapturedPiece| ("KQRBNDP".find(piece.piece), piece.seat));
    }
    (captured, None)
}

fn start() -> impl Strategy<Value = FourPlayerTable> {
    let rules = prop_oneof![Just(Rules::FREE_FOR_ALL), Just(Rules::TEAMS)];
    (prop::sample::select(StartPosition::ALL.to_vec()), rules)
        .prop_map(|(opening, rules)| FourPlayerTable::new(opening, rules))
}

/// A game of random moves and occasional withdrawals, which may be over.
fn game() -> impl Strategy<Value = FourPlayerTable> {
    (start(), 0usize..160, any::<u64>()).prop_map(|(mut table, steps, seed)| {
        let mut rng = SplitMix64::new(seed);
        for _ in 0..steps {
            let seat = Seat::new((rng.next() % 4) as u8);
            // Declarations fail if the player has already been eliminated.
            match rng.next() % 120 {
                0 => _ = table.declare(Declaration::Resign(seat)),
                1 => _ = table.declare(Declaration::Flag(seat)),
                2 if steps > 150 => _ = table.declare(Declaration::Draw),
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
    fn choices_can_be_played(table in game()) {
        common::choices_may_be_played(&table)?;
    }

    #[test]
    fn an_error_changes_nothing(
        played in game(),
        text in prop_oneof!["\\PC{0,12}", "[KQRBNOa-n0-9x=+#qrbnd-]{0,9}", "[a-n][1-9][0-4]?[a-n][1-9][0-4]?[qrbnd]?"],
        fen4 in "[RBYG]-[01],0,0,0-1,1,1,1-1,1,1,1-0,0,0,0-0-[rbygdPNBRQKD0-9,/x]{10,80}",
        pgn4 in "(\\[[A-Z][a-z]{1,4} \"\\PC{0,5}\"\\]\n)?\n(1\\. (h2-h3|O-O|R|x) ?(\\.\\. )?){0,3}",
    ) {
        common::an_error_changes_nothing(&played, &text, &fen4, &pgn4)?;
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
        // The situation does not include a declared end or earlier repetitions.
        prop_assert_eq!(again.position(), table.position());
        if table.outcome().is_none() {
            prop_assert_eq!(again.choices(table.acting()[0]), table.choices(table.acting()[0]));
        }
    }

    #[test]
    fn games_round_trip_through_files(played in game(), name in "\\PC{0,20}") {
        let mut table = played;
        table.set_tag("Red", &name).unwrap();
        let mut read = FourPlayerTable::new(StartPosition::Modern, Rules::FREE_FOR_ALL);
        read.import(&table.export()).unwrap();
        prop_assert_eq!(read, table);
    }

    #[test]
    fn scene_shows_every_piece_once(table in game()) {
        let scene = table.scene();
        let position = table.current();
        prop_assert_eq!(scene.pieces.len(), position.occupied().len());
        let gray = scene.pieces.iter().filter(|piece| scene.eliminated.contains(&piece.seat)).count();
        prop_assert_eq!(gray, position.dead_pieces().len());
        let own = |seat: Seat| scene.pieces.iter().filter(|piece| piece.seat == seat && piece.piece == 'K').count();
        for seat in (0..4).map(Seat::new).filter(|seat| !scene.eliminated.contains(seat)) {
            prop_assert_eq!(own(seat), 1);
        }
    }
}
