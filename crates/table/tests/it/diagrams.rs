//! The pictures in `docs/analysis.md`: one for each heading of a fact, drawn from the first example
//! under it. The test compares them; with `REDRAW=1` in the environment it writes them first.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

use fourfold_board::Square;
use fourfold_chess::attacks::king_attacks;
use fourfold_chess::{BOARD, Color, Position, at};
use fourfold_draw::{Ink, Mark, Picture, Seat, Shape};

/// The width of a picture, in pixels.
const WIDTH: u32 = 260;

/// The inks for facts about White's and about Black's pieces.
const INKS: [Ink; 2] = [Ink::Green, Ink::Red];

#[test]
fn every_fact_has_the_picture_of_its_first_example() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let page = fs::read_to_string(docs.join("analysis.md")).expect("the page");
    let folder = docs.join("pictures/analysis");
    let redraw = env::var_os("REDRAW").is_some();
    if redraw {
        fs::create_dir_all(&folder).expect("a folder");
    }
    let mut drawn = BTreeSet::new();
    for section in page.split("\n### ").skip(1) {
        let (facts, text) = section.split_once('\n').expect("a heading");
        let name = facts.split(' ').next().expect("a fact").replace('.', "-");
        let (_, example) = text.split_once("```analysis\n").expect("an example");
        let (example, _) = example.split_once("\n```").expect("its end");
        let svg = diagram(facts, example).svg() + "\n";
        let file = format!("{name}.svg");
        assert!(
            text.contains(&format!("](pictures/analysis/{file})")),
            "docs/analysis.md: put ![{name}](pictures/analysis/{file}) under '### {facts}'"
        );
        if redraw {
            fs::write(folder.join(&file), &svg).expect("it can be written");
        }
        let kept = fs::read_to_string(folder.join(&file)).unwrap_or_default();
        assert!(kept == svg, "{file} is not what its example shows: REDRAW=1 draws it again");
        drawn.insert(folder.join(file));
    }
    let entries = fs::read_dir(&folder).expect("the pictures");
    let kept: BTreeSet<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    assert_eq!(kept, drawn, "pictures that no heading shows");
    assert!(drawn.len() >= 20, "only {} pictures", drawn.len());
}

/// Draws the position of an example, with what its lines say about the facts of the heading.
fn diagram(facts: &str, example: &str) -> Picture {
    let mut lines = example.lines().filter_map(|line| line.split_once(": "));
    let (_, fen) = lines.next().expect("a position");
    let position = Position::from_fen(fen).expect("a position");
    let mut picture = Picture::new(format!("{facts}: {fen}"), Shape::of(&BOARD), 2);
    picture.look.pixels = WIDTH;
    for (square, piece) in position.board().iter_pieces() {
        picture.piece(name(square), piece.role.letter(), Seat::new(piece.color as u8));
    }
    let mut map_of = None;
    for (key, value) in lines.filter(|(_, value)| *value != "none") {
        let words: Vec<&str> = key.split(' ').collect();
        let color = if words[0] == "black" { Color::Black } else { Color::White };
        let ink = INKS[color as usize];
        match words[..] {
            // Draw only the first piece, to keep the picture clear.
            ["attackers" | "defenders", square] if *map_of.get_or_insert(square) == square => {
                let ink = if words[0] == "attackers" { Ink::Red } else { Ink::Green };
                for from in value.split(' ') {
                    picture.arrow(from, square, ink);
                }
            }
            [_, "x_rays", "any", slider] if map_of.is_none() => {
                map_of = Some(slider);
                picture.mark(slider, Mark::Circle(ink));
                for square in value.split(' ') {
                    picture.mark(square, Mark::Target);
                }
            }
            [_, "mobility"] if map_of.is_none() => {
                let piece = value.split('=').next().expect("a piece");
                map_of = Some(piece);
                picture.mark(piece, Mark::Circle(ink));
                for square in reached(&position, color, at(piece)) {
                    picture.mark(name(square), Mark::Target);
                }
            }
            [_, "mobility" | "x_rays", ..] => {}
            [_, "king_ring"] if value != "0" => {
                let king = position.king(color);
                picture.mark(name(king), Mark::Circle(ink));
                for square in king_attacks(king) {
                    picture.mark(name(square), Mark::Target);
                }
            }
            [_, fact] if facts.split(' ').any(|wanted| wanted == fact) => {
                // Only squares and moves are drawn, not numbers.
                let items = value.split(' ').filter_map(|item| item.split('=').next());
                for item in items.filter(|item| item.starts_with(char::is_alphabetic)) {
                    match item.split_at(2) {
                        (square, "") => picture.mark(square, Mark::Circle(ink)),
                        (from, to) => picture.arrow(from, &to[..2], ink),
                    };
                }
            }
            _ => {}
        }
    }
    picture
}

/// Returns the squares that a piece attacks and that its own side does not occupy.
fn reached(position: &Position, color: Color, piece: Square) -> Vec<Square> {
    let board = position.board();
    let attacked =
        |&square: &Square| position.attackers(square, color, board.occupied()).contains(piece);
    let free = |&square: &Square| !board.color(color).contains(square);
    BOARD.squares().iter().filter(attacked).filter(free).collect()
}

fn name(square: Square) -> String {
    BOARD.name(square)
}
