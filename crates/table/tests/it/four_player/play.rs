//! Games, endings, refused moves and scenes.

use fourfold_table::{
    Declaration, DeclareError, FourPlayerTable, HistoryError, PlayError, Seat, Table, TurnError,
    targets,
};

use super::{BLUE, GREEN, RED, YELLOW, at, fen4, free_for_all, outcome, play, teams};

#[test]
fn players_move_in_turn() {
    let mut table = free_for_all();
    assert_eq!(
        (table.game(), table.seats()),
        ("four-player", &["red", "blue", "yellow", "green"][..])
    );
    for (seat, text) in [(RED, "h2h4"), (BLUE, "b7d7"), (YELLOW, "g13g11"), (GREEN, "m8l8")] {
        assert_eq!(table.acting(), [seat]);
        assert_eq!(table.play(text).unwrap().number, 1);
    }
    let played = table.play("h4h5").unwrap();
    assert_eq!((played.number, &played.text[..], &played.code[..]), (2, "h4-h5", "h4h5"));
    assert_eq!(table.scene().last_move, ["h4", "h5"]);
    assert_eq!(teams().game(), "four-player-teams");
}

#[test]
fn withdrawn_players_turn_gray_and_the_others_play_on() {
    let mut table = free_for_all();
    play(&mut table, "h2h4 b7d7");
    table.declare(Declaration::Resign(YELLOW)).unwrap();
    assert_eq!((table.acting(), table.ply()), (vec![GREEN], 2));
    assert_eq!(table.scene().eliminated, [YELLOW]);
    let again = table.declare(Declaration::Flag(YELLOW)).unwrap_err();
    assert_eq!(again.to_string(), "yellow is no longer in the game");
    // A player who is not to move may withdraw, too. The turn does not change then.
    table.declare(Declaration::Flag(RED)).unwrap();
    assert_eq!(table.acting(), [GREEN]);
    play(&mut table, "m8l8");
    assert_eq!(table.acting(), [BLUE]);
    table.declare(Declaration::Resign(BLUE)).unwrap();
    assert_eq!(table.scene().eliminated, [RED, BLUE, YELLOW]);
    assert_eq!(outcome(&table), "red, blue, yellow and green win with 0 points each");
    assert!(matches!(table.play("l8k8"), Err(PlayError::Turn(TurnError::GameOver(..)))));

    // Undo takes back moves and withdrawals one by one, the latest first.
    let mut plies = Vec::new();
    while table.undo().is_ok() {
        plies.push((table.ply(), table.scene().eliminated.len()));
    }
    assert_eq!(plies, [(3, 2), (2, 2), (2, 1), (2, 0), (1, 0), (0, 0)]);
    table.jump(2).unwrap();
    assert_eq!(table.scene().eliminated, [RED, YELLOW], "as it stood before the next move");
    table.jump(3).unwrap();
    assert!(table.outcome().is_some());
    assert_eq!(table.redo(), Err(HistoryError::NothingToRedo));
}

#[test]
fn a_withdrawal_loses_the_game_for_the_team() {
    for (declaration, text) in [
        (Declaration::Resign(BLUE), "red and yellow win by resignation"),
        (Declaration::Flag(YELLOW), "blue and green win by time forfeit"),
        (Declaration::Draw, "draw by agreement"),
    ] {
        let mut table = teams();
        play(&mut table, "h2h4");
        table.declare(declaration).unwrap();
        assert_eq!(outcome(&table), text);
        assert!(table.scene().scores.is_empty());
        let over = table.declare(Declaration::Draw).unwrap_err();
        assert_eq!(over, DeclareError::Turn(TurnError::GameOver(table.outcome().unwrap())));
        table.undo().unwrap();
        assert_eq!((outcome(&table).as_str(), table.ply()), ("goes on", 1));
    }
}

#[test]
fn agreed_draws_award_points_to_remaining_players() {
    let mut table = free_for_all();
    table.declare(Declaration::Resign(GREEN)).unwrap();
    table.declare(Declaration::Draw).unwrap();
    assert_eq!(table.scene().scores, [10, 10, 10, 0]);
    let text = "red, blue and yellow win with 10 points each after a draw by agreement";
    assert_eq!(outcome(&table), text);
    assert_eq!(table.outcome().unwrap().winners, [RED, BLUE, YELLOW]);
}

#[test]
fn repetition_is_an_automatic_draw() {
    let mut table = free_for_all();
    for _ in 0..2 {
        assert_eq!(outcome(&table), "goes on");
        play(&mut table, "j1i3 a5c6 e14f12 n10l9 i3j1 c6a5 f12e14 l9n10");
    }
    assert!(outcome(&table).ends_with("10 points each after a draw by repetition"));
    table.undo().unwrap();
    assert_eq!(outcome(&table), "goes on");
    let claim = table.declare(Declaration::Claim(table.acting()[0])).unwrap_err();
    assert!(matches!(claim, DeclareError::NothingToClaim(..)), "{claim}");
    table.redo().unwrap();
    assert!(table.outcome().is_some());
}

