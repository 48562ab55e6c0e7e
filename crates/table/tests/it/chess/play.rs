//! Games, endings, refused moves and scenes.

use fourfold_chess::{Position, Variant};
use fourfold_table::{
    ChessTable, Declaration, DeclareError, GAMES, HistoryError, PlayError, Seat, Table, TurnError,
    make, targets,
};
use serde_json::json;

use super::{BLACK, WHITE, at, outcome, play};

#[test]
fn a_game_is_played_to_mate() {
    let mut table = ChessTable::new();
    play(&mut table, "e4 e7e5 Bc4 Nc6 d1h5 Nf6");
    assert_eq!(table.acting(), [WHITE]);
    let mating = table.play("Qxf7").unwrap();
    assert_eq!((&mating.text[..], &mating.code[..]), ("Qxf7#", "h5f7"));
    assert_eq!((mating.number, mating.seat), (4, WHITE));
    assert_eq!(outcome(&table), "white wins by checkmate");
    assert_eq!(table.outcome().unwrap().winners, [WHITE]);
    assert_eq!((table.acting(), table.choices(BLACK)), (vec![], vec![]));
    assert!(matches!(table.play("Kxf7"), Err(PlayError::Turn(TurnError::GameOver(..)))));
    assert_eq!(table.scene().check, ["e8"]);
    assert_eq!(table.scene().last_move, ["h5", "f7"]);
    table.undo().unwrap();
    assert_eq!(outcome(&table), "goes on");
}

