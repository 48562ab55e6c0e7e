"""Blokus from Python: environments, symmetries, formats and boards, and a comparison with another package."""

from __future__ import annotations

import copy
import pickle
import xml.etree.ElementTree
from typing import Any

import numpy as np
import pytest

import fourfold
from fourfold import blokus
from fourfold.blokus import Board

GAMES = [
    ("blokus", {}),
    ("blokus", {"players": 2, "reward": "difference"}),
    ("blokus", {"players": 3, "reward": "rank"}),
    ("blokus", {"size": 8, "free_starts": True}),
    ("blokus_duo", {}),
    ("blokus_duo", {"size": 7, "view": "absolute"}),
]


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_random_games_come_to_an_end(game: str, options: dict[str, Any]) -> None:
    env = fourfold.make(game, 16, packed=True, **options)
    env.reset(seed=1)
    ended = 0
    for _ in range(90):
        state = env.step(env.sample())
        ended += int(state.terminated.sum())
        assert not state.truncated.any()
    assert ended >= 16


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("blokus", {"packed": True}),
        ("blokus", {"players": 3, "observation": "uint8", "mask": "sparse", "autoreset": "next_step"}),
        ("blokus", {"size": 6, "observation": "none", "autoreset": "disabled"}),
        ("blokus_duo", {"view": "absolute", "observation": "float16"}),
        ("blokus_duo", {"reward": "rank"}),
        ("blokus_duo", {"reward": "points"}),
    ],
)
def test_environment_conformance(game: str, options: dict[str, object]) -> None:
    fourfold.conformance(fourfold.make(game, 3, num_threads=1, **options), steps=90)


def test_observations_and_pieces_left_unpack() -> None:
    env = fourfold.make("blokus", 5, packed=True)
    state = env.reset(seed=4)
    for _ in range(30):
        state = env.step(env.sample())
    floats, left = env.observe(format="float32")
    assert floats.shape == (5, 20, 20, 10) and state.observation.shape == (5, 10, 60)
    assert np.array_equal(fourfold.unpack.observation(state.observation, None, env), floats)
    assert state.scalars is None and np.array_equal(left, state.pieces_left)
    assert left.shape == (5, 4, 21) and left.dtype == np.float32
    colors, board = env.array("color"), env.array("board")
    assert np.array_equal(env.array("pieces_left")[0], np.roll(left[0], colors[0], axis=0))
    for game, color in enumerate(colors):
        # Rotated so that the color's start square is at the top left.
        own = np.rot90(board[game] == color, int(color))
        assert np.array_equal(own, floats[game, ..., 0].astype(bool))
        assert floats[game, ..., 9].nonzero()[0].tolist() == [0]
    plain = fourfold.make("blokus", 5)
    plain.reset(seed=4)
    for _ in range(30):
        stepped = plain.step(plain.sample())
    assert np.array_equal(stepped.observation, floats) and np.array_equal(stepped.pieces_left, left)
    again = plain.step(plain.sample(), out=stepped)
    assert again.pieces_left is stepped.pieces_left


def test_final_pieces_left() -> None:
    env = fourfold.make("blokus_duo", 2, size=1)
    env.reset(seed=0)
    state = env.step([0, 0])
    assert state.final_pieces_left is not None and state.final_scalars is None
    assert state.final_pieces_left.sum(axis=(1, 2)).tolist() == [41, 41]
    assert state.pieces_left.sum(axis=(1, 2)).tolist() == [42, 42]


