"""Analysis of a chess position in one pass with python-chess, as a baseline for benchmarks of ours.

It follows the original design of the analysis, corrected where that did not run or contradicted
itself, and uses python-chess's integer masks throughout, which are its fastest interface. Forks,
exchanges, outposts, mobility, king rings and x-rays are not included; `docs/analysis.md` has the
definitions of the rest.

>>> import chess
>>> facts = analyze(chess.Board("4k3/8/2p5/3p4/4P3/8/8/3RK3 w - - 0 1"))
>>> [chess.square_name(square) for square in facts["black"]["hanging"]]
['d5']
"""

from __future__ import annotations

from typing import Any

import chess

_VALUES = {
    chess.PAWN: 1,
    chess.KNIGHT: 3,
    chess.BISHOP: 3,
    chess.ROOK: 5,
    chess.QUEEN: 9,
    chess.KING: 100,
}
"""The king is worth more than any other piece."""


def _beside(file: int) -> int:
    """Returns the squares of the adjacent files."""
    left = chess.BB_FILES[file - 1] if file > 0 else 0
    right = chess.BB_FILES[file + 1] if file < 7 else 0
    return left | right


def _ahead(color: bool, rank: int) -> int:
    """Returns the squares of the ranks ahead of a pawn of that color."""
    ranks = range(rank + 1, 8) if color else range(rank)
    return sum(chess.BB_RANKS[other] for other in ranks)


_BESIDE = [_beside(file) for file in range(8)]
_AHEAD = {color: [_ahead(color, rank) for rank in range(8)] for color in chess.COLORS}


def analyze(board: chess.Board) -> dict[str, Any]:
    """Returns the facts about both colors as lists of squares, and the attack map as two masks per piece."""
    facts: dict[str, Any] = {"white": _nothing(), "black": _nothing(), "attack_map": {}}
    attack_map = facts["attack_map"]
    white = board.occupied_co[chess.WHITE]
    minor = board.knights | board.bishops
    for square in chess.scan_forward(board.occupied):
        color = bool(white & chess.BB_SQUARES[square])
        own = facts["white" if color else "black"]
        own["pieces"].append(square)
        attackers = board.attackers_mask(not color, square)
        defenders = board.attackers_mask(color, square)
        attack_map[square] = (attackers, defenders)
        if attackers:
            own["attacked"].append(square)
            if chess.popcount(attackers) > chess.popcount(defenders):
                own["hanging"].append(square)
        if minor & chess.BB_SQUARES[square] and square >> 3 != (0 if color else 7):
            own["developed"].append(square)
        if not board.kings & chess.BB_SQUARES[square] and board.is_pinned(color, square):
            is_pawn = board.pawns & chess.BB_SQUARES[square]
            own["pinned_pawns" if is_pawn else "pinned"].append(square)
    for color, name in ((chess.WHITE, "white"), (chess.BLACK, "black")):
        facts[name]["skewered"] = list(chess.scan_forward(_skewered(board, color)))
        _judge_pawns(board, color, facts[name]["pawns"])
    return facts


def _nothing() -> dict[str, Any]:
    lists = ("pieces", "attacked", "hanging", "pinned", "pinned_pawns", "skewered", "developed")
    pawns = ("all", "doubled", "isolated", "backward", "backward_blocked", "passed")
    return {name: [] for name in lists} | {"pawns": {name: [] for name in pawns}}


def _skewered(board: chess.Board, color: chess.Color) -> int:
    """Returns the pieces, except pawns, that a slider attacks and that have a piece of the same color and of
    no greater value behind them."""
    skewered = 0
    own = board.occupied_co[color]
    sliders = board.occupied_co[not color] & (board.bishops | board.rooks | board.queens)
    for slider in chess.scan_forward(sliders):
        for front in chess.scan_forward(board.attacks_mask(slider) & own & ~board.pawns):
            line = chess.ray(slider, front) & board.occupied
            # Square indices are monotonic along a line, so the next piece is the first or the last bit.
            if front > slider:
                beyond = line & ~((chess.BB_SQUARES[front] << 1) - 1)
                behind = chess.lsb(beyond) if beyond else None
            else:
                beyond = line & (chess.BB_SQUARES[front] - 1)
                behind = chess.msb(beyond) if beyond else None
            if behind is None or not own & chess.BB_SQUARES[behind]:
                continue
            if _VALUES[board.piece_type_at(front)] >= _VALUES[board.piece_type_at(behind)]:
                skewered |= chess.BB_SQUARES[front]
    return skewered


def _judge_pawns(board: chess.Board, color: chess.Color, facts: dict[str, list[int]]) -> None:
    own = board.pawns & board.occupied_co[color]
    enemy = board.pawns & board.occupied_co[not color]
    ahead_of = _AHEAD[color]
    for square in chess.scan_forward(own):
        file, rank = square & 7, square >> 3
        ahead = ahead_of[rank]
        facts["all"].append(square)
        if chess.popcount(own & chess.BB_FILES[file]) > 1:
            facts["doubled"].append(square)
        neighbors = own & _BESIDE[file]
        if not neighbors:
            facts["isolated"].append(square)
        elif not neighbors & ~ahead:
            facts["backward"].append(square)
            stop = square + (8 if color else -8)
            # The enemy pawns that attack a square are where a pawn of ours on it would attack.
            if enemy & (chess.BB_SQUARES[stop] | chess.BB_PAWN_ATTACKS[color][stop]):
                facts["backward_blocked"].append(square)
        if not enemy & ahead & (_BESIDE[file] | chess.BB_FILES[file]):
            facts["passed"].append(square)
