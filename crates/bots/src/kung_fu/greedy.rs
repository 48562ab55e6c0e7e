//! Rates each order by itself: what it captures, what threatens the piece, and where it lands.

use fourfold_common::SplitMix64;
use fourfold_kung_fu::{Bitboard, Cell, Game, Order, Piece, Player, Role, Status};

use super::value;

/// Scores are in centipawns. A random bonus below this varies the choice between nearly equal
/// orders.
const TIE_MARGIN: u64 = 8;

/// The value of a king, in pawns.
const KING: i64 = 60;

/// Returns the order with the highest score, or `None` if no score is positive. If `looks` is not
/// set, the bot does not notice where its opponents' pieces are flying to and could go.
pub(super) fn best(
    game: &Game,
    player: Player,
    looks: bool,
    rng: &mut SplitMix64,
    orders: &[Order],
    theirs: &mut Vec<Order>,
) -> Option<Order> {
    let (reach, coming) = match looks {
        true => (reach(game, player, theirs), coming(game, player)),
        false => (Bitboard::EMPTY, Bitboard::EMPTY),
    };
    let mut best: Option<(i64, Order)> = None;
    for &order in orders {
        let bonus = (rng.next() % TIE_MARGIN) as i64;
        let score = score(game, order, reach, coming) + bonus;
        if best.is_none_or(|(most, _)| score > most) {
            best = Some((score, order));
        }
    }
    // Waiting is better than an order that loses something.
    best.filter(|&(score, _)| score > 0).map(|(_, order)| order)
}

/// Returns the squares that opponents could go to now.
fn reach(game: &Game, player: Player, theirs: &mut Vec<Order>) -> Bitboard {
    let team = game.rules().team(player);
    let mut reach = Bitboard::EMPTY;
    for other in game.alive().without(team).iter() {
        game.legal_orders_into(other, theirs);
        for order in theirs.iter() {
            reach = reach.with(order.to.square());
        }
    }
    reach
}

/// Returns the squares that opponents' pieces are flying to.
fn coming(game: &Game, player: Player) -> Bitboard {
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
    if let Some(target) = game.piece_at(to).and_then(|id| game.piece(id)) {
        // A resting piece cannot move away.
        let certain = matches!(target.status(), Status::Resting { .. });
        score += value(target.role(), KING) * if certain { 100 } else { 60 };
    }
    if coming.contains(own.at().square()) {
        score += value(own.role(), KING) * 90;
    }
    if reach.contains(to.square()) || coming.contains(to.square()) {
        score -= value(own.role(), KING) * 50;
    }
    score
}

/// Returns a small bonus for moving toward the center, or a penalty for moving the king.
fn activity(piece: &Piece, to: Cell) -> i64 {
    let middle = |cell: Cell| {
        let from_middle = |line: u8| (2 * i64::from(line) - 9).abs();
        from_middle(cell.row()) + from_middle(cell.column())
    };
    match piece.role() {
        Role::King => -30,
        Role::Pawn | Role::Knight | Role::Bishop | Role::Rook | Role::Queen => {
            middle(piece.at()) - middle(to)
        }
    }
}
