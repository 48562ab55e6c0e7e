//! Writes a page with every piece in every color and some boards, for visual inspection:
//! `cargo run -p fourfold-draw --example contact_sheet -- OUT.html`

use std::fmt::Write;

use fourfold_board::Geometry;
use fourfold_draw::{
    Coordinates, Edge, Ink, Look, Mark, Picture, Seat, SeatColors, Shape, Theme, sprite, stylesheet,
};

static CHESS: Geometry<64, 1> = Geometry::rectangle(8, 8);
static CROSS_14: Geometry<196, 4> = Geometry::cross(14, 3);
static CROSS_12: Geometry<144, 3> = Geometry::cross(12, 2);
static DUO: Geometry<196, 4> = Geometry::rectangle(14, 14);
static LARGE: Geometry<400, 7> = Geometry::rectangle(20, 20);

const EDGES: [Edge; 4] = [Edge::Bottom, Edge::Left, Edge::Top, Edge::Right];

const STYLE: &str = "
body{margin:0;font:14px system-ui,sans-serif}
section{background:var(--page);color:var(--board-label);padding:12px 20px}
.line{display:flex;align-items:end;gap:14px;margin:6px 0}
.pieces{display:flex}
.pieces svg{display:block}
.pieces svg:nth-child(odd){background:var(--board-light)}
.pieces svg:nth-child(even){background:var(--board-dark)}
.boards{display:flex;flex-wrap:wrap;gap:20px;margin-top:12px}
";

fn main() -> std::io::Result<()> {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: contact_sheet OUT.html");
        std::process::exit(2);
    };
    let (sprite, stylesheet) = (sprite(), stylesheet());
    let mut page = "<!doctype html><meta charset=utf-8><title>Contact sheet</title>".to_owned();
    page += &format!("<style>{stylesheet}{STYLE}</style>{sprite}");
    for theme in Theme::ALL {
        let name = match theme {
            Theme::Light => "light",
            Theme::Dark => "dark",
        };
        page += &format!("<section data-theme={name}>");
        page += &pieces();
        page += "<div class=boards>";
        for picture in boards(theme) {
            page += &picture.svg();
        }
        page += "</div></section>";
    }
    std::fs::write(path, page)
}

/// Returns every piece in three sizes, on light and dark squares.
fn pieces() -> String {
    let mut out = String::new();
    for size in [64, 32, 24] {
        for (seats, seat, order) in [
            (2, "0", 0),
            (2, "1", 1),
            (4, "0", 0),
            (4, "1", 1),
            (4, "2", 0),
            (4, "3", 1),
            (4, "eliminated", 0),
        ] {
            if order == 0 {
                out += "<div class=line>";
            }
            let _ = write!(out, "<div class='pieces colors-{}'>", SeatColors::of(seats).name());
            // Each piece appears twice, on squares of both colors.
            for letter in "KQDRBNP".chars().chain("QDRBNPK".chars()) {
                let _ = write!(out, "<svg class=seat-{seat} width={size} height={size}>");
                let _ = write!(out, "<use href='#piece-{letter}'/></svg>");
            }
            out += "</div>";
            if order == 1 {
                out += "</div>";
            }
        }
        out += "</div>";
    }
    out
}

fn boards(theme: Theme) -> Vec<Picture> {
    let look = Look { theme, ..Look::default() };
    let mut boards = vec![chess(look)];
    for bottom in EDGES {
        boards.push(four_armies(Look { bottom, ..look }));
    }
    boards.push(small_cross(look));
    boards.push(blokus(look));
    boards.push(duo(Look { coordinates: Coordinates::Hidden, ..look }));
    boards
}

fn chess(look: Look) -> Picture {
    let mut picture = Picture::new("Chess with marks and arrows", Shape::of(&CHESS), 2);
    picture.look = look;
    let rows = [
        "r.bqk.nr", "pppp.ppp", "..n.....", "..b.p..Q", "..B.P...", "........", "PPPP.PPP",
        "RNB.K.NR",
    ];
    for (row, letters) in (1..=8).rev().zip(rows) {
        for (file, letter) in ('a'..).zip(letters.chars()).filter(|(_, letter)| *letter != '.') {
            let seat = Seat::new(letter.is_ascii_lowercase().into());
            picture.piece(format!("{file}{row}"), letter.to_ascii_uppercase(), seat);
        }
    }
    picture.mark("d1", Mark::LastMove).mark("h5", Mark::LastMove).mark("e8", Mark::Check);
    picture.mark("c4", Mark::Selected).mark("f7", Mark::Capture).mark("b5", Mark::Target);
    picture.mark("d5", Mark::Target).mark("b3", Mark::Target).mark("g7", Mark::Premove);
    picture.mark("g6", Mark::Premove).mark("c5", Mark::Circle(Ink::Blue));
    picture.arrow("h5", "f7", Ink::Green).arrow("g8", "f6", Ink::Red);
    picture.arrow("c6", "d4", Ink::Blue).arrow("a2", "a4", Ink::Amber);
    picture
}

