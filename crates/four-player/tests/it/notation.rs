//! Notations: round trips, bounded fuzzing of every parser, and error messages.

use crate::properties;

use fourfold_common::SplitMix64;
use fourfold_four_player::pgn4::{Game, GameResult, Line, Node, Reader};
use fourfold_four_player::{History, Position, Rules, StartPosition};
use proptest::prelude::*;

/// A position from random play, with one of several sets of rules.
fn position() -> impl Strategy<Value = Position> {
    (0u8..8, 0u8..200, any::<u64>())
        .prop_map(|(rules, plies, seed)| properties::position(rules, plies, seed))
}

/// A game whose plies carry comments, annotations and variations.
fn game() -> impl Strategy<Value = Game> {
    let texts = proptest::collection::vec("[ -~àß}{;\\\\\"]{0,30}", 1..6);
    (position(), any::<u64>(), texts).prop_map(|(start, seed, texts)| {
        let mut rng = SplitMix64::new(seed);
        // A FEN4 does not record draws, so a game that ended in one is in progress again.
        let start = Position::from_fen4(&start.fen4(), start.rules()).expect("our own");
        let mut game = Game::new(start);
        let (line, end) = line(start, History::new(&start), &mut rng, &texts, 3);
        game.line = line;
        game.set_tag("Red", &texts[0]);
        if seed.is_multiple_of(3) {
            game.set_tag("RuleVariants", "DeadKingWalking EnPassant PromoteTo=D");
        }
        if seed.is_multiple_of(2) {
            game.set_result(GameResult::of(&end));
        }
        game
    })
}

fn line(
    start: Position,
    mut history: History,
    rng: &mut SplitMix64,
    texts: &[String],
    depth: u32,
) -> (Line, Position) {
    let comments = |rng: &mut SplitMix64| -> Vec<String> {
        let text = &texts[(rng.next() % texts.len() as u64) as usize];
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if rng.next().is_multiple_of(4) && !words.is_empty() { vec![words] } else { Vec::new() }
    };
    let mut line = Line { comments: comments(rng), moves: Vec::new() };
    let mut position = start;
    for _ in 0..rng.next() % 20 {
        let Some(ply) = properties::ply(&position, rng) else { break };
        let mut node = Node::new(ply);
        node.comments = comments(rng);
        if rng.next().is_multiple_of(4) {
            node.nags.push((rng.next() % 256) as u8);
        }
        if depth > 0 && rng.next().is_multiple_of(4) {
            let history = history.clone();
            node.variations.push(self::line(position, history, rng, texts, depth - 1).0);
        }
        ply.play(&mut position, &mut history).expect("a legal ply");
        line.moves.push(node);
    }
    (line, position)
}

proptest! {
    #[test]
    fn a_fen4_reads_back(position in position()) {
        properties::fen4(&position.fen4());
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
            Reader::strict(written.as_bytes()).collect::<Result<_, _>>().map_err(|error| {
                TestCaseError::fail(format!("{error}\n{written}"))
            })?;
        prop_assert_eq!(&read[..], &[game][..], "\n{}", written);
    }

    #[test]
    fn a_whole_game_reads_back(
        rules in 0u8..8, opening in 0usize..5, plies in 0u8..=255, seed in any::<u64>(),
    ) {
        let start = Position::start(StartPosition::ALL[opening], properties::rules(rules));
        let (played, end) = properties::game(start, plies, seed);
        let mut game = Game::new(start);
        game.line.moves = played.iter().map(|&(_, ply)| Node::new(ply)).collect();
        game.set_result(GameResult::of(&end));
        let written = game.to_string();
        let read = Reader::strict(written.as_bytes()).next().expect("a game");
        let read = read.map_err(|error| TestCaseError::fail(format!("{error}\n{written}")))?;
        prop_assert_eq!(read.positions().last(), Some(end));
        prop_assert_eq!(read, game, "\n{}", written);
    }

    #[test]
    fn consecutive_games_are_read_separately(games in proptest::collection::vec(game(), 0..4)) {
        let written: String = games.iter().map(|game| format!("{game}\n")).collect();
        let read: Result<Vec<Game>, _> = Reader::strict(written.as_bytes()).collect();
        prop_assert_eq!(read.expect("what we wrote"), games);
    }

    #[test]
    fn any_text_is_a_fen4_or_an_error(text in "\\PC{0,90}") {
        properties::fen4(&text);
    }

    #[test]
    fn a_damaged_fen4_is_a_fen4_or_an_error(
        position in position(), place in any::<prop::sample::Index>(),
        letter in "[0-9a-zA-Z,/(){}':-]",
    ) {
        let mut text = position.fen4();
        let place = place.index(text.len());
        text.replace_range(place..=place, &letter);
        properties::fen4(&text);
    }

    #[test]
    fn any_text_is_a_move_or_an_error(
        position in position(),
        text in "\\PC{0,8}|[NBRQKDP]?[a-n][0-9]{1,2}[-x]?[NBRQKDP]?[a-n][0-9]{1,2}(=?[NBRQD])?[+#]?",
    ) {
        properties::moves(&position, &text);
    }

    #[test]
    fn any_bytes_are_games_or_errors(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        properties::pgn4(&bytes);
    }

    #[test]
    fn words_of_pgn4_in_any_order_are_games_or_errors(
        words in proptest::collection::vec(
            prop::sample::select(vec![
                "1.", "..", ".", "h2-h3", "b7-c7", "g13-g12", "m8-l8", "h2-h4!", "b4-d4?!", "(",
                ")", "{", "}", "{a}", "; b\n", "$1", "$999", "$", "1-0", "0-1", "1/2-1/2", "*",
                "1/2", "%\n", "\n% h2-h3\n",
                "\n", "\n\n", "R", "T", "S", "#", "R#", "yR", "gT", "D", "C", "O-O", "Kh1-h2R",
                "\n[Red \"x\"]", "\n[StartFen4 \"8\"]", "[Result \"*\"]", "[", "]", "!", "\"",
                "\\", "é", "\r", "\n[Variant \"Teams\"]", "\n[StartFen4 \"4PCo\"]",
                "\n[StartFen4 \"4\nPC\"]", "\n[Rules \"immediate\"]", "\n[A \"b\rc\"]",
                "\n[RuleVariants \"DeadKingWalking\"]", "[Result \"a: 1 - b: 2 - c: 3 - d: 4\"]",
                "\n[StartFen4 \"R-0,1,0,1-0,0,0,0-0,0,0,0-0,0,0,0-0-14/14/14/14/14/14/6,yK,7/14/14\
                 /14/14/14/14/7,rK,6\"]", "Kh1-g1", "Kg8-g7", "Kg1-h1", "Kg7-g8",
            ]),
            0..40,
        )
    ) {
        properties::pgn4(words.join(" ").as_bytes());
    }
}

