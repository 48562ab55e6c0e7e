//! At each moment an animation shows what the picture of that moment shows.

use std::collections::BTreeMap;

use fourfold_board::Geometry;
use fourfold_draw::{Animation, Flight, Ink, Mark, Picture, PlacedPiece, Seat, Shape};
use roxmltree::{Document, Node};

static BOARD: Geometry<64, 1> = Geometry::rectangle(8, 8);

/// Returns frames in which everything that can change does.
fn frames() -> Vec<Picture> {
    let squares = ["a1", "b3", "c5", "b3", "a1", "h8"];
    let frame = |(index, square): (usize, &&str)| {
        let mut picture = Picture::new("an animation", Shape::of(&BOARD), 4);
        picture.piece(*square, 'N', Seat::new(0)).piece("e8", 'K', Seat::new(1));
        picture.mark(*square, Mark::LastMove).arrow("e8", *square, Ink::Red);
        picture.tile("d4", Seat::new(2)).tile("e4", Seat::new(2));
        if index > 2 {
            picture.tile("f5", Seat::new(2)).tile("a8", Seat::new(3)).mark("a8", Mark::LastMove);
            picture.eliminated.push(Seat::new(2));
        }
        let piece = PlacedPiece::new("h2", 'P', Seat::new(1));
        picture.flights.push(Flight { piece, to: "h4".into(), done: 200 * index as u16 });
        picture.rests.push(("e8".into(), 1000 - 300 * (index as u16 / 2)));
        picture.mark("c3", Mark::Target).mark("e8", Mark::Circle(Ink::Blue));
        picture
    };
    squares.iter().enumerate().map(frame).collect()
}

/// Returns what is visible at a moment, from 0 to 1: each shape with its attributes and the fill of
/// its group.
fn seen(document: &Document<'_>, moment: f64) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    let shapes = ["use", "path", "rect", "circle", "text"];
    for node in document.descendants().filter(|node| shapes.contains(&node.tag_name().name())) {
        let hidden = |node: Node<'_, '_>| {
            let animate = node.children().find(|child| child.tag_name().name() == "animate");
            animate.is_some_and(|animate| value(animate, moment) == "hidden")
        };
        if node.ancestors().any(hidden) {
            continue;
        }
        let mut words: Vec<String> =
            node.attributes().map(|one| format!("{}={}", one.name(), one.value())).collect();
        let group = node.ancestors().skip(1).find(|node| node.has_attribute("data-seat"));
        words.extend(group.map(|node| format!("{:?}", node.attribute("fill"))));
        *found.entry(words.join(" ")).or_insert(0) += 1;
    }
    found
}

/// Returns the value of an `<animate>` element at a moment.
fn value<'a>(animate: Node<'a, '_>, moment: f64) -> &'a str {
    let list = |name| animate.attribute(name).expect("an attribute").split(';');
    let times = list("keyTimes").map(|time| time.parse::<f64>().expect("a number"));
    let past = times.zip(list("values")).take_while(|(time, _)| *time <= moment);
    past.last().expect("the first is at 0").1
}

#[test]
fn each_frame_equals_its_picture() {
    let animation = Animation { frames: frames(), each: 700, hold: 1500 };
    let svg = animation.svg();
    let document = Document::parse(&svg).expect("well-formed");
    for (index, picture) in animation.frames.iter().enumerate() {
        let moment = (index as f64 + 0.5) * 700.0 / animation.duration() as f64;
        let alone = picture.svg();
        let alone = Document::parse(&alone).expect("well-formed");
        let drawings = |document: &Document<'_>| -> Vec<String> {
            let groups = document.descendants().filter(|node| node.tag_name().name() == "g");
            groups.filter_map(|node| node.attribute("id").map(str::to_owned)).collect()
        };
        assert_eq!(drawings(&document), ["piece-K", "piece-N", "piece-P"]);
        assert_eq!(drawings(&alone), drawings(&document));
        assert_eq!(seen(&document, moment), seen(&alone, 0.0), "frame {index}");
    }
    assert!(svg.len() < 3 * animation.frames[0].svg().len(), "what stays is written once");
}

#[test]
fn viewers_without_smil_show_the_last_picture() {
    let animation = Animation { frames: frames(), each: 700, hold: 0 };
    let svg = animation.svg();
    let document = Document::parse(&svg).expect("well-formed");
    for node in document.descendants().filter(|node| node.tag_name().name() == "animate") {
        let group = node.parent().expect("a group");
        assert_eq!(group.attribute("visibility"), Some(value(node, 0.999_999)));
    }
}

#[test]
fn empty_and_single_frame_animations() {
    assert_eq!(Animation { frames: Vec::new(), each: 1, hold: 1 }.svg(), "");
    let one = frames().swap_remove(0);
    let animation = Animation { frames: vec![one.clone()], each: 0, hold: 0 };
    assert_eq!((animation.svg(), animation.duration()), (one.svg(), 0));
}
