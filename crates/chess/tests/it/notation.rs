//! Notations: round trips, bounded fuzzing of every parser, and error messages.

use crate::properties;

use fourfold_chess::pgn::{Game, GameResult, Line, Node, PgnErrorKind, Reader};
use fourfold_chess::{BOARD, Color, FenField, Piece, Position, Setup, Square, Variant};
use fourfold_common::SplitMix64;
use proptest::prelude::*;

/// A position from random play in either variant.
fn position() -> impl Strategy<Value = Position> {
    (0u16..1920, 0u8..150, any::<u64>())
        .prop_map(|(start, plies, seed)| properties::position(start, plies, seed))
}

/// A game whose moves carry comments, annotations and variations.
fn game() -> impl Strategy<Value = Game> {
    (position(), any::<u64>(), proptest::collection::vec("[ -~àß}{;\\\\\"]{0,30}", 1..6)).prop_map(
        |(start, seed, texts)| {
            let mut rng = SplitMix64::new(seed);
            let mut game = Game::new(start);
            game.line = line(start, &mut rng, &texts, 3);
            game.set_tag("White", &texts[0]);
            let results =
                [GameResult::Won(Color::White), GameResult::Won(Color::Black), GameResult::Drawn];
            game.set_result(results[(seed % 3) as usize]);
            game
        },
    )
}

fn line(start: Position, rng: &mut SplitMix64, texts: &[String], depth: u32) -> Line {
    let comments = |rng: &mut SplitMix64| -> Vec<String> {
        let text = &texts[(rng.next() % texts.len() as u64) as usize];
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if rng.next().is_multiple_of(4) && !words.is_empty() { vec![words] } else { Vec::new() }
    };
    let mut line = Line { comments: comments(rng), moves: Vec::new() };
    let mut position = start;
    for _ in 0..rng.next() % 12 {
        let list = position.legal_moves();
        let Some(index) = rng.next().checked_rem(list.len() as u64) else { break };
        let mut node = Node::new(list[index as usize]);
        node.comments = comments(rng);
        if rng.next().is_multiple_of(4) {
            node.nags.push((rng.next() % 256) as u8);
        }
        if depth > 0 && rng.next().is_multiple_of(4) {
            node.variations.push(self::line(position, rng, texts, depth - 1));
        }
        position.play_unchecked(node.mv);
        line.moves.push(node);
    }
    line
}