def test_ids_and_masks_match_the_board() -> None:
    for game, options in GAMES[:3] + GAMES[4:5]:
        env = fourfold.make(game, 3, observation="none", **options)
        state = env.reset(seed=2)
        for _ in range(20):
            actions = env.sample()
            texts = env.moves(actions)
            assert np.array_equal(env.actions(texts), actions)
            assert np.array_equal(env.relative(env.absolute(actions)), actions)
            for index, position in enumerate(env.positions):
                board = Board(position)
                assert board.turn == state.current_player[index]
                ids = [
                    env.absolute(np.full(3, id))[index] for id in np.flatnonzero(state.legal_action_mask[index])[:40]
                ]
                assert set(ids) <= set(board.legal_ids)
                assert len(board.legal_ids) == state.legal_action_mask[index].sum()
                assert board.points == tuple(state.scores[index].astype(int))
                board.push(int(env.absolute(actions)[index]))
                assert board.move_codes == [texts[index]]
            state = env.step(actions)


@pytest.mark.parametrize("view", ["own", "absolute"])
@pytest.mark.parametrize("index", [0, 1])
def test_symmetries_map_games_to_games(index: int, view: str) -> None:
    """The same game played with mapped ids has mapped arrays."""
    one = fourfold.make("blokus_duo", 2, autoreset="disabled", view=view)
    other = fourfold.make("blokus_duo", 2, autoreset="disabled", packed=True, view=view)
    symmetry = blokus.symmetries(one)[index]
    state, mapped = one.reset(seed=3), other.reset()
    for _ in range(50):
        assert np.array_equal(
            symmetry.mask(state.legal_action_mask),
            fourfold.unpack.mask(mapped.legal_action_mask, one.num_actions),
        )
        packed = np.packbits(state.legal_action_mask, axis=-1, bitorder="little")
        assert np.array_equal(symmetry.mask(packed), mapped.legal_action_mask)
        floats = fourfold.unpack.observation(mapped.observation, None, other)
        assert np.array_equal(symmetry.observation(state.observation), floats)
        assert np.array_equal(symmetry.pieces_left(state.pieces_left), mapped.pieces_left)
        assert np.array_equal(symmetry.rewards(state.rewards), mapped.rewards)
        observation, _ = one.observe(format="packed")
        assert np.array_equal(symmetry.observation(observation), mapped.observation)
        actions = one.sample()
        state, mapped = one.step(actions), other.step(symmetry.actions(actions))
    assert state.terminated.all() and mapped.terminated.all()


@pytest.mark.parametrize("game", ["blokus", "blokus_duo"])
def test_turns_change_the_colors_of_absolute_arrays(game: str) -> None:
    env = fourfold.make(game, 4, view="absolute")
    state = env.reset(seed=5)
    for _ in range(11):
        state = env.step(env.sample())
    colors = env.observation_shape[2] // 2 - 1
    letters = {4: "byrg", 2: "po"}[colors]
    for symmetry in blokus.symmetries(env):
        texts = []
        for position in env.positions:
            variant, turn, _rows, bonus = position.split(" ")
            grid = np.array([row.split() for row in str(Board(position)).splitlines()])
            flipped = grid.T if "transpose" in symmetry.name else grid
            turns = {"quarter turn": 1, "three-quarter turn": 3}.get(symmetry.name, 2 * ("half" in symmetry.name))
            turned = np.rot90(flipped, -turns)
            change = {letter: letters[symmetry.colors[color]] for color, letter in enumerate(letters)}
            lines = ["".join(change.get(cell, ".") for cell in line) for line in turned]
            for empty in range(len(grid), 0, -1):
                lines = [line.replace("." * empty, f"{empty} ") for line in lines]
            texts.append(" ".join([variant, change[turn], "/".join(lines).replace(" ", ""), bonus]))
        other = fourfold.make(game, 4, view="absolute")
        mapped = other.reset(positions=texts)
        assert np.array_equal(symmetry.observation(state.observation), mapped.observation)
        assert np.array_equal(symmetry.mask(state.legal_action_mask), mapped.legal_action_mask)
        assert np.array_equal(symmetry.pieces_left(state.pieces_left), mapped.pieces_left)
        assert np.array_equal(symmetry.rewards(state.scores), mapped.scores)
        assert mapped.current_player.tolist() == [symmetry.players[player] for player in state.current_player]


