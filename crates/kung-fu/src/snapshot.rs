//! Snapshots: game states as bytes. Writing and reading are exact inverses, and damaged bytes are
//! refused.

use alloc::vec::Vec;

use fourfold_common::ensure;
use thiserror::Error;

use crate::board::Cell;
use crate::game::NO_PIECE;
use crate::piece::{MAX_PIECES, Piece, Status, squares};
use crate::setup::check_players;
use crate::{
    Board, EliminatedPieces, Game, Outcome, PieceId, Player, Players, RULES_VERSION, Role, Rules,
    Timing,
};

/// The first bytes of a snapshot, ending in the version of its format.
const MAGIC: [u8; 4] = *b"KFS1";

impl Game {
    /// Returns the whole state as a snapshot.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend(RULES_VERSION.to_le_bytes());
        let Rules { board, speed, players, teams, eliminated, bots } = self.rules();
        out.extend([board as u8, players.bits(), teams as u8, eliminated as u8, bots.bits()]);
        for number in speed.values() {
            out.extend(number.to_le_bytes());
        }
        for number in [self.tick, self.last_order, self.last_capture] {
            out.extend(number.to_le_bytes());
        }
        let outcome = match self.outcome() {
            None => NO_OUTCOME,
            Some(Outcome::Draw) => 0,
            Some(Outcome::Win(players)) => players.bits(),
        };
        out.extend([self.is_closed() as u8, self.eliminated.bits(), outcome, self.count]);
        for piece in self.pieces() {
            let (born, home) = piece.origin();
            let (role, player, moved) = (piece.role() as u8, piece.player.number(), piece.moved());
            out.extend([role, player, born as u8, home.0, piece.at.0, moved as u8]);
            match piece.status() {
                Status::Standing => out.push(0),
                Status::Resting { until } => {
                    out.push(1);
                    out.extend(until.to_le_bytes());
                }
                Status::Moving { to, start, arrive, king } => {
                    out.extend([2, to.0, king.map_or(NO_PIECE, |king| king.0)]);
                    out.extend(start.to_le_bytes());
                    out.extend(arrive.to_le_bytes());
                }
                Status::Gone => out.push(3),
            }
        }
        out
    }

    /// Reads a snapshot.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a snapshot, or if its state is obviously impossible.
    pub fn from_bytes(bytes: &[u8]) -> Result<Game, SnapshotError> {
        let mut bytes = Reader(bytes);
        ensure!(bytes.take::<4>()? == MAGIC, SnapshotError::NotASnapshot);
        let version = bytes.number()?;
        ensure!(version == RULES_VERSION, SnapshotError::Version(version));
        let mut game = Game::empty(read_rules(&mut bytes)?);
        (game.tick, game.last_order, game.last_capture) =
            (bytes.tick()?, bytes.tick()?, bytes.tick()?);
        let past = game.last_order <= game.tick && game.last_capture <= game.tick;
        ensure!(past, damaged("an order or capture is in the future"));
        game.set_closed(bytes.flag()?);
        game.eliminated = bytes.players()?;
        game.set_outcome(match bytes.byte()? {
            NO_OUTCOME => None,
            0 => Some(Outcome::Draw),
            bits if bits < 16 => Some(Outcome::Win(Players::from_bits(bits))),
            _ => return Err(damaged("invalid outcome")),
        });
        let count = bytes.byte()?;
        ensure!(usize::from(count) <= MAX_PIECES, damaged("too many pieces"));
        for _ in 0..count {
            let piece = read_piece(&mut bytes, &game)?;
            let last = game.count.checked_sub(1).map(PieceId);
            game.add(piece);
            let new = PieceId(game.count - 1);
            let sorted = last.is_none_or(|last| game.name(last) < game.name(new));
            ensure!(sorted, damaged("pieces are not sorted by name"));
            match piece.status() {
                Status::Moving { .. } => game.flying |= 1 << new.0,
                Status::Resting { .. } => game.resting |= 1 << new.0,
                Status::Standing | Status::Gone => {}
            }
        }
        ensure!(bytes.0.is_empty(), damaged("trailing bytes"));
        game.check()?;
        game.look_ahead();
        Ok(game)
    }

    /// Checks that the parts of a state are consistent.
    fn check(&self) -> Result<(), SnapshotError> {
        for index in 0..self.count {
            let piece = &self.pieces[index as usize];
            match piece.status() {
                Status::Standing | Status::Resting { .. } => {
                    let alone = self.standing[piece.at.0 as usize] == index;
                    ensure!(alone, damaged("two pieces on one square"));
                }
                Status::Moving { king: Some(king), .. } => {
                    let flies = self.piece(king).is_some_and(|king| {
                        king.role() == Role::King
                            && king.player == piece.player
                            && matches!(king.status(), Status::Moving { .. })
                    });
                    ensure!(flies, damaged("a rook castles without a king"));
                }
                Status::Moving { king: None, .. } | Status::Gone => {}
            }
        }
        for player in Player::ALL {
            let mine = |piece: &&Piece| piece.player == player && piece.role() == Role::King;
            let kings: Vec<&Piece> = self.pieces().filter(mine).collect();
            let alive = kings.iter().filter(|king| king.is_alive()).count();
            let joined = kings.len() == usize::from(self.rules().players.contains(player));
            let living = alive == usize::from(self.alive().contains(player));
            ensure!(joined && living, damaged("a player has the wrong number of kings"));
        }
        Ok(())
    }
}

/// The byte for a game without an outcome.
const NO_OUTCOME: u8 = 255;

