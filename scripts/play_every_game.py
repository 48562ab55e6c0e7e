"""Plays some moves of every game, to check that the installed package is complete."""

from __future__ import annotations

import fourfold


def main() -> None:
    for game in fourfold.GAMES:
        env = fourfold.make(game, num_envs=4)
        state = env.reset(seed=0)
        for _ in range(20):
            state = env.step(env.sample())
        assert state.move_valid.all(), game
        search = fourfold.Search(env, simulations=10)
        search.run("uniform")
        state = env.step(search.actions())
        assert state.move_valid.all(), game
        # Only turn-based games are tried with a bot.
        if state.current_player[0] >= 0:
            state = env.step(fourfold.Bot(game, "greedy").act(env))
            assert state.move_valid.all(), game
        print(f"{env.id}: {env.num_players} players, {env.num_actions} actions")
    assert fourfold.chess.Board().perft(3) == 8902
    assert fourfold.four_player.Board().perft(2) > 0
    assert fourfold.blokus.Board(variant="duo").perft(1) == 414
    assert fourfold.chess.Board("r3k3/2N5/8/8/6b1/7P/8/4K3 b - - 0 1").analysis().black.hanging == ["g4", "a8"]
    game = fourfold.kung_fu.Game("8x8 lightning")
    game.order(1, "N:1:7:6", (5, 5))
    assert len(game.advance_to(100)) == 2
    print(f"fourfold {fourfold.__version__} plays every game")


if __name__ == "__main__":
    main()
