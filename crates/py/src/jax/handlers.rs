//! The functions that XLA calls.

use std::ffi::c_void;

use fourfold_env::{
    MaskRows, MaskView, ObservationRows, Outputs, RowOutputs, Rows, ValueRows, sample_masks,
};
use pyo3::prelude::*;

use super::config::{Config, Mask, Observation};
use super::ffi::{self, Call, Results, Value};

ffi::handlers! {
    fourfold_init: init,
    fourfold_step: step,
    fourfold_show: show,
    fourfold_observe: observe,
    fourfold_sample: sample,
    fourfold_array: array,
}

/// Starts games: two halves of a seed to a state.
fn init(call: Call<'_>) -> Result<(), String> {
    let config = Config::get(call.text("config")?)?;
    let seeds = numbers(call.argument(0, "seeds")?);
    let mut results = call.into_results();
    let rows = results.next("states")?;
    let out = state_outputs(&config, &mut results)?;
    results.end()?;
    config.games.start(&seeds, rows, out).map_err(|error| error.to_string())
}

/// Steps games: a state, its mask and actions to a state.
fn step(mut call: Call<'_>) -> Result<(), String> {
    let config = Config::get(call.text("config")?)?;
    let (masks, parts) = mask_view(&call, &config, 1)?;
    let actions = call.argument::<i32>(1 + parts, "actions")?.to_vec();
    let legal = config.games.are_legal(call.argument(0, "states")?, masks, &actions);
    let legal = legal.map_err(|error| error.to_string())?;
    call.copy(0, 0)?;
    let mut results = call.into_results();
    let rows = results.next("states")?;
    let out = state_outputs(&config, &mut results)?;
    results.end()?;
    config.games.step(rows, &actions, &legal, out).map_err(|error| error.to_string())
}

/// Computes everything else from the bytes of states.
fn show(mut call: Call<'_>) -> Result<(), String> {
    let config = Config::get(call.text("config")?)?;
    call.copy(0, 0)?;
    let mut results = call.into_results();
    let rows = results.next("states")?;
    let out = state_outputs(&config, &mut results)?;
    results.end()?;
    config.games.show(rows, out).map_err(|error| error.to_string())
}

/// Observes games from one player's view, or from that of the player to move.
fn observe(call: Call<'_>) -> Result<(), String> {
    let config = Config::get(call.text("config")?)?;
    let player = usize::try_from(call.number("player")?).ok();
    let rows = call.argument::<u8>(0, "states")?.to_vec();
    let spec = config.games.spec();
    let views = if player.is_some() { 1 } else { spec.mask_rows() };
    let mut results = call.into_results();
    let out = observation_rows(&config, views, &mut results)?;
    results.end()?;
    config.games.observe(&rows, player, out).map_err(|error| error.to_string())
}

/// Draws legal actions: masks and two halves of a random number to actions.
fn sample(call: Call<'_>) -> Result<(), String> {
    let config = Config::get(call.text("config")?)?;
    let (masks, parts) = mask_view(&call, &config, 0)?;
    let bits = numbers(call.argument(parts, "random numbers")?);
    let mut drawn = vec![0; bits.len()];
    let spec = config.games.spec();
    sample_masks(spec, masks, &bits, &mut drawn).map_err(|error| error.to_string())?;
    let mut results = call.into_results();
    let out = results.next::<i32>("actions")?;
    results.end()?;
    if out.len() != drawn.len() {
        return Err(format!("expected {} actions, got {}", drawn.len(), out.len()));
    }
    out.copy_from_slice(&drawn);
    Ok(())
}

/// Reads one of the arrays that expose the state.
fn array(call: Call<'_>) -> Result<(), String> {
    let config = Config::get(call.text("config")?)?;
    let name = call.text("name")?;
    let rows = call.argument::<u8>(0, "states")?.to_vec();
    let mut results = call.into_results();
    let out = results.next(name)?;
    results.end()?;
    config.games.array(&rows, name, out).map_err(|error| error.to_string())
}

/// Joins pairs of 32-bit halves, the higher one first.
fn numbers(halves: &[u32]) -> Vec<u64> {
    let (pairs, _) = halves.as_chunks::<2>();
    pairs.iter().map(|&[high, low]| u64::from(high) << 32 | u64::from(low)).collect()
}

