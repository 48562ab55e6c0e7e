//! The facts about a mirrored position are the mirrored facts.

use fourfold_oracle::analysis::{Contact, Facts, PawnFacts, SideFacts, XRays};
use fourfold_oracle::chess::Variant;

use super::compare::{Implementation, Oracle};
use super::engine::Engine;
use super::positions::{for_positions, rows_of};

#[test]
fn facts_are_symmetric_in_color() {
    holds_under::<Oracle>(Mirror::UpsideDown, 300);
    holds_under::<Engine>(Mirror::UpsideDown, 300);
}

#[test]
fn facts_are_symmetric_left_to_right() {
    holds_under::<Oracle>(Mirror::Sideways, 300);
    holds_under::<Engine>(Mirror::Sideways, 300);
}

fn holds_under<T: Implementation>(mirror: Mirror, count: usize) {
    let mut checked = 0;
    for_positions(count, 11, |fen, variant| {
        let Some(image) = mirror.fen(fen) else { return };
        let facts = T::analyze(fen, variant).expect("a good position");
        let other = T::analyze(&image, variant).expect("a mirrored position");
        assert_eq!(other, mirror.facts(&facts), "{variant:?} {fen} and {image}");
        checked += 1;
    });
    assert!(checked * 2 > count, "only {checked} of {count} positions have a mirror image");
}

#[derive(Clone, Copy, PartialEq)]
enum Mirror {
    /// Ranks are mirrored and colors swapped.
    UpsideDown,
    /// The a-file becomes the h-file. Castling has no mirror image, since its two sides differ.
    Sideways,
}

impl Mirror {
    /// Returns the FEN of the mirrored position, if it has one.
    fn fen(self, fen: &str) -> Option<String> {
        let fields: Vec<&str> = fen.split(' ').collect();
        let mut board = squares_of(fields[0]);
        match self {
            Mirror::UpsideDown => {
                board.reverse();
                for letter in board.as_flattened_mut() {
                    *letter = swap_case(*letter);
                }
                let turn = if fields[1] == "w" { "b" } else { "w" };
                // White's rights are written first.
                let (white, black): (String, String) =
                    fields[2].chars().map(swap_case).partition(char::is_ascii_uppercase);
                let rights = white + &black;
                let en_passant = self.text(fields[3]);
                Some(format!("{} {turn} {rights} {en_passant} 0 1", rows_of(&board)))
            }
            Mirror::Sideways => {
                for row in &mut board {
                    row.reverse();
                }
                let en_passant = self.text(fields[3]);
                (fields[2] == "-")
                    .then(|| format!("{} {} - {en_passant} 0 1", rows_of(&board), fields[1]))
            }
        }
    }

    fn facts(self, facts: &Facts) -> Facts {
        let (white, black) = match self {
            Mirror::UpsideDown => (&facts.black, &facts.white),
            Mirror::Sideways => (&facts.white, &facts.black),
        };
        let contact = |contact: &Contact| Contact {
            attackers: self.squares(&contact.attackers),
            defenders: self.squares(&contact.defenders),
        };
        Facts {
            white: self.side(white),
            black: self.side(black),
            attack_map: self.table(&facts.attack_map, contact),
        }
    }

    fn side(self, side: &SideFacts) -> SideFacts {
        let mut forks: Vec<String> = side.forks.iter().map(|mv| self.text(mv)).collect();
        forks.sort();
        let mut see: Vec<(String, i32)> =
            side.see.iter().map(|(mv, wins)| (self.text(mv), *wins)).collect();
        see.sort();
        let x_rays = |x_rays: &XRays| XRays {
            own: self.squares(&x_rays.own),
            enemy: self.squares(&x_rays.enemy),
            any: self.squares(&x_rays.any),
        };
        SideFacts {
            pieces: self.squares(&side.pieces),
            attacked: self.squares(&side.attacked),
            hanging: self.squares(&side.hanging),
            pinned: self.squares(&side.pinned),
            pinned_pawns: self.squares(&side.pinned_pawns),
            skewered: self.squares(&side.skewered),
            developed: self.squares(&side.developed),
            pawns: PawnFacts {
                all: self.squares(&side.pawns.all),
                doubled: self.squares(&side.pawns.doubled),
                isolated: self.squares(&side.pawns.isolated),
                backward: self.squares(&side.pawns.backward),
                backward_blocked: self.squares(&side.pawns.backward_blocked),
                passed: self.squares(&side.pawns.passed),
            },
            outposts: self.squares(&side.outposts),
            en_prise: self.squares(&side.en_prise),
            forks,
            see,
            mobility: self.table(&side.mobility, |count| *count),
            material: side.material,
            king_ring: side.king_ring,
            x_rays: self.table(&side.x_rays, x_rays),
        }
    }

