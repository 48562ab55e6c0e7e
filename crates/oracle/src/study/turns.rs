//! Facts about moves: exchanges and forks.
//!
//! The side that is not to move gets the moves it would have after a null move. A side in check
//! cannot pass, so its opponent gets none.

use super::board::{Board, Colour, Kind, Man, Square};
use crate::Error;
use crate::chess::{self, Variant};

/// The moves of both sides.
pub(super) struct Turns {
    variant: Variant,
    white: Turn,
    black: Turn,
}

/// The moves of one side, in UCI notation, sorted as strings.
#[derive(Default)]
struct Turn {
    moves: Vec<String>,
    /// The captures with what each wins, in pawns.
    exchanges: Vec<(String, i32)>,
}

impl Turns {
    pub(super) fn of(fen: &str, variant: Variant) -> Result<Turns, Error> {
        let here = Turn::of(fen, variant)?;
        let there = match passed(fen) {
            Some(fen) => Turn::of(&fen, variant)?,
            None => Turn::default(),
        };
        Ok(match to_move(fen) {
            Colour::White => Turns { variant, white: here, black: there },
            Colour::Black => Turns { variant, white: there, black: here },
        })
    }

    fn of_colour(&self, colour: Colour) -> &Turn {
        match colour {
            Colour::White => &self.white,
            Colour::Black => &self.black,
        }
    }

    /// Returns all captures with what each wins, in pawns.
    pub(super) fn exchanges(&self, colour: Colour) -> &[(String, i32)] {
        &self.of_colour(colour).exchanges
    }

    /// Returns the pieces that the other side can capture at a profit.
    pub(super) fn en_prise(&self, board: &Board, colour: Colour) -> Vec<Square> {
        let mut squares = Vec::new();
        for (uci, wins) in self.exchanges(colour.other()) {
            let victim = Step::of(uci).and_then(|step| step.victim(board));
            squares.extend(victim.filter(|_| *wins > 0));
        }
        squares.sort();
        squares.dedup();
        squares
    }

    /// Returns the moves after which the moved piece attacks at least two enemy pieces, each of
    /// which is the king, worth more than the moved piece, or undefended.
    pub(super) fn forks(&self, board: &Board, colour: Colour) -> Vec<String> {
        let mut forks = self.of_colour(colour).moves.clone();
        forks.retain(|uci| self.targets(board, colour, uci) >= 2);
        forks
    }

    fn targets(&self, board: &Board, colour: Colour, uci: &str) -> usize {
        let Some((after, at)) = Step::of(uci).map(|step| step.after(board, self.variant)) else {
            return 0;
        };
        let Some(moved) = after.at(at) else {
            return 0;
        };
        let counts = |(square, kind): &(Square, Kind)| {
            after.attacks(at, *square)
                && (*kind == Kind::King
                    || kind.is_worth_more_than(moved.kind)
                    || !after.is_attacked(*square, colour.other()))
        };
        after.men(colour.other()).iter().filter(|target| counts(target)).count()
    }
}

impl Turn {
    fn of(fen: &str, variant: Variant) -> Result<Turn, Error> {
        let board = Board::of_fen(fen);
        let moves = chess::moves(fen, variant)?;
        let mut exchanges = Vec::new();
        for uci in &moves {
            if Step::of(uci).and_then(|step| step.victim(&board)).is_some() {
                exchanges.push((uci.clone(), chess::exchange(fen, uci, variant)?));
            }
        }
        Ok(Turn { moves, exchanges })
    }
}

/// A parsed UCI move.
#[derive(Clone, Copy)]
struct Step {
    from: Square,
    to: Square,
    promotion: Option<Kind>,
}

impl Step {
    fn of(uci: &str) -> Option<Step> {
        Some(Step {
            from: Square::from_name(uci.get(..2)?)?,
            to: Square::from_name(uci.get(2..4)?)?,
            promotion: uci.chars().nth(4).and_then(Kind::from_letter),
        })
    }

    /// Returns the square of the piece that a legal move captures.
    fn victim(self, board: &Board) -> Option<Square> {
        let mover = board.at(self.from)?;
        match board.at(self.to) {
            // In Chess960, castling is written as the king capturing its own rook.
            Some(man) => (man.colour != mover.colour).then_some(self.to),
            // A pawn that changes its file without a direct capture captures en passant.
            None => (mover.kind == Kind::Pawn && self.from.file != self.to.file)
                .then_some(Square { rank: self.from.rank, file: self.to.file }),
        }
    }

    /// Returns the board after a legal move, and the destination of the moved piece; in castling,
    /// of the king.
    fn after(self, board: &Board, variant: Variant) -> (Board, Square) {
        let mut after = board.clone();
        if self.is_castling(board, variant) {
            let rank = self.from.rank;
            let (king_file, rook_file) =
                if self.to.file > self.from.file { (6, 5) } else { (2, 3) };
            let corner = if self.to.file > self.from.file { 7 } else { 0 };
            let rook = match variant {
                Variant::Standard => Square { rank, file: corner },
                Variant::Chess960 => self.to,
            };
            let (king_to, rook_to) =
                (Square { rank, file: king_file }, Square { rank, file: rook_file });
            after.put(self.from, None);
            after.put(rook, None);
            after.put(king_to, board.at(self.from));
            after.put(rook_to, board.at(rook));
            return (after, king_to);
        }
        if let Some(victim) = self.victim(board) {
            after.put(victim, None);
        }
        let promoted = |man: Man| Man { kind: self.promotion.unwrap_or(man.kind), ..man };
        after.put(self.from, None);
        after.put(self.to, board.at(self.from).map(promoted));
        (after, self.to)
    }

    fn is_castling(self, board: &Board, variant: Variant) -> bool {
        let (mover, met) = (board.at(self.from), board.at(self.to));
        mover.is_some_and(|man| man.kind == Kind::King)
            && match variant {
                Variant::Standard => (self.to.file - self.from.file).abs() == 2,
                Variant::Chess960 => met.map(|man| man.colour) == mover.map(|man| man.colour),
            }
    }
}

fn to_move(fen: &str) -> Colour {
    if fen.split(' ').nth(1) == Some("w") { Colour::White } else { Colour::Black }
}

/// Returns the position after a null move, or `None` if the side to move is in check.
fn passed(fen: &str) -> Option<String> {
    let board = Board::of_fen(fen);
    let colour = to_move(fen);
    let kings = board.squares_of(colour, Kind::King);
    if kings.iter().any(|king| board.is_attacked(*king, colour.other())) {
        return None;
    }
    let mut fields: Vec<&str> = fen.split(' ').collect();
    fields[1] = match colour {
        Colour::White => "b",
        Colour::Black => "w",
    };
    fields[3] = "-";
    Some(fields.join(" "))
}
