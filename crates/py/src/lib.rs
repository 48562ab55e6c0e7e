//! The extension module `fourfold._core`. It only converts arguments and results, releases the GIL
//! and handles Ctrl-C; the work is done in the other crates.

mod analysis;
mod batch;
mod blokus;
mod board;
mod bots;
mod cuda;
mod errors;
mod game_files;
mod games;
mod interrupt;
mod jax;
mod kung_fu;
mod matches;
mod pictures;
mod search;

use pyo3::prelude::*;

/// The native part of the `fourfold` package.
#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("GAMES", fourfold_env::NAMES)?;
    module.add("ENVIRONMENTS", batch::environments(module.py())?)?;
    module.add("FACTS", fourfold_table::study::FACT_NAMES)?;
    module.add_class::<analysis::Columns>()?;
    module.add_class::<analysis::FactReader>()?;
    module.add_class::<batch::Batch>()?;
    module.add_class::<batch::MaskBuffers>()?;
    module.add_class::<batch::ObservationBuffers>()?;
    module.add_class::<batch::ResultBuffers>()?;
    module.add_class::<board::Table>()?;
    module.add_class::<bots::Bot>()?;
    module.add_class::<cuda::CudaBatch>()?;
    module.add_class::<cuda::CudaBuffers>()?;
    module.add_class::<cuda::Device>()?;
    module.add_class::<cuda::DeviceBuffer>()?;
    module.add_class::<cuda::Tensor>()?;
    module.add_class::<game_files::FileGame>()?;
    module.add_class::<game_files::GameReader>()?;
    module.add_class::<kung_fu::KungFu>()?;
    module.add_class::<matches::Match>()?;
    module.add_class::<search::Search>()?;
    module.add_function(wrap_pyfunction!(batch::legacy_four_player_tables, module)?)?;
    module.add_function(wrap_pyfunction!(batch::chess_planes, module)?)?;
    module.add_function(wrap_pyfunction!(blokus::blokus_grid, module)?)?;
    module.add_function(wrap_pyfunction!(blokus::blokus_cells, module)?)?;
    module.add_function(wrap_pyfunction!(bots::bot_levels, module)?)?;
    module.add_function(wrap_pyfunction!(bots::bot_ratings, module)?)?;
    module.add_function(wrap_pyfunction!(bots::model_game, module)?)?;
    module.add_function(wrap_pyfunction!(cuda::cuda_architectures, module)?)?;
    module.add_function(wrap_pyfunction!(jax::xla_handlers, module)?)?;
    module.add_function(wrap_pyfunction!(jax::xla_row_bytes, module)?)?;
    module.add_function(wrap_pyfunction!(jax::xla_states, module)?)?;
    errors::add(module)
}
