"""Bots as opponents."""

from __future__ import annotations

import copy
import pickle
import threading
from typing import Any

import numpy as np
import pytest

import fourfold

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("chess", {}),
    ("chess", {"preset": "legacy"}),
    ("chess", {"view": "absolute"}),
    ("four_player", {}),
    ("four_player", {"mode": "teams", "actions": "flat"}),
    ("four_player", {"preset": "legacy", "king_capture": "forbid", "mate_timing": "immediate"}),
    ("blokus", {}),
    ("blokus", {"players": 2}),
    ("blokus", {"players": 3}),
    ("blokus", {"size": 9, "free_starts": True}),
    ("blokus_duo", {}),
    ("blokus_duo", {"size": 8, "view": "absolute"}),
]


def name(case: Any) -> str:
    return str(case)


@pytest.mark.parametrize("game, options", GAMES, ids=name)
@pytest.mark.parametrize("level", ["random", "greedy"])
def test_actions_are_legal_under_all_options(game: str, options: dict[str, Any], level: str) -> None:
    env = fourfold.make(game, num_envs=3, observation="none", **options)
    bot = fourfold.Bot(game, level, seed=5)
    state = env.reset(seed=1)
    for _ in range(40):
        actions = bot.act(env)
        assert actions.dtype == np.int32 and actions.shape == (3,)
        assert state.legal_action_mask is not None
        assert state.legal_action_mask[np.arange(3), actions].all()
        state = env.step(actions)


@pytest.mark.parametrize("game", ["chess", "four_player", "blokus", "blokus_duo"])
def test_every_level_plays(game: str) -> None:
    for level, about in fourfold.Bot.levels(game).items():
        # In teams, all levels but networks are available.
        options = {"mode": "teams"} if game == "four_player" and level != "learned" else {}
        env = fourfold.make(game, num_envs=2, **options)
        state = env.reset(seed=0)
        bot = fourfold.Bot(game, level, nodes=20)
        assert bot.level == level and bot.nodes == 20 and bot.game == game and about
        assert state.legal_action_mask is not None
        assert state.legal_action_mask[np.arange(2), bot.act(env)].all(), level


@pytest.mark.parametrize("game, games", [("chess", 6), ("blokus_duo", 6)])
def test_greedy_beats_random_from_both_seats(game: str, games: int) -> None:
    first = fourfold.rollout(game, games, seed=2, players=["greedy", "random"])
    second = fourfold.rollout(game, games, seed=2, players=["random", "greedy"])
    assert first.games == second.games == games
    won = first.wins[0] + second.wins[1]
    lost = first.wins[1] + second.wins[0]
    assert won > lost and won >= games, (first, second)
    assert sum(first.endings.values()) == games


def test_stronger_bot_wins() -> None:
    strong = fourfold.Bot("chess", "club", nodes=3000)
    found = fourfold.make("chess").rollout(2, seed=0, players=["beginner", strong])
    assert found.wins == (0, 2)


def test_four_players_in_their_seats() -> None:
    found = fourfold.make("blokus").rollout(4, seed=1, players=["random", "random", "greedy", "random"])
    assert found.wins[2] == max(found.wins) > 0
    assert len(found.wins) == 4


