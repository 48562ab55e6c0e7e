//! The chess environment: labels, masks, observations, endings, and the guarantees of a batch.

use crate::step_outputs;

use fourfold_chess::{Position, random_walk};
use fourfold_common::SplitMix64;
use fourfold_env::chess::dialects::Dialect;
use fourfold_env::chess::{Chess, ENDINGS, Rules, View, labels};
use fourfold_env::{
    Action, AnyBatch, Autoreset, Batch, DescribedBatch, Illegal, LoadError, MaskRows,
    ObservationRows, Options, Outputs, Rows, Stage, StepError, ValueRows, conformance,
};
use step_outputs::StepOutputs;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn positions(count: usize) -> impl Iterator<Item = Position> {
    (0..).flat_map(|seed| random_walk(Position::start(), seed).take(150).step_by(13)).take(count)
}

fn batch(games: usize, options: Options) -> Batch<Chess> {
    Batch::new(Rules::FIDE, games, options)
}

#[test]
fn start_position_has_the_published_labels() {
    let batch = batch(1, Options::default());
    let mut found: Vec<usize> = batch.legal(0, 0).iter().collect();
    found.sort();
    let published = [
        89, 90, 652, 656, 673, 674, 1257, 1258, 1841, 1842, 2425, 2426, 3009, 3010, 3572, 3576,
        3593, 3594, 4177, 4178,
    ];
    assert_eq!(found, published);
    let start = Position::start();
    assert_eq!(labels::encode(start.turn(), start.parse_uci("e2e4").unwrap()), 2426);
}

#[test]
fn labels_round_trip_for_legal_moves() {
    for position in positions(3000) {
        let mut seen = std::collections::HashSet::new();
        for &mv in &position.legal_moves() {
            let label = labels::encode(position.turn(), mv);
            assert!(seen.insert(label), "{label} is repeated in {position}");
            assert_eq!(labels::decode(&position, label), Some(mv), "{mv:?} in {position}");
            assert_eq!(labels::flipped(labels::flipped(label)), label);
            for dialect in [Dialect::OpenSpiel, Dialect::PettingZoo, Dialect::Leela] {
                let id = dialect.encode(&position, label).expect("every move has an id");
                assert!(id < if dialect == Dialect::Leela { 1858 } else { 4674 });
            }
        }
    }
    for position in positions(60) {
        for &mv in &position.legal_moves() {
            let label = labels::encode(position.turn(), mv);
            for dialect in [Dialect::OpenSpiel, Dialect::PettingZoo, Dialect::Leela] {
                let id = dialect.encode(&position, label).expect("every move has an id");
                assert_eq!(dialect.decode(&position, id), Some(label), "{dialect:?} {id}");
            }
        }
    }
}

#[test]
fn decoding_any_label_does_not_panic() {
    for position in positions(20) {
        for label in 0..=u16::MAX {
            if let Some(mv) = labels::decode(&position, label) {
                assert_eq!(labels::encode(position.turn(), mv), label);
            }
        }
    }
}

#[test]
fn dialects_agree_with_known_ids() {
    let start = Position::start();
    let label = |position: &Position, uci: &str| {
        labels::encode(position.turn(), position.parse_uci(uci).unwrap())
    };
    assert_eq!(Dialect::PettingZoo.encode(&start, label(&start, "e2e4")), Some(2421));
    let castles = Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1").unwrap();
    assert_eq!(label(&castles, "e8g8"), 2367);
    assert_eq!(label(&castles, "e8c8"), 2364);
    assert_eq!(Dialect::OpenSpiel.encode(&castles, 2367), Some(4673));
    assert_eq!(Dialect::OpenSpiel.encode(&castles, 2364), Some(4672));
    // A rook's move between the same squares is not castling.
    let rook = Position::from_fen("k7/8/8/8/8/8/1K6/4R3 w - - 0 1").unwrap();
    assert_eq!(label(&rook, "e1g1"), 2367);
    assert_eq!(Dialect::OpenSpiel.encode(&rook, 2367), Some(2367));
    // Leela's list begins a1b1, a1c1, … and ends with h7h8b.
    let corner = Position::from_fen("4k3/7P/8/8/8/8/8/R1K5 w - - 0 1").unwrap();
    assert_eq!(Dialect::Leela.encode(&corner, label(&corner, "a1b1")), Some(0));
    assert_eq!(Dialect::Leela.encode(&corner, label(&corner, "h7h8b")), Some(1857));
}

