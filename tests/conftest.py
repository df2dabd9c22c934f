"""Options and fixtures of the tests.

`pytest --accept` writes what comes of literate cases into them; read every line of the difference.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from friday import RULES, Ran, Run
from houserule_compiler.cli import main

# No test reads or writes the cache of whoever runs them, nor has an answer from an earlier test.
os.environ["HOUSERULE_CACHE"] = "off"

# No property is a timed test: how long an example takes says something of the machine, not of the code.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--accept", action="store_true", help="write the outcome of literate cases into their files")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """As many processes as there are processors; but one alone writes into a file of cases, which holds many."""
    return 0 if config.getoption("--accept") else None


@pytest.fixture
def accepts(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--accept"))


@pytest.fixture
def friday_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which commands run, with `friday.yaml` in it, and nothing set that changes what they do."""
    for name in ("CI", "HOUSERULE_PATH", "HOUSERULE_TRACEBACK"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "friday.yaml").write_text(RULES)
    return tmp_path


@pytest.fixture
def run(friday_folder: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command of `houserule` in that folder."""

    def ran(*words: str) -> Ran:
        capsys.readouterr()
        code = main(list(words))
        return Ran(code, *capsys.readouterr())

    return ran
