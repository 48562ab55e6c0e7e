//! Progress bars on standard error.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Returns a progress bar over `length` items, which `unit` names. Nothing is drawn unless standard
/// error is a terminal.
pub(crate) fn bar(length: u64, unit: &str) -> ProgressBar {
    with_counts(length, &format!("{{human_pos}}/{{human_len}} {unit}"))
}

/// Returns a progress bar over a file of `length` bytes.
pub(crate) fn bytes(length: u64) -> ProgressBar {
    with_counts(length, "{bytes}/{total_bytes}")
}

fn with_counts(length: u64, counts: &str) -> ProgressBar {
    let template = format!("{{bar:30}} {{percent:>3}}%  {counts}  {{elapsed}}, {{eta}} left");
    let style = ProgressStyle::with_template(&template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("━╸─");
    ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr()).with_style(style)
}
