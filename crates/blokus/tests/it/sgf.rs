//! SGF files: games survive a round trip, and error messages name the fault.

use fourfold_blokus::sgf::{Game, Withdrawal, WithdrawalReason, games};
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

/// Games that Pentobi reads, and the same with the properties it writes now.
#[test]
fn former_spellings_are_read() {
    for (text, now) in [
        ("(;GM[Blokus Duo];B[e8][e9][e10];W[j5])", "(;GM[Blokus Duo]\n;B[e8,e9,e10]\n;W[j5])\n"),
        ("(;GM[Blokus Duo];B[E8,e9,E10];W[J5])", "(;GM[Blokus Duo]\n;B[e8,e9,e10]\n;W[j5])\n"),
        ("(;GM[Blokus Duo] ; 1 [e10] ;2[ j5 ] )", "(;GM[Blokus Duo]\n;B[e10]\n;W[j5])\n"),
        (
            "(;GM[Blokus];BLUE[a20];YELLOW[t20];RED[t1];GREEN[a1][b1])",
            "(;GM[Blokus]\n;1[a20]\n;2[t20]\n;3[t1]\n;4[a1,b1])\n",
        ),
        ("(;GM[Blokus Two-Player]PB[Ann];1[A20])", "(;GM[Blokus Two-Player]PB[Ann]\n;1[a20])\n"),
        ("(;GM[ blokus duo];b[e10];white[j5])", "(;GM[Blokus Duo]\n;B[e10]\n;W[j5])\n"),
        ("(;GM[Blokus Duo];Black[e10];W[j5])", "(;GM[Blokus Duo]\n;B[e10]\n;W[j5])\n"),
        ("(;GM[Blokus];Blue[a20])", "(;GM[Blokus]\n;1[a20])\n"),
    ] {
        let game = Game::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(game.to_string(), now);
        assert_eq!(Game::parse(now), Ok(game));
    }
}

#[test]
fn setup_properties_are_the_start_position() {
    let text = "(;GM[Blokus Duo]AB[e8,e9,f9,d10,e10][g6,f7,g7,h7,g8]AW[i4,h5,i5,j5,i6][j7,j8,j9,k9,j10]PL[W];W[h3])";
    let game = Game::parse(text).expect("a game");
    let placed = |color: usize| game.start.placed(Color::ALL[color]);
    assert_eq!((placed(0), placed(1), game.placements.len()), (2, 2, 1));
    assert_eq!(game.start.turn(), Some(Color::ALL[1]));
    let again = Game::parse(&game.to_string());
    assert!(game.to_string().starts_with("(;GM[Blokus Duo]AB["), "{game}");
    assert_eq!(again, Ok(game));

    // Without PL, the first color that can place a piece is to move.
    let start = |text: &str| Game::parse(text).map(|game| game.start.to_string());
    let one = "duo p 14/14/14/14/4p9/14/14/14/14/14/14/14/14/14 -";
    let duo = |setup: &str| start(&format!("(;GM[Blokus Duo]{setup})"));
    assert_eq!(duo("AB[e10]").as_deref(), Ok(one));
    assert_eq!(duo("A1[E10]PL[B]").as_deref(), Ok(one));
    // Setup may come in parts, and pieces may be removed.
    assert_eq!(duo("AB[e10]AW[j5];AE[j5]").as_deref(), Ok(one));
    let four = "classic r b19/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20 -";
    assert_eq!(start("(;GM[Blokus]A1[a20];PL[3])").as_deref(), Ok(four));
    let text = "(;GM[Blokus]START[classic r b19/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20 -]AE[a20]PL[2])";
    assert_eq!(start(text), start("(;GM[Blokus]PL[2])"));

    let error = |text: &str| start(text).expect_err("a fault").to_string();
    let wrong = |setup: &str| error(&format!("(;GM[Blokus Duo]{setup})"));
    assert_eq!(wrong("AB[a1]"), "start position: purple does not cover its start square");
    assert_eq!(
        wrong("AB[e10][a1,a2]"),
        "start position: the pieces of purple are not all connected by corners"
    );
    assert_eq!(wrong("AB[e10]AW[e10]"), "start position: AW: e10 is occupied");
    assert_eq!(wrong("AB[e10][e11,e12]"), "start position: pieces of one color touch at an edge");
    assert_eq!(wrong("AB[e10]AE[e11]"), "start position: AE: there is no piece on 'e11'");
    assert_eq!(wrong("PL[R]"), "start position: PL: expected one of B and W, got 'R'");
    assert_eq!(wrong("AB[e10,e13]"), "start position: the cells 'e10,e13' do not form a piece");
    assert_eq!(
        wrong(";B[e10];AW[j5]"),
        "AW changes the position after the first move, which is not supported"
    );
    assert_eq!(
        wrong(";B[e10];PL[B]"),
        "PL changes the position after the first move, which is not supported"
    );
    assert!(Game::parse("(;GM[Blokus Duo];B[e10];PL[W]W[j5])").is_ok());
}