def test_symmetry_errors() -> None:
    mirror = blokus.symmetries(fourfold.make("blokus_duo"))[1]
    with pytest.raises(ValueError, match="expected ids from 0 to 13729, got 13730"):
        mirror.actions([3, 13_730])
    assert mirror.actions([[-1, 0]]).tolist() == [[-1, 0]]
    with pytest.raises(ValueError, match="expected a mask of 13730 actions, got 9"):
        mirror.mask(np.zeros(9, dtype=np.bool_))
    with pytest.raises(ValueError, match="expected an observation of shape"):
        mirror.observation(np.zeros((20, 20, 6)))
    with pytest.raises(TypeError, match="only Blokus has symmetries"):
        blokus.symmetries(fourfold.make("chess"))


def test_grid_round_trips() -> None:
    for size in (2, 5, 20):
        env = fourfold.make("blokus", 2, size=size, observation="none", autoreset="disabled")
        state = env.reset(seed=size)
        ids = blokus.grid_ids(size)
        assert np.array_equal(np.sort(ids[ids >= 0]), np.arange(env.num_actions - 1))
        while not state.terminated.all():
            grid = blokus.to_grid(state.legal_action_mask, size)
            assert grid.shape == (2, 91, size, size)
            assert np.array_equal(blokus.from_grid(grid), state.legal_action_mask)
            state = env.step(env.sample())
        assert np.array_equal(blokus.from_grid(blokus.to_grid(state.legal_action_mask, size)), state.legal_action_mask)
    with pytest.raises(ValueError, match="expected size from 1 to 22, got 23"):
        blokus.grid_ids(23)
    with pytest.raises(ValueError, match=r"expected a grid of shape \(…, 91, N, N\)"):
        blokus.from_grid(np.zeros((90, 5, 5), dtype=np.bool_))
    with pytest.raises(ValueError, match="expected a mask of .* actions, got 7"):
        blokus.to_grid(np.zeros(7, dtype=np.bool_), 5)


def test_undo_redo_pickle_and_copy() -> None:
    board = Board(variant="classic-3")
    rng = np.random.default_rng(0)
    positions = [board.position]
    while board.outcome is None:
        assert board.color is not None and board.turn is not None
        board.push(str(rng.choice(board.legal_moves)))
        positions.append(board.position)
    assert board.color is None and board.turn is None and all(board.finished) and board.legal_ids == []
    assert sorted(board.outcome.winners) == [player for player in range(3) if board.points[player] == max(board.points)]
    for other in (copy.deepcopy(board), pickle.loads(pickle.dumps(board)), board.copy()):
        assert other == board and other.position == board.position and other.moves == board.moves
    board.jump(30)
    assert board.position == positions[30] and Board.from_sgf(board.sgf).position == positions[30]
    assert eval(repr(board)).position == board.position
    assert Board(board.position).legal_moves == board.legal_moves
    board.jump(len(positions) - 1)
    assert board.position == positions[-1]


def test_a_board_tells_colors_apart() -> None:
    board = Board(variant="classic-2")
    assert board.colors == ("blue", "yellow", "red", "green") and board.size == 20
    board.push(["a20", "b20", "a19"])
    assert board.squares(0) == ["a20", "b20", "a19"] and board.frontier(0) == ["c19", "b18"]
    assert "V3" not in board.pieces_left(0) and len(board.pieces_left(1)) == 21
    assert board.color_points == (-86, -89, -89, -89) and board.points == (-175, -178)
    assert (board.turn, board.color, board.variant) == (1, 1, "classic-2")
    assert str(board).splitlines()[:2] == ["b b" + " ." * 18, "b" + " ." * 19]
    for player in range(2):
        assert xml.etree.ElementTree.fromstring(board.svg(player=player)).tag.endswith("svg")
    board.resign(1)
    assert board.outcome is not None and board.outcome.winners == (0,)