#[test]
fn common_forms_of_moves_are_accepted() {
    let mut position = Position::start(StartPosition::Classic, Rules::TEAMS);
    for text in ["h2-h3", "b8c8", "g13-g12+", "m7-l7#"] {
        position.play(position.parse_notation(text).unwrap()).unwrap();
    }
    let queen = position.parse_move("g1n8").unwrap();
    for text in ["Qg1xQn8+", "Qg1xn8", "g1xn8", "Qg1-n8", "g1n8"] {
        assert_eq!(position.parse_notation(text), Ok(queen), "{text}");
    }
    for (text, message) in [
        ("Dg1xQn8", "'Dg1xQn8' expects a one-point queen on g1, but there is a queen"),
        ("Qg1xRn8", "'Qg1xRn8' expects a rook on n8, but there is a queen"),
        ("Qg2-g3", "'Qg2-g3' expects a queen on g2, but there is a pawn"),
        ("Qa7-b8", "'Qa7-b8' expects a queen on a7, but there is no piece"),
        ("g2xg3", "'g2xg3' captures nothing"),
        ("g2-g5", "'g2-g5' is not legal here"),
        ("O-O", "'O-O' is not legal here"),
        ("", "expected a move like 'h2-h3', 'Qg1xQn8+', 'h7-h8=D' or 'O-O', got ''"),
        ("g2-", "expected a move like 'h2-h3', 'Qg1xQn8+', 'h7-h8=D' or 'O-O', got 'g2-'"),
        ("g2-g3=", "expected a move like 'h2-h3', 'Qg1xQn8+', 'h7-h8=D' or 'O-O', got 'g2-g3='"),
        ("a1-g3", "expected a move like 'h2-h3', 'Qg1xQn8+', 'h7-h8=D' or 'O-O', got 'a1-g3'"),
        ("é2-g3", "expected a move like 'h2-h3', 'Qg1xQn8+', 'h7-h8=D' or 'O-O', got 'é2-g3'"),
    ] {
        assert_eq!(position.parse_notation(text).unwrap_err().to_string(), message);
    }
}

#[test]
fn castling_promotion_and_en_passant_have_their_signs() {
    // Red can castle short, promote on e8 or d8, and capture Blue's pawn on d5 en passant.
    let fen4 = "R-0,0,0,0-1,0,0,0-0,0,0,0-0,0,0,0-0-{'enPassant':('','c5:d5','','')}-\
                6,yK,7/14/14/14/14/14/bK,2,yN,9,gK/4,rP,9/14/3,bP,10/1,rP,12/14/14/7,rK,2,rR,3";
    let position = Position::from_fen4(fen4, Rules::FREE_FOR_ALL).unwrap();
    for (text, mv) in
        [("O-O", "h1j1"), ("e7-e8=D+", "e7e8d"), ("e7xNd8=D++", "e7d8d"), ("b4xc5", "b4c5")]
    {
        let mv = position.parse_move(mv).unwrap();
        assert_eq!(position.notation(mv), text);
        assert_eq!(position.parse_notation(text), Ok(mv));
    }
    for text in ["e7-e8", "e7-e8=Q", "e7e8q", "e7-e8D"] {
        assert_eq!(position.parse_notation(text), position.parse_move("e7e8d"), "{text}");
    }
    assert_eq!(position.parse_notation("b4xPc5"), position.parse_move("b4c5"));
    let message = "'b4xNc5' expects a knight on c5, but there is a pawn";
    assert_eq!(position.parse_notation("b4xNc5").unwrap_err().to_string(), message);
}

