"""Every fuzz target on what is kept of earlier runs, and on inputs of chance; CONTRIBUTING.md tells of longer runs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzz.driving import CORPUS, SECONDS, TARGETS, Run, corpus, mutated, target

ROOT = Path(__file__).parent.parent
KEPT = [(name, each) for name in TARGETS for each in corpus(name)]
RUNS = 30


@pytest.mark.parametrize(("name", "file"), KEPT, ids=lambda each: each.name if isinstance(each, Path) else each)
def test_what_was_found_once_is_found_no_more(name: str, file: Path) -> None:
    target(name).one_input(file.read_bytes())


def test_every_target_has_a_corpus() -> None:
    assert {each.name for each in CORPUS.iterdir()} == set(TARGETS)
    assert all(any(name == each for each, _ in KEPT) for name in TARGETS)


@pytest.mark.parametrize("name", TARGETS)
def test_its_seeds_and_changes_of_them(name: str) -> None:
    module, chance = target(name), Random(0)
    seeds = list(module.seeds())
    for data in chance.sample(seeds, min(RUNS, len(seeds))):
        module.one_input(data)
    for _ in range(RUNS):
        module.one_input(mutated(seeds, chance))


@pytest.mark.parametrize("name", TARGETS)
def test_bytes_of_any_kind(name: str) -> None:
    module = target(name)

    @settings(max_examples=RUNS)
    @given(st.binary(max_size=60))
    def each(data: bytes) -> None:
        module.one_input(data)

    each()


@pytest.mark.parametrize("name", [each for each in TARGETS if hasattr(target(each), "made")])
def test_what_is_made_can_be_tried_again(name: str) -> None:
    """An input is kept as it was tried, so that it means the same when seeds have changed."""
    module, chance = target(name), Random(1)
    for _ in range(20):
        made = module.made(chance.randbytes(40))
        assert module.made(made) == made


class Raising:
    """A target that fails on some inputs."""

    __name__ = "fuzz.raising"

    def one_input(self, data: bytes) -> None:
        if data == b"slow":
            while True:
                pass
        if data.startswith(b"!"):
            raise KeyError(data)


def test_a_run_keeps_each_finding_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fuzz.driving.SECONDS", 0.05)
    run = Run(Raising(), tmp_path, 5)  # type: ignore[arg-type]
    for data in (b"!one", b"!two", b"fine", b"slow", b"slow"):
        run.one_input(data)
    assert run.summary("x") == "raising: 5 executions, 2 findings (x)"
    kept = {each.read_bytes() for each in tmp_path.iterdir() if not each.suffix}
    assert kept == {b"!one", b"slow"}
    assert any("KeyError" in each.read_text() for each in tmp_path.glob("*.txt"))
    assert SECONDS == 10


def test_the_command(tmp_path: Path) -> None:
    words = ["expression", "--unguided", "--seconds", "0.2", "--findings", str(tmp_path / "found")]
    found = subprocess.run(
        [sys.executable, "-m", "tests.fuzz", *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found
    assert "expression: " in found.stdout
    assert "0 findings (inputs of chance)" in found.stdout
    assert not (tmp_path / "found").exists()
