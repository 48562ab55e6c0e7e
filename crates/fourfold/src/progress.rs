//! Progress bars on standard error.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Returns a progress bar over `length` items, which `unit` names. Nothing is drawn unless standard
/// error is a terminal.
pub(crate) fn bar(length: u64, unit: &str) -> ProgressBar {
    let template = format!(
        "{{bar:30}} {{percent:>3}}%  {{human_pos}}/{{human_len}} {unit}  {{elapsed}}, {{eta}} left"
    );
    let style = ProgressStyle::with_template(&template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("━╸─");
    ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr()).with_style(style)
}

/// Returns a progress bar over a file of `length` bytes.
pub(crate) fn bytes(length: u64) -> ProgressBar {
    let template = "{bar:30} {percent:>3}%  {bytes}/{total_bytes}  {elapsed}, {eta} left";
    let style = ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("━╸─");
    ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr()).with_style(style)
}
