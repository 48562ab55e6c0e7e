//! The pages in `docs/environments` match the code.

mod blokus;
mod chess;
mod four_player;
mod kung_fu;

use std::ops::Range;

use fourfold_env::{AnyBatch, Batch, Caption, Describe, Game, Layout, Options};

/// The text of a page.
struct Page(&'static str);

impl Page {
    /// Returns the cells of the only table row whose first cell is `first`.
    fn row(&self, first: &str) -> Vec<&'static str> {
        let rows = self.0.lines().filter(|line| line.starts_with("| "));
        let cells = |line: &'static str| line.trim_matches('|').split('|').map(str::trim).collect();
        let found: Vec<Vec<&str>> =
            rows.map(cells).filter(|cells: &Vec<&str>| cells[0] == first).collect();
        assert_eq!(found.len(), 1, "one row begins with '{first}'");
        found[0].clone()
    }

    /// Checks the table at the top of the page and returns the observation layout.
    fn check_sizes<G: Describe>(&self, rules: &G::Rules) -> Layout {
        let spec = G::spec(rules);
        let layout = spec.observation.clone();
        assert_eq!(self.row("id")[1], format!("`{}-v{}`", G::NAME, G::VERSION));
        assert!(self.row("players")[1].starts_with(&format!("{}:", spec.players)));
        assert!(self.row("actions")[1].starts_with(&spec.actions.to_string()));
        assert_eq!(self.row("most legal actions")[1], spec.max_legal.to_string());
        let shape = format!("({}, {}, {})", layout.height, layout.width, layout.channels.len());
        assert!(self.row("observation")[1].starts_with(&shape));
        let packed = format!("{} planes of {} bytes", layout.planes, layout.plane_bytes());
        assert!(self.row("packed observation")[1].starts_with(&packed));
        let scalars = format!("{} scalars", layout.scalars);
        assert!(self.row("packed observation")[1].ends_with(&scalars));
        self.check_state::<G>(rules);
        layout
    }

    /// Checks the size of a state, and that the ranges in the section about it cover all bytes and
    /// end with the status.
    fn check_state<G: Describe>(&self, rules: &G::Rules) {
        let size = Batch::<G>::new(rules.clone(), 0, Options::default()).state_bytes();
        assert_eq!(self.row("state")[1], format!("{size} bytes a game"));
        let section = self.0.split_once("## State\n").expect("a section about the state").1;
        let section = section.split_once("\n## ").expect("another section").0;
        let ranges: Vec<Range<usize>> = section
            .lines()
            .filter_map(|line| line.strip_prefix("| bytes ")?.split_once(' '))
            .map(|(range, _)| {
                let (first, last) = range.split_once('–').expect("a range");
                first.parse().expect("a number")..last.parse::<usize>().expect("a number") + 1
            })
            .collect();
        assert_eq!(ranges[0].start, 0);
        assert!(ranges.windows(2).all(|pair| pair[0].end == pair[1].start), "{ranges:?}");
        assert_eq!(ranges[ranges.len() - 1], size_of::<G>()..size, "the status is last");
    }

    /// Checks that the bytes at the documented range of a field are those that are expected.
    fn check_field(&self, field: &str, state: &[u8], expected: &[u8]) {
        let rows = self.0.lines().filter_map(|line| line.strip_prefix("| bytes "));
        let row = rows.into_iter().find(|row| row.contains(field)).expect(field);
        let (first, rest) = row.split_once('–').expect("a range");
        let last = rest.split_once(' ').expect("a cell").0;
        let [first, last] = [first, last].map(|text| text.parse::<usize>().expect("a number"));
        assert_eq!(&state[first..=last], expected, "{field}");
    }

    /// Checks the table of endings by code.
    fn check_endings(&self, endings: &[&str]) {
        for (code, ending) in endings.iter().chain(&["illegal action"]).enumerate() {
            assert_eq!(self.row(&code.to_string())[1], *ending);
        }
    }

    /// Checks that the current version has a row in the history.
    fn check_version<G: Game>(&self) {
        let history = self.0.split_once("## Versions").expect("a history").1;
        assert!(history.contains(&format!("| v{} |", G::VERSION)));
    }
}

/// Returns the comma-separated items after the colon, or of the whole row without one.
fn words(row: &str) -> Vec<&str> {
    row.split_once(": ").map_or(row, |(_, words)| words).split(", ").collect()
}

/// Returns the names of a range of captions.
fn names(captions: &[Caption], range: Range<usize>) -> Vec<&str> {
    captions[range].iter().map(|caption| caption.name.as_str()).collect()
}