/// Adds a row of pieces with pawns in front of them at each of these edges of a cross.
fn armies(picture: &mut Picture, side: usize, cut: usize, seats: &[(u8, Edge)]) {
    let name = |file: usize, rank: usize| format!("{}{}", (b'a' + file as u8) as char, rank + 1);
    for &(seat, edge) in seats {
        for (index, piece) in "RNBQKBNR".chars().enumerate() {
            let along = cut + index;
            for (depth, piece) in [(0, piece), (1, 'P')] {
                let (file, rank) = match edge {
                    Edge::Bottom => (along, depth),
                    Edge::Left => (depth, along),
                    Edge::Top => (along, side - 1 - depth),
                    Edge::Right => (side - 1 - depth, along),
                };
                picture.piece(name(file, rank), piece, Seat::new(seat));
            }
        }
    }
}

fn four_armies(look: Look) -> Picture {
    let mut picture = Picture::new("Four armies", Shape::of(&CROSS_14), 4);
    picture.look = look;
    armies(&mut picture, 14, 3, &[(0, EDGES[0]), (1, EDGES[1]), (2, EDGES[2]), (3, EDGES[3])]);
    picture.mark("g2", Mark::LastMove).mark("g4", Mark::LastMove);
    picture
        .pieces
        .iter_mut()
        .filter(|piece| piece.square == "g2")
        .for_each(|piece| piece.square = "g4".into());
    picture.arrow("a4", "n11", Ink::Green);
    picture
}

fn small_cross(look: Look) -> Picture {
    let mut picture = Picture::new("A cross of twelve", Shape::of(&CROSS_12), 4);
    picture.look = look;
    picture.eliminated = vec![Seat::new(1)];
    armies(&mut picture, 12, 2, &[(0, EDGES[0]), (1, EDGES[1]), (2, EDGES[2]), (3, EDGES[3])]);
    picture.piece("f6", 'Z', Seat::new(0)).piece("g6", '&', Seat::new(7));
    picture
}

fn blokus(look: Look) -> Picture {
    let mut picture = Picture::new("Blokus", Shape::plain(&LARGE), 4);
    picture.seat_colors = SeatColors::Blokus;
    picture.look = look;
    let pieces = [
        (0, "a20 b20 c20 c19 c18"),
        (0, "d17 e17 e16 f16 f15"),
        (0, "g14 h14 i14 h13 h15"),
        (0, "f18 g18 g17 h17 i17"),
        (1, "t20 s20 t19 s19 r19"),
        (1, "q18 p18 o18 n18 n17"),
        (1, "m16 m15 l15 l14 m14"),
        (2, "t1 t2 t3 s3"),
        (2, "r4 q4 q5 p5"),
        (2, "o6 o7 o8 n7"),
        (2, "m9 m10 l9 l10"),
        (3, "a1 a2 a3 a4 a5"),
        (3, "b6 c6 c7 d7 c8"),
        (3, "e8 e9 f9 f10"),
        (3, "g11 h11 i11 j11"),
    ];
    add_tiles(&mut picture, &pieces);
    for cell in ["g11", "h11", "i11", "j11", "l9", "l10", "m9", "m10"] {
        picture.mark(cell, Mark::LastMove);
    }
    picture.mark("k12", Mark::Target).mark("k10", Mark::Target);
    picture
}

fn duo(look: Look) -> Picture {
    let mut picture = Picture::new("Blokus for two", Shape::plain(&DUO), 2);
    picture.seat_colors = SeatColors::Duo;
    picture.look = look;
    let pieces = [
        (0, "e10 e9 e11 d10 f10"),
        (0, "g11 g12 h12 h11"),
        (0, "c9 b9 b8 b7 a7"),
        (1, "j5 j4 i5 i4 k5"),
        (1, "h6 h7 g6 f6"),
        (1, "l6 l7 l8 m8"),
    ];
    add_tiles(&mut picture, &pieces);
    for cell in ["l6", "l7", "l8", "m8"] {
        picture.mark(cell, Mark::LastMove);
    }
    picture
}

fn add_tiles(picture: &mut Picture, pieces: &[(u8, &str)]) {
    for &(seat, cells) in pieces {
        for cell in cells.split(' ') {
            picture.tile(cell, Seat::new(seat));
        }
    }
}
