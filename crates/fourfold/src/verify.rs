//! `fourfold verify`: running files of test cases.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde_json::json;

use crate::cases::{self, Case, Outcome, Verdict};
use crate::{eprint_line, perft, progress};

/// Run files of test cases and report each result.
///
/// The kind of a file is recognized by its content; the kinds are listed below. Empty lines and
/// lines that begin with `#` are ignored. The exit status is 1 if any case fails.
#[derive(Args)]
#[command(after_help = after_help())]
pub(crate) struct Arguments {
    /// The files to run; `-` reads standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Report each case as a line of JSON, and the summary as the last line. The summary is also
    /// printed as text on standard error.
    #[arg(long)]
    json: bool,
    /// Skip cases with more nodes than this.
    #[arg(long, value_name = "N", default_value_t = 200_000_000)]
    max_nodes: u64,
    /// The number of threads; by default the number of cores.
    #[arg(long, value_name = "N")]
    threads: Option<std::num::NonZeroUsize>,
}

const EXAMPLES: &str = "\
Examples:
  fourfold verify data/chess/classic.perft
  fourfold verify --max-nodes 2000000000 data/four-player/counts.perft
  fourfold verify data/four-player/cases.txt
  fourfold verify data/kung-fu/cases.txt
  fourfold verify --max-nodes 1000000 --json data/chess/*.perft | jq 'select(.verdict == \"failed\")'
  echo 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1;5;4865609' | fourfold verify -";

/// Returns the kinds of case files and the examples.
fn after_help() -> String {
    let kinds = cases::KINDS.map(|(kind, lines)| format!("  {kind}:\n      {lines}\n"));
    format!("Kinds of files:\n{}\n{EXAMPLES}", kinds.concat())
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let threads = arguments.threads.map_or_else(perft::cores, std::num::NonZeroUsize::get);
    let mut report = Report { json: arguments.json, passed: 0, failed: 0, skipped: 0 };
    let written = verify(arguments, threads, &mut report);
    // If the pipe is closed early, the exit status still reports the failures so far.
    let closed = |error: &std::io::Error| error.kind() == std::io::ErrorKind::BrokenPipe;
    written.or_else(|error| if closed(&error) { Ok(()) } else { Err(error) })?;
    Ok(if report.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn verify(arguments: &Arguments, threads: usize, report: &mut Report) -> std::io::Result<()> {
    for path in &arguments.files {
        let cases = match read(path).and_then(|text| cases::read(&text)) {
            Ok(cases) => cases,
            Err(error) => {
                let case = Case { line: None, title: "file".to_owned(), check: Err(error) };
                report.add(path, &case, &case.verdict(arguments.max_nodes, threads))?;
                continue;
            }
        };
        let bar = progress::bar(cases.len() as u64, "cases");
        for case in cases {
            let verdict = case.verdict(arguments.max_nodes, threads);
            bar.suspend(|| report.add(path, &case, &verdict))?;
            bar.inc(1);
        }
        bar.finish_and_clear();
    }
    report.finish()
}

fn read(path: &Path) -> Result<String, String> {
    let mut bytes = Vec::new();
    let result = if path == Path::new("-") {
        std::io::stdin().lock().read_to_end(&mut bytes)
    } else {
        std::fs::File::open(path).and_then(|mut file| file.read_to_end(&mut bytes))
    };
    result.map_err(|error| format!("cannot be read: {error}"))?;
    String::from_utf8(bytes).map_err(|error| format!("is not UTF-8 text: {error}"))
}

/// Prints and counts the verdicts.
struct Report {
    json: bool,
    passed: usize,
    failed: usize,
    skipped: usize,
}

impl Report {
    fn add(&mut self, path: &Path, case: &Case, verdict: &Verdict) -> std::io::Result<()> {
        let Verdict { outcome, text, details } = verdict;
        let (count, key, word) = match outcome {
            Outcome::Passed => (&mut self.passed, "passed", "pass"),
            Outcome::Failed => (&mut self.failed, "failed", "FAIL"),
            Outcome::Skipped => (&mut self.skipped, "skipped", "skip"),
        };
        *count += 1;
        let mut out = std::io::stdout().lock();
        let (path, title) = (path.display(), &case.title);
        if self.json {
            let (file, line) = (path.to_string(), case.line);
            let mut object = json!({"file": file, "line": line, "case": title, "verdict": key});
            for (key, value) in details.as_object().into_iter().flatten() {
                object[key] = value.clone();
            }
            return writeln!(out, "{object}");
        }
        let line = case.line.map_or_else(String::new, |line| format!(":{line}"));
        writeln!(out, "{word} {path}{line}: {title}: {text}")
    }

    fn finish(&self) -> std::io::Result<()> {
        let Report { json, passed, failed, skipped } = *self;
        let mut out = std::io::stdout().lock();
        if json {
            let summary = json!({"passed": passed, "failed": failed, "skipped": skipped});
            writeln!(out, "{summary}")?;
            eprint_line(&format!("{passed} passed, {failed} failed, {skipped} skipped"));
            return Ok(());
        }
        writeln!(out, "{passed} passed, {failed} failed, {skipped} skipped")
    }
}
