//! The colors can be told apart from the squares and from one another, even by color-blind people.

use fourfold_draw::{Rgb, SeatColors, Theme, Tint, gray};

/// Converts a color to linear red, green and blue, from 0 to 1.
fn light(Rgb(color): Rgb) -> [f64; 3] {
    let [_, red, green, blue] = color.to_be_bytes();
    [red, green, blue].map(|part| {
        let part = f64::from(part) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    })
}

fn luminance([red, green, blue]: [f64; 3]) -> f64 {
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/// Returns the contrast of two colors as WCAG 2 defines it, from 1 to 21.
fn contrast(one: Rgb, other: Rgb) -> f64 {
    let (one, other) = (luminance(light(one)), luminance(light(other)));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

type Matrix = [[f64; 3]; 3];

/// Types of color vision, simulated as in Machado, Oliveira and Fernandes (2009) at full severity,
/// each with the minimum distance between colors.
const VISION: [(&str, Matrix, f64); 4] = [
    ("usual", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], 30.0),
    (
        "protanopia",
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ],
        30.0,
    ),
    (
        "deuteranopia",
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ],
        30.0,
    ),
    // About one person in ten thousand.
    (
        "tritanopia",
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ],
        20.0,
    ),
];

/// Returns how a color looks to a type of color vision, in CIELAB.
fn seen(color: Rgb, vision: &Matrix) -> [f64; 3] {
    let from = light(color);
    let [red, green, blue] =
        vision.map(|row| (0..3).map(|at| row[at] * from[at]).sum::<f64>().clamp(0.0, 1.0));
    let root = |part: f64| {
        if part > 0.008856 { part.cbrt() } else { 7.787 * part + 16.0 / 116.0 }
    };
    let x = root((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047);
    let y = root(luminance([red, green, blue]));
    let z = root((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883);
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// Returns the distance of two colors for a type of color vision: 2 is just noticeable side by
/// side.
fn distance(one: Rgb, other: Rgb, vision: &Matrix) -> f64 {
    let (one, other) = (seen(one, vision), seen(other, vision));
    (0..3).map(|at| (one[at] - other[at]).powi(2)).sum::<f64>().sqrt()
}

fn all_tints() -> Vec<Tint> {
    let seats = SeatColors::ALL.into_iter().flat_map(SeatColors::all).copied();
    seats.chain([gray()]).collect()
}

#[test]
fn the_contrast_formula_has_the_known_values() {
    assert!((contrast(Rgb(0), Rgb(0xff_ff_ff)) - 21.0).abs() < 1e-9);
    assert!((contrast(Rgb(0x77_77_77), Rgb(0xff_ff_ff)) - 4.48).abs() < 0.01);
}

#[test]
fn every_piece_stands_out_from_every_square() {
    for theme in Theme::ALL {
        let palette = theme.palette();
        for square in [palette.light, palette.dark, palette.plain] {
            for Tint { fill, line, .. } in all_tints() {
                let best = contrast(fill, square).max(contrast(line, square));
                assert!(best >= 3.0, "{fill} with {line} on {square}: {best:.2}, {theme:?}");
            }
        }
    }
}

#[test]
fn the_lines_inside_a_piece_show() {
    for Tint { fill, detail, .. } in all_tints() {
        let found = contrast(fill, detail);
        assert!(found >= 3.0, "{detail} in {fill}: {found:.2}");
    }
}

#[test]
fn labels_are_readable() {
    for theme in Theme::ALL {
        let found = contrast(theme.palette().label, theme.palette().page);
        assert!(found >= 4.5, "{theme:?}: {found:.2}");
    }
}

#[test]
fn seat_colors_are_distinct_in_every_color_vision() {
    for tints in SeatColors::ALL {
        let fills: Vec<Rgb> = tints.all().iter().map(|tint| tint.fill).collect();
        for (name, vision, least) in &VISION {
            for (index, &one) in fills.iter().enumerate() {
                for &other in &fills[index + 1..] {
                    let found = distance(one, other, vision);
                    assert!(found >= *least, "{one} and {other} by {name}: {found:.1}");
                }
            }
        }
    }
}

/// Even without color, the seats differ a little, by lightness alone.
#[test]
fn seats_differ_in_lightness() {
    let mut lightness: Vec<f64> =
        SeatColors::Four.all().iter().map(|tint| seen(tint.fill, &VISION[0].1)[0]).collect();
    lightness.sort_by(f64::total_cmp);
    for pair in lightness.windows(2) {
        assert!(pair[1] - pair[0] >= 5.0, "{lightness:?}");
    }
}
