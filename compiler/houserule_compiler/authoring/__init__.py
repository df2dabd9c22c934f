"""The JSON Schema of one very ruleset, for editors: what its author can name, offered where it can stand.

It is the schema of all rules files with offers put in. An offer closes nothing, because the next line may declare a new
id: it stands beside what the place takes anyway. Only values whose words are all known are closed: the words of choices
in facts, options and expectations, and outcomes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from typing import Any

from ..document import Mapping as Tree
from ..ruleset import Ruleset
from .examples import example, facts
from .paths import long_paths
from .places import IDS, KEYS, LISTS, SECTIONS
from .values import option_value, types
from .words import Words

Schema = dict[str, Any]


def authoring_schema(schema: Mapping[str, Any], ruleset: Ruleset, tree: Tree, names: Iterable[str]) -> Schema:
    """The schema for files of `ruleset`, whose layers came together in `tree`.

    `schema` is that of all rules files; `names` are those of the rulesets that a manifest can name.
    """
    found: Schema = _plain(deepcopy(dict(schema)))
    words = Words(ruleset, sorted(names))
    found["title"] = f"Rules files of {ruleset.manifest.id}"
    found["description"] = f"Made by `houserule schema {ruleset.manifest.id}`; make it again when names change."
    definitions = found["$defs"]
    for place, offered in IDS.items():
        _offer(_part(found, place), words.of(offered))
    for place, offered in LISTS.items():
        _offer(_part(found, place)["items"], words.of(offered))
    for place, offered in KEYS.items():
        _offer_keys(_part(found, place), words.of(offered))
    for place in ("type", "field", "attribute", "column_type"):
        _offer(definitions[place], types(ruleset))
    for section in SECTIONS:
        _offer_definitions(found["properties"][section], ruleset, section)
    for id, option in ruleset.options.items():
        found["properties"]["options"]["properties"][id] = option_value(option, ruleset)
    definitions |= facts(ruleset)
    definitions["example"] |= example(ruleset)
    found["properties"] |= long_paths(found, tree)
    return found


def _plain(part: Any) -> Any:
    """Without what only this compiler reads."""
    if isinstance(part, dict):
        return {key: _plain(each) for key, each in part.items() if not key.startswith("x-") and key != "$comment"}
    return [_plain(each) for each in part] if isinstance(part, list) else part


def _part(schema: Schema, place: str) -> Schema:
    """The schema of a place: `number.of` is the property `of` of the definition `number`; `.source` is at the top."""
    definition, *keys = place.split(".")
    part: Schema = schema["$defs"][definition] if definition else schema
    for key in keys:
        part = part["properties"][key]
    return part


def _offer(part: Schema, offered: Sequence[str]) -> None:
    """Lets an editor complete what may stand there; anything else that fits stays allowed."""
    if offered:
        part["anyOf"] = [{"enum": list(offered)}, {}]


def _offer_keys(part: Schema, offered: Sequence[str]) -> None:
    value = part["additionalProperties"]
    properties = part.setdefault("properties", {})
    for each in offered:
        dotted = next(iter(part.get("patternProperties", {}).values()), value) if "." in each else value
        properties.setdefault(each, dict(dotted))


def _offer_definitions(section: Schema, ruleset: Ruleset, name: str) -> None:
    value = section["additionalProperties"]
    properties = section.setdefault("properties", {})
    for id, definition in getattr(ruleset, name).items():
        title = {"description": definition.title} if definition.title else {}
        properties[id] = {**value, **title}
