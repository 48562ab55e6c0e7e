"""Notebook output: boards, environments, states, animations and progress bars."""

from __future__ import annotations

import pathlib
import xml.etree.ElementTree as ElementTree
from typing import Any

import nbclient
import nbformat
import pytest

import fourfold
from fourfold import blokus, chess, four_player, kung_fu

EXAMPLES = pathlib.Path(__file__).parent.parent / "examples"
SVG = "{http://www.w3.org/2000/svg}"


def pieces(svg: str) -> int:
    return len(ElementTree.fromstring(svg).findall(f".//{SVG}use"))


@pytest.mark.parametrize("game", fourfold.GAMES)
def test_every_environment_shows_its_games(game: str) -> None:
    env = fourfold.make(game, 10)
    env.reset(seed=1)
    for _ in range(8):
        state = env.step(env.sample())
    page = env._repr_html_()
    assert page.count("<svg ") == 8 and "and 2 more" in page
    assert env.svg(9) != env.svg(8)
    assert env.svg(0, player=env.num_players - 1) != env.svg(0)
    assert 'width="120"' in env.svg(0, size=120)
    for wrong in ({"game": 10}, {"player": 4}, {"size": 1}, {"theme": "pink"}):
        with pytest.raises((ValueError, IndexError)):
            env.svg(**wrong)  # type: ignore[arg-type]
    html = state._repr_html_()
    assert "legal_action_mask" in html and "_numbers" not in html
    assert "float32 10 × " in html and "[False" in html


def test_an_environment_shows_the_board_of_its_position() -> None:
    env = fourfold.make("chess", 2)
    env.reset(positions=["8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", "8/8/8/4k3/8/8/8/4K3 w - - 0 1"])
    assert [pieces(env.svg(game)) for game in range(2)] == [3, 2]
    assert env.svg(0, size=400) == chess.Board("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1").svg()


def test_kung_fu_shows_moving_and_resting_pieces() -> None:
    game = kung_fu.Game("8x8 lightning")
    game.order(1, "P:1:6:4", (4, 4))
    game.advance_to(4)
    flying = ElementTree.fromstring(game.svg())
    assert len(flying.findall(f".//{SVG}g[@data-part='flights']/{SVG}use")) == 1
    game.advance_to(20)
    resting = ElementTree.fromstring(game._repr_svg_())
    assert len(resting.findall(f".//{SVG}rect[@data-part='rest']")) == 1
    assert game.svg(player=2) != game.svg(player=1)
    with pytest.raises(IndexError, match="unknown player 3: expected one of 1, 2"):
        game.svg(player=3)


def games() -> list[Any]:
    board = chess.Board()
    for move in ["e4", "e5", "Qh5", "Ke7", "Qxe5#"]:
        board.push(move)
    duo, four, live = blokus.Board(variant="duo"), four_player.Board(), kung_fu.Game("8x8 lightning")
    for table in (duo, four):
        for _ in range(6):
            table.push(table.legal_moves[0])
    live.order(2, "P:2:1:0", (3, 0))
    live.advance_to(30)
    return [board, duo, four, live]


@pytest.mark.parametrize("board", games(), ids=lambda board: type(board).__module__)
def test_animation_ends_with_the_board(board: Any, tmp_path: pathlib.Path) -> None:
    film = board.animation(size=300, hold=1.0)
    root = ElementTree.fromstring(film.svg)
    assert root.findall(f".//{SVG}animate")
    # Keep what viewers without animation support show.
    for group in root.iter(f"{SVG}g"):
        for part in list(group):
            if part.get("visibility") == "hidden":
                group.remove(part)
    for part in [part for part in root if part.get("visibility") == "hidden"]:
        root.remove(part)
    assert pieces(ElementTree.tostring(root, encoding="unicode")) == pieces(board.svg())
    film.save(tmp_path / "game.svg")
    film.save(tmp_path / "game.html")
    assert (tmp_path / "game.svg").read_text() == film.svg
    assert film.svg in (tmp_path / "game.html").read_text()
    with pytest.raises(ValueError, match="ends with .svg or .html"):
        film.save(tmp_path / "game.gif")
    one, two = film._repr_html_(), film._repr_html_()
    assert one != two and one.count("setCurrentTime") == 1


def test_animation_durations() -> None:
    board = games()[0]
    assert board.animation(seconds=0.5, hold=1.5).duration == 4.5
    assert board.animation(player=1).svg != board.animation().svg
    with pytest.raises(ValueError, match="expected seconds from 0 to 3600, got -1"):
        board.animation(seconds=-1)
    live = games()[3]
    assert live.animation(ticks=10, hold=0).duration == pytest.approx(4 / 3, abs=0.01)
    assert live.animation(ticks=10, hold=0, speed=2.0).duration == pytest.approx(2 / 3, abs=0.01)
    with pytest.raises(ValueError, match="expected ticks from 1 to 100000, got 0"):
        live.animation(ticks=0)
    with pytest.raises(ValueError, match="no replay"):
        kung_fu.Game.from_snapshot(live.snapshot()).animation()


def test_progress_does_not_change_rollouts(capsys: pytest.CaptureFixture[str]) -> None:
    reported: list[tuple[int, int]] = []
    whole = fourfold.rollout("chess", 250, seed=4)
    assert fourfold.rollout("chess", 250, seed=4, progress=lambda *done: reported.append(done)) == whole
    assert len(reported) == 100 and reported[-1] == (250, 250) and reported == sorted(reported)
    assert fourfold.rollout("chess", 250, seed=4, progress=True) == whole
    assert "250" in capsys.readouterr().err
    assert fourfold.rollout("chess", 0, progress=True).games == 0


def test_the_notebook_shows_boards_of_all_games() -> None:
    notebook = nbformat.read(EXAMPLES / "boards.ipynb", as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "outputs are not kept in the tree"
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    shown = [
        output.get("data", {})
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if output.output_type in ("execute_result", "display_data")
    ]
    pictures = [data["image/svg+xml"] for data in shown if "image/svg+xml" in data]
    titles = [ElementTree.fromstring(svg).findtext(f"{SVG}title") for svg in pictures]
    assert {"chess", "four-player", "kung fu chess"} <= set(titles)
    assert "blokus-duo" in titles
    films = [data["text/html"] for data in shown if "setCurrentTime" in data.get("text/html", "")]
    assert len(films) >= 2
