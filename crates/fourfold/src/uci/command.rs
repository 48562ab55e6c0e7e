//! Parsing of UCI commands.

/// A UCI command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Command {
    Uci,
    IsReady,
    NewGame,
    /// A FEN, or the usual start if there is none, and the moves from there.
    Position {
        fen: Option<String>,
        moves: Vec<String>,
    },
    Go(Limits),
    SetOption {
        name: String,
        value: String,
    },
    Stop,
    PonderHit,
    Quit,
    /// A line that needs no answer: an empty line, `debug on`, `register later`.
    Nothing,
}

/// The search limits of a `go` command. Times are in milliseconds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Limits {
    pub(super) depth: Option<u32>,
    pub(super) nodes: Option<u64>,
    pub(super) movetime: Option<u64>,
    /// The time left for White and Black, or for Red, Blue, Yellow and Green, and their increments per
    /// move.
    pub(super) time: [Option<u64>; 4],
    pub(super) increment: [u64; 4],
    pub(super) moves_to_go: Option<u64>,
    pub(super) infinite: bool,
    pub(super) ponder: bool,
    /// Search for a mate in this many moves.
    pub(super) mate: Option<u32>,
    pub(super) search_moves: Vec<String>,
}

/// Parses a line, or returns a message that says what is wrong with it.
pub(super) fn parse(line: &str) -> Result<Command, String> {
    let mut words = line.split_whitespace();
    let Some(first) = words.next() else { return Ok(Command::Nothing) };
    let rest: Vec<&str> = words.collect();
    Ok(match first {
        "uci" => Command::Uci,
        "isready" => Command::IsReady,
        "ucinewgame" => Command::NewGame,
        "position" => position(&rest)?,
        "go" => Command::Go(limits(&rest)?),
        "setoption" => option(&rest)?,
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "quit" => Command::Quit,
        "debug" | "register" => Command::Nothing,
        _ => return Err(format!("unknown command '{}'", fourfold_table::quote_short(first))),
    })
}

fn position(words: &[&str]) -> Result<Command, String> {
    let mut parts = words.splitn(2, |&word| word == "moves");
    let (start, moves) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let fen = match start {
        ["startpos"] => None,
        ["fen", fields @ ..] if !fields.is_empty() => Some(fields.join(" ")),
        _ => return Err("expected 'position startpos' or 'position fen FEN'".to_owned()),
    };
    Ok(Command::Position { fen, moves: moves.iter().map(|&word| word.to_owned()).collect() })
}

fn option(words: &[&str]) -> Result<Command, String> {
    let ["name", rest @ ..] = words else {
        return Err("expected 'setoption name NAME value VALUE'".to_owned());
    };
    let mut parts = rest.splitn(2, |&word| word == "value");
    let (name, value) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    Ok(Command::SetOption { name: name.join(" "), value: value.join(" ") })
}

fn limits(words: &[&str]) -> Result<Limits, String> {
    let mut limits = Limits::default();
    let mut words = words.iter().copied().peekable();
    let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    while let Some(word) = words.next() {
        match word {
            "infinite" => limits.infinite = true,
            "ponder" => limits.ponder = true,
            "searchmoves" => {
                // Unlike the names of parameters, moves contain digits.
                let is_move = |word: &&str| word.contains(|letter: char| letter.is_ascii_digit());
                while let Some(code) = words.next_if(is_move) {
                    limits.search_moves.push(code.to_owned());
                }
            }
            "depth" => limits.depth = Some(small(number(word, words.next())?)),
            "mate" => limits.mate = Some(small(number(word, words.next())?)),
            "nodes" => limits.nodes = Some(number(word, words.next())?),
            "movetime" => limits.movetime = Some(number(word, words.next())?),
            "wtime" | "rtime" => limits.time[0] = Some(number(word, words.next())?),
            "btime" => limits.time[1] = Some(number(word, words.next())?),
            "ytime" => limits.time[2] = Some(number(word, words.next())?),
            "gtime" => limits.time[3] = Some(number(word, words.next())?),
            "winc" | "rinc" => limits.increment[0] = number(word, words.next())?,
            "binc" => limits.increment[1] = number(word, words.next())?,
            "yinc" => limits.increment[2] = number(word, words.next())?,
            "ginc" => limits.increment[3] = number(word, words.next())?,
            "movestogo" | "moves_to_go" => limits.moves_to_go = Some(number(word, words.next())?),
            _ => {
                let word = fourfold_table::quote_short(word);
                return Err(format!("unknown 'go' parameter '{word}'"));
            }
        }
    }
    Ok(limits)
}

