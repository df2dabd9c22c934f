"""The definitions of an artifact as parts by path, so that two rulesets can be compared part by part.

A path is that of the rules, as `houserule origin` takes it. What follows from other parts (costs, intervals, what is
read) is left out. Tables have no parts here: their rows are compared by what they are looked up with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from houserule.values import hit_dice_text

SECTIONS = (
    "options",
    "choices",
    "entities",
    "roles",
    "facts",
    "conditions",
    "impossible",
    "tables",
    "numbers",
    "modifiers",
    "stacking",
    "checks",
    "events",
    "actions",
    "triggers",
    "sequences",
    "rulings",
)
_WORDS = frozenset(("title", "note", "source", "question", "ruling", "because", "editorial"))
# What a part is worked out from decides; these follow.
_DERIVED = frozenset(("id", "cost", "needs", "reads", "text"))
_UNNAMED = frozenset(("fields",))
_COMPUTED = frozenset(("numbers", "checks", "sequences"))
_OPEN = 999_999_999
_ORDERED = frozenset(("words", "cases", "steps", "outcomes", "roll", "moments"))


@dataclass(frozen=True, slots=True)
class Part:
    """What stands at a path, as plain data; `text` as its author wrote it, where the artifact has that."""

    value: Any
    is_wording: bool = False
    text: str = ""
    is_order: bool = False


def definition_parts(artifact: Mapping[str, Any]) -> dict[str, Part]:
    """Every part of every definition but tables, by path."""
    found: dict[str, Part] = {}
    for section in SECTIONS:
        for each in artifact[section]:
            path = f"{section}.{each['id']}"
            if section == "entities":
                found |= dict(_walk({key: value for key, value in each.items() if key != "fields"}, path, section))
                for field in each["fields"]:
                    found |= dict(_walk(field, f"{path}.{field['id']}", section))
                continue
            left_out = {"tables": ("keys", "columns", "index", "rows"), "numbers": ("entries",)}.get(section, ())
            node = {key: value for key, value in each.items() if key not in left_out}
            found |= dict(_walk(node if section != "sequences" else _sequence(node), path, section))
    for number in artifact["numbers"]:
        for entry in number["entries"]:
            _entry(entry, number["id"], found, _names(artifact, entry.get("by", entry.get("each"))))
    return found


def _walk(node: Mapping[str, Any], path: str, section: str, inside: str = "") -> Iterator[tuple[str, Part]]:
    # That a definition is there is a part of its own, so that an empty one can be told.
    yield path, Part(None)
    for key, value in node.items():
        if key in _DERIVED or (key == "type" and section in _COMPUTED) or (inside == "roll" and key in ("low", "high")):
            continue
        if key in _WORDS:
            yield f"{path}.{key}", Part(value, True)
        elif _is_named(value):
            yield from _named(value, key, path, section)
        elif isinstance(value, Mapping) and key != "type":
            yield from _walk(value, f"{path}.{key}", section)
        elif key in ("effects", "adjust") and value:
            yield from _changes(value, f"{path}.{key}", section)
        elif value != [] and value != {}:
            yield f"{path}.{key}", Part(value, text=str(node.get("text", "")) if key == "when" else "")


def _sequence(node: Mapping[str, Any]) -> Mapping[str, Any]:
    """A sequence with the moments of its places by action, as its author has them, and with steps by name."""
    steps = list(_step_ids(node["steps"]))
    places = {
        each["action"]: {moment["id"]: _moment(moment, steps) for moment in each["moments"]} for each in node["places"]
    }
    return {**node, "places": places}


def _step_ids(steps: list[Any]) -> Iterator[str]:
    for each in steps:
        yield each["id"]
        yield from _step_ids(each["steps"])


def _moment(moment: Mapping[str, Any], steps: list[str]) -> dict[str, Any]:
    cases = [
        {**each, "step": steps[each["step"]]} if type(each.get("step")) is int else each for each in moment["cases"]
    ]
    # A moment without cases has what its only one says.
    return {**moment, **cases[0], "cases": []} if len(cases) == 1 and not cases[0]["id"] else {**moment, "cases": cases}


def _changes(value: list[Any], path: str, section: str) -> Iterator[tuple[str, Part]]:
    """What effects and adjustments change, at the names that their authors give them."""
    for each in value:
        if "event" in each:
            given = each.get("arguments", {}).items()
            node = {key: one for key, one in each.items() if key not in ("event", "arguments")}
            node |= {name: one.get("role", one) if isinstance(one, Mapping) else one for name, one in given}
            yield from _walk(node, f"{path}.{each['event']}", section)
            continue
        own = f"{path}.{each['number']}" if "number" in each else f"{path}.{each['role']}.{each['field']}"
        yield own, Part([each["op"], each.get("round", ""), each["value"]])
        if "when" in each:
            yield f"{own}.when", Part(each["when"])


def _is_named(value: object) -> bool:
    is_listed = isinstance(value, list) and bool(value) and all(isinstance(each, dict) for each in value)
    return is_listed and all("id" in each or "step" in each for each in value)  # type: ignore[attr-defined]


def _named(value: list[Any], key: str, path: str, section: str) -> Iterator[tuple[str, Part]]:
    if key in _ORDERED:
        yield f"{path}.{key}", Part([each.get("id", "") for each in value], is_order=True)
    for at, each in enumerate(value, 1):
        inner = each["step"] if key == "then" else each
        id = inner.get("id", "")
        if not id and key == "steps":
            yield from ((one, part) for one, part in _walk(inner, path, section, key) if one != path)
            continue
        yield from _walk(inner, f"{path}.{key}.{id or at}", section, key)


def _names(artifact: Mapping[str, Any], read: Any) -> Callable[[int], str]:
    """What the codes of a fact that is read are called in the rules."""
    by_id = {section: {each["id"]: each for each in artifact[section]} for section in ("roles", "entities", "facts")}
    declared: Mapping[str, Any] = {}
    if isinstance(read, list) and read[0] == "fact":
        declared = by_id["facts"][read[1]]
    elif isinstance(read, list) and read[0] == "field" and read[1] in by_id["roles"]:
        fields = by_id["entities"][by_id["roles"][read[1]]["entity"]]["fields"]
        declared = next(each for each in fields if each["id"] == read[2])
    type = declared.get("type", {})
    words = [word["id"] for each in artifact["choices"] if each["id"] == type.get("choice") for word in each["words"]]
    if words:
        return lambda code: words[code] if 0 <= code < len(words) else str(code)
    return hit_dice_text if type.get("type") == "hit_dice" else str


def _entry(entry: Mapping[str, Any], number: str, found: dict[str, Part], called: Callable[[int], str]) -> None:
    """The parts of what a modifier does to a number, at the modifier's paths."""
    path = f"modifiers.{entry['modifier']}"
    own = f"{path}.adjust.{number}"
    shared = {"when": "when", "by": "by", "each": "by", "times": "times", "group": "stack"}
    for key, name in shared.items():
        if key in entry:
            place = f"{path}.{name}"
            is_other = place in found and found[place].value != entry[key]
            found[f"{own}.{name}" if is_other else place] = Part(entry[key])
    how = [entry["op"], entry.get("round", "")]
    if "value" in entry:
        found[own] = Part([*how, entry["value"]])
        return
    for low, high, value in entry["grades"]:
        ends = ["" if code is None or abs(code) >= _OPEN else called(code) for code in (low, high)]
        found[f"{own}[{ends[0]}]" if low == high else f"{own}[{'..'.join(ends)}]"] = Part([*how, value])
