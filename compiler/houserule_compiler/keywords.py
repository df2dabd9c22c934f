"""The shipped JSON schemas, with their own keywords, as jsonschema validates them.

Importing this imports jsonschema, which takes a tenth of a second: import it where it is used. `x-kind` finds scalars
that YAML readers disagree on. Patterns match whole strings, so that a text that ends in a line break never passes for
one without.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import extend
from referencing import Registry

from .traps import trap

Schema: TypeAlias = Mapping[str, Any]


def checker(schema: Schema) -> Validator:
    """A validator of `schema` that knows its own keywords and fetches nothing from anywhere."""
    own = {
        "x-kind": _kind,
        "propertyNames": _property_names,
        "pattern": _pattern,
    }
    made: Validator = extend(Draft202012Validator, own)(dict(schema), registry=Registry())  # type: ignore[no-untyped-call]
    return made


def _property_names(validator: Any, names: Schema, instance: object, schema: Schema) -> Iterator[ValidationError]:
    """As the standard has it, but the keys that the schema itself names need not be ids."""
    if isinstance(instance, dict):
        own = schema.get("properties", {})
        for key in instance:
            if key not in own:
                yield from validator.descend(instance=key, schema=names)


def _pattern(validator: Any, pattern: str, instance: object, schema: Schema) -> Iterator[ValidationError]:
    if not isinstance(instance, str):
        return
    if not re.fullmatch(pattern, instance):
        yield ValidationError(instance)


def _kind(validator: Any, kind: str, instance: object, schema: Schema) -> Iterator[ValidationError]:
    if kind == "rows":
        yield from _cells(instance)
    elif isinstance(instance, str) and (found := trap(kind, instance)):
        yield ValidationError(found)


def _cells(instance: object) -> Iterator[ValidationError]:
    """All that is odd in the cells of rows, however deep: a loop of our own, since tables are long."""
    inner: Iterable[tuple[object, object]] = ()
    if isinstance(instance, dict):
        inner = instance.items()
    elif isinstance(instance, list):
        inner = enumerate(instance)
    elif instance is None:
        yield ValidationError("null")
    elif isinstance(instance, str) and (found := trap("rows", instance)):
        yield ValidationError(found)
    for key, value in inner:
        if type(value) is not int:
            for error in _cells(value):
                error.path.appendleft(key)  # type: ignore[arg-type]
                yield error
