//! The piece set: one drawing for each piece, colored where it is used.
//!
//! Each piece stands on the same foot in a box of 64 by 64. Its parts overlap; the outline is a
//! stroke around all of them, and the fill covers its inner half, so that only the silhouette
//! shows. All parts run clockwise, so that overlaps stay filled under the nonzero rule.

/// The side length of the box that a piece is drawn in.
pub(crate) const BOX: usize = 64;

/// The stroke width of the outline; half of it shows.
const OUTLINE: &str = "4.8";
/// The stroke width of the inner lines.
const LINE: &str = "2.2";
/// Attributes that the element around a drawing must have.
pub(crate) const ROUND: &str = r#"stroke-linecap="round" stroke-linejoin="round""#;
/// The opacity of the shade on the side away from the light.
const SHADE: &str = ".12";

/// The foot of all pieces: its body, its shade and the line along its upper edge.
const FOOT: [&str; 3] = [
    "M16 51.5H48A3.25 3.25 0 0 1 48 58H16A3.25 3.25 0 0 1 16 51.5Z",
    "M42.5 51.5H48A3.25 3.25 0 0 1 48 58H42.5C44.2 56 44.2 53.5 42.5 51.5Z",
    "M18.5 51.6H45.5",
];

/// A piece, as SVG path data.
pub(crate) struct Drawing {
    /// The letter of the piece, in upper case.
    pub(crate) letter: char,
    /// The parts that are filled, and outlined as one shape.
    body: &'static str,
    /// The side away from the light, inside the body.
    shade: &'static str,
    /// Lines inside the body.
    lines: &'static str,
    /// Spots inside the body, in the color of the lines.
    spots: &'static str,
}

/// Where a drawing takes its colors from.
#[derive(Clone, Copy)]
pub(crate) enum Paint {
    /// From the element that uses it: its `fill`, its `stroke`, and its `color` for the details.
    Inherited,
    /// From the custom properties `--piece-fill`, `--piece-line` and `--piece-detail`.
    Properties,
}

