//! Compares oracle and engine in whole seeded games: the legal moves and the state after each move,
//! over all openings, modes and rule options.

use std::collections::BTreeMap;

use fourfold_common::SplitMix64;
use fourfold_four_player::{Move, MoveKind, Player, Position, Role, Setup, StartPosition};
use fourfold_oracle::four_player::Rules;
use fourfold_oracle::harness::{mutate, quick_or_full, read_file, values};

use super::implementations::{Engine, Implementation, Oracle};

/// The rules of the games, used in turn.
const RULES: [&str; 14] = [
    "repetition=0",
    "teams repetition=0",
    "immediate repetition=0",
    "forbid-king-capture repetition=0",
    "walking-king repetition=0",
    "legacy-points repetition=0 quiet=30",
    "teams forbid-king-capture repetition=0 quiet=0",
    "immediate walking-king survivor repetition=0 no-bare-kings",
    "off repetition=0",
    "repetition=0 quiet=0 no-bare-kings",
    "immediate forbid-king-capture repetition=0",
    "survivor repetition=0 quiet=60",
    "chess.com repetition=0",
    "award-kings walking-king repetition=0 no-bare-kings",
];

#[test]
fn both_play_the_same_games() {
    let mut rng = SplitMix64::new(4);
    let mut seen = Seen::default();
    let cases = cases();
    // Every move of the positions that random play rarely reaches.
    for case in &cases {
        let rules = Rules::default();
        let position = Engine::position(case, &rules).expect("a case of a free-for-all");
        for mv in compare_moves(&position.fen4(), &position, &rules) {
            seen.note(&position, mv);
            let oracle = Oracle.play(case, &mv.to_string(), &rules).expect("a legal move");
            assert_eq!(position.after(mv).fen4(), oracle, "{mv} in {case}");
        }
    }
    let mut positions = 0;
    let mut game = 0;
    while positions < quick_or_full(8_000, 20_000) {
        let rules = Rules::parse(RULES[game % RULES.len()]).expect("words of rules");
        let opening = StartPosition::ALL[game / RULES.len() % 5];
        let mut position = Position::start(opening, Engine::rules(&rules));
        match game % 3 {
            0 => {}
            1 => position = thinned(&position, &mut rng),
            _ => {
                let case = &cases[(rng.next() % cases.len() as u64) as usize];
                // Not every free-for-all position is valid in teams.
                position = Engine::position(case, &rules).unwrap_or(position);
            }
        }
        game += 1;
        for _ in 0..90 + rng.next() % 200 {
            positions += 1;
            let fen4 = position.fen4();
            let moves = compare_moves(&fen4, &position, &rules);
            if moves.is_empty() {
                break;
            }
            if rng.next().is_multiple_of(60) {
                let player = Player::ALL[(rng.next() % 4) as usize];
                withdraw(&mut position, player, rng.next().is_multiple_of(2), &rules);
                continue;
            }
            let mv = choose(&position, &moves, &mut rng);
            seen.note(&position, mv);
            let oracle = Oracle.play(&fen4, &mv.to_string(), &rules).expect("a legal move");
            position.play(mv).expect("a legal move");
            assert_eq!(position.fen4(), oracle, "{mv} in {fen4} ({})", position.rules());
        }
    }
    seen.assert_all();
}

/// Reads positions that each exercise one rule and that random play rarely reaches.
fn cases() -> Vec<String> {
    let text = read_file("data/four-player/cases.txt");
    let cases: Vec<String> = values(&text, "position").map(str::to_owned).collect();
    assert!(cases.len() > 15, "only {} cases", cases.len());
    cases
}

/// Returns the legal moves, after checking that oracle and engine agree on them.
fn compare_moves(fen4: &str, position: &Position, rules: &Rules) -> Vec<Move> {
    if position.ending().is_some() {
        return Vec::new();
    }
    let moves = position.legal_moves();
    let mut texts: Vec<String> = moves.iter().map(Move::to_string).collect();
    texts.sort();
    assert_eq!(
        texts,
        Oracle.moves(fen4, rules).expect("a position"),
        "{fen4} ({})",
        position.rules()
    );
    assert_eq!(moves.len(), position.count_legal(), "{fen4}");
    let read = Engine::position(fen4, rules).expect("it was just written");
    assert_eq!(read, *position, "{fen4}");
    moves.to_vec()
}

fn withdraw(position: &mut Position, player: Player, flagged: bool, rules: &Rules) {
    let fen4 = position.fen4();
    let letter = player.letter().to_string();
    let oracle = fourfold_oracle::four_player::withdraw(&fen4, &letter, flagged, rules);
    let how = if flagged {
        fourfold_four_player::WithdrawalReason::Flag
    } else {
        fourfold_four_player::WithdrawalReason::Resign
    };
    let left = position.withdraw(player, how);
    assert_eq!(left.is_ok(), oracle.is_ok(), "{letter} withdraws in {fen4}");
    if let Ok(oracle) = oracle {
        assert_eq!(position.fen4(), oracle, "{letter} withdraws in {fen4} ({})", position.rules());
    }
}

/// Chooses a random move, preferring the rare ones.
fn choose(position: &Position, moves: &[Move], rng: &mut SplitMix64) -> Move {
    let rare: Vec<Move> =
        moves.iter().copied().filter(|&mv| kind_of(position, mv).is_some()).collect();
    let from = if rare.is_empty() || rng.next().is_multiple_of(3) { moves } else { &rare };
    from[(rng.next() % from.len() as u64) as usize]
}

