//! The rules: published counts, witnesses, and laws over positions from real play.

use fourfold_board::cpu::{self, Cpu, Plain, Work};
use fourfold_board::{Direction, Keys, Square};
use fourfold_chess::{
    BOARD, Bitboard, Color, Move, MoveKind, Position, Setup, Variant, bishop_attacks, divide,
    perft, perft_by_playing, random_walk, rook_attacks,
};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};

/// Counts up to this many nodes are checked here; `fourfold verify data/chess/classic.perft` goes on.
const MAX_NODES: u64 = 5_000_000;

#[test]
fn perft_equals_the_published_counts() {
    let mut checked = 0;
    let file = include_str!("../../../data/chess/classic.perft");
    for (number, line) in file.lines().enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let [fen, depth, nodes] = line.split(';').collect::<Vec<_>>()[..] else {
            panic!("classic.perft:{}: {line}", number + 1)
        };
        let (depth, nodes) = (depth.parse().unwrap(), nodes.parse().unwrap());
        if nodes > MAX_NODES {
            continue;
        }
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(perft(&position, depth), nodes, "classic.perft:{}: {line}", number + 1);
        if nodes < 200_000 {
            assert_eq!(perft_by_playing(&position, depth), nodes, "{line}");
            let parts = divide(&position, depth);
            assert_eq!(parts.iter().map(|(_, part)| part).sum::<u64>(), nodes, "{line}");
        }
        checked += 1;
    }
    assert!(checked >= 30, "only {checked} counts were checked");
}

/// Positions from random games, Chess960 starts included, spread over the length of the games.
fn positions_from_play(count: usize, seed: u64) -> impl Iterator<Item = Position> {
    let mut keys = Keys::new(seed);
    std::iter::repeat_with(move || {
        let start = if keys.next().is_multiple_of(3) {
            Setup::chess960((keys.next() % 960) as u16).unwrap().validate().unwrap()
        } else {
            Position::start()
        };
        let skipped = (keys.next() % 40) as usize;
        random_walk(start, keys.next()).take(200).skip(skipped).step_by(17)
    })
    .flatten()
    .take(count)
}

fn shakmaty_position(position: &Position) -> Chess {
    let mode = match position.variant() {
        Variant::Standard => CastlingMode::Standard,
        Variant::Chess960 => CastlingMode::Chess960,
    };
    position.fen().parse::<Fen>().unwrap().into_position(mode).unwrap()
}

#[test]
fn perft_equals_shakmaty_on_positions_from_random_play() {
    let mut chess960 = 0;
    for position in positions_from_play(1000, 1) {
        let witness = shakmaty::perft(&shakmaty_position(&position), 3);
        assert_eq!(perft(&position, 3), witness, "{:?} {}", position.variant(), position.fen());
        chess960 += usize::from(position.variant() == Variant::Chess960);
    }
    assert!(chess960 > 200, "only {chess960} positions were of Chess960");
}

/// One number for everything that decides which random games are played and how their trees branch:
/// generation, its order, playing. Who changes it says so in the commit.
#[test]
fn the_signature_holds() {
    let walk = |seed| random_walk(Position::start(), seed).take(80).step_by(20);
    let nodes: u64 = (0..25).flat_map(walk).map(|position| perft(&position, 3)).sum();
    assert_eq!(nodes, 3_326_482);
}

#[test]
fn a_plain_cpu_generates_what_a_modern_one_does() {
    struct Generated<'a>(&'a Position);

    impl Work for Generated<'_> {
        type Output = Vec<Move>;

        #[inline(always)]
        fn run<C: Cpu>(self, cpu: C) -> Vec<Move> {
            let mut collect = Collect(Vec::new());
            self.0.generate_on(cpu, &mut collect);
            collect.0
        }
    }

    for position in positions_from_play(2000, 2) {
        let plain = Plain.enter(Generated(&position));
        assert_eq!(plain, cpu::enter(Generated(&position)), "{}", position.fen());
        assert_eq!(plain[..], position.legal_moves()[..]);
        assert_eq!(plain.len(), position.count_legal());
        assert_eq!(!plain.is_empty(), position.has_legal_move());
    }
}

/// A sink written outside of the crate: bundles come with all that a move is.
struct Collect(Vec<Move>);

impl fourfold_chess::MoveSink for Collect {
    fn man(
        &mut self,
        role: fourfold_chess::Role,
        from: Square,
        to: Bitboard,
    ) -> std::ops::ControlFlow<()> {
        self.0.extend(to.iter().map(|to| Move::new(role, from, to, MoveKind::Normal)));
        std::ops::ControlFlow::Continue(())
    }

    fn pawns(&mut self, step: i32, to: Bitboard, kind: MoveKind) -> std::ops::ControlFlow<()> {
        let origin = |to: Square| Square::new((to.index() as i32 - step) as usize);
        self.0.extend(
            to.iter().map(|to| Move::new(fourfold_chess::Role::Pawn, origin(to), to, kind)),
        );
        std::ops::ControlFlow::Continue(())
    }

