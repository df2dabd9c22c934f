"""What builds cost, cold and unchanged, as whole processes: `python -m tests.bench.builds`, from the top of a checkout.

First everything that is built must be right: rows as they were made, and the same bytes and words from the cache as
without it. Then the jobs run in turn, round by round; the medians are told. `--rounds N` sets how many.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(ROOT / "compiler"), str(ROOT / "runtime"), str(HERE)]

import homebrew  # noqa: E402

import houserule  # noqa: E402
from houserule_compiler.files import Files  # noqa: E402
from houserule_compiler.limits import Limits  # noqa: E402
from houserule_compiler.memory import Memory  # noqa: E402
from houserule_compiler.pipeline import compile_ruleset  # noqa: E402

SHIPPED = ["odnd-morale", "adnd2e", "osric", "swords-wizardry"]
LARGE = {"rows": 100_000, "lines": 200_000, "file-bytes": 10**7, "nodes": 10**6, "total-bytes": 2 * 10**7}
RAISED = [word for name, value in LARGE.items() for word in ("--limit", f"{name}={value}")]
COLD, WARM = 2.5, 0.3


@dataclass(slots=True)
class Job:
    """One command, timed as a whole process, with its bar in seconds.

    `times` are by the clock, `work` by the processor: on a machine that others use too, only that one says much. `out`
    is what it printed, `memory` the most that it took.
    """

    title: str
    words: list[str]
    bar: float | None = None
    times: list[float] = field(default_factory=list)
    work: list[float] = field(default_factory=list)
    out: bytes = b""
    memory: int = 0

    def run(self, folder: Path) -> None:
        """Runs it once, in a process of its own."""
        outlet = folder / "out"
        start = time.perf_counter()
        with outlet.open("wb") as file:
            actions = [(os.POSIX_SPAWN_DUP2, file.fileno(), 1), (os.POSIX_SPAWN_DUP2, file.fileno(), 2)]
            command = [sys.executable, *self.words]
            process = os.posix_spawn(sys.executable, command, _environment(folder), file_actions=actions)
            _, status, used = os.wait4(process, 0)
        self.times.append(time.perf_counter() - start)
        self.work.append(used.ru_utime + used.ru_stime)
        self.out = outlet.read_bytes()
        self.memory = max(self.memory, used.ru_maxrss * 1024)
        assert os.waitstatus_to_exitcode(status) == 0, self.out.decode()


def _environment(folder: Path) -> dict[str, str]:
    kept = {
        key: each for key, each in os.environ.items() if key not in ("CI", "HOUSERULE_PATH", "PYTHONDONTWRITEBYTECODE")
    }
    paths = os.pathsep.join([str(ROOT / "compiler"), str(ROOT / "runtime")])
    return {**kept, "PYTHONPATH": paths, "HOUSERULE_CACHE": str(folder / "cache")}


def command(*words: str) -> list[str]:
    """The words after `python` of a command of ours."""
    return ["-m", "houserule_compiler", *words]


def pairs(folder: Path) -> list[tuple[Job, Job]]:
    """Each command cold and with what was kept of it."""
    long, lairs = str(folder / "long.yaml"), str(folder / "lairs")
    told = [(f"`validate {each}`", ["validate", each], 1.0, 0.25) for each in SHIPPED]
    told += [
        ("`build`, 10,000 rows in a file", ["build", long, "-o", "-", "--trusted"], COLD, WARM),
        ("`validate`, 10,000 rows in 200 files", ["validate", lairs], COLD, WARM),
    ]
    return [
        (Job(f"{title}, cold", command(*words, "--no-cache"), cold), Job(f"{title}, unchanged", command(*words), warm))
        for title, words, cold, warm in told
    ]


def by_rows(folder: Path) -> list[Job]:
    """The same table with ever more rows."""
    found = []
    for rows in (1_000, 10_000, 50_000):
        (folder / f"rows{rows}").mkdir()
        path = folder / f"rows{rows}" / "long.yaml"
        path.write_text(homebrew.table(rows))
        found.append(Job(f"`validate`, {rows:,} rows, cold", command("validate", str(path), "--no-cache", *RAISED)))
    return found


def edited(folder: Path, rounds: int) -> Job:
    """From a change of one file of the folder to its findings, as `--watch` works them out."""
    memory, job = Memory(), Job("a change in 200 files, `--watch`", [], 0.3)
    texts = {each.name: each.read_bytes() for each in sorted((folder / "lairs").iterdir())}
    for at in range(rounds + 1):
        memory.turn()
        texts["lair_7.yaml"] = texts["lair_7.yaml"].replace(b"worse %d}" % (2 + at), b"worse %d}" % (3 + at))
        start, before = time.perf_counter(), time.process_time()
        artifact = _built(texts, memory)
        job.times.append(time.perf_counter() - start)
        job.work.append(time.process_time() - before)
        assert artifact == _built(texts)
    # The first round has nothing to remember.
    return replace(job, times=job.times[1:], work=job.work[1:])


def _built(texts: dict[str, bytes], memory: Memory | None = None) -> bytes | None:
    schema = json.loads((ROOT / "schemas" / "rules.schema.json").read_text("utf-8"))
    files = Files("lairs", tuple(texts.items()))
    return compile_ruleset("lairs", lambda name: files, schema, Limits(), memory=memory).artifact


def gate(long: bytes) -> None:
    """The rows of the long table must be those that were made."""
    table = houserule.load(long).table("bounty_0")
    for at in (0, 1, 4_999, 9_999):
        assert table[at * 10 + 1] == table[at * 10 + 10] == at * 7 % 97


def main(rounds: int = 7) -> None:
    """Prints the table."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "long.yaml").write_text(homebrew.table(10_000))
        homebrew.folder(folder / "lairs", 200, 10_000)
        jobs, growing, empty = pairs(folder), by_rows(folder), Job("an empty interpreter", ["-c", "pass"])
        everything = [empty, *(job for pair in jobs for job in pair), *growing]
        for job in everything:
            job.run(folder)
            job.times.clear()
            job.work.clear()
        for cold, warm in jobs:
            assert cold.out == warm.out
        gate(jobs[-2][0].out)
        for _ in range(rounds):
            for job in everything:
                job.run(folder)
        _tell([*everything, edited(folder, rounds)], growing)


def _tell(jobs: list[Job], growing: list[Job]) -> None:
    print(f"{'':50}{'clock':>9}{'processor':>11}{'bar':>9}")
    for job in jobs:
        clock, work = statistics.median(job.times), statistics.median(job.work)
        print(f"{job.title:50}{clock:7.2f} s{work:9.2f} s{f'{job.bar} s' if job.bar else '':>9}")
    few, some, many = (statistics.median(each.work) for each in growing)
    one, other = (some - few) / 9_000, (many - few) / 49_000
    print(f"a row more: {one * 1e6:.0f} us up to 10,000, {other * 1e6:.0f} us up to 50,000, ratio {other / one:.2f}")
    print(f"most memory of one with 10,000 rows: {max(_memory(jobs, '10,000')) / 1e6:.0f} MB, bar 250 MB")


def _memory(jobs: list[Job], what: str) -> list[int]:
    return [each.memory for each in jobs if what in each.title]


if __name__ == "__main__":
    main(int(sys.argv[sys.argv.index("--rounds") + 1]) if "--rounds" in sys.argv else 7)
