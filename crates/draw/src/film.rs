//! Many pictures of one board, one after the other, in one SVG that plays by itself.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::Picture;
use crate::layers::Layer;
use crate::svg::Writer;
use crate::tiles::put;

/// Pictures of one board that follow each other.
///
/// What stays from picture to picture is written once, so a film of a whole game is not much larger than a
/// few pictures. It plays by SMIL, without a script, again and again; a page may stop and move it by
/// `pauseAnimations` and `setCurrentTime`. Whoever cannot play it sees the last picture.
///
/// ```
/// use fourfold_board::Geometry;
/// use fourfold_draw::{Film, Picture, Seat, Shape};
///
/// static BOARD: Geometry<64, 1> = Geometry::rectangle(8, 8);
///
/// let at = |square| {
///     let mut picture = Picture::new("A king walks", Shape::of(&BOARD), 2);
///     picture.man(square, 'K', Seat::new(0)).man("a8", 'K', Seat::new(1));
///     picture
/// };
/// let film = Film { frames: ["e1", "e2", "e3"].map(at).into(), each: 800, hold: 2000 };
/// assert_eq!(film.duration(), 4400);
/// assert_eq!(film.svg().matches("<animate ").count(), 3); // The other king just stands there.
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Film {
    /// The pictures. Board, theme and size are those of the first.
    pub frames: Vec<Picture>,
    /// How long each is shown, in milliseconds.
    pub each: u32,
    /// How much longer the last is shown.
    pub hold: u32,
}

/// The first frame in which something is seen, and the first without it again.
type Times = (usize, usize);

/// A layer of all frames together.
#[derive(Default)]
struct Track {
    /// The parts in the order in which they appear, and when each is seen.
    parts: Vec<(String, Vec<Times>)>,
    places: HashMap<String, usize>,
}

impl Track {
    fn see(&mut self, part: String, frame: usize) {
        let place = *self.places.entry(part).or_insert_with_key(|part| {
            self.parts.push((part.clone(), Vec::new()));
            self.parts.len() - 1
        });
        let times = &mut self.parts[place].1;
        match times.last_mut() {
            Some((_, end)) if *end >= frame => *end = frame + 1,
            _ => times.push((frame, frame + 1)),
        }
    }
}

impl Film {
    /// How long it takes, in milliseconds.
    pub fn duration(&self) -> u64 {
        self.start(self.frames.len()) + u64::from(self.hold)
    }

    /// The film as one SVG document that needs nothing else; nothing if it has no frame.
    pub fn svg(&self) -> String {
        let Some(first) = self.frames.first() else { return String::new() };
        let pieces: BTreeSet<char> = self.frames.iter().flat_map(Picture::pieces).collect();
        let mut content = String::new();
        for ((_, open), track) in self.tracks() {
            content.push_str(&open);
            for (part, times) in &track.parts {
                self.show(part, times, &mut content);
            }
            content.push_str(Layer::close(&open));
        }
        Writer::new(first).document(&pieces, &content)
    }

    /// The milliseconds before a frame.
    fn start(&self, frame: usize) -> u64 {
        frame as u64 * u64::from(self.each)
    }

    /// The layers of all frames, by their place and group.
    fn tracks(&self) -> BTreeMap<(u8, String), Track> {
        let mut tracks: BTreeMap<(u8, String), Track> = BTreeMap::new();
        for (frame, picture) in self.frames.iter().enumerate() {
            for Layer { place, open, parts } in Writer::new(picture).layers() {
                let track = tracks.entry((place, open)).or_default();
                parts.into_iter().for_each(|part| track.see(part, frame));
            }
        }
        tracks
    }

    /// Writes a part that is seen at times.
    fn show(&self, part: &str, times: &[Times], out: &mut String) {
        let last = self.frames.len();
        if times == [(0, last)] {
            return out.push_str(part);
        }
        let mut changes = vec![(0, "hidden")];
        for &(from, to) in times {
            if from == 0 {
                changes.clear();
            }
            changes.push((from, "visible"));
            if to < last {
                changes.push((to, "hidden"));
            }
        }
        let duration = self.duration();
        let values: Vec<&str> = changes.iter().map(|change| change.1).collect();
        let moment = |frame| format!("{:.6}", self.start(frame) as f64 / duration.max(1) as f64);
        let moments: Vec<String> = changes.iter().map(|change| moment(change.0)).collect();
        let at_last = values.last().copied().unwrap_or("visible");
        put(out, format_args!(r#"<g visibility="{at_last}"><animate attributeName="visibility" "#));
        put(out, format_args!(r#"calcMode="discrete" dur="{duration}ms" "#));
        put(out, format_args!(r#"repeatCount="indefinite" values="{}" "#, values.join(";")));
        put(out, format_args!(r#"keyTimes="{}"/>{part}</g>"#, moments.join(";")));
    }
}
