//! What a position of four-player chess is worth to a player, and the words for it that all its bots
//! share.

use std::sync::LazyLock;

use fourfold_four_player::{
    BOARD, Bitboard, Kind, Mode, Move, Player, Players, Position, Square, Way, Winner,
};

/// Values are in hundredths of a point.
pub(super) const POINT: i32 = 100;

/// The game is won.
pub(super) const WON: i32 = 1_000_000;

/// The game is drawn, or the victory shared.
pub(super) const SHARED: i32 = -2 * POINT;

/// What it costs to be out of a free-for-all, beside the army.
const OUT: i32 = 20 * POINT;

/// What an opponent's point is worth to us, in hundredths.
const OTHERS_POINT: i32 = 33;

/// What an opponent's men are worth to us, in hundredths.
const OTHERS_MEN: i32 = 20;

/// Everybody else, or in teams the other team.
pub(super) fn rivals(position: &Position, us: Player) -> Players {
    Players::from_bits(!friends(position, us).bits())
}

/// A player, and in teams the partner.
pub(super) fn friends(position: &Position, us: Player) -> Players {
    match position.rules().mode {
        Mode::FreeForAll => Players::one(us),
        Mode::Teams => Players::one(us).with(us.opposite()),
    }
}

/// What a man is worth to its owner. That one-point queens bring others little does not make them
/// weaker.
pub(super) const fn strength(kind: Kind) -> i32 {
    match kind {
        Kind::Pawn => 1,
        Kind::Knight => 3,
        Kind::Bishop => 4,
        Kind::Rook => 5,
        Kind::Queen | Kind::Promoted => 9,
        Kind::King => 20,
    }
}

/// What a game that is over is worth. Who has lost still likes to have lost with more.
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

/// What the points are worth that were made; nothing in teams.
fn points(position: &Position, us: Player) -> i32 {
    if position.rules().mode == Mode::Teams {
        return 0;
    }
    let points = position.points().map(i32::from);
    let (own, all) = (points[us as usize], points.iter().sum::<i32>());
    POINT * own - OTHERS_POINT * (all - own)
}

/// The worth of each player's men where they stand, kept from move to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Armies([i32; 4]);

impl Armies {
    /// Those of a position.
    pub(super) fn of(position: &Position) -> Armies {
        let mut armies = [0; 4];
        for (square, man) in position.men() {
            if let Some(owner) = man.owner {
                armies[owner as usize] += worth(owner, man.kind, square);
            }
        }
        Armies(armies)
    }

    /// Those after a move, which led from one position to another.
    pub(super) fn after(mut self, before: &Position, mv: Move, after: &Position) -> Armies {
        if matches!(mv.way(), Way::Castling | Way::EnPassant) {
            return Armies::of(after);
        }
        if let Some((victim, owner)) = before.man_at(mv.to()).and_then(|m| Some((m.kind, m.owner?)))
        {
            self.0[owner as usize] -= worth(owner, victim, mv.to());
        }
        if let Some((kind, owner)) = before.man_at(mv.from()).and_then(|m| Some((m.kind, m.owner?)))
        {
            let becomes = mv.promotion().unwrap_or(kind);
            self.0[owner as usize] +=
                worth(owner, becomes, mv.to()) - worth(owner, kind, mv.from());
        }
        self
    }

    /// What a game that goes on is worth to a player, if nobody takes anything.
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
                    (false, Winner::MostPoints) => -OUT,
                    (false, Winner::Survivors) => -WON / 4,
                };
                let chase = if others.len() == 1 { chase(position, us, others) } else { 0 };
                own + points(position, us) - theirs * OTHERS_MEN / 100 + chase
            }
        }
    }
}

/// The worth of a man on a square; a king's is only its place.
pub(super) fn worth(owner: Player, kind: Kind, square: Square) -> i32 {
    let place = PLACES[owner as usize][kind as usize][square.index() & 255];
    i32::from(place) + if kind == Kind::King { 0 } else { POINT * strength(kind) }
}

/// What a man's place is worth, by owner, kind and square.
static PLACES: LazyLock<Box<[[[i16; 256]; 8]; 4]>> = LazyLock::new(|| {
    let mut places = Box::new([[[0; 256]; 8]; 4]);
    for player in Player::ALL {
        for kind in Kind::ALL {
            for square in BOARD.exists().iter() {
                places[player as usize][kind as usize][square.index()] =
                    place(player, kind, square) as i16;
            }
        }
    }
    places
});

fn place(us: Player, kind: Kind, square: Square) -> i32 {
    let forward = forward(us, square);
    let home = i32::from(forward == 0);
    match kind {
        // Towards promotion, and a little more in the middle of the line.
        Kind::Pawn => forward * forward + 2 * centre(square),
        Kind::Knight => 5 * centre(square) - 8 * home,
        Kind::Bishop => 3 * centre(square) - 8 * home,
        Kind::Rook | Kind::Queen | Kind::Promoted => centre(square),
        // That depends on the others: see `shelter`.
        Kind::King => 0,
    }
}

/// What a king's place is worth to its owner.
pub(super) fn shelter(position: &Position, us: Player) -> i32 {
    let Some(king) = position.king(us) else { return 0 };
    if position.alive().len() > 2 {
        // Four armies shoot at a king that walks.
        let near = BOARD.leaps(king, &fourfold_board::KING_LEAPS) & position.army(us);
        4 * near.len() as i32 - 20 * forward(us, king)
    } else {
        2 * centre(king)
    }
}

/// What it is worth to have the last opponent's king at the edge with ours beside it, when it has
/// little left.
fn chase(position: &Position, us: Player, other: Players) -> i32 {
    let Some(foe) = other.iter().next() else { return 0 };
    let (Some(own), Some(king)) = (position.king(us), position.king(foe)) else { return 0 };
    let men = |player| position.army(player).len();
    if men(foe) > 3 || men(us) <= men(foe) {
        return 0;
    }
    let files = BOARD.file(own).abs_diff(BOARD.file(king));
    let ranks = BOARD.rank(own).abs_diff(BOARD.rank(king));
    20 * (6 - centre(king)) + 5 * (13 - files.max(ranks) as i32)
}

/// How far a square is from a player's back line.
fn forward(player: Player, square: Square) -> i32 {
    BOARD.rank(player.sees(square)) as i32
}

/// How near a square is to the centre: 0 on the edge, 6 in the middle.
fn centre(square: Square) -> i32 {
    let off = |line: usize| (2 * line as i32 - 13).abs();
    (13 - off(BOARD.file(square)).max(off(BOARD.rank(square)))) / 2
}

/// What a player loses when an opponent takes one of its men.
pub(super) fn lost(position: &Position, kind: Kind) -> i32 {
    match position.rules().mode {
        Mode::FreeForAll => {
            let points = i32::from(position.rules().points.of(kind));
            POINT * strength(kind) + OTHERS_POINT * points
        }
        Mode::Teams => POINT * strength(kind),
    }
}

/// What a player wins by taking a man of an opponent who lives.
pub(super) fn won(position: &Position, kind: Kind) -> i32 {
    match position.rules().mode {
        Mode::FreeForAll => {
            let points = i32::from(position.rules().points.of(kind));
            POINT * points + OTHERS_MEN * strength(kind)
        }
        Mode::Teams => POINT * strength(kind),
    }
}

/// The kind of the weakest of some men.
pub(super) fn weakest(position: &Position, men: Bitboard) -> Option<Kind> {
    let kinds = men.iter().filter_map(|square| Some(position.man_at(square)?.kind));
    kinds.min_by_key(|&kind| strength(kind))
}
