//! Four-player chess as it is shown: the moves that may be played, and the board.

use fourfold_four_player::pgn4::GameResult;
use fourfold_four_player::{
    BOARD, Ending, Kind, Man as FourMan, Mode, Move, ParseMoveError, Player, Position, Square, Way,
};

use super::{EDGES, FourPlayerTable, SEATS, refusal, seat};
use crate::{Choice, Lying, Man, Place, PlayError, Scene, Seat, Shape, Table, Tints};

const EXPECTED: &str = "a move like 'h2-h3', 'Nj1xBi3', 'O-O' or 'h2h3'";

/// The seat of men that never were anybody's: one that the game does not have.
const NOBODY: Seat = Seat::new(SEATS.len() as u8);

/// The legal moves of a position, in the order of their codes.
pub(super) fn choices(position: &Position) -> Vec<Choice> {
    let legal = position.legal_moves();
    let mut choices: Vec<Choice> = legal.iter().map(|&mv| choice(position, mv)).collect();
    choices.sort_unstable_by(|one, other| one.code.cmp(&other.code));
    choices
}

fn choice(position: &Position, mv: Move) -> Choice {
    // In free-for-all there is nothing to choose.
    let chosen = mv.promotion().filter(|_| position.rules().mode == Mode::Teams);
    Choice {
        code: mv.to_string(),
        text: position.notation(mv),
        from: BOARD.name(mv.from()),
        to: BOARD.name(mv.to()),
        becomes: chosen.map(Kind::letter),
    }
}

/// The legal move that a text means: codes are read as what people write, too.
pub(super) fn parse(position: &Position, text: &str) -> Result<Move, PlayError> {
    let text = text.trim();
    position.parse_notation(text).map_err(|error| match error {
        ParseMoveError::Malformed { text } | ParseMoveError::MalformedNotation { text } => {
            PlayError::Malformed { text, expected: EXPECTED }
        }
        ParseMoveError::Ambiguous { text, candidates } => PlayError::Ambiguous { text, candidates },
        ParseMoveError::Disagrees { .. } | ParseMoveError::TakesNothing { .. } => {
            let reason = Some(error.to_string());
            PlayError::Illegal { text: text.to_owned(), position: position.fen4(), reason }
        }
        _ => illegal(position, text),
    })
}

/// The error for a move that is not legal.
pub(super) fn illegal(position: &Position, text: &str) -> PlayError {
    let reason = refusal::why(position, text);
    PlayError::Illegal { text: text.to_owned(), position: position.fen4(), reason }
}

/// The squares of kings that are attacked, of a player who was mated for the team too.
fn checked(position: &Position) -> impl Iterator<Item = Square> {
    Player::ALL.into_iter().filter_map(|player| {
        let king = position.king(player)?;
        let mated = position.ending() == Some(Ending::Checkmate)
            && !position.alive().contains(player)
            && position.is_attacked(king, position.opponents(player));
        (mated || position.in_check(player)).then_some(king)
    })
}

/// What each seat has taken that was worth something, the most valuable first.
fn trays(table: &FourPlayerTable) -> Vec<Vec<Lying>> {
    let mut trays = vec![Vec::new(); SEATS.len()];
    for (before, mv) in table.moves_in_effect() {
        let passed = Player::ALL.into_iter().filter_map(|owner| {
            let (skipped, pawn) = before.offer(owner)?;
            (mv.way() == Way::EnPassant && skipped == mv.to()).then_some(pawn)
        });
        let taken = [mv.to()].into_iter().chain(passed).filter_map(|at| before.man_at(at));
        for FourMan { owner, kind } in taken {
            let Some(owner) = owner else { continue };
            // A king that its player has left is worth as much as before.
            if before.alive().contains(owner) || kind == Kind::King {
                trays[before.turn() as usize].push((kind, seat(owner)));
            }
        }
    }
    let lying = |(kind, seat): (Kind, Seat)| Lying { piece: kind.letter(), seat };
    let sorted = trays.into_iter().map(|mut tray| {
        tray.sort_by_key(|&(kind, seat)| (std::cmp::Reverse(rank(kind)), seat));
        tray.into_iter().map(lying).collect()
    });
    sorted.collect()
}

/// How far a man comes to the front in a tray.
const fn rank(kind: Kind) -> u8 {
    match kind {
        Kind::Pawn => 0,
        Kind::Promoted => 1,
        Kind::Knight => 2,
        Kind::Bishop => 3,
        Kind::Rook => 4,
        Kind::Queen => 5,
        Kind::King => 6,
    }
}

/// What to draw.
pub(super) fn scene(table: &FourPlayerTable) -> Scene {
    let position = table.current();
    let place = |player: Player| Place::new(player.name(), EDGES[player as usize]);
    let last = table.latest().map(|mv| [mv.from(), mv.to()]);
    let men = position.men().map(|(square, man)| {
        Man::new(BOARD.name(square), man.kind.letter(), man.owner.map_or(NOBODY, seat))
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
        tints: Tints::of(SEATS.len()),
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