#[test]
fn checkmate_and_king_capture_eliminate_a_player() {
    let pieces = "rKd1 rRb5 rRd4 bKa11 bPc7 yKd14 gKn8 gQm8";
    let mut table = at(free_for_all(), &fen4('R', [12, 5, 9, 7], pieces));
    play(&mut table, "d4a4");
    assert_eq!(table.scene().check, Vec::<String>::new(), "the mated king is gray");
    assert_eq!((table.acting(), table.scene().eliminated), (vec![YELLOW], vec![BLUE]));
    assert_eq!(table.scene().scores, [32, 5, 9, 7]);
    let gray = table.scene().pieces.into_iter().find(|piece| piece.square == "a11").unwrap();
    assert_eq!((gray.piece, gray.seat), ('K', BLUE));
    play(&mut table, "d14e14 m8d8");
    assert_eq!(table.scene().check, ["d1"], "a king in check");

    let pieces = "rKd1 bKa11 bRa7 yKg7 gKn8 gPm9 yPh13";
    let mut table = at(free_for_all(), &fen4('B', [0; 4], pieces));
    assert_eq!(table.scene().check, ["g7"]);
    play(&mut table, "a7g7");
    assert_eq!((table.acting(), table.scene().scores), (vec![GREEN], vec![0, 20, 0, 0]));
    let mut table = at(teams(), &fen4('B', [0; 4], pieces));
    play(&mut table, "a7g7");
    assert_eq!(outcome(&table), "blue and green win by king capture");
}

#[test]
fn checkmate_ends_a_team_game() {
    let pieces = "rKd1 rRb5 rRd4 bKa11 yKd14 gKn8";
    let mut table = at(teams(), &fen4('R', [0; 4], pieces));
    play(&mut table, "d4a4");
    assert_eq!(outcome(&table), "red and yellow win by checkmate");
    assert_eq!(table.outcome().unwrap().winners, [RED, YELLOW]);
    assert_eq!(table.scene().check, ["a11"], "the mated king is shown");
}

#[test]
fn promotion_depends_on_the_mode() {
    let pieces = "rKd1 rPe7 bKa8 yKd14 gKn8";
    let table = at(free_for_all(), &fen4('R', [0; 4], pieces));
    let choices = table.choices(RED);
    let promotion = targets(&choices)["e7"]["e8"][0];
    assert_eq!((promotion.code.as_str(), promotion.promotion), ("e7e8d", None));

    let pieces = "rKd1 rPe10 bKa8 yKd14 gKn8";
    let mut table = at(teams(), &fen4('R', [0; 4], pieces));
    let choices = table.choices(RED);
    let letters: Vec<_> = targets(&choices)["e10"]["e11"].iter().map(|mv| mv.promotion).collect();
    assert_eq!(letters, ["B", "N", "Q", "R"].map(|letter| letter.chars().next()));
    let which = table.play("e10e11").unwrap_err().to_string();
    assert_eq!(which, "'e10e11' is ambiguous: e10-e11=Q or e10-e11=R or e10-e11=B or e10-e11=N");
    assert_eq!(table.play("e10e11n").unwrap().code, "e10e11n");
}

#[test]
fn refused_moves_have_a_reason() {
    let pieces = "rKh1 rRh4 rPe2 rPf2 rNj1 rBf1 bKa8 bQb4 bRh9 yKd14 yNf3 gKn8 gRg14 dPg10";
    let mut table = at(free_for_all(), &fen4('R', [0; 4], pieces));
    let mut refused = |text: &str| table.play(text).unwrap_err().to_string();
    assert_eq!(refused("d5d6"), "there is no piece on d5");
    assert_eq!(refused("b4b5"), "the queen on b4 is blue's");
    assert_eq!(refused("g10g11"), "the pawn on g10 is gray");
    assert_eq!(refused("h1h1"), "the piece is already on h1");
    assert_eq!(refused("h4h1"), "h1 is occupied by a king of the same color");
    assert_eq!(refused("j1h1"), "h1 is occupied by a king of the same color");
    assert_eq!(refused("j1j3"), "a knight does not move from j1 to j3");
    assert_eq!(refused("f1d3"), "the pawn on e2 is in the way");
    assert_eq!(refused("e2d3"), "pawns move diagonally only to capture: there is nothing on d3");
    assert_eq!(refused("f2f4"), "pawns capture only diagonally: the knight on f3 is in the way");
    assert_eq!(refused("e2e5"), "a pawn does not move from e2 to e5");
    assert_eq!(refused("h1j1"), "j1 is occupied by a knight of the same color");
    assert_eq!(refused("h1f1"), "f1 is occupied by a bishop of the same color");
    assert_eq!(refused("h1g1"), "the king would be attacked on g1");
    assert_eq!(refused("h4g4"), "the king would be left in check");
    assert_eq!(refused("e2e3q"), "only a pawn that reaches its promotion line can promote");
    assert_eq!(refused("Bf1-d3"), "the pawn on e2 is in the way");
    assert_eq!(refused("Rh4xRg4"), "the king would be left in check");
    assert_eq!(refused("Nh4-h5"), "'Nh4-h5' expects a knight on h4, but there is a rook");
    assert_eq!(refused("Rh4xh5"), "'Rh4xh5' captures nothing");
    let expected = "expected a move like 'h2-h3', 'Nj1xBi3', 'O-O' or 'h2h3'";
    assert_eq!(refused("a1a2"), format!("{expected}, got 'a1a2'"));
    assert_eq!(refused(&"\0x".repeat(5000)), format!("{expected}, got '{}…'", "\\0x".repeat(10)));

    let pieces = "rKh1 rRe4 bKa8 yKd14 yPe9 gKn8";
    let mut table = at(teams(), &fen4('R', [0; 4], pieces));
    assert_eq!(table.play("e4e9").unwrap_err().to_string(), "e9 is occupied by the partner's pawn");
    play(&mut table, "e4e8");
    table.declare(Declaration::Resign(YELLOW)).unwrap();
    assert!(matches!(table.play("a8a9"), Err(PlayError::Turn(TurnError::GameOver(..)))));
}