@pytest.mark.parametrize("game", ["chess", "four_player", "blokus_duo"])
def test_the_number_of_threads_changes_nothing(game: str) -> None:
    def played(threads: int) -> tuple[list[str], fourfold.Rollout]:
        env = fourfold.make(game, num_envs=20, num_threads=threads)
        bot = fourfold.Bot(game, "greedy", seed=9)
        env.reset(seed=4)
        for _ in range(6):
            env.step(bot.act(env))
        players = ["greedy", "random"] * (env.num_players // 2)
        return env.positions, env.rollout(5, seed=8, players=players)

    one = played(1)
    assert one == played(2)
    assert one == played(5)


def test_randomness_differs_by_seed_game_and_call() -> None:
    env = fourfold.make("chess", num_envs=8)
    bot, same, other = (fourfold.Bot("chess", "random", seed=seed) for seed in (1, 1, 2))
    first = bot.act(env)
    assert len(set(first.tolist())) > 1, "games differ"
    assert (same.act(env) == first).all()
    assert (other.act(env) != first).any()
    assert (bot.act(env) != first).any(), "calls differ"
    seeds = [env.rollout(3, seed=seed, players=["greedy", "random"]) for seed in (1, 1, 2)]
    assert seeds[0] == seeds[1] != seeds[2]


def test_rollout_without_players_is_random() -> None:
    env = fourfold.make("blokus", players=2)
    assert env.rollout(5, seed=3) == fourfold.rollout("blokus", 5, seed=3, players=2)
    chance = fourfold.rollout("chess", 50, seed=3)
    assert chance == fourfold.rollout("chess", 50, seed=3, players=["random", "random"])


def test_act_respects_where() -> None:
    env = fourfold.make("chess", num_envs=4)
    bot = fourfold.Bot("chess", "greedy")
    where = np.array([True, False, True, False])
    actions = bot.act(env, where=where)
    assert ((actions >= 0) == where).all()
    with pytest.raises(fourfold.IllegalActionError, match="game 1"):
        env.step(actions)
    assert (bot.act(env, where=np.zeros(4, dtype=bool)) == -1).all()


def test_act_returns_zero_in_finished_games() -> None:
    env = fourfold.make("chess", num_envs=2, autoreset="disabled")
    mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
    start = env.positions[0]
    env.reset(positions=[mated, start])
    actions = fourfold.Bot("chess").act(env)
    assert actions[0] == 0
    env.step(actions)


def test_bots_play_on_in_positions_drawn_only_by_fide_rules() -> None:
    env = fourfold.make("chess", num_envs=2, preset="legacy", start=["8/8/4k3/8/8/3K4/8/8 w - - 0 1"])
    state = env.reset(seed=0)
    actions = fourfold.Bot("chess", "club").act(env)
    assert state.legal_action_mask is not None
    assert state.legal_action_mask[np.arange(2), actions].all()
    found = env.rollout(2, players=["club", "greedy"])
    assert found.truncated == 2 and found.steps == 200


def test_rollouts_start_where_the_environment_does() -> None:
    env = fourfold.make("chess", start=["6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1"])
    found = env.rollout(3, players=["greedy", "random"])
    assert found.steps == 3 and found.wins == (3, 0) and found.endings["checkmate"] == 3


@pytest.mark.parametrize("game", ["kung_fu", "kung_fu_4p"])
def test_bots_in_simultaneous_games(game: str) -> None:
    env = fourfold.make(game, 3, speed="lightning")
    env.reset(seed=1)
    bot, wait = fourfold.Bot(game, "fighter", seed=2), env.num_actions - 1
    where = np.zeros((3, env.num_players), dtype=bool)
    where[1] = True
    orders = 0
    for _ in range(40):
        actions = bot.act(env, where)
        assert (actions[~where] == -1).all() and actions.shape == where.shape
        orders += int((actions[1] != wait).sum())
        state = env.step(np.where(where, actions, wait))
    # About one order every 18 ticks, with three ticks per step.
    assert 0.5 < orders / (40 * env.num_players * 3 / 18) < 1.5
    assert state.move_valid.all()
    with pytest.raises(ValueError, match="where"):
        bot.act(env, where[0])


def test_kung_fu_bot_strength() -> None:
    def won(*players: str, **options: Any) -> fourfold.Rollout:
        return fourfold.rollout("kung_fu", 6, seed=0, players=players, speed="lightning", **options)

    assert won("master", "random").wins == (6, 0)
    assert won("novice", "master").wins[1] >= 5
    assert won("random", "greedy", num_threads=1) == won("random", "greedy", num_threads=2)


def test_errors_name_the_problem() -> None:
    with pytest.raises(ValueError, match="unknown environment 'ches'"):
        fourfold.Bot("ches")
    with pytest.raises(ValueError, match="unknown level 'grand': expected one of random, beginner, greedy"):
        fourfold.Bot("chess", "grand")
    with pytest.raises(ValueError, match="expected nodes from 1 to .*, got 0"):
        fourfold.Bot("chess", nodes=0)
    with pytest.raises(TypeError, match="expected level to be a string, got 3"):
        fourfold.Bot("chess", 3)  # type: ignore[arg-type]
    bot, env = fourfold.Bot("chess"), fourfold.make("blokus_duo", num_envs=2)
    with pytest.raises(ValueError, match="a bot for chess cannot play blokus_duo"):
        bot.act(env)
    with pytest.raises(ValueError, match="a bot for chess cannot play blokus_duo"):
        env.rollout(1, players=["random", bot])
    with pytest.raises(TypeError, match="expected an Environment, got str"):
        bot.act("chess")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="expected 2 players, got 3"):
        env.rollout(1, players=["greedy"] * 3)
    with pytest.raises(ValueError, match="unknown level 'expert': expected one of"):
        env.rollout(1, players=["greedy", "expert"])
    with pytest.raises(TypeError, match="expected players to be a list with one entry per player, got 'greedy'"):
        env.rollout(1, players="greedy")
    with pytest.raises(TypeError, match="expected players to be levels, bots or policies, got 7"):
        env.rollout(1, players=["greedy", 7])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="expected where to have shape"):
        fourfold.Bot("blokus_duo").act(env, where=[True])