#[test]
fn games_end_by_rule() {
    for (fen, last, text) in [
        ("7k/8/6K1/8/8/8/5Q2/8 w - - 0 1", "Qf7", "draw by stalemate"),
        ("4k3/8/8/8/8/8/3p4/4K3 w - - 0 1", "Kxd2", "draw by insufficient material"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 149 80", "Ra2", "draw by seventy-five moves"),
        ("7k/8/6K1/8/8/8/8/R7 w - - 149 100", "Ra8", "white wins by checkmate"),
    ] {
        let mut table = at(fen);
        assert_eq!(outcome(&table), "goes on", "{fen}");
        play(&mut table, last);
        assert_eq!(outcome(&table), text, "{fen}");
        assert!(table.acting().is_empty() && table.claimable().is_none(), "{fen}");
    }
}

#[test]
fn repetition_is_claimed_after_three_and_ends_the_game_after_five() {
    const THERE_AND_BACK: &str = "Nf3 Nf6 Ng1 Ng8";
    let mut table = ChessTable::new();
    play(&mut table, THERE_AND_BACK);
    let position = table.position();
    assert_eq!(
        table.declare(Declaration::Claim(WHITE)),
        Err(DeclareError::NothingToClaim(position))
    );
    play(&mut table, THERE_AND_BACK);
    assert_eq!(table.scene().claim.as_deref(), Some("threefold repetition"));
    let not_acting = DeclareError::Turn(TurnError::NotActing("black"));
    assert_eq!(table.declare(Declaration::Claim(BLACK)), Err(not_acting));

    let mut claimed = table.clone();
    claimed.declare(Declaration::Claim(WHITE)).unwrap();
    assert_eq!(outcome(&claimed), "draw by threefold repetition");
    assert_eq!((claimed.ply(), claimed.acting(), claimed.claimable()), (8, vec![], None));

    play(&mut table, THERE_AND_BACK);
    assert_eq!(outcome(&table), "goes on");
    play(&mut table, THERE_AND_BACK);
    assert_eq!(outcome(&table), "draw by fivefold repetition");
    table.undo().unwrap();
    assert_eq!((outcome(&table), table.claimable().is_some()), ("goes on".to_owned(), true));
}

#[test]
fn fifty_moves_are_claimed() {
    let mut table = at("4k3/8/8/8/8/8/8/R3K3 w - - 98 80");
    play(&mut table, "Ra2");
    assert_eq!(table.claimable(), None);
    play(&mut table, "Ke7");
    table.declare(Declaration::Claim(WHITE)).unwrap();
    assert_eq!(outcome(&table), "draw by fifty moves");
}

#[test]
fn undo_takes_back_a_declared_end_before_the_move() {
    let mut table = ChessTable::new();
    play(&mut table, "e4 e5");
    let before = table.clone();
    for (declaration, text) in [
        (Declaration::Resign(WHITE), "black wins by resignation"),
        (Declaration::Resign(BLACK), "white wins by resignation"),
        (Declaration::Flag(WHITE), "black wins by time forfeit"),
        (Declaration::Draw, "draw by agreement"),
    ] {
        table.declare(declaration).unwrap();
        assert_eq!((outcome(&table).as_str(), table.ply()), (text, 2));
        let over = DeclareError::Turn(TurnError::GameOver(table.outcome().unwrap()));
        assert_eq!(table.declare(Declaration::Draw), Err(over));
        table.undo().unwrap();
        assert_eq!((outcome(&table).as_str(), table.ply()), ("goes on", 2));
        table.redo().unwrap();
        assert_eq!(outcome(&table), text);
        table.jump(0).unwrap();
        assert_eq!((outcome(&table).as_str(), table.undone().len()), ("goes on", 2));
        table.jump(2).unwrap();
        assert_eq!(outcome(&table), text, "the end of the line is its declared end");
        table.undo().unwrap();
    }
    play(&mut table, "Nf3");
    assert_eq!(table.redo(), Err(HistoryError::NothingToRedo));
    table.undo().unwrap();
    assert_eq!(table.export(), before.export());
    let no_seat = DeclareError::Turn(TurnError::NoSeat { seat: Seat::new(2), seats: 2 });
    assert_eq!(table.declare(Declaration::Resign(Seat::new(2))), Err(no_seat));
}

#[test]
fn timeout_against_a_bare_king_is_a_draw() {
    for (seat, text) in
        [(WHITE, "draw by timeout vs insufficient material"), (BLACK, "white wins by time forfeit")]
    {
        let mut table = at("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
        table.declare(Declaration::Flag(seat)).unwrap();
        assert_eq!(outcome(&table), text);
    }
}

#[test]
fn refused_moves_have_a_reason() {
    let mut table = at("4k3/1P6/8/8/8/8/R6R/4K3 w - - 0 1");
    let mut refused = |text: &str| table.play(text).unwrap_err().to_string();
    let fen = "4k3/1P6/8/8/8/8/R6R/4K3 w - - 0 1";
    let expected = "expected a move like 'e4', 'Nf3', 'e8=Q', 'O-O' or 'e2e4'";
    assert_eq!(refused("Re2"), "'Re2' is ambiguous: Rae2+ or Rhe2+");
    assert_eq!(refused("b8"), "'b8' is ambiguous: b8=B or b8=N or b8=Q+ or b8=R+");
    assert_eq!(refused("b7b8"), "'b7b8' is ambiguous: b8=B or b8=N or b8=Q+ or b8=R+");
    assert_eq!(refused("Rb3"), format!("'Rb3' is not legal in {fen}"));
    assert_eq!(refused("a2b3"), "a rook does not move from a2 to b3");
    assert_eq!(refused("h2h8q"), "only a pawn that reaches the last rank promotes to a queen");
    assert_eq!(refused("e8d7"), "the king on e8 is Black's");
    assert_eq!(refused("e9"), format!("{expected}, got 'e9'"));
    assert_eq!(refused(""), format!("{expected}, got ''"));
    assert_eq!(refused(&"\0x".repeat(5000)), format!("{expected}, got '{}…'", "\\0x".repeat(10)));
    let black = table.play_as(BLACK, "Kd7").unwrap_err();
    assert_eq!(black.to_string(), "black may not move now");
    let nobody = table.play_as(Seat::new(9), "Kd7").unwrap_err();
    assert_eq!(nobody.to_string(), "there is no seat 9: expected 0 to 1");
    let far = table.jump(1).unwrap_err();
    assert_eq!(far.to_string(), "there is no ply 1: the last one is 0");
}

#[test]
fn chess960_castling_is_the_king_capturing_its_rook() {
    let mut table = ChessTable::chess960(518).unwrap();
    play(&mut table, "e4 e5 Nf3 Nf6 Bc4 Bc5");
    let choices = table.choices(WHITE);
    assert_eq!(targets(&choices)["e1"]["h1"][0].text, "O-O");
    play(&mut table, "e1h1");
    assert_eq!(table.scene().last_move, ["e1", "g1"]);
    assert!(table.export().contains("[Variant \"Chess960\"]"));
    let fen = table.position();
    table.set(&fen).unwrap();
    assert_eq!(table.current().variant(), Variant::Chess960);
}

#[test]
fn forks_are_independent() {
    let mut table: Box<dyn Table> = Box::new(ChessTable::new());
    table.play("e4").unwrap();
    let mut watcher = table.fork();
    watcher.undo().unwrap();
    assert_eq!((table.ply(), watcher.ply()), (1, 0));
    assert_eq!(watcher.undone(), table.played());
    assert_eq!((table.game(), table.seats()), ("chess", &["white", "black"][..]));
}

#[test]
fn start_scene_as_json() {
    let mut placed = Vec::new();
    for (rank, seat, pieces) in
        [(1, 0, "RNBQKBNR"), (2, 0, "PPPPPPPP"), (7, 1, "PPPPPPPP"), (8, 1, "RNBQKBNR")]
    {
        for (file, piece) in ('a'..).zip(pieces.chars()) {
            placed.push(json!({ "square": format!("{file}{rank}"), "piece": piece, "seat": seat }));
        }
    }
    let row = |rank: u32| ('a'..='h').map(|file| format!("{file}{rank}")).collect::<Vec<_>>();
    let scene = json!({
        "game": "chess",
        "board": {
            "width": 8,
            "height": 8,
            "surface": "checkered",
            "rows": (1..=8).rev().map(row).collect::<Vec<_>>(),
            "files": ["a", "b", "c", "d", "e", "f", "g", "h"],
            "ranks": ["8", "7", "6", "5", "4", "3", "2", "1"],
        },
        "seats": [{ "name": "white", "edge": "bottom" }, { "name": "black", "edge": "top" }],
        "teams": [],
        "eliminated": [],
        "scores": [],
        "seat_colors": "two",
        "colors": [],
        "piece_shapes": [],
        "pieces": placed,
        "captured": [[], []],
        "last_move": [],
        "check": [],
        "acting": [0],
        "ply": 0,
        "claim": null,
        "opening": null,
        "outcome": null,
    });
    let table = ChessTable::new();
    assert_eq!(serde_json::to_value(table.scene()).unwrap(), scene);
    assert_eq!(table.position(), Position::start().fen());
    let choices = table.choices(WHITE);
    assert_eq!(
        serde_json::to_value(&targets(&choices)["g1"]).unwrap(),
        json!({
            "f3": [{ "code": "g1f3", "text": "Nf3", "from": "g1", "to": "f3" }],
            "h3": [{ "code": "g1h3", "text": "Nh3", "from": "g1", "to": "h3" }],
        })
    );
}

/// Returns the pieces that White and Black have captured. All of them belonged to the opponent.
fn captured(table: &ChessTable) -> [String; 2] {
    [0, 1].map(|seat| {
        let captured = &table.scene().captured[seat];
        assert!(captured.iter().all(|captured| captured.seat.index() == 1 - seat));
        captured.iter().map(|captured| captured.piece).collect()
    })
}

#[test]
fn captured_pieces_are_what_was_taken_by_moves_in_effect() {
    let mut table = ChessTable::new();
    play(&mut table, "e4 d5 exd5 Qxd5 Nc3 Qxg2 Bxg2");
    assert_eq!(captured(&table), ["QP", "PP"]);
    table.undo().unwrap();
    assert_eq!(captured(&table), ["P", "PP"]);

    // A pawn captured en passant, and a promoted piece with its new role.
    let mut table = at("4k3/3p4/8/4P3/8/8/6p1/4K2R b K - 0 1");
    play(&mut table, "d5 exd6 gxh1=Q+ Ke2 Qh2+ Ke3 Qg1+ Kf4 Qg5+ Kxg5");
    assert_eq!(captured(&table), ["QP", "R"]);
}

#[test]
fn start_does_not_change() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let mut table = at(fen);
    play(&mut table, "e4 Kd7");
    table.undo().unwrap();
    assert_eq!((table.start().as_str(), table.ply()), (fen, 1));
}

#[test]
fn games_are_created_by_id() {
    for game in GAMES {
        let table = make(game.id).unwrap();
        assert_eq!((table.game(), table.seats()), (game.id, game.seats));
        assert_eq!(table.start(), table.position());
    }
    let chess =
        json!({ "id": "chess", "name": "Chess", "extension": "pgn", "seats": ["white", "black"] });
    assert_eq!(serde_json::to_value(GAMES[0]).unwrap(), chess);
    let unknown = make("ch\0ss").err().unwrap();
    let known: Vec<&str> = GAMES.iter().map(|game| game.id).collect();
    assert_eq!(
        unknown.to_string(),
        format!("unknown game 'ch\\0ss': expected one of {}", known.join(", "))
    );
}

#[test]
fn declarations_as_json() {
    let declared = [Declaration::Resign(BLACK), Declaration::Claim(WHITE), Declaration::Draw];
    let stored = json!([{ "resign": 1 }, { "claim": 0 }, "draw"]);
    assert_eq!(serde_json::to_value(declared).unwrap(), stored);
    assert_eq!(serde_json::from_value::<[Declaration; 3]>(stored).unwrap(), declared);
}
