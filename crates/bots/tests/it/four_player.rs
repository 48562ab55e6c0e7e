//! Four-player bots: legal and reproducible moves, and the strength of each level.

use std::sync::atomic::AtomicBool;

use fourfold_bots::{Bot, Budget, Line, Score, Situation, ThinkError, levels, make};
use fourfold_common::SplitMix64;
use fourfold_four_player::{
    BOARD, Ending, History, Player, Players, Position, Rules, StartPosition, WithdrawalReason, at,
};

const GAMES: [(&str, Rules); 2] =
    [("four-player", Rules::FREE_FOR_ALL), ("four-player-teams", Rules::TEAMS)];
const ENOUGH: Budget<'static> = Budget::nodes(1000);
/// The budget for whole games; bots that do not search need less.
const GAME: Budget<'static> = Budget::nodes(4000);

fn start(rules: Rules) -> Position {
    Position::start(StartPosition::Modern, rules)
}

fn ask(game: &str, level: &str, seed: u64, start: &str) -> Result<String, ThinkError> {
    let mut bot = make(game, level, seed).expect("the game has the level");
    bot.think(&Situation { start, moves: &[] }, ENOUGH).map(|thought| thought.code)
}

/// Returns the distinct answers of bots of a level to a position, given by its pieces: `rKh1`.
fn answers(game: &str, level: &str, pieces: &str) -> Vec<String> {
    let mut cells = vec![vec!["1"; 14]; 14];
    for piece in pieces.split_whitespace() {
        let (piece, square) = piece.split_at(2);
        cells[13 - BOARD.rank(at(square))][BOARD.file(at(square))] = piece;
    }
    let ranks: Vec<String> = cells.iter().map(|rank| rank.join(",")).collect();
    let fen4 = format!("R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-{}", ranks.join("/"));
    let answer = |seed| ask(game, level, seed, &fen4).expect("a move");
    let mut codes: Vec<String> = (0..8).map(answer).collect();
    codes.sort();
    codes.dedup();
    codes
}

fn greedy(game: &str, pieces: &str) -> Vec<String> {
    answers(game, "greedy", pieces)
}

#[test]
fn moves_are_legal_and_reproducible_after_withdrawals() {
    let mut rng = SplitMix64::new(11);
    for (walk, (game, rules)) in GAMES.into_iter().cycle().take(12).enumerate() {
        let mut position = start(rules);
        let mut history = History::new(&position);
        let mut fen4 = position.fen4();
        let mut moves: Vec<String> = Vec::new();
        for ply in 0..160 {
            if position.ending().is_some() {
                break;
            }
            if game == "four-player" && rng.next().is_multiple_of(80) {
                position
                    .withdraw(position.turn(), WithdrawalReason::Resign)
                    .expect("a living player");
                history = History::new(&position);
                (fen4, moves) = (position.fen4(), Vec::new());
                continue;
            }
            for level in levels(game).iter().filter(|_| ply % 12 == walk % 12) {
                let think = |seed| {
                    let mut bot = make(game, level.id, seed).expect("the game has the level");
                    bot.think(&Situation { start: &fen4, moves: &moves }, ENOUGH)
                };
                let thought = think(7).expect("the game goes on");
                assert!(position.parse_move(&thought.code).is_ok(), "{position}: {thought:?}");
                assert_eq!(think(7), Ok(thought), "{position}");
            }
            let legal = position.legal_moves();
            let mv = legal[rng.next() as usize % legal.len()];
            moves.push(mv.to_string());
            history.play(&mut position, mv).expect("a legal move");
        }
    }
}

#[test]
fn greedy_captures_only_what_wins_material() {
    let kings = "rKh1 bKa8 yKg14 gKn8";
    for (game, _) in GAMES {
        // Blue's queen hangs.
        assert_eq!(greedy(game, &format!("{kings} rRe4 bQe9 bPb10")), ["e4e9"], "{game}");
        // Blue's pawn is defended, so the queen does not capture it.
        let codes = greedy(game, &format!("{kings} rQe4 bPe9 bRa9 rPi2"));
        assert!(!codes.contains(&"e4e9".to_owned()), "{game}: {codes:?}");
    }
    // In teams, the partner's king must not be left to the other team, which moves before the
    // partner.
    let codes = greedy("four-player-teams", "rKh1 rRe4 bKa8 bRg6 gKn8 yKg14 gPm9 rPd2 bQd10");
    for code in codes {
        assert!(["e4g4"].contains(&&code[..]) || code.starts_with("e4e"), "{code}");
    }
}

