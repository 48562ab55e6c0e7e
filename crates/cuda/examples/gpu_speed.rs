//! Measures steps with random actions on a GPU, and the parts of a step.
//! `cargo run --release -p fourfold-cuda --example gpu_speed -- chess 65536`; a third argument is the number of
//! steps, for profilers.
#![allow(unsafe_code, reason = "outputs are passed as addresses")]

use std::time::Instant;

use fourfold_cuda::{AnyBatch, CudaError, Device, Format, Mask, Observation, Outputs, make};
use fourfold_env::{Options, Seeds};
use fourfold_kernels::ReportArrays;

fn main() -> Result<(), CudaError> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let name = arguments.first().map_or("chess", String::as_str);
    let sizes = match arguments.get(1) {
        Some(size) => vec![size.parse().expect("a number of games")],
        None => vec![256, 4096, 16384, 65536],
    };
    let steps = arguments.get(2).map(|steps| steps.parse().expect("a number of steps"));
    let device = Device::cuda(0)?;
    for games in sizes {
        measure(&device, name, games, steps)?;
    }
    Ok(())
}

fn measure(
    device: &Device,
    name: &str,
    games: usize,
    steps: Option<usize>,
) -> Result<(), CudaError> {
    let started = Instant::now();
    let mut batch = make(device, name, &[], games, Options::default())?;
    batch.reseed(Seeds::from(1))?;
    device.synchronize()?;
    let loaded = started.elapsed();
    let spec = batch.host().spec().clone();
    let (rows, layout) = (games * spec.mask_rows(), &spec.observation);
    let actions = device.alloc(4 * rows)?;
    let report = device.alloc(64 * games)?;
    let mask = device.alloc(rows * spec.actions.max(4 * spec.max_legal))?;
    let counts = device.alloc(4 * rows)?;
    let values = device.alloc(4 * rows * layout.values())?;
    let scalars = device.alloc(4 * rows * layout.scalars)?;
    let at = |part: usize| report.address() + (part * 4 * games) as u64;
    let results = ReportArrays {
        rewards: fourfold_kernels::Address::new(at(0)),
        terminated: fourfold_kernels::Address::new(at(4)),
        truncated: fourfold_kernels::Address::new(at(5)),
        current_player: fourfold_kernels::Address::new(at(6)),
        ..ReportArrays::NONE
    };
    let observation = |format| Observation {
        format,
        values: values.address(),
        scalars: if format == Format::Packed { scalars.address() } else { 0 },
    };
    let address = mask.address();
    let sparse = Mask::Sparse { counts: counts.address(), indices: address };
    let none = Observation::NONE;
    let forms = [
        ("no mask", Mask::None, none),
        ("packed mask", Mask::Packed(address), none),
        ("packed mask and planes", Mask::Packed(address), observation(Format::Packed)),
        ("sparse mask", sparse, none),
        ("bool mask", Mask::Bool(address), none),
        ("bool mask and float32", Mask::Bool(address), observation(Format::F32)),
        ("bool mask and uint8", Mask::Bool(address), observation(Format::U8)),
    ];
    println!("{name}, {games} games; made in {loaded:.1?}");
    play(&mut *batch, actions.address(), &Outputs::NONE, 100)?;
    let steps = steps.unwrap_or((20_000_000 / games / 10).clamp(30, 300));
    for (form, mask, observation) in forms {
        let out = Outputs { report: results, mask, observation };
        play(&mut *batch, actions.address(), &out, 5)?;
        let started = Instant::now();
        play(&mut *batch, actions.address(), &out, steps)?;
        let seconds = started.elapsed().as_secs_f64() / steps as f64;
        println!(
            "  {form:24} {:8.1} µs {:8.2} M steps/s",
            1e6 * seconds,
            games as f64 / seconds / 1e6
        );
    }
    Ok(())
}

fn play(
    batch: &mut dyn AnyBatch,
    actions: u64,
    out: &Outputs,
    steps: usize,
) -> Result<(), CudaError> {
    for _ in 0..steps {
        // SAFETY: the buffers have room for all games.
        unsafe {
            batch.sample(None, actions)?;
            batch.step(actions, out)?;
        }
    }
    batch.synchronize()
}
