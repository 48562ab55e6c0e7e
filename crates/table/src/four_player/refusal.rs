//! Explains in one sentence why a move between two squares is not legal.

use fourfold_board::{Direction, KING_LEAPS, KNIGHT_LEAPS};
use fourfold_four_player::{Army, BOARD, Mode, Piece, Player, Position, Role, Square};

/// Returns why a text such as `d2d4` or `Nj1-i3` is not a legal move, or `None` if it does not name
/// two squares or no reason is found.
pub(super) fn why(position: &Position, text: &str) -> Option<String> {
    let (from, to) = squares(text)?;
    let us = position.turn();
    let Some(piece) = position.piece_at(from) else {
        return Some(format!("there is no piece on {}", BOARD.name(from)));
    };
    if piece.owner != Some(us) || !position.alive().contains(us) {
        let (role, whose) = (piece.role.name(), described(position, piece));
        return Some(format!("the {role} on {} is {whose}", BOARD.name(from)));
    }
    if let Some(refusal) = target(position, us, from, to) {
        return Some(refusal);
    }
    let legal = position.legal_moves();
    if let Some(mv) = legal.iter().find(|mv| mv.from() == from && mv.to() == to) {
        return Some(match mv.promotion() {
            Some(_) => match position.rules().mode {
                Mode::FreeForAll => "a pawn promotes to a one-point queen ('d')".to_owned(),
                Mode::Teams => "a pawn promotes to 'q', 'r', 'b' or 'n'".to_owned(),
            },
            None => "only a pawn that reaches its promotion line can promote".to_owned(),
        });
    }
    geometry(position, piece.role, from, to).or_else(|| danger(position, piece.role, to))
}

/// Parses the two squares in a text. Piece letters and punctuation before each square are skipped.
fn squares(text: &str) -> Option<(Square, Square)> {
    let (from, rest) = square(text)?;
    Some((from, square(rest)?.0))
}

/// Parses the first square in a text. Returns it with the rest of the text.
fn square(text: &str) -> Option<(Square, &str)> {
    let text =
        text.trim_start_matches(|letter: char| !letter.is_ascii_lowercase() || letter == 'x');
    let digits = text.bytes().skip(1).take_while(u8::is_ascii_digit).count();
    let (name, rest) = text.split_at_checked(1 + digits)?;
    Some((BOARD.parse(name).ok()?, rest))
}

/// Describes the owner of a piece, as the end of a sentence: `blue's`.
fn described(position: &Position, piece: Piece) -> String {
    match piece.owner {
        Some(owner) if position.alive().contains(owner) => format!("{owner}'s"),
        Some(owner) => format!("gray: {owner} is eliminated"),
        None => "gray".to_owned(),
    }
}

/// Returns why no piece of the side to move can go to the square.
fn target(position: &Position, us: Player, from: Square, to: Square) -> Option<String> {
    let name = BOARD.name(to);
    if from == to {
        return Some(format!("the piece is already on {name}"));
    }
    let occupant = position.piece_at(to)?;
    let role = occupant.role.name();
    match occupant.owner? {
        owner if owner == us => Some(format!("{name} is occupied by a {role} of the same color")),
        owner
            if position.rules().mode == Mode::Teams
                && owner == us.opposite()
                && position.alive().contains(owner) =>
        {
            Some(format!("{name} is occupied by the partner's {role}"))
        }
        _ => None,
    }
}

/// Returns why a piece cannot reach the square, regardless of checks.
fn geometry(position: &Position, role: Role, from: Square, to: Square) -> Option<String> {
    let direction = BOARD.direction(from, to);
    let goes = |directions: &[Direction]| {
        direction.is_some_and(|direction| directions.contains(&direction))
    };
    let comes = match role {
        Role::Pawn => return pawn(position, from, to),
        Role::Knight => BOARD.leaps(from, &KNIGHT_LEAPS).contains(to),
        Role::King => {
            let home = Army::of(position.turn()).back_line;
            let two = BOARD.between(from, to).len() == 1;
            if two && home.contains(from) && home.contains(to) {
                return Some("the king cannot castle there now".to_owned());
            }
            BOARD.leaps(from, &KING_LEAPS).contains(to)
        }
        Role::Bishop => goes(&Direction::DIAGONALS),
        Role::Rook => goes(&Direction::ORTHOGONALS),
        Role::Queen | Role::OnePointQueen => goes(&Direction::ALL),
    };
    if comes { in_the_way(position, from, to) } else { Some(not_a_move(role, from, to)) }
}

/// Returns why a pawn cannot reach the square.
fn pawn(position: &Position, from: Square, to: Square) -> Option<String> {
    let army = Army::of(position.turn());
    let ahead = BOARD.step(from, army.forward);
    let twice = ahead.and_then(|square| BOARD.step(square, army.forward));
    let takes = army.captures.map(|direction| BOARD.step(from, direction)).contains(&Some(to));
    if ahead == Some(to) || twice == Some(to) && army.home_line.contains(from) {
        let blocked = in_the_way(position, from, to).or_else(|| blocking(position, to));
        return blocked.map(|reason| format!("pawns capture only diagonally: {reason}"));
    }
    match position.piece_at(to) {
        _ if !takes => Some(not_a_move(Role::Pawn, from, to)),
        Some(_) => None,
        None => {
            let to = BOARD.name(to);
            Some(format!("pawns move diagonally only to capture: there is nothing on {to}"))
        }
    }
}

/// Describes a piece between two squares, if there is one.
fn in_the_way(position: &Position, from: Square, to: Square) -> Option<String> {
    (BOARD.between(from, to) & position.occupied()).iter().find_map(|at| blocking(position, at))
}

/// Describes the piece on a square as an obstacle.
fn blocking(position: &Position, square: Square) -> Option<String> {
    let role = position.piece_at(square)?.role.name();
    Some(format!("the {role} on {} is in the way", BOARD.name(square)))
}

fn not_a_move(role: Role, from: Square, to: Square) -> String {
    format!("a {} does not move from {} to {}", role.name(), BOARD.name(from), BOARD.name(to))
}

/// Returns how a move that is otherwise possible would leave its own king in check.
fn danger(position: &Position, role: Role, to: Square) -> Option<String> {
    let us = position.turn();
    let takes_king = position.piece_at(to).is_some_and(|piece| piece.role == Role::King);
    match role {
        _ if takes_king => None,
        Role::King => Some(format!("the king would be attacked on {}", BOARD.name(to))),
        _ if position.is_check(us) => {
            Some("the king is in check, and this move does not stop it".to_owned())
        }
        _ => Some("the king would be left in check".to_owned()),
    }
}
