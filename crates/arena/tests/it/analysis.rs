//! Engine analysis of study positions: results, limits, and cancellation.

use std::time::Duration;

use fourfold_arena::{Limits, Server};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::client::{fast_limits, number, server};
use crate::study::{START, ask, post};

/// White mates in two: 1. Rd8+ Rxd8 2. Rxd8#.
const MATE_IN_TWO: &str = "2r3k1/5ppp/8/8/8/8/3R4/K2R4 w - - 0 1";
/// The same with colors reversed.
const MATED_IN_TWO: &str = "k2r4/3r4/8/8/8/8/5PPP/2R3K1 b - - 0 1";

fn question(start: &str, nodes: u64, lines: usize) -> Value {
    json!({"t": "analyze", "start": start, "moves": [], "nodes": nodes, "lines": lines})
}

fn texts(line: &Value) -> Vec<&str> {
    let moves = line["moves"].as_array().expect("moves").iter();
    moves.map(|played| played["text"].as_str().expect("a text")).collect()
}

#[tokio::test]
async fn scores_are_from_whites_point_of_view() {
    let server = server(None, fast_limits()).await;
    let white = ask(&server, &question(MATE_IN_TWO, 30_000, 3)).await.expect("a position");
    assert_eq!((&white["score"], &white["winning_chances"]), (&json!({"mate": 2}), &json!(1000)));
    assert_eq!(texts(&white["lines"][0]), ["Rd8+", "Rxd8", "Rxd8#"]);
    assert_eq!(white["lines"].as_array().map(Vec::len), Some(3));
    assert!(white["lines"][1]["winning_chances"].as_u64() < Some(1000), "{white}");
    let black = ask(&server, &question(MATED_IN_TWO, 30_000, 1)).await.expect("a position");
    assert_eq!((&black["score"], &black["winning_chances"]), (&json!({"mate": -2}), &json!(0)));
    assert_eq!(black["lines"][0]["moves"][0]["seat"], 1);
    server.stop().await;
}

#[tokio::test]
async fn evaluations_are_reproducible() {
    let server = server(None, fast_limits()).await;
    let moves = ["e4", "c5", "Nf3", "d6", "d4", "cxd4", "Nxd4", "Nf6"];
    let question =
        json!({"t": "analyze", "start": START, "moves": moves, "nodes": 20_000, "lines": 3});
    let body = question.to_string();
    let first = post(&server, "/study?v=3", "", body.as_bytes()).await;
    assert!(first.1.contains("\"centipawns\""), "{}", first.1);
    assert_eq!(post(&server, "/study?v=3", "", body.as_bytes()).await, first);
    server.stop().await;
}

#[tokio::test]
async fn finished_games_have_a_score_and_no_lines() {
    let server = server(None, fast_limits()).await;
    for (start, moves, score, share) in [
        (START, vec!["f3", "e5", "g4", "Qh4"], json!({"mate": 0}), 0),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", vec![], json!({"centipawns": 0}), 500),
        ("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", vec!["Rd8"], json!({"mate": 0}), 1000),
    ] {
        let question = json!({"t": "analyze", "start": start, "moves": moves});
        let answer = ask(&server, &question).await.expect("a position");
        assert_eq!(
            (&answer["score"], &answer["winning_chances"]),
            (&score, &json!(share)),
            "{start}"
        );
        assert_eq!(answer["lines"], json!([]));
    }
    server.stop().await;
}

#[tokio::test]
async fn castling_notation_depends_on_the_variant() {
    let server = server(None, fast_limits()).await;
    let start = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1";
    let answer = ask(&server, &question(start, 2_000, 5)).await.expect("a position of Chess960");
    assert_eq!(answer["lines"].as_array().map(Vec::len), Some(5));
    // Castling mates at once. In Chess960, it is written as the king's capture of the rook.
    for (start, code) in [
        ("2rkr3/2p1p3/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1"),
        ("2rkr3/2p1p3/8/8/8/8/8/1R2K3 w B - 0 1", "e1b1"),
    ] {
        let answer = ask(&server, &question(start, 5_000, 3)).await.expect("a position");
        let lines = answer["lines"].as_array().expect("lines").iter();
        let castling = lines.clone().find(|line| line["moves"][0]["code"] == code);
        let castling = castling.unwrap_or_else(|| panic!("no {code}: {answer}"));
        assert_eq!(castling["score"], json!({"mate": 1}), "{start}");
    }
    server.stop().await;
}

