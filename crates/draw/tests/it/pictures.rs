//! Pictures are well-formed, and everything is where it belongs.

use std::collections::{BTreeMap, BTreeSet};

use fourfold_board::Geometry;
use fourfold_draw::{
    Coordinates, Edge, Ink, Look, Mark, Picture, Seat, Shape, Surface, Theme, sprite, stylesheet,
};
use roxmltree::{Document, Node};

static CHESS: Geometry<64, 1> = Geometry::rectangle(8, 8);
static WIDE: Geometry<15, 1> = Geometry::rectangle(5, 3);
static CROSS_12: Geometry<144, 3> = Geometry::cross(12, 2);
static CROSS_14: Geometry<196, 4> = Geometry::cross(14, 3);
static DUO: Geometry<196, 4> = Geometry::rectangle(14, 14);
static LARGE: Geometry<400, 7> = Geometry::rectangle(20, 20);

const EDGES: [Edge; 4] = [Edge::Bottom, Edge::Left, Edge::Top, Edge::Right];
const CELL: i32 = 64;

fn shapes() -> [Shape; 6] {
    [
        Shape::of(&CHESS),
        Shape::of(&WIDE),
        Shape::of(&CROSS_12),
        Shape::of(&CROSS_14),
        Shape::of(&DUO),
        Shape::of(&LARGE),
    ]
}

fn seat(index: u8) -> Seat {
    Seat::new(index)
}

fn turned(shape: Shape, bottom: Edge) -> Picture {
    let mut picture = Picture::new("a board", shape, 4);
    picture.look.bottom = bottom;
    picture
}

fn parts<'a>(document: &'a Document<'a>, name: &str) -> Vec<Node<'a, 'a>> {
    document.descendants().filter(|node| node.attribute("data-part") == Some(name)).collect()
}

fn number(node: &Node<'_, '_>, name: &str) -> i32 {
    let text = node.attribute(name).unwrap_or_else(|| panic!("{node:?} has no {name}"));
    text.parse().unwrap_or_else(|_| panic!("{name} is {text}"))
}

/// Returns the upper left corners of a path's rectangles, in cells.
fn rectangles(path: &str) -> Vec<(i32, i32)> {
    let starts = path.split('M').skip(1);
    let corner = |text: &str| {
        let (x, rest) = text.split_once(' ').expect("two numbers");
        let y = rest.split('H').next().expect("a first part");
        (x.parse::<i32>().expect("x") / CELL, y.parse::<i32>().expect("y") / CELL)
    };
    starts.map(corner).collect()
}

/// Returns the cell of the only piece in a picture, as column and row from the top left.
fn cell_of_piece(picture: &Picture) -> (i32, i32) {
    let svg = picture.svg();
    let document = Document::parse(&svg).expect("well-formed");
    let uses: Vec<_> = document.descendants().filter(|node| node.has_tag_name("use")).collect();
    let [piece] = uses[..] else { panic!("{} pieces", uses.len()) };
    (number(&piece, "x") / CELL, number(&piece, "y") / CELL)
}

#[test]
fn every_square_is_drawn_once_in_every_orientation() {
    for shape in shapes() {
        let names = shape.rows.iter().flatten().flatten().count();
        for bottom in EDGES {
            let svg = turned(shape.clone(), bottom).svg();
            let document = Document::parse(&svg).expect("well-formed");
            let [squares] = parts(&document, "squares")[..] else { panic!("one path") };
            let cells = rectangles(squares.attribute("d").expect("a path"));
            let distinct: BTreeSet<_> = cells.iter().copied().collect();
            assert_eq!((cells.len(), distinct.len()), (names, names), "{bottom:?}");
            let (wide, tall) = match bottom {
                Edge::Bottom | Edge::Top => (shape.width, shape.height),
                Edge::Left | Edge::Right => (shape.height, shape.width),
            };
            let inside = |&(x, y): &(i32, i32)| {
                (0..wide as i32).contains(&x) && (0..tall as i32).contains(&y)
            };
            assert!(cells.iter().all(inside), "{bottom:?}");
        }
    }
}

#[test]
fn the_chosen_edge_comes_to_the_bottom() {
    // Where a1, e1, a3 and e3 are on a board of 5 by 3.
    let expected = [
        (Edge::Bottom, [(0, 2), (4, 2), (0, 0), (4, 0)]),
        (Edge::Left, [(2, 4), (2, 0), (0, 4), (0, 0)]),
        (Edge::Top, [(4, 0), (0, 0), (4, 2), (0, 2)]),
        (Edge::Right, [(0, 0), (0, 4), (2, 0), (2, 4)]),
    ];
    for (bottom, corners) in expected {
        for (name, corner) in ["a1", "e1", "a3", "e3"].into_iter().zip(corners) {
            let mut picture = turned(Shape::of(&WIDE), bottom);
            picture.piece(name, 'P', seat(0));
            assert_eq!(cell_of_piece(&picture), corner, "{name} with {bottom:?} below");
        }
    }
}

