"""A look-up in a long table of bands, and a whole process that answers once, with each peer that is installed.

The table has bands ten wide from 0 on; each peer reads it in the quickest form that it has for bands. A peer that has
none is given the number of the band, which is less work.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
from collections.abc import Callable, Iterator
from typing import Any

Ask = Callable[[], object]
WIDTH = 10


def by_hand(values: list[int], key: int) -> Ask:
    """The band is found by bisection of the tops."""
    from bisect import bisect_left

    tops = [WIDTH * row + WIDTH - 1 for row in range(len(values))]
    return lambda: values[bisect_left(tops, key)]


def zen(values: list[int], key: int) -> Ask:
    """A decision table of bands."""
    module = importlib.import_module("zen")
    bands = [
        {"_id": str(row), "in": f"[{WIDTH * row}..{WIDTH * row + WIDTH - 1}]", "out": str(value)}
        for row, value in enumerate(values)
    ]
    content = {
        "hitPolicy": "first",
        "inputs": [{"id": "in", "name": "key", "type": "expression", "field": "key"}],
        "outputs": [{"id": "out", "name": "out", "type": "expression", "field": "out"}],
        "rules": bands,
    }
    nodes = [
        {"id": "one", "name": "one", "type": "inputNode"},
        {"id": "at", "name": "at", "type": "decisionTableNode", "content": content},
        {"id": "end", "name": "end", "type": "outputNode"},
    ]
    edges = [{"id": f"{one}-{to}", "sourceId": one, "targetId": to} for one, to in (("one", "at"), ("at", "end"))]
    source = json.dumps({"nodes": nodes, "edges": edges})
    decision = module.ZenEngine().create_decision(module.ZenDecisionContent(source))
    return lambda: decision.evaluate({"key": key})["result"]["out"]


def datalogic(values: list[int], key: int) -> Ask:
    """A chain of comparisons, as JSONLogic has no bands."""
    tests: list[Any] = []
    for row, value in enumerate(values):
        tests += [{"<=": [{"var": "key"}, WIDTH * row + WIDTH - 1]}, value]
    rule = importlib.import_module("datalogic_py").Engine().compile({"if": tests})
    facts = {"key": key}
    return lambda: rule.evaluate(facts)


def cel(values: list[int], key: int) -> Ask:
    """A list that the context holds, and the band by division."""
    module = importlib.import_module("cel")
    program = module.compile(f"table[key / {WIDTH}]")
    context = module.Context(variables={"table": values})

    def ask() -> object:
        context.add_variable("key", key)
        return program.execute(context)

    return ask


def rule_engine(values: list[int], key: int) -> Ask:
    """A list among the facts; it is given the number of the band."""
    rule = importlib.import_module("rule_engine").Rule("table[row]")
    facts = {"table": values, "row": key // WIDTH}
    return lambda: int(rule.evaluate(facts))


TABLES = {"datalogic_py": datalogic, "zen": zen, "cel": cel, "rule_engine": rule_engine}


def tables(values: list[int], key: int) -> Iterator[tuple[str, Ask]]:
    """The look-up with each engine that is installed."""
    for name, made in TABLES.items():
        if importlib.util.find_spec(name):
            yield name, made(values, key)


STARTS = {
    "datalogic_py": "import datalogic_py as m; m.apply({'-': [{'var': 'a'}, 2]}, {'a': 16})",
    "zen": "import zen as m; m.evaluate_expression('a - 2', {'a': 16})",
    "cel": "import cel as m; m.evaluate('a - 2', {'a': 16})",
    "rule_engine": "import rule_engine as m; m.Rule('a - 2').evaluate({'a': 16})",
}


def starts() -> Iterator[tuple[str, str]]:
    """A program that answers one small question, for each engine that is installed."""
    yield from ((name, code) for name, code in STARTS.items() if importlib.util.find_spec(name))


def report(sizes: tuple[int, ...], timed: Callable[[Callable[[Any], object], list[Any]], float]) -> None:
    """Prints what one look-up takes in tables of these sizes, and what a whole process takes that answers once."""
    print(f"\n{'a look-up in bands':40}" + "".join(f"{size:>10,} rows" for size in sizes))
    times: dict[str, list[float]] = {}
    for size in sizes:
        values = [(row * 7) % 1000 for row in range(size)]
        key = WIDTH * (size * 2 // 3) + 4
        by_bisection = by_hand(values, key)
        for name, ask in (("by hand, bisection", by_bisection), *tables(values, key)):
            assert ask() == by_bisection(), name
            times.setdefault(name, []).append(timed(lambda _, ask=ask: ask(), [key] * 5))  # type: ignore[misc]
    for name, found in times.items():
        print(f"{name:40}" + "".join(f"{each * 1e6:12.2f} us" for each in found))