proptest! {
    #[test]
    fn a_fen_reads_back(position in position()) {
        let read = Position::from_fen_in(&position.fen(), position.variant());
        prop_assert_eq!(read, Ok(position));
        properties::fen(&position.fen());
    }

    #[test]
    fn every_legal_move_reads_back(position in position()) {
        for &mv in &position.legal_moves() {
            properties::is_read_back(&position, mv);
        }
    }

    #[test]
    fn a_game_reads_back(game in game()) {
        let written = game.to_string();
        let read: Vec<Game> =
            Reader::new(written.as_bytes()).collect::<Result<_, _>>().map_err(|error| {
                TestCaseError::fail(format!("{error}\n{written}"))
            })?;
        prop_assert_eq!(&read[..], &[game][..], "\n{}", written);
    }

    #[test]
    fn consecutive_games_are_read_separately(games in proptest::collection::vec(game(), 0..4)) {
        let written: String = games.iter().map(|game| format!("{game}\n")).collect();
        let read: Result<Vec<Game>, _> = Reader::new(written.as_bytes()).collect();
        prop_assert_eq!(read.expect("what we wrote"), games);
    }

    #[test]
    fn any_text_is_a_fen_or_an_error(text in "\\PC{0,90}") {
        properties::fen(&text);
    }

    #[test]
    fn a_damaged_fen_is_a_fen_or_an_error(
        position in position(), place in any::<prop::sample::Index>(), letter in any::<char>(),
    ) {
        let mut letters: Vec<char> = position.fen().chars().collect();
        let place = place.index(letters.len());
        letters[place] = letter;
        let text: String = letters.iter().collect();
        properties::fen(&text);
        properties::lenient_fen(&text);
    }

    #[test]
    fn fields_of_fens_in_any_order_are_a_position_or_an_error(
        position in position(),
        fields in proptest::collection::vec(
            prop::sample::select(vec!["w", "b", "White", "-", "KQkq", "qkQK", "HAha", "Hq", "e3", "a6", "0", "007", "12x", "x"]),
            0..6,
        ),
        space in " {1,3}|\t",
    ) {
        let board = position.fen().split(' ').next().unwrap().to_owned();
        let text = std::iter::once(&board[..]).chain(fields).collect::<Vec<_>>().join(&space);
        properties::lenient_fen(&text);
        properties::lenient_fen(&position.fen().replace(' ', &space));
    }

    #[test]
    fn the_board_of_a_fen_is_read_as_letter_by_letter(
        field in "([PNBRQKpnbrqk1-8]{1,8}/){7}[PNBRQKpnbrqk1-8]{1,8}|[PNBRQKpnbrqk0-9/x]{1,80}",
        position in position(), place in any::<prop::sample::Index>(), letter in "[PNBRQKpnbrqk1-8/x]",
    ) {
        let mut near = position.fen().split(' ').next().unwrap().to_owned();
        let place = place.index(near.len());
        near.replace_range(place..=place, &letter);
        for field in [field, near] {
            let fen = format!("{field} w - - 0 1");
            match (Setup::from_fen_in(&fen, Variant::Standard), board(&field)) {
                (Ok(setup), Some(pieces)) => {
                    let found: Vec<_> = setup.board.iter_pieces().collect();
                    prop_assert_eq!(found, pieces, "{}", field);
                }
                (Err(error), None) => {
                    let message = error.to_string();
                    prop_assert!(message.contains("rank"), "{field}: {message}");
                }
                (read, slowly) => prop_assert!(false, "{field}: {read:?} but {slowly:?}"),
            }
        }
    }

    #[test]
    fn any_text_is_a_move_or_an_error(
        position in position(), text in "\\PC{0,8}|[a-h][1-8][a-h][1-8][qrbn]?|[NBRQK]?[a-h]?[1-8]?x?[a-h][1-8](=?[NBRQ])?[+#]?",
    ) {
        properties::uci(&position, &text);
        properties::san(&position, &text);
    }

    #[test]
    fn any_bytes_are_games_or_errors(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        properties::pgn(&bytes);
    }

    #[test]
    fn words_of_pgn_in_any_order_are_games_or_errors(
        words in proptest::collection::vec(
            prop::sample::select(vec![
                "1.", "1...", "e4", "e5", "Nf3", "Nc6", "d4!", "d5?!", "(", ")", "{", "}", "{a}",
                "; b\n", "$1", "$999", "$", "1-0", "0-1", "1/2-1/2", "*", "\n", "\n\n",
                "\n[Event \"x\"]", "\n[FEN \"8\"]", "[Result \"*\"]", "%\n", "\n% e5\n", "[", "]",
                "O-O", "0-0", "--", "!", "\"", "\\", "e.p.", "é", "\r", "1/2", "e4e.p.", "e5!!!",
                "\n[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]", "\n[SetUp \"1\"]", "\n[A \"b\rc\"]",
                "\n[Variant \"standard\"]", "\n[Variant \"chess960\"]", "0000", "Z0", "g1f3",
                "Ng1-f3", "e4*", "e5+=", "N", "D", "(=)", "1.", "1", "2.", "foo", "Ke3", "a8(Q)", "♘f3",
                "\n\n[A-b \"c\"d\"]\n", "\n[x]\n", "\r\n", "\n[FEN \"4k3/P7/8/8/8/8/8/4K3 w\"]\n", "ep",
                "\n[Event \"C:\\\"]\n", "\n[B \"\"]x\"]\n",
            ]),
            0..60,
        )
    ) {
        properties::pgn(words.join(" ").as_bytes());
    }
}

/// Reads the pieces in the board field of a FEN character by character; `None` if it is invalid.
fn board(field: &str) -> Option<Vec<(Square, Piece)>> {
    let ranks: Vec<&str> = field.split('/').collect();
    let mut pieces = Vec::new();
    for (rank, text) in ranks.iter().rev().enumerate() {
        let mut file = 0;
        let mut before = ' ';
        for letter in text.chars() {
            if let Some(piece) = Piece::from_letter(letter) {
                pieces.push((BOARD.square(file, rank as i32)?, piece));
                file += 1;
            } else if ('1'..='8').contains(&letter) && !before.is_ascii_digit() {
                file += letter.to_digit(10)? as i32;
            } else {
                return None;
            }
            before = letter;
        }
        if file != 8 {
            return None;
        }
    }
    (ranks.len() == 8).then_some(pieces)
}

