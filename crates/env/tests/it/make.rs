//! The registry of environments.

use fourfold_env::{GAMES, NAMES, Options, make};

#[test]
fn registry_entries_are_consistent() {
    assert!(GAMES.iter().map(|entry| entry.name).eq(NAMES));
    for entry in GAMES {
        let batch = make(entry.name, &[], 2, Options::default()).expect("default options");
        assert_eq!(batch.id(), format!("{}-v{}", entry.name, entry.version));
        let error = make(entry.name, &[("x", "y")], 2, Options::default()).err().expect("x");
        let options = entry.options.join(", ");
        let expected = format!("unknown option 'x' of {}: expected one of {options}", entry.name);
        assert_eq!(error.to_string(), expected);
    }
    let error = make("checkers", &[], 2, Options::default()).err().expect("no such game");
    let expected = format!("unknown environment 'checkers': expected one of {}", NAMES.join(", "));
    assert_eq!(error.to_string(), expected);
}
