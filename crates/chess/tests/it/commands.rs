//! Commands in comments: `%clk`, `%emt`, `%eval`, `%cal` and `%csl`.

use std::time::Duration;

use fourfold_chess::BOARD;
use fourfold_chess::pgn::{Commands, Score, ShapeColor};
use proptest::prelude::*;

#[test]
fn times_are_read() {
    for (text, milliseconds) in [
        ("0:00:00", 0),
        ("23", 23_000),
        ("5:23", 323_000),
        ("0:05:23", 323_000),
        ("1:05:23.4", 3_923_400),
        ("0:00:01.2345", 1_234),
        ("100:00:00", 360_000_000),
        ("0:00:03.", 3_000),
    ] {
        let expected = Some(Duration::from_millis(milliseconds));
        let clock = Commands::parse(&format!("[%clk {text}]"));
        assert_eq!(
            (clock.clock, clock.elapsed, clock.text.as_str()),
            (expected, None, ""),
            "{text}"
        );
        let elapsed = Commands::parse(&format!("[%emt  {text} ]"));
        assert_eq!((elapsed.clock, elapsed.elapsed), (None, expected), "{text}");
    }
}

#[test]
fn evaluations_are_read() {
    use Score::{Centipawns, Mate};
    for (text, score, depth) in [
        ("0.0", Centipawns(0), None),
        ("-0.31", Centipawns(-31), None),
        ("+2.5", Centipawns(250), None),
        ("-1.15,20", Centipawns(-115), Some(20)),
        ("12", Centipawns(1200), None),
        ("#3", Mate(3), None),
        ("#-3,20", Mate(-3), Some(20)),
        ("#+4, 7", Mate(4), Some(7)),
    ] {
        let commands = Commands::parse(&format!("before [%eval {text}] after"));
        let read = commands.evaluation.map(|found| (found.score, found.depth));
        assert_eq!(read, Some((score, depth)), "{text}");
        assert_eq!(commands.text, "before after");
    }
}

#[test]
fn shapes_are_read() {
    let commands = Commands::parse("[%csl Ga1,Rh8] [%cal Yb2c3, Be2e4]");
    let shapes = commands.shapes.iter().map(|shape| {
        (shape.color, BOARD.name(shape.from).to_string(), BOARD.name(shape.to).to_string())
    });
    let shape = |color, from: &str, to: &str| (color, from.to_owned(), to.to_owned());
    assert!(shapes.eq([
        shape(ShapeColor::Green, "a1", "a1"),
        shape(ShapeColor::Red, "h8", "h8"),
        shape(ShapeColor::Yellow, "b2", "c3"),
        shape(ShapeColor::Blue, "e2", "e4"),
    ]));
}

#[test]
fn malformed_commands_remain_in_the_text() {
    for text in [
        "[%clk]",
        "[%clk ]",
        "[%clk 1:2:3:4]",
        "[%clk 1:x]",
        "[%clk -1]",
        "[%clk +1]",
        "[%clk 1:]",
        "[%clk 5000000000]",
        "[%clk 0:00:01.x]",
        "[%clk 0:00:0é]",
        "[%emt 1,5]",
        "[%eval]",
        "[%eval #]",
        "[%eval #x]",
        "[%eval nan]",
        "[%eval inf]",
        "[%eval 1e9]",
        "[%eval 0.5,x]",
        "[%eval 0.5,-1]",
        "[%cal Gd2]",
        "[%cal Gd2d9]",
        "[%cal Xd2d4]",
        "[%cal Gd2d4,]",
        "[%csl Gd2d4]",
        "[%csl é]",
        "[%csl Gé]",
        "[%unknown 1]",
        "[%clk 1:00",
        "[% clk 1:00]",
        "[%",
        "%clk 1:00]",
    ] {
        let commands = Commands::parse(text);
        let mut expected = Commands::default();
        expected.text = text.to_owned();
        assert_eq!(commands, expected);
    }
}

proptest! {
    #[test]
    fn any_comment_can_be_parsed(
        text in r"(\[%|\]| |clk|emt|eval|cal|csl|[0-9:.,#GRYBa-hé+-]){0,40}",
    ) {
        crate::properties::commands(&text);
    }
}