#[test]
fn pieces_stand_on_drawn_squares() {
    for shape in shapes() {
        for bottom in EDGES {
            let mut cells = BTreeMap::new();
            let mut picture = turned(shape.clone(), bottom);
            for name in shape.rows.iter().flatten().flatten() {
                picture.piece(name, 'N', seat(0));
            }
            let svg = picture.svg();
            let document = Document::parse(&svg).expect("well-formed");
            for piece in document.descendants().filter(|node| node.has_tag_name("use")) {
                let cell = (number(&piece, "x") / CELL, number(&piece, "y") / CELL);
                *cells.entry(cell).or_insert(0) += 1;
            }
            let path = parts(&document, "squares")[0].attribute("d").expect("a path");
            let squares: BTreeMap<_, _> = rectangles(path).into_iter().map(|at| (at, 1)).collect();
            assert_eq!(cells, squares, "{bottom:?}");
        }
    }
}

#[test]
fn a1_is_dark_in_every_orientation() {
    for bottom in EDGES {
        let mut picture = turned(Shape::of(&CHESS), bottom);
        picture.piece("a1", 'K', seat(0));
        let cell = cell_of_piece(&picture);
        let svg = picture.svg();
        let document = Document::parse(&svg).expect("well-formed");
        let board = parts(&document, "board")[0];
        let light = board.children().nth(1).and_then(|path| path.attribute("d")).expect("a path");
        assert_eq!(rectangles(light).len(), 32);
        assert!(!rectangles(light).contains(&cell), "{bottom:?}");
    }
}

/// Returns the labels below and beside the board, in order.
fn labels(picture: &Picture) -> (String, String) {
    let svg = picture.svg();
    let document = Document::parse(&svg).expect("well-formed");
    let texts = parts(&document, "coordinates");
    let texts = texts.iter().flat_map(|group| group.children());
    let (beside, below): (Vec<_>, Vec<_>) =
        texts.partition(|text| text.attribute("text-anchor").is_some());
    let join = |mut nodes: Vec<Node<'_, '_>>, axis: &str| {
        nodes.sort_by_key(|node| number(node, axis));
        nodes.iter().filter_map(Node::text).collect::<Vec<_>>().join(" ")
    };
    (join(below, "x"), join(beside, "y"))
}

#[test]
fn coordinates_turn_with_the_board() {
    let of = |bottom| labels(&turned(Shape::of(&WIDE), bottom));
    let pair = |below: &str, beside: &str| (below.to_owned(), beside.to_owned());
    assert_eq!(of(Edge::Bottom), pair("a b c d e", "3 2 1"));
    assert_eq!(of(Edge::Left), pair("3 2 1", "e d c b a"));
    assert_eq!(of(Edge::Top), pair("e d c b a", "1 2 3"));
    assert_eq!(of(Edge::Right), pair("1 2 3", "a b c d e"));

    let mut picture = turned(Shape::of(&CROSS_14), Edge::Bottom);
    assert_eq!(labels(&picture).0, "a b c d e f g h i j k l m n");
    picture.look.coordinates = Coordinates::Hidden;
    assert_eq!(labels(&picture), pair("", ""));
}

#[test]
fn text_is_escaped() {
    let mut picture = Picture::new("<b> & \"c\"\u{0}\u{1b}\u{ffff}", Shape::of(&CHESS), 2);
    for (square, piece) in ["a1", "a2", "a3", "a4", "a5"].into_iter().zip("<&>\"\u{0}".chars()) {
        picture.piece(square, piece, seat(0));
    }
    let svg = picture.svg();
    let document = Document::parse(&svg).expect("well-formed");
    let title = document.descendants().find(|node| node.has_tag_name("title")).expect("a title");
    assert_eq!(title.text(), Some("<b> & \"c\"\u{fffd}\u{fffd}\u{fffd}"));
    let letters = document.descendants().filter(|node| node.has_tag_name("text"));
    let letters: BTreeSet<_> = letters.filter_map(|node| node.text()).collect();
    assert!(BTreeSet::from(["<", "&", ">", "\"", "\u{fffd}"]).is_subset(&letters), "{letters:?}");
    assert_eq!(document.root_element().attribute("role"), Some("img"));
}

#[test]
fn squares_off_the_board_are_ignored() {
    let empty = Picture::new("", Shape::of(&CROSS_14), 4);
    let mut picture = empty.clone();
    picture.mark("a1", Mark::Check).mark("", Mark::Target).tile("n14", seat(0));
    picture.arrow("a1", "d4", Ink::Red).arrow("d4", "z99", Ink::Red).arrow("d4", "d4", Ink::Red);
    assert_eq!(picture.svg(), empty.svg());
    picture.piece("a1", 'Z', seat(0)).piece("ä", 'Z', seat(200));
    let svg = picture.svg();
    let document = Document::parse(&svg).expect("well-formed");
    assert!(parts(&document, "pieces").iter().all(|group| !group.has_children()));
}

