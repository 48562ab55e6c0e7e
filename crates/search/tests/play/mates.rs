//! Finding mates without any knowledge from the evaluator.

use fourfold_env::chess::{Chess, Rules};
use fourfold_env::{Action, Describe};
use fourfold_search::{AnySearch, Noise, Options, Search, Uniform};

/// Mates in two: positions with their only correct first move.
const IN_TWO: [(&str, &str); 5] = [
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "a1a6"),
    ("2bqkbn1/2pppp2/np2N3/r3P1p1/p2N2B1/5Q2/PPPPKPP1/RNB2r2 w - - 0 1", "f3f7"),
    ("r1b2k1r/ppp1bppp/8/1B1Q4/5q2/2P5/PPP2PPP/R3R1K1 w - - 1 1", "d5d8"),
    ("6k1/pp4p1/2p5/2bp4/8/P5Pb/1P3rrP/2BRRN1K b - - 0 1", "g2g1"),
    ("r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 1", "d5f6"),
];

fn found(fen: &str, options: Options) -> (String, [f32; 2], usize) {
    let state = Chess::parse(&Rules::FIDE, fen).expect("a position");
    let mut search = Search::<Chess>::new(Rules::FIDE, 1, options).expect("options");
    search.run(|_| &state, &Uniform::default()).expect("numbers");
    let mut actions = [0];
    search.actions(0.0, &mut actions).expect("it was searched");
    let action = Action(actions[0].cast_unsigned());
    let text = state.write_action(&Rules::FIDE, 0, action).expect("a legal move");
    let values = search.values(0);
    (text, [values[0], values[1]], search.line(0, 9).len())
}

#[test]
fn mates_in_two_are_found() {
    for (fen, best) in IN_TWO {
        let (text, values, length) = found(fen, Options::new(12_000));
        assert_eq!(text, best, "{fen}: {values:?}");
        assert_eq!(length, 3, "{fen}");
        let mover = usize::from(fen.contains(" b "));
        assert!(values[mover] > 0.4 && (values[0] + values[1]).abs() < 1e-5, "{fen}: {values:?}");
    }
}

#[test]
fn mates_are_found_with_many_leaves_and_with_noise() {
    let (fen, best) = IN_TWO[0];
    let many = Options { leaves_per_game: 8, ..Options::new(3000) };
    assert_eq!(found(fen, many).0, best);
    let noise = Noise::Dirichlet { alpha: 0.3, fraction: 0.25 };
    assert_eq!(found(fen, Options { noise, seed: 0, ..Options::new(3000) }).0, best);
    let noise = Noise::Gumbel {
        max_num_considered_actions: 32,
        scale: 1.0,
        maxvisit_init: 50.0,
        value_scale: 0.1,
    };
    assert_eq!(found(fen, Options { noise, seed: 0, ..Options::new(3000) }).0, best);
}

#[test]
fn mate_in_one_needs_few_simulations() {
    for (fen, best) in [
        ("6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1", "b1b8"),
        ("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", "d8h4"),
    ] {
        for noise in [
            Noise::None,
            Noise::Gumbel {
                max_num_considered_actions: 64,
                scale: 0.0,
                maxvisit_init: 50.0,
                value_scale: 0.1,
            },
        ] {
            assert_eq!(
                found(fen, Options { noise, ..Options::new(100) }).0,
                best,
                "{fen} {noise:?}"
            );
        }
    }
}
