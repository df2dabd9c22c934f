"""`pytest --accept` writes what comes of literate cases into them; read every line of the difference."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--accept", action="store_true", help="write the outcome of literate cases into their files")


@pytest.fixture
def accepts(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--accept"))