#[test]
fn chess_passes_conformance() {
    for (seed, rules) in
        [Rules::FIDE, Rules::FIDE_WITHOUT_CLAIMS, Rules::LEGACY, Rules::PGX].into_iter().enumerate()
    {
        conformance::<Chess>(&rules, seed as u64);
    }
    conformance::<Chess>(&Rules { view: View::Absolute, ..Rules::FIDE }, 9);
}

#[test]
fn outputs_do_not_depend_on_threads_or_batch_size() {
    const GAMES: usize = 300;
    let run = |threads, games| {
        let mut batch = batch(games, Options { threads, ..Options::default() });
        batch.reset(Some(5));
        let mut told = StepOutputs::of(&batch);
        (0..250).map(|_| (told.step(&mut batch), told.clone())).collect::<Vec<_>>()
    };
    let one = run(1, GAMES);
    assert!(one.iter().map(|(ended, _)| ended).sum::<usize>() > 50, "too few games ended");
    assert!(one == run(2, GAMES));
    assert!(one == run(7, GAMES));
    for (few, many) in run(1, 3).iter().zip(&one) {
        assert_eq!(few.1.planes, many.1.planes[..3 * 117 * 8]);
        assert_eq!(few.1.actions, many.1.actions[..3]);
        assert_eq!(few.1.rewards, many.1.rewards[..6]);
    }
}

#[test]
fn a_loaded_batch_continues_like_the_saved_one() {
    let mut batch = batch(40, Options::default());
    batch.reset(Some(3));
    let mut told = StepOutputs::of(&batch);
    for _ in 0..150 {
        told.step(&mut batch);
    }
    let saved = batch.save();
    let mut loaded = Batch::<Chess>::new(Rules::FIDE, 40, Options::default());
    loaded.load(&saved).unwrap();
    let mut again = told.clone();
    for _ in 0..150 {
        assert_eq!(told.step(&mut batch), again.step(&mut loaded));
        assert!(told == again);
    }
}

#[test]
fn damaged_bytes_are_refused_and_change_nothing() {
    let mut batch = batch(3, Options::default());
    batch.reset(Some(1));
    let saved = batch.save();
    let mut rng = SplitMix64::new(1);
    for _ in 0..3000 {
        let mut damaged = saved.clone();
        match rng.next() % 3 {
            0 => damaged.truncate((rng.next() % saved.len() as u64) as usize),
            1 => damaged.push(0),
            _ => {
                let place = (rng.next() % saved.len() as u64) as usize;
                damaged[place] ^= 1 << (rng.next() % 8);
            }
        }
        let before = batch.save();
        if batch.load(&damaged).is_err() {
            assert_eq!(batch.save(), before);
        }
        batch.load(&saved).unwrap();
    }
    assert_eq!(batch.load(&[]), Err(LoadError::TooShort));
    let error = {
        let mut other = saved.clone();
        other[14] = b'2';
        other[15] = b'9';
        batch.load(&other).unwrap_err().to_string()
    };
    assert!(error.contains("expected a batch of chess-v2"), "{error}");
}

#[test]
fn batches_with_other_rules_are_rejected() {
    let mut ours = batch(2, Options::default());
    let mut rules = vec![Rules::LEGACY, Rules::PGX, Rules::FIDE_WITHOUT_CLAIMS];
    rules.push(Rules { view: View::Absolute, ..Rules::FIDE });
    rules.push(Rules { max_steps: 511, ..Rules::FIDE });
    let before = ours.save();
    for rules in rules {
        let other = Batch::<Chess>::new(rules, 2, Options::default());
        let error = ours.load(&other.save()).unwrap_err();
        assert!(matches!(error, LoadError::Other { .. }), "{error}");
        assert!(error.to_string().contains(&rules.to_string()), "{error}");
        let error = ours.scatter(&[0, 1], &other).unwrap_err();
        assert!(matches!(error, StepError::OtherKind { .. }), "{error}");
        assert_eq!(ours.save(), before);
    }
    let other = batch(2, Options::default());
    ours.scatter(&[1, 0], &other).unwrap();
    ours.load(&other.save()).unwrap();
}

