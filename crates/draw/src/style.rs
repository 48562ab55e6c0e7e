//! The colors as a style sheet, for pages that draw boards themselves.

use crate::{Ink, Overlay, SeatColors, Theme, Tint, gray};

/// Returns all colors as a style sheet.
///
/// The colors of boards and marks are custom properties such as `--board-light`, `--mark-check` and
/// `--ink-green`. They follow the system setting, or `data-theme="light"` or `"dark"` on any
/// element. The classes `seat-0` to `seat-3` inside `colors-two`, `colors-four`, `colors-blokus` or
/// `colors-duo` set the colors of [`sprite`](crate::sprite); `seat-eliminated` sets the gray of eliminated
/// players.
pub fn stylesheet() -> String {
    let (light, dark) = (properties(Theme::Light), properties(Theme::Dark));
    let seats = SeatColors::ALL.into_iter().flat_map(|colors| {
        let tints = colors.all().iter().enumerate();
        tints
            .map(move |(seat, tint)| rule(&format!(".colors-{} .seat-{seat}", colors.name()), tint))
    });
    let seats: String = seats.collect();
    // The doubled class gives it the specificity of a seat's rule, and it comes later.
    let eliminated = rule(".seat-eliminated.seat-eliminated", &gray());
    format!(
        ":root,[data-theme=light]{{color-scheme:light;{light}}}\n\
         @media (prefers-color-scheme:dark){{:root:not([data-theme]){{color-scheme:dark;{dark}}}}}\n\
         [data-theme=dark]{{color-scheme:dark;{dark}}}\n{seats}{eliminated}"
    )
}

fn rule(selector: &str, Tint { fill, line, detail }: &Tint) -> String {
    format!("{selector}{{--piece-fill:{fill};--piece-line:{line};--piece-detail:{detail}}}\n")
}

fn properties(theme: Theme) -> String {
    let palette = theme.palette();
    let solids = [
        ("page", palette.page),
        ("board-light", palette.light),
        ("board-dark", palette.dark),
        ("board-plain", palette.plain),
        ("board-grid", palette.grid),
        ("board-label", palette.label),
    ];
    let marks = [
        ("last-move", palette.last_move),
        ("check", palette.check),
        ("target", palette.target),
        ("capture", palette.capture),
        ("selected", palette.selected),
        ("premove", palette.premove),
    ];
    let inks = Ink::ALL.map(|ink| (ink.name(), palette.ink(ink)));
    let solids = solids.into_iter().map(|(name, color)| format!("--{name}:{color};"));
    let marks = marks.into_iter().map(|(name, mark)| translucent("mark", name, mark));
    let inks = inks.into_iter().map(|(name, ink)| translucent("ink", name, ink));
    solids.chain(marks).chain(inks).collect()
}

fn translucent(group: &str, name: &str, Overlay { color, percent }: Overlay) -> String {
    let [_, red, green, blue] = color.0.to_be_bytes();
    format!("--{group}-{name}:rgb({red} {green} {blue} / {percent}%);")
}