#[tokio::test]
async fn invalid_requests_are_refused_and_large_ones_capped() {
    let server =
        server(None, Limits { analysis_nodes: 250, deep_analysis_nodes: 500, ..fast_limits() })
            .await;
    let refusal = async |question: Value| ask(&server, &question).await.expect_err("it is wrong");
    assert_eq!(refusal(question(START, 1, 0)).await, "expected 1 to 5 lines, got 0");
    assert_eq!(refusal(question(START, 1, 6)).await, "expected 1 to 5 lines, got 6");
    assert!(refusal(question("x", 1, 1)).await.starts_with("invalid FEN"));
    let illegal = json!({"t": "analyze", "start": START, "moves": ["f1f3"]});
    assert_eq!(refusal(illegal).await, "a bishop does not move from f1 to f3");
    let nodes = json!({"t": "analyze", "start": START, "nodes": -1});
    assert!(refusal(nodes).await.starts_with("invalid request: "));
    let long = json!({"t": "analyze", "start": START, "moves": vec!["g1f3"; 2_001]});
    assert_eq!(refusal(long).await, "there are more than 2000 moves");
    for question in [question(START, u64::MAX, 1), json!({"t": "analyze", "start": START})] {
        let answer = ask(&server, &question).await.expect("a position");
        assert!(answer["nodes"].as_u64() <= Some(501), "{answer}");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_deep_analysis_goes_on_when_it_is_asked_for_again() {
    let limits = Limits { analysis_nodes: 1000, deep_analysis_nodes: 20_000, ..fast_limits() };
    let server = server(None, limits).await;
    let depth = async |nodes: u64| {
        let answer = ask(&server, &question(START, nodes, 2)).await.expect("a position");
        answer["depth"].as_u64().expect("a number")
    };
    let (first, quick) = (depth(u64::MAX).await, depth(1000).await);
    // Another position in between changes nothing.
    ask(&server, &question(MATE_IN_TWO, u64::MAX, 1)).await.expect("a position");
    let mut last = first;
    for _ in 0..10 {
        last = depth(u64::MAX).await.max(last);
    }
    assert!(last > first, "depth {first}, then {last}");
    assert_eq!(depth(1000).await, quick, "other requests get the same answer as before");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deep_analyses_take_turns() {
    let limits = Limits { analysis_nodes: 100, deep_analysis_nodes: u64::MAX, ..fast_limits() };
    let server = server(None, limits).await;
    let endless = start_endless_analysis(&server).await;
    wait_for_thoughts(&server, 1.0).await;
    let other = question(MATE_IN_TWO, 5000, 1);
    let again = question(START, 5000, 1);
    // The first page's job is still running; those of the others wait, in the order they came.
    let order = std::sync::Mutex::new(Vec::new());
    let wait = async |name, question: &Value, before: f64| {
        while number(&server, "fourfold_analysis_jobs").await != Some(before) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        ask(&server, question).await.expect("a position");
        order.lock().expect("no panic").push(name);
    };
    tokio::join!(wait("other", &other, 1.0), wait("again", &again, 2.0), async {
        wait_for_thoughts(&server, 3.0).await;
        drop(endless);
    });
    assert_eq!(*order.lock().expect("no panic"), ["other", "again"]);
    server.stop().await;
}

async fn wait_for_thoughts(server: &Server, count: f64) {
    let counted = async {
        while number(server, "fourfold_analysis_jobs").await != Some(count) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let counted = tokio::time::timeout(Duration::from_secs(60), counted).await;
    counted.unwrap_or_else(|_| panic!("there are never {count} analysis jobs"));
}

/// Starts an analysis that only ends when the connection is dropped.
async fn start_endless_analysis(server: &Server) -> TcpStream {
    let body = question(START, u64::MAX, 1).to_string();
    let mut stream = TcpStream::connect(server.address()).await.expect("a connection");
    let head = format!(
        "POST /study?v=3 HTTP/1.1\r\nhost: {}\r\ncontent-length: {}\r\n\r\n{body}",
        server.address(),
        body.len()
    );
    stream.write_all(head.as_bytes()).await.expect("it listens");
    stream
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn leaving_stops_the_analysis_and_frees_its_slot() {
    let limits = Limits { analysis_nodes: u64::MAX, analysis_jobs_per_address: 2, ..fast_limits() };
    let server = server(None, limits).await;
    let endless = [start_endless_analysis(&server).await, start_endless_analysis(&server).await];
    wait_for_thoughts(&server, 2.0).await;
    let body = question(START, 10, 1).to_string();
    let (_, refused) = post(&server, "/study?v=3", "", body.as_bytes()).await;
    let refused: Value = serde_json::from_str(&refused).expect("JSON");
    assert_eq!(refused["why"], "too many analysis jobs from your address: try again");
    assert_eq!(refused["retry"], true);
    let position = json!({"t": "position", "start": START, "moves": ["e4"]});
    ask(&server, &position).await.expect("what needs no thought does not wait for it");
    let [first, second] = endless;
    // First cancel the job that is waiting, then the one that is running.
    drop(second);
    wait_for_thoughts(&server, 1.0).await;
    drop(first);
    wait_for_thoughts(&server, 0.0).await;
    ask(&server, &question(START, 10, 1)).await.expect("there is room again");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn analysis_queue_is_limited() {
    let limits = Limits { analysis_nodes: u64::MAX, analysis_jobs: 1, ..fast_limits() };
    let server = server(None, limits).await;
    let endless = start_endless_analysis(&server).await;
    wait_for_thoughts(&server, 1.0).await;
    let why = ask(&server, &question(START, 10, 1)).await.expect_err("there is no room");
    assert_eq!(why, "the analysis queue is full: try again");
    drop(endless);
    wait_for_thoughts(&server, 0.0).await;
    server.stop().await;
}

#[tokio::test]
async fn too_many_requests_are_refused() {
    let server = server(None, Limits { requests_per_second: 1, ..fast_limits() }).await;
    let mut refused = Vec::new();
    for _ in 0..200 {
        let (status, body) = post(&server, "/study?v=3", "", br#"{"t":"facts"}"#).await;
        assert_eq!(status, 200);
        let answer: Value = serde_json::from_str(&body).expect("JSON");
        if answer["t"] == "no" {
            refused.push(answer);
        }
    }
    let expected = json!({"t": "no", "why": "too many requests: wait a moment", "retry": true});
    assert!(!refused.is_empty() && refused.iter().all(|answer| *answer == expected));
    let (_, body) = post(&server, "/study?v=3", "", b"{").await;
    assert!(body.contains("\"no\""), "invalid requests count as well, or are refused as invalid");
    server.stop().await;
}