#[test]
fn properties_of_other_variants_are_refused() {
    let error = |text: &str| Game::parse(text).expect_err("a fault").to_string();
    for name in ["B", "W", "AB", "AW"] {
        assert_eq!(
            error(&format!("(;GM[Blokus];{name}[a20])")),
            format!("{name} is not a property of classic, whose colors are 1, 2, 3 and 4")
        );
    }
    for name in ["3", "A4", "BLUE", "ARED"] {
        assert_eq!(
            error(&format!("(;GM[Blokus Duo]{name}[e10])")),
            format!("{name} is not a property of duo, whose colors are B and W")
        );
    }
}

#[test]
fn a_game_whose_moves_are_unknown_is_not_empty() {
    for text in ["(;GM[Blokus Duo];X[e8,e9,e10];Y[j5])", "(;GM[Blokus]First[a20])"] {
        let error = Game::parse(text).expect_err("unknown moves").to_string();
        assert!(error.starts_with("the game has no moves, but "), "{error}");
    }
    // Marks have cells too, and other programs may add properties to a game.
    for text in
        ["(;GM[Blokus Duo];CR[e10])", "(;GM[Blokus Duo]N[e10])", "(;GM[Blokus Duo];B[e10];X[e9])"]
    {
        assert!(Game::parse(text).is_ok(), "{text}");
    }
}

#[test]
fn several_games_are_read_one_after_another() {
    let text = "(c) Ann ( x )\n(;GM[Blokus Duo];B[e10](;W[j5])(;W[j5,j6];B[f9])) and\n\
                (;GM[Blokus];1[a1])(;GM[Blokus];1[a20])(;GM[Blokus];1[t20]?)(;GM[Blokus])";
    let found: Vec<Result<usize, String>> = games(text)
        .map(|game| game.map(|game| game.placements.len()).map_err(|error| error.to_string()))
        .collect();
    let start = "move 1: the first piece must cover the start square a20".to_owned();
    let unexpected = "expected ';', '(' or ')', got '?'".to_owned();
    assert_eq!(found, [Ok(2), Err(start), Ok(1), Err(unexpected)]);
    let error = Game::parse("(;GM[Blokus])(;GM[Blokus])").expect_err("two games");
    assert_eq!(error.to_string(), "expected one game, got several");
    assert_eq!(games("no (game)").count(), 0);
}

#[test]
fn any_text_is_read_in_linear_time() {
    for part in ["(", "(;", "( ", "(;GM[Blokus Duo]", "[", ";", "(;A[", ";PL[B]", "AE[e10]AB[e10]"]
    {
        for start in ["", "(;GM[Blokus Duo]AB[e10]"] {
            let text = format!("{start}{}", part.repeat(300_000));
            let began = std::time::Instant::now();
            assert!(games(&text).count() <= 1);
            // Quadratic time would be hours.
            assert!(began.elapsed().as_secs() < 300, "{part}");
        }
    }
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
