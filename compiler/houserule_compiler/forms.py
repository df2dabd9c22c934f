"""How layers merge each part of a rules file: the annotations of `schemas/rules.schema.json`, found by path.

The schema says for each map and list how it merges (`x-merge`), for each scalar what it is read as (`x-kind`), and for
each short form which key it stands for (`x-short`, `x-list`). Which keys are ids and which the language's own follows
from whether the schema names them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Schema: TypeAlias = Mapping[str, Any]

LAYER_WORDS = ("replace", "new", "before", "after", "order")
"""The keys with which a layer says how the rest of a map is to be taken."""

SECTIONS = (
    "choices",
    "entities",
    "roles",
    "facts",
    "options",
    "conditions",
    "impossible",
    "tables",
    "numbers",
    "modifiers",
    "stacking",
    "checks",
    "actions",
    "triggers",
    "events",
    "sequences",
    "rulings",
    "examples",
)
"""The keys of a rules file that hold definitions; all others belong to the manifest or to the file."""

MAPS = frozenset({"by-id", "ordered", "either-or"})


@dataclass(frozen=True, eq=False, slots=True)
class Form:
    """What may stand in one place. `name` is the schema's name for it, empty where it has none."""

    part: Schema
    name: str
    defs: Schema = field(repr=False)

    @property
    def merge(self) -> str:
        """How layers merge it: a value of `x-merge`, or nothing for a scalar."""
        return str(self.part.get("x-merge", ""))

    @property
    def kind(self) -> str:
        """What a scalar here is read as."""
        return str(self.part.get("x-kind", ""))

    @property
    def noun(self) -> str:
        """What messages call a map here: `a modifier`."""
        return str(self.part.get("x-noun", "an entry"))

    @property
    def short(self) -> str:
        """The key that a plain value here stands for, or nothing."""
        return str(self.part.get("x-short", ""))

    @property
    def list_key(self) -> str:
        """The key that a list here stands for, or nothing."""
        return str(self.part.get("x-list", ""))

    def says(self, word: str) -> bool:
        """Whether `word` is one of the words of layers here, and not a key of its own meaning."""
        return is_layer_word(word, self.part.get("properties", {}).get(word, {}))

    def is_id(self, key: str) -> bool:
        """Whether `key` is an author's id here, and not a key of the language."""
        return key not in self.part.get("properties", {})

    def child(self, key: str) -> Form:
        """What may stand under `key`."""
        properties = self.part.get("properties", {})
        if key in properties:
            return self._form(properties[key])
        for pattern, part in self.part.get("patternProperties", {}).items():
            if re.match(pattern, key):
                return self._form(part)
        other = self.part.get("additionalProperties")
        return self._form(other if isinstance(other, Mapping) else {})

    @property
    def item(self) -> Form:
        """What may stand in a list here."""
        return self._form(self.part.get("items", {}))

    def _form(self, part: Schema) -> Form:
        name = self.name
        whole: dict[str, Any] = dict(part)
        while "$ref" in whole:
            name = str(whole.pop("$ref")).rpartition("/")[2]
            whole = {**self.defs[name], **whole}
        return Form(whole, name if whole is not part and "$ref" in part else "", self.defs)


def is_layer_word(key: str, part: Schema) -> bool:
    """Whether the schema means a word of layers by this key."""
    return key in LAYER_WORDS and part.get("$ref") == f"#/$defs/{key}"


def forms(schema: Schema) -> Form:
    """The form of a whole rules file."""
    return Form(schema, "", schema.get("$defs", {}))
