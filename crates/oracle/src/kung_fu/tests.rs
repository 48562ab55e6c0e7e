use super::board::Board;
use super::piece::Flight;
use super::*;

#[test]
fn the_cross_has_128_squares() {
    let squares = |board: Board| {
        let rows = -1..=board.size();
        rows.flat_map(|row| (-1..=board.size()).map(move |col| Square { row, col }))
            .filter(|&square| board.has(square))
            .count()
    };
    assert_eq!(squares(Board::Cross), 128);
    assert_eq!(squares(Board::Small), 64);
}

#[test]
fn pieces_are_sorted_by_the_text_of_their_ids() {
    let game = Game::new("12x12").unwrap();
    let ids: Vec<&str> = game.pieces.iter().map(|piece| piece.id.as_str()).collect();
    assert_eq!(ids.len(), 64);
    assert!(ids.is_sorted());
    let place = |id: &str| ids.iter().position(|other| *other == id).expect(id);
    assert!(place("P:2:10:9") < place("P:3:2:1"));
    assert!(place("B:4:0:7") < place("K:1:6:11"));
}

#[test]
fn knights_move_half_as_far_per_tick_along_the_short_axis() {
    let (from, to) = (Square { row: 4, col: 4 }, Square { row: 2, col: 5 });
    let flight = Flight { from, to, start: 1, arrival: 61, castling: false };
    assert_eq!(flight.position(1, 60), (240, 240));
    assert_eq!(flight.position(2, 60), (238, 241));
    assert_eq!(flight.position(61, 60), (120, 300));
    let slide = Flight { from, to: Square { row: 4, col: 7 }, arrival: 91, ..flight };
    assert_eq!(slide.position(2, 60), (240, 242));
    assert_eq!(slide.position(91, 60), (240, 420));
}

#[test]
fn errors_say_what_is_wrong() {
    let fault = |words: &str| Game::new(words).expect_err(words).to_string();
    assert_eq!(fault("8x8 players=2"), "the board needs two players, got 1");
    assert_eq!(fault("12x12 players="), "the board needs two to four players, got 0");
    assert_eq!(fault("8x8 players=123"), "the board has no player 3");
    assert_eq!(fault("12x12 players=31"), "expected player numbers in ascending order, got '31'");
    assert_eq!(fault("12x12 players=13 teams"), "all players are in one team");
    assert_eq!(fault("12x12 players=13 bots=2"), "bot 2 is not one of the players");
    assert_eq!(fault("ticks-per-square=0"), "expected ticks-per-square from 1 to 1000, got '0'");
    assert_eq!(fault("teams teams"), "'teams' is given twice");
    let fault = |pieces: &str| Game::with_pieces("", pieces).expect_err(pieces).to_string();
    assert_eq!(fault("K:1:7:4 K:2:7:4"), "K:2:7:4 is on the same square as K:1:7:4");
    assert_eq!(fault("K:1:7:4 K:2:0:4 K:2:0:5"), "player 2 has 2 kings");
    assert_eq!(
        fault("K:1:7:4 K:2:0:8"),
        "expected a piece on the board, like 'K:1:7:4', got 'K:2:0:8'"
    );
}

#[test]
fn a_refused_order_changes_nothing() {
    let mut game = Game::new("lightning").unwrap();
    game.order(1, "P:1:6:4", 4, 4).unwrap();
    game.tick();
    let before = game.clone();
    for (row, col) in [(i64::MIN, i64::MAX), (-1, 0), (8, 8), (6, 3), (5, 4), (3, 4)] {
        for player in [i64::MIN, 0, 1, 2, 3, i64::MAX] {
            for piece in ["P:1:6:4", "P:1:6:3", "P:2:1:3", "P:1:6:4 ", "", "K"] {
                let accepted = game.order(player, piece, row, col).is_ok();
                assert!(!accepted, "{player} {piece}->{row},{col}");
                assert_eq!(game, before);
            }
        }
    }
}
