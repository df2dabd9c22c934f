"""Executes literate cases: compiles the rules of a section, and answers its questions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import houserule
from houserule.values import text_of
from houserule_compiler import cases
from houserule_compiler.cases import Block, Section
from houserule_compiler.diagnostics import Diagnostic, has_errors, in_file_order
from houserule_compiler.document import Mapping, Node, Scalar
from houserule_compiler.limits import Limits
from houserule_compiler.load import load
from houserule_compiler.pipeline import Compiled, try_examples
from houserule_compiler.shipped import shipped

QUESTION = re.compile(r"(number|table|check|odds) +([a-z0-9_.]+)(\[[^]]*\])? *(\{.*?\})?(?: +dice +(\{.*?\}))? *=(.*)")


@cache
def schema() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((shipped("schemas") / "rules.schema.json").read_text("utf-8"))
    return found


@cache
def codes() -> frozenset[str]:
    return frozenset(each.stem for each in (Path(__file__).parent / "cases" / "diagnostics").glob("*.md"))


def compiled(section: Section, limits: Limits | None = None) -> Compiled:
    """What comes of the rules of a section."""
    return cases.compiled(section, schema(), limits or Limits(), codes)


def diagnostics(section: Section) -> list[Diagnostic]:
    """All findings in the rules of a section, its examples tried too."""
    found = compiled(section)
    tried = [] if has_errors(found.diagnostics) else try_examples(found).diagnostics
    refused = found.refused if section.is_asked else ()
    return in_file_order([*found.diagnostics, *tried, *refused])


def answers(section: Section, asked: Block) -> str:
    """The ```result block with every answer in its place."""
    found = compiled(section)
    assert found.artifact is not None, "a question to rules with errors"
    rules = houserule.load(found.artifact)
    return "".join(f"{_answered(rules, line)}\n" for line in asked.text.splitlines())


def _answered(rules: houserule.Rules, line: str) -> str:
    if not line.strip() or line.startswith("#"):
        return line
    question = QUESTION.fullmatch(line)
    assert question, f"no question: {line}"
    kind, id, keys, facts, dice, _ = question.groups()
    return f"{line[: question.start(6) - 1].rstrip()} = {_answer(rules, kind, id, keys, flow(facts), flow(dice))}"


def _answer(rules: houserule.Rules, kind: str, id: str, keys: str | None, facts: Any, dice: Any) -> str:
    try:
        match kind:
            case "number":
                return text_of(rules.number(id).value(facts))
            case "table":
                return _cell(rules, id, tuple(each.strip() for each in (keys or "[]")[1:-1].split(",")))
            case "check":
                return str(rules.check(id).resolve(facts, {path: _die(value) for path, value in dice.items()}))
        return str(rules.check(id).odds(facts))
    except houserule.ProblemsError as error:
        return "; ".join(f"{each.code} {each.path}" for each in error.problems)


def _cell(rules: houserule.Rules, id: str, keys: tuple[str, ...]) -> str:
    name, _, column = id.partition(".")
    found = rules.table(name)[keys]
    if isinstance(found, houserule.Cells):
        return text_of(found[column]) if column else ", ".join(f"{each} {text_of(found[each])}" for each in found)
    return text_of(found)


def _die(value: Any) -> Any:
    return [int(each) for each in value] if isinstance(value, list) else int(value)


def flow(text: str | None) -> Any:
    """A flow map of YAML as plain data, every scalar a text."""
    document, problems = load("facts.yaml", f"facts: {text or '{}'}\n".encode(), Limits())
    assert document is not None, problems
    assert not problems, problems
    return _plain(document.root)["facts"]


def _plain(node: Node) -> Any:
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, Mapping):
        return {each.key.text: _plain(each.value) for each in node.entries}
    return [_plain(each) for each in node.items]


def accepted(text: str, changes: Iterable[tuple[Block, str]]) -> str:
    """A case file with the texts of some blocks replaced."""
    lines = text.split("\n")
    for block, new in sorted(changes, key=lambda change: -change[0].start):
        lines[block.start : block.end] = new.splitlines()
    return "\n".join(lines)


def case_files(folder: Path) -> list[Path]:
    """All case files of passes; those of the messages have their own test."""
    return sorted(each for each in folder.rglob("*.md") if each.parent.name != "diagnostics")
