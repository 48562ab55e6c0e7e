//! Blokus bots: legal, repeatable, and as good as their level says.

use fourfold_blokus::{Position, Variant, random_walk};
use fourfold_bots::{Bot, Budget, Situation, levels, make};

const GAMES: [(&str, Variant); 4] = [
    ("blokus", Variant::CLASSIC),
    ("blokus-2", Variant::CLASSIC_2),
    ("blokus-3", Variant::CLASSIC_3),
    ("blokus-duo", Variant::DUO),
];
const ENOUGH: Budget<'static> = Budget::nodes(10_000);

fn think(game: &str, level: &str, seed: u64, start: &str) -> String {
    let mut bot = make(game, level, seed).expect("the game has the level");
    bot.think(&Situation { start, moves: &[] }, ENOUGH).expect("the game goes on").code
}

#[test]
fn moves_are_legal_and_the_same_for_the_same_seed() {
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
fn greedy_lays_the_largest_piece_where_most_frontier_opens() {
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
            let largest = position.legal().into_iter().map(|p| p.piece().size()).max();
            assert_eq!(Some(chosen.piece().size()), largest, "{position}");
            let same = position.legal().into_iter().filter(|p| Some(p.piece().size()) == largest);
            assert_eq!(Some(opens(chosen)), same.map(opens).max(), "{position}: {code}");
        }
    }
}

/// Plays a game to its end with one bot for each player.
fn play(variant: Variant, bots: &mut [Box<dyn Bot>]) -> Position {
    let start = Position::start(variant);
    let (mut position, mut moves) = (start, Vec::new());
    let start = start.to_string();
    while let Some(player) = position.mover() {
        let situation = Situation { start: &start, moves: &moves };
        let code = bots[player].think(&situation, ENOUGH).expect("the game goes on").code;
        position.play(position.parse_move(&code).expect("legal")).expect("legal");
        moves.push(code);
    }
    position
}

#[test]
fn games_of_bots_end_and_greedy_beats_random() {
    for (game, variant) in GAMES {
        let (mut greedy, mut random, mut last) = (0, 0, None);
        for seed in 0..4 {
            let best = seed as usize % variant.players();
            let level = |player| if player == best { "greedy" } else { "random" };
            let mut bots: Vec<Box<dyn Bot>> = (0..variant.players())
                .map(|player| make(game, level(player), seed).expect("a level"))
                .collect();
            let end = play(variant, &mut bots);
            let scores = end.player_scores();
            greedy += scores[best];
            random += (scores.iter().sum::<i32>() - scores[best]) / (scores.len() as i32 - 1);
            assert_ne!(last.replace(end.key()), Some(end.key()), "seeds make games differ");
        }
        assert!(greedy > random + 40, "{game}: greedy {greedy}, random {random}");
    }
}

#[test]
fn a_bot_without_a_move_says_why() {
    for level in ["random", "greedy"] {
        let mut bot = make("blokus-duo", level, 1).expect("a level");
        let mut error = |start: &str, moves: &[&str]| {
            let moves: Vec<String> = moves.iter().map(|&code| code.to_owned()).collect();
            let thought = bot.think(&Situation { start, moves: &moves }, ENOUGH);
            thought.unwrap_err().to_string()
        };
        let start = Position::start(Variant::DUO).to_string();
        assert!(error("", &[]).starts_with("the start cannot be read: "));
        let classic = Position::start(Variant::CLASSIC).to_string();
        assert!(error(&classic, &[]).ends_with("it is a position of classic, not duo"));
        assert_eq!(
            error(&start, &["e10", "a1"]),
            "move 'a1' at ply 1 cannot be played: the first piece must cover the start square j5"
        );
        let end = random_walk(Position::start(Variant::DUO), 3).last().expect("a position");
        assert_eq!(error(&end.to_string(), &[]), "the game is over by points");
    }
    assert!(make("blokus", "grandmaster", 1).is_none());
}
