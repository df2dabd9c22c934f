"""Runs one target for a while, guided by coverage where atheris is there, and keeps the inputs that it fails on.

A finding is anything that a target raises, ten seconds of processor time for one input, or a gigabyte of memory. The
run goes on after it; what fails at the same place is kept once.
"""

from __future__ import annotations

import importlib
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from random import Random
from types import FrameType, ModuleType, TracebackType

CORPUS = Path(__file__).parent / "corpus"
TARGETS = ("load", "expression", "run", "format", "artifact", "facts")
SECONDS = 10
MEMORY = 2**30
LONGEST = 6_000


class TooSlowError(BaseException):
    """One input took more processor time than any may."""


def target(name: str) -> ModuleType:
    """The module of a target."""
    return importlib.import_module(f"fuzz.{name}")


def inputs(module: ModuleType) -> Iterator[bytes]:
    """What a target begins with: its seeds, and its part of the corpus."""
    yield from module.seeds()
    yield from (each.read_bytes() for each in corpus(module.__name__.rpartition(".")[2]))


def corpus(name: str) -> list[Path]:
    """The inputs of a target that are kept, sorted."""
    return sorted((CORPUS / name).iterdir())


class Run:
    """One run of a target: how many inputs it has had, and what it has failed on."""

    def __init__(self, module: ModuleType, folder: Path, seconds: float) -> None:
        self.module = module
        self.name = module.__name__.rpartition(".")[2]
        self.folder = folder
        self.ends = time.monotonic() + seconds
        self.runs = 0
        self.findings: dict[object, Path] = {}

    @property
    def is_over(self) -> bool:
        """Whether its time has passed."""
        return time.monotonic() >= self.ends

    def one_input(self, data: bytes) -> None:
        """Runs one input, and keeps it if anything comes of it."""
        self.runs += 1
        try:
            with limited_time():
                self.module.one_input(data)
        except (Exception, TooSlowError) as reason:
            self._keep(data, reason)

    def _keep(self, data: bytes, reason: BaseException) -> None:
        place = (type(reason), *_place(reason.__traceback__))
        if place in self.findings:
            return
        whole = self.module.made(data) if hasattr(self.module, "made") else data
        self.folder.mkdir(parents=True, exist_ok=True)
        file = self.folder / f"{self.name}-{sha256(whole).hexdigest()[:12]}"
        file.write_bytes(whole)
        told = "".join(traceback.format_exception(reason))
        file.with_suffix(".txt").write_text(told, "utf-8", "backslashreplace")
        self.findings[place] = file
        print(f"{self.name}: {type(reason).__name__}: {str(reason)[:200]!r}: {file}", flush=True)

    def summary(self, how: str) -> str:
        """What is said at the end."""
        return f"{self.name}: {self.runs} executions, {len(self.findings)} findings ({how})"


def _place(trace: TracebackType | None) -> tuple[str, int]:
    frames = traceback.extract_tb(trace)
    # A slow input stops anywhere: it is one finding, whatever the line.
    if not frames or frames[-1].name == "_stop":
        return "", 0
    return frames[-1].filename, frames[-1].lineno or 0


@contextmanager
def limited_time() -> Iterator[None]:
    """Stops what runs inside after ten seconds of processor time."""
    before = signal.signal(signal.SIGVTALRM, _stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _stop(number: int, frame: FrameType | None) -> None:
    raise TooSlowError(f"more than {SECONDS} seconds")


def limit_memory() -> None:
    """No more than a gigabyte beyond what the process has now."""
    pages = int(Path("/proc/self/statm").read_text().split()[0]) if Path("/proc/self/statm").exists() else 0
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MEMORY,) * 2)


def run(name: str, folder: Path, seconds: float, seed: int, guided: bool) -> int:
    """Runs a target, prints what came of it, and gives 1 where there was a finding, else 0."""
    fuzz = _atheris() if guided else None
    module = target(name)
    first = list(inputs(module))
    limit_memory()
    current = Run(module, folder, seconds)
    for each in first:
        if not current.is_over:
            current.one_input(each)
    if fuzz is not None:
        fuzz(current, first, seed)
    _plainly(current, first, seed)
    return 1 if current.findings else 0


def _plainly(current: Run, first: Sequence[bytes], seed: int) -> None:
    chance = Random(seed)
    while not current.is_over:
        current.one_input(mutated(first, chance))
    print(current.summary("inputs of chance"), flush=True)


def _atheris() -> Callable[[Run, Sequence[bytes], int], None] | None:
    """What fuzzes with atheris, which has to see our modules being imported; None where it is not installed."""
    try:
        import atheris  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return None
    with atheris.instrument_imports(include=["houserule", "houserule_compiler"], enable_loader_override=False):
        pass

    def fuzz(current: Run, first: Sequence[bytes], seed: int) -> None:
        import os
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            for at, each in enumerate(first):
                (Path(folder) / f"{at:06}").write_bytes(each)

            def one(data: bytes) -> None:
                if current.is_over:
                    print(current.summary("guided by coverage"), flush=True)
                    os._exit(1 if current.findings else 0)
                current.one_input(data)

            def mutator(data: bytes, most: int, seed: int) -> bytes:
                chance = Random(seed)
                return (
                    mutated([data, *chance.choices(first, k=3)], chance)[:most]
                    if seed % 2
                    else atheris.Mutate(data, most)
                )

            options = ["fuzz", folder, f"-seed={seed + 1}", "-timeout=60", "-rss_limit_mb=0", f"-max_len={LONGEST}"]
            options += ["-use_value_profile=1", "-verbosity=0"]
            atheris.Setup(options, one, custom_mutator=mutator, internal_libfuzzer=True)
            atheris.Fuzz()

    return fuzz


def mutated(first: Sequence[bytes], chance: Random) -> bytes:
    """One of some inputs with pieces of others put in, taken out or doubled, or a byte changed."""
    data = chance.choice(first)
    for _ in range(chance.randint(1, 5)):
        at, end = sorted(chance.randrange(len(data) + 1) for _ in range(2))
        other = chance.choice(first)
        begin = chance.randrange(len(other) + 1)
        piece = other[begin : begin + chance.choice((1, 2, 8, 40, 200))]
        match chance.randrange(6):
            case 0:
                data = data[:at] + piece + data[end:]
            case 1:
                data = data[:at] + piece + data[at:]
            case 2:
                data = data[:at] + data[min(end, at + 9) :]
            case 3:
                data = data[:at] + data[at : at + 30] + data[at:]
            case 4:
                data = data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]
            case _:
                data = data[:at] + bytes([chance.randrange(32, 127)]) + data[at:]
    return data[:LONGEST]


__all__ = ["CORPUS", "TARGETS", "Run", "corpus", "inputs", "limited_time", "mutated", "run", "target"]
if sys.platform == "win32":
    raise ImportError("fuzzing needs the limits of a process, which this system does not have")
