//! The command lines in the documentation are valid. Each one is run with `--help` appended, which
//! succeeds only if everything before it is valid and does nothing else. The packages, examples and
//! tests that `cargo` is told to run exist.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A command line and its place in the documentation.
struct Line {
    place: String,
    words: Vec<String>,
}

#[test]
fn documented_command_lines_are_valid() {
    let lines = lines();
    let mut checked = 0;
    for Line { place, words } in &lines {
        let Some(arguments) = arguments(words) else { continue };
        let mut program = Command::new(env!("CARGO_BIN_EXE_fourfold"));
        let output = program.args(arguments).arg("--help").output().expect("the binary starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{place}: {}\n{said}", words.join(" "));
        checked += 1;
    }
    assert!(checked >= 30, "only {checked} command lines were found");
}

#[test]
fn documented_cargo_targets_exist() {
    let root = root();
    let mut checked = 0;
    for Line { place, words } in lines() {
        if words.first().is_none_or(|word| word != "cargo") {
            continue;
        }
        let after = |option: &str| {
            let index = words.iter().position(|word| word == option)?;
            words.get(index + 1).map(|word| word.replace("fourfold-", ""))
        };
        let Some(package) = after("-p") else { continue };
        let package = root.join("crates").join(package);
        assert!(
            package.join("Cargo.toml").is_file(),
            "{place}: there is no package {}",
            package.display()
        );
        for (option, folder) in [("--example", "examples"), ("--test", "tests")] {
            let Some(name) = after(option) else { continue };
            let file = package.join(folder).join(&name);
            let there = file.with_extension("rs").is_file() || file.join("main.rs").is_file();
            assert!(there, "{place}: there is no {option} {name}");
        }
        checked += 1;
    }
    assert!(checked >= 10, "only {checked} command lines were found");
}

#[test]
fn invalid_command_lines_are_detected() {
    for wrong in ["perft six", "perft 3 --depth 4", "analyze --facts beauty", "play"] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_fourfold"));
        let output =
            program.args(wrong.split(' ')).arg("--help").output().expect("the binary starts");
        assert!(!output.status.success(), "{wrong}");
    }
}

/// Returns the arguments of a command line that runs `fourfold`, directly or through cargo.
fn arguments(words: &[String]) -> Option<&[String]> {
    let program = words.first()?;
    if program == "fourfold" || program.ends_with("/fourfold") {
        return Some(&words[1..]);
    }
    let split = words.iter().position(|word| word == "--")?;
    let plain =
        words[..split].iter().all(|word| ["cargo", "run", "--release"].contains(&&word[..]));
    plain.then(|| &words[split + 1..])
}

/// Returns the command lines that run our programs, in shell blocks and in inline code.
fn lines() -> Vec<Line> {
    let root = root();
    let mut pages =
        ["README.md", "CONTRIBUTING.md", "python/README.md"].map(|page| root.join(page)).to_vec();
    collect(&root.join("docs"), &mut pages);
    let mut lines = Vec::new();
    for page in pages {
        let text = fs::read_to_string(&page).expect("a page");
        let mut block: Option<bool> = None;
        for (number, line) in (1..).zip(text.lines()) {
            let place = format!("{}:{number}", page.strip_prefix(&root).unwrap_or(&page).display());
            if let Some(language) = line.trim_start().strip_prefix("```") {
                block = block.is_none().then(|| ["sh", "console", "bash"].contains(&language));
                continue;
            }
            match block {
                Some(true) => commands(line, &place, &mut lines),
                Some(false) => {}
                None => {
                    let spans = line.split('`').skip(1).step_by(2);
                    spans.for_each(|span| commands(span, &place, &mut lines));
                }
            }
        }
    }
    lines
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn collect(folder: &Path, pages: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("a file").path();
        if path.is_dir() {
            collect(&path, pages);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
}

/// Adds the commands of a line. Pipes separate commands; redirections and comments end them. A
/// program name without arguments is not a command line.
fn commands(line: &str, place: &str, lines: &mut Vec<Line>) {
    let mut words: Vec<String> = Vec::new();
    let mut ended = false;
    for word in split(line).into_iter().chain(["|".to_owned()]) {
        match &word[..] {
            "|" | "&&" => {
                let words = std::mem::take(&mut words);
                let calls = ["cargo", "fourfold"].map(|name| {
                    words
                        .first()
                        .is_some_and(|word| word == name || word.ends_with(&format!("/{name}")))
                });
                if words.len() > 1 && calls.contains(&true) && !words.contains(&"…".to_owned()) {
                    lines.push(Line { place: place.to_owned(), words });
                }
                ended = false;
            }
            _ if ended || word.starts_with(['#', '>']) || word.starts_with("2>") => ended = true,
            // Environment variables and the prompt before the command.
            _ if words.is_empty() && (word == "$" || word.contains('=')) => {}
            _ if words.is_empty() && word == "/usr/bin/time" => {}
            _ if words.is_empty() && word == "-v" => {}
            _ => words.push(word),
        }
    }
}

/// Splits a line into words, keeping quoted text together.
fn split(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for letter in line.chars() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}
