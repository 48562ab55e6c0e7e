//! The rules: published perft counts, comparison with shakmaty, and properties of positions from
//! random play.

use std::ops::ControlFlow;

use fourfold_board::{Direction, Square};
use fourfold_chess::attacks::{bishop_attacks, rook_attacks};
use fourfold_chess::{
    Bitboard, Color, Each, Ending, History, Move, Position, Setup, TARGET_LANES, TargetSink,
    Variant, perft, perft_by_playing, random_walk,
};
use fourfold_common::SplitMix64;
use fourfold_common::cpu::{self, Baseline, Cpu, Simt, Work};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};

/// Perft counts up to this many nodes are checked here; `fourfold verify data/chess/classic.perft`
/// checks all of them.
const MAX_NODES: u64 = 5_000_000;

#[test]
fn perft_equals_the_published_counts() {
    let mut checked = 0;
    let file = include_str!("../../../../data/chess/classic.perft");
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
        }
        checked += 1;
    }
    assert!(checked >= 30, "only {checked} counts were checked");
}

/// Positions from random games, including Chess960, spread over the length of the games.
fn positions_from_play(count: usize, seed: u64) -> impl Iterator<Item = Position> {
    let mut rng = SplitMix64::new(seed);
    std::iter::repeat_with(move || {
        let start = if rng.next().is_multiple_of(3) {
            Setup::chess960((rng.next() % 960) as u16).unwrap().validate().unwrap()
        } else {
            Position::start()
        };
        let skipped = (rng.next() % 40) as usize;
        random_walk(start, rng.next()).take(200).skip(skipped).step_by(17)
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
        let expected = shakmaty::perft(&shakmaty_position(&position), 3);
        assert_eq!(perft(&position, 3), expected, "{:?} {}", position.variant(), position.fen());
        chess960 += usize::from(position.variant() == Variant::Chess960);
    }
    assert!(chess960 > 200, "only {chess960} positions were of Chess960");
}

/// One number for everything that determines which random games are played and how their trees
/// branch: move generation, its order, and playing moves. A commit that changes it must say so.
#[test]
fn the_signature_holds() {
    let walk = |seed| random_walk(Position::start(), seed).take(80).step_by(20);
    let nodes: u64 = (0..25).flat_map(walk).map(|position| perft(&position, 3)).sum();
    assert_eq!(nodes, 3_326_482);
}

#[test]
fn baseline_and_modern_cpus_generate_the_same_moves() {
    struct Generated<'a>(&'a Position);

    impl Work for Generated<'_> {
        type Output = Vec<Move>;

        #[inline(always)]
        fn run<C: Cpu>(self, cpu: C) -> Vec<Move> {
            let mut moves = Vec::new();
            self.0.generate_inline(
                cpu,
                &mut Each(|mv| {
                    moves.push(mv);
                    ControlFlow::Continue(())
                }),
            );
            moves
        }
    }

    for position in positions_from_play(2000, 2) {
        let plain = Baseline.dispatch(Generated(&position));
        assert_eq!(plain, cpu::dispatch(Generated(&position)), "{}", position.fen());
        assert_eq!(plain, Simt::ALONE.dispatch(Generated(&position)), "{}", position.fen());
        assert_eq!(squares(&plain), targets(&position), "{}", position.fen());
        assert_eq!(plain[..], position.legal_moves()[..]);
        assert_eq!(plain.len(), position.count_legal());
        assert_eq!(!plain.is_empty(), position.has_legal_move());
    }
}

/// Returns the origin and the target of each move, in order of these, each pair once.
fn squares(moves: &[Move]) -> Vec<(usize, usize)> {
    let mut pairs: Vec<_> =
        moves.iter().map(|mv| (mv.from().index(), mv.target().index())).collect();
    pairs.sort();
    pairs.dedup();
    pairs
}

/// Collects the targets of pieces, seen by White.
#[derive(Default)]
struct Targets(Vec<(Square, Square)>);

impl Targets {
    fn add(&mut self, from: Square, to: Bitboard) {
        self.0.extend(to.iter().map(|to| (from, to)));
    }
}

