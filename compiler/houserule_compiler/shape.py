"""From the documents of a ruleset to what is wrong with their form, by the JSON schema of rules files.

The schema tells every union apart by the type of a value alone, so that each error that jsonschema finds is the one
cause, and only its words have to be found. Wholeness is not tested here: a layer is written partially. Ids that are
defined twice are `declare`'s to find.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from .diagnostics import Diagnostic, in_file_order
from .document import Document, Entry, Mapping, Node, Scalar
from .document import Sequence as List
from .dotted import is_dotted, nested
from .fits import Fits, fitting
from .forms import Form, forms, is_layer_word
from .limits import Limits
from .memory import Memory
from .messages import shape as messages
from .scalars import NULLS, OLD_BOOLEANS, classify
from .source import Span

if TYPE_CHECKING:
    from jsonschema import ValidationError
    from jsonschema.protocols import Validator

    from .keywords import Schema

REMOVABLE = "^remove$"
"""The pattern of a map that layers may take out: any other text there is of the wrong kind."""
LONGEST_INTEGER = 16
"""A longer run of digits stays a text, since reading it as an integer is slow: the parser of expressions reports it."""


def shape(
    documents: Sequence[Document], schema: Schema, limits: Limits, name: str = "", memory: Memory | None = None
) -> list[Diagnostic]:
    """Every finding about the form of these files, in file order; of one file at most as many as the limits allow.

    `name` is the name that the ruleset was found under, and is compared with the one in its manifest if given. `memory`
    has what earlier builds with the same schema and limits found in documents.
    """
    asked = _Schema(schema)

    def findings(document: Document) -> Iterable[Diagnostic]:
        if memory is None:
            return _of_file(document, asked, limits)
        return memory.recall(("form", id(document)), document, lambda: tuple(_of_file(document, asked, limits)))

    found = [each for document in documents for each in findings(document)]
    told = {each.span for each in found}
    long = [each for each in _names(documents) if len(each.text) > limits.name and each.span not in told]
    found += [messages.name_too_long(each, limits.name) for each in long]
    told |= {each.span for each in long}
    return in_file_order([*found, *(each for each in _manifests(documents, name) if each.span not in told)])


def _manifests(documents: Sequence[Document], name: str) -> Iterator[Diagnostic]:
    """What is wrong with the number and the name of the manifests. One in `ruleset.yaml` counts as the first."""
    named = [entry for document in documents if (entry := document.root.entry("ruleset"))]
    named.sort(key=lambda entry: PurePosixPath(entry.key.span.file.name).name != "ruleset.yaml")
    if documents and not named:
        yield messages.no_manifest(Span(documents[0].file, 0, 0))
    for again in named[1:]:
        yield messages.second_manifest(again.key.span, named[0].key.span)
    if name and named and isinstance(named[0].value, Scalar) and named[0].value.text != name:
        yield messages.name_mismatch(named[0].value, name)


@dataclass(frozen=True, eq=False)
class _Schema:
    """A schema, as it is asked of many files: whether they fit it, and only where one does not, why."""

    schema: Schema

    @cached_property
    def form(self) -> Form:
        """The places of a rules file."""
        return forms(self.schema)

    @cached_property
    def fits(self) -> Fits:
        """Whether a file is as it should be."""
        return fitting(self.schema)

    @cached_property
    def validator(self) -> Validator:
        """What tells every error."""
        from .keywords import checker

        return checker(self.schema)


def _names(documents: Sequence[Document]) -> Iterator[Scalar]:
    """The names of rulesets: its own, and those that it stands on."""
    for document in documents:
        for key in ("ruleset", "extends", "with"):
            entry = document.root.entry(key)
            node = entry.value if entry else None
            items = (node,) if isinstance(node, Scalar) else node.items if isinstance(node, List) else ()
            yield from (each for each in items if isinstance(each, Scalar))


def _of_file(document: Document, schema: _Schema, limits: Limits) -> Iterable[Diagnostic]:
    wrong = [(root, value) for root in _roots(document.root, schema.form) if not schema.fits(value := plain(root))]
    found = (each for root, value in wrong for each in _reworded(root, schema.validator.iter_errors(value)))
    return islice(_once_each(found), limits.errors_per_file)


def _roots(root: Mapping, form: Form) -> Iterator[Mapping]:
    """The file without its long paths, then each of those as maps within maps."""
    yield Mapping(tuple(each for each in root.entries if not is_dotted(each.key)), root.span, root.is_flow)
    for each in root.entries:
        if is_dotted(each.key):
            yield Mapping((nested(each, form),), each.span)


def _once_each(diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """The first diagnostic at each place: what a schema says next about the same text has the same cause."""
    told: set[tuple[int, int]] = set()
    for each in diagnostics:
        place = each.span.start, each.span.end
        if place not in told:
            told.add(place)
            yield each


def plain(node: Node) -> Any:
    """A node as YAML 1.2's core schema reads it, but for decimal numbers, which stay text. Keys stay text too."""
    if isinstance(node, Mapping):
        return {each.key.text: plain(each.value) for each in node.entries}
    if not isinstance(node, Scalar):
        return [plain(each) for each in node.items]
    return _plain_scalar(node.text) if node.is_plain else node.text


