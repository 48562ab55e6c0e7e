//! The table of crates in CONTRIBUTING.md is correct: every crate has a row, and depends on exactly
//! what its row says, so that every new dependency is a deliberate decision.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

type Edges = BTreeMap<String, BTreeSet<String>>;

/// Parses rows of the form `| crate | contents | may depend on |`, with names in backticks.
fn documented() -> Edges {
    let page = include_str!("../../../../CONTRIBUTING.md");
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    let names = |cell: &str| -> BTreeSet<String> {
        cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    };
    rows.map(|row| {
        let cells: Vec<&str> = row.split('|').collect();
        assert_eq!(cells.len(), 5, "expected three cells in {row}");
        let name = names(cells[1]).pop_first().expect("a crate name");
        (name, names(cells[3]))
    })
    .collect()
}

/// Returns the dependencies from `cargo metadata`, without the prefix of our packages.
fn actual() -> Edges {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let crate_name = |value: &serde_json::Value| {
        let name = value.as_str().expect("a name");
        name.strip_prefix("fourfold-").unwrap_or(name).to_owned()
    };
    let packages = metadata["packages"].as_array().expect("packages");
    packages
        .iter()
        .map(|package| {
            let dependencies = package["dependencies"].as_array().expect("dependencies");
            let shipped = dependencies.iter().filter(|dependency| dependency["kind"] != "dev");
            let needs = shipped.map(|dependency| crate_name(&dependency["name"]));
            (crate_name(&package["name"]), needs.collect())
        })
        .collect()
}

#[test]
fn dependencies_match_the_documentation() {
    let (documented, actual) = (documented(), actual());
    assert!(actual.len() >= 5, "found only {} crates", actual.len());
    assert_eq!(actual, documented, "\nleft: cargo metadata; right: CONTRIBUTING.md");
}

/// Parses the arrows of the diagram, which are lines of the form `board --> chess`, as dependencies.
fn drawn() -> Edges {
    let page = include_str!("../../../../CONTRIBUTING.md");
    let (_, diagram) = page.split_once("```mermaid").expect("a diagram");
    let (diagram, _) = diagram.split_once("```").expect("an end of the diagram");
    let mut edges = Edges::new();
    for (needed, names) in diagram.lines().filter_map(|line| line.trim().split_once(" --> ")) {
        for name in names.split(" & ") {
            edges.entry(name.to_owned()).or_default().insert(needed.to_owned());
        }
    }
    edges
}

/// Returns all crates of ours that `name` depends on, directly or not.
fn closure<'a>(all: &'a Edges, name: &str) -> BTreeSet<&'a String> {
    let direct = all[name].iter().filter(|needed| all.contains_key(*needed));
    direct.flat_map(|needed| closure(all, needed).into_iter().chain([needed])).collect()
}

#[test]
fn the_diagram_draws_every_dependency_that_does_not_follow_from_others() {
    let all = actual();
    let mut edges = Edges::new();
    for (name, needs) in &all {
        for needed in needs.iter().filter(|needed| all.contains_key(*needed)) {
            let mut others = needs.iter().filter(|other| all.contains_key(*other));
            if !others.any(|other| closure(&all, other).contains(needed)) {
                edges.entry(name.clone()).or_default().insert(needed.clone());
            }
        }
    }
    assert_eq!(edges, drawn(), "\nleft: cargo metadata; right: the diagram in CONTRIBUTING.md");
}

#[test]
fn forbidden_dependencies() {
    let edges = actual();
    let games = ["chess", "four-player", "blokus", "kung-fu"];
    for (name, needs) in &edges {
        assert!(!needs.contains("bench"), "{name} depends on bench");
        assert!(!needs.contains("oracle"), "{name} depends on oracle");
        // GPL: for comparison in tests and benchmarks only, never in anything we ship.
        assert!(name == "bench" || !needs.contains("shakmaty"), "{name} ships shakmaty");
        if games.contains(&name.as_str()) {
            let shared = ["arrayvec", "board", "bytemuck", "common", "movetext", "thiserror"];
            let shared = BTreeSet::from(shared.map(str::to_owned));
            assert!(needs.is_subset(&shared), "{name} depends on {needs:?}");
        }
    }
    for alone in ["common", "oracle"] {
        assert!(edges[alone].is_empty(), "{alone} depends on {:?}", edges[alone]);
    }
}