fn read_rules(bytes: &mut Reader<'_>) -> Result<Rules, SnapshotError> {
    let board = match bytes.byte()? {
        0 => Board::Eight,
        1 => Board::Twelve,
        _ => return Err(damaged("invalid board")),
    };
    let (players, teams) = (bytes.players()?, bytes.flag()?);
    let eliminated =
        if bytes.flag()? { EliminatedPieces::Freeze } else { EliminatedPieces::Remove };
    let bots = bytes.players()?;
    let ticks_per_square = bytes.number()?;
    let in_range = (1..=Timing::MAX_TICKS_PER_SQUARE).contains(&ticks_per_square);
    ensure!(in_range, damaged("ticks per square out of range"));
    let mut limit = || match bytes.number()? {
        number if number <= Timing::MAX_TICKS => Ok(number),
        _ => Err(damaged("number of ticks out of range")),
    };
    let speed = Timing::from_values([ticks_per_square, limit()?, limit()?, limit()?, limit()?]);
    let rules = Rules { board, speed, players, teams, eliminated, bots };
    check_players(&rules).map_err(|_| damaged("invalid players"))?;
    Ok(rules)
}

fn read_piece(bytes: &mut Reader<'_>, game: &Game) -> Result<Piece, SnapshotError> {
    let (role, player, born) = (bytes.role()?, bytes.byte()?, bytes.role()?);
    let player =
        Player::from_number(player).filter(|&player| game.rules().players.contains(player));
    let player = player.ok_or(damaged("a piece of a player who is not in the game"))?;
    let promoted = (born, role) == (Role::Pawn, Role::Queen);
    ensure!(role == born || promoted, damaged("invalid promotion of a piece"));
    let board = game.rules().board;
    let (home, at, moved) = (bytes.cell(board)?, bytes.cell(board)?, bytes.flag()?);
    let status = match bytes.byte()? {
        0 => Status::Standing,
        1 => {
            let until = bytes.tick()?;
            let latest = game.tick + u64::from(game.rules().speed.rest);
            let in_range = game.tick < until && until <= latest;
            ensure!(in_range, damaged("rest time of a piece out of range"));
            Status::Resting { until }
        }
        2 => {
            let (to, king) = (bytes.cell(board)?, bytes.byte()?);
            let (start, arrive) = (bytes.tick()?, bytes.tick()?);
            let (down, right) = at.to(to);
            let (far, near) = (
                down.unsigned_abs().max(right.unsigned_abs()),
                down.unsigned_abs().min(right.unsigned_abs()),
            );
            let aligned = near == 0 || near == far;
            let fits = if role == Role::Knight { (far, near) == (2, 1) } else { aligned };
            let time = squares(role, at, to) * u64::from(game.rules().speed.ticks_per_square);
            let flies = start <= game.tick + 1 && arrive > game.tick && start + time == arrive;
            ensure!(fits && far > 0 && flies, damaged("invalid move of a piece"));
            let king = (king != NO_PIECE).then_some(PieceId(king));
            Status::Moving { to, start, arrive, king }
        }
        3 => Status::Gone,
        _ => return Err(damaged("invalid status of a piece")),
    };
    let mut piece = Piece::new(born, player, home);
    piece.at = at;
    piece.set_role(role);
    piece.set_moved(moved);
    piece.set_status(status);
    Ok(piece)
}

/// Reads bytes from the front of a slice.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], SnapshotError> {
        let (first, rest) = self.0.split_first_chunk().ok_or(SnapshotError::TooShort)?;
        self.0 = rest;
        Ok(*first)
    }

    fn byte(&mut self) -> Result<u8, SnapshotError> {
        Ok(self.take::<1>()?[0])
    }

    fn flag(&mut self) -> Result<bool, SnapshotError> {
        match self.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(damaged("invalid flag")),
        }
    }

    fn number(&mut self) -> Result<u32, SnapshotError> {
        Ok(u32::from_le_bytes(self.take()?))
    }

    /// Reads a tick. Ticks beyond the length of any possible game are refused.
    fn tick(&mut self) -> Result<u64, SnapshotError> {
        let tick = u64::from_le_bytes(self.take()?);
        if tick < 1 << 48 { Ok(tick) } else { Err(damaged("tick out of range")) }
    }

    fn players(&mut self) -> Result<Players, SnapshotError> {
        match self.byte()? {
            bits if bits < 16 => Ok(Players::from_bits(bits)),
            _ => Err(damaged("invalid set of players")),
        }
    }

    fn role(&mut self) -> Result<Role, SnapshotError> {
        Role::ALL.get(usize::from(self.byte()?)).copied().ok_or(damaged("invalid role"))
    }

    fn cell(&mut self, board: Board) -> Result<Cell, SnapshotError> {
        let cell = Cell(self.byte()?);
        if cell.exists(board) { Ok(cell) } else { Err(damaged("square off the board")) }
    }
}

pub(crate) const fn damaged(what: &'static str) -> SnapshotError {
    SnapshotError::Damaged(what)
}

/// The error returned when bytes or text are not a valid state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// The data is not a state at all.
    #[error("not a kung fu chess state")]
    NotASnapshot,
    /// The state belongs to another version of the rules.
    #[error(
        "the state belongs to version {0} of the rules, but this program supports version {supported}",
        supported = RULES_VERSION
    )]
    Version(u32),
    /// The data ends too early.
    #[error("the state is truncated")]
    TooShort,
    /// A part of the state is invalid.
    #[error("the state is damaged: {0}")]
    Damaged(&'static str),
}
