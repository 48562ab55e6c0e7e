"""Annotates the moves of a game: `python annotate_pgn.py game.pgn`, or without a file, a famous game."""

from __future__ import annotations

import argparse
from pathlib import Path

from fourfold.chess import Board

OPERA = """
[White "Paul Morphy"]
[Black "Duke Karl / Count Isouard"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5
10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8
17. Rd8# 1-0
"""

VALUES = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9}


def balance(board: Board) -> int:
    """Returns the material balance in pawns, positive if White is ahead."""
    pieces = board.fen.split()[0]
    white = sum(VALUES.get(letter.lower(), 0) for letter in pieces if letter.isupper())
    return white - sum(VALUES.get(letter, 0) for letter in pieces)


def remarks(board: Board) -> list[str]:
    """Returns remarks on the position."""
    found = []
    if board.outcome is not None:
        found.append(board.outcome.reason)
    elif board.is_check:
        found.append(f"check, {len(board.legal_moves)} legal moves")
    elif len(board.legal_moves) == 1:
        found.append("only one legal move")
    if board.claimable is not None:
        found.append(f"a draw by {board.claimable} can be claimed")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, help="a PGN with one game")
    arguments = parser.parse_args()

    text = OPERA if arguments.file is None else arguments.file.read_text(encoding="utf-8")
    board = Board.from_pgn(text)
    moves = board.moves
    board.jump(0)
    before = balance(board)
    for ply, move in enumerate(moves):
        board.jump(ply + 1)
        said = remarks(board)
        if balance(board) != before:
            said.insert(0, f"material {balance(board):+d}")
        before = balance(board)
        number = f"{ply // 2 + 1}{'.' if ply % 2 == 0 else '…'}"
        print(f"{number:>4} {move:<7} {'; '.join(said)}".rstrip())
    outcome = board.outcome
    winners = [("White", "Black")[player] for player in outcome.winners] if outcome else []
    print(board)
    if outcome is None:
        print("The game is not over")
    else:
        print(f"{' and '.join(winners)} won by {outcome.reason}" if winners else f"Draw by {outcome.reason}")


if __name__ == "__main__":
    main()