def _plain_scalar(text: str) -> object:
    form = classify(text)
    if form == "null":
        return None
    if form == "boolean":
        return text == "true"
    return int(text) if form == "integer" and len(text) <= LONGEST_INTEGER else text


@dataclass(frozen=True, eq=False, slots=True)
class _Finding:
    """An error of jsonschema, and the place in the document that it is about.

    `key` is the key of the value in question, or of the list that it is an item of; None at the top of a file.
    """

    error: ValidationError
    key: Scalar | None
    node: Node

    @property
    def owner(self) -> str:
        """What the value belongs to, as messages name it."""
        return self.key.text if self.key else ""

    @property
    def due(self) -> Any:
        """What the keyword that failed asks for."""
        return self.error.validator_value

    @property
    def schema(self) -> dict[str, Any]:
        """The part of the schema that the value does not fit."""
        return self.error.schema if isinstance(self.error.schema, dict) else {}

    @property
    def is_about_key(self) -> bool:
        """Whether it is a key of `node` that is wrong, and not its value."""
        return "propertyNames" in self.error.absolute_schema_path

    @property
    def place(self) -> Span:
        """The smallest text that shows the value: what spans lines is shown by its key."""
        span = self.node.span
        return self.key.span if self.key and "\n" in span.text else span

    @property
    def name(self) -> Scalar | None:
        """The scalar that is wrong: the value, or a key. None for a key without a value, which `load` has told."""
        if not self.is_about_key:
            return self.node if isinstance(self.node, Scalar) else None
        entry = self.entry(str(self.error.instance))
        return None if _is_empty(entry.value) else entry.key

    def entry(self, key: str) -> Entry:
        """The entry of a key that the document is known to have."""
        found = self.node.entry(key) if isinstance(self.node, Mapping) else None
        assert found is not None, f"the schema speaks of a key `{key}` that is not there"
        return found


def _is_empty(node: Node) -> bool:
    return isinstance(node, Scalar) and node.is_empty


def _reworded(root: Mapping, errors: Iterable[ValidationError]) -> Iterator[Diagnostic]:
    places = _Places(root)
    for error in errors:
        key, node = places.find(error.absolute_path)
        if key and is_dotted(key):
            # It stands in the wrong place, which is told at the key; what it means there says nothing.
            continue
        yield from WORDING[str(error.validator)](_Finding(error, key, node))


class _Places:
    """The nodes of a file by their paths. Each map is indexed once, since a large one may hold many errors."""

    def __init__(self, root: Mapping) -> None:
        self._root = root
        self._indexed: dict[int, dict[str, Entry]] = {}

    def find(self, path: Iterable[str | int]) -> tuple[Scalar | None, Node]:
        """The node at a path, and the nearest key above it."""
        key: Scalar | None = None
        node: Node = self._root
        for step in path:
            if isinstance(node, Mapping):
                entry = self._entries(node)[str(step)]
                key, node = entry.key, entry.value
            elif not isinstance(node, Scalar):
                node = node.items[int(step)]
        return key, node

    def _entries(self, node: Mapping) -> dict[str, Entry]:
        if id(node) not in self._indexed:
            self._indexed[id(node)] = {each.key.text: each for each in node.entries}
        return self._indexed[id(node)]


def _type(finding: _Finding) -> Iterator[Diagnostic]:
    node = finding.node
    if isinstance(node, Scalar) and node.is_plain and node.text in NULLS:
        yield from _null(finding, node)
    elif isinstance(node, Scalar) and node.is_plain and "boolean" in finding.due and node.text in OLD_BOOLEANS:
        yield messages.yaml_boolean(node, finding.owner)
    else:
        yield from _wrong_kind(finding)