fn fen_error(fen: &str) -> (FenField, String) {
    let error = Position::from_fen(fen).expect_err(fen);
    (error.field, error.to_string())
}

#[test]
fn a_bad_fen_names_its_field() {
    for (fen, field, message) in [
        (
            "",
            FenField::Count,
            "invalid FEN: fields: expected 6 fields separated by single spaces (board, turn, castling, en passant, halfmove clock, move number), got 1 in ''",
        ),
        (
            "8/8/8/8/8/8/8 w - - 0 1",
            FenField::Board,
            "invalid FEN: board: expected 8 ranks separated by '/', got 7, in '8/8/8/8/8/8/8'",
        ),
        (
            "4k3/8/8/9/8/8/8/4K3 w - - 0 1",
            FenField::Board,
            "invalid FEN: board: expected a piece or a number from 1 to 8 in rank 5, got '9', in '4k3/8/8/9/8/8/8/4K3'",
        ),
        (
            "4k3/8/8/7/8/8/8/4K3 w - - 0 1",
            FenField::Board,
            "invalid FEN: board: expected 8 squares in rank 5, got 7, in '4k3/8/8/7/8/8/8/4K3'",
        ),
        (
            "4k3/8/8/44/8/8/8/4K3 w - - 0 1",
            FenField::Board,
            "invalid FEN: board: expected a piece after a number in rank 5, got '4', in '4k3/8/8/44/8/8/8/4K3'",
        ),
        (
            "4k3/8/8/8/8/8/8/8 w - - 0 1",
            FenField::Board,
            "invalid FEN: board: White has no king, in '4k3/8/8/8/8/8/8/8'",
        ),
        (
            "4k2P/8/8/8/8/8/8/4K3 w - - 0 1",
            FenField::Board,
            "invalid FEN: board: a pawn cannot stand on h8, in '4k2P/8/8/8/8/8/8/4K3'",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 x - - 0 1",
            FenField::Turn,
            "invalid FEN: turn: expected 'w' or 'b', got 'x'",
        ),
        (
            "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
            FenField::Turn,
            "invalid FEN: turn: Black is in check but has just moved, in 'w'",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w Q - 0 1",
            FenField::Castling,
            "invalid FEN: castling: no king and rook for the right 'Q' in 'Q'",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w H - 0 1",
            FenField::Castling,
            "invalid FEN: castling: expected '-' or letters of 'KQkq' in that order, got 'H'",
        ),
        (
            "4k3/8/8/8/8/8/8/4K1R1 w K - 0 1",
            FenField::Castling,
            "invalid FEN: castling: no king can castle with a rook on g1, in 'K'",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - e9 0 1",
            FenField::EnPassant,
            "invalid FEN: en passant: expected '-' or a square, got 'e9'",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - e6 0 1",
            FenField::EnPassant,
            "invalid FEN: en passant: no pawn has just stepped over e6, in 'e6'",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - -1 1",
            FenField::Halfmoves,
            "invalid FEN: halfmove clock: expected a number from 0 to 9999, got '-1'",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 x",
            FenField::Fullmoves,
            "invalid FEN: move number: expected a number from 1 to 9999, got 'x'",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 0",
            FenField::Fullmoves,
            "invalid FEN: move number: expected a number from 1 to 9999, got '0'",
        ),
    ] {
        assert_eq!(fen_error(fen), (field, message.to_owned()), "{fen}");
    }
}

#[test]
fn a_bad_setup_names_every_fault() {
    let setup = Setup::from_fen_in("P7/8/8/8/8/8/8/8 w - - 0 1", Variant::Standard).unwrap();
    let faults = setup.validate().unwrap_err().to_string();
    assert_eq!(faults, "White has no king; Black has no king; a pawn cannot stand on a8");
    let setup = Setup { en_passant: Some(Square::new(100)), fullmoves: 0, ..Setup::start() };
    let faults = setup.validate().unwrap_err().to_string();
    assert_eq!(
        faults,
        "no pawn has just stepped over e13; expected a move number from 1 to 9999, got 0"
    );
}

