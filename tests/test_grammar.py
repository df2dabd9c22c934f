"""The tables of the grammar that are kept are those that the grammar gives."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import lark
import pytest
from lark.parsers.lalr_analysis import Shift

from houserule_compiler.grammar import STARTS, tables, tables_text

RULES = [*STARTS.values()]


def table(parser: Any) -> Any:
    return parser.parser.parser._parse_table


def terminals(parser: Any) -> list[object]:
    return [(each.name, each.pattern.type, each.pattern.to_regexp(), each.priority) for each in parser.terminals]


def test_kept_tables_are_of_this_grammar_and_this_lark() -> None:
    assert files("houserule_compiler").joinpath("grammar.json").read_text("utf-8") == tables_text()


def test_kept_tables_do_what_those_of_the_grammar_do(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tables(None)
    monkeypatch.setattr(lark, "__version__", "another")
    made = tables(None)
    assert terminals(kept) == terminals(made)
    one, other = table(kept), table(made)
    waiting = [(one.start_states[each], other.start_states[each]) for each in RULES]
    seen = set(waiting)
    while waiting:
        here, there = waiting.pop()
        assert one.states[here].keys() == other.states[there].keys()
        for token, (action, to) in one.states[here].items():
            same, also = other.states[there][token]
            assert action is same
            if action is not Shift:
                assert to == also
                assert to.alias == also.alias
            elif (to, also) not in seen:
                seen.add((to, also))
                waiting.append((to, also))
    assert len(seen) == len(one.states) == len(other.states)
    assert {(one.end_states[each], other.end_states[each]) for each in RULES} <= seen


def test_another_grammar_has_other_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "houserule_compiler.grammar._file", lambda name: {"grammar.lark": 'a: "x"'}.get(name, '{"of": "b"}')
    )
    monkeypatch.setattr("houserule_compiler.grammar.STARTS", {0: "a"})
    assert [each.name for each in tables(None).terminals] == ["X"]
