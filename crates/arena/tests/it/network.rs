//! A server on loopback that is opened to the local network and closed again.

use std::net::SocketAddr;

use fourfold_arena::{Config, Server};
use serde_json::{Value, json};
use tokio::net::TcpStream;

use crate::client::{ADA, BOB, EVE, Page, fast_limits, get, get_at, server};

fn open(open: bool) -> Value {
    json!({"t": "network", "open": open})
}

/// Returns the first address in the latest network message of a page.
fn address(page: &Page) -> Option<SocketAddr> {
    let origin = page.network["addresses"][0]["origin"].as_str()?;
    Some(origin.strip_prefix("http://")?.parse().expect("an address"))
}

/// Opens the server to the network. Returns `None`, and prints the reason, if this computer has no
/// network.
async fn opened(page: &mut Page) -> Option<SocketAddr> {
    page.wait_for_scope("loopback").await;
    if address(page).is_none() {
        let refusal = page.ask(open(true)).await.unwrap_err();
        assert_eq!(refusal, "this computer is not on a network");
        eprintln!("skipped: {refusal}");
        return None;
    }
    page.ask(open(true)).await.expect("somebody here may");
    page.wait_for_scope("network").await;
    address(page)
}

#[tokio::test]
async fn network_guests_can_play_and_games_survive_closing() {
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open_here(&server, ADA).await;
    let game = ada.create(json!("friend"), 0).await;
    ada.watch(&game).await;
    let Some(network) = opened(&mut ada).await else { return server.stop().await };
    assert_eq!(network.port(), server.address().port());
    assert!(ada.network["can_change"] == true && !network.ip().is_loopback());
    ada.ask(open(true)).await.expect("it is open already");

    let origin = format!("http://{network}");
    let own = [("origin", origin.as_str())];
    let mut bob = Page::try_open_at(network, BOB, &own).await.expect("the network is let in");
    bob.wait_for_scope("network").await;
    let expected =
        json!({"t": "network", "scope": "network", "can_change": false, "addresses": []});
    assert_eq!(bob.network, expected);
    bob.watch(&game).await;
    bob.ask(json!({"t": "sit", "seat": 1})).await.expect("the seat is free");
    ada.wait_for_turn().await;
    ada.play("e2e4").await.expect("legal");
    bob.wait_for_turn().await;
    bob.play("e7e5").await.expect("legal");

    for wanted in [true, false] {
        let refusal = bob.ask(open(wanted)).await.unwrap_err();
        assert_eq!(refusal, "only a browser on the server's own computer can do that");
    }
    // Foreign pages and host names are refused, and a page that lies about its location cannot
    // close the network.
    for headers in [[("origin", "http://example.org")], [("host", "example.org")]] {
        assert!(Page::try_open_at(network, EVE, &headers).await.is_err());
    }
    let near = server.address().to_string();
    let (near, origin) = ([("host", near.as_str())], format!("http://{near}"));
    let lies = [near[0], ("origin", origin.as_str())];
    let mut eve = Page::try_open_at(network, EVE, &lies).await.expect("a name of the server");
    eve.ask(open(false)).await.expect_err("its address says where it is");

    ada.ask(open(false)).await.expect("somebody here may");
    ada.wait_for_scope("loopback").await;
    let mut last = Value::Null;
    while let Some(message) = bob.receive().await {
        last = message;
    }
    let bye =
        json!({"t": "bye", "why": "the server is no longer open to the network", "retry": true});
    assert_eq!(last, bye);
    assert!(TcpStream::connect(network).await.is_err(), "nobody listens any more");
    ada.wait_for_turn().await;
    ada.play("g1f3").await.expect("the game goes on");

    let network = opened(&mut ada).await.expect("it opens again");
    let mut bob = Page::try_open_at(network, BOB, &[]).await.expect("the network is let in");
    bob.watch(&game).await;
    assert_eq!(bob.moves(), ["e2e4", "e7e5", "g1f3"]);
    bob.play("b8c6").await.expect("the seat is still Bob's");
    server.stop().await;
    while bob.receive().await.is_some() {}
    assert!(TcpStream::connect(network).await.is_err(), "all of it has ended");
}

#[tokio::test]
async fn only_local_browsers_can_open_the_network() {
    let server = server(None, fast_limits()).await;
    let own = format!("http://{}", server.address());
    let own = ("origin", own.as_str());
    // A program without an `Origin` header, and pages behind a proxy.
    let mut pages = vec![Page::open(&server, EVE).await];
    for mark in ["forwarded", "x-forwarded-for", "x-real-ip", "via"] {
        let headers = [own, (mark, "for=192.0.2.43")];
        pages.push(Page::try_open(&server, EVE, &headers).await.expect("it may play"));
    }
    for mut page in pages {
        page.wait_for_scope("loopback").await;
        assert_eq!(page.network["can_change"], json!(false));
        let refusal = page.ask(open(true)).await.unwrap_err();
        assert_eq!(refusal, "only a browser on the server's own computer can do that");
    }
    let mut ada = Page::open_here(&server, ADA).await;
    ada.wait_for_scope("loopback").await;
    assert_eq!(ada.network["can_change"], json!(true));
    server.stop().await;
}

