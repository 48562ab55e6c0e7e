//! The games that run on GPUs, by name.

use fourfold_env::blokus::{Classic, Duo, Rules as Blokus};
use fourfold_env::chess::{Chess, Rules as ChessRules};
use fourfold_env::four_player::{FourPlayer, Rules as FourPlayerRules};
use fourfold_env::kung_fu::{Eight, Rules as KungFu, Twelve};
use fourfold_env::{Game, MakeError, Options};

use crate::batch::{AnyBatch, Batch};
use crate::device::Device;
use crate::error::CudaError;
use crate::rows::{AnyRowGames, RowGames};

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

        /// Creates games that the caller keeps as rows of bytes, by the name of the game, with options as pairs of
        /// name and value, and positions that games start from.
        ///
        /// # Errors
        /// Returns an error if there is no such game or option, or a value or position is invalid.
        pub fn make_rows(
            device: &Device,
            name: &str,
            given: &[(&str, &str)],
            options: Options,
            starts: &[&str],
        ) -> Result<Box<dyn AnyRowGames>, CudaError> {
            $(if name == <$game>::NAME {
                let module = concat!($module, "_rows");
                let rules = $rules(given)?;
                let games = RowGames::<$game>::new(device.clone(), module, rules, options, starts)?;
                return Ok(Box::new(games));
            })+
            Err(MakeError::Game { name: name.to_owned() }.into())
        }

        /// Returns the compressed PTX module with this name.
        pub(crate) fn ptx(module: &str) -> &'static [u8] {
            $(if module == $module {
                return include_bytes!(concat!("../modules/", $module, ".ptx.gz"));
            }
            if module == concat!($module, "_rows") {
                return include_bytes!(concat!("../modules/", $module, "_rows.ptx.gz"));
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
