//! Runs every example of `docs/rules/kung-fu.md`, which documents the keys.

use std::marker::PhantomData;

use fourfold_oracle::harness::{self, expect, expect_each, expect_set, field, or_none};

use super::implementations::{Engine, Implementation, Oracle, split_order};

#[test]
fn oracle_follows_the_page() {
    run_page::<Oracle>();
}

#[test]
fn engine_follows_the_page() {
    run_page::<Engine>();
}

fn run_page<T: Implementation>() {
    let page = harness::read_file("docs/rules/kung-fu.md");
    harness::check_page("kung-fu", &page, Example::<T>::new);
}

/// The state of a running block.
struct Example<'a, T> {
    words: &'a str,
    pieces: Option<&'a str>,
    /// The game, created by the first line that needs it.
    game: Option<T>,
    /// The events since the last `events` line.
    unread: Vec<String>,
    checks: usize,
    implementation: PhantomData<T>,
}

impl<'a, T: Implementation> harness::Example<'a> for Example<'a, T> {
    fn run_line(&mut self, key: &str, value: &'a str) -> Result<(), String> {
        match key {
            "rules" | "pieces" if self.game.is_some() || self.checks > 0 => {
                Err("must come before the checks".to_string())
            }
            "rules" => {
                self.words = value;
                Ok(())
            }
            "pieces" => {
                self.pieces = Some(value);
                Ok(())
            }
            "order" => self.give_orders(value),
            "until" => self.run_until(value),
            "resign" => {
                let events = self.game()?.resign(number(value)?)?;
                self.unread.extend(events);
                Ok(())
            }
            "draw" => {
                let events = self.game()?.agree_on_draw(&numbers(value)?)?;
                self.unread.extend(events);
                Ok(())
            }
            _ => {
                self.checks += 1;
                self.check(key, value)
            }
        }
    }

    fn checks(&self) -> usize {
        self.checks
    }
}

impl<T: Implementation> Example<'_, T> {
    fn new() -> Self {
        Example {
            words: "",
            pieces: None,
            game: None,
            unread: Vec::new(),
            checks: 0,
            implementation: PhantomData,
        }
    }

    fn game(&mut self) -> Result<&mut T, String> {
        if self.game.is_none() {
            self.game = Some(T::create(self.words, self.pieces)?);
        }
        self.game.as_mut().ok_or("no game".to_string())
    }

    /// Gives orders, each on behalf of the piece's owner.
    fn give_orders(&mut self, orders: &str) -> Result<(), String> {
        for order in orders.split_whitespace() {
            let (piece, row, col) = read_order(order)?;
            let answer = self.game()?.order(owner(piece)?, piece, row, col);
            answer.map_err(|reason| format!("{order} is refused: {reason}"))?;
        }
        Ok(())
    }

    /// Runs until that many ticks have run, or the game is over.
    fn run_until(&mut self, tick: &str) -> Result<(), String> {
        let tick = number(tick)?;
        loop {
            let game = self.game()?;
            let now = game.now();
            if now > tick {
                return Err(format!("is past, at tick {now}"));
            }
            if now == tick {
                return Ok(());
            }
            let events = game.tick();
            if game.now() == now {
                return Ok(());
            }
            self.unread.extend(events);
        }
    }

    fn check(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key.split(' ').collect::<Vec<_>>()[..] {
            ["invalid"] => self.check_invalid(value),
            ["events"] => {
                self.game()?;
                let events = std::mem::take(&mut self.unread);
                expect(value, if events.is_empty() { "none".into() } else { events.join("; ") })
            }
            ["refused", player, "resign"] => {
                let answer = self.game()?.resign(number(player)?);
                expect_refusal(value, answer)
            }
            ["refused", players, "draw"] => {
                let answer = self.game()?.agree_on_draw(&numbers(players)?);
                expect_refusal(value, answer)
            }
            ["refused", player, order] => {
                let (piece, row, col) = read_order(order)?;
                let answer = self.game()?.order(number(player)?, piece, row, col);
                expect_refusal(value, answer)
            }
            ["legal"] => self.check_each(value, true),
            ["illegal"] => self.check_each(value, false),
            ["targets", piece] => {
                let orders = self.game()?.legal_orders(owner(piece)?);
                let targets = orders.iter().filter_map(|order| {
                    order.strip_prefix(piece)?.strip_prefix("->").map(str::to_string)
                });
                expect_set(value, targets.collect())
            }
            ["orders", player] => {
                expect(value, or_none(&self.game()?.legal_orders(number(player)?)))
            }
            ["count", player] => expect(value, self.game()?.legal_orders(number(player)?).len()),
            ["state"] => expect(value, self.game()?.state()),
            ["tick"] => expect(value, self.game()?.now()),
            ["eliminated"] | ["result"] => {
                let state = self.game()?.state();
                let head = state.split("; ").next().unwrap_or_default();
                expect(value, field(head, key).ok_or("no such field")?)
            }
            ["piece", id] => {
                let state = self.game()?.state();
                let mut pieces = state.split("; ").skip(1);
                let piece = pieces.find_map(|piece| piece.strip_prefix(id)?.strip_prefix(' '));
                expect(value, piece.ok_or("no such piece")?)
            }
            _ => Err("unknown key".to_string()),
        }
    }

    /// Checks each order separately, without giving it.
    fn check_each(&mut self, orders: &str, legal: bool) -> Result<(), String> {
        let game = self.game()?;
        for order in orders.split_whitespace() {
            let (piece, row, col) = read_order(order)?;
            let owner = owner(piece)?;
            expect_each(order, legal, &game.legal_orders(owner), |_| {
                game.clone().order(owner, piece, row, col).is_ok()
            })?;
        }
        Ok(())
    }

    /// Checks that the words are rejected, together with the pieces after ` with ` if there are
    /// any.
    fn check_invalid(&self, value: &str) -> Result<(), String> {
        if self.game.is_some() || self.pieces.is_some() || !self.words.is_empty() {
            return Err("takes no rules or pieces".to_string());
        }
        let (words, pieces) = match value.split_once(" with ") {
            Some((words, pieces)) => (words, Some(pieces)),
            None => (value, None),
        };
        match T::create(words, pieces) {
            Ok(game) => Err(format!("expected an error, got {}", game.state())),
            Err(_) => Ok(()),
        }
    }
}

