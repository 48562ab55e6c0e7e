"""The notebook that trains a network by PPO in one compiled function runs, and is stored with its learning curve."""

from __future__ import annotations

import base64
import pathlib
import re
from typing import Any

import pytest

pytest.importorskip("jax")
pytest.importorskip("matplotlib")
pytest.importorskip("ipykernel")
nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")

NOTEBOOK = pathlib.Path(__file__).parent.parent / "examples" / "ppo_jax.ipynb"

SHORT = "seeds, updates, games, steps, minibatches, hidden = [0, 1], 2, 16, 8, 2, 8"


def outputs(notebook: Any) -> list[Any]:
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]


def printed(notebook: Any) -> str:
    return "".join(output["text"] for output in outputs(notebook) if output["output_type"] == "stream")


def pictures(notebook: Any) -> list[bytes]:
    """Returns the PNG files that a notebook shows."""
    shown = (output.get("data", {}).get("image/png") for output in outputs(notebook))
    return [base64.b64decode(data) for data in shown if data is not None]


def test_the_notebook_runs() -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    (settings,) = (
        index for index, cell in enumerate(notebook.cells) if "parameters" in cell["metadata"].get("tags", [])
    )
    notebook.cells.insert(settings + 1, nbformat.v4.new_code_cell(SHORT))
    # Raises an error if a cell does.
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    text = printed(notebook)
    assert text.count("compiled once in") == 1
    assert re.findall(r"seed (\d): 2 updates", text) == ["0", "1"]
    assert re.search(r"score against a random player: 0\.\d\d in the first update", text)
    assert len(pictures(notebook)) == 1


def test_the_stored_notebook_shows_its_learning_curve() -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    assert all(output["output_type"] in ("stream", "display_data") for output in outputs(notebook))
    assert all(output["name"] == "stdout" for output in outputs(notebook) if output["output_type"] == "stream")
    (picture,) = pictures(notebook)
    assert picture.startswith(b"\x89PNG") and 5_000 < len(picture) < 60_000
    scores = re.search(r"([\d.]+) in the first update, ([\d.]+) in the last", printed(notebook))
    assert scores is not None
    first, last = map(float, scores.groups())
    assert first < 0.6 and last >= 0.9