impl Drawing {
    /// Returns the drawing of a piece, if the set has one.
    pub(crate) fn of(letter: char) -> Option<&'static Drawing> {
        SET.iter().find(|drawing| drawing.letter == letter)
    }

    /// Returns the paths. The element around them must set round line caps and joins: [`ROUND`].
    pub(crate) fn paths(&self, paint: Paint) -> String {
        let Drawing { body, shade, lines, spots, .. } = self;
        let [foot, foot_shade, foot_line] = FOOT;
        let (fill, line, detail) = match paint {
            Paint::Inherited => ("", "", "currentColor"),
            Paint::Properties => (
                r#" fill="var(--piece-fill)""#,
                r#" stroke="var(--piece-line)""#,
                "var(--piece-detail)",
            ),
        };
        let spots = match *spots {
            "" => String::new(),
            spots => format!(r#"<path d="{spots}" fill="{detail}" stroke="none"/>"#),
        };
        [
            format!(r#"<path d="{body}{foot}" fill="none"{line} stroke-width="{OUTLINE}"/>"#),
            format!(r#"<path d="{body}{foot}"{fill} stroke="none"/>"#),
            format!(r##"<path d="{shade}{foot_shade}" fill="#000" fill-opacity="{SHADE}" stroke="none"/>"##),
            format!(r#"<path d="{lines}{foot_line}" fill="none" stroke="{detail}" stroke-width="{LINE}"/>"#),
            spots,
        ]
        .concat()
    }
}

/// The pieces, from the king down.
pub(crate) static SET: [Drawing; 7] = [KING, QUEEN, PROMOTED, ROOK, BISHOP, KNIGHT, PAWN];

/// Two lobes, a seam and a cross.
const KING: Drawing = Drawing {
    letter: 'K',
    body: "M29.4 4.4H34.6V8H39.4V13H34.6V23H29.4V13H24.6V8H29.4ZM32 21C34.5 17.6 39 16 43.5 16.6\
         C50.2 17.5 53.8 23 51.8 29C50.5 32.8 47.6 36 46.4 39.5C45.4 42 45.3 43.6 45 46L48 51.5\
         H16L19 46C18.7 43.6 18.6 42 17.6 39.5C16.4 36 13.5 32.8 12.2 29\
         C10.2 23 13.8 17.5 20.5 16.6C25 16 29.5 17.6 32 21Z",
    shade: "M47 17.8C51.8 19.6 53.3 24 51.6 29C50.4 32.8 47.6 36 46.4 39.5C45.4 42 45.3 43.6 45 46\
         L48 51.5H41.5L38.8 45C40 42.5 41 41 42 38.5C44 32.5 50 27 47 17.8Z",
    lines: "M32 25V37.6M18 39.8Q32 35.8 46 39.8M19.8 45.8Q32 42.2 44.2 45.8",
    spots: "",
};

/// A crown of five points, each with a ball.
const QUEEN: Drawing = Drawing {
    letter: 'Q',
    body: "M9.5 17a3 3 0 1 1 0 6a3 3 0 1 1 0 -6ZM20.3 9.2a3 3 0 1 1 0 6a3 3 0 1 1 0 -6ZM32 5.8\
         a3.2 3.2 0 1 1 0 6.4a3.2 3.2 0 1 1 0 -6.4ZM43.7 9.2a3 3 0 1 1 0 6a3 3 0 1 1 0 -6Z\
         M54.5 17a3 3 0 1 1 0 6a3 3 0 1 1 0 -6ZM9.5 20L19.2 31.5L20.3 12.2L27.4 28.5L32 9\
         L36.6 28.5L43.7 12.2L44.8 31.5L54.5 20L48.3 39.5C47.3 42 45.5 43.5 45 46L48 51.5H16\
         L19 46C18.5 43.5 16.7 42 15.7 39.5Z",
    shade: "M53.4 23.4L48.3 39.5C47.3 42 45.5 43.5 45 46L48 51.5H41.5L38.8 45C40 42.5 41 41 42 38.5\
         L44.8 31.5L52.3 22.6Z",
    lines: "M18 39.8Q32 35.8 46 39.8M19.8 45.8Q32 42.2 44.2 45.8",
    spots: "",
};

/// The one-point queen of four-player chess: a pawn that wears a crown.
const PROMOTED: Drawing = Drawing {
    letter: 'D',
    body: "M16 10a3 3 0 1 1 0 6a3 3 0 1 1 0 -6ZM32 5.4a3.2 3.2 0 1 1 0 6.4a3.2 3.2 0 1 1 0 -6.4Z\
         M48 10a3 3 0 1 1 0 6a3 3 0 1 1 0 -6ZM16 13L25 21.5L32 8.6L39 21.5L48 13L43.5 30.5H20.5Z\
         M22.5 29.8H41.5a2.5 2.5 0 0 1 0 5H22.5a2.5 2.5 0 0 1 0 -5ZM28 33H36\
         C36.5 41 41.2 44 45.2 51.5H18.8C22.8 44 27.5 41 28 33Z",
    shade: "M47.2 16L43.5 30.5H36.8L39.4 22.6L46.4 15.6ZM32.5 35.8H37\
         C37.6 41.6 42 44.6 45.8 51.5H37.5C34.5 46.5 33 42 32.5 35.8Z",
    lines: "M24 34.7H40M22.6 29.6H41.4",
    spots: "",
};

/// A tower with three battlements.
const ROOK: Drawing = Drawing {
    letter: 'R',
    body: "M15 10H21V17.5H29V10H35V17.5H43V10H49V21.5L43 26.5L44.2 44L48 51.5H16L19.8 44L21 26.5\
         L15 21.5Z",
    shade: "M45.2 10H49V21.5L43 26.5L44.2 44L48 51.5H41.5L38.6 44L38 26.5L43 21.5Z",
    lines: "M22 26.8H42M20.6 44.2H43.4",
    spots: "",
};

/// A miter with its slit, and a ball on top.
const BISHOP: Drawing = Drawing {
    letter: 'B',
    body: "M32 5.4a3.4 3.4 0 1 1 0 6.8a3.4 3.4 0 1 1 0 -6.8ZM32 11.5C41 17 46 24 46 31\
         C46 36 43 39.5 39.5 41.5H24.5C21 39.5 18 36 18 31C18 24 23 17 32 11.5ZM23.0 40H41.0\
         a2.5 2.5 0 0 1 0 5.0H23.0a2.5 2.5 0 0 1 0 -5.0ZM25.5 44H38.5C39 47.5 43 49.5 46 51.5H18\
         C21 49.5 25 47.5 25.5 44Z",
    shade: "M37.6 15.6C46 28.5 42 36.5 36.5 40.2H41.2C44 38 46 35 46 31C46 25.2 42.6 19.8 37.6 15.6Z\
         M34.5 46H39C40 48.5 43 50 45.5 51.5H39C36.5 50 35 48.5 34.5 46Z",
    lines: "M40 20.6L33.6 29M25 40.6H39",
    spots: "",
};

/// A horse's head that faces left, with a stepped mane.
const KNIGHT: Drawing = Drawing {
    letter: 'N',
    body: "M18.5 51.5C18.5 45.5 21.5 41.5 26 38C28.7 35.9 30.6 33.6 31 31\
         C28 33.4 24.6 33.8 22.2 35.8C19.8 37.9 18.3 40.9 15.2 40.4C11.4 39.9 8.9 37 9.3 33.2\
         C9.6 30.4 11.3 29 12.6 26.4C14.6 22.4 16.4 19.2 19 16.8C21.2 14.8 22.8 13.6 24.3 11.8\
         L25.2 5L31.8 10C36.8 10.2 41.4 12 44.2 15L42 17.8C45.6 20 48.2 23 49.4 26.6L46.2 28.8\
         C48.8 32 50.2 35.8 50.2 40L47 41.8C47.8 45 47.8 48.2 47.4 51.5Z",
    shade: "M31.8 10C36.8 10.2 41.4 12 44.2 15L42 17.8C45.6 20 48.2 23 49.4 26.6L46.2 28.8\
         C48.8 32 50.2 35.8 50.2 40L47 41.8C47.8 45 47.8 48.2 47.4 51.5H38.4\
         C40.2 45 41.6 39 41.6 31.6C41.6 24 38.4 17.2 32.2 14.6Z",
    lines: "M31 31C33.2 29 34 26.4 33.4 23.4M32.2 14.6C38.4 17.2 41.6 24 41.6 31.6\
         C41.6 36.4 40.8 40.2 40 44M11.6 36.2Q14.6 36.4 16.8 34.6M27.4 9.8L27.6 13.2",
    spots: "M21.4 20.6C22.4 18.8 25 18.8 26.2 20.4C25 22.4 22.6 22.6 21.4 20.6ZM13.8 30.3\
         a1.3 1.3 0 1 1 0 2.6a1.3 1.3 0 1 1 0 -2.6Z",
};

/// A round head on a collar.
const PAWN: Drawing = Drawing {
    letter: 'P',
    body: "M32 11a9 9 0 1 1 0 18a9 9 0 1 1 0 -18ZM24.0 29.8H40.0\
         a2.4999999999999982 2.4999999999999982 0 0 1 0 4.9999999999999964H24.0\
         a2.4999999999999982 2.4999999999999982 0 0 1 0 -4.9999999999999964ZM28 33H36\
         C36.5 41 41.2 44 45.2 51.5H18.8C22.8 44 27.5 41 28 33Z",
    shade: "M34.6 11.4A9 9 0 0 1 34.6 28.6C39 24.8 39 15.2 34.6 11.4ZM32.5 35.8H37\
         C37.6 41.6 42 44.6 45.8 51.5H37.5C34.5 46.5 33 42 32.5 35.8Z",
    lines: "M26 34.7H38",
    spots: "",
};
