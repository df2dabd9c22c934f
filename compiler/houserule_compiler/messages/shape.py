"""Messages of `shape`: keys that are unknown, values of another kind than is due, ids that are none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from ..diagnostics import Diagnostic, Label, error
from ..document import Mapping, Node, Scalar
from ..source import Span
from ..suggest import nearest
from ..words import RESERVED
from . import expression

LONGEST = 28
"""So many characters of the author's text are quoted in a headline."""

SHORTEST = 16
"""So many where two texts share a headline."""

WIDTH = 80
"""A headline is shorter than this."""

LONGEST_LIST = 15
"""Of more keys than these none is listed beside the one that was probably meant."""

LONGEST_EXAMPLE = 72
"""So many characters an example in a help has at most."""

KINDS = {
    "text": "a text",
    "key": "an id",
    "id": "an id",
    "ruleset-name": "the name of a ruleset",
    "boolean": "`true` or `false`",
    "expression": "an expression",
    "condition": "a condition",
    "adjustment": "an adjustment",
    "value": "a value",
    "type": "a type",
    "dice": "dice",
    "word": "a word",
    "words": "words",
    "integer": "a whole number",
    "rows": "rows",
}
"""What each kind of scalar is called."""

STRUCTURES = {"array": "a list", "object": "a map", "boolean": "`true` or `false`", "integer": "a whole number"}
"""What each type of YAML value is called; a text is never wanted without a kind."""


def quoted(text: str, longest: int = LONGEST) -> str:
    """The author's text in backticks, on one line, cut where it is long."""
    line = " ".join(text.split())
    return f"`{line}`" if len(line) <= longest else f"`{line[: longest - 1]}…`"


def mismatch(expected: str, owner: str, found: Node) -> str:
    """The headline where something else is due; the owner stands in it only if there is room."""
    whole = f"expected {expected} for {quoted(owner)}, found {kind_of(found)}"
    return whole if len(whole) < WIDTH else f"expected {expected}, found {kind_of(found)}"


def listed(words: Sequence[str]) -> str:
    """`a`, `b` or `c`."""
    shown = [f"`{each}`" for each in words]
    return f"{', '.join(shown[:-1])} or {shown[-1]}" if len(shown) > 1 else "".join(shown)


def guess(names: Sequence[str]) -> str:
    """The help that suggests these names, or none."""
    return f"did you mean {listed(names)}?" if names else ""


def unknown_key(key: Scalar, noun: str, known: Sequence[str]) -> Diagnostic:
    """A map with fixed keys has another one. `noun` names the map, with its article."""
    keys = ", ".join(f"`{each}`" for each in known)
    # Of a long path, the section may be misspelt.
    head, dot, rest = key.text.partition(".")
    meant = nearest(head, known)
    return error(
        "unknown-key",
        f"{noun} has no key {quoted(head or key.text)}",
        Label(key.part(0, len(head)) if dot and head else key.span),
        notes=[] if meant and len(known) > LONGEST_LIST else [f"keys of {noun} are {keys}"],
        help=guess([f"{each}{dot}{rest}" for each in meant]),
    )


def wrong_kind(expected: str, owner: str, found: Node, span: Span, examples: Sequence[object]) -> Diagnostic:
    """A value is of another kind than is due. `owner` is the key that it belongs to; `examples` show what is due."""
    shown = [f"{owner}: {flow(each)}" for each in examples]
    fitting = [each for each in shown if len(each) <= LONGEST_EXAMPLE]
    return error(
        "wrong-kind",
        mismatch(expected, owner, found),
        Label(span),
        help=f"write for example `{fitting[0]}`" if fitting else "",
    )


