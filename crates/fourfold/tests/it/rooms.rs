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
        assert_eq!(cells.len(), 5, "a row of rooms has three cells: {row}");
        let room = names(cells[1]).pop_first().expect("a room");
        (room, names(cells[3]))
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
    let room = |value: &serde_json::Value| {
        let name = value.as_str().expect("a name");
        name.strip_prefix("fourfold-").unwrap_or(name).to_owned()
    };
    let packages = metadata["packages"].as_array().expect("packages");
    packages
        .iter()
        .map(|package| {
            let dependencies = package["dependencies"].as_array().expect("dependencies");
            let shipped = dependencies.iter().filter(|dependency| dependency["kind"] != "dev");
            (room(&package["name"]), shipped.map(|dependency| room(&dependency["name"])).collect())
        })
        .collect()
}

#[test]
fn every_room_depends_on_what_the_table_says() {
    let (documented, actual) = (documented(), actual());
    assert!(actual.len() >= 5, "only {} rooms were found", actual.len());
    assert_eq!(actual, documented, "\nleft: cargo metadata; right: CONTRIBUTING.md");
}

#[test]
fn roads_lead_one_way() {
    let edges = actual();
    let games = ["chess", "four-player", "blokus", "kung-fu"];
    for (room, needs) in &edges {
        assert!(!needs.contains("bench"), "{room} looks at bench");
        assert!(!needs.contains("oracle"), "{room} looks at oracle");
        // GPL: for comparison in tests and benchmarks only, never in anything we ship.
        assert!(room == "bench" || !needs.contains("shakmaty"), "{room} ships shakmaty");
        if games.contains(&room.as_str()) {
            assert_eq!(needs, &BTreeSet::from(["board".to_owned()]), "{room}");
        }
    }
    for alone in ["board", "oracle"] {
        assert!(edges[alone].is_empty(), "{alone} depends on {:?}", edges[alone]);
    }
}
