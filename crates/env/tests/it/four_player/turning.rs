//! A game that is turned by a quarter looks the same to whoever moves.

use fourfold_env::{AnyBatch, Batch, MaskRows, ObservationRows, Outputs, Rows};
use fourfold_four_player::{Man, Player, Players, Position, Setup, Wing};

use super::{FourPlayer, batch, for_batches, positions};

/// The same with everybody one seat further on.
fn turned(position: &Position) -> Setup {
    let setup = position.setup();
    let next = |players: Players| players.iter().map(Player::next).collect::<Players>();
    let mut turned = Setup::empty();
    for (square, man) in setup.men() {
        let man = Man { owner: man.owner.map(Player::next), ..man };
        // What Blue sees there is what Red saw.
        turned.put(Player::Blue.points_at(square), Some(man));
    }
    turned.turn = setup.turn.next();
    turned.dead = next(setup.dead);
    turned.resigned = next(setup.resigned);
    turned.flagged = next(setup.flagged);
    turned.clock = setup.clock;
    for player in Player::ALL {
        turned.points[player.next() as usize] = setup.points[player as usize];
        turned.offers[player.next() as usize] =
            setup.offers[player as usize].map(|square| Player::Blue.points_at(square));
    }
    for wing in Wing::ALL {
        *turned.castling_mut(wing) = next(setup.castling(wing));
    }
    turned
}

/// The mask, the planes and the scalars of the mover.
fn seen(batch: &mut Batch<FourPlayer>) -> (Vec<u8>, Vec<u8>, Vec<f32>) {
    let bytes = batch.spec().mask_bytes();
    let (mut mask, mut planes, mut scalars) = (vec![0; bytes], vec![0; 31 * 28], vec![0.0; 17]);
    let mut out = Outputs::none();
    out.mask = MaskRows::Packed(Rows::new(&mut mask, bytes));
    out.observation = ObservationRows::Packed {
        planes: Rows::new(&mut planes, 31 * 28),
        scalars: Rows::new(&mut scalars, 17),
    };
    batch.show(out).unwrap();
    (mask, planes, scalars)
}

#[test]
fn turned_positions_look_the_same_to_the_mover() {
    let mut looks = 0;
    for_batches(&[], 150, |of| {
        let mut one = batch(*of.rules(), 1);
        let mut other = batch(*of.rules(), 1);
        for (_, position) in positions(of) {
            looks += 1;
            one.reset_some(None, Some(&[&position.fen4()])).unwrap();
            other.reset_some(None, Some(&[&turned(&position).fen4()])).unwrap();
            assert!(seen(&mut one) == seen(&mut other), "{position}");
        }
    });
    assert!(looks > 1000);
}
