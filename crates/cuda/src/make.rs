//! The games that run on GPUs, by name.

use fourfold_env::blokus::{Classic, Duo, Rules as Blokus};
use fourfold_env::chess::{Chess, Rules as ChessRules};
use fourfold_env::four_player::{FourPlayer, Rules as FourPlayerRules};
use fourfold_env::kung_fu::{Eight, Rules as KungFu, Twelve};
use fourfold_env::{Game, MakeError, Options};

use crate::batch::{AnyBatch, Batch};
use crate::device::Device;
use crate::error::CudaError;

/// Lists every game once: its type, the function that reads its options, and its module.
macro_rules! games {
    ($($game:ty: $rules:expr, $module:literal;)+) => {
        /// Creates a batch by the name of its game, with options as pairs of name and value.
        ///
        /// # Errors
        /// Returns an error if there is no such game or option, a value is invalid, or there is not
        /// enough memory.
        pub fn make(
            device: &Device,
            name: &str,
            given: &[(&str, &str)],
            games: usize,
            options: Options,
        ) -> Result<Box<dyn AnyBatch>, CudaError> {
            $(if name == <$game>::NAME {
                let batch = Batch::<$game>::new(device.clone(), $rules(given)?, games, options)?;
                return Ok(Box::new(batch));
            })+
            Err(MakeError::Game { name: name.to_owned() }.into())
        }

        /// Returns the compressed PTX module of a game.
        pub(crate) fn ptx(game: &str) -> &'static [u8] {
            $(if game == <$game>::NAME {
                return include_bytes!(concat!("../modules/", $module, ".ptx.gz"));
            })+
            &[]
        }
    };
}

games! {
    Chess: ChessRules::from_options, "chess";
    FourPlayer: FourPlayerRules::from_options, "four_player";
    Classic: Blokus::<4>::from_options, "blokus";
    Duo: Blokus::<2>::from_options, "blokus_duo";
    Eight: KungFu::<8>::from_options, "kung_fu";
    Twelve: KungFu::<12>::from_options, "kung_fu_4p";
}
