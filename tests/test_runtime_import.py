"""The runtime needs the standard library alone, and importing it loads little even of that."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import random_checks
from artifacts import complete

RUNTIME = Path(__file__).parents[1] / "runtime"
HEAVY = (
    "argparse",
    "dataclasses",
    "decimal",
    "difflib",
    "fractions",
    "hashlib",
    "inspect",
    "json",
    "random",
    "re",
    "typing",
)


def run(code: str, *flags: str) -> str:
    program = f"import sys; sys.path.insert(0, {str(RUNTIME)!r})\n{code}"
    done = subprocess.run([sys.executable, *flags, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_importing_is_light() -> None:
    code = f"import houserule; print(sorted(set({HEAVY!r}) & set(sys.modules)))"
    assert run(code, "-S", "-I") == "[]\n"


def test_it_works_with_every_third_party_module_absent() -> None:
    artifact = json.dumps(complete(random_checks.rules(3)))
    code = f"""
import importlib.abc
class Blocker(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in sys.stdlib_module_names | {{"houserule"}}:
            raise ImportError(name)
sys.meta_path.insert(0, Blocker())
import houserule
rules = houserule.load({artifact!r}.encode())
check = rules.check("three")
print(rules.number("k").value({{}}), check.roll({{}}, seed=1).outcome, len(check.odds({{}})))
print(str(rules.number("k").explain({{}})))
"""
    assert run(code, "-S", "-I").splitlines()[1] == "k 2 = base 1 (me.n 1) +1 m"


def test_what_is_no_json_is_refused_where_nothing_else_imported_json() -> None:
    """The scanner in C relies on `json` for its errors, which the runtime does not import before it needs it."""
    code = """
import houserule
assert "json" not in sys.modules
for text in (b"{", b"", b"[1,]", b'{"a": 1 "b": 2}', b'{"a": tru}', b'["a', b"{} {}"):
    for name in [each for each in sys.modules if each.startswith("json")]:
        del sys.modules[name]
    try:
        houserule.load(text)
    except houserule.ArtifactError as error:
        print(str(error).partition(":")[0])
"""
    assert run(code, "-S", "-I").splitlines() == ["this artifact is not JSON"] * 7


def test_the_runtime_never_imports_the_compiler() -> None:
    for file in (RUNTIME / "houserule").glob("*.py"):
        assert "houserule_compiler" not in file.read_text("utf-8"), file.name
