"""Any text as an expression: a tree or one message; and typed in its place, so that what is accepted answers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import houserule
import random_rules
from houserule_compiler.document import Scalar
from houserule_compiler.limits import Limits
from houserule_compiler.parse import Parser
from houserule_compiler.source import SourceFile, Span

from .asking import asked_of_ours
from .load import told

SLIPS = Path(__file__).parent.parent / "cases" / "parse" / "slips.txt"
PARSER = Parser(Limits())
METHODS = (PARSER.expression, PARSER.adjustment, PARSER.type_expression, PARSER.alternatives, PARSER.constant)
MAIN = ("numbers", 'main: {base: "if told then 1 else 2"}')
# Where a text of each kind stands in rules: entries of sections.
PLACES = (
    [("numbers", "main: {base: TEXT}")],
    [("numbers", "main: {base: a}"), ("modifiers", "m: {adjust: {main: TEXT}}")],
    [("facts", "told: TEXT"), ("numbers", "main: {base: if known(u) then 1 else 2}")],
    [("tables", "t: {by: {key: 0..3}, gives: integer, rows: {TEXT: 1, otherwise: 2}}"), ("numbers", "main: {base: b}")],
    [("options", "o: {type: 0..9, default: TEXT}"), ("numbers", "main: {base: o}")],
    [("conditions", "told: {when: TEXT}"), MAIN],
    [("checks", "c: {outcomes: [x, y], roll: {die: TEXT}, outcome: if die > 3 then x else y}")],
    [("tables", "t: {by: {key: 0..3}, gives: integer, rows: [5, TEXT, key, 0]}"), ("numbers", "main: {base: t(b)}")],
)


def one_input(data: bytes) -> None:
    """The first byte chooses what the rest is."""
    if not data:
        return
    text = data[1:].decode("utf-8", "replace")
    scalar = Scalar(text, "plain", Span(SourceFile("rules.yaml", text), 0, len(text)), 0)
    tree, diagnostics = METHODS[data[0] % len(METHODS)](scalar)
    assert (tree is None) == bool(diagnostics)
    assert len(diagnostics) <= 1
    for found in diagnostics:
        assert len(found.headline) < 80, found.headline
        assert "\n" not in found.headline + found.help
        assert all(0 <= label.span.start <= label.span.end <= len(text) for label in found.labels)
    if tree is not None:
        _typed(PLACES[data[0] % len(PLACES)], text)


def _typed(place: list[tuple[str, str]], text: str) -> None:
    _, artifact, found = random_rules.compiled(placed(place, text))
    told(found)
    if artifact is not None:
        asked_of_ours(houserule.load(artifact), len(text))


def placed(place: list[tuple[str, str]], text: str) -> str:
    """Rules in which the text stands; in quotes, which mean nothing where an expression stands."""
    rules = random_rules.HEAD
    for section, entry in place:
        head = f"\n{section}:\n"
        rules = rules if head in rules else f"{rules}{section}:\n"
        rules = rules.replace(head, f"{head}  {entry.replace('TEXT', json.dumps(text))}\n")
    return rules


def seeds() -> Sequence[bytes]:
    """The texts of the slips, and the valid ones beside them that their help lines give."""
    lines = SLIPS.read_text(encoding="utf-8").splitlines()
    kinds = ("expression: ", "type: ", "key: ", "value: ")
    texts = [line.split(": ", 1)[1] for line in lines if line.startswith(kinds)]
    texts += [piece for line in lines if line.startswith("help: ") for piece in line.split("`")[1::2]]
    return [bytes([kind]) + text.encode() for text in texts for kind in range(len(PLACES))]