#[test]
fn greedy_mates_and_captures_kings() {
    let mate = "rKd1 rRb5 rRd4 bKa11 bPc7 yKe14 gKn8 gQm8";
    assert_eq!(greedy("four-player", mate), ["d4a4"]);
    assert_eq!(greedy("four-player-teams", mate), ["d4a4"]);
    let king = "rKd1 rRh4 bKa8 bQe4 yKk14 gKh9 gPm9";
    assert_eq!(greedy("four-player", king), ["h4h9"], "rather than the queen");
    assert_eq!(greedy("four-player-teams", king), ["h4h9"]);
}

/// Returns the levels that search.
fn searchers(game: &str) -> impl Iterator<Item = &'static str> {
    levels(game).iter().map(|level| level.id).filter(|id| matches!(*id, "club" | "master"))
}

#[test]
fn search_finds_mates_and_captures() {
    for (game, _) in GAMES {
        for level in searchers(game) {
            let mate = "rKd1 rRb5 rRd4 bKa11 bPc7 yKe14 gKn8 gQm8";
            assert_eq!(answers(game, level, mate), ["d4a4"], "{game} {level}");
            let king = "rKd1 rRh4 bKa8 bQe4 yKk14 gKh9 gPm9";
            assert_eq!(answers(game, level, king), ["h4h9"], "{game} {level}");
            let queen = "rKh1 bKa8 yKg14 gKn8 rRe4 bQe9 bPb10";
            assert_eq!(answers(game, level, queen), ["e4e9"], "{game} {level}");
        }
    }
}

#[test]
fn search_reports_lines_and_respects_the_stop_flag() {
    for (game, rules) in GAMES {
        for level in searchers(game) {
            let fen4 = start(rules).fen4();
            let situation = Situation { start: &fen4, moves: &[] };
            let think = |budget| {
                make(game, level, 3).expect("a level").think(&situation, budget).expect("a move")
            };
            let thought = think(Budget { lines: 4, ..Budget::nodes(3000) });
            assert!(thought.nodes <= 3000 && thought.depth >= 1, "{thought:?}");
            assert_eq!(thought.lines.len(), 4);
            assert_eq!(thought.lines[0].codes[0], thought.code);
            let value = |line: &Line| match line.score {
                Score::Points(value) => Some(value),
                // The most visited line comes first, whatever its score.
                Score::WinningChances(0..=1000) => None,
                _ => panic!("neither points nor winning chances: {line:?}"),
            };
            assert!(thought.lines.windows(2).all(|two| value(&two[0]) >= value(&two[1])));
            for line in &thought.lines {
                let mut after = start(rules);
                for code in &line.codes {
                    after = after.after(after.parse_move(code).expect("legal in its turn"));
                }
            }
            // If it is stopped at once, it searches one position.
            let stop = AtomicBool::new(true);
            let thought = think(Budget::nodes(u64::MAX).with_stop(&stop));
            assert_eq!(thought.nodes, 1);
            assert!(start(rules).parse_move(&thought.code).is_ok());
        }
    }
}

/// Plays a game between these bots and returns the final position.
fn play(game: &str, rules: Rules, bots: &mut [Box<dyn Bot>]) -> Position {
    let first = start(rules);
    let fen4 = first.fen4();
    let (mut position, mut history) = (first, History::new(&first));
    let mut moves: Vec<String> = Vec::new();
    for _ in 0..1200 {
        if position.ending().is_some() {
            return position;
        }
        let bot = &mut bots[position.turn() as usize];
        let thought = bot.think(&Situation { start: &fen4, moves: &moves }, GAME);
        moves.push(thought.expect("the game goes on").code);
        let mv = position.parse_move(&moves[moves.len() - 1]).expect("a legal move");
        history.play(&mut position, mv).expect("a legal move");
    }
    panic!("a game of {game} does not end: {position}")
}

/// Plays a game between greedy bots for some players and random ones for the others.
fn match_of(game: &str, rules: Rules, greedy: Players, seed: u64) -> Position {
    contest(game, rules, ["greedy", "random"], greedy, seed)
}

/// Plays a game between bots of the first level for some players and of the second for the others.
fn contest(game: &str, rules: Rules, ids: [&str; 2], first: Players, seed: u64) -> Position {
    let level = |player| ids[usize::from(!first.contains(player))];
    let bot = |player| make(game, level(player), seed).expect("a level");
    play(game, rules, &mut Player::ALL.map(bot))
}