def test_threads_may_share_a_bot() -> None:
    bot = fourfold.Bot("chess", "greedy", seed=3)
    failed: list[BaseException] = []

    def play() -> None:
        try:
            env = fourfold.make("chess", num_envs=4)
            for _ in range(20):
                env.step(bot.act(env))
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=play) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed


def test_pickled_bots_continue_alike() -> None:
    env = fourfold.make("chess", num_envs=8)
    for bot in (fourfold.Bot("chess", "random", seed=1), fourfold.Bot("chess", "random")):
        bot.act(env)
        copies = [pickle.loads(pickle.dumps(bot)), copy.deepcopy(bot)]
        expected = [bot.act(env).tolist() for _ in range(3)]
        assert expected[0] != expected[1]
        for other in copies:
            assert [other.act(env).tolist() for _ in range(3)] == expected
    weak = pickle.loads(pickle.dumps(fourfold.Bot("chess", "club", nodes=7, seed=2)))
    assert (weak.game, weak.level, weak.nodes) == ("chess", "club", 7)


def test_bots_can_draw_from_the_streams_of_games() -> None:
    """Actions then depend on the games alone, not on the bot nor on the other games of the batch."""

    def play(env: fourfold.Environment, bot: fourfold.Bot, where: Any = None) -> list[list[int]]:
        return [bot._act(env, where, games_streams=True).tolist() for _ in range(3)]

    whole, part = fourfold.make("chess", num_envs=6, num_threads=1), fourfold.make("chess", num_envs=2, num_threads=2)
    whole.reset(seed=3)
    part.reset(seed=3, first_game=4)
    bot = fourfold.Bot("chess", "random", seed=1)
    calls = bot._bot.calls()
    asked = np.array([False, True, False, False, True, True])
    expected = play(whole, bot, asked)
    assert bot._bot.calls() == calls
    assert [row[4:] for row in expected] == play(part, fourfold.Bot("chess", "random", seed=2))
    assert expected[0] != expected[1] != expected[2]
    # Where the bot was not asked, nothing was drawn.
    fresh = fourfold.make("chess", num_envs=6)
    fresh.reset(seed=3)
    assert (whole.sample() == fresh.sample())[~asked].all()


def test_club_level_requires_teams() -> None:
    club = fourfold.Bot("four_player", "club", nodes=50)
    teams = fourfold.make("four_player", 2, mode="teams")
    teams.reset(seed=1)
    assert (club.act(teams) >= 0).all()
    alone = fourfold.make("four_player", 2)
    alone.reset(seed=1)
    with pytest.raises(ValueError, match="club"):
        club.act(alone)


def test_searches_are_reported() -> None:
    board = fourfold.chess.Board("2r3k1/5ppp/8/8/8/8/3R4/K2R4 w - - 0 1")
    found = fourfold.Bot("chess", "master", nodes=5000).think(board, lines=3)
    assert found.move == "d2d8" and found.depth >= 3 and found.seconds > 0
    assert 0 < found.nodes <= 5001 and len(found.lines) == 3
    best, second, _ = found.lines
    assert best.mate == 2 and best.points is None and best.winning_chances == 1
    assert best.moves[0] == found.move and len(best.moves) == 3
    assert second.mate is None and second.points is not None and 0 < second.winning_chances < 1
    assert fourfold.Bot("chess", "random").think(board).lines == ()


@pytest.mark.parametrize(
    "game, board",
    [
        ("four_player", fourfold.four_player.Board()),
        ("four_player", fourfold.four_player.Board(mode="teams")),
        ("blokus", fourfold.blokus.Board()),
        ("blokus_duo", fourfold.blokus.Board(variant="duo")),
    ],
)
def test_every_board_can_be_thought_about(game: str, board: Any) -> None:
    for level in ("greedy", "master"):
        bot = fourfold.Bot(game, level, seed=1, nodes=50)
        found = [bot.think(board), fourfold.Bot(game, level, seed=1, nodes=50).think(board)]
        assert found[0].move == found[1].move and found[0].move in board.legal_moves
    board.push(found[0].move)
    assert fourfold.Bot(game, seed=1).think(board).move in board.legal_moves


