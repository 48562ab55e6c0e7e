//! How four-player chess is displayed: legal moves and the board.

use fourfold_four_player::pgn4::GameResult;
use fourfold_four_player::{
    BOARD, Ending, Mode, Move, ParseMoveError, Piece as FourMan, Player, Position, Role, Square,
};

use super::{EDGES, FourPlayerTable, SEATS, refusal, seat};
use crate::{
    Choice, Lying, PlacedPiece, PlayError, Scene, Seat, SeatColors, SeatInfo, Shape, Table,
};

const EXPECTED: &str = "a move like 'h2-h3', 'Nj1xBi3', 'O-O' or 'h2h3'";

/// The seat of pieces that never had an owner: one that the game does not have.
const NOBODY: Seat = Seat::new(SEATS.len() as u8);

/// Returns the legal moves of a position, sorted by code.
pub(super) fn choices(position: &Position) -> Vec<Choice> {
    let legal = position.legal_moves();
    let mut choices: Vec<Choice> = legal.iter().map(|&mv| choice(position, mv)).collect();
    choices.sort_unstable_by(|one, other| one.code.cmp(&other.code));
    choices
}

fn choice(position: &Position, mv: Move) -> Choice {
    // In a free-for-all, all pawns promote to the same role.
    let chosen = mv.promotion().filter(|_| position.rules().mode == Mode::Teams);
    Choice {
        code: mv.to_string(),
        text: position.notation(mv),
        from: BOARD.name(mv.from()),
        to: BOARD.name(mv.to()),
        becomes: chosen.map(Role::letter),
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
pub(super) fn illegal(position: &Position, text: &str) -> PlayError {
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

/// Returns the pieces that each seat has captured, the most valuable first. Gray pieces other than
/// kings are worth no points and are left out.
fn trays(table: &FourPlayerTable) -> Vec<Vec<Lying>> {
    let mut trays = vec![Vec::new(); SEATS.len()];
    for (before, mv) in table.moves_in_effect() {
        let squares = before.captured_squares(mv);
        let taken = squares.iter().filter_map(|at| before.piece_at(at));
        for FourMan { owner, role: kind } in taken {
            let Some(owner) = owner else { continue };
            // A king keeps its value after its player has been eliminated.
            if before.alive().contains(owner) || kind == Role::King {
                trays[before.turn() as usize].push((kind, seat(owner)));
            }
        }
    }
    let lying = |(kind, seat): (Role, Seat)| Lying { piece: kind.letter(), seat };
    let sorted = trays.into_iter().map(|mut tray| {
        tray.sort_by_key(|&(kind, seat)| (std::cmp::Reverse(rank(kind)), seat));
        tray.into_iter().map(lying).collect()
    });
    sorted.collect()
}

/// The sort key of a role in a tray. The highest comes first.
const fn rank(kind: Role) -> u8 {
    match kind {
        Role::Pawn => 0,
        Role::Promoted => 1,
        Role::Knight => 2,
        Role::Bishop => 3,
        Role::Rook => 4,
        Role::Queen => 5,
        Role::King => 6,
    }
}

/// Returns the scene of a table.
pub(super) fn scene(table: &FourPlayerTable) -> Scene {
    let position = table.current();
    let place = |player: Player| SeatInfo::new(player.name(), EDGES[player as usize]);
    let last = table.latest().map(|mv| [mv.from(), mv.to()]);
    let men = position.iter_pieces().map(|(square, man)| {
        PlacedPiece::new(BOARD.name(square), man.role.letter(), man.owner.map_or(NOBODY, seat))
    });
    let scores = match (position.rules().mode, table.recorded()) {
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
        game: table.game(),
        board: Shape::of(&BOARD),
        seats: Player::ALL.map(place).to_vec(),
        teams,
        out: table.out(),
        scores,
        tints: SeatColors::of(SEATS.len()),
        colors: Vec::new(),
        shapes: Vec::new(),
        men: men.collect(),
        trays: trays(table),
        last_move: last.into_iter().flatten().map(|square| BOARD.name(square)).collect(),
        check: checked(&position).map(|square| BOARD.name(square)).collect(),
        acting: table.acting(),
        ply: table.ply(),
        claim: None,
        outcome: table.outcome(),
    }
}
