"""`python -m tests.fuzz [--seconds N] [TARGET...]`, from the top of the checkout: fuzzes each target for so long.

Prints executions and findings of each, and whether they were guided by coverage (atheris) or inputs of chance. Exit
code 1 where there is a finding; its input and what it raised lie in the folder `--findings`.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(ROOT / "compiler"), str(ROOT / "runtime"), str(HERE.parent)]

from fuzz.driving import TARGETS, run  # noqa: E402


def main() -> int:
    """Runs each target in a process of its own, since atheris ends the one that it runs in."""
    asked = _arguments()
    if asked.alone:
        return run(asked.targets[0], Path(asked.findings), asked.seconds, asked.seed, not asked.unguided)
    codes = [_process(each, asked) for each in asked.targets or TARGETS]
    return max(codes)


def _process(name: str, asked: argparse.Namespace) -> int:
    words = [
        f"--seconds={asked.seconds}",
        f"--seed={asked.seed}",
        f"--findings={Path(asked.findings).absolute()}",
        "--alone",
        name,
    ]
    words += ["--unguided"] if asked.unguided else []
    done = subprocess.run([sys.executable, "-m", "tests.fuzz", *words], cwd=ROOT, check=False, stderr=subprocess.PIPE)
    if done.returncode not in (0, 1):
        told = done.stderr.decode("utf-8", "replace")[-2_000:]
        print(f"{name}: the process has ended with {done.returncode}, which is a finding\n{told}", flush=True)
    return min(abs(done.returncode), 1)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"one of {', '.join(TARGETS)}; all without")
    parser.add_argument("--seconds", type=float, default=60, help="how long each target runs (60)")
    parser.add_argument("--seed", type=int, default=0, help="where chance begins (0)")
    parser.add_argument("--findings", default="fuzz-findings", help="the folder for inputs (fuzz-findings)")
    parser.add_argument("--unguided", action="store_true", help="inputs of chance, also where atheris is installed")
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    found = parser.parse_args()
    if unknown := [each for each in found.targets if each not in TARGETS]:
        parser.error(f"no target {unknown[0]}; there are {', '.join(TARGETS)}")
    return found


if __name__ == "__main__":
    sys.exit(main())
