//! Measures fourfold and other implementations alternately in one run. On a shared, noisy machine
//! the meaningful number is the median of the per-round ratios; instruction counts are stable.

mod adapters;
mod comparison;
mod workloads;

use clap::Parser;

use comparison::WorkloadSize;

/// Measure Fourfold and other implementations alternately and print median ratios.
///
/// Times are CPU times of one thread, which reduces the influence of other processes. With
/// `--instructions`, instructions are counted under callgrind instead.
#[derive(Parser)]
#[command(after_help = "\
Examples:
  cargo run --release -p fourfold-bench
  cargo run --release -p fourfold-bench -- --only perft --rounds 25
  cargo run --release -p fourfold-bench -- --only random --instructions")]
struct Arguments {
    /// Run only the workloads whose name contains this text.
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Number of times each candidate runs.
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Run smaller workloads, for a smoke test.
    #[arg(long)]
    quick: bool,
    /// Count instructions with valgrind's callgrind instead of measuring time (uses the quick
    /// workloads).
    #[arg(long)]
    instructions: bool,
    /// Run one candidate of one workload, for a profiler.
    #[arg(long, value_names = ["WORKLOAD", "CANDIDATE"], num_args = 2)]
    single: Option<Vec<String>>,
    /// How often `--single` runs it.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "single")]
    runs: u32,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let quick = arguments.quick || arguments.instructions || arguments.single.is_some();
    let size = if quick { WorkloadSize::Quick } else { WorkloadSize::Full };
    let comparisons = workloads::comparisons(size);
    if let Some(names) = &arguments.single {
        return comparison::single(comparisons, &names[0], &names[1], arguments.runs);
    }
    let mut chosen =
        comparisons.into_iter().filter(|comparison| comparison.name.contains(&arguments.only));
    if arguments.instructions {
        return chosen.try_for_each(|comparison| comparison.count_instructions());
    }
    println!(
        "medians of {} rounds; 'time ×' is the time relative to the first candidate",
        arguments.rounds
    );
    chosen.for_each(|comparison| comparison.run(arguments.rounds));
    if "search".contains(&arguments.only) || arguments.only.contains("search") {
        workloads::print_sizes();
    }
    Ok(())
}
