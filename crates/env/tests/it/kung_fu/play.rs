//! Conformance, options, starts, notation of orders, and rejected input.

use fourfold_env::kung_fu::{Eight, Rules, Twelve};
use fourfold_env::{
    Action, AnyBatch, Batch, Describe, DescribedBatch, Game, Illegal, Options, Outputs, Stage,
    conformance, make,
};

use super::reference::Reference;
use super::{EIGHT, TWELVE, batch, eight, twelve};
use crate::step_outputs::StepOutputs;

#[test]
fn kung_fu_passes_conformance() {
    for (seed, given) in EIGHT.into_iter().enumerate() {
        conformance::<Eight>(&eight(given), seed as u64);
    }
    for (seed, given) in TWELVE.into_iter().enumerate() {
        let given = [given, &[("max_ticks", "900")]].concat();
        conformance::<Twelve>(&twelve(&given), seed as u64);
    }
}

#[test]
fn all_players_start_with_the_same_legal_ids() {
    let (own, other) = (batch(eight(&[]), 1), batch(twelve(&[]), 1));
    let listed = |legal: fourfold_env::Legal<'_>| {
        let mut ids: Vec<usize> = legal.iter().collect();
        ids.sort();
        ids
    };
    assert_eq!(own.legal(0, 0).count(), 21);
    assert_eq!(listed(own.legal(0, 0)), listed(own.legal(0, 1)));
    for seat in 0..4 {
        assert_eq!(other.legal(0, seat).count(), 23);
        assert_eq!(listed(other.legal(0, 0)), listed(other.legal(0, seat)));
    }
    let turned = batch(twelve(&[("view", "absolute")]), 1);
    assert_ne!(listed(turned.legal(0, 0)), listed(turned.legal(0, 1)));
}

#[test]
fn ids_convert_between_views_and_to_orders() {
    let own = batch(twelve(&[]), 2);
    let absolute = batch(twelve(&[("view", "absolute")]), 2);
    let reference = Reference::new(12, &[], None);
    for nth in 0..22 {
        let ids: Vec<i32> = (0..8).map(|row| own.legal(row / 4, row % 4).nth(nth) as i32).collect();
        let mut turned = ids.clone();
        own.absolute(&mut turned);
        let orders = own.write_actions(&ids).unwrap();
        assert_eq!(absolute.write_actions(&turned).unwrap(), orders);
        let texts: Vec<&str> = orders.iter().map(String::as_str).collect();
        assert_eq!(own.read_actions(&texts).unwrap(), ids);
        for (row, order) in orders.iter().enumerate() {
            assert_eq!(reference.id(row % 4, order), ids[row] as usize, "{order}");
        }
        own.relative(&mut turned);
        assert_eq!(turned, ids);
    }
    let wait = vec![128 * 128; 8];
    assert_eq!(own.write_actions(&wait).unwrap(), ["wait"; 8]);
    assert_eq!(own.read_actions(&["wait"; 8]).unwrap(), wait);
    let mut turned = wait.clone();
    own.absolute(&mut turned);
    assert_eq!(turned, wait);
    assert!(own.write_actions(&[0; 8]).is_err());
    for (text, message) in [
        ("e4", "game 0: expected an order like 'P:1:6:4->5,4' or 'wait', got 'e4'"),
        ("P:9:9:9->1,1", "game 0: unknown piece 'P:9:9:9'"),
        (
            "P:2:10:4->8,4",
            "game 0: illegal order 'P:2:10:4->8,4': the piece belongs to another player",
        ),
    ] {
        let mut texts = ["wait"; 8];
        texts[0] = text;
        assert_eq!(own.read_actions(&texts).unwrap_err().to_string(), message);
    }
}

#[test]
fn orders_that_became_illegal_are_reported_as_refused() {
    // The second player's pawn tries to capture a pawn that leaves on the same tick, so the target
    // is no longer there.
    let men = "K:1:7:0 P:1:4:4 K:2:0:0 P:2:3:3";
    let mut batch = batch(eight(&[]), 1);
    batch.reset_to(None, &[men]).unwrap();
    let actions = batch.read_actions(&["P:1:4:4->3,4", "P:2:3:3->4,4"]).unwrap();
    let mut told = StepOutputs::of(&batch);
    batch.step(&actions, told.outputs().1).unwrap();
    assert_eq!((&told.order_refused[..], told.move_valid[0]), (&[false, true][..], true));
    assert_eq!(batch.states().next().unwrap().game().last_order(), 0);
    assert_eq!(batch.states().next().unwrap().game().now(), 3);
    batch.step(&[4096, 4096], told.outputs().1).unwrap();
    assert_eq!(told.order_refused, [false, false]);
    assert_eq!(told.current_player, [-1]);
}

#[test]
fn eliminated_players_can_only_wait() {
    let men = "K:1:6:11 K:2:11:5 K:3:5:0 R:1:5:3";
    let mut batch = batch(twelve(&[("seats", "123"), ("speed", "lightning")]), 1);
    batch.reset_to(None, &[men]).unwrap();
    let order = batch.read_actions(&["R:1:5:3->5,0", "wait", "wait"]).unwrap();
    batch.step(&order, Outputs::none()).unwrap();
    let mut told = StepOutputs::of(&batch);
    while batch.legal(0, 2).count() > 1 {
        batch.step(&[128 * 128; 3], told.outputs().1).unwrap();
    }
    assert_eq!(told.alive, [true, true, false]);
    assert_eq!((batch.status(0).stage, &told.rewards[..]), (Stage::Ongoing, &[0.0; 3][..]));
    let illegal = batch.step(&[128 * 128, 128 * 128, 0], Outputs::none()).unwrap_err().to_string();
    assert!(illegal.starts_with("action 0 of player 2 in game 0 is not legal in t"), "{illegal}");
}

