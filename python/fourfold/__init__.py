"""Exact, very fast board-game environments.

Step a whole batch of games per call, with legal action masks and observations as NumPy arrays:

>>> import fourfold
>>> env = fourfold.make("chess", num_envs=64)
>>> state = env.reset(seed=0)
>>> state.legal_action_mask.shape, state.observation.shape
((64, 4672), (64, 8, 8, 119))
>>> for _ in range(100):
...     state = env.step(env.sample())
>>> int(state.legal_action_mask[0].sum()) > 0
True

Or play one game at a time, with moves as text:

>>> from fourfold import chess
>>> board = chess.Board()
>>> for move in ["e4", "e5", "Qh5", "Ke7", "Qxe5#"]:
...     _ = board.push(move)
>>> board.outcome
Outcome(reason='checkmate', winners=(0,))
"""

import importlib as _importlib
import sys as _sys
from typing import Any as _Any

from fourfold import _games, blokus, chess, four_player, kung_fu, legacy, legacy_four_player, unpack
from fourfold._bots import Bot, BotLine, BotMove
from fourfold._core import (
    GAMES,
    HistoryEndError,
    IllegalActionError,
    IllegalMoveError,
    PositionError,
    SavedStateError,
    __version__,
)
from fourfold._cuda import CudaEnvironment, CudaState
from fourfold._device import DeviceArray
from fourfold._env import Environment
from fourfold._evaluate import Evaluation, Match, evaluate
from fourfold._files import FileGame, read_games
from fourfold._make import make, rollout
from fourfold._options import GameName
from fourfold._play import Policy
from fourfold._record import Recording, record
from fourfold._search import Leaves, Search
from fourfold._state import Rollout, State
from fourfold.conformance import conformance

__all__ = [
    "GAMES",
    "Bot",
    "BotLine",
    "BotMove",
    "CudaEnvironment",
    "CudaState",
    "DeviceArray",
    "Environment",
    "Evaluation",
    "FileGame",
    "GameName",
    "HistoryEndError",
    "IllegalActionError",
    "IllegalMoveError",
    "Leaves",
    "Match",
    "Policy",
    "PositionError",
    "Recording",
    "Rollout",
    "SavedStateError",
    "Search",
    "State",
    "__version__",
    "blokus",
    "chess",
    "conformance",
    "evaluate",
    "four_player",
    "kung_fu",
    "legacy",
    "legacy_four_player",
    "make",
    "read_games",
    "record",
    "rollout",
    "unpack",
]


def __getattr__(name: str) -> _Any:
    """Imports the modules whose names have changed, which warn."""
    if name in ("expand", "seed", "seed_four_player"):
        return _importlib.import_module(f"fourfold.{name}")
    raise AttributeError(f"module 'fourfold' has no attribute {name!r}")


# For gymnasium.make("fourfold:fourfold/Chess-v1"). Gymnasium is slow to import, so do not import it otherwise.
if "gymnasium" in _sys.modules:
    _games.register()