#[test]
fn an_illegal_action_is_an_error_and_changes_nothing() {
    let mut batch = batch(3, Options::default());
    let before = batch.save();
    let error = batch.step(&[2426, 0, 2426], Outputs::none()).unwrap_err();
    assert_eq!(error.to_string(), format!("action 0 of game 1 is not legal in {START}"));
    for bad in [-1, 4672, i32::MAX, i32::MIN] {
        let error = batch.step(&[2426, 2426, bad], Outputs::none()).unwrap_err().to_string();
        assert_eq!(error, format!("action {bad} of game 2 is out of range: expected 0 to 4671"));
    }
    let error = batch.step(&[2426], Outputs::none()).unwrap_err().to_string();
    assert_eq!(error, "expected 3 actions, got 1");
    assert_eq!(batch.save(), before);
}

#[test]
fn illegal_actions_lose_or_are_ignored() {
    let options = Options {
        illegal: Some(Illegal::Lose),
        autoreset: Autoreset::Disabled,
        ..Options::default()
    };
    let mut losing = batch(2, options);
    let mut told = StepOutputs::of(&losing);
    losing.step(&[2426, 2426], Outputs::none()).unwrap();
    losing.step(&[2426, 0], told.outputs().1).unwrap();
    assert_eq!(told.rewards, [0.0, 0.0, 1.0, -1.0]);
    assert_eq!(told.terminated, [false, true]);
    assert_eq!(told.winner, [-1, 0]);
    assert_eq!(losing.endings()[told.ending[1] as usize], "illegal action");
    assert_eq!(told.move_valid, [true, false]);

    let options = Options { illegal: Some(Illegal::Ignore), ..options };
    let mut ignoring = batch(2, options);
    ignoring.step(&[2426, -7], told.outputs().1).unwrap();
    assert_eq!(told.rewards, [0.0; 4]);
    assert_eq!(told.move_valid, [true, false]);
    assert_eq!(told.terminated, [false, false]);
    assert_eq!(told.current_player, [1, 0]);
    assert_eq!(ignoring.texts()[1], START);
}

/// Scholar's mate, as labels of the side to move.
fn scholars_mate() -> Vec<i32> {
    let mut position = Position::start();
    let mut actions = Vec::new();
    for san in ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"] {
        let mv = position.parse_san(san).unwrap();
        actions.push(i32::from(labels::encode(position.turn(), mv)));
        position.play_unchecked(mv);
    }
    actions
}