impl TargetSink for Targets {
    fn pawn(&mut self, from: Square, to: Bitboard) {
        self.add(from, to);
    }

    fn knight(&mut self, from: Square, to: Bitboard) {
        self.add(from, to);
    }

    fn along_lines(&mut self, from: Square, to: Bitboard) {
        self.add(from, to);
    }
}

/// Returns the same from the targets of pieces on the board flipped to White.
fn targets(position: &Position) -> Vec<(usize, usize)> {
    let mut found = Targets::default();
    for lane in 0..TARGET_LANES {
        position.targets_of_lane(Simt::ALONE, lane, &mut found);
    }
    let flip = if position.turn() == Color::Black { 56 } else { 0 };
    let flipped = |(from, to): (Square, Square)| (from.index() ^ flip, to.index() ^ flip);
    let mut pairs: Vec<_> = found.0.into_iter().map(flipped).collect();
    pairs.sort();
    // In Chess960, castling and a step of the king may have the same target.
    pairs.dedup();
    pairs
}

/// Returns the attacks of a slider by walking over files and ranks.
fn walked(from: Square, directions: &[Direction], occupied: Bitboard) -> Bitboard {
    let mut seen = Bitboard::EMPTY;
    for direction in directions {
        let (files, ranks) = direction.step();
        let (mut file, mut rank) = (from.index() as i32 % 8, from.index() as i32 / 8);
        loop {
            (file, rank) = (file + files, rank + ranks);
            if !(0..8).contains(&file) || !(0..8).contains(&rank) {
                break;
            }
            let square = Square::new((8 * rank + file) as usize);
            seen |= Bitboard::of(square);
            if occupied.contains(square) {
                break;
            }
        }
    }
    seen
}

#[test]
fn slider_attacks_equal_a_walk_over_the_squares() {
    let mut rng = SplitMix64::new(3);
    for index in 0..64 {
        let from = Square::new(index);
        for _ in 0..500 {
            let occupied = Bitboard::from_words([rng.next() & rng.next()]);
            let rook = walked(from, &Direction::ORTHOGONALS, occupied);
            let bishop = walked(from, &Direction::DIAGONALS, occupied);
            assert_eq!(rook_attacks(Baseline, from, occupied), rook);
            assert_eq!(bishop_attacks(Baseline, from, occupied), bishop);
            assert_eq!(rook_attacks(Simt::ALONE, from, occupied), rook);
            assert_eq!(bishop_attacks(Simt::ALONE, from, occupied), bishop);
            #[cfg(target_arch = "x86_64")]
            if let Some(modern) = cpu::Modern::detect() {
                assert_eq!(rook_attacks(modern, from, occupied), rook);
                assert_eq!(bishop_attacks(modern, from, occupied), bishop);
            }
        }
    }
}

