//! Extracts the rules and the environment of the game in docs/guide/adding-a-game.md, which
//! `tests/guide.rs` compiles.

use std::path::PathBuf;
use std::{env, fs};

const GUIDE: &str = "../../docs/guide/adding-a-game.md";

fn main() {
    println!("cargo::rerun-if-changed={GUIDE}");
    let guide = fs::read_to_string(GUIDE).expect("the guide can be read");
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("Cargo sets OUT_DIR"));
    for (file, name) in [
        ("crates/hexapawn/src/lib.rs", "rules.rs"),
        ("crates/env/src/hexapawn.rs", "environment.rs"),
    ] {
        let (_, rest) = guide.split_once(&format!("`{file}`:\n\n```rust\n")).expect(file);
        let (code, _) = rest.split_once("\n```\n").expect("a block ends");
        // An included file must not have inner documentation.
        fs::write(folder.join(name), code.replace("//! ", "// ")).expect("OUT_DIR is writable");
    }
}
