"""Checks the metadata of the installed package."""

import importlib.metadata


def test_one_wheel_serves_the_oldest_python_and_all_later_ones() -> None:
    package = importlib.metadata.distribution("overmate")
    oldest = package.metadata["Requires-Python"].removeprefix(">=").replace(".", "")
    assert oldest == "310"
    assert f"Tag: cp{oldest}-abi3-" in (package.read_text("WHEEL") or "")
    compiled = [file.name for file in package.files or [] if "_overmate." in file.name]
    assert sorted(compiled) == ["_overmate.abi3.so", "_overmate.pyi"]