#[test]
fn autoreset_modes() {
    for autoreset in [Autoreset::SameStep, Autoreset::NextStep, Autoreset::Disabled] {
        let mut batch = batch(1, Options { autoreset, ..Options::default() });
        let mut told = StepOutputs::of(&batch);
        let actions = scholars_mate();
        let mut ended = 0;
        for &action in &actions {
            ended = batch.step(&[action], told.outputs().1).unwrap();
        }
        assert_eq!(ended, 1);
        assert_eq!((told.terminated[0], told.truncated[0]), (true, false));
        assert_eq!(told.rewards, [1.0, -1.0]);
        assert_eq!((told.winner[0], ENDINGS[told.ending[0] as usize]), (0, "checkmate"));
        let legal = told.mask.iter().map(|byte| byte.count_ones()).sum::<u32>();
        let at_start = batch.texts()[0] == START;
        let mut last = StepOutputs::of(&batch);
        let rows = ObservationRows {
            values: ValueRows::Packed(Rows::new(&mut last.planes, 117 * 8)),
            scalars: Rows::new(&mut last.scalars, 2),
        };
        batch.final_observations(rows).unwrap();
        match autoreset {
            Autoreset::SameStep => {
                assert!(at_start);
                assert_eq!((legal, told.current_player[0]), (20, 0));
                assert_eq!(last.scalars[0], 7.0 / 512.0);
                // The last position, seen by Black: its king is on the viewer's first rank.
                assert_eq!(last.planes[5 * 8 + 7], 1 << 4);
            }
            Autoreset::NextStep | Autoreset::Disabled => {
                assert!(!at_start);
                assert_eq!((legal, told.current_player[0]), (4672, 1));
                assert_eq!(last, StepOutputs::of(&batch));
            }
        }
        // One more step, with an action that is legal at the start.
        batch.step(&[2426], told.outputs().1).unwrap();
        let over = told.terminated[0];
        match autoreset {
            Autoreset::SameStep => assert_eq!((over, told.current_player[0]), (false, 1)),
            Autoreset::NextStep => assert_eq!((over, told.current_player[0]), (false, 0)),
            Autoreset::Disabled => {
                assert_eq!((over, told.rewards.as_slice()), (true, &[0.0; 2][..]))
            }
        }
        if autoreset == Autoreset::Disabled {
            batch.reset_where(&[true]).unwrap();
            batch.write_outputs(told.outputs().1).unwrap();
            assert_eq!((told.terminated[0], batch.texts()[0].as_str()), (false, START));
        }
    }
}

#[test]
fn presets_determine_how_games_end() {
    let run = |rules: Rules, fen: &str, steps: usize| {
        let options = Options { autoreset: Autoreset::Disabled, ..Options::default() };
        let mut batch = Batch::<Chess>::new(rules, 1, options);
        batch.reset_to(None, &[fen]).unwrap();
        let mut played = 0;
        while batch.status(0).stage == Stage::Ongoing && played < steps {
            let position = *batch.states().next().unwrap().position();
            // Shuffle a rook and a king back and forth.
            let uci = ["a1a2", "h8h7", "a2a1", "h7h8"][played % 4];
            let label = labels::encode(position.turn(), position.parse_uci(uci).unwrap());
            batch.step(&[i32::from(label)], Outputs::none()).unwrap();
            played += 1;
        }
        let status = *batch.status(0);
        (played, status.stage, status.ending.map(|ending| ENDINGS[ending as usize]))
    };
    let rook = "7k/8/8/8/8/8/8/R3K3 w - - 0 1";
    let over = Stage::Terminated;
    assert_eq!(run(Rules::FIDE, rook, 600), (8, over, Some("threefold repetition")));
    assert_eq!(run(Rules::FIDE_WITHOUT_CLAIMS, rook, 600), (16, over, Some("fivefold repetition")));
    assert_eq!(run(Rules::LEGACY, rook, 600), (100, Stage::Truncated, Some("step limit")));
    assert_eq!(run(Rules::PGX, rook, 600), (8, over, Some("threefold repetition")));
    let late = "7k/8/8/8/8/8/8/R3K3 w - - 97 90";
    assert_eq!(run(Rules::FIDE, late, 600), (3, over, Some("fifty moves")));
    let later = "7k/8/8/8/8/8/8/R3K3 w - - 147 90";
    assert_eq!(run(Rules::FIDE_WITHOUT_CLAIMS, later, 600), (3, over, Some("seventy-five moves")));
    let endless = Rules { repetitions: None, quiet_plies: None, ..Rules::FIDE };
    assert_eq!(run(endless, rook, 600), (512, Stage::Truncated, Some("step limit")));
    let pgx = Rules { repetitions: None, quiet_plies: None, ..Rules::PGX };
    assert_eq!(run(pgx, rook, 600), (512, over, Some("step limit")));
    let bare = "7k/8/8/8/8/8/8/4K3 w - - 0 1";
    assert_eq!(run(Rules::FIDE, bare, 1), (0, over, Some("insufficient material")));
    assert_eq!(run(Rules::LEGACY, bare, 0), (0, Stage::Ongoing, None));
}