def test_bots_see_repetitions_on_boards() -> None:
    # White has a rook against a queen. Its rook on a2 would be the third occurrence of that position.
    board = fourfold.chess.Board("1q4k1/5ppp/8/8/8/8/3R1PPP/6K1 w - - 0 1")
    for move in ("d2a2", "b8b7", "a2a1", "b7b8", "a1a2", "b8b7", "a2a1", "b7b8"):
        board.push(move)
    new = fourfold.chess.Board(board.fen)
    bot = fourfold.Bot("chess", "master", seed=1, nodes=20_000)
    found = bot.think(board)
    assert found.move == "a1a2" and found.lines[0].winning_chances == 0.5
    assert bot.think(new).lines[0].winning_chances < 0.45


def test_time_limits_searches() -> None:
    board = fourfold.chess.Board()
    bot = fourfold.Bot("chess", "master", movetime=0.05)
    assert bot.movetime == 0.05 and bot.nodes == 2**63 - 1
    found = bot.think(board)
    assert 0.04 < found.seconds < 5 and found.nodes > 100
    env = fourfold.make("chess", num_envs=2)
    env.reset(seed=0)
    assert (bot.act(env) >= 0).all()
    both = fourfold.Bot("chess", "master", movetime=60.0, nodes=200)
    assert both.think(board).nodes <= 201 and both.nodes == 200
    assert repr(both) == "<fourfold.Bot chess, master, 60 s, 200 nodes>"
    assert repr(bot) == "<fourfold.Bot chess, master, 0.05 s>"
    assert pickle.loads(pickle.dumps(bot)).movetime == 0.05
    quick = fourfold.Bot("chess", "master", movetime=0.001)
    assert fourfold.rollout("chess", 1, players=[quick, "random"], max_steps=6).games == 1


def test_what_cannot_be_thought_about_is_an_error() -> None:
    board = fourfold.chess.Board()
    with pytest.raises(ValueError, match="a bot for blokus cannot play on a board of chess"):
        fourfold.Bot("blokus").think(board)
    with pytest.raises(ValueError, match="unknown level 'club'"):
        fourfold.Bot("four_player", "club").think(fourfold.four_player.Board())
    with pytest.raises(TypeError, match="expected board to be a board"):
        fourfold.Bot("chess").think("e4")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="expected lines"):
        fourfold.Bot("chess").think(board, lines=0)
    for move in ("f3", "e5", "g4", "Qh4#"):
        board.push(move)
    with pytest.raises(ValueError, match="the game is already over: checkmate"):
        fourfold.Bot("chess").think(board)
    for movetime in (0, -1.0, float("nan"), 1e300):
        with pytest.raises(ValueError, match="movetime"):
            fourfold.Bot("chess", movetime=movetime)
    with pytest.raises(TypeError, match="expected movetime to be a number"):
        fourfold.Bot("chess", movetime="1")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="movetime is only for turn-based games"):
        fourfold.Bot("kung_fu", movetime=1.0)


def test_orders_follow_decisions_after_the_reaction_time() -> None:
    env = fourfold.make("kung_fu", 2, speed="lightning", interval=1)
    env.reset(seed=1)
    at_once, late = (fourfold.Bot("kung_fu", "greedy", seed=3, reaction=reaction) for reaction in (0.0, 0.25))
    wait = env.num_actions - 1
    assert late.reaction == 0.25 and pickle.loads(pickle.dumps(late)).reaction == 0.25
    kept: dict[tuple[int, int], tuple[int, int]] = {}
    given = dropped = 0
    for tick in range(150):
        chosen, actions = at_once.act(env), late.act(env)
        for game, player in np.ndindex(2, 2):
            if (game, player) not in kept and chosen[game, player] != wait:
                kept[game, player] = (tick, int(chosen[game, player]))
            decided, order = kept.get((game, player), (tick, wait))
            # A quarter of a second is eight ticks.
            due = (game, player) in kept and tick == decided + 8
            assert actions[game, player] in ([wait, order] if due else [wait])
            if due:
                del kept[game, player]
                given += int(actions[game, player] == order)
                dropped += int(actions[game, player] == wait)
        state = env.step(actions)
        assert state.move_valid.all() and not state.terminated.any()
    assert given > 10 > dropped
    # Decisions of an earlier game are forgotten.
    late.act(env)
    env.reset(seed=2)
    assert (late.act(env) == wait).all()


def test_reaction_times_are_checked() -> None:
    with pytest.raises(ValueError, match="reaction is only for kung fu chess, not chess"):
        fourfold.Bot("chess", reaction=0.25)
    with pytest.raises(ValueError, match="expected reaction from 0 to 3600 seconds, got -1"):
        fourfold.Bot("kung_fu", reaction=-1)
    with pytest.raises(ValueError, match=r"can play only with Bot\.act"):
        fourfold.rollout("kung_fu", 1, players=[fourfold.Bot("kung_fu", reaction=0.25), "random"])
