use super::*;

const START: &str = "R-0,0,0,0-1,1,1,1-1,1,1,1-0,0,0,0-0-3,yR,yN,yB,yK,yQ,yB,yN,yR,3/3,yP,yP,yP,yP,yP,yP,yP,yP,3/14/bR,bP,10,gP,gR/bN,bP,10,gP,gN/bB,bP,10,gP,gB/bQ,bP,10,gP,gK/bK,bP,10,gP,gQ/bB,bP,10,gP,gB/bN,bP,10,gP,gN/bR,bP,10,gP,gR/14/3,rP,rP,rP,rP,rP,rP,rP,rP,3/3,rR,rN,rB,rQ,rK,rB,rN,rR,3";

#[test]
fn perft_of_the_start_position() {
    let rules = Rules::default();
    for (depth, count) in (0..).zip([1, 20, 395, 7800]) {
        assert_eq!(perft(START, depth, &rules), Ok(count), "perft {depth}");
    }
}

#[test]
fn moves_are_sorted() {
    let moves = moves(START, &Rules::default()).unwrap();
    assert!(moves.is_sorted());
    assert_eq!(moves.first().map(String::as_str), Some("d2d3"));
}
