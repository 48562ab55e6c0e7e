//! A server behind a reverse proxy: the headers of a trusted proxy count, and nobody else's.

use fourfold_arena::{Config, Limits, Server};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::client::{ADA, BOB, EVE, Page, fast_limits};

async fn behind(proxies: &str, limits: Limits) -> Server {
    let proxies = proxies.parse().expect("proxies");
    let config = Config { port: 0, proxies, limits, ..Config::default() };
    fourfold_arena::start(config).await.expect("a free port")
}

/// Requests the page with these headers. Returns the head of the answer.
async fn head(server: &Server, headers: &[(&str, &str)]) -> String {
    let mut stream = TcpStream::connect(server.address()).await.expect("it listens");
    let headers: String =
        headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let request = format!("GET / HTTP/1.1\r\nconnection: close\r\n{headers}\r\n");
    stream.write_all(request.as_bytes()).await.expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("it answers");
    answer.split("\r\n\r\n").next().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn cookies_are_secure_behind_https() {
    let proxied = |proto| {
        [
            ("host", "play.example.org"),
            ("x-forwarded-for", "203.0.113.7"),
            ("x-forwarded-proto", proto),
        ]
    };
    let server = behind("127.0.0.1", fast_limits()).await;
    let https = head(&server, &proxied("https")).await;
    assert!(https.starts_with("HTTP/1.1 200"), "{https}");
    assert!(https.contains("SameSite=Lax; Secure\r\n"), "{https}");
    let http = head(&server, &proxied("http")).await;
    assert!(http.contains("SameSite=Lax\r\n") && !http.contains("Secure"), "{http}");
    // The same proxy under its own name for the server.
    let inner = [
        ("host", "localhost"),
        ("x-forwarded-for", "203.0.113.7"),
        ("x-forwarded-proto", "https"),
        ("x-forwarded-host", "play.example.org"),
    ];
    assert!(head(&server, &inner).await.contains("; Secure"));
    // A request that did not come through the proxy.
    let direct = head(&server, &[("host", "localhost"), ("x-forwarded-proto", "https")]).await;
    assert!(direct.contains("set-cookie") && !direct.contains("Secure"), "{direct}");
    let foreign = head(&server, &[("host", "play.example.org")]).await;
    assert!(foreign.starts_with("HTTP/1.1 421"), "{foreign}");
    server.stop().await;

    // Another address is trusted.
    let server = behind("10.0.0.0/8", fast_limits()).await;
    let foreign = head(&server, &proxied("https")).await;
    assert!(foreign.starts_with("HTTP/1.1 421"), "{foreign}");
    let local =
        [("host", "localhost"), ("x-forwarded-for", "1.1.1.1"), ("x-forwarded-proto", "https")];
    assert!(!head(&server, &local).await.contains("Secure"));
    server.stop().await;
}

#[tokio::test]
async fn limits_apply_to_the_clients_of_a_proxy() {
    let limits = Limits { connections_per_address: 1, ..fast_limits() };
    let server = behind("127.0.0.1", limits).await;
    let open = async |secret, client| {
        let headers = [
            ("host", "play.example.org"),
            ("origin", "https://play.example.org"),
            ("x-forwarded-for", client),
            ("x-forwarded-proto", "https"),
        ];
        Page::try_open(&server, secret, &headers).await
    };
    let ada = open(ADA, "203.0.113.7").await.expect("the first of this address");
    let _bob = open(BOB, "203.0.113.8").await.expect("the first of another one");
    assert!(open(EVE, "203.0.113.7").await.is_err(), "the second of an address");
    assert_eq!(ada.network["scope"], "network", "others can open the link");
    assert_eq!(ada.network["can_change"], false);
    // More connections than one address may have reach the page through the proxy.
    let mut held = Vec::new();
    for _ in 0..80 {
        held.push(TcpStream::connect(server.address()).await.expect("it listens"));
    }
    let page = head(&server, &[("host", "a.org"), ("x-forwarded-for", "203.0.113.9")]).await;
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    server.stop().await;
}
