//! Properties that must hold for any files. The tests check them on damaged models; the fuzz target in `fuzz/` checks them
//! without a bound.

use fourfold_bots::{Budget, Situation};
use fourfold_learned::Model;

/// The files of a model load or give an error. A model that loads plays, or gives an error.
pub(crate) fn model(json: &[u8], weights: &[u8]) {
    if let Ok(model) = Model::new(json, weights) {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let _ = model.bot(1).think(&Situation { start, moves: &[] }, Budget::nodes(2));
    }
}
