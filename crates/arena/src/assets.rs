//! The page's parts, which are inside the program.

use std::borrow::Cow;
use std::sync::LazyLock;

use rust_embed::{EmbeddedFile, RustEmbed};
use sha2::{Digest, Sha256};

/// The page. A debug build reads the files anew each time, so that a reload shows a change.
#[derive(RustEmbed)]
#[folder = "../../web"]
#[include = "*.html"]
#[include = "*.css"]
#[include = "*.js"]
#[include = "*.svg"]
#[include = "*.webmanifest"]
struct Web;

/// Something that the page is made of.
pub(crate) struct Asset {
    pub(crate) bytes: Cow<'static, [u8]>,
    pub(crate) kind: &'static str,
    /// Equal where the bytes are.
    pub(crate) tag: String,
}

/// The page itself.
pub(crate) fn page() -> Option<Asset> {
    part("index.html")
}

/// A part of the page by its name.
pub(crate) fn part(name: &str) -> Option<Asset> {
    let EmbeddedFile { data, metadata } = Web::get(name)?;
    Some(Asset { bytes: data, kind: kind(name), tag: tag(&metadata.sha256_hash()) })
}

/// The colours.
pub(crate) fn theme() -> Asset {
    static THEME: LazyLock<String> = LazyLock::new(fourfold_draw::stylesheet);
    made(&THEME, "theme.css")
}

/// The piece set.
pub(crate) fn pieces() -> Asset {
    static PIECES: LazyLock<String> = LazyLock::new(fourfold_draw::sprite);
    made(&PIECES, "pieces.svg")
}

fn made(text: &'static str, name: &str) -> Asset {
    let tag = tag(&Sha256::digest(text.as_bytes()).into());
    Asset { bytes: Cow::Borrowed(text.as_bytes()), kind: kind(name), tag }
}

fn tag(hash: &[u8; 32]) -> String {
    let digits: String = hash[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    format!("\"{digits}\"")
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_and_its_parts_are_inside_and_nothing_else_is() {
        assert!(page().is_some_and(|page| page.kind.starts_with("text/html")));
        assert!(part("../Cargo.toml").is_none());
        assert!(part("tsconfig.json").is_none());
        assert!(part("").is_none());
        assert!(!theme().bytes.is_empty());
        assert_ne!(theme().tag, pieces().tag);
    }
}
