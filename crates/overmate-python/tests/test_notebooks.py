"""Runs the notebooks, whose cells check their own results."""

import pathlib

import nbclient
import nbformat
import pytest

FOLDER = pathlib.Path(__file__).parent.parent / "notebooks"


def test_every_notebook_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROUNDS", "8")
    files = sorted(FOLDER.glob("*.ipynb"))
    for file in files:
        notebook = nbformat.read(file, as_version=4)  # type: ignore[no-untyped-call]
        assert all(not cell.get("outputs") for cell in notebook.cells), f"{file} has outputs"
        nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
        plotted = [
            output
            for cell in notebook.cells
            for output in cell.get("outputs", [])
            if "image/png" in output.get("data", {})
        ]
        assert plotted, f"{file} plots nothing"
    assert len(files) == 2
