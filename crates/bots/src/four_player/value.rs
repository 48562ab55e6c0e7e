//! The evaluation of four-player chess positions, shared by all bots.

use std::sync::LazyLock;

use fourfold_four_player::{
    BOARD, Bitboard, Mode, Move, MoveKind, Player, Players, Position, Role, Square, Winner,
};

use super::exchange;
use crate::geometry::distance;

/// Values are in hundredths of a point.
pub(super) const POINT: i32 = 100;

/// The value of a won game.
pub(super) const WON: i32 = 1_000_000;

/// The value of a draw or a shared victory.
pub(super) const SHARED: i32 = -2 * POINT;

/// The cost of being eliminated from a free-for-all, in addition to the army.
const ELIMINATED: i32 = 20 * POINT;

/// How much each point of an opponent counts against us, in hundredths of a point.
const OTHERS_POINT: i32 = 33;

/// How much an opponent's pieces count against us, in percent of their value.
const OTHERS_PIECES: i32 = 20;

/// Returns all other players, or in teams the other team.
pub(super) fn rivals(position: &Position, us: Player) -> Players {
    Players::from_bits(!friends(position, us).bits())
}

/// Returns a player and, in teams, the partner.
pub(super) fn friends(position: &Position, us: Player) -> Players {
    match position.rules().mode {
        Mode::FreeForAll => Players::one(us),
        Mode::Teams => Players::one(us).with(us.opposite()),
    }
}

/// Returns the value of a piece to its owner, in points. A promoted queen is as strong as any
/// other, although capturing it earns only one point.
pub(super) const fn strength(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight => 3,
        Role::Bishop => 4,
        Role::Rook => 5,
        Role::Queen | Role::OnePointQueen => 9,
        Role::King => 20,
    }
}

/// Returns the value of a finished game, or `None` if the game is not over. A loss with more points
/// is better.
pub(super) fn ended(position: &Position, us: Player) -> Option<i32> {
    position.ending()?;
    let winners = position.winners();
    Some(match (winners.contains(us), winners.and(rivals(position, us)).is_empty()) {
        (true, true) => WON,
        (true, false) => SHARED,
        (false, _) if winners.is_empty() => SHARED,
        (false, _) => points(position, us) - WON,
    })
}

/// Returns the value of the points scored so far; 0 in teams.
fn points(position: &Position, us: Player) -> i32 {
    if position.rules().mode == Mode::Teams {
        return 0;
    }
    let points = position.points().map(i32::from);
    let (own, all) = (points[us as usize], points.iter().sum::<i32>());
    POINT * own - OTHERS_POINT * (all - own)
}

/// The value of each player's pieces on their squares, updated incrementally.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Armies([i32; 4]);

impl Armies {
    /// Computes the values from a position.
    pub(super) fn of(position: &Position) -> Armies {
        let mut armies = [0; 4];
        for (square, piece) in position.iter_pieces() {
            if let Some(owner) = piece.owner {
                armies[owner as usize] += worth(owner, piece.role, square);
            }
        }
        Armies(armies)
    }

    /// Returns the values after a move, which led from one position to the other.
    pub(super) fn after(mut self, before: &Position, mv: Move, after: &Position) -> Armies {
        if matches!(mv.kind(), MoveKind::Castling | MoveKind::EnPassant) {
            return Armies::of(after);
        }
        let piece_at =
            |square| before.piece_at(square).and_then(|piece| Some((piece.role, piece.owner?)));
        if let Some((victim, owner)) = piece_at(mv.to()) {
            self.0[owner as usize] -= worth(owner, victim, mv.to());
        }
        if let Some((role, owner)) = piece_at(mv.from()) {
            let becomes = mv.promotion().unwrap_or(role);
            self.0[owner as usize] +=
                worth(owner, becomes, mv.to()) - worth(owner, role, mv.from());
        }
        self
    }

    /// Evaluates a game in progress for a player, without looking at captures.
    pub(super) fn value(&self, position: &Position, us: Player) -> i32 {
        let alive = position.alive();
        let army = |player: Player| self.0[player as usize] + shelter(position, player);
        match position.rules().mode {
            Mode::Teams => {
                let friends = friends(position, us);
                let side = |player: Player| if friends.contains(player) { 1 } else { -1 };
                alive.iter().map(|player| side(player) * army(player)).sum()
            }
            Mode::FreeForAll => {
                let others = alive.without(us);
                let theirs: i32 = others.iter().map(|player| self.0[player as usize]).sum();
                let own = match (alive.contains(us), position.rules().winner) {
                    (true, _) => army(us),
                    (false, Winner::MostPoints) => -ELIMINATED,
                    (false, Winner::Survivors) => -WON / 4,
                };
                let chase = if others.len() == 1 { chase(position, us, others) } else { 0 };
                own + points(position, us) - theirs * OTHERS_PIECES / 100 + chase
            }
        }
    }
}

/// Returns the value of a piece on a square; for a king, only that of its placement.
pub(super) fn worth(owner: Player, role: Role, square: Square) -> i32 {
    let place = PLACES[owner as usize][role as usize][square.index() & 255];
    i32::from(place) + if role == Role::King { 0 } else { POINT * strength(role) }
}