    fn squares(self, squares: &[String]) -> Vec<String> {
        let mut images: Vec<String> = squares.iter().map(|square| self.text(square)).collect();
        images.sort_by_key(|square| by_rank(square));
        images
    }

    fn table<A, B>(self, rows: &[(String, A)], image: impl Fn(&A) -> B) -> Vec<(String, B)> {
        let mut rows: Vec<(String, B)> =
            rows.iter().map(|(square, value)| (self.text(square), image(value))).collect();
        rows.sort_by_key(|(square, _)| by_rank(square));
        rows
    }

    /// Mirrors a square or a move. The promotion letter is unchanged, though `b` is also a file.
    fn text(self, text: &str) -> String {
        let image = |(place, letter): (usize, char)| match (self, letter) {
            (_, letter) if place == 4 => letter,
            (Mirror::UpsideDown, '1'..='8') => char::from(b'1' + b'8' - letter as u8),
            (Mirror::Sideways, 'a'..='h') => char::from(b'a' + b'h' - letter as u8),
            (_, letter) => letter,
        };
        text.chars().enumerate().map(image).collect()
    }
}

/// A sort key that orders squares a1, b1, …, h1, a2, …, h8.
pub(crate) fn by_rank(square: &str) -> String {
    square.chars().rev().collect()
}

/// Parses the board field of a FEN into letters, with `1` for each empty square.
fn squares_of(board: &str) -> [[char; 8]; 8] {
    let mut squares = [['1'; 8]; 8];
    for (row, text) in squares.iter_mut().zip(board.split('/')) {
        let mut file = 0;
        for letter in text.chars() {
            match letter.to_digit(10) {
                Some(empty) => file += empty as usize,
                None => {
                    row[file] = letter;
                    file += 1;
                }
            }
        }
    }
    squares
}

fn swap_case(letter: char) -> char {
    if letter.is_ascii_uppercase() {
        letter.to_ascii_lowercase()
    } else {
        letter.to_ascii_uppercase()
    }
}

#[test]
fn mirrors_work_on_examples() {
    let fen = "4k3/1p6/8/8/3Pp3/8/6P1/R3K3 b Q d3 0 1";
    let image = Mirror::UpsideDown.fen(fen);
    assert_eq!(image.as_deref(), Some("r3k3/6p1/8/3pP3/8/8/1P6/4K3 w q d6 0 1"));
    assert_eq!(Mirror::Sideways.fen(fen), None);
    let fen = "4k3/1p6/8/8/3Pp3/8/6P1/4K3 b - d3 0 1";
    let image = Mirror::Sideways.fen(fen);
    assert_eq!(image.as_deref(), Some("3k4/6p1/8/8/3pP3/8/1P6/3K4 b - e3 0 1"));
    assert_eq!(Mirror::Sideways.text("b7a8b"), "g7h8b");
    assert_eq!(Mirror::UpsideDown.text("b7a8b"), "b2a1b");
    assert_eq!(
        Mirror::Sideways.squares(&["a1".into(), "c1".into(), "b2".into()]),
        ["f1", "h1", "g2"]
    );
}

#[test]
fn an_asymmetric_fact_is_detected() {
    struct Lopsided;
    impl Implementation for Lopsided {
        fn analyze(fen: &str, variant: Variant) -> Result<Facts, String> {
            let mut facts = Oracle::analyze(fen, variant)?;
            facts.white.pawns.passed.retain(|square| !square.starts_with('a'));
            Ok(facts)
        }
    }
    for mirror in [Mirror::UpsideDown, Mirror::Sideways] {
        let broken = std::panic::catch_unwind(|| holds_under::<Lopsided>(mirror, 100));
        assert!(broken.is_err());
    }
}