def flow(value: object) -> str:
    """A value of a schema's example as YAML in flow style."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {flow(each)}' for key, each in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(flow, value))}]"
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return f'"{text}"' if re.search("[,#]|: ", text) else text


def wanted(kind: str, types: Sequence[str]) -> str:
    """What is due in a place, from what its schema says of it: `a condition`, `a list or a map`."""
    names = [KINDS[kind]] if kind in KINDS else []
    structures = ("array", "object") if names else tuple(STRUCTURES)
    # A condition and an adjustment have a name that covers their map too.
    covered = {"object"} if kind in ("condition", "adjustment") else set()
    names.extend(STRUCTURES[each] for each in structures if each in types and each not in covered)
    return f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else names[0]


def kind_of(node: Node) -> str:
    """What a node is, in the author's words."""
    if not isinstance(node, Scalar):
        name = "map" if isinstance(node, Mapping) else "list"
        is_empty = not (node.entries if isinstance(node, Mapping) else node.items)
        return f"an empty {name}" if is_empty else f"a {name}"
    if node.is_plain and node.text in ("true", "false"):
        return f"`{node.text}`"
    if node.is_plain and re.fullmatch(r"-?[0-9]+", node.text):
        return f"the number {quoted(node.text, SHORTEST)}"
    return f"the text {quoted(node.text, SHORTEST)}" if node.text.strip() else "an empty text"


def null_value(owner: str, value: Scalar) -> Diagnostic:
    """A word for nothing stands where a value is due."""
    return error(
        "null-value",
        f"{quoted(value.text)} stands for nothing, and {quoted(owner)} needs a value",
        Label(value.span),
        notes=["what is not known is left out"],
        help=f"write a value, or take {quoted(owner)} out",
    )


def unexpected_value(value: Node, span: Span, owner: str, words: Sequence[str]) -> Diagnostic:
    """One of a few words is due."""
    suggestions = nearest(value.text, words) if isinstance(value, Scalar) and value.text.isalpha() else []
    is_short = len(words) <= 3
    return error(
        "unexpected-value",
        mismatch(listed(words) if is_short else "one of a few words", owner, value),
        Label(span),
        notes=[] if is_short else [f"it is {listed(words)}"],
        help=guess(suggestions),
    )


def bad_id(name: Scalar) -> Diagnostic:
    """An id with other characters than ids have, or one of the language's own words."""
    if name.text in RESERVED:
        return error(
            "bad-id",
            f"`{name.text}` is a word of the language and cannot be an id",
            Label(name.span),
            help="choose another id",
        )
    mended = re.sub(r"[^a-z0-9]+", "_", name.text.lower()).strip("_")
    is_id = bool(re.match("[a-z]", mended)) and mended not in RESERVED
    return error(
        "bad-id",
        f"{quoted(name.text)} is not an id",
        Label(name.span),
        notes=["an id is small letters, digits and `_`, and begins with a letter"],
        help=f"write {quoted(mended)}" if is_id else "",
    )


def indented_path(name: Scalar) -> Diagnostic:
    """A long path inside another definition."""
    return error(
        "indented-path",
        f"the long path {quoted(name.text)} stands inside something else",
        Label(name.span),
        help="write it at the left margin, on a line of its own",
    )


def bad_path(name: Scalar, is_effect: bool) -> Diagnostic:
    """A dotted name that is none; an effect has exactly two parts, or is an event."""
    form = "`role.field` or the id of an event" if is_effect else "an id, or several joined by dots"
    return error(
        "bad-id",
        f"expected {form}, found {quoted(name.text, SHORTEST)}",
        Label(name.span),
        notes=["an id is small letters, digits and `_`, and begins with a letter"],
    )


def bad_ruleset_name(name: Scalar, longest: int) -> Diagnostic:
    """The name of a ruleset has other characters than such names have."""
    is_path = bool(re.search(r"[/\\]", name.text))
    last = re.split(r"[/\\]", name.text.rstrip("/\\"))[-1].removesuffix(".yaml")
    mended = re.sub(r"[^a-z0-9]+", "-", last.lower()).strip("-")
    is_name = bool(re.match("[a-z]", mended)) and len(mended) <= longest and mended != name.text
    elsewhere = "; a ruleset is named, and its folder is given by `--path FOLDER`" if is_path else ""
    return error(
        "bad-ruleset-name",
        f"{quoted(name.text)} is not the name of a ruleset",
        Label(name.span),
        notes=["it is small letters, digits and hyphens, and begins with a letter"],
        help=f"write {quoted(mended)}{elsewhere}" if is_name else "",
    )


