//! What a page needs to draw boards itself: the pieces as symbols, the colors as custom properties.

use crate::pieces::{BOX, Paint, ROUND, SET};
use crate::tiles::put;
use crate::{Ink, Overlay, Palette, SeatColors, Theme, Tint, grey};

/// Returns the piece set as one `<svg>` with a `<symbol>` for each piece: `man-K`, `man-Q` and so
/// on.
///
/// The symbols take their colors from the custom properties `--man-fill`, `--man-line` and
/// `--man-detail`, which the classes of [`stylesheet`] set.
///
/// ```html
/// <div class="tints-four"><svg class="seat-2"><use href="#man-N"/></svg></div>
/// ```
pub fn sprite() -> String {
    let mut out = String::from(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" aria-hidden="true">"#,
    );
    for drawing in &SET {
        let letter = drawing.letter;
        put(
            &mut out,
            format_args!(r#"<symbol id="man-{letter}" viewBox="0 0 {BOX} {BOX}" {ROUND}>"#),
        );
        drawing.write(&mut out, Paint::Properties).expect("a string takes whatever is written");
        out.push_str("</symbol>");
    }
    out.push_str("</svg>\n");
    out
}

/// Returns all colors as a style sheet.
///
/// The colors of boards and marks are custom properties such as `--board-light`, `--mark-check` and
/// `--ink-green`. They follow the system setting, or `data-theme="light"` or `"dark"` on any
/// element. The classes `seat-0` to `seat-3` inside `tints-two`, `tints-four`, `tints-blokus` or
/// `tints-duo` set the colors of [`sprite`]; `seat-out` sets the gray of eliminated players.
pub fn stylesheet() -> String {
    let (light, dark) = (properties(Theme::Light), properties(Theme::Dark));
    let mut out = String::new();
    put(&mut out, format_args!(":root,[data-theme=light]{{color-scheme:light;{light}}}\n"));
    put(
        &mut out,
        format_args!(
            "@media (prefers-color-scheme:dark){{:root:not([data-theme]){{color-scheme:dark;{dark}}}}}\n"
        ),
    );
    put(&mut out, format_args!("[data-theme=dark]{{color-scheme:dark;{dark}}}\n"));
    for tints in SeatColors::ALL {
        for (seat, tint) in tints.all().iter().enumerate() {
            rule(&mut out, &format!(".tints-{} .seat-{seat}", tints.name()), tint);
        }
    }
    // The doubled class gives it the specificity of a seat's rule, and it comes later.
    rule(&mut out, ".seat-out.seat-out", &grey());
    out
}

fn rule(out: &mut String, selector: &str, Tint { fill, line, detail }: &Tint) {
    put(
        out,
        format_args!("{selector}{{--man-fill:{fill};--man-line:{line};--man-detail:{detail}}}\n"),
    );
}

fn properties(theme: Theme) -> String {
    let palette = theme.palette();
    let Palette { page, light, dark, plain, grid, label, .. } = palette;
    let mut out = String::new();
    let solids = [
        ("page", page),
        ("board-light", light),
        ("board-dark", dark),
        ("board-plain", plain),
        ("board-grid", grid),
        ("board-label", label),
    ];
    for (name, color) in solids {
        put(&mut out, format_args!("--{name}:{color};"));
    }
    let washes = [
        ("last-move", palette.last_move),
        ("check", palette.check),
        ("target", palette.target),
        ("capture", palette.capture),
        ("selected", palette.selected),
        ("premove", palette.premove),
    ];
    for (name, wash) in washes {
        put(&mut out, format_args!("--mark-{name}:{};", translucent(wash)));
    }
    for ink in Ink::ALL {
        put(&mut out, format_args!("--ink-{}:{};", ink.name(), translucent(palette.ink(ink))));
    }
    out
}

fn translucent(Overlay { color, percent }: Overlay) -> String {
    let [_, red, green, blue] = color.0.to_be_bytes();
    format!("rgb({red} {green} {blue} / {percent}%)")
}