#[test]
fn a_bad_move_says_why() {
    let position = Position::from_fen("4k3/8/8/8/8/8/R6R/4K3 w - - 0 1").unwrap();
    let san = |text| position.parse_san(text).unwrap_err().to_string();
    assert_eq!(san("Re2"), "'Re2' is ambiguous: Rae2+ or Rhe2+");
    assert_eq!(san("Ra9"), "expected a move like 'e4', 'Nbd7', 'exd5', 'e8=Q' or 'O-O', got 'Ra9'");
    assert_eq!(san("Rb3"), "'Rb3' is not legal in 4k3/8/8/8/8/8/R6R/4K3 w - - 0 1");
    let uci = |text| position.parse_uci(text).unwrap_err().to_string();
    assert_eq!(uci("a2"), "expected a move like 'e2e4' or 'e7e8q', got 'a2'");
    assert_eq!(uci("a2b3"), "'a2b3' is not legal in 4k3/8/8/8/8/8/R6R/4K3 w - - 0 1");
}

#[test]
fn common_forms_of_san_are_accepted() {
    let position = Position::from_fen("r3k2r/1P6/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1").unwrap();
    for (text, uci) in [
        ("O-O", "e1g1"),
        ("0-0-0", "e1c1"),
        ("exd6", "e5d6"),
        ("ed6", "e5d6"),
        ("b8=Q+", "b7b8q"),
        ("b8N", "b7b8n"),
        ("bxa8=R#", "b7a8r"),
        ("Raxa8+!?", "a1a8"),
        ("Ra1xa8", "a1a8"),
        ("e5-e6", "e5e6"),
    ] {
        assert_eq!(position.parse_san(text), position.parse_uci(uci), "{text}");
    }
    for text in ["b8", "b8=K", "b8=P", "xd6", "Oh", "O-O-O-O", "K", "", "e", "Rxa8=Q", "é4", "Nbé4"]
    {
        assert!(position.parse_san(text).is_err(), "{text}");
    }
}

fn read(text: &str) -> Vec<Result<Game, String>> {
    Reader::strict(text.as_bytes()).map(|game| game.map_err(|error| error.to_string())).collect()
}

#[test]
fn errors_have_a_location_and_reading_continues() {
    let text = "[Event \"one\"]\n\n1. e4 e5 2. Ke3 *\n\n[Event \"two\"]\n\n1. d4 d5 *\n\n\
                [Event \"three\"\n[Site \"x\"]\n\n1. c4 *\n\n[Event \"four\"]\n[FEN \"8\"]\n\n*\n\n\
                [Event \"five\"]\n\n1. e4 (1. d4 *\n\n[Event \"six\"]\n\n1. e4) *\n\n\
                [Event \"seven\"]\n\n$3 1. e4 *\n\n[Event \"eight\"]\n\n1. e4 $256 *\n\n\
                [Event \"nine\"]\n\n1. e4 { never\nclosed\n\n";
    let games = read(text);
    let results: Vec<String> = games
        .iter()
        .map(|game| match game {
            Ok(game) => game.tag("Event").unwrap_or_default().to_owned(),
            Err(error) => error.clone(),
        })
        .collect();
    assert_eq!(
        results,
        [
            "line 3, column 13: 'Ke3' is not legal in rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2",
            "two",
            "line 9, column 1: expected a tag like [Name \"value\"] on one line",
            "line 15, column 1: invalid FEN: fields: expected 6 fields separated by single spaces (board, turn, castling, en passant, halfmove clock, move number), got 1 in '8'",
            "line 21, column 7: unclosed variation: '(' without ')'",
            "line 25, column 6: ')' without a matching '('",
            "line 29, column 1: annotation or variation before the first move",
            "line 33, column 7: expected an annotation from $0 to $255, got '256'",
            "line 37, column 7: unclosed comment: '{' without '}'",
        ]
    );
}

#[test]
fn a_bad_game_ends_with_its_result_even_where_no_tags_follow() {
    let text = "1. e4 e5 2. Ke3 Nf6 1-0\n1. d4 *\n\n[FEN \"8\"]\n\n*\n1. c4 *\n\
                1. e5 { we looked at 1-0\n and { at 0-1\n } d5 ; not 1-0\n2. a4 {x} 1/2-1/2 {y}\n1. f4 *\n\
                1. b5\n[Event \"last\"]\n\n1. b4 *";
    let first = |game: Result<Game, String>| {
        game.ok().and_then(|game| game.moves().next().map(|mv| mv.uci(Variant::Standard)))
    };
    let results: Vec<Option<String>> = read(text).into_iter().map(first).collect();
    let results: Vec<&str> = results.iter().map(|code| code.as_deref().unwrap_or("bad")).collect();
    assert_eq!(results, ["bad", "d2d4", "bad", "c2c4", "bad", "f2f4", "bad", "b2b4"]);
}