#[tokio::test]
async fn server_started_on_a_network_address_cannot_be_closed() {
    let config =
        Config { bind: [0, 0, 0, 0].into(), port: 0, limits: fast_limits(), ..Config::default() };
    let server = fourfold_arena::start(config).await.expect("a free port");
    let near = SocketAddr::new([127, 0, 0, 1].into(), server.address().port());
    let origin = format!("http://{near}");
    let mut ada = Page::try_open_at(near, ADA, &[("origin", &origin)]).await.expect("it listens");
    ada.wait_for_scope("network").await;
    assert_eq!(ada.network["can_change"], json!(false));
    assert!(ada.ask(open(false)).await.unwrap_err().contains("--bind"));
    server.stop().await;
}

/// Decodes the QR code in an SVG drawn by the server, whose path consists of rows of dark modules
/// such as `M4 4h7v1h-7z`.
fn read_code(svg: &str) -> String {
    /// Pixels per module.
    const SCALE: usize = 4;
    let between = |text: &str, before: &str, behind: &str| -> String {
        let rest = text.split_once(before).unwrap_or_else(|| panic!("{before} in {text}")).1;
        rest.split_once(behind).expect("an end").0.to_owned()
    };
    let number = |text: &str| -> usize { text.parse().unwrap_or_else(|_| panic!("'{text}'")) };
    let size = number(&between(svg, "viewBox=\"0 0 ", " "));
    let mut dark = vec![false; size * size];
    let path = between(svg, "fill=\"#000\" d=\"", "\"");
    for line in path.split_terminator('z') {
        let (x, rest) = line.strip_prefix('M').and_then(|line| line.split_once(' ')).expect("M");
        let (y, rest) = rest.split_once('h').expect("a length");
        let length = number(rest.split_once("v1h-").expect("a height").0);
        let start = number(y) * size + number(x);
        dark[start..start + length].fill(true);
    }
    let pixel = |x: usize, y: usize| if dark[y / SCALE * size + x / SCALE] { 0 } else { 255 };
    let mut image = rqrr::PreparedImage::prepare_from_greyscale(size * SCALE, size * SCALE, pixel);
    let codes = image.detect_grids();
    assert_eq!(codes.len(), 1, "{svg}");
    codes[0].decode().expect("it can be read").1
}

#[tokio::test]
async fn qr_codes_contain_only_addresses_of_this_server() {
    let server = server(None, fast_limits()).await;
    let mut ada = Page::open_here(&server, ADA).await;
    let game = ada.create(json!("friend"), 0).await;
    let picture = |origin: &str| format!("/g/{game}/qr?at={origin}");
    let own = format!("http://{}", server.address());
    let (head, svg) = get(&server, &picture(&own)).await;
    assert!(head.contains("content-type: image/svg+xml") && head.contains("200 OK"), "{head}");
    assert_eq!(read_code(&svg), format!("{own}/g/{game}"));
    for path in [
        picture("http://example.org"),
        picture("javascript:0"),
        picture(""),
        picture(&format!("{own}/")),
        picture("http://192.168.255.254:1"),
        format!("/g/not-a-game/qr?at={own}"),
    ] {
        assert!(get(&server, &path).await.0.contains("404 Not Found"), "{path}");
    }

    ada.wait_for_scope("loopback").await;
    if let Some(network) = address(&ada) {
        let origin = format!("http://{network}");
        let (head, _) = get(&server, &picture(&origin)).await;
        assert!(head.contains("404"), "nobody is there yet: {head}");
    }
    let Some(network) = opened(&mut ada).await else { return server.stop().await };
    let origin = format!("http://{network}");
    let from_here = get(&server, &picture(&origin)).await.1;
    assert_eq!(read_code(&from_here), format!("{origin}/g/{game}"));
    let there = get_at(network, &network.to_string(), &picture(&origin)).await.1;
    assert_eq!(there, from_here);
    let (head, _) = get_at(network, "example.org", &picture(&origin)).await;
    assert!(head.contains("421 Misdirected Request"), "{head}");
    server.stop().await;
}

#[tokio::test]
async fn connection_limits_apply_across_listeners() {
    let limits = fourfold_arena::Limits { connections: 2, ..fast_limits() };
    let server: Server = server(None, limits).await;
    let mut ada = Page::open_here(&server, ADA).await;
    let Some(network) = opened(&mut ada).await else { return server.stop().await };
    let _bob = Page::try_open_at(network, BOB, &[]).await.expect("there is room for two");
    assert!(Page::try_open_at(network, EVE, &[]).await.is_err());
    assert!(Page::try_open(&server, EVE, &[]).await.is_err());
    server.stop().await;
}
