//! Runs `data/kung-fu/cases.txt`: short games that each exercise one rule. The file documents its
//! keys.

use fourfold_oracle::harness::{read_file, values};

use super::implementations::{Engine, Implementation, Oracle, split_order};

#[test]
fn oracle_plays_the_cases() {
    let failures = failures::<Oracle>(&read());
    assert!(failures.is_empty(), "\n{}\n", failures.join("\n"));
}

#[test]
fn engine_plays_the_cases() {
    let failures = failures::<Engine>(&read());
    assert!(failures.is_empty(), "\n{}\n", failures.join("\n"));
}

#[test]
fn a_case_with_a_wrong_line_fails() {
    let broken = |from: &str, to: &str| {
        let text = read();
        assert!(text.contains(from), "{from}");
        failures::<Oracle>(&text.replacen(from, to, 1)).len()
    };
    assert_eq!(broken("t80 P:2:4:3 captured by R:1:4:0", "t81 P:2:4:3 captured by R:1:4:0"), 1);
    assert_eq!(broken("t0 R:1:4:0->4,7 refused", "t0 R:1:4:0->4,7 accepted"), 1);
    assert_eq!(broken("expect: t31 P:1:1:4 becomes Q\n", ""), 1);
    assert_eq!(broken("order: t8000 1", "order: t7999 1"), 1);
}

fn read() -> String {
    read_file("data/kung-fu/cases.txt")
}

/// Runs the cases and returns the failures.
fn failures<T: Implementation>(text: &str) -> Vec<String> {
    let cases: Vec<&str> = text.split("\n\n").skip(1).collect();
    assert_eq!(cases.len(), 35, "cases.txt");
    cases.into_iter().filter_map(|case| run::<T>(case).err()).collect()
}

fn run<T: Implementation>(case: &str) -> Result<(), String> {
    let values = |key: &str| -> Vec<&str> { values(case, key).collect() };
    let value = |key: &str| match values(key)[..] {
        [value] => value,
        _ => panic!("cases.txt: not one {key} in\n{case}"),
    };
    let name = value("case");
    let until: i64 = value("until").parse().expect(name);
    let mut game = T::create(value("rules"), Some(value("pieces")))?;
    let mut orders = values("order").into_iter().peekable();
    let mut happened = Vec::new();
    loop {
        let now = game.now();
        while let Some(line) = orders.next_if(|line| line.starts_with(&format!("t{now} "))) {
            happened.push(answer(&mut game, line));
        }
        let events = if now < until { game.tick() } else { Vec::new() };
        happened.extend(events.into_iter().filter(|event| !is_left_out(event)));
        if game.now() == now {
            break;
        }
    }
    if let Some(line) = orders.next() {
        return Err(format!("{name}: order {line} is never reached"));
    }
    let mut expected = values("expect");
    happened.sort();
    expected.sort();
    if happened == expected {
        return Ok(());
    }
    Err(format!("{name}: expected\n{}\ngot\n{}", expected.join("\n"), happened.join("\n")))
}

/// The cases list neither the ends of rests nor the rooks that return after a failed castling.
fn is_left_out(event: &str) -> bool {
    event.ends_with(" rested") || event.contains(" returns ")
}

/// Gives the order of a line like `t0 1 P:1:6:4->5,4` and returns the line with the answer.
fn answer(game: &mut impl Implementation, line: &str) -> String {
    let fields: Vec<&str> = line.split(' ').collect();
    let [tick, player, order] = fields[..] else { panic!("cases.txt: order {line}") };
    let player = player.parse().unwrap_or_else(|_| panic!("cases.txt: order {line}"));
    let (piece, row, col) = split_order(order).unwrap_or_else(|| panic!("cases.txt: order {line}"));
    let answer = match game.order(player, piece, row, col) {
        Ok(()) => "accepted",
        Err(_) => "refused",
    };
    format!("{tick} {order} {answer}")
}