#[test]
fn illegal_actions_lose_or_are_ignored() {
    let options = Options { illegal: Some(Illegal::Lose), ..Options::default() };
    let mut batch = Batch::<Twelve>::new(twelve(&[]), 1, options);
    let mut told = StepOutputs::of(&batch);
    batch.step(&[128 * 128, 0, 128 * 128, 128 * 128], told.outputs().1).unwrap();
    assert_eq!(told.rewards, [1.0 / 3.0, -1.0, 1.0 / 3.0, 1.0 / 3.0]);
    assert_eq!(batch.endings()[told.ending[0] as usize], "illegal action");
    let options = Options { illegal: Some(Illegal::Ignore), ..Options::default() };
    let mut batch = Batch::<Eight>::new(Rules::<8>::default(), 1, options);
    let before = batch.save();
    let mut told = StepOutputs::of(&batch);
    batch.step(&[4096, -3], told.outputs().1).unwrap();
    assert_eq!((told.move_valid[0], batch.save()), (false, before));
}

#[test]
fn options_are_parsed_and_validated() {
    let given = [("speed", "lightning"), ("rest", "7"), ("interval", "1"), ("view", "absolute")];
    assert_eq!(
        eight(&given).to_string(),
        "8x8 lightning rest=7, 1 ticks a step, view absolute, truncated after 36000 ticks"
    );
    assert_eq!(eight(&[]), Rules::<8>::default());
    assert_eq!(twelve(&[]), Rules::<12>::default());
    let given = [("seats", "134"), ("teams", "on"), ("eliminated", "freeze"), ("max_ticks", "9")];
    assert_eq!(
        twelve(&given).to_string(),
        "12x12 standard players=134 teams freeze, 3 ticks a step, view own, truncated after 9 ticks"
    );
    let digits = "expected two, three or four of the digits 1234, ascending, such as 134";
    for (name, options, message) in [
        (
            "kung_fu",
            &[("interval", "0")][..],
            "invalid interval '0': expected a number from 1 to 1000000".into(),
        ),
        (
            "kung_fu",
            &[("speed", "fast")],
            "invalid speed 'fast': expected one of standard, lightning".into(),
        ),
        (
            "kung_fu",
            &[("seats", "12")],
            "unknown option 'seats' of kung_fu: expected one of speed, ticks_per_square, rest, \
             no_move, no_capture, no_draw_before, interval, max_ticks, view"
                .into(),
        ),
        ("kung_fu_4p", &[("seats", "2")], format!("invalid seats '2': {digits}")),
        ("kung_fu_4p", &[("seats", "21")], format!("invalid seats '21': {digits}")),
        ("kung_fu_4p", &[("seats", "12 teams")], format!("invalid seats '12 teams': {digits}")),
        (
            "kung_fu_4p",
            &[("seats", "13"), ("teams", "on")],
            "invalid seats '13': not possible with teams: players 1, 3 are all in one team (1 and \
             3 play against 2 and 4)"
                .into(),
        ),
    ] {
        let error = make(name, options, 1, Options::default()).err().expect("an error");
        assert_eq!(error.to_string(), message);
    }
    for (name, id) in [("kung_fu", "kung_fu-v2"), ("kung_fu_4p", "kung_fu_4p-v2")] {
        assert_eq!(make(name, &[], 1, Options::default()).unwrap().id(), id);
    }
}

#[test]
fn starts_are_lists_of_pieces() {
    let mut batch = batch(eight(&[]), 2);
    batch.set_starts(&["K:1:7:4 R:1:7:7 K:2:0:4"]).unwrap();
    batch.reset(Some(1));
    assert!(batch.texts()[1].contains("R:1:7:7 R 7,7"));
    let mut reference = Reference::new(8, &[], Some("K:1:7:4 R:1:7:7 K:2:0:4"));
    let castling = batch.read_actions(&["K:1:7:4->7,6", "wait", "wait", "wait"]).unwrap();
    batch.step(&castling, Outputs::none()).unwrap();
    reference.step(&castling[..2]);
    assert_eq!(batch.texts()[0], reference.game.state());
    for (text, message) in [
        ("K:1:7:4", "position 0: player 2 needs exactly one king, got 0"),
        (
            "king",
            "position 0: expected a piece like K:1:7:4 (role, player, row, column), got 'king'",
        ),
    ] {
        assert_eq!(batch.set_starts(&[text]).unwrap_err().to_string(), message);
    }
    let pawns: Vec<String> = (0..16).map(|n| format!("P:1:{}:{}", 4 + n / 8, n % 8)).collect();
    let many = format!("K:1:7:4 K:2:0:4 {}", pawns.join(" "));
    let error = batch.set_starts(&[&many]).unwrap_err().to_string();
    assert_eq!(error, "position 0: player 1 has 17 pieces, expected at most 16");
}

#[test]
fn legal_actions_do_not_exceed_max_legal() {
    // Fifteen queens that barely block one another; the bound assumes an empty board for each.
    let spec = Eight::spec(&Rules::<8>::default());
    assert_eq!(spec.max_legal, 15 * 27 + 10 + 1);
    let queens: Vec<String> = (0..15).map(|n| format!("Q:1:{}:{}", n / 2, n * 3 % 8)).collect();
    let men = format!("K:1:7:7 K:2:7:3 {}", queens.join(" "));
    let game = Eight::parse(&Rules::<8>::default(), &men).unwrap();
    let mut batch = batch(eight(&[]), 1);
    batch.reset_to(None, &[&men]).unwrap();
    assert!(batch.legal(0, 0).count() > 150 && batch.legal(0, 0).count() < spec.max_legal);
    assert_eq!(game.write_action(batch.rules(), 0, Action(4096)), Some("wait".to_owned()));
}