#[test]
fn a_bad_tag_ends_the_game_before_it() {
    let games = read(
        "[Event \"a\"]\n\n1. e4\n\n[Event \"b\"\n[Site \"x\"]\n\n1. d4 *\n\n[Event \"c\"]\n\n*\n",
    );
    assert_eq!(games.len(), 3);
    assert_eq!(games[0].as_ref().unwrap().moves().count(), 1);
    let error = "line 5, column 1: expected a tag like [Name \"value\"] on one line";
    assert_eq!(games[1].as_ref().unwrap_err(), error);
    assert_eq!(games[2].as_ref().unwrap().tag("Event"), Some("c"));
}

#[test]
fn long_lines_are_read_in_linear_time() {
    // Five megabytes on one line: a reader that counts columns from the start of the line would
    // need minutes.
    let text = format!("1. e4 {} *", "$1 ".repeat(1_700_000));
    let game = Reader::new(text.as_bytes()).next().unwrap().unwrap();
    assert_eq!(game.line.moves[0].nags.len(), 1_700_000);
}

#[test]
fn deep_nesting_is_rejected_without_overflow() {
    let text = format!("1. e4 {}", "( 1. d4 ".repeat(100_000));
    let error = Reader::strict(text.as_bytes()).next().unwrap().unwrap_err();
    assert!(matches!(error.kind, PgnErrorKind::TooDeep), "{error}");
    assert_eq!(error.offset, 6 + 8 * 100);
}

#[test]
fn common_deviations_from_the_standard_are_accepted() {
    let text = b"\xef\xbb\xbf[White \"M\xfcller\"]\n[Black \"a \\\"b\\\" \\\\\"]\n% an escaped line\n\n\
                 1.e4 e5 2. Nf3!? ; a comment to the end\n 2... Nc6?! 3.Bb5{Ruy}a6$10(3...d6) 1/2-1/2\n\
                 1. d4 *";
    let games: Vec<Game> = Reader::new(&text[..]).map(Result::unwrap).collect();
    assert_eq!(games.len(), 2);
    assert_eq!(games[0].tag("Black"), Some("a \"b\" \\"));
    assert!(games[0].tag("White").is_some_and(|name| name.ends_with("ller")));
    assert_eq!(games[0].result, GameResult::Drawn);
    let moves = &games[0].line.moves;
    assert_eq!(moves.len(), 6);
    assert_eq!(moves[2].nags, [5]);
    assert_eq!(moves[2].comments, ["a comment to the end"]);
    assert_eq!(moves[3].nags, [6]);
    assert_eq!(moves[4].comments, ["Ruy"]);
    assert_eq!((&moves[5].nags[..], moves[5].variations.len()), (&[10][..], 1));
    assert_eq!(games[0].positions().count(), 7);
    let text = "1. e4 d5 2. e5 f5 3. exf6e.p.!!! (3. d4 *) 3... exf6 1/2 { drawn } ; soon\n1. d4 *";
    let games: Vec<Game> = Reader::new(text.as_bytes()).map(Result::unwrap).collect();
    assert_eq!((games.len(), games[0].result), (2, GameResult::Drawn));
    let moves = &games[0].line.moves;
    assert_eq!((&moves[4].nags[..], moves[4].variations.len()), (&[3][..], 1));
    assert_eq!(moves[5].comments, ["drawn", "soon"]);
    assert!(games[1].line.comments.is_empty());
}

#[test]
fn a_game_is_written_as_other_programs_write_it() {
    let text = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n\
                [Black \"?\"]\n[Result \"1-0\"]\n\n1. e4 { best by test } e5 2. Nf3 ( 2. f4 exf4 $1 ) 2... Nc6 1-0\n";
    let game = Reader::new(text.as_bytes()).next().unwrap().unwrap();
    assert_eq!(
        game.to_string(),
        text.replace("1. e4 { best by test } e5", "1. e4 { best by test } 1... e5")
    );
}
