"""A whole process that loads an artifact and gives one answer, beside an empty one: `python -m tests.bench start`.

Processes take turns; their compiled files are there, as after any first run. What is told is the time of the processor,
which others on the machine lengthen less than the time of the clock.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory

RUNTIME = Path(__file__).parents[2] / "runtime"
ROUNDS = 41
ASK = (
    "import sys; sys.path.insert(0, {runtime!r})\n"
    "import houserule\n"
    "print(houserule.load({file!r}).number({number!r}).value({facts!r}))\n"
)


def once(code: str) -> float:
    """Seconds of the processor that a process takes."""
    environment = {key: each for key, each in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-I", "-c", code], check=True, capture_output=True, env=environment)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def report(artifacts: dict[str, tuple[bytes, str, dict[str, object]]], others: dict[str, str]) -> None:
    """Prints a line for each artifact: what it takes, and that above an empty interpreter of the same round.

    `others` are programs of peers that answer one small question, by their names.
    """
    with TemporaryDirectory() as folder:
        codes: dict[str, str] = {"an empty interpreter": "pass"}
        for at, (title, (artifact, number, facts)) in enumerate(artifacts.items()):
            file = Path(folder) / f"{at}.json"
            file.write_bytes(artifact)
            codes[title] = ASK.format(runtime=str(RUNTIME), file=str(file), number=number, facts=facts)
        codes |= others
        for code in codes.values():
            once(code)
        rounds = [{title: once(code) for title, code in codes.items()} for _ in range(ROUNDS)]
        told(rounds, lambda one: one["an empty interpreter"])


def told(rounds: list[dict[str, float]], empty: Callable[[dict[str, float]], float]) -> None:
    """Prints the medians."""
    print(f"{'':40}{'whole':>12}{'above empty':>14}")
    for title in rounds[0]:
        whole = statistics.median(each[title] for each in rounds)
        above = statistics.median(each[title] - empty(each) for each in rounds)
        print(f"{title:40}{whole * 1e3:10.1f}ms{above * 1e3:12.1f}ms")
