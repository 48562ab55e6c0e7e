//! Looks at each order by itself: what it takes, what threatens the piece, where it would land.

use fourfold_board::Keys;
use fourfold_kung_fu::{Bitboard, Cell, Game, Kind, Order, Piece, Status};

/// Scores are in hundredths of a pawn; orders that differ by no more are as good.
const SHADE: u64 = 8;

/// What a player sees of the others.
#[derive(Clone, Copy)]
pub(super) enum Sight {
    /// What can be taken.
    Prey,
    /// Also where the others fly and could fly.
    All,
}

/// The order that looks best at once, if one is good at all.
pub(super) fn best(
    game: &Game,
    player: u8,
    sight: Sight,
    keys: &mut Keys,
    orders: &[Order],
    theirs: &mut Vec<Order>,
) -> Option<Order> {
    let (reach, coming) = match sight {
        Sight::Prey => (Bitboard::EMPTY, Bitboard::EMPTY),
        Sight::All => (reach(game, player, theirs), coming(game, player)),
    };
    let mut best: Option<(i64, Order)> = None;
    for &order in orders {
        let shade = (keys.next() % SHADE) as i64;
        let score = score(game, order, reach, coming) + shade;
        if best.is_none_or(|(most, _)| score > most) {
            best = Some((score, order));
        }
    }
    // It waits where everything would be a loss.
    best.filter(|&(score, _)| score > 0).map(|(_, order)| order)
}

/// Where the others could go now.
fn reach(game: &Game, player: u8, theirs: &mut Vec<Order>) -> Bitboard {
    let team = game.rules().team(player);
    let mut reach = Bitboard::EMPTY;
    for other in game.alive().without(team).iter() {
        game.legal_orders(other, theirs);
        for order in theirs.iter() {
            reach = reach.with(order.to.square());
        }
    }
    reach
}

/// Where pieces of others are flying to.
fn coming(game: &Game, player: u8) -> Bitboard {
    let team = game.rules().team(player);
    let foes = game.pieces().filter(|piece| !team.contains(piece.player()));
    foes.fold(Bitboard::EMPTY, |set, piece| match piece.status() {
        Status::Moving { to, .. } => set.with(to.square()),
        Status::Standing | Status::Resting { .. } | Status::Gone => set,
    })
}

fn score(game: &Game, Order { piece, to }: Order, reach: Bitboard, coming: Bitboard) -> i64 {
    let Some(own) = game.piece(piece) else { return i64::MIN };
    let mut score = 10 + activity(own, to);
    if let Some(target) = game.standing_at(to).and_then(|id| game.piece(id)) {
        // Who rests cannot run.
        let certain = matches!(target.status(), Status::Resting { .. });
        score += worth(target.kind()) * if certain { 100 } else { 60 };
    }
    if coming.contains(own.at().square()) {
        score += worth(own.kind()) * 90;
    }
    if reach.contains(to.square()) || coming.contains(to.square()) {
        score -= worth(own.kind()) * 50;
    }
    score
}

const fn worth(kind: Kind) -> i64 {
    match kind {
        Kind::Pawn => 1,
        Kind::Knight | Kind::Bishop => 3,
        Kind::Rook => 5,
        Kind::Queen => 9,
        Kind::King => 60,
    }
}

/// A little for going toward the middle, less than nothing for a king that walks.
fn activity(piece: &Piece, to: Cell) -> i64 {
    let middle = |cell: Cell| {
        let from_middle = |line: u8| (2 * i64::from(line) - 9).abs();
        from_middle(cell.row()) + from_middle(cell.column())
    };
    match piece.kind() {
        Kind::King => -30,
        Kind::Pawn | Kind::Knight | Kind::Bishop | Kind::Rook | Kind::Queen => {
            middle(piece.at()) - middle(to)
        }
    }
}
