//! Helpers for the comparison tests of the games: the size of the long tests, files of the
//! repository, and examples on rules pages, which are fenced blocks of `key: value` lines.

/// The number of positions, games or ticks a test covers: `quick`, or `full` with `./test --full`.
#[must_use]
pub fn quick_or_full(quick: u64, full: u64) -> u64 {
    if std::env::var_os("FOURFOLD_FULL").is_some() { full } else { quick }
}

/// Reads a file of the repository.
///
/// # Panics
///
/// Panics if the file cannot be read.
#[must_use]
pub fn read_file(path: &str) -> String {
    let path = format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The state of a running block.
pub trait Example<'a> {
    /// Runs a `key: value` line.
    ///
    /// # Errors
    ///
    /// Returns the failure if the line is wrong or cannot be run.
    fn run_line(&mut self, key: &str, value: &'a str) -> Result<(), String>;

    /// The number of lines so far that have checked something.
    fn checks(&self) -> usize;
}

/// Runs the blocks of a page and panics with a list of all failures.
///
/// # Panics
///
/// Panics if [`failures`] returns any.
pub fn check_page<'a, E: Example<'a>>(name: &str, page: &'a str, begin: impl Fn() -> E) {
    let failures = failures(name, page, begin);
    assert!(failures.is_empty(), "\n{}\n", failures.join("\n"));
}

/// Returns the failures of the blocks that are marked with `name`, at most one per block. `begin`
/// creates the example that runs a block.
pub fn failures<'a, E: Example<'a>>(
    name: &str,
    page: &'a str,
    begin: impl Fn() -> E,
) -> Vec<String> {
    let blocks = blocks(name, page);
    if blocks.is_empty() {
        return vec![format!("{name}.md: no {name} blocks")];
    }
    blocks.iter().filter_map(|block| run_block(name, block, begin()).err()).collect()
}

/// A fenced block: its lines with their line numbers on the page, starting with the opening fence.
type Block<'a> = Vec<(usize, &'a str)>;

fn blocks<'a>(name: &str, page: &'a str) -> Vec<Block<'a>> {
    let opening = format!("```{name}");
    let mut lines = (1..).zip(page.lines().map(str::trim_end));
    let mut blocks = Vec::new();
    while let Some(fence) = lines.find(|(_, line)| *line == opening) {
        let body = lines.by_ref().take_while(|(_, line)| *line != "```");
        blocks.push(std::iter::once(fence).chain(body).collect());
    }
    blocks
}

fn run_block<'a>(
    name: &str,
    block: &Block<'a>,
    mut example: impl Example<'a>,
) -> Result<(), String> {
    for (number, line) in &block[1..] {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let at = |failure| format!("{name}.md:{number}: {line}: {failure}");
        let (key, value) = line.split_once(": ").ok_or("not 'key: value'").map_err(at)?;
        let at = |failure| format!("{name}.md:{number}: {key}: {failure}");
        example.run_line(key, value).map_err(at)?;
    }
    if example.checks() == 0 {
        return Err(format!("{name}.md:{}: the block has no checks", block[0].0));
    }
    Ok(())
}

/// Compares a value with its text.
///
/// # Errors
///
/// Returns both texts if they differ.
pub fn expect(expected: &str, got: impl ToString) -> Result<(), String> {
    let got = got.to_string();
    if got == expected { Ok(()) } else { Err(format!("expected {expected}, got {got}")) }
}

/// Compares words in any order; `none` means no words.
///
/// # Errors
///
/// Returns both lists, sorted, if they differ.
pub fn expect_set(expected: &str, mut got: Vec<String>) -> Result<(), String> {
    let mut words: Vec<&str> = expected.split_whitespace().filter(|word| *word != "none").collect();
    words.sort();
    got.sort();
    expect(&words.join(" "), got.join(" "))
}

/// Checks that each move is both listed and playable or, if not `legal`, neither.
///
/// # Errors
///
/// Returns the first move that is not as expected.
pub fn expect_each(
    moves: &str,
    legal: bool,
    listed: &[String],
    is_playable: impl Fn(&str) -> bool,
) -> Result<(), String> {
    for mv in moves.split_whitespace() {
        let is_listed = listed.iter().any(|other| other == mv);
        let is_playable = is_playable(mv);
        if is_listed != legal || is_playable != legal {
            let not = |value: bool| if value { "" } else { "not " };
            return Err(format!(
                "expected {mv} to be {}, but it is {}listed and {}playable",
                if legal { "legal" } else { "illegal" },
                not(is_listed),
                not(is_playable)
            ));
        }
    }
    Ok(())
}

/// Joins values with spaces; returns `none` if there are none.
pub fn or_none(values: &[impl ToString]) -> String {
    if values.is_empty() {
        return "none".to_string();
    }
    values.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// Returns the value of `key=value` among words.
#[must_use]
pub fn field<'a>(words: &'a str, key: &str) -> Option<&'a str> {
    words.split(' ').find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
}

/// Returns the values of a key in a group of `key: value` lines.
pub fn values<'a>(group: &'a str, key: &str) -> impl Iterator<Item = &'a str> {
    group.lines().filter_map(move |line| line.strip_prefix(key)?.strip_prefix(": "))
}

/// Returns the value of a key that a group of lines must have.
///
/// # Panics
///
/// Panics if the group does not have the key.
pub fn value<'a>(group: &'a str, key: &str) -> &'a str {
    values(group, key).next().unwrap_or_else(|| panic!("no {key} in\n{group}"))
}

/// Returns the lines of a data file with their numbers, without empty lines and comments.
pub fn data_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// Parses the depth and the number of sequences of a perft count: `D3 8902`.
///
/// # Panics
///
/// Panics if the text is something else.
#[must_use]
pub fn depth_and_count(text: &str) -> (u32, u64) {
    let parse = || {
        let (depth, count) = text.strip_prefix('D')?.split_once(' ')?;
        Some((depth.parse().ok()?, count.parse().ok()?))
    };
    parse().unwrap_or_else(|| panic!("'{text}' is not 'D1 sequences'"))
}

/// Replaces, inserts or removes a character among the first `length`, at random.
pub fn mutate(text: &str, length: usize, letters: &str, mut random: impl FnMut() -> u64) -> String {
    let mut text: Vec<char> = text.chars().collect();
    let letters: Vec<char> = letters.chars().collect();
    let place = (random() % length.min(text.len()) as u64) as usize;
    let letter = letters[(random() % letters.len() as u64) as usize];
    match random() % 3 {
        0 => text[place] = letter,
        1 => text.insert(place, letter),
        _ => drop(text.remove(place)),
    }
    text.into_iter().collect()
}

/// Returns a copy of the bytes of a state with one to three bits flipped at random.
pub fn flip_bits(bytes: &[u8], mut random: impl FnMut() -> u64) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + random() % 3 {
        let place = random() as usize % bytes.len();
        bytes[place] ^= 1 << (random() % 8);
    }
    bytes
}