def name_too_long(name: Scalar, limit: int) -> Diagnostic:
    """The name of a ruleset has more characters than the limit."""
    return error(
        "name-too-long",
        f"the name of a ruleset has at most {limit} characters, and this one has {len(name.text)}",
        Label(name.span),
        help=f"find a shorter one, or raise the limit with `--limit name={2 * limit}`",
    )


def name_mismatch(name: Scalar, place: str) -> Diagnostic:
    """The manifest names another ruleset than the folder or file that it is found under."""
    return error(
        "name-mismatch",
        f"the ruleset {quoted(name.text, SHORTEST)} is found under the name {quoted(place, SHORTEST)}",
        Label(name.span),
        help=f"write {quoted(place)}, or rename the folder or file",
    )


def no_manifest(span: Span) -> Diagnostic:
    """No file of a ruleset names it."""
    return error(
        "no-manifest",
        "no file here names the ruleset",
        Label(span),
        help="begin `ruleset.yaml` with `ruleset:` and the name of its folder",
    )


def second_manifest(again: Span, first: Span) -> Diagnostic:
    """Two files of one ruleset name it."""
    return error(
        "second-manifest",
        "two files name the ruleset",
        Label(again, "named again here"),
        Label(first, "first named here"),
        help="join the two heads into one file",
    )


def outside_manifest(key: Scalar) -> Diagnostic:
    """A key of the manifest stands in another file."""
    return error(
        "outside-manifest",
        f"{quoted(key.text)} stands outside the manifest",
        Label(key.span),
        notes=["the manifest is the file with the key `ruleset`"],
        help="move it to the manifest",
    )


def missing_key(key: str, span: Span) -> Diagnostic:
    """A key that must be there is not."""
    example = {"language": "language: 1", "segment": "segment: 1..10"}.get(key, f"{key}: ...")
    return error("missing-key", f"the key `{key}` is missing", Label(span), help=f"add `{example}`")


def yaml_boolean(value: Scalar, owner: str) -> Diagnostic:
    """`yes`, `off` and their like, where true or false is due."""
    meant = "true" if value.text.lower() in ("yes", "y", "on", "true") else "false"
    return error(
        "yaml-boolean",
        f"expected `true` or `false` for {quoted(owner)}, found {quoted(value.text)}",
        Label(value.span),
        notes=["some YAML readers take it for one of them, and others for a word"],
        help=f"write `{meant}`",
    )


def number_base(value: Scalar) -> Diagnostic:
    """A number in hexadecimal, octal or binary digits."""
    short = re.fullmatch("[-+]?(0x[0-9a-fA-F]{1,7}|0o[0-7]{1,9}|0b[01]{1,29})", value.text)
    return error(
        "number-base",
        f"{quoted(value.text)} is not written in decimal digits",
        Label(value.span),
        help=f"write `{int(value.text, 0)}`" if short else "write it with the digits 0 to 9",
    )


def non_finite_number(value: Scalar) -> Diagnostic:
    """Infinity, or what is not a number."""
    return error(
        "non-finite-number",
        f"{quoted(value.text)} is no number to reckon with",
        Label(value.span),
        help="write the greatest number that there is" if "inf" in value.text.lower() else "write a number",
    )


def too_small(value: Node, span: Span, owner: str, least: int) -> Diagnostic:
    """A whole number below the least that makes sense."""
    return error(
        "unexpected-value",
        mismatch(f"at least `{least}`", owner, value),
        Label(span),
        help=f"write `{least}` or more",
    )


def odd_number(value: Scalar, form: str) -> Diagnostic:
    """A number in a form on which YAML readers disagree; `form` is the one that `classify` gives."""
    text, span = value.text, value.span
    if form == "radix":
        return number_base(value)
    if form == "non-finite":
        return non_finite_number(value)
    if form == "leading-zero":
        return expression.leading_zero(text, span)
    if form == "underscore":
        return expression.digit_separator(text, text.replace("_", ""), span)
    if form == "signed":
        return expression.stray_plus(False, span)
    exact = Fraction(text) if len(text) <= LONGEST and not re.search("[eE].?[0-9]{2}", text) else None
    if form == "exponent":
        return expression.exponent(text, exact.numerator if exact and exact.denominator == 1 else None, span)
    return expression.decimal(text, exact, span)
