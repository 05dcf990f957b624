"""Runs the examples, and the Python code of the README."""

import pathlib
import re
import runpy

import pytest

FOLDER = pathlib.Path(__file__).parent.parent


def test_every_example_runs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    monkeypatch.chdir(tmp_path)
    files = sorted((FOLDER / "examples").glob("*.py"))
    for file in files:
        runpy.run_path(str(file))
        assert capsys.readouterr().out
    assert len(files) == 6


def test_the_code_of_the_readme_prints_the_results_beside_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (FOLDER / "README.md").read_text(), re.DOTALL)
    names: dict[str, object] = {}
    printed = 0
    for block in blocks:
        exec(block, names)
        expected = re.findall(r"print\(.*\) +# (.*)", block)
        assert capsys.readouterr().out.splitlines() == expected
        printed += len(expected)
    assert (len(blocks), printed) == (5, 4)
