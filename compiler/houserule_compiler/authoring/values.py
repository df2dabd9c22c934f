"""Types of the rules language as JSON Schema: which values a fact, an option or an outcome can have."""

from __future__ import annotations

from typing import Any

from ..declarations import Field
from ..ruleset import Ruleset
from ..syntax import Expression, Integer, TypeExpression, Unary

_LAYERS = "remove"
UNKNOWN = "unknown"
_PLAIN = ("boolean", "text", "adjustment", "integer")


def types(ruleset: Ruleset) -> list[str]:
    """The types that can be written with a word or two."""
    return [*_PLAIN, *ruleset.choices, *(f"set of {each}" for each in ruleset.choices)]


def value(type: TypeExpression | None, ruleset: Ruleset, may_be_unknown: bool = False) -> dict[str, Any]:
    """The values of a type, closed where all of them are known."""
    found = _value(type, ruleset) if type else {}
    if not found:
        return {}
    others = [_LAYERS, *([UNKNOWN] if may_be_unknown else [])]
    return {"anyOf": [found, {"enum": others}]}


def _value(type: TypeExpression, ruleset: Ruleset) -> dict[str, Any]:
    match type.kind:
        case "boolean":
            return {"type": "boolean"}
        case "range":
            return _range(type)
        case "choice":
            return _words(type, ruleset)
        case "set":
            words = _words(type, ruleset)
            return {"anyOf": [{"type": "array", "items": words}, words]} if words else {}
    return {}


def _range(type: TypeExpression) -> dict[str, Any]:
    low, high = _constant(type.low), _constant(type.high)
    if low is None or high is None:
        return {"type": "integer"}
    return {"type": "integer", "minimum": low, "maximum": high}


def _constant(written: Expression | None) -> int | None:
    if isinstance(written, Integer):
        return written.value
    if isinstance(written, Unary) and isinstance(written.operand, Integer):
        return -written.operand.value
    return None


def _words(type: TypeExpression, ruleset: Ruleset) -> dict[str, Any]:
    choice = ruleset.choices.get(".".join(type.name.parts)) if type.name else None
    return {"enum": [each.id for each in choice.words]} if choice else {}


def option_value(option: Field, ruleset: Ruleset) -> dict[str, Any]:
    """What may stand behind an option's id: its declaration, or one of its values."""
    title = {"description": option.title} if option.title else {}
    own = _value(option.type, ruleset) if option.type else {}
    if not own:
        return {"$ref": "#/$defs/field", **title}
    # A type has a sign or a space in it, or is a name that is known; another word alone is a misspelt value.
    declared = [{"type": "object", "$ref": "#/$defs/field"}, {"type": "string", "pattern": "[ =.?|<]"}]
    return {"anyOf": [own, *declared, {"enum": [*types(ruleset), _LAYERS]}], **title}
