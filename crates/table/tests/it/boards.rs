//! The pictures in `docs/pictures/boards`: one of each game, as drawn by its table. The test
//! compares them; with `REDRAW=1` in the environment it writes them first.

use std::path::Path;
use std::{env, fs};

use fourfold_common::SplitMix64;
use fourfold_draw::{Coordinates, Ink, Look, Picture};
use fourfold_kung_fu::{Game, Rules, random_order};
use fourfold_table::{kung_fu, make};

const LOOK: Look = {
    let bottom = fourfold_table::Edge::Bottom;
    let theme = fourfold_draw::Theme::Light;
    Look { bottom, theme, coordinates: Coordinates::Hidden, pixels: 320 }
};

/// Morphy's Opera Game, two plies before its end.
const CHESS: &str = "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ \
    Nbd7 O-O-O Rd8 Rxd7 Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+";
const FOUR_PLAYER: &str = "e2e4 b7d7 k13k11 m8k8 j1i3 a10c9 e14f12 n5l6 f1b5 b10c10 j14i12 n10l9";
/// The opening of a game in `data/blokus/games.txt`.
const BLOKUS: &str = "a17,a18,a19,a20,b20 s17,s18,s19,s20,t20 r1,s1,t1,s2,t2 a1,b1,b2,a3,b3 c18,d18,c19,d19,e19 \
    q16,r16,p17,q17 r3,r4 d3,c4,d4,b5,c5 e16,f16,e17 r14,s14,t14,t15,t16 p4,p5,q5 e2,f2,f3,f4 \
    f13,f14,g14,g15,h15 p12,p13,q13,p14,p15 o6,o7,o8,p8,o9 d6,d7,e7,f7,e8";

#[test]
fn every_game_has_a_picture() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pictures/boards");
    let pictures = [
        ("chess", played("chess", CHESS)),
        ("four-player", played("four-player", FOUR_PLAYER)),
        ("blokus", played("blokus", BLOKUS)),
        ("kung-fu", ordered("12x12")),
    ];
    for (name, picture) in pictures {
        let svg = picture.svg() + "\n";
        let file = folder.join(format!("{name}.svg"));
        if env::var_os("REDRAW").is_some() {
            fs::write(&file, &svg).expect("it can be written");
        }
        let kept = fs::read_to_string(&file).unwrap_or_default();
        assert!(kept == svg, "{name}.svg is not what the table draws: REDRAW=1 draws it again");
    }
}

fn played(game: &str, moves: &str) -> Picture {
    let mut table = make(game).expect("a game");
    for text in moves.split_ascii_whitespace() {
        table.play(text).unwrap_or_else(|error| panic!("{game}, {text}: {error}"));
    }
    table.scene().picture(LOOK)
}

/// Draws a game in which every player has given up to three random orders, with arrows to show
/// where the pieces go.
fn ordered(words: &str) -> Picture {
    let rules = Rules::parse(words).expect("rules");
    let mut game = Game::new(rules).expect("a game");
    let board = game.rules().board;
    let seats = kung_fu::seats(&game.rules()).len();
    let mut picture = Picture::new("kung fu chess", kung_fu::shape(board), seats);
    picture.look = LOOK;
    let mut rng = SplitMix64::new(7);
    let players: Vec<_> = game.rules().players.iter().collect();
    for piece in game.pieces() {
        let seat = kung_fu::seat_of(&game.rules(), piece.player()).expect("a seat");
        picture.piece(kung_fu::square(board, piece.at()), piece.role().letter(), seat);
    }
    for player in players.iter().cycle().take(3 * players.len()) {
        let Some(order) = random_order(&game, *player, &mut rng) else { continue };
        let from = game.piece(order.piece).expect("a piece").at();
        let to = (i32::from(order.to.row()), i32::from(order.to.column()));
        game.order(*player, order.piece, to).expect("a legal order");
        picture.arrow(kung_fu::square(board, from), kung_fu::square(board, order.to), Ink::Green);
    }
    picture
}
