//! Studies: reading and writing trees, positions with their facts, positions set up by hand.

use fourfold_analysis::Analysis;
use fourfold_chess::{Color, Position};
use fourfold_common::SplitMix64;
use fourfold_table::study::{
    self, EditedPosition, FactSelection, ReadTree, Report, Tree, TreeNode,
};
use fourfold_table::{ChessTable, PlacedPiece, Seat, Table};
use proptest::prelude::*;
use serde_json::Value;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn moves(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn branch(after: Option<usize>, code: &str) -> TreeNode {
    let (nags, before, comments) = (Vec::new(), Vec::new(), Vec::new());
    let (text, number, seat) = (String::new(), 0, None);
    TreeNode {
        after,
        code: code.to_owned(),
        text,
        number,
        seat,
        nags,
        before,
        before_commands: None,
        comments,
        commands: None,
    }
}

fn tree(nodes: Vec<TreeNode>) -> Tree {
    let (tags, comments) = (Vec::new(), Vec::new());
    let (start, result) = (START.to_owned(), "*".to_owned());
    Tree { start, tags, comments, commands: None, nodes, result }
}

/// Returns a random tree of up to `size` moves, some with comments.
fn grown(start: &ChessTable, size: usize, seed: u64) -> Tree {
    let mut rng = SplitMix64::new(seed);
    let mut tables = vec![start.clone()];
    let mut grown = Tree { start: start.position(), ..tree(Vec::new()) };
    for _ in 0..size {
        // Prefer the latest positions, so that lines grow long.
        let place = tables.len() - 1 - (rng.next() as usize % tables.len()).min(3);
        let mut table = tables[place].clone();
        let choices = table.acting().first().map(|&seat| table.choices(seat)).unwrap_or_default();
        let after = place.checked_sub(1);
        let known: Vec<&str> = grown
            .nodes
            .iter()
            .filter(|node| node.after == after)
            .map(|node| node.code.as_str())
            .collect();
        let fresh: Vec<&str> = choices
            .iter()
            .map(|choice| choice.code.as_str())
            .filter(|code| !known.contains(code))
            .collect();
        if fresh.is_empty() {
            continue;
        }
        let begins = !known.is_empty();
        let played = table.play(fresh[rng.next() as usize % fresh.len()]).expect("legal").clone();
        tables.push(table);
        let word = |wanted: bool| Vec::from_iter(wanted.then(|| "a word } or two".to_owned()));
        grown.nodes.push(TreeNode {
            after,
            code: played.code,
            text: played.text,
            number: played.number,
            seat: Some(played.seat),
            nags: Vec::from_iter(rng.next().is_multiple_of(5).then_some((rng.next() % 140) as u8)),
            before: word(begins && rng.next().is_multiple_of(4)),
            before_commands: None,
            comments: word(rng.next().is_multiple_of(6)),
            commands: None,
        });
    }
    grown
}

/// Returns the moves of a tree with their paths from the root, sorted by path, so that trees can be
/// compared independently of the order of their lists.
fn sorted_nodes(tree: &Tree) -> Vec<(Vec<String>, TreeNode)> {
    let path = |index: usize| {
        let mut path = vec![tree.nodes[index].code.clone()];
        let mut at = index;
        while let Some(after) = tree.nodes[at].after {
            path.insert(0, tree.nodes[after].code.clone());
            at = after;
        }
        path
    };
    let mut nodes: Vec<_> =
        tree.nodes.iter().cloned().enumerate().map(|(index, node)| (path(index), node)).collect();
    nodes.iter_mut().for_each(|(_, node)| node.after = None);
    nodes.sort_by(|one, other| one.0.cmp(&other.0));
    nodes
}

proptest! {
    #[test]
    fn trees_round_trip_through_pgn(number in 0u16..1920, size in 0usize..60, seed: u64) {
        let start = ChessTable::chess960(number).unwrap_or_default();
        let written = grown(&start, size, seed);
        let text = study::write(&written).expect("a tree");
        let found = study::read(&text).expect("our own text");
        prop_assert_eq!((found.more, found.problems.len()), (0, 0));
        let read = found.tree;
        prop_assert_eq!(&read.start, &written.start);
        prop_assert_eq!(sorted_nodes(&read), sorted_nodes(&written));
        // The order of variations does not change after the first reading.
        prop_assert_eq!(study::read(&study::write(&read).expect("a tree")).expect("our own text").tree, read);
    }

    #[test]
    fn reading_any_text_does_not_panic(text in ".{0,200}") {
        if let Ok(ReadTree { tree, .. }) = study::read(&text) {
            study::write(&tree).expect("what was read can be written");
            study::position_after(&tree.start, &[]).expect("and looked at");
        }
    }

    #[test]
    fn reading_damaged_games_does_not_panic(size in 0usize..30, seed: u64, at in any::<prop::sample::Index>(), part in "[(){};$1-9a-hN=+#/ ]{0,4}") {
        let mut text = study::write(&grown(&ChessTable::new(), size, seed)).expect("a tree");
        let at = at.index(text.len());
        text.insert_str(at, &part);
        if let Ok(ReadTree { tree, .. }) = study::read(&text) {
            study::write(&tree).expect("what was read can be written");
        }
    }

    #[test]
    fn overlays_match_the_report(plies in 0usize..80, seed: u64) {
        let (mut table, mut rng) = (ChessTable::new(), SplitMix64::new(seed));
        (0..plies).for_each(|_| crate::common::play_any(&mut table, &mut rng));
        let codes: Vec<String> = table.played().iter().map(|played| played.code.clone()).collect();
        let studied = study::position_after(START, &codes).expect("legal moves");
        prop_assert_eq!(&studied.fen, &table.position());
        let scene = table.scene();
        prop_assert_eq!(&studied.scene, &scene);
        let position = table.current();
        let all: FactSelection = "attacked,hanging,en_prise,pinned,pinned_pawns,skewered,developed,outposts,pawns,forks,see,material,mobility,king_ring,x_rays,attack_map".parse().expect("facts");
        let report = serde_json::to_value(Report { position: &position, chosen: &all }).expect("JSON");
        prop_assert_eq!(&studied.attack_map, &report["attack_map"]);
        for overlay in &studied.facts {
            for (color, marks) in Color::ALL.into_iter().zip(&overlay.sides) {
                let value = overlay.id.split('.').fold(&report[color.name()], |value, part| &value[part]);
                let marked: Vec<&str> = marks.squares.iter().map(|mark| mark.square.as_str()).collect();
                match (overlay.id, value) {
                    ("forks", Value::Array(list)) => prop_assert_eq!(marks.count as usize, list.len()),
                    (_, Value::Array(list)) => {
                        prop_assert_eq!(&serde_json::to_value(&marked).expect("JSON"), value, "{}", overlay.id);
                        prop_assert_eq!(marks.count as usize, list.len());
                    }
                    (_, Value::Number(number)) => prop_assert_eq!(Some(u64::from(marks.count)), number.as_u64()),
                    ("see", Value::Object(captures)) => {
                        prop_assert_eq!(marks.count as usize, captures.len());
                        for arrow in &marks.arrows {
                            let same = captures.iter().filter(|(code, _)| code.starts_with(&format!("{}{}", arrow.from, arrow.to)));
                            let best = same.filter_map(|(_, value)| value.as_i64()).max();
                            prop_assert_eq!(arrow.value.map(i64::from), best);
                        }
                    }
                    ("x_rays", Value::Object(rays)) => {
                        for arrow in &marks.arrows {
                            prop_assert!(rays[&arrow.from].as_array().expect("squares").contains(&arrow.to.as_str().into()));
                        }
                    }
                    (_, Value::Object(numbers)) => {
                        let sum: i64 = numbers.values().filter_map(Value::as_i64).sum();
                        prop_assert_eq!(i64::from(marks.count), sum);
                        prop_assert_eq!(marked.len(), numbers.len());
                    }
                    (id, value) => prop_assert!(false, "{id}: {value}"),
                }
            }
        }
    }

    #[test]
    fn arranging_a_position_reproduces_it(plies in 0usize..80, seed: u64) {
        let (mut table, mut rng) = (ChessTable::new(), SplitMix64::new(seed));
        (0..plies).for_each(|_| crate::common::play_any(&mut table, &mut rng));
        let fen = table.position();
        let fields: Vec<&str> = fen.split(' ').collect();
        let pieces = table.scene().pieces;
        let turn = Seat::new(u8::from(fields[1] == "b"));
        let checked = study::check_position(&EditedPosition { pieces, turn, castling: fields[2].to_owned() }).expect("pieces");
        prop_assert_eq!(&checked.errors, &Vec::<String>::new());
        prop_assert_eq!(checked.fen, format!("{} {} {} - 0 1", fields[0], fields[1], fields[2]));
        prop_assert_eq!(checked.pieces, table.scene().pieces);
    }
}

#[test]
fn incomplete_fens_and_files_with_several_games() {
    let read = |text: &str| study::read(text).expect("readable");
    assert_eq!(read("4k3/8/8/8/8/8/8/4K3").tree.start, "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    assert_eq!(read("  4k3/8/8/8/8/8/8/4K3  b -\n").tree.start, "4k3/8/8/8/8/8/8/4K3 b - - 0 1");
    let first = read("1. e4 * 1. d4 * 1. c4 *");
    assert_eq!((first.tree.nodes[0].text.as_str(), first.more), ("e4", 2));
    let tree = read("{first} 1. e4 $1 {best} ({or} 1. d4 d5) e5 1-0").tree;
    assert_eq!(tree.comments, ["first"]);
    assert_eq!(tree.result, "1-0");
    let codes: Vec<(Option<usize>, &str)> =
        tree.nodes.iter().map(|node| (node.after, node.code.as_str())).collect();
    assert_eq!(codes, [(None, "e2e4"), (None, "d2d4"), (Some(1), "d7d5"), (Some(0), "e7e5")]);
    assert_eq!(
        (&tree.nodes[0].nags[..], &tree.nodes[1].before[..]),
        (&[1][..], &["or".to_owned()][..])
    );
    let refusal = |text: &str| study::read(text).expect_err("no study").to_string();
    assert_eq!(refusal(""), "there is no game in the text");
    let damaged = read("[White-Elo \"1\"]\n\n1. e4 e5 2. Ke3");
    assert_eq!(damaged.tree.nodes.len(), 2);
    assert_eq!(damaged.tree.tags, [("White_Elo".to_owned(), "1".to_owned())]);
    assert!(damaged.problems[0].starts_with("line 3, column 13: "), "{}", damaged.problems[0]);
    assert!(refusal("8/8/8/8/8/8/8/8 w").contains("White has no king"));
}

#[test]
fn the_games_around_the_chosen_one_are_listed() {
    let text: String =
        (1..=1201).map(|number| format!("[White \"{number}\"]\n\n1. e4 *\n\n")).collect();
    for (game, first, listed) in [(0, 0, 500), (499, 0, 500), (500, 500, 500), (1200, 1000, 201)] {
        let chosen = study::read_game(&text, game).expect("a game");
        assert_eq!((chosen.game, chosen.more, chosen.first), (game, 1200, first));
        assert_eq!(chosen.games.len(), listed);
        assert_eq!(chosen.games[game - first], format!("{} – ?, *", game + 1));
        assert_eq!(chosen.tree.tags, [("White".to_owned(), (game + 1).to_string())]);
    }
    assert!(study::read_game(&text, 1201).is_err());
}

#[test]
fn commands_in_comments_are_read() {
    let text = "1. e4 { [%eval 0.3] [%clk 0:10:00] } { good [%cal Ge2e4,Rd7d5][%csl Yd5] } e5";
    let tree = study::read(text).expect("readable").tree;
    let commands = tree.nodes[0].commands.as_ref().expect("commands");
    assert_eq!(commands.comments, ["good"]);
    assert_eq!(commands.clock.as_deref(), Some("0:10:00"));
    assert_eq!(commands.evaluation.as_deref(), Some("+0.30"));
    let shapes: Vec<[&str; 3]> =
        commands.shapes.iter().map(|shape| [shape.color, &shape.from, &shape.to]).collect();
    let expected = [["green", "e2", "e4"], ["red", "d7", "d5"], ["yellow", "d5", "d5"]];
    assert_eq!(shapes, expected);
    assert!(tree.nodes[1].commands.is_none());
    assert!(study::write(&tree).expect("a tree").contains("[%eval 0.3] [%clk 0:10:00]"));
    let text = "{ start [%csl Gd4] } 1. e4 ({ or [%cal Gd2d4] } 1. d4) e5";
    let tree = study::read(text).expect("readable").tree;
    let of_start = tree.commands.as_ref().expect("commands");
    assert_eq!((&of_start.comments[..], of_start.shapes.len()), (&["start".to_owned()][..], 1));
    let of_variation = tree.nodes[1].before_commands.as_ref().expect("commands");
    assert_eq!(
        (&of_variation.comments[..], of_variation.shapes.len()),
        (&["or".to_owned()][..], 1)
    );
    assert!(study::write(&tree).expect("a tree").contains("[%csl Gd4]"));
}

#[test]
fn null_moves_can_be_studied() {
    let tree = study::read("1. e4 -- 2. d4 Z0").expect("readable").tree;
    let codes: Vec<&str> = tree.nodes.iter().map(|node| &node.code[..]).collect();
    assert_eq!(codes, ["e2e4", "0000", "d2d4", "0000"]);
    assert_eq!((&tree.nodes[1].text[..], tree.nodes[3].number), ("--", 2));
    assert!(study::write(&tree).expect("a tree").contains("1. e4 -- 2. d4 --"));
    let position = study::position_after(START, &moves("e2e4 0000 d2d4 0000")).expect("moves");
    assert!(position.fen.ends_with(" w KQkq - 1 3"), "{}", position.fen);
    assert!(position.scene.last_move.is_empty());
    assert!(study::series(START, &moves("e2e4 0000 d2d4 0000")).is_ok());
    assert!(study::position_after("4k3/8/8/8/8/8/8/4R1K1 b - - 0 1", &moves("0000")).is_err());
}

#[test]
fn illegal_lines_are_refused_with_a_reason() {
    let refusal = |start: &str, line: &str| {
        study::position_after(start, &moves(line)).expect_err("no such line").to_string()
    };
    assert_eq!(refusal(START, "e2e4 f1f3"), "the bishop on f1 is White's");
    assert_eq!(refusal(START, "f1f3"), "a bishop does not move from f1 to f3");
    assert!(refusal("rubbish", "").starts_with("invalid FEN"));
    let long: Vec<String> = moves("g1f3 g8f6 f3g1 f6g8").into_iter().cycle().take(2_001).collect();
    assert_eq!(
        study::position_after(START, &long).expect_err("too long").to_string(),
        "there are more than 2000 moves"
    );
    assert!(study::series(START, &long).is_err());
    // A study may continue after fivefold repetition, which ends a game.
    let position = study::position_after(START, &long[..40]).expect("legal moves");
    assert_eq!(position.scene.outcome.expect("it is over").text, "draw by fivefold repetition");
    assert!(position.legal_moves.is_empty());
}

#[test]
fn invalid_trees_are_refused() {
    let refusal = |tree: &Tree| study::write(tree).expect_err("no tree").to_string();
    let later = tree(vec![branch(Some(0), "e2e4")]);
    assert_eq!(refusal(&later), "a move has parent 0, which does not come before it in the list");
    let illegal = tree(vec![branch(None, "e2e4"), branch(Some(0), "e2e4")]);
    assert!(refusal(&illegal).contains("e2"), "{}", refusal(&illegal));
    let many = tree(vec![branch(None, "e2e4"); 10_001]);
    assert_eq!(refusal(&many), "there are more than 10000 moves");
    let tagged = Tree { tags: vec![("No name".to_owned(), String::new())], ..tree(Vec::new()) };
    assert!(refusal(&tagged).contains("'No name'"));
    // Each variation contains another one.
    let mut deep = tree(Vec::new());
    let mut table = ChessTable::new();
    let (mut after, mut rng) = (None, SplitMix64::new(1));
    for _ in 0..101 {
        let choices = table.choices(table.acting()[0]);
        let (main, other) = (&choices[0], &choices[1 + rng.next() as usize % (choices.len() - 1)]);
        deep.nodes.push(branch(after, &main.code));
        deep.nodes.push(branch(after, &other.code));
        after = Some(deep.nodes.len() - 1);
        table.play(&other.code).expect("legal");
    }
    assert_eq!(refusal(&deep), "variations are nested deeper than 100");
}

#[test]
fn series_have_one_value_per_position() {
    let line = moves("e4 d5 exd5 Qxd5 Nc3 Qxa2");
    let series = study::series(START, &line).expect("legal moves");
    let named: Vec<&str> = series.iter().map(|series| series.id).collect();
    assert_eq!(named, ["material", "mobility", "hanging", "en_prise"]);
    assert!(series.iter().flat_map(|series| &series.lines).all(|line| line.values.len() == 7));
    assert_eq!(series[0].lines[0].values, [0, 0, 0, 1, 0, 0, -1]);
    let last = Position::from_fen(&study::position_after(START, &line).expect("legal moves").fen)
        .expect("a FEN");
    let analysis = Analysis::of(&last);
    for (side, color) in Color::ALL.into_iter().enumerate() {
        let facts = analysis.side(color);
        assert_eq!(series[2].lines[side].values[6], facts.hanging.len() as i32);
        assert_eq!(series[3].lines[side].values[6], facts.en_prise.len() as i32);
    }
    let [white, black] = Color::ALL.map(|color| analysis.side(color).mobility as i32);
    assert_eq!(series[1].lines[0].values[6], white - black);
}

#[test]
fn every_fact_is_documented() {
    let page = include_str!("../../../../../docs/analysis.md");
    let heads: Vec<&str> = page.lines().filter(|line| line.starts_with("### ")).collect();
    for fact in study::FACTS {
        let named = |head: &&str| head.split(' ').any(|word| word == fact.id);
        assert!(heads.iter().any(named), "{} has no heading", fact.id);
        assert!(fact.about.ends_with('.') && fact.about.len() < 120, "{}", fact.about);
    }
}

#[test]
fn arrangement_faults() {
    let piece = |square, letter, seat| PlacedPiece::new(square, letter, Seat::new(seat));
    let check_position = |pieces, turn, castling: &str| {
        study::check_position(&EditedPosition {
            pieces,
            turn: Seat::new(turn),
            castling: castling.to_owned(),
        })
    };
    let empty = check_position(Vec::new(), 0, "KQkq").expect("an empty board");
    assert_eq!(empty.errors, ["White has no king", "Black has no king"]);
    assert_eq!((empty.fen.as_str(), empty.castling.as_str()), ("8/8/8/8/8/8/8/8 w - - 0 1", ""));
    let check = vec![
        piece("e1", 'K', 0),
        piece("h1", 'R', 0),
        piece("e8", 'K', 1),
        piece("e4", 'R', 0),
        piece("a8", 'P', 1),
    ];
    let check = check_position(check, 0, "KQ").expect("pieces");
    assert_eq!(check.errors, ["a pawn cannot stand on a8", "Black is in check but has just moved"]);
    assert_eq!(check.squares, ["a8", "e8"]);
    assert_eq!(check.castling, "K");
    assert!(check.fen.starts_with("p3k3/8/8/8/4R3/8/8/4K2R w K "), "{}", check.fen);
    let refusal =
        |pieces, turn| check_position(pieces, turn, "").expect_err("no pieces").to_string();
    assert_eq!(refusal(vec![piece("e9", 'K', 0)], 0), "invalid piece, square or seat 'Ke9'");
    assert_eq!(refusal(vec![piece("e1", 'X', 0)], 0), "invalid piece, square or seat 'Xe1'");
    assert!(refusal(vec![piece("e1", 'K', 2)], 0).contains("seat 2"));
    assert!(refusal(Vec::new(), 9).contains("seat 9"));
}
