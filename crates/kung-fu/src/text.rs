//! Reads the text that [`Game`] writes: the whole state except the rules, in one line.

use crate::create::PlacedPiece;
use crate::side::Cell;
use crate::snapshot::{NO_OUTCOME, SnapshotError, damaged};
use crate::state::NOBODY;
use crate::{Board, Game, Role, Rules};

/// Bytes that follow the rules in a snapshot of an empty board: three ticks and four single bytes.
const HEAD: usize = 3 * 8 + 4;

impl Game {
    /// Reads a state from a line of text, under the given rules. The text does not say where a
    /// piece that is gone was last, so that is not restored.
    ///
    /// ```
    /// use fourfold_kung_fu::{Game, Rules};
    /// let mut game = Game::parse("8x8 lightning", "")?;
    /// game.order(1, game.piece_named("N:1:7:6").expect("a knight"), (5, 5))?;
    /// game.advance_to(5, &mut Vec::new());
    /// assert_eq!(Game::read(*game.rules(), &game.to_string())?, game);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the text is not a state, or if its state is obviously impossible.
    pub fn read(rules: Rules, text: &str) -> Result<Game, SnapshotError> {
        // Convert the text to a snapshot, because `from_bytes` validates those.
        let mut bytes = Game::empty(rules).to_bytes();
        bytes.truncate(bytes.len() - HEAD);
        let mut parts = text.split("; ");
        let head = parts.next().unwrap_or_default().split(' ').collect::<Vec<_>>();
        let [tick, ordered, captured, closed, out, result] = head[..] else {
            return Err(SnapshotError::NotASnapshot);
        };
        for (word, name) in [(tick, "t"), (ordered, "order="), (captured, "capture=")] {
            bytes.extend(number(word, name)?.to_le_bytes());
        }
        bytes.push(match closed {
            "closed=yes" => 1,
            "closed=no" => 0,
            _ => return Err(damaged("the 'closed' field")),
        });
        let wrong_out = damaged("the 'out' field");
        let out = out.strip_prefix("out=").ok_or(wrong_out)?;
        bytes.push(if out == "none" { 0 } else { players(out).ok_or(wrong_out)? });
        let wrong_result = damaged("the 'result' field");
        bytes.push(match result.strip_prefix("result=").ok_or(wrong_result)? {
            "none" => NO_OUTCOME,
            "draw" => 0,
            winners => players(&winners.replace('+', "")).ok_or(wrong_result)?,
        });
        let pieces = parts.map(|text| Piece::read(rules.board, text));
        let pieces = pieces.collect::<Result<Vec<Piece>, _>>()?;
        bytes.push(u8::try_from(pieces.len()).map_err(|_| damaged("the number of pieces"))?);
        for piece in &pieces {
            piece.write(&pieces, &mut bytes);
        }
        let game = Game::from_bytes(&bytes)?;
        // Accept only one way of writing each state.
        if game.to_string() == text { Ok(game) } else { Err(damaged("not in canonical form")) }
    }
}

/// What the text says about a piece.
struct Piece {
    kind: Role,
    born: PlacedPiece,
    home: Cell,
    at: Cell,
    moved: bool,
    does: Does,
}

enum Does {
    Stand,
    Rest { until: u64 },
    Move { to: Cell, start: u64, arrive: u64, castling: bool },
    Nothing,
}

impl Piece {
    fn read(board: Board, text: &str) -> Result<Piece, SnapshotError> {
        const WRONG: SnapshotError = damaged("a piece");
        let mut words = text.split(' ').peekable();
        let mut next = || words.next().ok_or(WRONG);
        let born = PlacedPiece::parse(next()?).map_err(|_| WRONG)?;
        let home = Cell::on(board, i32::from(born.row), i32::from(born.column)).ok_or(WRONG)?;
        let letter = next()?;
        let kind = letter.chars().next().and_then(Role::from_letter).ok_or(WRONG)?;
        let place = next()?;
        if place == "gone" {
            return Ok(Piece { kind, born, home, at: home, moved: false, does: Does::Nothing });
        }
        let (at, to) = match place.split_once('>') {
            Some((at, to)) => (at, Some(to)),
            None => (place, None),
        };
        let does = match to {
            Some(to) => {
                let (start, arrive) = (number(next()?, "start=")?, number(next()?, "arrive=")?);
                let castling = words.next_if_eq(&"castling").is_some();
                Does::Move { to: cell(board, to).ok_or(WRONG)?, start, arrive, castling }
            }
            None => match words.next_if(|word| word.starts_with("until=")) {
                Some(until) => Does::Rest { until: number(until, "until=")? },
                None => Does::Stand,
            },
        };
        let moved = words.next_if_eq(&"moved").is_some();
        let at = cell(board, at).ok_or(WRONG)?;
        Ok(Piece { kind, born, home, at, moved, does })
    }

    /// Writes the piece as in a snapshot.
    fn write(&self, all: &[Piece], out: &mut Vec<u8>) {
        let Piece { kind, born, home, at, moved, does } = self;
        out.extend([*kind as u8, born.player, born.role as u8, home.0, at.0, u8::from(*moved)]);
        match does {
            Does::Stand => out.push(0),
            Does::Rest { until } => {
                out.push(1);
                out.extend(until.to_le_bytes());
            }
            Does::Move { to, start, arrive, castling } => {
                // A player has only one king.
                let own =
                    |other: &Piece| other.kind == Role::King && other.born.player == born.player;
                let king = all.iter().position(own).filter(|_| *castling);
                out.extend([2, to.0, king.map_or(NOBODY, |king| king as u8)]);
                out.extend(start.to_le_bytes());
                out.extend(arrive.to_le_bytes());
            }
            Does::Nothing => out.push(3),
        }
    }
}

fn number(word: &str, name: &str) -> Result<u64, SnapshotError> {
    let digits = word.strip_prefix(name).filter(|digits| !digits.starts_with('+'));
    digits.and_then(|digits| digits.parse().ok()).ok_or(damaged("a number"))
}

/// Parses a set of players from digits.
fn players(digits: &str) -> Option<u8> {
    let bit = |digit: char| digit.to_digit(10).filter(|digit| (1..=4).contains(digit));
    let bits = digits.chars().map(|digit| Some(1 << (bit(digit)? - 1)));
    bits.reduce(|all, one| Some(all? | one?))?
}

/// Parses a row and a column.
fn cell(board: Board, text: &str) -> Option<Cell> {
    let (row, column) = text.split_once(',')?;
    Cell::on(board, row.parse().ok()?, column.parse().ok()?)
}