/// Returns the masks among the arguments, from an index on, and how many arguments they are.
fn mask_view<'a>(
    call: &'a Call<'_>,
    config: &Config,
    first: usize,
) -> Result<(MaskView<'a>, usize), String> {
    Ok(match config.mask {
        Mask::None => (MaskView::None, 0),
        Mask::Packed => (MaskView::Packed(call.argument(first, "legal_action_mask")?), 1),
        Mask::Bool => (MaskView::Bytes(call.argument(first, "legal_action_mask")?), 1),
        Mask::Sparse => {
            let counts = call.argument(first, "num_legal")?;
            let indices = call.argument(first + 1, "legal_actions")?;
            (MaskView::Sparse { counts, indices }, 2)
        }
    })
}

/// Takes the results that belong to a state, after its bytes.
fn state_outputs<'a>(config: &Config, results: &mut Results<'a>) -> Result<RowOutputs<'a>, String> {
    let spec = config.games.spec();
    let (players, masks) = (spec.players, spec.mask_rows());
    let mut outputs = Outputs {
        rewards: rows(results, players, "rewards")?,
        scores: rows(results, players, "scores")?,
        alive: rows(results, players, "alive")?,
        terminated: rows(results, 1, "terminated")?,
        truncated: rows(results, 1, "truncated")?,
        current_player: rows(results, 1, "current_player")?,
        winner: rows(results, 1, "winner")?,
        ending: rows(results, 1, "ending")?,
        move_valid: rows(results, 1, "move_valid")?,
        ..Outputs::none()
    };
    if spec.simultaneous {
        outputs.order_refused = rows(results, players, "order_refused")?;
    }
    let steps = rows(results, 1, "_step_count")?;
    outputs.mask = match config.mask {
        Mask::None => MaskRows::None,
        Mask::Packed => {
            MaskRows::Packed(rows(results, masks * spec.mask_bytes(), "legal_action_mask")?)
        }
        Mask::Bool => MaskRows::Bool(rows(results, masks * spec.actions, "legal_action_mask")?),
        Mask::Sparse => {
            let counts = results.next("num_legal")?;
            let indices = results.next::<i32>("legal_actions")?;
            // The number of slots is an option.
            let slots = indices.len().checked_div(counts.len()).unwrap_or(0);
            MaskRows::Sparse {
                counts: as_rows(counts, masks, "num_legal")?,
                indices: as_rows(indices, masks * slots, "legal_actions")?,
            }
        }
    };
    outputs.observation = observation_rows(config, masks, results)?;
    Ok(RowOutputs { steps, outputs })
}

/// Takes the results of observations.
fn observation_rows<'a>(
    config: &Config,
    views: usize,
    results: &mut Results<'a>,
) -> Result<ObservationRows<'a>, String> {
    let layout = &config.games.spec().observation;
    let values = views * layout.values();
    let name = "observation";
    let values = match config.observation {
        Observation::None => return Ok(ObservationRows::default()),
        Observation::Packed => {
            ValueRows::Packed(rows(results, views * layout.packed_bytes(), name)?)
        }
        Observation::Bytes => ValueRows::Bytes(rows(results, values, name)?),
        Observation::Half => ValueRows::Half(rows(results, values, name)?),
        Observation::Float => ValueRows::Float(rows(results, values, name)?),
    };
    let scalars = if config.has_scalars() {
        rows(results, views * layout.scalars, "scalars")?
    } else {
        Rows::none()
    };
    Ok(ObservationRows { values, scalars })
}

fn rows<'a, T: Value>(
    results: &mut Results<'a>,
    width: usize,
    name: &str,
) -> Result<Rows<'a, T>, String> {
    as_rows(results.next(name)?, width, name)
}

fn as_rows<'a, T>(data: &'a mut [T], width: usize, name: &str) -> Result<Rows<'a, T>, String> {
    if !data.len().is_multiple_of(width) {
        return Err(format!("expected {name} in rows of {width}, got {} values", data.len()));
    }
    Ok(Rows::new(data, width))
}
