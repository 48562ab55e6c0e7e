//! Properties of positions from random play: keys, counts and rotated boards.

use fourfold_common::SplitMix64;
use fourfold_four_player::{
    BOARD, Fault, Mode, Move, MoveList, Piece, Player, Players, Position, Role, Rules, Setup,
    Square, StartPosition, Wing, perft, perft_by_playing, random_walk,
};

/// Calls `check` with positions from all phases of games, in all openings and modes.
fn for_positions(seed: u64, games: usize, mut check: impl FnMut(&Position)) {
    for game in 0..games {
        let rules = ["", "teams", "immediate", "forbid-king-capture", "legacy-points quiet=60"];
        let rules = Rules::parse(rules[game % 5]).expect("words of rules");
        let start = Position::start(StartPosition::ALL[game / 5 % 5], rules);
        let walk = random_walk(start, seed + game as u64);
        walk.take(600).skip(game % 4).step_by(4).for_each(|position| check(&position));
    }
}

#[test]
fn positions_round_trip_through_fen4() {
    for_positions(2, 25, |position| {
        // A game that ended in a draw is in progress again after parsing.
        if position.ending().is_none() {
            let read = Position::from_fen4(&position.fen4(), position.rules());
            assert_eq!(read.as_ref(), Ok(position), "{position}");
        }
        assert_eq!(Setup::from_fen4(&position.fen4()), Ok(position.setup()), "{position}");
    });
}

#[test]
fn keys_follow_from_the_position() {
    for_positions(3, 10, |position| {
        for &mv in &position.legal_moves() {
            let after = position.after(mv);
            if after.ending().is_none() {
                let read =
                    Position::from_fen4(&after.fen4(), after.rules()).expect("it was written");
                assert_eq!(read.key(), after.key(), "{mv} in {position}");
            }
        }
    });
}

#[test]
fn all_move_generators_agree() {
    let mut list = MoveList::new();
    for_positions(4, 25, |position| {
        position.legal_moves_into(&mut list);
        assert_eq!(position.count_legal(), list.len(), "{position}");
        assert_eq!(position.has_legal_move(), !list.is_empty(), "{position}");
        assert!(list.iter().all(|&mv| position.is_legal(mv)), "{position}");
        let mut texts: Vec<String> = list.iter().map(Move::to_string).collect();
        texts.sort();
        texts.dedup();
        assert_eq!(texts.len(), list.len(), "a move comes twice in {position}");
        for &mv in &list {
            assert_eq!(position.parse_move(&mv.to_string()), Ok(mv), "{position}");
        }
    });
}

#[test]
fn both_perfts_agree() {
    let mut rng = SplitMix64::new(5);
    for_positions(5, 25, |position| {
        if rng.next().is_multiple_of(12) {
            assert_eq!(perft(position, 2), perft_by_playing(position, 2), "{position}");
        }
    });
}

/// Rotates the position by a quarter turn: each army moves to the next player's side.
fn turned(position: &Position) -> Position {
    let next = |players: Players| players.iter().map(Player::next).collect::<Players>();
    let from = position.setup();
    let mut setup = Setup::empty();
    for (square, piece) in from.iter_pieces() {
        let owner = piece.owner.map(Player::next);
        setup.put(Player::Blue.from_view(square), Some(Piece { owner, ..piece }));
    }
    setup.turn = from.turn.next();
    setup.eliminated = next(from.eliminated);
    setup.resigned = next(from.resigned);
    setup.flagged = next(from.flagged);
    for wing in Wing::ALL {
        *setup.castling_mut(wing) = next(from.castling(wing));
    }
    setup.clock = from.clock;
    for player in Player::ALL {
        let there = player.next() as usize;
        setup.points[there] = from.points[player as usize];
        setup.en_passant[there] =
            from.en_passant[player as usize].map(|skipped| Player::Blue.from_view(skipped));
    }
    setup.validate(position.rules()).expect("a rotated position is valid")
}

fn turned_text(mv: Move) -> String {
    let name = |square| BOARD.name(Player::Blue.from_view(square));
    let promotion = mv.promotion().map(|role| role.letter().to_ascii_lowercase());
    let promotion = promotion.map_or(String::new(), String::from);
    format!("{}{}{promotion}", name(mv.from()), name(mv.to()))
}

#[test]
fn rotated_positions_have_rotated_moves_and_endings() {
    for_positions(6, 50, |position| {
        if position.ending().is_some() {
            return;
        }
        let around = turned(position);
        let mut turned_moves: Vec<String> =
            position.legal_moves().iter().map(|&mv| turned_text(mv)).collect();
        let mut moves: Vec<String> = around.legal_moves().iter().map(Move::to_string).collect();
        turned_moves.sort();
        moves.sort();
        assert_eq!(moves, turned_moves, "{position}");
        if let Some(&mv) = position.legal_moves().first() {
            let after = position.after(mv);
            let other = around.after(around.parse_move(&turned_text(mv)).expect("a turned move"));
            assert_eq!(turned(&after).fen4(), other.fen4(), "{mv} in {position}");
            assert_eq!(after.ending(), other.ending(), "{mv} in {position}");
        }
    });
}

#[test]
fn attacks_by_all_are_the_union_of_attacks_by_each() {
    for_positions(7, 10, |position| {
        for square in BOARD.squares() {
            let each = Player::ALL.map(|player| position.is_attacked(square, Players::one(player)));
            let all = position.is_attacked(square, Players::ALL);
            assert_eq!(all, each.contains(&true), "{} in {position}", BOARD.name(square));
        }
        for player in position.alive().iter() {
            let king = position.king(player).expect("living players have kings");
            let check = position.is_attacked(king, position.opponents(player));
            assert_eq!(position.is_check(player), check, "{position}");
            assert_eq!(position.checkers(player).any(), check, "{position}");
        }
    });
}

#[test]
fn teams_have_no_points() {
    let start = Position::start(StartPosition::Modern, Rules::TEAMS);
    for position in random_walk(start, 8).take(2000) {
        assert_eq!(position.points(), [0; 4]);
        assert_eq!(position.rules().mode, Mode::Teams);
    }
}

#[test]
fn squares_that_do_not_exist_are_empty_and_not_attacked() {
    let position = Position::start(StartPosition::Modern, Rules::default());
    for index in 0..512 {
        let square = Square::new(index);
        if index < 256 && BOARD.squares().contains(square) {
            continue;
        }
        assert!(!position.is_attacked(square, Players::ALL), "{index}");
        assert!(position.attackers(square, Players::ALL).is_empty(), "{index}");
        assert_eq!(position.piece_at(square), None, "{index}");
        let mut setup = position.setup();
        setup.put(square, Some(Piece::new(Player::Red, Role::Queen)));
        assert_eq!((setup.piece_at(square), &setup), (None, &position.setup()), "{index}");
        for player in Player::ALL {
            let mut setup = position.setup();
            setup.en_passant[player as usize] = Some(square);
            let error = setup.validate(Rules::default()).unwrap_err();
            assert_eq!(error.faults, [Fault::EnPassant(player, square)]);
            assert!(error.to_string().starts_with("no pawn of "), "{error}");
            let _ = setup.fen4();
        }
    }
}
