"""The wheel: built from this checkout, installed elsewhere, and used far from it."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

import houserule
import houserule_compiler

ROOT = Path(__file__).parent.parent
RULESETS = ["adnd2e", "odnd-morale", "osric", "swords-wizardry", "common", "flanking", "deadly-evening"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout, built by the backend that pyproject.toml names."""
    folder = tmp_path_factory.mktemp("wheel")
    code = f"from hatchling.build import build_wheel; build_wheel({str(folder)!r})"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True)
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def elsewhere(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh virtual environment with the wheel alone in it; `elsewhere/bin/houserule` lacks its dependencies."""
    folder = tmp_path_factory.mktemp("elsewhere")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    python = _program(folder, "python")
    install = [sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", "--quiet", wheel]
    subprocess.run([*install, "--disable-pip-version-check"], check=True)
    return folder


@pytest.fixture(scope="module")
def complete(elsewhere: Path) -> Path:
    """The same with its dependencies in reach: those of the environment that runs the tests, after its own packages."""
    (packages,) = (elsewhere / "venv").rglob("site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return elsewhere


@pytest.fixture(scope="module")
def built_here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An artifact that this checkout built."""
    file = tmp_path_factory.mktemp("built") / "here.rules.json"
    paths = os.pathsep.join(map(str, (ROOT / "compiler", ROOT / "runtime")))
    env = {**os.environ, "PYTHONHASHSEED": "2", "PYTHONPATH": paths}
    command = [sys.executable, "-m", "houserule_compiler", "build", "rules/odnd-morale", "--trusted", "-o", file]
    subprocess.run(command, cwd=ROOT, check=True, env=env, capture_output=True)
    return file


def _program(folder: Path, name: str) -> Path:
    return folder / "venv" / ("Scripts" if os.name == "nt" else "bin") / name


def run(folder: Path, *words: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Runs a program of the environment, away from the checkout and from what names it."""
    clean = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "CI")}
    program = _program(folder, words[0])
    return subprocess.run(
        [program, *words[1:]], cwd=folder, capture_output=True, text=True, check=False, env={**clean, **(env or {})}
    )


def test_one_version() -> None:
    assert houserule.__version__ == houserule_compiler.__version__


def test_wheel_holds_what_it_needs(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    shipped = "houserule_compiler/_shipped"
    for wanted in (
        "houserule/__init__.py",
        "houserule/py.typed",
        "houserule_compiler/py.typed",
        "houserule_compiler/grammar.lark",
        "houserule_compiler/grammar.json",
        f"{shipped}/rules/adnd2e/ruleset.yaml",
        f"{shipped}/schemas/rules.schema.json",
        f"{shipped}/diagnostics/unknown-name.md",
    ):
        assert wanted in names
    for shelf in ("packs", "forks"):
        rules = (ROOT / "rules" / shelf).glob("*.yaml")
        assert {f"{shipped}/rules/{shelf}/{each.name}" for each in rules} <= set(names)
    assert not [each for each in names if each.startswith(("tests", "docs", "rules", "schemas"))]
    assert any(each.endswith("licenses/LICENSE") for each in names)


def test_wheel_is_the_same_again(wheel: Path, tmp_path: Path) -> None:
    code = f"from hatchling.build import build_wheel; build_wheel({str(tmp_path)!r})"
    env = {**os.environ, "PYTHONHASHSEED": "7"}
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, env=env)
    assert next(tmp_path.glob("*.whl")).read_bytes() == wheel.read_bytes()


def test_runtime_works_alone(elsewhere: Path, built_here: Path) -> None:
    """Before its dependencies are in reach: `import houserule`, and an artifact asked."""
    lines = [
        "import houserule, sys",
        "print(houserule.__file__)",
        "print(houserule.load(sys.argv[1]).table('broken')['in_combat'])",
    ]
    found = run(elsewhere, "python", "-c", "\n".join(lines), str(built_here))
    assert found.returncode == 0, found.stderr
    file, answer = found.stdout.splitlines()
    assert str(elsewhere) in file
    assert answer == "flees"
    assert run(elsewhere, "houserule", "--version").stdout == f"houserule {houserule.__version__}\n"


def test_command_works_far_from_the_checkout(complete: Path) -> None:
    where = run(complete, "python", "-c", "import houserule_compiler, click; print(houserule_compiler.__file__)")
    assert str(complete) in where.stdout, where.stderr
    checked = run(complete, "houserule", "validate", *RULESETS)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    tried = run(complete, "houserule", "test", *RULESETS)
    assert tried.returncode == 0, tried.stdout + tried.stderr
    asked = run(complete, "houserule", "eval", "adnd2e", "thac0", "attacker.group=priest", "attacker.level=19")
    assert asked.stdout == "8\n", asked.stderr
    made = run(complete, "houserule", "new", "friday", "--extends", "adnd2e")
    assert made.returncode == 0, made.stderr
    forked = run(complete, "houserule", "test", "friday")
    assert forked.stdout.startswith("friday: 1 example passed; "), forked.stdout + forked.stderr
    page = run(complete, "houserule", "diagnostic", "unknown-name")
    assert page.stdout.startswith("# unknown-name\n")


def test_an_artifact_built_there_is_the_one_built_here(complete: Path, built_here: Path) -> None:
    """Other folder, other hash seed, installed and not in a checkout: the same bytes."""
    built = run(complete, "houserule", "build", "odnd-morale", env={"PYTHONHASHSEED": "1"})
    assert built.returncode == 0, built.stderr
    assert (complete / "odnd-morale.rules.json").read_bytes() == built_here.read_bytes()
