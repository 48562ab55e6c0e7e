//! The pages in `docs/environments` match the code.

mod blokus;
mod chess;
mod four_player;
mod kung_fu;

use std::ops::Range;

use fourfold_env::{Caption, Game, Layout};

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
    fn check_sizes<G: Game>(&self, rules: &G::Rules, state: usize) -> Layout {
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
        assert!(size_of::<G>() <= state && self.row("state")[1].contains(&state.to_string()));
        layout
    }

    /// Checks the table of endings by code.
    fn check_endings(&self, endings: &[&str]) {
        for (code, ending) in endings.iter().enumerate() {
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