#[test]
fn pictures_with_everything_are_well_formed() {
    let marks = [
        Mark::LastMove,
        Mark::Check,
        Mark::Target,
        Mark::Capture,
        Mark::Selected,
        Mark::Premove,
        Mark::Circle(Ink::Amber),
    ];
    for shape in shapes() {
        let names: Vec<String> = shape.rows.iter().flatten().flatten().cloned().collect();
        for (surface, theme) in [(Surface::Checkered, Theme::Dark), (Surface::Plain, Theme::Light)]
        {
            let mut picture = Picture::new("all", shape.clone(), 4);
            picture.shape.surface = surface;
            picture.eliminated = vec![seat(2)];
            for (index, name) in names.iter().enumerate() {
                picture.mark(name, marks[index % marks.len()]);
                match index % 3 {
                    0 => picture.tile(name, seat(index as u8 % 5)),
                    1 => picture.piece(
                        name,
                        "KQDRBNPX".as_bytes()[index % 8].into(),
                        seat(index as u8),
                    ),
                    _ => picture.arrow(name, &names[0], Ink::ALL[index % 4]),
                };
            }
            for pixels in [0, 1, 300, u32::MAX] {
                picture.look = Look { theme, pixels, ..Look::default() };
                let svg = picture.svg();
                let document = Document::parse(&svg).expect("well-formed");
                let arrows = parts(&document, "arrow").len();
                assert_eq!(arrows, picture.arrows.len());
                let root = document.root_element();
                assert!(number(&root, "width") > 0 && number(&root, "height") > 0);
            }
        }
    }
}

#[test]
fn a_shape_without_squares_can_be_drawn() {
    let mut shape = Shape::of(&WIDE);
    shape.rows[1].truncate(2);
    shape.files.clear();
    Document::parse(&Picture::new("", shape.clone(), 2).svg()).expect("well-formed");
    shape.rows.clear();
    Document::parse(&Picture::new("", shape, 2).svg()).expect("well-formed");
}

#[test]
fn pictures_are_self_contained() {
    let mut picture = Picture::new("", Shape::of(&CHESS), 2);
    for (square, piece) in
        ["a1", "b1", "c1", "d1", "e1", "f1", "g1"].into_iter().zip("KQDRBNP".chars())
    {
        picture.piece(square, piece, seat(1));
    }
    let svg = picture.svg();
    let document = Document::parse(&svg).expect("well-formed");
    let ids: BTreeSet<_> = document.descendants().filter_map(|node| node.attribute("id")).collect();
    let links: Vec<_> = document.descendants().filter_map(|node| node.attribute("href")).collect();
    assert_eq!(links.len(), 7);
    for link in links {
        let id = link.strip_prefix('#').expect("a link inside");
        assert!(ids.contains(id), "{id}");
    }
}

#[test]
fn tiles_of_one_seat_share_their_inner_edges() {
    let fill = |cells: &[&str]| {
        let mut picture = Picture::new("", Shape::of(&LARGE), 4);
        for &cell in cells {
            picture.tile(cell, seat(0));
        }
        let svg = picture.svg();
        let document = Document::parse(&svg).expect("well-formed");
        // Each shape has five elements; the second is its fill.
        let fills = parts(&document, "tiles")[0].children().skip(1).step_by(5);
        fills.map(|path| path.attribute("d").expect("a path")).collect::<String>()
    };
    // a20 is the upper left cell; the fill keeps its distance from outer edges only.
    assert_eq!(fill(&["a20"]), "M4 4H60V60H4Z");
    assert_eq!(fill(&["a20", "b20"]), "M4 4H64V60H4ZM64 4H124V60H64Z");
    assert_eq!(fill(&["a20", "b19"]), "M4 4H60V60H4ZM68 68H124V124H68Z");
}

#[test]
fn the_sprite_has_a_symbol_for_each_piece() {
    let sprite = sprite();
    let document = Document::parse(&sprite).expect("well-formed");
    let symbols = document.descendants().filter(|node| node.has_tag_name("symbol"));
    let ids: Vec<_> = symbols.filter_map(|node| node.attribute("id")).collect();
    assert_eq!(ids, ["piece-K", "piece-Q", "piece-D", "piece-R", "piece-B", "piece-N", "piece-P"]);
    for property in ["--piece-fill", "--piece-line", "--piece-detail"] {
        assert!(sprite.contains(&format!("var({property})")), "{property}");
    }
}

#[test]
fn the_style_sheet_has_the_colors_that_pictures_have() {
    let sheet = stylesheet();
    assert_eq!(sheet.matches('{').count(), sheet.matches('}').count());
    for theme in Theme::ALL {
        let palette = theme.palette();
        assert!(sheet.contains(&format!("--board-light:{}", palette.light)), "{theme:?}");
        assert!(sheet.contains(&format!("--board-plain:{}", palette.plain)), "{theme:?}");
    }
    assert!(sheet.contains(".colors-four .seat-3{--piece-fill:#"), "{sheet}");
    assert!(sheet.contains(".colors-duo .seat-1{--piece-fill:#f29b38"), "{sheet}");
    assert!(sheet.contains("--mark-check:rgb(220 47 30 / 72%)"), "{sheet}");
}
