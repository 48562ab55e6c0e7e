//! The pieces as symbols, for pages that draw boards themselves.

use crate::pieces::{BOX, Paint, ROUND, SET};

/// Returns the piece set as one `<svg>` with a `<symbol>` for each piece: `piece-K`, `piece-Q` and so
/// on.
///
/// The symbols take their colors from the custom properties `--piece-fill`, `--piece-line` and
/// `--piece-detail`, which the classes of [`stylesheet`](crate::stylesheet) set.
///
/// ```html
/// <div class="colors-four"><svg class="seat-2"><use href="#piece-N"/></svg></div>
/// ```
pub fn sprite() -> String {
    let symbols = SET.iter().map(|drawing| {
        let (letter, paths) = (drawing.letter, drawing.paths(Paint::Properties));
        format!(r#"<symbol id="piece-{letter}" viewBox="0 0 {BOX} {BOX}" {ROUND}>{paths}</symbol>"#)
    });
    let symbols: String = symbols.collect();
    let open =
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" aria-hidden="true">"#;
    format!("{open}{symbols}</svg>\n")
}
