//! Rules pages: fenced blocks of `key: value` lines that the tests run. And how much the long tests do.

/// How many positions, games or ticks a test goes through: `quick`, or `full` with `./test --full`.
pub(crate) fn amount(quick: u64, full: u64) -> u64 {
    if std::env::var_os("FOURFOLD_FULL").is_some() { full } else { quick }
}

/// One block while it runs.
pub(crate) trait Example<'a> {
    fn run_line(&mut self, key: &str, value: &'a str) -> Result<(), String>;
    /// How many lines have checked something so far.
    fn checks(&self) -> usize;
}

/// The text of the game's page.
pub(crate) fn read_page(game: &str) -> String {
    let path = format!("{}/../../docs/rules/{game}.md", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// What fails on a game's page; of each block only the first failure. `begin` makes the example
/// that runs a block.
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

/// One fenced block: its lines, each with its number on the page. The first is the fence.
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

/// Compares words in any order; `none` stands for no words.
pub(crate) fn expect_set(expected: &str, mut got: Vec<String>) -> Result<(), String> {
    let mut words: Vec<&str> = expected.split_whitespace().filter(|word| *word != "none").collect();
    words.sort();
    got.sort();
    if got == words {
        return Ok(());
    }
    Err(format!("expected {}, got {}", words.join(" "), got.join(" ")))
}

/// Checks of each move that it is, or is not, both listed and playable.
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
