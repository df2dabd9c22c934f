"""Options and fixtures of the tests.

`pytest --accept` writes what comes of literate cases into them; read every line of the difference.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from friday import RULES, Ran, Run
from houserule_compiler.cli import main


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--accept", action="store_true", help="write the outcome of literate cases into their files")


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
