//! SGF files: games survive a round trip, and error messages name the fault.

use fourfold_blokus::sgf::{Game, Withdrawal, WithdrawalReason};
use fourfold_blokus::{Color, Position, Variant, random_walk};

#[test]
fn games_are_read_as_they_were_written() {
    for (seed, variant) in [Variant::CLASSIC, Variant::CLASSIC_2, Variant::CLASSIC_3, Variant::DUO]
        .into_iter()
        .enumerate()
    {
        let mut game = Game::new(Position::start(variant));
        game.tags.push(("PB".to_owned(), "Ann [the \\ first]".to_owned()));
        let positions: Vec<Position> = random_walk(game.start, seed as u64).collect();
        for pair in positions.windows(2) {
            let legal = pair[0].legal_moves();
            let played = legal.into_iter().find(|&placement| pair[0].after(placement) == pair[1]);
            game.placements.push(played.expect("a placement leads on"));
        }
        let read = Game::parse(&game.to_string()).expect("it was just written");
        assert_eq!(read, game);
        assert_eq!(read.position(), positions[positions.len() - 1]);
    }
}

#[test]
fn only_the_main_line_is_read() {
    let text = "junk (;GM[Blokus Duo]C[a \\] b]\n;B[e10]BL[12]C[x](;W[j5];B[f9,g9](;W[k4,l4])(;W[i4,h4]))(;W[j5,j6]))";
    let game = Game::parse(text).expect("a game");
    assert_eq!(game.tags, [("C".to_owned(), "a ] b".to_owned())]);
    assert_eq!(game.placements.len(), 4);
}

#[test]
fn errors_name_the_move_and_the_rule() {
    let error = |text: &str| Game::parse(text).expect_err("a fault").to_string();
    assert_eq!(error(""), "no game found: expected text like '(;GM[Blokus Duo];B[e10])'");
    assert_eq!(error("(;B[e10])"), "expected a GM property, such as GM[Blokus Duo]");
    assert!(error("(;GM[Go])").starts_with("unknown game 'Go': expected one of Blokus, "));
    assert_eq!(error("(;GM[Blokus Duo"), "the text ends before the game is closed with ')'");
    assert_eq!(error("(;GM[Blokus Duo];B)"), "expected a value in brackets after the property B");
    assert_eq!(error("(;GM[Blokus Duo]?)"), "expected ';', '(' or ')', got '?'");
    let wrong = |moves: &str| error(&format!("(;GM[Blokus Duo]{moves})"));
    assert_eq!(wrong(";W[j5]"), "move 1: orange placed a piece, but it is purple's turn");
    assert_eq!(wrong(";B[e10];W[z99]"), "move 2: 'z99' is off the board");
    assert_eq!(wrong(";B[e10];W[j5];B[f10]"), "move 3: piece I1 is already on the board");
    assert_eq!(wrong(";B[e10];W[j5];B[f10,f9]"), "move 3: f10 touches an edge of the same color");
    assert_eq!(
        wrong(";B[e10];W[j5];B[a1,a2]"),
        "move 3: no cell touches a corner of the same color"
    );
    assert_eq!(wrong(";B[e10,e12]"), "move 1: the cells 'e10,e12' do not form a piece");
    assert_eq!(wrong(";B[e10,]"), "move 1: expected a placement like 'a1,b1,a2', got 'e10,'");
}

#[test]
fn withdrawals_are_read_and_written() {
    let text = "(;GM[Blokus]\n;2[]C[resigned]\n;1[a20]\n;3[t1]\n;3[]C[out of time]\n;4[a1]\n;1[b19,c19])\n";
    let game = Game::parse(text).expect("a game");
    let withdrawals = [
        Withdrawal { after: 0, color: Color::ALL[1], reason: WithdrawalReason::Resigned },
        Withdrawal { after: 2, color: Color::ALL[2], reason: WithdrawalReason::OutOfTime },
    ];
    assert_eq!((game.placements.len(), &game.withdrawals[..]), (4, &withdrawals[..]));
    assert_eq!(game.position().turn(), Some(Color::ALL[3]));
    assert_eq!(game.to_string(), text);
    let error = Game::parse("(;GM[Blokus];1[]C[resigned];1[a20])").expect_err("a fault");
    let turn = "move 1: blue placed a piece, but it is yellow's turn";
    assert_eq!(error.to_string(), turn);
    // A pass without a reason is ignored.
    let error = Game::parse("(;GM[Blokus];1[];2[t20])").expect_err("a fault");
    assert_eq!(error.to_string(), "move 1: yellow placed a piece, but it is blue's turn");
}

#[test]
fn a_game_may_start_anywhere_on_any_board() {
    let mut game = Game::new(Position::parse("two-5 o p4/5/5/5/5 -").expect("a position"));
    game.placements.push(game.start.parse_move("e1,e2").expect("legal"));
    let text = "(;GM[two-5]START[two-5 o p4/5/5/5/5 -]\n;W[e1,e2])\n";
    assert_eq!(game.to_string(), text);
    assert_eq!(Game::parse(text), Ok(game));
    let error = |text: &str| Game::parse(text).expect_err("a fault").to_string();
    let other = error("(;GM[Blokus]START[two-5 o p4/5/5/5/5 -])");
    assert_eq!(other, "start position: expected a position of variant classic, got two-5");
    assert!(error("(;GM[two-5]START[x])").starts_with("start position: "));
}