/// Parses the value of a parameter. A clock that has run out may be negative, which counts as 0.
fn number(parameter: &str, value: Option<&str>) -> Result<u64, String> {
    let number = value.and_then(|text| text.parse::<i64>().ok());
    Ok(number.ok_or_else(|| format!("expected a number after '{parameter}'"))?.max(0) as u64)
}

#[cfg(test)]
mod tests {
    use fourfold_common::SplitMix64;

    use super::*;

    #[test]
    fn commands_are_parsed() {
        assert_eq!(parse("  isready "), Ok(Command::IsReady));
        assert_eq!(parse(""), Ok(Command::Nothing));
        let moves = vec!["e2e4".to_owned(), "e7e5".to_owned()];
        assert_eq!(
            parse("position startpos moves e2e4 e7e5"),
            Ok(Command::Position { fen: None, moves })
        );
        let fen = Some("8/8/8/8/8/8/8/K1k5 w - - 0 1".to_owned());
        assert_eq!(
            parse("position fen 8/8/8/8/8/8/8/K1k5  w - - 0 1"),
            Ok(Command::Position { fen, moves: Vec::new() })
        );
        assert_eq!(
            parse("setoption name Some Name value a b"),
            Ok(Command::SetOption { name: "Some Name".to_owned(), value: "a b".to_owned() })
        );
        let go = parse("go searchmoves e2e4 d2d4 wtime -5 btime 300 winc 2 movestogo 9 ponder");
        let expected = Limits {
            search_moves: vec!["e2e4".to_owned(), "d2d4".to_owned()],
            time: [Some(0), Some(300), None, None],
            increment: [2, 0, 0, 0],
            moves_to_go: Some(9),
            ponder: true,
            ..Limits::default()
        };
        assert_eq!(go, Ok(Command::Go(expected)));
        let go =
            parse("go rtime 1 btime 2 ytime 3 gtime 4 rinc 5 binc 6 yinc 7 ginc 8 moves_to_go 9");
        let expected = Limits {
            time: [1, 2, 3, 4].map(Some),
            increment: [5, 6, 7, 8],
            moves_to_go: Some(9),
            ..Limits::default()
        };
        assert_eq!(go, Ok(Command::Go(expected)));
    }

    #[test]
    fn parse_errors() {
        for (line, error) in [
            ("hello", "unknown command 'hello'"),
            ("position", "expected 'position startpos' or 'position fen FEN'"),
            ("position fen moves e2e4", "expected 'position startpos' or 'position fen FEN'"),
            ("go depth", "expected a number after 'depth'"),
            ("go depth deep", "expected a number after 'depth'"),
            ("go fast", "unknown 'go' parameter 'fast'"),
            ("setoption Hash 5", "expected 'setoption name NAME value VALUE'"),
        ] {
            assert_eq!(parse(line), Err(error.to_owned()), "{line}");
        }
    }

    #[test]
    fn parsing_any_line_does_not_panic() {
        let words = [
            "position",
            "fen",
            "startpos",
            "moves",
            "go",
            "depth",
            "-1",
            "99999999999999999999",
            "searchmoves",
            "setoption",
            "name",
            "value",
            "\0",
            "é",
            "wtime",
            "8/8/8",
            "infinite",
            "",
        ];
        let mut rng = SplitMix64::new(5);
        for _ in 0..20_000 {
            let count = rng.next() % 9;
            let line: Vec<&str> =
                (0..count).map(|_| words[(rng.next() % words.len() as u64) as usize]).collect();
            // Both results are fine, as long as it returns.
            let _ = parse(&line.join(" "));
        }
    }
}