/// The value of a piece's placement, by owner, role and square.
static PLACES: LazyLock<Box<[[[i16; 256]; 8]; 4]>> = LazyLock::new(|| {
    let mut places = Box::new([[[0; 256]; 8]; 4]);
    for player in Player::ALL {
        for role in Role::ALL {
            for square in BOARD.squares().iter() {
                places[player as usize][role as usize][square.index()] =
                    place(player, role, square) as i16;
            }
        }
    }
    places
});

fn place(us: Player, role: Role, square: Square) -> i32 {
    let forward = forward(us, square);
    let home = i32::from(forward == 0);
    match role {
        // Toward promotion, with a small bonus for the center.
        Role::Pawn => forward * forward + 2 * center(square),
        Role::Knight => 5 * center(square) - 8 * home,
        Role::Bishop => 3 * center(square) - 8 * home,
        Role::Rook | Role::Queen | Role::OnePointQueen => center(square),
        // This depends on the other pieces: see `shelter`.
        Role::King => 0,
    }
}

/// Returns the value of a king's placement for its owner.
pub(super) fn shelter(position: &Position, us: Player) -> i32 {
    let Some(king) = position.king(us) else { return 0 };
    if position.alive().len() > 2 {
        // With several enemy armies, a king in the open is in danger.
        let near = BOARD.leaps(king, &fourfold_board::KING_LEAPS) & position.army(us);
        4 * near.len() as i32 - 20 * forward(us, king)
    } else {
        2 * center(king)
    }
}

/// Returns a bonus for having the last opponent's king near the edge and close to ours, when that
/// opponent has few pieces left.
fn chase(position: &Position, us: Player, other: Players) -> i32 {
    let Some(foe) = other.iter().next() else { return 0 };
    let (Some(own), Some(king)) = (position.king(us), position.king(foe)) else { return 0 };
    let pieces = |player| position.army(player).len();
    if pieces(foe) > 3 || pieces(us) <= pieces(foe) {
        return 0;
    }
    20 * (6 - center(king)) + 5 * (13 - distance(&BOARD, own, king))
}

/// Returns how far a square is from a player's back rank.
fn forward(player: Player, square: Square) -> i32 {
    BOARD.rank(player.to_view(square)) as i32
}

/// Returns how near a square is to the center: 0 on the edge, 6 in the middle.
fn center(square: Square) -> i32 {
    let off = |line: usize| (2 * line as i32 - 13).abs();
    (13 - off(BOARD.file(square)).max(off(BOARD.rank(square)))) / 2
}

/// Returns what a player loses when an opponent captures one of its pieces.
pub(super) fn lost(position: &Position, role: Role) -> i32 {
    exchanged(position, role, OTHERS_POINT, POINT)
}

/// Returns what a player gains by capturing a piece of an opponent who is not eliminated.
pub(super) fn won(position: &Position, role: Role) -> i32 {
    exchanged(position, role, POINT, OTHERS_PIECES)
}

/// Returns the value of a captured piece: in a free-for-all that of its points and of its strength,
/// weighted differently; in teams only that of its strength.
fn exchanged(position: &Position, role: Role, per_point: i32, per_strength: i32) -> i32 {
    match position.rules().mode {
        Mode::FreeForAll => {
            let points = i32::from(position.rules().points.of(role));
            per_point * points + per_strength * strength(role)
        }
        Mode::Teams => POINT * strength(role),
    }
}

/// A position with the values of its armies.
#[derive(Clone, Copy)]
pub(super) struct State {
    pub(super) position: Position,
    pub(super) armies: Armies,
}

impl State {
    pub(super) fn of(position: &Position) -> State {
        State { position: *position, armies: Armies::of(position) }
    }

    /// Returns the state after a legal move.
    #[inline]
    pub(super) fn after(&self, mv: Move) -> State {
        self.moved_to(mv, self.position.after(mv))
    }

    /// Returns the state after a legal move that leads to a known position.
    #[inline]
    pub(super) fn moved_to(&self, mv: Move, position: Position) -> State {
        State { position, armies: self.armies.after(&self.position, mv, &position) }
    }

    /// Returns the state with another player to move, if that player is not eliminated.
    #[inline]
    pub(super) fn with_turn(&self, player: Player) -> Option<State> {
        Some(State { position: self.position.with_turn(player)?, armies: self.armies })
    }

    /// Evaluates a game in progress for a player, without looking at captures.
    pub(super) fn value(&self, us: Player) -> i32 {
        self.armies.value(&self.position, us)
    }

    /// Returns the state after the best capture of a player, if one seems to win something.
    pub(super) fn after_best_capture(&self, player: Player) -> Option<State> {
        let turn = self.with_turn(player)?;
        Some(turn.after(exchange::best_capture(&turn.position)?))
    }
}

/// Returns the role of the weakest of some pieces.
pub(super) fn weakest(position: &Position, pieces: Bitboard) -> Option<Role> {
    let roles = pieces.iter().filter_map(|square| Some(position.piece_at(square)?.role));
    roles.min_by_key(|&role| strength(role))
}
