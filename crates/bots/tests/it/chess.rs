//! Chess bots: legal and reproducible moves, and the strength of each level.

use std::sync::atomic::AtomicBool;

use fourfold_bots::{Budget, Level, Situation, ThinkError, levels, make};
use fourfold_chess::{Color, Ending, History, Position, Role, Setup};
use fourfold_common::SplitMix64;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const ENOUGH: Budget<'static> = Budget::nodes(1000);

/// Returns the answer of a chess bot.
fn ask(level: &str, seed: u64, start: &str, moves: &[&str]) -> Result<String, ThinkError> {
    let moves: Vec<String> = moves.iter().map(|&code| code.to_owned()).collect();
    let mut bot = make("chess", level, seed).expect("chess has the level");
    bot.think(&Situation { start, moves: &moves }, ENOUGH).map(|thought| thought.code)
}

/// Returns the distinct answers of greedy bots to a position.
fn greedy(fen: &str) -> Vec<String> {
    let mut codes: Vec<String> =
        (0..8).map(|seed| ask("greedy", seed, fen, &[]).expect("a move")).collect();
    codes.sort();
    codes.dedup();
    codes
}

#[test]
fn every_level_can_be_created() {
    for game in ["chess", "chess960"] {
        let ids: Vec<&str> = levels(game).iter().map(|level| level.id).collect();
        assert_eq!(ids, ["random", "beginner", "greedy", "casual", "club", "expert", "master"]);
        assert!(ids.iter().all(|id| make(game, id, 1).is_some()));
        assert!(make(game, "grandmaster", 1).is_none());
    }
    assert!(levels("checkers").is_empty() && make("checkers", "random", 1).is_none());
}

#[test]
fn moves_are_legal_and_reproducible() {
    let mut rng = SplitMix64::new(11);
    for walk in 0..24 {
        let (game, start) = if walk % 3 == 0 {
            let setup = Setup::chess960((rng.next() % 960) as u16).expect("a start");
            ("chess960", setup.validate().expect("a start is valid"))
        } else {
            ("chess", Position::start())
        };
        let (mut position, mut history) = (start, History::new(&start));
        let mut moves: Vec<String> = Vec::new();
        let fen = start.fen();
        for ply in 0..120 {
            if history.ending(&position).is_some() {
                break;
            }
            for level in levels(game).iter().filter(|_| ply % 12 == walk % 12) {
                let think = |seed| {
                    let mut bot = make(game, level.id, seed).expect("the game has the level");
                    bot.think(&Situation { start: &fen, moves: &moves }, ENOUGH)
                };
                let thought = think(walk).expect("the game goes on");
                assert!(position.parse_uci(&thought.code).is_ok(), "{position}: {thought:?}");
                assert_eq!(think(walk), Ok(thought), "{position}");
            }
            let legal = position.legal_moves();
            let mv = legal[rng.next() as usize % legal.len()];
            moves.push(mv.uci(position.variant()));
            position.play_unchecked(mv);
            history.push(&position);
        }
    }
}

#[test]
fn seeds_lead_to_different_games() {
    for (level, least) in
        [("random", 15), ("beginner", 5), ("greedy", 2), ("casual", 3), ("club", 3)]
    {
        let mut first: Vec<String> =
            (0..100).map(|seed| ask(level, seed, START, &[]).expect("a move")).collect();
        first.sort();
        first.dedup();
        assert!(first.len() >= least, "{level}: {first:?}");
    }
}

#[test]
fn greedy_plays_mate_in_one() {
    assert_eq!(greedy("7k/8/6K1/8/8/8/8/R7 w - - 0 1"), ["a1a8"]);
    // Mate is better than capturing the queen.
    assert_eq!(greedy("6k1/5ppp/8/8/8/1q6/P7/K2R4 w - - 0 1"), ["d1d8"]);
    assert_eq!(ask("greedy", 3, START, &["f2f3", "e7e5", "g2g4"]).expect("a move"), "d8h4");
}

#[test]
fn greedy_captures_only_what_wins_material() {
    assert_eq!(greedy("4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 1"), ["c3d5"]);
    // The pawn on d5 is defended, so the queen does not capture it.
    let codes = greedy("4k3/8/2p5/3p4/8/8/3Q4/4K3 w - - 0 1");
    assert!(!codes.contains(&"d2d5".to_owned()), "{codes:?}");
    // A queen attacked by a pawn captures it if it is undefended, or else moves to a safe square.
    let fen = "4k3/8/8/2p5/3Q4/8/8/4K3 w - - 0 1";
    assert_eq!(greedy(fen), ["d4c5"]);
    let guarded = "4k3/8/1p6/2p5/3Q4/8/8/4K3 w - - 0 1";
    for code in greedy(guarded) {
        let position = Position::from_fen(guarded).expect("a position");
        let after = position.after(position.parse_uci(&code).expect("a legal move"));
        let queen = after.board().pieces(Color::White, Role::Queen);
        let square = queen.first().expect("the queen is still there");
        assert!(
            after.attackers(square, Color::Black, after.board().occupied()).is_empty(),
            "{code}"
        );
    }
    assert_eq!(greedy("8/P6k/8/8/8/8/8/K7 w - - 0 1"), ["a7a8q"]);
}

