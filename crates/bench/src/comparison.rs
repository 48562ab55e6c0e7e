//! Comparisons: several candidates run the same workload, alternating.

use std::io::Write;
use std::process::Command;

use anyhow::{Context, bail};
use cpu_time::ThreadTime;
use fourfold_common::SplitMix64;

/// The size of the workloads.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum WorkloadSize {
    /// For published numbers.
    Full,
    /// For smoke tests, and for callgrind, which is about fifty times slower.
    Quick,
}

/// A workload and its candidates. Each run returns the number of items processed, which must be
/// the same for all candidates.
pub(crate) struct Comparison {
    pub(crate) name: String,
    /// The name of the items, in the plural.
    unit: &'static str,
    /// Fourfold comes first; the others are compared with it.
    candidates: Vec<Candidate>,
}

/// An implementation that runs the workload.
pub(crate) struct Candidate {
    name: &'static str,
    run: Box<dyn FnMut() -> u64>,
}

impl Candidate {
    pub(crate) fn new(name: &'static str, run: impl FnMut() -> u64 + 'static) -> Candidate {
        Candidate { name, run: Box::new(run) }
    }
}

impl Comparison {
    pub(crate) fn new(
        name: impl Into<String>,
        unit: &'static str,
        candidates: Vec<Candidate>,
    ) -> Comparison {
        Comparison { name: name.into(), unit, candidates }
    }

    /// Runs all candidates alternately and prints medians.
    pub(crate) fn run(mut self, rounds: u32) {
        let mut times = vec![Vec::new(); self.candidates.len()];
        let mut items = None;
        for _ in 0..rounds {
            for (candidate, times) in self.candidates.iter_mut().zip(&mut times) {
                let started = ThreadTime::now();
                let done = (candidate.run)();
                times.push(started.elapsed().as_secs_f64());
                let expected = *items.get_or_insert(done);
                assert_eq!(done, expected, "{} in {}", candidate.name, self.name);
            }
        }
        let items = items.unwrap_or_default() as f64;
        println!("\n{} ({items} {})", self.name, self.unit);
        for (candidate, theirs) in self.candidates.iter().zip(&times) {
            let speed = items / median(theirs.clone());
            let (speed, scale) = if speed < 1e6 { (speed / 1e3, 'k') } else { (speed / 1e6, 'M') };
            let ratios = theirs.iter().zip(&times[0]).map(|(theirs, ours)| theirs / ours);
            let ratio = median(ratios.collect());
            println!(
                "  {:<24} {speed:>8.2} {scale} {}/s   time × {ratio:.2}",
                candidate.name, self.unit
            );
        }
    }

    /// Prints instructions per item. Each candidate runs in its own process under callgrind.
    pub(crate) fn count_instructions(self) -> anyhow::Result<()> {
        println!("\n{} (instructions per {})", self.name, self.unit.trim_end_matches('s'));
        let mut ours = None;
        for mut candidate in self.candidates {
            let items = (candidate.run)();
            let single = ["--single", &self.name, candidate.name, "--runs"];
            // What a second run adds: without the start of the program, the setup of the workload
            // and tables that are built on first use.
            let [once, twice] = ["1", "2"].map(|runs| instructions(&single, runs));
            let each = twice?.saturating_sub(once?) as f64 / items as f64;
            let ratio = each / *ours.get_or_insert(each);
            println!("  {:<24} {each:>8.1}   × {ratio:.2}", candidate.name);
            std::io::stdout().flush()?;
        }
        Ok(())
    }
}

/// Runs one candidate of one workload.
pub(crate) fn single(
    comparisons: Vec<Comparison>,
    workload: &str,
    name: &str,
    runs: u32,
) -> anyhow::Result<()> {
    let comparison = comparisons.into_iter().find(|comparison| comparison.name == workload);
    let comparison = comparison.with_context(|| format!("unknown workload '{workload}'"))?;
    let found = comparison.candidates.into_iter().find(|candidate| candidate.name == name);
    let mut candidate =
        found.with_context(|| format!("unknown candidate '{name}' of '{workload}'"))?;
    for _ in 0..runs {
        println!("{}", (candidate.run)());
    }
    Ok(())
}

/// Returns the number of instructions, counted by callgrind, that this program executes with the
/// given arguments.
fn instructions(arguments: &[&str], runs: &str) -> anyhow::Result<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(std::env::current_exe()?)
        .arg("--quick")
        .args(arguments)
        .arg(runs)
        .output()
        .context("could not start valgrind; on Debian: apt-get install valgrind")?;
    let report = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("valgrind failed:\n{report}");
    }
    let collected = report.lines().find_map(|line| line.split_once("Collected : "));
    let (_, count) = collected.context("callgrind printed no count")?;
    Ok(count.trim().parse()?)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Returns a random index below `count`.
pub(crate) fn pick(rng: &mut SplitMix64, count: usize) -> usize {
    ((u128::from(rng.next()) * count as u128) >> 64) as usize
}
