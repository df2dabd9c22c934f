"""Whether a value fits a schema: yes or no, and nothing about why.

Nearly every file has nothing wrong with its form, and jsonschema takes a fifth of a whole run to say so. Here each
part of the schema becomes a function once, which looks at a value once. Whatever does not fit is jsonschema's to
explain, so that only the wording of faults is its work; tests hold both to the same answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from .traps import trap

Fits: TypeAlias = Callable[[Any], bool]
Schema: TypeAlias = Mapping[str, Any]

_TYPES: dict[str, type] = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": int}
_OF_MAPS = frozenset({"properties", "patternProperties", "additionalProperties", "propertyNames"})
_SAYS_NOTHING = frozenset({"$schema", "$id", "$comment", "$defs", "title", "description", "examples", "else"})


def fitting(schema: Schema) -> Fits:
    """What tells whether a value fits the whole schema; ValueError where a part has a keyword that is not known."""
    return _Fitting(schema).of(schema)


class _Fitting:
    """Makes the functions of one schema; a part that is referred to is made when a value first comes to it."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._parts: dict[str, Fits] = {}

    def of(self, part: Schema | bool) -> Fits:
        """What tells whether a value fits this part."""
        if isinstance(part, bool):
            return _always if part else _never
        tests = [_BY_KEYWORD[key](self, part) for key in part if key in _BY_KEYWORD]
        if unknown := [key for key in part if key not in _KNOWN and not key.startswith("x-")]:
            raise ValueError(f"keywords that are not known: {', '.join(unknown)}")
        tests += [self._map(part)] if part.keys() & _OF_MAPS else []
        return tests[0] if len(tests) == 1 else _all(tests)

    def ref(self, part: Schema) -> Fits:
        """`$ref`, to a part of the same schema."""
        name = part["$ref"]

        def fits(value: Any) -> bool:
            found = self._parts.get(name)
            if found is None:
                found = self._parts[name] = self.of(self._named(name))
            return found(value)

        return fits

    def _named(self, name: str) -> Schema:
        head, *steps = name.split("/")
        if head != "#":
            raise ValueError(f"a part of another schema: {name}")
        found: Any = self._schema
        for step in steps:
            found = found[step]
        return dict(found)

    def _map(self, part: Schema) -> Fits:
        """All that is said of the entries of a map."""
        own = {key: self.of(each) for key, each in part.get("properties", {}).items()}
        alike = [(re.compile(key).search, self.of(each)) for key, each in part.get("patternProperties", {}).items()]
        other = self.of(part.get("additionalProperties", True))
        name = self.of(part.get("propertyNames", True))

        def fits(value: Any) -> bool:
            return type(value) is not dict or all(map(entry, value.items()))

        def entry(item: tuple[str, Any]) -> bool:
            key, value = item
            found = own.get(key)
            if found is None and not name(key):
                return False
            tests = [test for is_alike, test in alike if is_alike(key)]
            if found is None and not tests:
                return other(value)
            return (found is None or found(value)) and all(test(value) for test in tests)

        return fits

    def items(self, part: Schema) -> Fits:
        """`items`, of a list."""
        each = self.of(part["items"])
        return lambda value: type(value) is not list or all(map(each, value))

    def dependent(self, part: Schema) -> Fits:
        """`dependentSchemas`, of a map."""
        found = [(key, self.of(each)) for key, each in part["dependentSchemas"].items()]
        return lambda value: type(value) is not dict or all(fits(value) for key, fits in found if key in value)

    def choice(self, part: Schema) -> Fits:
        """`if` and `else`."""
        given, otherwise = self.of(part["if"]), self.of(part.get("else", True))
        return lambda value: given(value) or otherwise(value)


def _always(value: Any) -> bool:
    return True


def _never(value: Any) -> bool:
    return False


def _all(tests: list[Fits]) -> Fits:
    def fits(value: Any) -> bool:
        for test in tests:  # noqa: SIM110 (a generator costs more than the tests)
            if not test(value):
                return False
        return True

    return fits if tests else _always


def _type(_: _Fitting, part: Schema) -> Fits:
    stated = part["type"]
    types = frozenset(_TYPES[each] for each in ([stated] if isinstance(stated, str) else stated))
    return lambda value: type(value) in types


def _enum(_: _Fitting, part: Schema) -> Fits:
    words = frozenset((type(each), each) for each in (part["enum"] if "enum" in part else [part["const"]]))
    return lambda value: type(value) not in (dict, list) and (type(value), value) in words


def _pattern(_: _Fitting, part: Schema) -> Fits:
    matches = re.compile(part["pattern"]).fullmatch
    return lambda value: type(value) is not str or matches(value) is not None


def _longest(_: _Fitting, part: Schema) -> Fits:
    most = part["maxLength"]
    return lambda value: type(value) is not str or len(value) <= most


def _minimum(_: _Fitting, part: Schema) -> Fits:
    least = part["minimum"]
    return lambda value: type(value) is not int or value >= least


def _fullest(_: _Fitting, part: Schema) -> Fits:
    least = part["minProperties"]
    return lambda value: type(value) is not dict or len(value) >= least


def _required(_: _Fitting, part: Schema) -> Fits:
    keys = part["required"]
    return lambda value: type(value) is not dict or all(key in value for key in keys)


def _called_for(_: _Fitting, part: Schema) -> Fits:
    due = part["dependentRequired"]
    return lambda value: (
        type(value) is not dict
        or all(other in value for key, others in due.items() if key in value for other in others)
    )


def _kind(_: _Fitting, part: Schema) -> Fits:
    kind = part["x-kind"]
    if kind == "rows":
        return _cells
    return lambda value: type(value) is not str or not trap(kind, value)


def _cells(value: Any) -> bool:
    """Whether nothing is odd in the cells of rows, however deep."""
    if type(value) is int:
        return True
    if type(value) is dict:
        return all(map(_cells, value.values()))
    if type(value) is list:
        return all(map(_cells, value))
    return value is not None and not (type(value) is str and trap("rows", value))


_BY_KEYWORD: dict[str, Callable[[_Fitting, Schema], Fits]] = {
    "$ref": _Fitting.ref,
    "type": _type,
    "enum": _enum,
    "const": _enum,
    "pattern": _pattern,
    "maxLength": _longest,
    "minimum": _minimum,
    "minProperties": _fullest,
    "required": _required,
    "dependentRequired": _called_for,
    "dependentSchemas": _Fitting.dependent,
    "if": _Fitting.choice,
    "items": _Fitting.items,
    "x-kind": _kind,
}
_KNOWN = _BY_KEYWORD.keys() | _OF_MAPS | _SAYS_NOTHING
