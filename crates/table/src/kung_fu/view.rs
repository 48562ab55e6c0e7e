//! How kung fu chess is displayed: boards, seats, square names, pictures and outcomes.

use fourfold_board::Geometry;
use fourfold_draw::{Flight, Look, Picture, PlacedPiece};
use fourfold_kung_fu::{
    Board, Cell, Event, EventKind, Game, Player, PlayerAction, Replay, Rules, Seeker, Status,
};

use crate::{Edge, Outcome, Seat, SeatInfo, Shape};

static EIGHT: Geometry<64, 1> = Geometry::rectangle(8, 8);
static TWELVE: Geometry<144, 3> = Geometry::cross(12, 2);

/// Returns the shape of a board.
pub fn shape(board: Board) -> Shape {
    match board {
        Board::Eight => Shape::of(&EIGHT),
        Board::Twelve => Shape::of(&TWELVE),
    }
}

/// Returns the seats of a game, in the order of its players. Players who do not take part have no
/// seat.
///
/// ```
/// use fourfold_kung_fu::Rules;
/// use fourfold_table::{Edge, kung_fu};
///
/// let seats = kung_fu::seats(&Rules::parse("12x12 players=134")?);
/// let names: Vec<&str> = seats.iter().map(|seat| seat.name).collect();
/// assert_eq!(names, ["red", "blue", "yellow"]);
/// assert_eq!(seats[1].edge, Edge::Left); // Player 3 sits on the left.
/// # Ok::<(), fourfold_kung_fu::ParseRulesError>(())
/// ```
pub fn seats(rules: &Rules) -> Vec<SeatInfo> {
    let names: &[&'static str] = match rules.players.len() {
        0..=2 => &["white", "black"],
        _ => &["red", "blue", "yellow", "green"],
    };
    let edges = match rules.board {
        Board::Eight => [Edge::Bottom, Edge::Top, Edge::Bottom, Edge::Top],
        Board::Twelve => [Edge::Right, Edge::Bottom, Edge::Left, Edge::Top],
    };
    let players = rules.players.iter().zip(names);
    players.map(|(player, name)| SeatInfo::new(name, edges[player.index()])).collect()
}

/// Returns the seat of a player, or `None` if the player does not take part.
pub fn seat_of(rules: &Rules, player: Player) -> Option<Seat> {
    rules.players.iter().position(|other| other == player).map(|index| Seat::new(index as u8))
}

/// Returns the player in a seat, or `None` if there is no such seat.
pub fn player_in(rules: &Rules, seat: Seat) -> Option<Player> {
    rules.players.iter().nth(seat.index())
}

/// Returns the name of a cell, such as `e4`.
pub fn square(board: Board, cell: Cell) -> String {
    let file = char::from(b'a' + cell.column());
    format!("{file}{}", board.size() - usize::from(cell.row()))
}

/// Parses a square name and returns its row and column, which may be off the board. Returns `None`
/// if the text is not a square name.
///
/// ```
/// use fourfold_kung_fu::Board;
/// use fourfold_table::kung_fu::read_square;
///
/// assert_eq!(read_square(Board::Eight, "e4"), Some((4, 4)));
/// assert_eq!(read_square(Board::Eight, "a12"), Some((-4, 0)));
/// assert_eq!(read_square(Board::Eight, "4e"), None);
/// ```
pub fn read_square(board: Board, name: &str) -> Option<(i32, i32)> {
    let mut letters = name.chars();
    let file = letters.next().filter(char::is_ascii_lowercase)?;
    let rank = letters.as_str();
    let plain = (1..=2).contains(&rank.len()) && rank.bytes().all(|byte| byte.is_ascii_digit());
    let rank: i32 = rank.parse().ok().filter(|_| plain)?;
    Some((board.size() as i32 - rank, file as i32 - 'a' as i32))
}

/// Draws the current state of a game. Moving pieces are drawn between squares, and squares with
/// resting pieces show how much rest is left.
///
/// ```
/// use fourfold_draw::Look;
/// use fourfold_kung_fu::{Game, Player};
///
/// let mut game = Game::parse("8x8 standard", "")?;
/// game.order(Player::ALL[0], game.piece_named("P:1:6:4").expect("a pawn"), (4, 4))?;
/// game.advance_to(31, &mut Vec::new());
/// let picture = fourfold_table::kung_fu::picture(&game, Look::default());
/// assert_eq!((picture.pieces.len(), picture.flights[0].done), (31, 500));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn picture(game: &Game, look: Look) -> Picture {
    let (rules, now) = (game.rules(), game.now());
    let mut picture = Picture::new("kung fu chess", shape(rules.board), rules.players.len());
    picture.look = look;
    let gone = |player: &Player| !game.alive().contains(*player);
    picture.eliminated =
        rules.players.iter().filter(gone).filter_map(|one| seat_of(&rules, one)).collect();
    let part = |past: u64, all: u64| (past * 1000 / all.max(1)).min(1000) as u16;
    for piece in game.ids().filter_map(|id| game.piece(id)) {
        let Some(seat) = seat_of(&rules, piece.player()) else { continue };
        let at = square(rules.board, piece.at());
        let placed = PlacedPiece::new(at.clone(), piece.role().letter(), seat);
        match piece.status() {
            Status::Standing => picture.pieces.push(placed),
            Status::Resting { until } => {
                picture.pieces.push(placed);
                let left = until.saturating_sub(now);
                picture.rests.push((at, part(left, u64::from(rules.speed.rest))));
            }
            Status::Moving { to, start, arrive, .. } => {
                let done = part(now.saturating_sub(start), arrive - start);
                picture.flights.push(Flight { piece: placed, to: square(rules.board, to), done });
            }
            Status::Gone => {}
        }
    }
    picture
}

/// Returns how a recorded game has ended. `None` if the record ends before the game does.
pub fn recorded_outcome(replay: &Replay, seeker: &Seeker<'_>) -> Option<Outcome> {
    let game = seeker.last();
    let over = |event: &&Event| matches!(event.kind, EventKind::Over(_));
    let tick = seeker.events().iter().find(over).map(|event| event.tick);
    let last = replay.actions.last().filter(|(at, _)| Some(*at) == tick);
    let reason = match (last, game.outcome()?) {
        (Some((_, PlayerAction::Resign { .. })), _) => "resignation",
        (Some((_, PlayerAction::Draw { .. })), _) => "agreement",
        (_, fourfold_kung_fu::Outcome::Win(_)) => "capturing the king",
        (_, fourfold_kung_fu::Outcome::Draw) => "rule",
    };
    outcome(game, reason)
}

/// Returns how a game has ended, with a reason for display. `None` while it is in progress.
pub fn outcome(game: &Game, reason: impl Into<String>) -> Option<Outcome> {
    let rules = game.rules();
    let winners = match game.outcome()? {
        fourfold_kung_fu::Outcome::Draw => Vec::new(),
        fourfold_kung_fu::Outcome::Win(players) => {
            players.iter().filter_map(|player| seat_of(&rules, player)).collect()
        }
    };
    let names: Vec<&str> = seats(&rules).iter().map(|seat| seat.name).collect();
    Some(Outcome::new(winners, reason.into(), &names))
}
