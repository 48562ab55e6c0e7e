//! The files of the web page, embedded into the binary.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Write as _;
use std::sync::{LazyLock, Mutex};

use axum::body::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use rust_embed::{EmbeddedFile, RustEmbed};
use sha2::{Digest, Sha256};

use crate::hub::lock;

/// The page. A debug build reads the files from disk on each request, so that a reload shows
/// changes.
#[derive(RustEmbed)]
#[folder = "../../web"]
struct Web;

/// One file of the page.
#[derive(Clone)]
pub(crate) struct Asset {
    pub(crate) bytes: Bytes,
    pub(crate) kind: &'static str,
    /// The `ETag`, derived from the content.
    pub(crate) tag: String,
}

impl Asset {
    /// Returns the asset compressed with gzip. It is compressed once, and then shared.
    pub(crate) fn zipped(&self) -> Asset {
        static ZIPPED: LazyLock<Mutex<HashMap<String, Bytes>>> = LazyLock::new(Mutex::default);
        let mut known = lock(&ZIPPED);
        let bytes = known.entry(self.tag.clone()).or_insert_with(|| {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            // Writing to a `Vec` cannot fail.
            let _ = encoder.write_all(&self.bytes);
            encoder.finish().unwrap_or_default().into()
        });
        let tag = self.tag.replacen('"', "\"z", 1);
        Asset { bytes: bytes.clone(), kind: self.kind, tag }
    }
}

/// Returns the page itself, with a preload link for each module that is imported at startup.
/// Without the links, a browser would discover nested imports one after the other.
pub(crate) fn page() -> Option<Asset> {
    static PAGE: LazyLock<Option<Asset>> = LazyLock::new(generate_page);
    if cfg!(debug_assertions) { generate_page() } else { PAGE.clone() }
}

fn generate_page() -> Option<Asset> {
    let page = text("index.html")?;
    let links: Vec<String> = modules("app/main.js")
        .iter()
        .map(|name| format!("<link rel=\"modulepreload\" href=\"/web/{name}\">"))
        .collect();
    let (before, rest) = page.split_once("<!-- modules")?;
    let (_, after) = rest.split_once("-->")?;
    let bytes = format!("{before}{}{after}", links.join("\n    ")).into_bytes();
    Some(generated(bytes.into(), "index.html"))
}

/// Returns a module and everything it imports statically, directly or indirectly.
fn modules(first: &str) -> Vec<String> {
    let mut found = vec![first.to_owned()];
    let mut read = 0;
    while let Some(from) = found.get(read).cloned() {
        read += 1;
        let Some(source) = text(&from) else { continue };
        let imports = source
            .lines()
            .filter(|line| line.starts_with("import ") || line.starts_with("} from "));
        for line in imports {
            let Some(path) = line.split('"').nth(1) else { continue };
            let name = resolve(&from, path);
            if !found.contains(&name) {
                found.push(name);
            }
        }
    }
    found
}

/// Resolves the relative path that the module `from` imports.
fn resolve(from: &str, path: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            name => parts.push(name),
        }
    }
    parts.join("/")
}

fn text(name: &str) -> Option<String> {
    let bytes = Web::get(name)?.data.into_owned();
    String::from_utf8(bytes).ok()
}

/// Returns a file of the page by name.
pub(crate) fn part(name: &str) -> Option<Asset> {
    let EmbeddedFile { data, metadata } = Web::get(name)?;
    let bytes = match data {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => bytes.into(),
    };
    Some(Asset { bytes, kind: kind(name), tag: tag(&metadata.sha256_hash()) })
}

/// Returns the stylesheet with the board colors.
pub(crate) fn theme() -> Asset {
    static THEME: LazyLock<Asset> =
        LazyLock::new(|| generated(fourfold_draw::stylesheet().into(), "theme.css"));
    THEME.clone()
}

/// Returns the piece set as an SVG sprite.
pub(crate) fn pieces() -> Asset {
    static PIECES: LazyLock<Asset> =
        LazyLock::new(|| generated(fourfold_draw::sprite().into(), "pieces.svg"));
    PIECES.clone()
}

fn generated(bytes: Bytes, name: &str) -> Asset {
    let tag = tag(&Sha256::digest(&bytes).into());
    Asset { bytes, kind: kind(name), tag }
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
    fn only_page_files_are_embedded() {
        assert!(page().is_some_and(|page| page.kind.starts_with("text/html")));
        assert!(part("../Cargo.toml").is_none());
        assert!(part("tsconfig.json").is_none());
        assert!(part("").is_none());
        assert!(modules("app/main.js").iter().all(|name| part(name).is_some()));
        assert!(!theme().bytes.is_empty());
        assert_ne!(theme().tag, pieces().tag);
    }

    #[test]
    fn only_static_imports_are_preloaded() {
        let page = String::from_utf8(page().expect("a page").bytes.to_vec()).expect("text");
        let named = |name: &str| page.contains(&format!("modulepreload\" href=\"/web/{name}\""));
        assert!(named("app/main.js") && named("ui/dom.js") && named("board/board.js"), "{page}");
        assert!(!named("study/study-page.js") && !page.contains("<!--"), "{page}");
    }

    #[test]
    fn gzip_round_trips_and_is_smaller() {
        use std::io::Read as _;
        let asset = pieces();
        let zipped = asset.zipped();
        assert_eq!(asset.zipped().bytes.as_ptr(), zipped.bytes.as_ptr(), "compressed once");
        assert_eq!(pieces().bytes.as_ptr(), asset.bytes.as_ptr(), "generated once");
        assert!(zipped.bytes.len() < asset.bytes.len() / 2 && zipped.tag != asset.tag);
        let mut text = Vec::new();
        let mut decoder = flate2::read::GzDecoder::new(&*zipped.bytes);
        decoder.read_to_end(&mut text).expect("it was zipped");
        assert_eq!(text, *asset.bytes);
    }
}