#[test]
fn captured_pieces_are_gone_after_the_move() {
    for position in positions_from_play(2000, 4) {
        let them = !position.turn();
        for &mv in &position.legal_moves() {
            let mut expected = *position.board();
            let captured = position.captured(mv);
            if captured.is_some() {
                expected.remove(mv.captured_square());
            }
            let removed = position.board().piece_at(mv.captured_square());
            let removed = removed.filter(|piece| piece.color == them).map(|piece| piece.role);
            assert_eq!(captured, removed, "{mv:?} in {}", position.fen());
            let left = position.after(mv).board().color(them);
            assert_eq!(left, expected.color(them), "{mv:?} in {}", position.fen());
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
fn keys_are_equal_exactly_for_repeated_positions() {
    let key = |fen: &str| Position::from_fen(fen).unwrap().key();
    // No en passant capture is possible, so the square does not count; neither do the clocks.
    assert_eq!(
        key("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"),
        key("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 5 9"),
    );
    // A pawn can capture.
    assert_ne!(
        key("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"),
        key("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"),
    );
    // A pawn could capture, but it is pinned.
    assert_eq!(key("3k4/8/8/8/3pP3/8/8/3RK3 b - e3 0 1"), key("3k4/8/8/8/3pP3/8/8/3RK3 b - - 0 1"));
    for fens in [
        ["4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "4k3/8/8/8/8/8/8/R3K2R w K - 0 1"],
        ["4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "4k3/8/8/8/8/8/8/R3K2R b KQ - 0 1"],
    ] {
        assert_ne!(key(fens[0]), key(fens[1]));
    }
}

/// Stored keys must stay valid, so these numbers never change.
#[test]
fn keys_never_change() {
    for (fen, key) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0x33d8c6045787959e),
        ("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3", 0x63cb5ca5adf6263e),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", 0x30f632b907199aeb),
    ] {
        assert_eq!(Position::from_fen(fen).unwrap().key(), key, "{fen}");
    }
}

#[test]
fn games_end_as_the_rules_say() {
    let ending = |fen: &str| {
        let position = Position::from_fen(fen).unwrap();
        let history = History::new(&position);
        (history.ending(&position), history.claim(&position))
    };
    let mate = |winner| (Some(Ending::Checkmate { winner }), None);
    assert_eq!(ending("4R1k1/5ppp/8/8/8/8/8/4K3 b - - 0 1"), mate(Color::White));
    assert_eq!(ending("4k3/8/8/8/8/8/5PPP/4r1K1 w - - 0 1"), mate(Color::Black));
    // Checkmate takes precedence over the clocks.
    assert_eq!(ending("4R1k1/5ppp/8/8/8/8/8/4K3 b - - 150 99"), mate(Color::White));
    assert_eq!(ending("7k/5Q2/8/8/8/8/8/4K3 b - - 0 1"), (Some(Ending::Stalemate), None));
    let drawn = (Some(Ending::InsufficientMaterial), None);
    for fen in [
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/4KN2 w - - 0 1",
        "4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1",
    ] {
        assert_eq!(ending(fen), drawn, "{fen}");
    }
    assert_eq!(ending("4k1b1/8/8/8/8/8/8/2B1K3 w - - 0 1"), (None, None));
    assert_eq!(ending("4k1n1/8/8/8/8/8/8/4KN2 w - - 0 1"), (None, None));
    assert_eq!(ending("4k3/8/8/8/8/8/8/4K2R w - - 99 80"), (None, None));
    assert_eq!(ending("4k3/8/8/8/8/8/8/4K2R w - - 100 80"), (None, Some(Ending::FiftyMoves)));
    let both = (Some(Ending::SeventyFiveMoves), Some(Ending::FiftyMoves));
    assert_eq!(ending("4k3/8/8/8/8/8/8/4K2R w - - 150 80"), both);
    for (ending, winner) in [
        (Ending::Checkmate { winner: Color::Black }, Some(Color::Black)),
        (Ending::Stalemate, None),
    ] {
        assert_eq!(ending.winner(), winner);
    }
}

#[test]
fn repeated_positions_are_counted() {
    let mut position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
    let mut history = History::new(&position);
    let mut seen = Vec::new();
    for _ in 0..5 {
        for uci in ["h1h2", "e8e7", "h2h1", "e7e8"] {
            position.play(position.parse_uci(uci).unwrap()).unwrap();
            history.push(&position);
        }
        seen.push((history.ending(&position), history.claim(&position)));
    }
    // The first occurrence still had the castling right, so it does not count.
    let threefold = Some(Ending::ThreefoldRepetition);
    let fivefold = Some(Ending::FivefoldRepetition);
    assert_eq!(
        seen,
        [(None, None), (None, None), (None, threefold), (None, threefold), (fivefold, threefold)]
    );
}

#[test]
fn chess960_starts_are_distinct_and_valid() {
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
    assert_eq!(size_of::<Position>(), 96);
}

#[test]
fn clocks_stop_where_fen_ends() {
    let fen = "4k3/8/8/8/8/8/8/4K2R b - - 9999 9999";
    let position = Position::from_fen(fen).unwrap();
    let after = position.after(position.parse_san("Kd8").unwrap());
    assert_eq!((after.halfmoves(), after.fullmoves()), (9999, 9999));
    assert_eq!(after.turn(), Color::White);
}