/// An independent implementation of the 119 channels, square by square from the definition.
fn reference(positions: &[Position], me: fourfold_chess::Color, out: &mut [f32]) {
    let now = positions.last().unwrap();
    let square = |row: usize, column: usize| match me {
        fourfold_chess::Color::White => fourfold_chess::Square::new((7 - row) * 8 + column),
        fourfold_chess::Color::Black => fourfold_chess::Square::new(row * 8 + column),
    };
    for row in 0..8 {
        for column in 0..8 {
            let out = &mut out[(row * 8 + column) * 119..][..119];
            for ago in 0..8 {
                let planes = &mut out[ago * 14..][..14];
                let Some(index) = (positions.len() - 1).checked_sub(ago) else {
                    planes[12] = 1.0;
                    continue;
                };
                let then = &positions[index];
                if let Some(piece) = then.board().piece_at(square(row, column)) {
                    planes[piece.role as usize + if piece.color == me { 0 } else { 6 }] = 1.0;
                }
                let times = positions.iter().filter(|other| other.key() == then.key()).count();
                planes[if times > 1 { 13 } else { 12 }] = 1.0;
            }
            out[112] = f32::from(me as u8);
            out[113] = (positions.len() - 1) as f32 / 512.0;
            let right = |color: fourfold_chess::Color, file: usize| {
                let corner = fourfold_chess::Square::new(color.back_rank() * 8 + file);
                f32::from(u8::from(now.castling().contains(corner)))
            };
            out[114..118].copy_from_slice(&[
                right(me, 0),
                right(me, 7),
                right(!me, 0),
                right(!me, 7),
            ]);
            out[118] = f32::from(now.halfmoves()) / 100.0;
        }
    }
}

#[test]
fn observations_match_the_reference_in_every_format() {
    let options = Options { autoreset: Autoreset::Disabled, ..Options::default() };
    let rules = Rules { max_steps: 120, ..Rules::FIDE_WITHOUT_CLAIMS };
    let mut repeated = 0;
    for seed in 0..6 {
        let mut batch = Batch::<Chess>::new(rules, 1, options);
        // Few pieces, so that positions repeat.
        let fen = if seed % 2 == 0 { START } else { "k7/p7/8/8/8/8/P7/K7 w - - 0 1" };
        batch.reset(Some(seed));
        batch.reset_to(None, &[fen]).unwrap();
        let mut past = vec![*batch.states().next().unwrap().position()];
        while batch.status(0).stage == Stage::Ongoing {
            for (player, color) in fourfold_chess::Color::ALL.into_iter().enumerate() {
                let mut expected = vec![0.0; 64 * 119];
                reference(&past, color, &mut expected);
                let mut floats = vec![9.0; 64 * 119];
                let rows = ObservationRows {
                    values: ValueRows::Float(Rows::new(&mut floats, 64 * 119)),
                    scalars: Rows::none(),
                };
                batch.observe(Some(player), rows).unwrap();
                assert_eq!(floats, expected);
                let mut halves = vec![half::f16::NAN; 64 * 119];
                let rows = ObservationRows {
                    values: ValueRows::Half(Rows::new(&mut halves, 64 * 119)),
                    scalars: Rows::none(),
                };
                batch.observe(Some(player), rows).unwrap();
                assert!(halves.iter().zip(&expected).all(|(a, b)| *a == half::f16::from_f32(*b)));
                let (mut bytes, mut scalars) = (vec![9; 64 * 119], vec![9.0; 2]);
                let rows = ObservationRows {
                    values: ValueRows::Bytes(Rows::new(&mut bytes, 64 * 119)),
                    scalars: Rows::new(&mut scalars, 2),
                };
                batch.observe(Some(player), rows).unwrap();
                for (index, (byte, float)) in bytes.iter().zip(&expected).enumerate() {
                    let scalar = matches!(index % 119, 113 | 118);
                    assert_eq!(f32::from(*byte), if scalar { 0.0 } else { *float });
                }
                assert_eq!(scalars, [expected[113], expected[118]]);
                repeated += usize::from(expected[13] == 1.0);
            }
            let mut action = [0];
            batch.sample(None, &mut action).unwrap();
            batch.step(&action, Outputs::none()).unwrap();
            past.push(*batch.states().next().unwrap().position());
        }
    }
    assert!(repeated > 0, "no position was repeated");
}

