"""Runs the binary `overmate`, so that tests can compare the Python package with it, and interrupts calls."""

import json
import os
import pathlib
import random
import signal
import subprocess
import threading
from typing import Any

import pytest

BINARY = os.environ["OVERMATE_BINARY"]
REPOSITORY = pathlib.Path(os.environ["OVERMATE_REPOSITORY"])

#: A small deck, whose deals the naive search solves quickly.
SMALL = """
name = "small"
rounds = 1
[deck]
suits = [{ letter = "c", name = "clubs" }, { letter = "d", name = "diamonds" }]
ranks = [
  { letter = "A", name = "ace", value = 11 },
  { letter = "K", name = "king", value = 4 },
  { letter = "Q", name = "queen", value = 3 },
  { letter = "7", name = "seven", value = 7 },
]
[foreplacing]
face = "up"
second_restricted = true
sole = "one-move-more"
overmate = "either"
"""


def binary(*arguments: object) -> list[dict[str, Any]]:
    """Returns the JSON objects that the command `overmate` prints, one from each line of its output."""
    return [json.loads(line) for line in output(*arguments).splitlines()]


def output(*arguments: object) -> str:
    """Runs the command `overmate` with the given arguments, and returns the text that the command prints."""
    command = [BINARY, *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def refusal(*arguments: object) -> str:
    """Returns the error text of a command that fails."""
    command = [BINARY, *map(str, arguments)]
    result = subprocess.run(command, check=False, capture_output=True, text=True)
    assert result.returncode != 0, result.stdout
    return result.stderr


def receive_interrupts(request: pytest.FixtureRequest) -> None:
    """Installs Python's default handler for the signal SIGINT during a test.

    A process that a shell starts in the background ignores this signal.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    request.addfinalizer(lambda: signal.signal(signal.SIGINT, before))


def interrupt_after(seconds: float) -> None:
    """Sends the signal of Ctrl-C to this process after a time."""
    threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)).start()


def generator(seed: int = 1) -> random.Random:
    """Returns a generator of random numbers that is the same in each run."""
    return random.Random(seed)
