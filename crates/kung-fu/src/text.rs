//! Reads the text that [`Game`] writes: the whole state except the rules, in one line.

use alloc::string::ToString;
use alloc::vec::Vec;

use fourfold_common::ensure;

use crate::board::Cell;
use crate::piece::{MAX_PIECES, Piece, Status};
use crate::setup::PlacedPiece;
use crate::snapshot::{SnapshotError, damaged};
use crate::{Board, Game, Outcome, PieceId, Players, Role, Rules};

impl Game {
    /// Reads a state from a line of text, under the given rules. The text does not say where a
    /// piece that is gone was last, so that is not restored.
    ///
    /// ```
    /// use fourfold_kung_fu::{Game, Player, Rules};
    /// let mut game = Game::parse("8x8 lightning", "")?;
    /// game.order(Player::ALL[0], game.piece_named("N:1:7:6").expect("a knight"), (5, 5))?;
    /// game.advance_to(5, &mut Vec::new());
    /// assert_eq!(Game::from_text(game.rules(), &game.to_string())?, game);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the text is not a state, or if its state is obviously impossible.
    pub fn from_text(rules: Rules, text: &str) -> Result<Game, SnapshotError> {
        let mut parts = text.split("; ");
        let head = parts.next().unwrap_or_default().split(' ').collect::<Vec<_>>();
        let [tick, last_order, last_capture, closed, eliminated, result] = head[..] else {
            return Err(SnapshotError::NotASnapshot);
        };
        let mut game = Game::empty(rules);
        game.tick = number(tick, "t")?;
        game.last_order = number(last_order, "order=")?;
        game.last_capture = number(last_capture, "capture=")?;
        game.set_closed(match closed {
            "closed=yes" => true,
            "closed=no" => false,
            _ => return Err(damaged("expected closed=yes or closed=no")),
        });
        let invalid_players = damaged("expected eliminated=none or players, as in eliminated=13");
        // `out=` is the former name of the field.
        let former = eliminated.strip_prefix("out=");
        let value = former.or_else(|| eliminated.strip_prefix("eliminated="));
        game.eliminated = match value.ok_or(invalid_players)? {
            "none" => Players::NONE,
            digits => Players::parse(digits).ok_or(invalid_players)?,
        };
        let invalid_result =
            damaged("expected result=none, result=draw or the winners, as in result=1+3");
        game.set_outcome(match result.strip_prefix("result=").ok_or(invalid_result)? {
            "none" => None,
            "draw" => Some(Outcome::Draw),
            winners => {
                let players = Players::parse(&winners.replace('+', ""));
                Some(Outcome::Win(players.ok_or(invalid_result)?))
            }
        });
        let pieces = parts.map(|text| read_piece(rules.board, text));
        let pieces = pieces.collect::<Result<Vec<(Piece, bool)>, _>>()?;
        ensure!(pieces.len() <= MAX_PIECES, damaged("too many pieces"));
        for (index, &(mut piece, castles)) in pieces.iter().enumerate() {
            if let Status::Moving { to, start, arrive, .. } = piece.status() {
                // A player has only one king.
                let own = |(other, _): &(Piece, bool)| {
                    other.role() == Role::King && other.player == pieces[index].0.player
                };
                let king = pieces.iter().position(own).filter(|_| castles);
                let king = king.map(|king| PieceId(king as u8));
                piece.set_status(Status::Moving { to, start, arrive, king });
            }
            game.add(piece);
        }
        // `from_bytes` checks the state.
        let game = Game::from_bytes(&game.to_bytes())?;
        // Accept only one way of writing each state.
        let canonical = match former {
            Some(_) => game.to_string().replacen(" eliminated=", " out=", 1),
            None => game.to_string(),
        };
        if canonical == text { Ok(game) } else { Err(damaged("not in canonical form")) }
    }
}

/// Reads a piece, and whether it is castling.
fn read_piece(board: Board, text: &str) -> Result<(Piece, bool), SnapshotError> {
    const INVALID: SnapshotError = damaged("expected a piece like 'P:1:6:4 P 6,4'");
    let mut words = text.split(' ').peekable();
    let mut next = || words.next().ok_or(INVALID);
    let start = PlacedPiece::parse(next()?).map_err(|_| INVALID)?;
    let home = Cell::on(board, i32::from(start.row), i32::from(start.column)).ok_or(INVALID)?;
    let role = next()?.chars().next().and_then(Role::from_letter).ok_or(INVALID)?;
    let mut piece = Piece::new(start.role, start.player, home);
    piece.set_role(role);
    let squares = next()?;
    if squares == "gone" {
        piece.set_status(Status::Gone);
        return Ok((piece, false));
    }
    let (at, to) = match squares.split_once('>') {
        Some((at, to)) => (at, Some(to)),
        None => (squares, None),
    };
    let mut castles = false;
    piece.set_status(match to {
        Some(to) => {
            let (start, arrive) = (number(next()?, "start=")?, number(next()?, "arrive=")?);
            castles = words.next_if_eq(&"castling").is_some();
            Status::Moving { to: cell(board, to).ok_or(INVALID)?, start, arrive, king: None }
        }
        None => match words.next_if(|word| word.starts_with("until=")) {
            Some(until) => Status::Resting { until: number(until, "until=")? },
            None => Status::Standing,
        },
    });
    piece.set_moved(words.next_if_eq(&"moved").is_some());
    piece.at = cell(board, at).ok_or(INVALID)?;
    Ok((piece, castles))
}

fn number(word: &str, name: &str) -> Result<u64, SnapshotError> {
    let digits = word.strip_prefix(name).filter(|digits| !digits.starts_with('+'));
    digits.and_then(|digits| digits.parse().ok()).ok_or(damaged("invalid number"))
}

/// Parses a row and a column.
fn cell(board: Board, text: &str) -> Option<Cell> {
    let (row, column) = text.split_once(',')?;
    Cell::on(board, row.parse().ok()?, column.parse().ok()?)
}