#[test]
fn mask_formats_agree() {
    let games = 20;
    let mut batch = batch(games, Options { autoreset: Autoreset::Disabled, ..Options::default() });
    let mut told = StepOutputs::of(&batch);
    for _ in 0..120 {
        told.step(&mut batch);
        let mut bools = vec![true; games * 4672];
        let mut outputs = Outputs::none();
        outputs.mask = MaskRows::Bool(Rows::new(&mut bools, 4672));
        batch.write_outputs(outputs).unwrap();
        let (mut counts, mut indices) = (vec![9; games], vec![9; games * 218]);
        let mut outputs = Outputs::none();
        outputs.mask = MaskRows::Sparse {
            counts: Rows::new(&mut counts, 1),
            indices: Rows::new(&mut indices, 218),
        };
        batch.write_outputs(outputs).unwrap();
        for game in 0..games {
            let mut legal: Vec<usize> = batch.legal(game, 0).iter().collect();
            legal.sort();
            let from_bools: Vec<usize> =
                (0..4672).filter(|&label| bools[game * 4672 + label]).collect();
            let packed = &told.mask[game * 584..][..584];
            let from_packed: Vec<usize> =
                (0..4672).filter(|label| packed[label / 8] >> (label % 8) & 1 != 0).collect();
            assert_eq!(legal, from_bools);
            assert_eq!(legal, from_packed);
            let row = &indices[game * 218..][..218];
            if batch.status(game).stage == Stage::Ongoing {
                assert_eq!(counts[game] as usize, legal.len());
                let mut listed: Vec<usize> =
                    row[..legal.len()].iter().map(|&label| label as usize).collect();
                listed.sort();
                assert_eq!(listed, legal);
                assert!(row[legal.len()..].iter().all(|&label| label == -1));
            } else {
                // All actions are allowed: the row holds as many as fit.
                assert_eq!(counts[game], 218);
                assert!(row.iter().copied().eq(0..218));
            }
        }
    }
}

#[test]
fn absolute_view_is_the_same_for_both_players() {
    let rules = Rules { view: View::Absolute, ..Rules::FIDE };
    let mut absolute = Batch::<Chess>::new(rules, 1, Options::default());
    let mut own = batch(1, Options::default());
    for seed in 0..200 {
        let mut action = [0];
        own.sample(Some(seed), &mut action).unwrap();
        let mut turned = action;
        own.absolute(&mut turned);
        assert!(absolute.legal(0, 0).contains(turned[0] as usize));
        let mut same = turned;
        absolute.absolute(&mut same);
        assert_eq!(same, turned);
        let (mine, theirs) = (own.states().next().unwrap(), absolute.states().next().unwrap());
        for dialect in [Dialect::OpenSpiel, Dialect::PettingZoo, Dialect::Leela] {
            let id = mine.to_dialect(own.rules(), dialect, Action(action[0] as u32));
            let turned = Action(turned[0] as u32);
            assert_eq!(id, theirs.to_dialect(absolute.rules(), dialect, turned));
            let back = theirs.from_dialect(absolute.rules(), dialect, id.unwrap());
            assert_eq!(back, Some(turned));
        }
        own.step(&action, Outputs::none()).unwrap();
        absolute.step(&turned, Outputs::none()).unwrap();
        assert_eq!(own.texts(), absolute.texts());
    }
}

#[test]
fn positions_with_218_moves_have_all_their_labels() {
    for fen in [
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1",
    ] {
        let mut batch = batch(1, Options::default());
        batch.reset_to(None, &[fen]).unwrap();
        assert_eq!(batch.legal(0, 0).count(), 218);
    }
}