def _null(finding: _Finding, value: Scalar) -> Iterator[Diagnostic]:
    """A word for nothing. Where there is no word either, `load` has told it already."""
    if not value.is_empty:
        yield messages.null_value(finding.owner, value)


def _wrong_kind(finding: _Finding) -> Iterator[Diagnostic]:
    schema = finding.schema
    stated = schema.get("type", [])
    types = [stated] if isinstance(stated, str) else list(stated)
    expected = messages.wanted(schema.get("x-kind", ""), types)
    yield messages.wrong_kind(expected, finding.owner, finding.node, finding.place, schema.get("examples", []))


def _pattern(finding: _Finding) -> Iterator[Diagnostic]:
    name = finding.name
    kind = finding.schema.get("x-kind", "")
    if finding.due == REMOVABLE:
        yield from _wrong_kind(finding)
    elif kind == "ruleset-name" and name:
        # How long a name may be is a limit, which can be another one than the schema's.
        if finding.error.validator == "pattern":
            yield messages.bad_ruleset_name(name, finding.schema["maxLength"])
    elif kind in ("path", "effect") and name:
        yield messages.bad_path(name, is_effect=kind == "effect")
    elif name and finding.is_about_key and is_dotted(name):
        yield messages.indented_path(name)
    elif name:
        yield messages.bad_id(name)


def _words(finding: _Finding) -> Iterator[Diagnostic]:
    due, node = finding.due, finding.node
    words = [str(each) for each in due if each != "remove"] if isinstance(due, list) else [str(due).lower()]
    if isinstance(node, Scalar) and node.is_plain and node.text in NULLS:
        yield from _null(finding, node)
    else:
        yield messages.unexpected_value(node, finding.place, finding.owner, words)


def _unknown_keys(finding: _Finding) -> Iterator[Diagnostic]:
    properties, patterns = finding.schema["properties"], finding.schema.get("patternProperties", {})
    known = [key for key, part in properties.items() if not is_layer_word(key, part)]
    for each in finding.node.entries if isinstance(finding.node, Mapping) else ():
        is_known = each.key.text in properties or any(re.match(one, each.key.text) for one in patterns)
        if not is_known and is_dotted(each.key):
            yield messages.indented_path(each.key)
        elif not is_known and not _is_empty(each.value):
            yield messages.unknown_key(each.key, finding.schema["x-noun"], known)


def _missing(finding: _Finding) -> Iterator[Diagnostic]:
    """A map lacks a key: shown at the key that calls for it, in a whole file the name of the ruleset."""
    for key in finding.due:
        if isinstance(finding.node, Mapping) and not finding.node.entry(key):
            yield messages.missing_key(key, (finding.key or finding.entry("ruleset").key).span)


def _dependent(finding: _Finding) -> Iterator[Diagnostic]:
    """A key of the manifest stands where no ruleset is named."""
    for each in finding.node.entries if isinstance(finding.node, Mapping) else ():
        if each.key.text in finding.due:
            yield messages.outside_manifest(each.key)


def _kind(finding: _Finding) -> Iterator[Diagnostic]:
    """What is odd about a scalar. What is quoted is meant as it is written."""
    form, name = finding.error.message, finding.name
    if name is None or (not finding.is_about_key and not name.is_plain):
        return
    if finding.is_about_key and is_dotted(name):
        yield messages.indented_path(name)
    elif finding.is_about_key or form == "reserved":
        yield messages.bad_id(name)
    elif form == "null":
        yield from _null(finding, name)
    else:
        yield messages.odd_number(name, form)


def _too_small(finding: _Finding) -> Iterator[Diagnostic]:
    yield messages.too_small(finding.node, finding.place, finding.owner, finding.due)


WORDING: dict[str, Callable[[_Finding], Iterator[Diagnostic]]] = {
    "type": _type,
    "pattern": _pattern,
    "maxLength": _pattern,
    "enum": _words,
    "const": _words,
    "additionalProperties": _unknown_keys,
    "required": _missing,
    "dependentRequired": _dependent,
    "x-kind": _kind,
    "minimum": _too_small,
    "minProperties": _wrong_kind,
}
"""The wording of each keyword of the schema that can fail."""