#[test]
fn greedy_avoids_draws_only_when_ahead() {
    // Qc7 would be stalemate.
    let codes = greedy("k7/8/8/1K6/8/8/2Q5/8 w - - 0 1");
    let position = Position::from_fen("k7/8/8/1K6/8/8/2Q5/8 w - - 0 1").expect("a position");
    for code in codes {
        let after = position.after(position.parse_uci(&code).expect("a legal move"));
        assert_ne!(after.ending(), Some(Ending::Stalemate), "{code}");
    }
    // The first move would repeat the position for the third time.
    let rook_up = ["h6h5", "a8b8", "h5h6", "b8a8"].repeat(2);
    let rook_down = ["a1b1", "h3h4", "b1a1", "h4h3"].repeat(2);
    for seed in 0..8 {
        let code = ask("greedy", seed, "k7/8/7R/8/8/8/8/6K1 w - - 0 1", &rook_up);
        assert_ne!(code.expect("a move"), "h6h5");
        let code = ask("greedy", seed, "6k1/8/8/8/8/7r/8/K7 w - - 0 1", &rook_down);
        assert_eq!(code.expect("a move"), "a1b1");
    }
}

#[test]
fn greedy_develops_and_castles() {
    let mut castled = 0;
    for seed in 0..10 {
        let mut moves: Vec<String> = Vec::new();
        let mut bot = make("chess", "greedy", seed).expect("a greedy bot");
        for _ in 0..20 {
            let thought = bot.think(&Situation { start: START, moves: &moves }, ENOUGH);
            moves.push(thought.expect("the game goes on").code);
        }
        let first = &moves[0][..];
        assert!(["e2e4", "d2d4", "g1f3", "b1c3"].contains(&first), "{first}");
        castled += moves.iter().filter(|code| ["e1g1", "e8g8"].contains(&&code[..])).count();
    }
    assert!(castled >= 10, "{castled} of 20 have castled");
}

/// Returns the half points that the bot of color `first` scores in a game, from 0 to 2.
fn play(white: &str, black: &str, first: Color, seed: u64) -> u32 {
    let mut bots = [white, black].map(|level| make("chess", level, seed).expect("a level"));
    let mut position = Position::start();
    let mut history = History::new(&position);
    let mut moves: Vec<String> = Vec::new();
    for _ in 0..400 {
        if let Some(ending) = history.ending(&position) {
            return ending.winner().map_or(1, |winner| 2 * u32::from(winner == first));
        }
        let bot = &mut bots[position.turn() as usize];
        let thought = bot.think(&Situation { start: START, moves: &moves }, ENOUGH);
        moves.push(thought.expect("the game goes on").code);
        position.play_unchecked(position.parse_uci(&moves[moves.len() - 1]).expect("legal"));
        history.push(&position);
    }
    1
}

#[test]
fn greedy_beats_random() {
    let points: u32 = (0..10)
        .map(|seed| {
            play("greedy", "random", Color::White, seed)
                + play("random", "greedy", Color::Black, seed)
        })
        .sum();

    assert!(points >= 36, "greedy has {} of 20 points", f64::from(points) / 2.0);
}

#[test]
fn a_stopped_bot_still_answers() {
    let stop = AtomicBool::new(true);
    for level in levels("chess") {
        for budget in [Budget::nodes(u64::MAX).with_stop(&stop), Budget::nodes(0)] {
            let mut bot = make("chess", level.id, 1).expect("a level");
            let thought = bot.think(&Situation { start: START, moves: &[] }, budget);
            let code = thought.expect("a move").code;
            assert!(Position::start().parse_uci(&code).is_ok(), "{code}");
        }
    }
}

#[test]
fn errors_say_why_there_is_no_move() {
    let mate = ["f2f3", "e7e5", "g2g4", "d8h4"];
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(4);
    for Level { id: level, .. } in levels("chess") {
        let error = |start, moves: &[&str]| ask(level, 1, start, moves).unwrap_err().to_string();
        assert_eq!(error(START, &mate), "the game is already over: checkmate");
        assert_eq!(error(START, &shuffle), "the game is already over: fivefold repetition");
        assert_eq!(
            error("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", &[]),
            "the game is already over: stalemate"
        );
        assert_eq!(
            error("8/8/8/8/8/8/8/K1k5 w - - 0 1", &[]),
            "the game is already over: insufficient material"
        );
        assert!(error("", &[]).starts_with("invalid start position: invalid FEN"));
        assert_eq!(
            error(START, &["e2e4", "e2e4"]),
            "illegal move 'e2e4' at ply 1: 'e2e4' is not legal in \
             rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
        );
        assert!(error(START, &["\0é"]).starts_with("illegal move '\\0é' at ply 0: "));
    }
}

#[test]
fn castling_notation_depends_on_the_game() {
    let start = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    for (game, code) in [("chess", "e1g1"), ("chess960", "e1h1")] {
        let moves = [code.to_owned()];
        let mut bot = make(game, "random", 1).expect("a level");
        assert!(bot.think(&Situation { start, moves: &moves }, ENOUGH).is_ok(), "{game}");
    }
}