#[test]
fn gather_scatter_and_start_positions() {
    let mut batch = batch(6, Options::default());
    batch.reset(Some(8));
    let mut actions = [0; 6];
    for _ in 0..30 {
        batch.sample(None, &mut actions).expect("one action per row");
        batch.step(&actions, Outputs::none()).unwrap();
    }
    let texts = batch.texts();
    let gathered = batch.gather(&[4, 1, 1]).unwrap();
    assert_eq!(gathered.texts(), [&texts[4], &texts[1], &texts[1]].map(String::clone));
    batch.scatter(&[0, 2, 3], &*gathered).unwrap();
    assert_eq!(batch.texts()[..4], [&texts[4], &texts[1], &texts[1], &texts[1]].map(String::clone));
    let error = batch.gather(&[6]).err().map(|error| error.to_string());
    assert_eq!(error.as_deref(), Some("game 6 is out of range: the batch has 6 games"));
    assert!(matches!(batch.scatter(&[0], &*gathered), Err(StepError::Length { .. })));

    let endgames = ["4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"];
    batch.set_starts(&endgames).unwrap();
    batch.reset(Some(1));
    assert!(batch.texts().iter().all(|text| endgames.contains(&text.as_str())));
    let error = batch.set_starts(&[endgames[0], "nonsense"]).unwrap_err().to_string();
    assert!(error.starts_with("position 1: invalid FEN"), "{error}");
    let mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    let error = batch.set_starts(&[endgames[0], mate]).unwrap_err().to_string();
    assert_eq!(error, "position 1: the game is already over in this position: checkmate");
    batch.reset(Some(2));
    assert!(batch.texts().iter().all(|text| endgames.contains(&text.as_str())));
}

#[test]
fn too_many_games_for_memory_are_an_error() {
    let found = Batch::<Chess>::try_new(Rules::FIDE, usize::MAX / 4096, Options::default());
    let error = found.err().expect("no machine has that much");
    assert_eq!(error.games, usize::MAX / 4096);
    assert!(error.to_string().starts_with("not enough memory: "), "{error}");
}

#[test]
fn rollouts_do_not_depend_on_threads() {
    let rollout = |threads| batch(1, Options { threads, ..Options::default() }).rollout(0..500, 4);
    let one = rollout(1);
    assert_eq!(one, rollout(2));
    assert_eq!(one, rollout(5));
    // Splitting the range of games does not change them.
    let mut parts = batch(1, Options::default());
    let (first, others) = (parts.rollout(0..120, 4), parts.rollout(120..500, 4));
    assert_eq!(one.steps, first.steps + others.steps);
    assert_eq!(one.wins[0], first.wins[0] + others.wins[0]);
    assert!(parts.rollout(7..7, 4).games == 0 && first.games == 120);
    assert_eq!(one.games, 500);
    assert_eq!(one.endings.iter().sum::<u64>(), 500);
    assert_eq!(one.wins[0] + one.wins[1], one.endings[0]);
    assert!(one.steps > 50_000, "{one:?}");
}

#[test]
fn legacy_arrays() {
    let mut batch = batch(2, Options::default());
    batch.step(&[2426, 2425], Outputs::none()).unwrap();
    let read = |name: &str, size: usize| {
        let mut out = vec![0; 2 * size];
        batch.array(name, &mut out).unwrap();
        out
    };
    let boards = read("boards", 64);
    assert_eq!(boards[..8], [-4, -2, -3, -5, -6, -3, -2, -4]);
    assert_eq!((boards[4 * 8 + 4], boards[64 + 5 * 8 + 4]), (1, 1));
    assert_eq!(read("current_players", 1), [-1, -1]);
    assert_eq!(read("castling_rights", 4), [1; 8]);
    // The en passant square is set after every double step, even if no capture is possible.
    assert_eq!(read("en_passant_target", 2), [5, 4, -1, -1]);
    assert_eq!(read("step_counts", 1), [1, 1]);
    let error = batch.array("bords", &mut [0; 128]).unwrap_err().to_string();
    assert!(error.starts_with("unknown array 'bords': expected one of boards, "), "{error}");
}

#[test]
fn state_size_is_bounded() {
    assert!(size_of::<Chess>() <= 2048, "{}", size_of::<Chess>());
}
