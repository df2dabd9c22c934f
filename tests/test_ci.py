"""The workflow step and the commit hooks of this repository: their own commands, run on a repository of homebrew."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from friday import ROOT, RULES

ACTION: dict[str, Any] = YAML(typ="safe", pure=True).load((ROOT / "action.yml").read_text("utf-8"))
HOOKS: list[dict[str, Any]] = YAML(typ="safe", pure=True).load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
SHIM = f"""#!/bin/sh
PYTHONPATH={ROOT / "compiler"}:{ROOT / "runtime"} exec {sys.executable} -P -B -m houserule_compiler "$@"
"""
# Stands for a Python that would make a virtual environment and install into it from the network.
PYTHON = """#!/bin/sh
test "$1 $2" = "-m venv" && mkdir -p "$3/bin" && cp "$SHIMS/pip" "$SHIMS/houserule" "$3/bin"
"""
PIP = """#!/bin/sh
echo "$PWD: $*, $PIP_CONSTRAINT" >> "$SHIMS/pip.log"
"""
BROKEN = RULES.replace("its.tired", "its.tierd")


@pytest.fixture
def homebrew(tmp_path: Path) -> Path:
    """A repository with one ruleset, and beside it what stands for Python and pip."""
    for name, text in (("houserule", SHIM), ("python3", PYTHON), ("pip", PIP)):
        (tmp_path / "shims").mkdir(exist_ok=True)
        (tmp_path / "shims" / name).write_text(text)
        (tmp_path / "shims" / name).chmod(0o755)
    (tmp_path / "homebrew" / "games").mkdir(parents=True)
    (tmp_path / "homebrew" / "games" / "friday.yaml").write_text(RULES)
    return tmp_path / "homebrew"


def shell(command: str, folder: Path, homebrew: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Runs a command as a workflow does: with `bash`, stopping at what fails."""
    shims = homebrew.parent / "shims"
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(("GITHUB", "HOUSERULE"))}
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", command],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={**inherited, "CI": "true", "PATH": f"{shims}:{os.environ['PATH']}", "SHIMS": str(shims), **env},
    )


def run_action(homebrew: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Runs all steps of the action with these inputs, as long as they succeed."""
    given = {name: inputs.get(name.replace("-", "_"), each["default"]) for name, each in ACTION["inputs"].items()}
    values = {f"inputs.{name}": value for name, value in given.items()} | {"github.action_path": str(ROOT)}
    known = {"RUNNER_TEMP": str(homebrew.parent / "temp"), "GITHUB_WORKSPACE": str(homebrew)}
    for step in STEPS:
        env = {name: _filled(value, values) for name, value in step.get("env", {}).items()}
        folder = homebrew / _filled(step["working-directory"], values)
        found = shell(step["run"], folder, homebrew, **known, **env)
        if found.returncode:
            break
    return found


def _filled(text: str, values: dict[str, str]) -> str:
    return re.sub(r"\$\{\{ *([a-z_.-]+) *\}\}", lambda found: values[found[1]], str(text))


class TestAction:
    def test_has_its_form(self) -> None:
        assert ACTION["runs"]["using"] == "composite"
        assert ACTION["name"]
        assert all(each["description"] and isinstance(each["default"], str) for each in ACTION["inputs"].values())
        assert all(step["shell"] == "bash" and step["name"] for step in STEPS)

    def test_no_input_becomes_a_part_of_a_script(self) -> None:
        assert [step["name"] for step in STEPS if "${{" in step["run"]] == []
        used = set(re.findall(r"inputs\.([a-z-]+)", str(STEPS)))
        assert used == set(ACTION["inputs"])

    def test_rules_with_a_fault_are_annotated_once(self, homebrew: Path) -> None:
        (homebrew / "games" / "friday.yaml").write_text(BROKEN)
        found = run_action(homebrew, folder="games")
        assert found.returncode == 1
        annotation, total = found.stdout.splitlines()
        assert annotation.startswith("::error file=games/friday.yaml,line=21,")
        assert total == "houserule: 1 ruleset: 1 error"

    def test_an_example_that_fails(self, homebrew: Path) -> None:
        (homebrew / "games" / "friday.yaml").write_text(RULES.replace("value: 4", "value: 5"))
        found = run_action(homebrew, rulesets="games/friday.yaml")
        assert found.returncode == 1
        sound, annotation, total = found.stdout.splitlines()
        assert sound == "houserule: 1 ruleset: no faults found"
        assert annotation.startswith("::error file=games/friday.yaml,line=32,")
        assert total == "houserule: 1 ruleset: 0 of 1 example passed, 1 error"
        installed = (homebrew.parent / "shims" / "pip.log").read_text()
        assert installed == f"{ROOT}: install --quiet --disable-pip-version-check ., constraints.txt\n"
        assert sorted(each.name for each in homebrew.rglob("*")) == ["friday.yaml", "games"]

    def test_inputs_are_words_and_no_script(self, homebrew: Path) -> None:
        found = run_action(homebrew, rulesets="$(touch evil) `touch evil` ; touch evil", test="false")
        assert found.returncode == 2
        assert not list(homebrew.rglob("evil"))


class TestHooks:
    def test_have_their_form(self) -> None:
        assert [each["id"] for each in HOOKS] == ["houserule-validate", "houserule-test", "houserule-fmt"]
        for each in HOOKS:
            assert each["language"] == "python"
            assert re.search(each["files"], "games/friday.yaml")
            assert each["pass_filenames"] is False

    @pytest.mark.parametrize(
        ("id", "old", "new", "told"),
        [
            ("houserule-validate", "its.tired", "its.tierd", "games/friday.yaml:21:"),
            ("houserule-test", "value: 4", "value: 5", "games/friday.yaml:32:"),
            ("houserule-fmt", "language: 1", "language:  1", "games/friday.yaml: laid out"),
        ],
    )
    def test_others_are_told(self, homebrew: Path, id: str, old: str, new: str, told: str) -> None:
        (homebrew / "games" / "friday.yaml").write_text(RULES.replace(old, new))
        (hook,) = [each for each in HOOKS if each["id"] == id]
        found = shell(hook["entry"], homebrew, homebrew)
        assert found.stdout.startswith(told)
        # What `fmt` has written, the commit hook's caller sees in the files.
        assert found.returncode == (0 if id == "houserule-fmt" else 1)
