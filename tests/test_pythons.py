"""The same rules give the same bytes and the same findings in every Python that can be found, whatever its hash seed.

Interpreters are `python3.11` and later on the path, and those that `HOUSERULE_PYTHONS` lists. One without the libraries
of the compiler is passed over, with the reason.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest

from shipped_rules import built, concrete

TESTS = Path(__file__).parent
ROOT = TESTS.parent
NEEDED = "import ruamel.yaml, jsonschema, jsonschema_rs, lark, click"
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
CHILD = """
import hashlib, json, sys
from shipped_rules import built
from houserule_compiler.cli import main
hashes = {each: hashlib.sha256(built(each).artifact).hexdigest() for each in sys.argv[1:]}
told = {each: [str(one.code) + one.headline for one in built(each).diagnostics] for each in sys.argv[1:]}
print(json.dumps([sys.version_info[:2], hashes, told]))
main(["validate", "friday", "--format", "json"])
"""


def interpreters() -> list[str]:
    """Every interpreter that is found, by version once, this one first."""
    stated = [each for each in os.environ.get("HOUSERULE_PYTHONS", "").split(os.pathsep) if each]
    found = [shutil.which(f"python{each}") for each in VERSIONS]
    return list(dict.fromkeys([sys.executable, *stated, *(each for each in found if each)]))


@cache
def lacking(python: str) -> str:
    """Why an interpreter cannot build rules; empty where it can."""
    version = "import sys; assert sys.version_info >= (3, 11), 'too old'\n"
    tried = subprocess.run([python, "-c", version + NEEDED], capture_output=True, text=True, check=False)
    if not tried.returncode:
        return ""
    missing = re.search(r"No module named '[\w.]+'|too old", tried.stderr)
    return missing[0] if missing else "it cannot be started"


@pytest.mark.parametrize("python", interpreters(), ids=lambda python: Path(python).name)
def test_the_same_bytes_and_findings(python: str) -> None:
    """In another process, with another hash seed: all shipped rulesets, and one with every fault that there is.

    By this interpreter, which builds them for other tests anyway, the smallest.
    """
    if reason := lacking(python):
        pytest.skip(f"{python}: {reason}")
    names = concrete() if python != sys.executable else ["odnd-morale"]
    ran = subprocess.run(
        [python, "-B", "-c", CHILD, *names],
        cwd=TESTS / "faults",
        capture_output=True,
        text=True,
        check=False,
        env={
            **{key: value for key, value in os.environ.items() if key not in ("CI", "HOUSERULE_PATH")},
            "PYTHONHASHSEED": "4242",
            "PYTHONPATH": os.pathsep.join(map(str, (ROOT / "compiler", ROOT / "runtime", TESTS))),
        },
    )
    first, *findings = ran.stdout.splitlines()
    _, hashes, told = json.loads(first)
    assert hashes == {each: sha256(built(each).artifact or b"").hexdigest() for each in names}
    assert told == {each: [one.code + one.headline for one in built(each).diagnostics] for each in names}
    assert findings == here()


@cache
def here() -> list[str]:
    """What this process finds in the ruleset of faults."""
    code = "from houserule_compiler.cli import main\nmain(['validate', 'friday', '--format', 'json'])"
    ran = subprocess.run(
        [sys.executable, "-B", "-c", code],
        cwd=TESTS / "faults",
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": f"{ROOT / 'compiler'}{os.pathsep}{ROOT / 'runtime'}"},
    )
    return ran.stdout.splitlines()


def test_all_faults_are_compared() -> None:
    assert len(here()) >= 16
