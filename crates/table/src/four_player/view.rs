//! How four-player chess is displayed: legal moves and the board.

use std::iter::repeat_n;

use fourfold_four_player::pgn4::GameResult;
use fourfold_four_player::{
    BOARD, Ending, Mode, Move, MoveKind, ParseMoveError, Piece, Player, Position, Role, Square,
};

use super::{EDGES, FourPlayerState, SEATS, refusal, seat};
use crate::{CapturedPiece, Choice, PlacedPiece, PlayError, Scene, Seat, Shape};

const EXPECTED: &str = "a move like 'h2-h3', 'Nj1xBi3', 'O-O' or 'h2h3'";

/// The seat number of pieces without an owner, which no seat of the game has.
const NOBODY: Seat = Seat::new(SEATS.len() as u8);

/// The roles in a tray, the most valuable first.
const BY_VALUE: [Role; 7] = [
    Role::King,
    Role::Queen,
    Role::Rook,
    Role::Bishop,
    Role::Knight,
    Role::OnePointQueen,
    Role::Pawn,
];

/// Returns a legal move as text.
pub(super) fn choice(position: &Position, mv: Move) -> Choice {
    // In a free-for-all, all pawns promote to the same role.
    let chosen = mv.promotion().filter(|_| position.rules().mode == Mode::Teams);
    Choice {
        code: mv.to_string(),
        text: position.notation(mv),
        from: BOARD.name(mv.from()),
        to: BOARD.name(mv.to()),
        promotion: chosen.map(Role::letter),
    }
}

/// Parses a legal move in either notation; `parse_notation` also accepts codes.
pub(super) fn parse(position: &Position, text: &str) -> Result<Move, PlayError> {
    let text = text.trim();
    position.parse_notation(text).map_err(|error| match error {
        ParseMoveError::Malformed { text } | ParseMoveError::MalformedNotation { text } => {
            PlayError::Malformed { text, expected: EXPECTED }
        }
        ParseMoveError::Ambiguous { text, candidates } => PlayError::Ambiguous { text, candidates },
        ParseMoveError::WrongRole { .. } | ParseMoveError::CapturesNothing { .. } => {
            let reason = Some(error.to_string());
            PlayError::Illegal { text: text.to_owned(), position: position.fen4(), reason }
        }
        _ => illegal(position, text),
    })
}

/// Returns the error for an illegal move.
fn illegal(position: &Position, text: &str) -> PlayError {
    let reason = refusal::why(position, text);
    PlayError::Illegal { text: text.to_owned(), position: position.fen4(), reason }
}

/// Returns the squares of kings in check, including the king whose checkmate ended a team game.
fn checked(position: &Position) -> impl Iterator<Item = Square> {
    Player::ALL.into_iter().filter_map(|player| {
        let king = position.king(player)?;
        let mated = position.ending() == Some(Ending::Checkmate)
            && !position.alive().contains(player)
            && position.is_attacked(king, position.opponents(player));
        (mated || position.is_check(player)).then_some(king)
    })
}

/// How many pieces each player has captured, by the player, by the role as in `BY_VALUE`, and by the
/// owner of the piece. Gray pieces other than kings are worth no points and are left out.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Captured([[[u8; SEATS.len()]; BY_VALUE.len()]; SEATS.len()]);

impl Captured {
    /// Adds what a move in this position captures.
    pub(super) fn add(&mut self, before: &Position, mv: Move) {
        let passed = Player::ALL.into_iter().filter_map(|owner| {
            let (skipped, pawn) = before.en_passant(owner)?;
            (mv.kind() == MoveKind::EnPassant && skipped == mv.to()).then_some(pawn)
        });
        let taken = [mv.to()].into_iter().chain(passed).filter_map(|at| before.piece_at(at));
        for Piece { owner, role } in taken {
            let (Some(owner), Some(value)) = (owner, BY_VALUE.iter().position(|&one| one == role))
            else {
                continue;
            };
            // A king keeps its value after its player has been eliminated.
            if before.alive().contains(owner) || role == Role::King {
                self.0[before.turn() as usize][value][owner as usize] += 1;
            }
        }
    }

    /// Returns the pieces that each seat has captured, the most valuable first.
    fn lists(&self) -> Vec<Vec<CapturedPiece>> {
        let list = |counts: &[[u8; SEATS.len()]; BY_VALUE.len()]| {
            let by_role = BY_VALUE.iter().zip(counts);
            let by_owner = by_role.flat_map(|(role, counts)| {
                Player::ALL.into_iter().zip(counts).map(|(owner, &count)| (*role, owner, count))
            });
            let pieces = by_owner.flat_map(|(role, owner, count)| {
                repeat_n(CapturedPiece { piece: role.letter(), seat: seat(owner) }, count.into())
            });
            pieces.collect()
        };
        self.0.iter().map(list).collect()
    }
}

/// Returns the scene of a state, after `ply` moves.
pub(super) fn scene(state: &FourPlayerState, last: Option<Move>, ply: usize) -> Scene {
    let position = &state.position;
    let last = last.map(|mv| [mv.from(), mv.to()]);
    let pieces = position.iter_pieces().map(|(square, piece)| {
        PlacedPiece::new(BOARD.name(square), piece.role.letter(), piece.owner.map_or(NOBODY, seat))
    });
    let scores = match (position.rules().mode, state.recorded) {
        (_, Some(GameResult::Points(points))) => points.map(i32::from).to_vec(),
        (Mode::FreeForAll, _) => position.points().map(i32::from).to_vec(),
        (Mode::Teams, _) => Vec::new(),
    };
    let teams = match position.rules().mode {
        Mode::FreeForAll => Vec::new(),
        Mode::Teams => [Player::Red, Player::Blue]
            .map(|player| vec![seat(player), seat(player.opposite())])
            .to_vec(),
    };
    Scene {
        teams,
        scores,
        pieces: pieces.collect(),
        captured: state.captured.lists(),
        last_move: last.into_iter().flatten().map(|square| BOARD.name(square)).collect(),
        check: checked(position).map(|square| BOARD.name(square)).collect(),
        ..Scene::new(state, ply, Shape::of(&BOARD), &EDGES)
    }
}
