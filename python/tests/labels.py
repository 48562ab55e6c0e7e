"""Conversion between labels and moves, reimplemented from the definition of the planes."""

from __future__ import annotations

import chess

from fourfold import _core

PLANES = _core.chess_planes()


def uci_of(fen: str, label: int) -> str:
    """Converts a label to UCI."""
    files, ranks, letter = PLANES[label % 73]
    file, rank = divmod(label // 73, 8)
    to_file, to_rank = file + files, rank + ranks
    if fen.split()[1] == "b":
        rank, to_rank = 7 - rank, 7 - to_rank
    uci = chess.square_name(rank * 8 + file) + chess.square_name(to_rank * 8 + to_file)
    piece = chess.Board(fen).piece_at(rank * 8 + file)
    if letter is not None:
        return uci + letter.lower()
    promotes = piece is not None and piece.piece_type == chess.PAWN and to_rank in (0, 7)
    return uci + "q" if promotes else uci


def label_of(fen: str, san: str) -> int:
    """Converts a legal move to a label."""
    uci = chess.Board(fen).parse_san(san).uci()
    return next(label for label in range(4672) if on_board(label) and uci_of(fen, label) == uci)


def on_board(label: int) -> bool:
    files, ranks, _ = PLANES[label % 73]
    file, rank = divmod(label // 73, 8)
    return 0 <= file + files < 8 and 0 <= rank + ranks < 8