/// Returns what is rare about a move, if anything.
fn kind_of(position: &Position, mv: Move) -> Option<&'static str> {
    let captured = position.piece_at(mv.to());
    let alive = |player| position.alive().contains(player);
    match (mv.kind(), captured) {
        (MoveKind::Castling, _) => Some(
            ["red castles", "blue castles", "yellow castles", "green castles"]
                [position.turn() as usize],
        ),
        (MoveKind::EnPassant, Some(_)) => Some("en passant onto a piece"),
        (MoveKind::EnPassant, None) if mv.promotion().is_some() => {
            Some("en passant with promotion")
        }
        (MoveKind::EnPassant, None) => {
            Some(if mv.from() < mv.to() { "en passant" } else { "en passant back" })
        }
        (_, Some(piece)) if piece.role == Role::King && piece.owner.is_some_and(alive) => {
            Some("a king is captured")
        }
        (_, Some(piece)) if !piece.owner.is_some_and(alive) => Some("a gray piece is captured"),
        _ if mv.promotion().is_some() => Some("promotion"),
        _ => None,
    }
}

/// Returns the position with most pieces removed, so that games end soon.
fn thinned(position: &Position, rng: &mut SplitMix64) -> Position {
    let mut setup: Setup = position.setup();
    for wing in fourfold_four_player::Wing::ALL {
        *setup.castling_mut(wing) = fourfold_four_player::Players::NONE;
    }
    for (square, piece) in position.iter_pieces() {
        if piece.role != Role::King && !rng.next().is_multiple_of(5) {
            setup.put(square, None);
        }
    }
    setup.validate(position.rules()).expect("kings are left")
}

/// How often each rare move and situation has occurred.
#[derive(Default)]
struct Seen(BTreeMap<&'static str, u32>);

impl Seen {
    fn note(&mut self, position: &Position, mv: Move) {
        let mut note = |what| *self.0.entry(what).or_default() += 1;
        if let Some(what) = kind_of(position, mv) {
            note(what);
        }
        match position.alive().len() {
            3 => note("one eliminated"),
            2 => note("two eliminated"),
            _ => {}
        }
        if !position.alive().contains(position.turn()) {
            note("a king walks");
        }
        if position.army(position.turn()).len() == 1 {
            note("a king alone");
        }
        if position.alive().iter().any(|player| position.is_check(player)) {
            note("check");
        }
    }

    fn assert_all(&self) {
        let all = [
            "red castles",
            "blue castles",
            "yellow castles",
            "green castles",
            "en passant",
            "en passant back",
            "en passant with promotion",
            "en passant onto a piece",
            "a king is captured",
            "a gray piece is captured",
            "promotion",
            "one eliminated",
            "two eliminated",
            "a king walks",
            "a king alone",
            "check",
        ];
        for what in all {
            let times = self.0.get(what).copied().unwrap_or(0);
            assert!(times >= 1, "only {times} times: {what} ({:?})", self.0);
        }
    }
}

#[test]
fn both_end_games_by_repetition() {
    let kings = "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-6,yK,7/14/14/14/14/14/bK,13/12,gR,gK/14/14/14/14/14/7,rK,6";
    let mut rng = SplitMix64::new(5);
    let mut repeated = 0;
    for game in 0..80 {
        let rules =
            Rules::parse(["", "repetition=2", "teams", "quiet=40"][game % 4]).expect("rules");
        let mut plies: Vec<String> = Vec::new();
        let mut position = Engine::position(kings, &rules).expect("a position");
        let mut history = fourfold_four_player::History::new(&position);
        for _ in 0..60 {
            let moves = position.legal_moves();
            // Few choices, so that positions repeat.
            let Some(index) = rng.next().checked_rem(moves.len().min(2) as u64) else { break };
            plies.push(moves[index as usize].to_string());
            history.play(&mut position, moves[index as usize]).expect("a legal move");
        }
        let texts: Vec<&str> = plies.iter().map(String::as_str).collect();
        let oracle = Oracle.game(kings, &texts, &rules).expect("legal plies");
        assert_eq!(Engine::report(&position), oracle, "{texts:?}");
        repeated += u32::from(oracle.ending.as_deref() == Some("repetition"));
    }
    assert!(repeated >= 5, "only {repeated} repetitions");
}

#[test]
fn both_reject_the_same_fen4s() {
    let letters = "PNBRQKDrbygd123450x/,-:'{}()RBYG";
    let mut rng = SplitMix64::new(6);
    let (mut rejected, mut accepted) = (0, 0);
    for game in 0..60u64 {
        let rules = Rules::parse(RULES[game as usize % RULES.len()]).expect("rules");
        let start = Position::start(StartPosition::ALL[game as usize % 5], Engine::rules(&rules));
        let walk = fourfold_four_player::random_walk(start, game);
        for position in walk.take(200).skip(game as usize % 7).step_by(7) {
            let mut text = position.fen4();
            for _ in 0..1 + rng.next() % 2 {
                // Half of the changes go to the fields before the board, which are short but easy
                // to break.
                let part = if rng.next().is_multiple_of(2) { text.len() } else { 40 };
                text = mutate(&text, part, letters, || rng.next());
            }
            let engine = Engine.state(&text, &rules);
            let oracle = Oracle.state(&text, &rules);
            assert_eq!(
                engine.as_ref().ok(),
                oracle.as_ref().ok(),
                "{text}\n{engine:?}\n{oracle:?}"
            );
            if engine.is_ok() { accepted += 1 } else { rejected += 1 }
        }
    }
    assert!(rejected > 500 && accepted > 50, "{rejected} rejected, {accepted} accepted");
}
