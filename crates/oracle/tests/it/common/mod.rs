//! Runs the examples of rules pages, which are fenced blocks of `key: value` lines. Also sets the
//! size of the long tests.

/// The number of positions, games or ticks a test covers: `quick`, or `full` with `./test --full`.
pub(crate) fn amount(quick: u64, full: u64) -> u64 {
    if std::env::var_os("FOURFOLD_FULL").is_some() { full } else { quick }
}

/// The state of a running block.
pub(crate) trait Example<'a> {
    fn run_line(&mut self, key: &str, value: &'a str) -> Result<(), String>;
    /// The number of lines so far that have checked something.
    fn checks(&self) -> usize;
}

/// Reads the game's rules page.
pub(crate) fn read_page(game: &str) -> String {
    let path = format!("{}/../../docs/rules/{game}.md", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns the failures on a game's page, at most one per block. `begin` creates the example that
/// runs a block.
pub(crate) fn failures<'a, E: Example<'a>>(
    game: &str,
    page: &'a str,
    begin: impl Fn() -> E,
) -> Vec<String> {
    let blocks = blocks(game, page);
    if blocks.is_empty() {
        return vec![format!("{game}.md: no {game} blocks")];
    }
    blocks.iter().filter_map(|block| run_block(game, block, begin()).err()).collect()
}

/// A fenced block: its lines with their line numbers on the page, starting with the opening fence.
type Block<'a> = Vec<(usize, &'a str)>;

fn blocks<'a>(game: &str, page: &'a str) -> Vec<Block<'a>> {
    let opening = format!("```{game}");
    let mut lines = (1..).zip(page.lines().map(str::trim_end));
    let mut blocks = Vec::new();
    while let Some(fence) = lines.find(|(_, line)| *line == opening) {
        let body = lines.by_ref().take_while(|(_, line)| *line != "```");
        blocks.push(std::iter::once(fence).chain(body).collect());
    }
    blocks
}

fn run_block<'a, E: Example<'a>>(
    game: &str,
    block: &Block<'a>,
    mut example: E,
) -> Result<(), String> {
    for (number, line) in &block[1..] {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let at = |failure| format!("{game}.md:{number}: {line}: {failure}");
        let (key, value) = line.split_once(": ").ok_or("not 'key: value'").map_err(at)?;
        let at = |failure| format!("{game}.md:{number}: {key}: {failure}");
        example.run_line(key, value).map_err(at)?;
    }
    if example.checks() == 0 {
        return Err(format!("{game}.md:{}: block checks nothing", block[0].0));
    }
    Ok(())
}

pub(crate) fn expect(expected: &str, got: impl ToString) -> Result<(), String> {
    let got = got.to_string();
    if got == expected { Ok(()) } else { Err(format!("expected {expected}, got {got}")) }
}

/// Compares words in any order; `none` means no words.
pub(crate) fn expect_set(expected: &str, mut got: Vec<String>) -> Result<(), String> {
    let mut words: Vec<&str> = expected.split_whitespace().filter(|word| *word != "none").collect();
    words.sort();
    got.sort();
    if got == words {
        return Ok(());
    }
    Err(format!("expected {}, got {}", words.join(" "), got.join(" ")))
}

/// Checks that each move is both listed and playable or, if not `legal`, neither.
pub(crate) fn expect_each(
    moves: &str,
    legal: bool,
    listed: &[String],
    is_playable: impl Fn(&str) -> bool,
) -> Result<(), String> {
    for mv in moves.split_whitespace() {
        let is_listed = listed.iter().any(|other| other == mv);
        let is_playable = is_playable(mv);
        if is_listed != legal || is_playable != legal {
            return Err(format!(
                "expected {mv} legal {legal}, got listed {is_listed}, playable {is_playable}"
            ));
        }
    }
    Ok(())
}
