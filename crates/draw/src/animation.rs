//! Several pictures of one board, shown one after the other by a single SVG.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::Picture;
use crate::layers::Layer;
use crate::svg::Writer;

/// A sequence of pictures of one board.
///
/// Parts that do not change from picture to picture are written once, so an animation of a whole
/// game is not much larger than a few pictures. It uses SMIL, without a script, and repeats
/// forever; a page can pause and seek it with `pauseAnimations` and `setCurrentTime`. Viewers that
/// cannot animate show the last picture.
///
/// ```
/// use fourfold_board::Geometry;
/// use fourfold_draw::{Animation, Picture, Seat, Shape};
///
/// static BOARD: Geometry<64, 1> = Geometry::rectangle(8, 8);
///
/// let at = |square| {
///     let mut picture = Picture::new("A king walks", Shape::of(&BOARD), 2);
///     picture.piece(square, 'K', Seat::new(0)).piece("a8", 'K', Seat::new(1));
///     picture
/// };
/// let animation = Animation { frames: ["e1", "e2", "e3"].map(at).into(), each: 800, hold: 2000 };
/// assert_eq!(animation.duration(), 4400);
/// assert_eq!(animation.svg().matches("<animate ").count(), 3); // The other king does not move.
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Animation {
    /// The pictures. The board, theme and size of the first one apply to all.
    pub frames: Vec<Picture>,
    /// The duration of each picture, in milliseconds.
    pub each: u32,
    /// The additional duration of the last picture, in milliseconds.
    pub hold: u32,
}

/// The first frame that shows a part, and the first one after it that does not.
type Times = (usize, usize);

/// One layer of all frames.
#[derive(Default)]
struct Track {
    /// The parts in order of appearance, each with the times at which it is visible.
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

impl Animation {
    /// Returns the total duration in milliseconds.
    pub fn duration(&self) -> u64 {
        self.start(self.frames.len()) + u64::from(self.hold)
    }

    /// Returns the animation as one self-contained SVG document; empty if there are no frames.
    pub fn svg(&self) -> String {
        self.svg_with_stop(&|| false).unwrap_or_default()
    }

    /// Returns the same as [`Animation::svg`], or `None` if `stop` returns true meanwhile. It is
    /// called for each frame.
    pub fn svg_with_stop(&self, stop: &dyn Fn() -> bool) -> Option<String> {
        let Some(first) = self.frames.first() else { return Some(String::new()) };
        let pieces: BTreeSet<char> = self.frames.iter().flat_map(Picture::piece_letters).collect();
        let mut content = String::new();
        for ((_, open), track) in self.tracks(stop)? {
            content.push_str(&open);
            content.extend(track.parts.iter().map(|(part, times)| self.timed(part, times)));
            content.push_str(Layer::close(&open));
        }
        Some(Writer::new(first).document(&pieces, &content))
    }

    /// Returns the start of a frame in milliseconds.
    fn start(&self, frame: usize) -> u64 {
        frame as u64 * u64::from(self.each)
    }

    /// Returns the layers of all frames, by stacking order and group. `None` if stopped.
    fn tracks(&self, stop: &dyn Fn() -> bool) -> Option<BTreeMap<(u8, String), Track>> {
        let mut tracks: BTreeMap<(u8, String), Track> = BTreeMap::new();
        for (frame, picture) in self.frames.iter().enumerate() {
            if stop() {
                return None;
            }
            for Layer { order, open, parts } in Writer::new(picture).layers() {
                let track = tracks.entry((order, open)).or_default();
                parts.into_iter().for_each(|part| track.see(part, frame));
            }
        }
        Some(tracks)
    }

    /// Returns a part that is visible at some times.
    fn timed(&self, part: &str, times: &[Times]) -> String {
        let last = self.frames.len();
        if times == [(0, last)] {
            return part.to_owned();
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
        let (values, moments) = (values.join(";"), moments.join(";"));
        let discrete =
            format!(r#"attributeName="visibility" calcMode="discrete" dur="{duration}ms""#);
        let steps = format!(r#"repeatCount="indefinite" values="{values}" keyTimes="{moments}""#);
        format!(r#"<g visibility="{at_last}"><animate {discrete} {steps}/>{part}</g>"#)
    }
}