#[test]
fn greedy_gets_more_points_than_random() {
    let (mut greedy, mut random, mut won) = (0, 0, 0);
    for seed in 0..12 {
        let seat = Player::ALL[seed as usize % 4];
        let end = match_of("four-player", Rules::FREE_FOR_ALL, Players::one(seat), seed);
        let points = end.points().map(u32::from);
        greedy += points[seat as usize];
        random += points.iter().sum::<u32>() - points[seat as usize];
        won += u32::from(end.winners() == Players::one(seat));
    }
    assert!(greedy > 2 * random, "greedy has {greedy} points, three random ones {random}");
    assert!(won >= 11, "greedy has won {won} of 12");
}

#[test]
fn a_team_of_greedy_bots_beats_a_random_one() {
    let mut won = 0;
    for seed in 0..12 {
        let team = Player::ALL[seed as usize % 2];
        let team = Players::one(team).with(team.opposite());
        let end = match_of("four-player-teams", Rules::TEAMS, team, seed);
        won += u32::from(end.winners() == team);
    }
    assert!(won >= 11, "the greedy team has won {won} of 12");
}

#[test]
fn novice_is_between_random_and_greedy() {
    for ids in [["novice", "random"], ["greedy", "novice"]] {
        let (mut better, mut points) = (0, [0, 0]);
        for seed in 0..8 {
            let seats = Player::ALL[seed as usize % 2];
            let seats = Players::one(seats).with(seats.opposite());
            let end = contest("four-player", Rules::FREE_FOR_ALL, ids, seats, seed);
            let of = |wanted| {
                let seats = Player::ALL.into_iter().filter(|&seat| seats.contains(seat) == wanted);
                seats.map(|seat| u32::from(end.points()[seat as usize])).sum::<u32>()
            };
            better += u32::from(of(true) > of(false));
            points = [points[0] + of(true), points[1] + of(false)];
        }
        assert!(better >= 6 && points[0] > points[1], "{ids:?}: {better} of 8, {points:?}");
    }
}

#[test]
fn a_team_that_looks_ahead_beats_a_greedy_one() {
    let mut won = 0;
    for seed in 0..6 {
        let team = Player::ALL[seed as usize % 2];
        let team = Players::one(team).with(team.opposite());
        let end = contest("four-player-teams", Rules::TEAMS, ["club", "greedy"], team, seed);
        won += u32::from(end.winners() == team);
    }
    assert!(won >= 5, "the club team has won {won} of 6");
}

#[test]
fn master_beats_three_greedy_bots() {
    let mut better = 0;
    for seed in 0..6 {
        let seat = Player::ALL[seed as usize % 4];
        let ids = ["master", "greedy"];
        let end = contest("four-player", Rules::FREE_FOR_ALL, ids, Players::one(seat), seed);
        let own = end.points()[seat as usize];
        better += end.points().iter().filter(|&&points| points < own).count();
    }
    // An equally strong player would place ahead of nine.
    assert!(better >= 11, "the master placed ahead of {better} of 18 greedy bots");
}

#[test]
fn greedy_games_end() {
    let mut survived = 0;
    // Every game ends, and not only by draws.
    for seed in 0..6 {
        let end = match_of("four-player", Rules::FREE_FOR_ALL, Players::ALL, seed);
        survived += u32::from(end.ending() == Some(Ending::LastSurvivor));
    }
    assert!(survived >= 2, "{survived} of 6 ended with one survivor");
}

#[test]
fn errors_say_why_there_is_no_move() {
    for (game, rules) in GAMES {
        for level in ["random", "greedy"] {
            let error = |start: &str| ask(game, level, 1, start).unwrap_err().to_string();
            assert!(error("").starts_with("invalid start position: expected a FEN4 with 7 fields"));
            let mut over = start(rules);
            for player in [Player::Red, Player::Blue, Player::Green] {
                // In teams the first withdrawal ends the game.
                let _ = over.withdraw(player, WithdrawalReason::Resign);
            }
            assert!(error(&over.fen4()).starts_with("the game is already over: "), "{game}");
            let mut bot = make(game, level, 1).expect("a level");
            let moves = ["h2h3".to_owned(), "h2h3".to_owned()];
            let fen4 = start(rules).fen4();
            let error = bot.think(&Situation { start: &fen4, moves: &moves }, ENOUGH).unwrap_err();
            assert_eq!(error.to_string(), "illegal move 'h2h3' at ply 1: 'h2h3' is not legal here");
        }
    }
}