    fn single(&mut self, mv: Move) -> std::ops::ControlFlow<()> {
        self.0.push(mv);
        std::ops::ControlFlow::Continue(())
    }
}

#[test]
fn sliders_see_what_walking_sees() {
    let mut keys = Keys::new(3);
    for index in 0..64 {
        let from = Square::new(index);
        for _ in 0..500 {
            let occupied = Bitboard::from_words([keys.next() & keys.next()]);
            let rook = BOARD.slides(from, &Direction::ORTHOGONALS, occupied);
            let bishop = BOARD.slides(from, &Direction::DIAGONALS, occupied);
            assert_eq!(rook_attacks(Plain, from, occupied), rook);
            assert_eq!(bishop_attacks(Plain, from, occupied), bishop);
            #[cfg(target_arch = "x86_64")]
            if let Some(modern) = cpu::Modern::detect() {
                assert_eq!(rook_attacks(modern, from, occupied), rook);
                assert_eq!(bishop_attacks(modern, from, occupied), bishop);
            }
        }
    }
}

#[test]
fn unmake_is_the_inverse_of_make_and_make_equals_the_copy() {
    for position in positions_from_play(2000, 4) {
        let mut changed = position;
        for &mv in &position.legal_moves() {
            let undo = changed.make(mv);
            assert_eq!(changed, position.after(mv), "{mv:?} in {}", position.fen());
            assert_eq!(undo.captured(), position.captured(mv));
            changed.unmake(undo);
            assert_eq!(changed, position, "{mv:?} in {}", position.fen());
        }
    }
}

#[test]
fn a_position_played_to_equals_the_one_set_up() {
    for position in positions_from_play(2000, 5) {
        for &mv in &position.legal_moves() {
            let played = position.after(mv);
            let set_up = played.setup().validate();
            assert_eq!(set_up.as_ref(), Ok(&played), "{mv:?} in {}", position.fen());
        }
    }
}

#[test]
fn keys_are_equal_exactly_for_positions_that_repetition_calls_the_same() {
    let key = |fen: &str| Position::from_fen(fen).unwrap().key();
    // Nobody can take en passant: the square does not count, and neither do the clocks.
    assert_eq!(
        key("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"),
        key("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 5 9"),
    );
    // A pawn can take.
    assert_ne!(
        key("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"),
        key("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"),
    );
    // A pawn stands there but is pinned.
    assert_eq!(key("3k4/8/8/8/3pP3/8/8/3RK3 b - e3 0 1"), key("3k4/8/8/8/3pP3/8/8/3RK3 b - - 0 1"));
    for fens in [
        ["4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "4k3/8/8/8/8/8/8/R3K2R w K - 0 1"],
        ["4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "4k3/8/8/8/8/8/8/R3K2R b KQ - 0 1"],
    ] {
        assert_ne!(key(fens[0]), key(fens[1]));
    }
}

#[test]
fn every_chess960_start_is_itself() {
    let mut seen = std::collections::HashSet::new();
    for number in 0..960 {
        let start = Setup::chess960(number).unwrap().validate().unwrap();
        assert!(seen.insert(start.fen()));
        assert_eq!(start.count_legal(), perft(&start, 1) as usize);
    }
    assert_eq!(Setup::chess960(960), None);
    let ordinary = Setup { variant: Variant::Standard, ..Setup::chess960(518).unwrap() };
    assert_eq!(ordinary, Setup::start());
    let first = Setup::chess960(0).unwrap().fen();
    assert_eq!(first, "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1");
}

#[test]
fn an_illegal_move_changes_nothing() {
    let start = Position::start();
    let later = random_walk(start, 9).nth(30).unwrap();
    for &mv in &start.legal_moves() {
        let mut position = later;
        if position.play(mv).is_err() {
            assert_eq!(position, later);
        }
    }
    let mut position = Position::start();
    let mv = position.parse_uci("e2e4").unwrap();
    position.play(mv).unwrap();
    let error = position.play(mv).unwrap_err();
    assert_eq!(
        error.to_string(),
        "e2e4 is not legal in rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
    );
}

#[test]
fn states_are_small() {
    assert_eq!(size_of::<Move>(), 4);
    assert!(size_of::<Position>() <= 104, "{}", size_of::<Position>());
}

#[test]
fn clocks_stop_where_fen_ends() {
    let fen = "4k3/8/8/8/8/8/8/4K2R b - - 9999 9999";
    let position = Position::from_fen(fen).unwrap();
    let after = position.after(position.parse_san("Kd8").unwrap());
    assert_eq!((after.halfmoves(), after.fullmoves()), (9999, 9999));
    assert_eq!(after.turn(), Color::White);
}
