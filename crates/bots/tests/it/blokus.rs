//! Blokus bots: legal and reproducible moves, and the strength of each level.

use std::sync::atomic::AtomicBool;

use fourfold_blokus::{Color, Position, Variant, random_walk};
use fourfold_bots::{Bot, BotMove, Budget, Score, Situation, levels, make};

const GAMES: [(&str, Variant); 4] = [
    ("blokus", Variant::CLASSIC),
    ("blokus-2", Variant::CLASSIC_2),
    ("blokus-3", Variant::CLASSIC_3),
    ("blokus-duo", Variant::DUO),
];
const ENOUGH: Budget<'static> = Budget::nodes(10_000);

/// The levels that search.
const SEARCHERS: [&str; 3] = ["casual", "club", "master"];

/// Returns the budget of a level in a test: small if it searches, otherwise all that it needs.
fn little(level: &str) -> Budget<'static> {
    if SEARCHERS.contains(&level) { Budget::nodes(12) } else { ENOUGH }
}

fn think(game: &str, level: &str, seed: u64, start: &str) -> String {
    thought(game, level, seed, start, little(level)).code
}

fn thought(game: &str, level: &str, seed: u64, start: &str, budget: Budget<'_>) -> BotMove {
    let mut bot = make(game, level, seed).expect("the game has the level");
    bot.think(&Situation { start, moves: &[] }, budget).expect("the game goes on")
}

#[test]
fn moves_are_legal_and_reproducible() {
    for (seed, (game, variant)) in (0..).zip(GAMES) {
        let walk = random_walk(Position::start(variant), seed);
        for position in walk.filter(|position| position.turn().is_some()).step_by(7) {
            let text = position.to_string();
            for level in levels(game) {
                let code = think(game, level.id, seed, &text);
                assert!(position.parse_move(&code).is_ok(), "{text}: {code}");
                assert_eq!(think(game, level.id, seed, &text), code, "{text}");
            }
        }
    }
}

#[test]
fn greedy_places_the_largest_piece_with_the_most_frontier() {
    for (seed, (game, variant)) in (0..).zip(GAMES) {
        let walk = random_walk(Position::start(variant), seed);
        for position in walk.filter(|position| position.turn().is_some()).step_by(9) {
            let color = position.turn().expect("the game goes on");
            let code = think(game, "greedy", seed, &position.to_string());
            let chosen = position.parse_move(&code).expect("legal");
            let opens = |placement| {
                let after = position.after(placement);
                let before: Vec<_> = position.frontier(color).cells().collect();
                after.frontier(color).cells().filter(|cell| !before.contains(cell)).count()
            };
            let largest = position.legal_moves().into_iter().map(|p| p.piece().size()).max();
            assert_eq!(Some(chosen.piece().size()), largest, "{position}");
            let same =
                position.legal_moves().into_iter().filter(|p| Some(p.piece().size()) == largest);
            assert_eq!(Some(opens(chosen)), same.map(opens).max(), "{position}: {code}");
        }
    }
}

/// Plays a game to its end with one bot for each player.
fn play(variant: Variant, bots: &mut [Box<dyn Bot>], budget: Budget<'_>) -> Position {
    let start = Position::start(variant);
    let (mut position, mut moves) = (start, Vec::new());
    let start = start.to_string();
    while let Some(player) = position.player_to_move() {
        let situation = Situation { start: &start, moves: &moves };
        let code = bots[player.index()].think(&situation, budget).expect("the game goes on").code;
        position.play(position.parse_move(&code).expect("legal")).expect("legal");
        moves.push(code);
    }
    position
}

#[test]
fn games_end_and_greedy_beats_random() {
    for (game, variant) in GAMES {
        let (mut greedy, mut random, mut last) = (0, 0, None);
        for seed in 0..4 {
            let best = seed as usize % variant.players().len();
            let level = |player| if player == best { "greedy" } else { "random" };
            let mut bots: Vec<Box<dyn Bot>> = (0..variant.players().len())
                .map(|player| make(game, level(player), seed).expect("a level"))
                .collect();
            let end = play(variant, &mut bots, ENOUGH);
            let scores = end.player_scores();
            greedy += scores[best];
            random += (scores.iter().sum::<i32>() - scores[best]) / (scores.len() as i32 - 1);
            assert_ne!(last.replace(end.key()), Some(end.key()), "seeds make games differ");
        }
        assert!(greedy > random + 40, "{game}: greedy {greedy}, random {random}");
    }
}

#[test]
fn every_level_plays_every_game_to_its_end() {
    for (game, variant) in GAMES {
        for level in levels(game) {
            let seats = 0..variant.players().len() as u64;
            let mut bots: Vec<Box<dyn Bot>> =
                seats.map(|seed| make(game, level.id, seed).expect("a level")).collect();
            let end = play(variant, &mut bots, Budget::nodes(5));
            assert!(end.turn().is_none() && !end.winners().is_empty(), "{game} {}", level.id);
        }
    }
}

