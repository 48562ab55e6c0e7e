//! PGN4 games: real ones, constructed ones, and error messages.

use fourfold_four_player::pgn4::{Game, GameResult, Pgn4ErrorKind, Ply, Reader};
use fourfold_four_player::{
    Ending, Mode, Player, Position, Rules, StartPosition, Winner, WithdrawalReason,
};

fn read(text: &str) -> Vec<Result<Game, String>> {
    Reader::strict(text.as_bytes()).map(|game| game.map_err(|error| error.to_string())).collect()
}

fn one(text: &str) -> Game {
    let mut games = read(text);
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn end(game: &Game) -> Position {
    game.positions().last().expect("a game has a start")
}

#[test]
fn real_games_are_read_and_written_to_the_letter() {
    // Three games from chess.com from 2026 and most of one from 2019, without the names.
    let text = include_str!("../data/played.pgn4");
    let games = read(text);
    let written: Vec<String> = games
        .iter()
        .map(|game| game.as_ref().expect("a game").to_string())
        .map(|game| game.split_once("\n\n").expect("tags and moves").1.trim_end().to_owned())
        .collect();
    let moves = text.split("\n\n").filter(|part| part.starts_with("1. ")).map(str::trim_end);
    assert_eq!(written, moves.collect::<Vec<_>>());
    // The points, with those of the last survivor, are those of chess.com.
    let ends = games[..3].iter().map(|game| game.as_ref().map(|game| (end(game), game.result)));
    for (end, result) in ends.map(|game| game.expect("a game")) {
        assert_eq!(end.ending(), Some(Ending::LastSurvivor));
        assert_eq!(GameResult::of(&end), result);
    }
}

#[test]
fn the_tags_name_the_start_and_the_rules() {
    for (tags, start, rules) in [
        ("", StartPosition::Modern, Rules::FREE_FOR_ALL),
        ("[StartFen4 \"4PC\"]", StartPosition::Modern, Rules::FREE_FOR_ALL),
        ("[StartFen4 \"4PCo\"]", StartPosition::Classic, Rules::FREE_FOR_ALL),
        ("[StartFen4 \"4PCb\"]", StartPosition::By, Rules::FREE_FOR_ALL),
        ("[StartFen4 \"4pcn\"]", StartPosition::Byg, Rules::FREE_FOR_ALL),
        ("[StartFen4 \"rg\"][Variant \"teams\"]", StartPosition::Rg, Rules::TEAMS),
        ("[Variant \"Solo\"]", StartPosition::Modern, Rules::FREE_FOR_ALL),
        (
            "[Variant \"FFA\"][RuleVariants \"DeadKingWalking Ghostboard Play4Mate\"]",
            StartPosition::Modern,
            Rules { walking_king: true, winner: Winner::Survivors, ..Rules::CHESS_COM },
        ),
        ("[Variant \"Teams\"][RuleVariants \"EnPassant\"]", StartPosition::Modern, Rules::TEAMS),
        ("[RuleVariants \"EnPassant\"][Rules \"\"]", StartPosition::Modern, Rules::FREE_FOR_ALL),
        (
            "[Variant \"Teams\"][Rules \"immediate quiet=50\"]",
            StartPosition::Modern,
            Rules { mode: Mode::Teams, ..Rules::parse("immediate quiet=50").unwrap() },
        ),
    ] {
        let game = one(&format!("{tags}\n\n*"));
        assert_eq!(game.start, Position::start(start, rules), "{tags}");
        assert_eq!(one(&game.to_string()), game, "{tags}");
    }
}

#[test]
fn a_game_is_written_as_chess_com_writes_it() {
    let text = "[Variant \"Teams\"]\n[StartFen4 \"4PCo\"]\n[Red \"Ann\"]\n[Result \"1-0\"]\n\n\
                { a } 1. h2-h3 .. b8-c8 .. g13-g12 ( .. h13-h12 { b } .. m8-l8 2. Nj1-i3 ) .. m7-l7\n\
                2. Qg1xQn8+ $1 ( 2. Bi1-h2 ) .. R\n";
    let game = one(text);
    assert_eq!(game.to_string(), text.replace("{ a } 1.", "{ a }\n1."));
    assert_eq!(end(&game).ending(), Some(Ending::Resigned));
    assert_eq!(game.result, GameResult::of(&end(&game)));
    let own = Rules::parse("immediate repetition=5").unwrap();
    let mut game = Game::new(Position::start(StartPosition::Modern, own));
    game.set_tag("Blue", "Ben");
    game.set_result(GameResult::Points([1, 2, 3, 4]));
    let text = "[Variant \"FFA\"]\n[StartFen4 \"4PC\"]\n[Rules \"immediate repetition=5\"]\n\
                [Blue \"Ben\"]\n[Result \"Red: 1 - Ben: 2 - Yellow: 3 - Green: 4\"]\n\n*\n";
    assert_eq!(game.to_string(), text);
    game.result = GameResult::Points([4; 4]);
    assert_eq!(one(&game.to_string()).result, GameResult::Points([4; 4]));
    game.result = GameResult::Drawn;
    assert_eq!(one(&game.to_string()).result, GameResult::Drawn);
}

#[test]
fn players_withdraw_in_and_out_of_turn() {
    let game = one("1. h2-h3 .. R .. g13-g12 .. m8-l8\n2. Kh1-h2T .. yR#");
    let withdrawals: Vec<Ply> =
        game.plies().filter(|ply| matches!(ply, Ply::Withdraw(..))).collect();
    assert_eq!(
        withdrawals,
        [
            Ply::Withdraw(Player::Blue, WithdrawalReason::Resign),
            Ply::Withdraw(Player::Red, WithdrawalReason::Flag),
            Ply::Withdraw(Player::Yellow, WithdrawalReason::Resign),
        ]
    );
    assert_eq!(end(&game).ending(), Some(Ending::LastSurvivor));
    let moves = "1. h2-h3 .. R .. g13-g12 .. m8-l8\n2. Kh1-h2T .. R\n";
    assert!(game.to_string().ends_with(moves), "{game}");
    let game = one("1. h2-h3 .. gT .. D");
    assert_eq!(game.line.moves[1].mv, Ply::Withdraw(Player::Green, WithdrawalReason::Flag));
    assert_eq!(end(&game).ending(), Some(Ending::Agreement));
    assert!(game.to_string().ends_with("\n\n1. h2-h3 .. gT .. D\n"), "{game}");
}

/// Green is to move, and Red's king has nowhere to go: Green can mate or stalemate it.
const CORNERED: &str = "G-0,1,1,0-0,0,0,0-0,0,0,0-0,0,0,0-0-14/14/14/14/14/14/14/14/gK,13/14/\
                        14/10,gQ,3/7,gR,6/3,rK,10";

#[test]
fn elimination_marks_must_follow_the_rules() {
    let tag = format!("[StartFen4 \"{CORNERED}\"]\n\n");
    for (moves, canonical) in [
        ("1. Qk3-k1+ .. #", "1. Qk3-k1+\n2. #"),
        ("1. Qk3-k1+", "1. Qk3-k1+\n2. #"),
        ("1. Qk3-e3 .. S", "1. Qk3-e3\n2. S"),
    ] {
        let game = one(&format!("{tag}{moves}"));
        assert_eq!(end(&game).ending(), Some(Ending::LastSurvivor), "{moves}");
        let written = game.to_string();
        assert!(written.ends_with(&format!("\n\n{canonical}\n")), "{written}");
    }
    for (moves, message) in [
        ("1. Qk3-k1 .. S", "line 3, column 14: 'S' says that red is stalemated, but red was mated"),
        ("1. Qk3-e3 .. #", "line 3, column 14: '#' says that red is mated, but red was stalemated"),
        ("1. Qk3-k4 .. #", "line 3, column 14: '#' says that red is mated, but red can move"),
        (
            "1. Qk3-k1 .. # .. Qk1-k2",
            "line 3, column 19: 'Qk1-k2' comes after the end of the game: last survivor",
        ),
        ("1. Qk3-k4 .. bR", "line 3, column 14: 'bR' cannot be played: blue is already eliminated"),
    ] {
        assert_eq!(read(&format!("{tag}{moves}")), [Err(message.to_owned())], "{moves}");
    }
}

#[test]
fn errors_have_a_location_and_reading_continues() {
    let text = "[Red \"one\"]\n\n1. h2-h3 .. b7-b9\n\n[Red \"two\"]\n\n1. d2-d4\n\n\
                [Red \"three\"\n[Site \"x\"]\n\n1. d2-d3\n\n[Red \"four\"]\n[StartFen4 \"4PX\"]\n\n*\n\n\
                [Red \"five\"]\n\n1. h2-h3 (1. h2-h4\n\n[Red \"six\"]\n\n1. h2-h3) *\n\n\
                [Red \"seven\"]\n\n$3 1. h2-h3 *\n\n[Red \"eight\"]\n\n1. h2-h3 $256 *\n\n\
                [Red \"nine\"]\n[Variant \"Chess\"]\n\n*\n\n[Red \"ten\"]\n[Rules \"fast\"]\n\n*\n\
                [StartFen4 \"R-0,0\n,0,0-1\"]\n[Red \"eleven\"]\n\n*\n[Red \"twelve\n\n1. h2-h3\n\n\
                [Red \"thirteen\"]\n\n1. bR .. R\n\n[Red \"fourteen\"]\n\n1. R .. rT\n\n\
                [Red \"fifteen\"]\n\n1. h2-h3 .. C\n\n[Red \"sixteen\"]\n\n1. h2-h3 { never\nclosed\n";
    let results: Vec<String> = read(text)
        .iter()
        .map(|game| match game {
            Ok(game) => game.tag("Red").unwrap_or_default().to_owned(),
            Err(error) => error.clone(),
        })
        .collect();
    assert_eq!(
        results,
        [
            "line 3, column 13: 'b7-b9' is not legal here",
            "two",
            "line 9, column 1: expected a tag like [Name \"value\"]",
            "line 15, column 1: expected a start position that is a FEN4 or one of 4PC, 4PCo, 4PCb, 4PCn, 4PCrg, got '4PX'",
            "line 21, column 10: unclosed variation: '(' without ')'",
            "line 25, column 9: ')' without a matching '('",
            "line 29, column 1: annotation or variation before the first move",
            "line 33, column 10: expected an annotation from $0 to $255, got '256'",
            "line 36, column 1: unknown variant 'Chess': expected FFA or Teams",
            "line 41, column 1: unknown rule 'fast': expected one of ffa, teams, forbid-king-capture, immediate, off, survivor, walking-king, award-kings, chess.com, legacy-points, repetition=N, quiet=N, no-bare-kings",
            "line 44, column 1: invalid FEN4: expected a FEN4 with 7 fields separated by hyphens, and optionally {extra} before the board, got 3",
            "line 49, column 1: expected a tag like [Name \"value\"]",
            "thirteen",
            "line 59, column 9: 'rT' cannot be played: red is already eliminated",
            "line 63, column 13: expected a move like 'h2-h3', 'Qg1xQn8+', 'h7-h8=D' or 'O-O', got 'C'",
            "line 67, column 10: unclosed comment: '{' without '}'",
        ]
    );
}

#[test]
fn tags_may_span_lines() {
    let ranks = CORNERED.replace('/', "/\n");
    let text = format!("[StartFen4 \"{ranks}\"] [Red \"x\"]\n[Blue \"y\"]\n\n1. Qk3-k4");
    let game = one(&text);
    assert_eq!(game.start.fen4(), CORNERED);
    assert_eq!((game.tag("Red"), game.tag("Blue")), (Some("x"), Some("y")));
    // A game is skipped completely, with all lines of its tags.
    let two = format!("[Red \"a\" b]\n{text}\n\n[Red \"c\"]\n\n*");
    let games = read(&two);
    assert_eq!(games.len(), 2, "{games:?}");
    assert_eq!(games[0], Err("line 1, column 1: expected a tag like [Name \"value\"]".to_owned()));
    assert_eq!(games[1].as_ref().unwrap().tag("Red"), Some("c"));
}

#[test]
fn long_lines_are_read_in_linear_time() {
    // Megabytes on one line: counting columns from the start of the line each time would take
    // minutes.
    let text = format!("1. h2-h3 {} *", "$1 ".repeat(1_000_000));
    assert_eq!(one(&text).line.moves[0].nags.len(), 1_000_000);
}

#[test]
fn deep_nesting_is_rejected_without_overflow() {
    let text = format!("1. h2-h3 {}", "( 1. h2-h4 ".repeat(100_000));
    let error = Reader::strict(text.as_bytes()).next().unwrap().unwrap_err();
    assert!(matches!(error.kind, Pgn4ErrorKind::TooDeep), "{error}");
    assert_eq!((error.line, error.column, error.offset), (1, 10 + 11 * 100, 9 + 11 * 100));
}

#[test]
fn text_that_is_not_utf_8_is_read_as_latin_1() {
    let text = b"[Red \"M\xfcller\"]\n[Blue \"\xc3\x89va\"]\n\n1. h2-h3 {d\xe9j\xe0 vu} .. b7-c7\n";
    let game = Reader::strict(&text[..]).next().unwrap().unwrap();
    assert_eq!((game.tag("Red"), game.tag("Blue")), (Some("Müller"), Some("Éva")));
    assert_eq!(game.line.moves[0].comments, ["déjà vu"]);
    // In Latin-1, a character is one byte of the stream; in UTF-8, it may be more.
    for text in [&b"1. h2-h3 {\xe9} .. b7-b9"[..], "1. h2-h3 {é} .. b7-b9".as_bytes()] {
        let error = Reader::strict(text).next().unwrap().unwrap_err();
        assert_eq!((error.column, error.offset), (17, text.len() as u64 - 5));
    }
}

#[test]
fn byte_order_marks_are_ignored() {
    for mark in ["\u{feff}", "\u{feff}\u{feff}"] {
        assert_eq!(one(&format!("{mark}[Red \"x\"]\n\n1. h2-h3")).tag("Red"), Some("x"));
        let text = format!("{mark}1. h2-h9");
        let error = Reader::strict(text.as_bytes()).next().unwrap().unwrap_err();
        assert_eq!((error.column, error.offset), (4, 3 + mark.len() as u64));
    }
}

#[test]
fn lines_that_begin_with_a_percent_sign_are_ignored() {
    let game = one("% by a program\n[Red \"x\"]\n%[Red \"y\"]\n\n1. h2-h3 .. b7-c7\n%\n.. g13-g12");
    assert_eq!((game.tag("Red"), game.plies().count()), (Some("x"), 3));
    // Elsewhere it is part of the text.
    let game = one("[Note \"a\n% b\"]\n\n1. h2-h3 {c\n% d} .. b7-c7");
    assert_eq!(game.tag("Note"), Some("a % b"));
    assert_eq!(game.line.moves[0].comments, ["c % d"]);
    assert_eq!(
        read("1. h2-h3\n %\n")[0].as_ref().unwrap_err().split(':').next(),
        Some("line 2, column 2")
    );
}

#[test]
fn a_bad_game_ends_with_its_result_even_where_no_tags_follow() {
    let text = "1. h2-h3 .. b7-b9 .. g13-g12 1-0\n1. h2-h4 *\n\n[StartFen4 \"4PX\"]\n\n*\n1. d2-d3 *\n\
                1. h2-h9 { we looked at 1-0\n and { at 0-1\n } .. b7-c7 ; not 1-0\n2. C {x} 1/2-1/2 {y}\n\
                1. e2-e3 *\n1. h2-h9\n[Red \"last\"]\n\n1. f2-f3 *";
    let results: Vec<String> = read(text)
        .into_iter()
        .map(|game| match game.ok().and_then(|game| game.plies().next()) {
            Some(Ply::Move(mv)) => mv.to_string(),
            _ => "bad".to_owned(),
        })
        .collect();
    assert_eq!(results, ["bad", "h2h4", "bad", "d2d3", "bad", "e2e3", "bad", "f2f3"]);
    // A line of a tag's value is not a result.
    let games = read("[Red \"a\" b]\n[Note \"c\n1-0\nd\"]\n\n1. h2-h3 *\n\n[Red \"e\"]\n\n*");
    assert_eq!(games.len(), 2, "{games:?}");
    assert_eq!(games[1].as_ref().unwrap().tag("Red"), Some("e"));
}

/// Reads games leniently, each with its problems.
fn read_lenient(text: &str) -> Vec<(Result<Game, String>, Vec<String>)> {
    let mut reader = Reader::new(text.as_bytes());
    let mut games = Vec::new();
    while let Some(game) = reader.next() {
        let problems = reader.problems().iter().map(ToString::to_string).collect();
        games.push((game.map_err(|error| error.to_string()), problems));
    }
    games
}

#[test]
fn the_moves_before_an_error_are_kept() {
    let modern = "[StartFen4 \"4PC\"]\n\n";
    for (moves, kept, problems) in [
        (
            "1. h2-h3 .. b7-b9 .. g13-g12",
            "1. h2-h3",
            &["line 3, column 13: 'b7-b9' is not legal here"][..],
        ),
        (
            "1. h2-h3 ( h2-h4 .. b7-b9 ) ( h2-h9 {x} ( g2-g3 ) ) .. b7-c7",
            "1. h2-h3 ( 1. h2-h4 ) .. b7-c7",
            &[
                "line 3, column 21: 'b7-b9' is not legal here",
                "line 3, column 31: 'h2-h9' is not legal here",
            ],
        ),
        (
            "1. h2-h3 Brilliant .. b7-c7 .. S .. g13-g12",
            "1. h2-h3 .. b7-c7 .. g13-g12",
            &[
                "line 3, column 10: expected a move like 'h2-h3', 'Qg1xQn8+', 'h7-h8=D' or 'O-O', got 'Brilliant'",
                "line 3, column 32: 'S' says that yellow is stalemated, but yellow can move",
            ],
        ),
        // Other spellings of moves.
        (
            "1. Nh2-h3 .. b7:c7 .. (g13-g12) g13\u{2013}g12, .. m8xl8",
            "1. h2-h3 .. b7-c7 ( 2. g13-g12 )",
            &[],
        ),
        ("1. h2-h3 .. R .. g13-g12 .. T .. R .. h3-h4", "1. h2-h3 .. R .. g13-g12 .. T\n2. R", &[]),
        ("1. h2-h3 ) .. b7-c7 (", "1. h2-h3 .. b7-c7 ( )", &[]),
        ("1. h2-h3 { never closed .. b7-c7", "1. h2-h3 { never closed .. b7-c7 }", &[]),
    ] {
        let mut games = read_lenient(&format!("{modern}{moves}"));
        assert_eq!(games.len(), 1, "{moves}");
        let (game, found) = games.remove(0);
        let written = game.expect("a game").to_string();
        let (_, written) = written.split_once("\n\n").expect("tags and moves");
        if !moves.starts_with("1. Nh2") {
            assert_eq!(written.trim_end(), kept, "{moves}");
        }
        if !problems.is_empty() {
            assert_eq!(found, problems, "{moves}");
        }
        assert!(read(&format!("{modern}{moves}"))[0].is_err(), "{moves}");
    }
    let (game, problems) = read_lenient("1. Nh2-h3 .. b7:c7 .. g13\u{2013}g12, .. m8xl8").remove(0);
    assert_eq!((game.expect("a game").plies().count(), problems.len()), (4, 0));
    // A tag that the text ends in.
    assert!(!read_lenient("[StartFen4 \"4PC\"] [A \"b\nc")[0].1.is_empty());
    // A stale en passant square in the start position.
    let start = "Y-0,0,0,0-0,0,0,0-0,0,0,0-0,1,0,0-0-{'enPassant':('h3:h4','','','')}-\
                 6,yK,7/14/14/14/14/14/13,gK/bK,13/14/14/7,bR,6/14/14/6,rK,7";
    let text = format!("[StartFen4 \"{start}\"]\n\n1. Kg14-g13 .. Kn8-n7");
    let (game, problems) = read_lenient(&text).remove(0);
    assert_eq!((game.expect("a game").plies().count(), problems.len()), (2, 0));
    assert!(read(&text)[0].as_ref().unwrap_err().contains("has just skipped h3"));
}

#[test]
fn a_start_position_that_is_not_named_is_found() {
    // Blue castles short, which is legal from both start positions but not the same move.
    let moves = "1. d2-d3 .. Na5-c6 .. d13-d12 .. m4-l4\n\
                 2. e2-e3 .. Na10-c9 .. e13-e12 .. m5-l5\n\
                 3. f2-f3 .. b5-c5 .. f13-f12 .. m6-l6\n\
                 4. g2-g3 .. Ba6-b5 .. g13-g12 .. m7-l7\n\
                 5. h2-h3 .. b10-c10 .. k13-k12 .. m8-l8\n\
                 6. i2-i3 .. Ba9-b10 .. j13-j12 .. m9-l9\n\
                 7. j2-j3 .. O-O ( 7. b4-c4 ) .. k12-k11 .. m10-l10\n\
                 8. k2-k3 .. Qa7-a6 .. i13-i12";
    let named = one(&format!("[StartFen4 \"4PCo\"]\n\n{moves}"));
    let (game, problems) = read_lenient(moves).remove(0);
    assert_eq!(
        problems,
        [
            "line 8, column 13: 'Qa7-a6' is legal only from the classic start position, so the game was read from there"
        ]
    );
    let game = game.expect("a game");
    assert_eq!(game.setup(), Some(StartPosition::Classic));
    assert_eq!(game, named);
    assert!(read(moves)[0].is_err());
    // The moves after that are checked as usual.
    let (game, problems) = read_lenient(&format!("{moves} .. m11-l10 .. h3-h4")).remove(0);
    assert_eq!((game.expect("a game").plies().count(), problems.len()), (31, 2));
    // A named start position is not replaced, and an illegal move needs a start that fits.
    let (game, problems) = read_lenient(&format!("[StartFen4 \"4PC\"]\n\n{moves}")).remove(0);
    let game = game.expect("a game");
    assert_eq!(
        (game.setup(), game.plies().count(), problems.len()),
        (Some(StartPosition::Modern), 29, 1)
    );
    let (game, problems) = read_lenient("1. h2-h3 .. b7-b10").remove(0);
    assert_eq!((game.expect("a game").setup(), problems.len()), (Some(StartPosition::Modern), 1));
    // Another spelling of a move does not change that.
    let (other, _) = read_lenient(&moves.replace("1. d2-d3", "1. Nd2:d3")).remove(0);
    assert_eq!(other.expect("a game"), named);
    // A file from chess.com that does not name its start position is older than the modern one.
    let old = |moves: &str| format!("[Site \"www.chess.com/4-player-chess\"]\n\n{moves}");
    for moves in [moves, "1. h2-h3"] {
        let (game, problems) = read_lenient(&old(moves)).remove(0);
        assert_eq!(
            (game.expect("a game").setup(), problems.len()),
            (Some(StartPosition::Classic), 0)
        );
        assert_eq!(one(&old(moves)).setup(), Some(StartPosition::Classic));
    }
    // The other start positions, by the squares of kings and queens.
    for (moves, start) in [
        ("1. h2-h3 .. b7-c7 .. g13-g12 .. m8-l8 2. h3-h4 .. c7-d7 .. Kh14-g13", StartPosition::By),
        (
            "1. h2-h3 .. b7-c7 .. g13-g12 .. m8-l8 2. h3-h4 .. c7-d7 .. Kh14-g13 .. Kn8-m8",
            StartPosition::Byg,
        ),
        ("1. h2-h3 .. b7-c7 .. g13-g12 .. m8-l8 2. Kg1-h2", StartPosition::Rg),
    ] {
        let (game, problems) = read_lenient(moves).remove(0);
        let game = game.expect("a game");
        assert_eq!(game.setup(), Some(start), "{problems:?}");
        assert_eq!(one(&game.to_string()), game);
    }
}

#[test]
fn no_text_takes_more_than_linear_time() {
    for part in [
        "(",
        "( h2-h4 ",
        "h2-h9 ",
        "C ",
        "# ",
        "R ",
        "Kh1-h2R ",
        "$999 ",
        ") ",
        "{",
        "[A ",
        "1-0 ",
        "Qa7-b8 ",
        "[a-b \"",
        "[a.b\"",
        "x[a-b \"c\"",
    ] {
        let text = format!("1. h2-h3 .. b8-c8 {}", part.repeat(100_000));
        let began = std::time::Instant::now();
        let games = read_lenient(&text);
        assert!(!games.is_empty());
        // Quadratic time would be hours.
        assert!(began.elapsed().as_secs() < 300, "{part}");
    }
    // Each start position is tried once, however many moves there are.
    let moves =
        ["Nj1-i3", "Na5-c6", "Ne14-f12", "Nn10-l9", "Ni3-j1", "Nc6-a5", "Nf12-e14", "Nl9-n10"];
    let text = format!(
        "[Rules \"repetition=0 quiet=0\"]\n\n{} {}",
        moves.join(" ").repeat(2000).replace("10N", "10 N"),
        "b7-b9 ".repeat(2000)
    );
    let (game, problems) = read_lenient(&text).remove(0);
    assert_eq!((game.expect("a game").plies().count(), problems.len()), (16_000, 1));
}
