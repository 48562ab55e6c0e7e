//! The description of a network: `model.json`.

use std::collections::BTreeMap;

use fourfold_common::{ensure, quote_short};
use serde::Deserialize;

use crate::error::ModelError;

const FORMAT: u32 = 1;
const MAX_BLOCKS: usize = 99;
pub(crate) const MAX_CHANNELS: usize = 1024;

/// What `model.json` says about a network. Other fields tell how it was trained.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(crate) struct Description {
    format: u32,
    /// The name of the environment.
    pub(crate) game: String,
    /// The version of the environment, such as `v2`.
    pub(crate) environment_version: String,
    /// The options of the environment.
    pub(crate) options: BTreeMap<String, String>,
    pub(crate) height: usize,
    pub(crate) width: usize,
    /// The channels of the observation that are inputs.
    pub(crate) planes: Vec<usize>,
    /// The number of inputs that belong to no cell.
    pub(crate) scalars: usize,
    pub(crate) blocks: usize,
    pub(crate) channels: usize,
    pub(crate) value_outputs: usize,
}

impl Description {
    /// Parses a description. Whether it fits its game is not checked.
    pub(crate) fn parse(json: &[u8]) -> Result<Description, ModelError> {
        let found: Description = serde_json::from_slice(json).map_err(ModelError::description)?;
        let Description { format, blocks, channels, .. } = found;
        let check = || -> Result<(), String> {
            ensure!(format == FORMAT, "expected format {FORMAT}, got {format}");
            let range = 1..=MAX_BLOCKS;
            ensure!(
                range.contains(&blocks),
                "expected from 1 to {MAX_BLOCKS} blocks, got {blocks}"
            );
            ensure!(
                (1..=MAX_CHANNELS).contains(&channels),
                "expected from 1 to {MAX_CHANNELS} channels, got {channels}"
            );
            Ok(())
        };
        check().map_err(ModelError::description)?;
        Ok(found)
    }

    /// Checks the parts of the description that follow from the game.
    pub(crate) fn check(&self, spec: &fourfold_env::Spec, version: u32) -> Result<(), String> {
        let Description { environment_version, height, width, scalars, value_outputs, .. } = self;
        let layout = &spec.observation;
        let name = quote_short(&self.game);
        ensure!(
            environment_version.strip_prefix('v').unwrap_or(environment_version)
                == version.to_string(),
            "expected version v{version} of {name}, got '{}'",
            quote_short(environment_version)
        );
        let size = (layout.height, layout.width);
        ensure!(
            (*height, *width) == size,
            "expected a board of {} by {}, got {height} by {width}",
            size.0,
            size.1
        );
        let channels = layout.channels.len();
        ensure!(
            !self.planes.is_empty() && self.planes.len() <= channels,
            "expected from 1 to {channels} planes, got {}",
            self.planes.len()
        );
        if let Some(plane) = self.planes.iter().find(|&&plane| plane >= channels) {
            return Err(format!("expected planes below {channels}, got {plane}"));
        }
        let expected = layout.scalar_array_len();
        // A network need not use them.
        ensure!(
            *scalars == 0 || *scalars == expected,
            "expected {expected} scalars, got {scalars}"
        );
        let outputs = if spec.players == 2 { 1 } else { spec.players };
        ensure!(*value_outputs == outputs, "expected {outputs} value outputs, got {value_outputs}");
        Ok(())
    }
}
