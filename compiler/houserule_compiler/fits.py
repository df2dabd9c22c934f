"""Whether a value fits a schema: yes or no, and nothing about why.

Nearly every file has nothing wrong with its form, and jsonschema takes a fifth of a whole run to say so. jsonschema-rs
says it in a fiftieth; whatever does not fit is jsonschema's to explain, and it has the last word.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn, TypeAlias

from .traps import trap

Fits: TypeAlias = Callable[[Any], bool]
Schema: TypeAlias = Mapping[str, Any]


def fitting(schema: Schema) -> Fits:
    """What tells whether a value surely fits the whole schema; ValueError where it refers to another schema.

    The names of properties are held to `propertyNames` even where the schema itself names them, as the standard has
    it: so a value may fit though this says no, but never the other way round.
    """
    from jsonschema_rs import Draft202012Validator

    made = Draft202012Validator(dict(schema), keywords={"x-kind": _Kind}, retriever=_refused)
    return made.is_valid


class _Kind:
    """The keyword `x-kind`."""

    def __init__(self, parent_schema: dict[str, Any], value: Any, schema_path: list[str | int]) -> None:
        self._kind = value

    def validate(self, instance: Any) -> None:
        """ValueError for what is odd where it stands."""
        fits = _cells(instance) if self._kind == "rows" else type(instance) is not str or not trap(self._kind, instance)
        if not fits:
            raise ValueError(self._kind)


def _cells(value: Any) -> bool:
    """Whether nothing is odd in the cells of rows, however deep."""
    if type(value) is int:
        return True
    if type(value) is dict:
        return all(map(_cells, value.values()))
    if type(value) is list:
        return all(map(_cells, value))
    return value is not None and not (type(value) is str and trap("rows", value))


def _refused(uri: str) -> NoReturn:
    raise ValueError(f"a part of another schema: {uri}")
