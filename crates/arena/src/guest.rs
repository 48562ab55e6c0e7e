//! Guests: people identified only by a secret in their browser.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Identifies a guest in games. It is not secret.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct GuestId(pub(crate) i64);

/// What the server stores about a guest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Guest {
    pub(crate) id: GuestId,
    pub(crate) name: String,
}

/// The name of the cookie that holds the secret.
pub(crate) const COOKIE: &str = "fourfold";

/// A guest's secret: 128 random bits in hexadecimal. The server sends it only in a cookie and
/// stores only its hash.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Secret(String);

impl Secret {
    /// Generates a new secret.
    pub(crate) fn new() -> Secret {
        Secret(random_bytes::<16>().iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Finds the secret in a `Cookie` header.
    pub(crate) fn in_cookies(header: &str) -> Option<Secret> {
        let cookies = header.split(';').filter_map(|cookie| cookie.trim().split_once('='));
        let valid = |value: &str| value.len() == 32 && value.bytes().all(|b| b.is_ascii_hexdigit());
        let mut ours = cookies.filter(|(name, value)| *name == COOKIE && valid(value));
        ours.next().map(|(_, value)| Secret(value.to_owned()))
    }

    /// Returns the `Set-Cookie` header that stores the secret in a browser for a year. If `secure`,
    /// the browser sends it over HTTPS only.
    pub(crate) fn cookie(&self, secure: bool) -> String {
        let secure = if secure { "; Secure" } else { "" };
        format!("{COOKIE}={}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax{secure}", self.0)
    }

    pub(crate) fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.0.as_bytes()).into()
    }
}

impl Guest {
    /// Returns a guest who is not in the database, derived from the hash of the secret, so that
    /// nothing needs to be stored for visitors who only watch.
    pub(crate) fn unknown(secret: [u8; 32]) -> Guest {
        let digest: [u8; 32] =
            Sha256::new().chain_update("guest").chain_update(secret).finalize().into();
        let number = digest[..8].iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
        // SQLite's integers are signed.
        let id = GuestId((number >> 1) as i64);
        Guest { id, name: format!("Guest {:04}", number % 10_000) }
    }
}

const LONGEST_NAME: usize = 24;

/// Normalizes the white space of a name and checks that it can be shown.
///
/// # Errors
/// Returns a message for the guest if the name is empty, too long, or has invisible characters.
pub(crate) fn checked_name(name: &str) -> Result<String, String> {
    checked_text("name", name, LONGEST_NAME)
}

/// Does the same with any short text; `what` says what it is, and `longest` how many characters it
/// may have.
///
/// # Errors
/// Returns a message for the guest if the text is empty, too long, or has invisible characters.
pub(crate) fn checked_text(what: &str, text: &str, longest: usize) -> Result<String, String> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let invisible = |letter: char| {
        letter.is_control()
            || matches!(letter, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{2800}' | '\u{3164}' | '\u{e0000}'..='\u{e007f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    match text.chars().count() {
        0 => Err(format!("a {what} needs at least one character")),
        count if count > longest => Err(format!("a {what} has at most {longest} characters")),
        _ if text.contains(invisible) => Err(format!("the {what} contains invisible characters")),
        _ => Ok(text),
    }
}

/// Generates the id of a new game: 60 random bits, without letters that are easily confused.
pub(crate) fn new_game_id() -> String {
    const LETTERS: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz023456789";
    let mut rest = u64::from_le_bytes(random_bytes());
    let mut id = String::new();
    for _ in 0..12 {
        id.push(char::from(LETTERS[(rest % 32) as usize]));
        rest /= 32;
    }
    id
}

/// Whether a text has the form of a game id.
pub(crate) fn is_game_id(text: &str) -> bool {
    text.len() == 12 && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

/// Returns a random index below `places`.
pub(crate) fn random_index(places: usize) -> usize {
    usize::from(u16::from_le_bytes(random_bytes())) % places.max(1)
}

/// # Panics
/// Panics if the system has no source of random numbers, since nothing here would be safe then.
fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system has a source of random numbers");
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_round_trip_through_cookies() {
        let secret = Secret::new();
        let cookie = secret.cookie(true);
        let pair = cookie.split(';').next().expect("a pair");
        assert!(Secret::in_cookies(&format!("a=b; {pair}; c=d")) == Some(secret.clone()));
        assert!(Secret::in_cookies(&pair[..pair.len() - 1]).is_none());
        assert!(Secret::in_cookies("fourfold=").is_none());
        assert!(Secret::in_cookies("").is_none());
        assert!(Secret::new() != secret);
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite"));
        assert!(cookie.ends_with("; Secure") && !secret.cookie(false).contains("Secure"));
    }

    #[test]
    fn unknown_guests_are_derived_from_their_secret() {
        let (one, other) = (Secret::new().hash(), Secret::new().hash());
        assert_eq!(Guest::unknown(one), Guest::unknown(one));
        assert_ne!(Guest::unknown(one).id, Guest::unknown(other).id);
        assert!(Guest::unknown(one).id.0 >= 0);
    }

    #[test]
    fn names_are_trimmed_and_checked() {
        assert_eq!(checked_name("  Ada \t Lovelace ").as_deref(), Ok("Ada Lovelace"));
        assert_eq!(checked_name("<b>&\"'").as_deref(), Ok("<b>&\"'"));
        assert!(checked_name(" ").is_err());
        assert!(checked_name("a\u{202e}b").is_err());
        assert!(checked_name("a\0b").is_err());
        assert!(checked_name(&"x".repeat(25)).is_err());
        assert!(checked_name(&"é".repeat(24)).is_ok());
    }

    #[test]
    fn game_ids_are_valid_and_unique() {
        let ids: std::collections::BTreeSet<String> = (0..1000).map(|_| new_game_id()).collect();
        assert_eq!(ids.len(), 1000);
        assert!(
            ids.iter().all(|id| id.len() == 12 && id.bytes().all(|b| b.is_ascii_alphanumeric()))
        );
    }
}