fn expect_refusal<A>(reason: &str, answer: Result<A, String>) -> Result<(), String> {
    match answer {
        Ok(_) => Err(format!("expected {reason}, got accepted")),
        Err(refusal) => expect(reason, refusal),
    }
}

fn read_order(order: &str) -> Result<(&str, i64, i64), String> {
    split_order(order).ok_or_else(|| format!("'{order}' is not an order"))
}

/// Returns the player in a piece's id.
fn owner(piece: &str) -> Result<i64, String> {
    number(piece.split(':').nth(1).unwrap_or_default())
}

fn number(text: &str) -> Result<i64, String> {
    text.parse().map_err(|_| format!("'{text}' is not a number"))
}

/// Parses players like `1,3`, or `nobody`.
fn numbers(text: &str) -> Result<Vec<i64>, String> {
    if text == "nobody" { Ok(Vec::new()) } else { text.split(',').map(number).collect() }
}

/// Returns the failures of a page that consists of one block with these lines.
fn failures_of(lines: &[&str]) -> Vec<String> {
    let page = format!("```kung-fu\n{}\n```\n", lines.join("\n"));
    harness::failures("kung-fu", &page, Example::<Oracle>::new)
}

const PIECES: &str = "pieces: K:1:7:0 K:2:0:0 P:1:1:4";

#[test]
fn a_wrong_value_fails_with_its_line() {
    let fails = |line: &str, failure: &str| {
        let failure = format!("kung-fu.md:6: {failure}");
        let lines = [PIECES, "# comment", "order: P:1:1:4->0,4", "until: 31", line];
        assert_eq!(failures_of(&lines), [failure]);
    };
    fails("pieces: K:1:7:0", "pieces: must come before the checks");
    fails("until: 30", "until: is past, at tick 31");
    fails("order: K:1:7:0->5,0", "order: K:1:7:0->5,0 is refused: geometry");
    fails("resign: 3", "resign: not-playing");
    fails("draw: 1", "draw: not-all-agree");
    let events = "t31 P:1:1:4 arrives 0,4; t31 P:1:1:4 becomes Q";
    fails("events: none", &format!("events: expected none, got {events}"));
    let key = "refused 1 K:1:7:0->7,1";
    fails(&format!("{key}: moving"), &format!("{key}: expected moving, got accepted"));
    let key = "refused 1 P:1:1:4->0,5";
    fails(&format!("{key}: moving"), &format!("{key}: expected moving, got resting"));
    fails("refused 1 resign: moving", "refused 1 resign: expected moving, got accepted");
    fails("refused 1,2 draw: eliminated", "refused 1,2 draw: expected eliminated, got accepted");
    fails("targets K:2:0:0: 0,1", "targets K:2:0:0: expected 0,1, got 0,1 1,0 1,1");
    let orders = "K:1:7:0->6,0 K:1:7:0->6,1 K:1:7:0->7,1";
    fails("orders 1: none", &format!("orders 1: expected none, got {orders}"));
    let seen = "but it is not listed and not playable";
    let key = "legal: K:1:7:0->7,1 K:1:7:0->5,0";
    fails(key, &format!("legal: expected K:1:7:0->5,0 to be legal, {seen}"));
    let seen = "but it is listed and playable";
    let key = "illegal: K:1:7:0->5,0 K:1:7:0->7,1";
    fails(key, &format!("illegal: expected K:1:7:0->7,1 to be illegal, {seen}"));
    fails("count 1: 4", "count 1: expected 4, got 3");
    fails("tick: 30", "tick: expected 30, got 31");
    fails("eliminated: 1", "eliminated: expected 1, got none");
    fails("result: draw", "result: expected draw, got none");
    fails("piece P:1:1:4: P 0,4", "piece P:1:1:4: expected P 0,4, got Q 0,4 until=331 moved");
    fails("piece Q:1:1:4: Q 0,4", "piece Q:1:1:4: no such piece");
    fails("facts: none", "facts: unknown key");
}

#[test]
fn a_block_without_checks_fails() {
    assert_eq!(failures_of(&[PIECES]), ["kung-fu.md:1: the block has no checks"]);
    assert!(failures_of(&["invalid: 8x8"])[0].starts_with("kung-fu.md:2: invalid: expected"));
    assert!(failures_of(&["state: t0"])[0].starts_with("kung-fu.md:2: state: expected t0, got"));
}
