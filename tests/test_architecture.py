"""The invariants of ARCHITECTURE.md that code can hold: who may import whom, and what passes never do."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
COMPILER = ROOT / "compiler" / "houserule_compiler"
RUNTIME = ROOT / "runtime" / "houserule"
FILES = sorted([*COMPILER.rglob("*.py"), *RUNTIME.rglob("*.py")])
MOST_LINES = 400
# Fewer words name a thing (`a check or effects`), which messages then put into their sentence.
PROSE = re.compile(r"([A-Za-z`]+,? ){6}[A-Za-z`]+")
# What the YAML parser says is matched there, so as to say it better.
MATCHES_OTHERS_PROSE = {"broken"}


def listed(heading: str) -> list[str]:
    """The modules of a block of ARCHITECTURE.md, in order."""
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    block = text.split(f"### {heading}", 1)[1].split("```text\n", 1)[1].split("```", 1)[0]
    return [word for line in block.splitlines() for word in line.split("  ")[0].split()]


DATA, PASSES, ABOVE = (listed(each) for each in ("Data", "Passes", "Above the passes"))
ORDER = [*DATA, *PASSES, *ABOVE]
# The passes themselves; what else stands among them is a part of the one that follows it.
MIDDLE = ["shape", "expand", "layer", "drift", "declare", "parse", "resolve", "typecheck", "settle", "analyse"]
PASS_NAMES = ["load", *MIDDLE, "lower", "emit", "trial"]


def unit(file: Path) -> str:
    """The module or package directly in the compiler that a file belongs to."""
    return file.relative_to(COMPILER).parts[0].removesuffix(".py")


def imported(file: Path) -> Iterator[str]:
    """The full names of all modules that a file imports, wherever it does so."""
    package = [COMPILER.name, *file.relative_to(COMPILER).parts[:-1]]
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            # `from . import limits` may import a module: both readings are given.
            yield base
            yield from (f"{base}.{each.name}" for each in node.names)


def inner_imports(file: Path) -> set[str]:
    """The units of the compiler that a file imports, other than its own."""
    parts = [each.split(".") for each in imported(file) if each.startswith(f"{COMPILER.name}.")]
    return {each[1] for each in parts if each[1] in ORDER} - {unit(file)}


def test_every_module_is_listed() -> None:
    units = {unit(each) for each in COMPILER.rglob("*.py")} - {"__init__"}
    assert units == set(ORDER)
    assert len(ORDER) == len(set(ORDER))


@pytest.mark.parametrize("file", sorted(COMPILER.rglob("*.py")), ids=lambda file: str(file.relative_to(COMPILER)))
def test_imports_point_upward(file: Path) -> None:
    if unit(file) == "__init__":
        return
    place = ORDER.index(unit(file))
    assert [each for each in inner_imports(file) if ORDER.index(each) >= place] == []


@pytest.mark.parametrize("name", PASS_NAMES)
def test_no_pass_imports_a_pass(name: str) -> None:
    for file in COMPILER.rglob("*.py"):
        if unit(file) == name:
            assert inner_imports(file) & set(PASS_NAMES) == set(), file


def test_only_the_pipeline_knows_the_passes() -> None:
    """Beside it, only what reads one file of facts may call one pass: `load`."""
    for file in COMPILER.rglob("*.py"):
        if unit(file) not in (*PASSES, "pipeline"):
            assert inner_imports(file) & set(PASS_NAMES) <= {"load"}, file


@pytest.mark.parametrize("file", sorted(RUNTIME.rglob("*.py")), ids=lambda file: file.name)
def test_runtime_imports_the_standard_library_alone(file: Path) -> None:
    """But for the batch, which needs numpy as well."""
    # One module of the standard library has another name from 3.12 on.
    allowed = sys.stdlib_module_names | {"_sha256", "_sha2"} | ({"numpy"} if is_batch(file) else set())
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            assert {each.name.split(".")[0] for each in node.names} <= allowed
        elif isinstance(node, ast.ImportFrom) and not node.level:
            assert (node.module or "").split(".")[0] in allowed


def is_batch(file: Path) -> bool:
    """Whether a module of the runtime is a part of what needs numpy."""
    return file.stem.partition("_")[0] == "batch"


@pytest.mark.parametrize(
    "file", [each for each in sorted(RUNTIME.glob("*.py")) if not is_batch(each)], ids=lambda file: file.name
)
def test_numpy_is_out_of_reach_until_a_batch_is_asked_for(file: Path) -> None:
    """No other module imports one of the batch, but `rules` where it is asked for."""
    tree = ast.parse(file.read_text("utf-8"))
    modules = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level]
    assert {each for each in modules if each.startswith("batch")} == ({"batch"} if file.stem == "rules" else set())


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_files_are_short(file: Path) -> None:
    assert len(file.read_text("utf-8").splitlines()) <= MOST_LINES


def pass_files() -> list[Path]:
    return [file for file in sorted(COMPILER.rglob("*.py")) if unit(file) in PASSES]


@pytest.mark.parametrize("file", pass_files(), ids=lambda file: str(file.relative_to(COMPILER)))
def test_passes_neither_print_nor_open(file: Path) -> None:
    called = {
        each.func.id
        for each in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Name)
    }
    # The grammar is a part of the program and not of the rules; it is read as a resource.
    assert called & {"print", "input", "open", "exec", "eval", "__import__", "setattr"} == set()
    assert {each.split(".")[0] for each in imported(file)} & {
        "os",
        "sys",
        "io",
        "socket",
        "subprocess",
        "logging",
    } == set()


@pytest.mark.parametrize(
    "file",
    [file for file in pass_files() if unit(file) not in MATCHES_OTHERS_PROSE],
    ids=lambda file: str(file.relative_to(COMPILER)),
)
def test_passes_hold_no_prose(file: Path) -> None:
    """All wording stands in `messages`; docstrings, and what an assertion says to us, are no wording for authors."""
    tree = ast.parse(file.read_text("utf-8"))
    ours = {id(inner) for node in ast.walk(tree) for each in _not_for_authors(node) for inner in ast.walk(each)}
    texts = [each for each in ast.walk(tree) if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    assert [each.value for each in texts if id(each) not in ours and PROSE.search(str(each.value))] == []


def _not_for_authors(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        yield node
    elif isinstance(node, ast.Assert) and node.msg is not None:
        yield node.msg
    elif isinstance(node, ast.Raise):
        yield node


HEAVY = ["jsonschema", "rich", "lark", "numpy", "ruamel"]


@pytest.mark.parametrize(
    "code",
    [
        "from houserule_compiler.cli import main; main(['--version'])",
        "from houserule_compiler.cli import main; main(['--help'])",
        "import houserule",
    ],
)
def test_start_up_stays_light(code: str) -> None:
    look = f"; import sys; print([each for each in {[*HEAVY, 'click', 'dataclasses']} if each in sys.modules])"
    found = subprocess.run(
        [sys.executable, "-c", code + look],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": f"{ROOT / 'compiler'}:{ROOT / 'runtime'}"},
    )
    assert found.stdout.splitlines()[-1] == "[]"


def test_runtime_works_without_anything_else() -> None:
    """With no third-party package in reach (`-I -S`), the runtime is imported whole, but for the batch."""
    names = [each.stem for each in sorted(RUNTIME.glob("*.py")) if not is_batch(each)]
    code = f"import sys; sys.path.insert(0, {str(ROOT / 'runtime')!r}); import houserule\n"
    code += "".join(f"import houserule.{each}\n" for each in names if each != "__init__")
    subprocess.run([sys.executable, "-I", "-S", "-c", code], check=True)