#[test]
fn a_check_by_a_piece_that_captures_a_checking_piece_has_its_sign() {
    // The rook on h7 checks Blue, and so does the queen that captures it.
    let fen4 = "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-\
                6,yK,7/14/14/14/14/14/13,gK/bK,6,yR,6/14/14/7,rQ,6/14/14/7,rK,6";
    let position = Position::from_fen4(fen4, Rules::FREE_FOR_ALL).unwrap();
    for (mv, text) in [("h4h7", "Qh4xRh7+"), ("h4h6", "Qh4-h6")] {
        let mv = position.parse_move(mv).unwrap();
        assert_eq!(position.notation(mv), text);
        assert_eq!(position.parse_notation(text), Ok(mv));
    }
}

#[test]
fn fen4s_of_other_programs_are_read() {
    let rules = Rules::FREE_FOR_ALL;
    let board = "6,yK,7/14/14/14/14/14/13,gK/bK,13/14/14/7,bR,6/14/14/6,rK,7";
    let plain = format!("Y-0,0,0,0-0,0,0,0-0,0,0,0-0,1,0,0-0-{board}");
    let dead = "B-1,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-{'resigned':(true,false,false,false)}-\
                6,yK,7/14/14/14/14/14/13,gK/bK,13/14/14/4,drP,9/14/14/7,drK,6";
    for (text, expected) in [
        // The pawn that skipped h3 has been captured.
        (plain.replace("-6,", "-{'enPassant':('h3:h4','','','')}-6,"), &plain[..]),
        (plain.replace("-6,", "-{'enPassant':('','','',''),'gameOver':'x'}-6,"), &plain),
        (plain.replace("-6,", "-{'gameOver':''}-6,"), &plain),
        (plain.replace('/', "/\n"), &plain),
        (plain.to_lowercase(), &plain),
        (plain.to_uppercase(), &plain),
        (plain.replace("0,1,0,0-0-", "00,01,0,0-000-"), &plain),
        // Castling rights without rooks.
        (plain.replacen("-0,0,0,0-0,0,0,0-0,1", "-1,1,1,1-1,1,1,1-0,1", 1), &plain),
        (dead.replace("drP", "rP").replace("drK", "rK"), dead),
        (dead.replace("B-1,", "B-0,"), dead),
    ] {
        let read = Position::from_fen4_lenient(&text, rules).map(|position| position.fen4());
        assert_eq!(read.as_deref(), Ok(expected), "{text}");
        assert!(Position::from_fen4(&text, rules).is_err(), "{text}");
    }
    for (text, message) in [
        (plain.replace("Y-", "Z-"), "turn: expected one of R, B, Y, G, got 'Z'"),
        (plain.replace("bR", "zR"), "rank 4: expected a piece like rP, dbR or dR, got 'zR'"),
        (
            plain.replace("-6,", "-{'lives':(1,1,1,1)}-6,"),
            "extra: expected one of enPassant, resigned, flagged, got 'lives'",
        ),
        (
            plain.replace("bR", "dbR"),
            "rank 4: expected a piece not marked as dead, because its player is alive, got 'dbR'",
        ),
    ] {
        let error = Position::from_fen4_lenient(&text, rules).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
    let long = format!("{plain}{}", "-{'gameOver':'',".repeat(100_000));
    assert!(Position::from_fen4_lenient(&long, rules).is_err());
    let long =
        format!("R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-{{{}}}-14", "'gameOver':'',".repeat(200_000));
    assert!(Position::from_fen4_lenient(&long, rules).is_err());
}

#[test]
fn fen4_errors_say_what_was_expected() {
    let start = Position::start(StartPosition::Modern, Rules::FREE_FOR_ALL).fen4();
    for (old, new, message) in [
        ("R-0,0", "X-0,0", "turn: expected one of R, B, Y, G, got 'X'"),
        ("R-0,", "R-2,", "eliminated players: expected 0 or 1, got '2'"),
        ("R-0,", "R-", "eliminated players: expected four values separated by commas, got '0,0,0'"),
        ("-0,0,0,0-0-", "-0,0,0,0-01-", "clock: expected a number from 0 to 9999, got '01'"),
        (
            "/bR,bP",
            "/x,bP",
            "rank 11: expected a piece or a number ('x' stands only in cut corners), got 'x'",
        ),
        ("/bR,bP", "/zP,bP", "rank 11: expected a piece like rP, dbR or dR, got 'zP'"),
        (
            "/bR,bP",
            "/dbR,bP",
            "rank 11: expected a piece not marked as dead, because its player is alive, got 'dbR'",
        ),
        ("/14/", "/13,rP/", "rank 12: expected no piece outside the board, got 'rP'"),
        ("/14/", "/13/", "expected 14 cells in rank 12, got 13"),
    ] {
        let text = start.replacen(old, new, 1);
        assert_ne!(text, start, "{old}");
        let error = Position::from_fen4(&text, Rules::FREE_FOR_ALL).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
}