#[test]
fn search_beats_greedy() {
    for (strong, weak, nodes) in [("casual", "greedy", 100), ("club", "novice", 100)] {
        let mut margin = 0;
        for seed in 0..6 {
            let best = seed as usize % 2;
            let level = |player| if player == best { strong } else { weak };
            let mut bots: Vec<Box<dyn Bot>> = (0..2)
                .map(|player| make("blokus-duo", level(player), seed).expect("a level"))
                .collect();
            let scores = play(Variant::DUO, &mut bots, Budget::nodes(nodes)).player_scores();
            margin += scores[best] - scores[1 - best];
        }
        assert!(margin > 20, "{strong} has {margin} points more than {weak} in six games");
    }
}

#[test]
fn budget_stop_flag_and_reported_nodes() {
    for (game, variant) in GAMES {
        let walk = random_walk(Position::start(variant), 11);
        for position in walk.filter(|position| position.count_legal() > 1).step_by(13) {
            let text = position.to_string();
            for level in SEARCHERS {
                let budget = Budget { lines: 3, ..Budget::nodes(40) };
                let first = thought(game, level, 5, &text, budget);
                assert_eq!(first, thought(game, level, 5, &text, budget), "{text}");
                assert!((1..=40).contains(&first.nodes) && first.depth >= 1, "{text}");
                assert!((1..=3).contains(&first.lines.len()), "{text}");
                assert_eq!(first.lines[0].codes[0], first.code);
                for line in &first.lines {
                    assert!(matches!(line.score, Score::WinningChances(0..=1000)), "{line:?}");
                    let mut after = position;
                    for code in &line.codes {
                        after.play(after.parse_move(code).expect("legal")).expect("legal");
                    }
                }
                let stop = AtomicBool::new(true);
                let stopped =
                    thought(game, level, 5, &text, Budget::nodes(u64::MAX).with_stop(&stop));
                assert_eq!(stopped.nodes, 1);
                assert!(position.parse_move(&stopped.code).is_ok());
            }
        }
    }
}

#[test]
fn forced_placements_are_played_at_once() {
    let (mut single, mut passed) = (0, 0);
    for seed in 0..8 {
        let walk: Vec<Position> = random_walk(Position::start(Variant::CLASSIC), seed).collect();
        for position in walk.iter().filter(|position| position.turn().is_some()) {
            let alone = position.count_legal() == 1;
            // Late positions in which some color has nothing left to place.
            let gap = Color::ALL.iter().any(|&color| position.is_eliminated(color))
                && position.count_legal() > 1;
            if !(alone || gap && passed < 12) {
                continue;
            }
            let thought =
                thought("blokus", "master", seed, &position.to_string(), Budget::nodes(30));
            let placement = position.parse_move(&thought.code).expect("it can be read");
            assert!(position.legal_moves().contains(&placement), "{position}");
            if alone {
                assert_eq!(thought.nodes, 1, "{position}");
                single += 1;
            } else {
                passed += 1;
            }
        }
    }
    assert!(single > 3 && passed == 12, "{single} with one placement, {passed} with passes");
}

#[test]
fn winning_last_placements_are_found() {
    // With few placements left, the search reaches the end of the game.
    let mut seen = 0;
    for seed in 0..400 {
        let walk: Vec<Position> = random_walk(Position::start(Variant::DUO), seed).collect();
        // The position before the last placement.
        let Some(last) = walk.iter().rev().nth(1).filter(|last| last.count_legal() > 1) else {
            continue;
        };
        let player = last.player_to_move().expect("the game goes on");
        let wins = |after: &Position| after.turn().is_none() && after.winners() == [player];
        let legal = last.legal_moves();
        let all_over = legal.iter().all(|&placement| last.after(placement).turn().is_none());
        let winning = legal.iter().filter(|&&placement| wins(&last.after(placement))).count();
        if !all_over || winning == 0 || winning == legal.len() {
            continue;
        }
        let found = thought("blokus-duo", "club", seed, &last.to_string(), Budget::nodes(200));
        let placement = last.parse_move(&found.code).expect("legal");
        assert!(wins(&last.after(placement)), "{last}: {}", found.code);
        seen += 1;
    }
    assert!(seen >= 3, "only {seen} games end like this");
}

#[test]
fn errors_say_why_there_is_no_move() {
    for level in levels("blokus-duo") {
        let mut bot = make("blokus-duo", level.id, 1).expect("a level");
        let mut error = |start: &str, moves: &[&str]| {
            let moves: Vec<String> = moves.iter().map(|&code| code.to_owned()).collect();
            let thought = bot.think(&Situation { start, moves: &moves }, ENOUGH);
            thought.unwrap_err().to_string()
        };
        let start = Position::start(Variant::DUO).to_string();
        assert!(error("", &[]).starts_with("invalid start position: "));
        let classic = Position::start(Variant::CLASSIC).to_string();
        assert!(error(&classic, &[]).ends_with("expected a position of duo, got one of classic"));
        assert_eq!(
            error(&start, &["e10", "a1"]),
            "illegal move 'a1' at ply 1: the first piece must cover the start square j5"
        );
        let end = random_walk(Position::start(Variant::DUO), 3).last().expect("a position");
        assert_eq!(error(&end.to_string(), &[]), "the game is already over: no placements left");
    }
    assert!(make("blokus", "grandmaster", 1).is_none());
}