def test_board_errors() -> None:
    with pytest.raises(fourfold.PositionError, match="unknown variant 'duet'"):
        Board(variant="duet")
    with pytest.raises(fourfold.PositionError):
        Board("duo p 14/14 -")
    with pytest.raises(fourfold.PositionError, match="expected a position of variant duo, got two-5"):
        Board("two-5 o pp3/1p3/5/5/5 -", variant="duo")
    with pytest.raises(IndexError, match="expected color from 0 to 3, got 4"):
        Board().frontier(4)
    with pytest.raises(IndexError, match="expected player 0 or 1, got 2"):
        Board(variant="duo").resign(2)
    with pytest.raises(fourfold.IllegalMoveError, match="expected an id from 0 to 30432, got 30433"):
        Board().push(30_433)
    with pytest.raises(fourfold.PositionError, match="move 2: "):
        Board.from_sgf("(;GM[Blokus Duo];B[e8,e9,e10];W[a1])")
    with pytest.raises(ValueError, match="invalid players '2': allowed only on boards of size 20"):
        fourfold.make("blokus", players=2, size=10)
    with pytest.raises(fourfold.PositionError, match="expected a position of duo, got one of "):
        fourfold.make("blokus_duo", start=[Board().position])


def shapes_of(package: Any) -> dict[int, tuple[tuple[int, int], ...]]:
    """Returns the cells of each orientation of blokus-rl relative to its location, found by playing it."""
    rng = np.random.default_rng(1)
    shapes: dict[int, tuple[tuple[int, int], ...]] = {}
    while len(shapes) < 91:
        env = package.BlokusEnv()
        env.reset()
        while env.agents and len(shapes) < 91:
            agent = env.agent_selection
            if env.terminations[agent]:
                env.step(None)
                continue
            observation = env.observe(agent)
            legal = np.flatnonzero(observation["action_mask"])
            for action in legal if agent == "agent_0" else []:
                orientation, row, column = np.unravel_index(action, (91, 20, 20))
                if int(orientation) not in shapes:
                    after = copy.deepcopy(env)
                    after.step(int(action))
                    new = after.observe("agent_0")["observation"][0] & ~observation["observation"][0]
                    cells = np.argwhere(new) - (row, column)
                    shapes[int(orientation)] = tuple((int(down), int(right)) for down, right in cells)
            env.step(int(rng.choice(legal)))
    return shapes


def test_legal_placements_equal_blokus_rl() -> None:
    """Compares every mask and the final scores of whole random games with an independent package."""
    package = pytest.importorskip("blokus_rl")
    shapes = shapes_of(package)
    ids = {placement: id for id, placement in enumerate(blokus.cells(20))}
    # The grid of blokus-rl is rotated to the player's view, like our ids.
    id_of = np.full(91 * 400, -1)
    for orientation, shape in shapes.items():
        for place in range(400):
            moved = tuple((place // 20 + down, place % 20 + right) for down, right in shape)
            id_of[orientation * 400 + place] = ids.get(moved, -1)
    action_of = {int(id): action for action, id in enumerate(id_of) if id >= 0}
    assert len(action_of) == len(ids)
    ours = fourfold.make("blokus", 1, observation="none", autoreset="disabled")
    ours.reset(seed=9)
    compared = 0
    for _ in range(8):
        theirs = package.BlokusEnv()
        theirs.reset()
        state = ours.reset()
        while not state.terminated[0]:
            agent = theirs.agent_selection
            if theirs.terminations[agent]:
                theirs.step(None)
                continue
            assert agent == f"agent_{state.current_player[0]}"
            legal = id_of[np.flatnonzero(theirs.observe(agent)["action_mask"])]
            assert np.array_equal(np.sort(legal), np.flatnonzero(state.legal_action_mask[0]))
            compared += 1
            action = ours.sample()
            theirs.step(action_of[int(action[0])])
            state = ours.step(action)
        assert theirs._env.is_over and list(theirs._env.scores) == state.scores[0].tolist()
    assert compared > 300