#[test]
fn captured_pieces_are_what_was_taken_and_whose_it_was() {
    let pieces = "rKh1 rPe8 rRe4 bKa8 bQe10 bPd9 yKd14 yNf9 gKn8 gPm9 dPg4";
    let mut table = at(teams(), &fen4('R', [0; 4], pieces));
    let captured = |table: &FourPlayerTable, seat: Seat| -> Vec<(char, Seat)> {
        table.scene().captured[seat.index()].iter().map(|piece| (piece.piece, piece.seat)).collect()
    };
    play(&mut table, "e8xd9 a8a9 d14d13 n8n9");
    assert_eq!(captured(&table, RED), [('P', BLUE)]);
    play(&mut table, "e4xe10");
    assert_eq!(captured(&table, RED), [('Q', BLUE), ('P', BLUE)], "the most valuable first");
    table.undo().unwrap();
    assert_eq!(captured(&table, RED), [('P', BLUE)]);
    play(&mut table, "e4g4");
    assert_eq!(captured(&table, RED), [('P', BLUE)]);
    play(&mut table, "a9a10 d13d12 n9n10 g4g3");
    assert_eq!(captured(&table, RED), [('P', BLUE)]);

    // One move captures a pawn en passant and also the knight on the en passant square.
    let board = "6,yK,7/14/14/14/14/14/bK,13/13,gK/2,yN,bP,10/3,rP,10/14/14/14/7,rK,6";
    let offer = "{'enPassant':('','c6:d6','','')}";
    let fen4 = format!("R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-{offer}-{board}");
    let mut table = at(free_for_all(), &fen4);
    play(&mut table, "d5xNc6");
    assert_eq!(captured(&table, RED), [('N', YELLOW), ('P', BLUE)]);
}

#[test]
fn forks_are_independent_and_seats_are_checked() {
    let mut table: Box<dyn Table> = Box::new(free_for_all());
    table.play("h2h4").unwrap();
    let mut watcher = table.fork();
    watcher.undo().unwrap();
    assert_eq!((table.ply(), watcher.ply()), (1, 0));
    assert_eq!(table.start(), watcher.position());
    let red = table.play_as(RED, "h4h5").unwrap_err();
    assert_eq!(red.to_string(), "red may not move now");
    let nobody = table.play_as(Seat::new(4), "h4h5").unwrap_err();
    assert_eq!(nobody.to_string(), "there is no seat 4: expected 0 to 3");
    let nobody = table.declare(Declaration::Resign(Seat::new(9))).unwrap_err();
    assert_eq!(nobody.to_string(), "there is no seat 9: expected 0 to 3");
    let far = table.jump(2).unwrap_err();
    assert_eq!(far.to_string(), "there is no ply 2: the last one is 1");
    let error = table.set("R-0,0,0,0").unwrap_err();
    assert!(error.to_string().starts_with("expected a FEN4 with 7 fields"), "{error}");
}

#[test]
fn scene_as_json() {
    let pieces = "rKh1 rPe2 bKa8 yKd14 gKn8 dNg10";
    let scene = at(free_for_all(), &fen4('R', [3, 0, 0, 20], pieces)).scene();
    let json = serde_json::to_value(&scene).unwrap();
    assert_eq!((&json["board"]["width"], &json["board"]["rows"][0][0]), (&14.into(), &().into()));
    assert_eq!(json["board"]["rows"][0][3], "d14");
    let edges: Vec<_> = ["bottom", "left", "top", "right"].into();
    assert_eq!(
        json["seats"].as_array().unwrap().iter().map(|seat| &seat["edge"]).collect::<Vec<_>>(),
        edges
    );
    assert_eq!(json["scores"], serde_json::json!([3, 0, 0, 20]));
    assert_eq!(json["teams"], serde_json::json!([]));
    assert_eq!(teams().scene().teams, [[RED, YELLOW], [BLUE, GREEN]]);
    let nobody = scene.pieces.iter().find(|piece| piece.square == "g10").unwrap();
    assert_eq!(nobody.seat, Seat::new(4), "a seat that the game does not have");
    assert!(scene.picture(Default::default()).svg().starts_with("<svg "));
}
