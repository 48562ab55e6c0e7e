//! A game rotated by a quarter turn looks the same to the player to move.

use fourfold_env::{
    AnyBatch, Batch, DescribedBatch, MaskRows, ObservationRows, Outputs, Rows, ValueRows,
};
use fourfold_four_player::{Piece, Player, Players, Position, Setup, Wing};

use super::{FourPlayer, batch, for_batches, positions};

/// Returns the position rotated by a quarter turn, with each player replaced by the next.
fn turned(position: &Position) -> Setup {
    let setup = position.setup();
    let next = |players: Players| players.iter().map(Player::next).collect::<Players>();
    let mut turned = Setup::empty();
    for (square, man) in setup.iter_pieces() {
        let man = Piece { owner: man.owner.map(Player::next), ..man };
        // Blue sees the piece where Red saw it.
        turned.put(Player::Blue.from_view(square), Some(man));
    }
    turned.turn = setup.turn.next();
    turned.eliminated = next(setup.eliminated);
    turned.resigned = next(setup.resigned);
    turned.flagged = next(setup.flagged);
    turned.clock = setup.clock;
    for player in Player::ALL {
        turned.points[player.next() as usize] = setup.points[player as usize];
        turned.en_passant[player.next() as usize] =
            setup.en_passant[player as usize].map(|square| Player::Blue.from_view(square));
    }
    for wing in Wing::ALL {
        *turned.castling_mut(wing) = next(setup.castling(wing));
    }
    turned
}

/// Returns the mask, planes and scalars of the player to move.
fn seen(batch: &mut Batch<FourPlayer>) -> (Vec<u8>, Vec<u8>, Vec<f32>) {
    let bytes = batch.spec().mask_bytes();
    let (mut mask, mut planes, mut scalars) = (vec![0; bytes], vec![0; 31 * 28], vec![0.0; 17]);
    let mut out = Outputs::none();
    out.mask = MaskRows::Packed(Rows::new(&mut mask, bytes));
    out.observation = ObservationRows {
        values: ValueRows::Packed(Rows::new(&mut planes, 31 * 28)),
        scalars: Rows::new(&mut scalars, 17),
    };
    batch.write_outputs(out).unwrap();
    (mask, planes, scalars)
}

#[test]
fn rotated_positions_look_the_same_to_the_mover() {
    let mut looks = 0;
    for_batches(&[], 150, |of| {
        let mut one = batch(*of.rules(), 1);
        let mut other = batch(*of.rules(), 1);
        for (_, position) in positions(of) {
            looks += 1;
            one.reset_to(None, &[&position.fen4()]).unwrap();
            other.reset_to(None, &[&turned(&position).fen4()]).unwrap();
            assert!(seen(&mut one) == seen(&mut other), "{position}");
        }
    });
    assert!(looks > 1000);
}
