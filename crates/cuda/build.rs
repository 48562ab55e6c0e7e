//! Embeds kernels that are already compiled for certain GPUs, if `FOURFOLD_CUBINS` names a folder of
//! `scripts/kernels --cubins`. Without it, the driver compiles the kernels from PTX on their first use.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=FOURFOLD_CUBINS");
    let mut cubins = Vec::new();
    if let Some(folder) = env::var_os("FOURFOLD_CUBINS").filter(|folder| !folder.is_empty()) {
        let folder = Path::new(&folder);
        println!("cargo::rerun-if-changed={}", folder.display());
        let entries = fs::read_dir(folder).expect("FOURFOLD_CUBINS is a folder");
        for entry in entries {
            let path = entry.expect("the folder can be read").path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            // GAME.sm_90.cubin.gz
            let parts = name.strip_suffix(".cubin.gz").and_then(|name| name.split_once(".sm_"));
            if let Some((game, architecture)) = parts {
                let architecture: u32 = architecture.parse().expect("a number behind sm_");
                let path = path.canonicalize().expect("the file exists");
                cubins.push((game.to_owned(), architecture, path));
            }
        }
        assert!(!cubins.is_empty(), "FOURFOLD_CUBINS contains no files like chess.sm_90.cubin.gz");
    }
    cubins.sort();
    let mut table = String::from("&[\n");
    for (game, architecture, path) in cubins {
        writeln!(table, "    ({game:?}, {architecture}, include_bytes!({path:?})),")
            .expect("a string can be written to");
    }
    table.push_str("]\n");
    let out = env::var_os("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("cubins.rs"), table).expect("cargo's folder can be written to");
}
