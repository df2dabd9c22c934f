"""From the text of a lock to what it holds; a text that is no sound lock is refused at the place of the fault.

It is read by the standard library's JSON reader. What that lets pass is refused here: a key that stands twice, numbers
that are not whole or huge, nesting without end.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, NoReturn

from .characters import REFUSED
from .diagnostics import Diagnostic
from .edits import LayerMark
from .lock import FORMAT, VERSION, Lock, Place, Record, Value
from .messages import drift as messages
from .messages.drift import Fault
from .source import SourceFile, Span

DEPTH = 64
DIGITS = 9
_KEYS = frozenset({"format", "lock_version", "ruleset", "layers", "edits"})
_MARK = frozenset({"version", "content_hash"})
_VALUE = frozenset({"below", "contenders"})
_SIDES = ("before", "after")
_HASH = re.compile(r"sha256:[0-9a-f]{64}")


class _Refused(Exception):
    """A fault of the text, and where it stands."""

    def __init__(self, fault: Fault, start: int, end: int) -> None:
        super().__init__(fault)
        self.fault, self.start, self.end = fault, start, end


def unlock(file: SourceFile, name: str) -> tuple[Lock | None, list[Diagnostic]]:
    """The lock of the ruleset `name` that a file holds; None, and why, where it holds none."""
    try:
        root = _read(file.text)
        if root.get("format") != FORMAT or "lock_version" not in root:
            _refuse(file.text, Fault.FORMAT, "format")
        version = root["lock_version"]
        if version != VERSION or version is True:
            start, end = _place(file.text, "lock_version")
            return None, [messages.lock_version(Span(file, start, end), name, VERSION)]
        return _lock(file.text, root, name), []
    except _Refused as refused:
        return None, [messages.damaged_lock(Span(file, refused.start, refused.end), name, refused.fault)]


def _read(text: str) -> dict[str, Any]:
    _check_depth(text)
    try:
        root = json.loads(
            text,
            object_pairs_hook=lambda pairs: _unique(text, pairs),
            parse_int=lambda number: _integer(text, number),
            parse_float=lambda number: _refuse(text, Fault.NUMBER, number),
            parse_constant=lambda word: _refuse(text, Fault.NUMBER, word),
        )
    except json.JSONDecodeError as problem:
        raise _Refused(Fault.JSON, problem.pos, min(problem.pos + 1, len(text))) from None
    if not isinstance(root, dict):
        raise _Refused(Fault.FORMAT, 0, 0)
    return root


def _check_depth(text: str) -> None:
    """The reader calls itself for each level: text that is too deep must never come to it."""
    depth = 0
    for found in re.finditer(r'"(?:[^"\\]|\\.)*"?|[\[\]{}]', text, re.DOTALL):
        depth += (found[0] in "[{") - (found[0] in "]}")
        if depth > DEPTH:
            raise _Refused(Fault.DEPTH, found.start(), found.end())


def _unique(text: str, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        for each in (key, *(value if isinstance(value, list) else [value])):
            if isinstance(each, str) and REFUSED.search(each):
                _refuse(text, Fault.CHARACTER, key)
        if key in found:
            _refuse(text, Fault.TWICE, key, -1)
        found[key] = value
    return found


def _integer(text: str, number: str) -> int:
    if len(number) > DIGITS:
        _refuse(text, Fault.NUMBER, number)
    return int(number)


def _refuse(text: str, fault: Fault, word: str = "", which: int = 0) -> NoReturn:
    start, end = _place(text, word, which)
    raise _Refused(fault, start, end)


def _place(text: str, word: str, which: int = 0) -> tuple[int, int]:
    """Where a key or a number stands, the first or the last of its kind; the beginning if nowhere."""
    quoted = re.escape(json.dumps(word, ensure_ascii=False))
    places = [each.span(1) for each in re.finditer(rf"({quoted})\s*:", text)]
    places = places or [each.span() for each in re.finditer(re.escape(word), text) if word]
    return places[which] if places else (0, 0)


def _lock(text: str, root: dict[str, Any], name: str) -> Lock:
    for key in (*(root.keys() - _KEYS), *(_KEYS - root.keys())):
        _refuse(text, Fault.FORMAT, key)
    if root["ruleset"] != name:
        _refuse(text, Fault.OTHER, "ruleset")
    layers = {id: _mark(text, id, mark) for id, mark in _object(text, root["layers"], "layers").items()}
    edits = _object(text, root["edits"], "edits")
    return Lock(layers, {path: _record(text, path, record) for path, record in edits.items()})


def _object(text: str, found: Any, key: str) -> dict[str, Any]:
    if not isinstance(found, dict):
        _refuse(text, Fault.FORMAT, key)
    return found


def _mark(text: str, id: str, mark: Any) -> LayerMark:
    if _object(text, mark, id).keys() != _MARK or not all(isinstance(each, str) for each in mark.values()):
        _refuse(text, Fault.FORMAT, id)
    if not _HASH.fullmatch(mark["content_hash"]):
        _refuse(text, Fault.FORMAT, id)
    return LayerMark(mark["version"], mark["content_hash"])


def _record(text: str, path: str, record: Any) -> Record:
    keys = set(_object(text, record, path))
    value = Value(record.get("below"), record.get("contenders", {})) if keys & _VALUE else None
    place = _placed(record, keys - _VALUE)
    if not keys or (keys - _VALUE and place is None) or (value and not _is_value(value)):
        _refuse(text, Fault.FORMAT, path)
    return Record(value, place)


def _placed(record: Mapping[str, Any], keys: set[str]) -> Place | None:
    """The place that a record holds under these keys; None where they are none of a place."""
    side = next((each for each in _SIDES if keys == {each, "between"}), "order" if keys == {"order"} else "")
    between = record.get("order" if side == "order" else "between")
    anchor = record.get(side) if side in _SIDES else ""
    if not side or not isinstance(between, list) or not isinstance(anchor, str):
        return None
    is_sound = all(isinstance(each, str) or (each is None and side != "order") for each in between)
    if not is_sound or (side != "order" and len(between) not in (0, 2)):
        return None
    return Place(side, anchor, tuple(between))


def _is_value(value: Value) -> bool:
    if not isinstance(value.contenders, dict):
        return False
    return all(each is None or _is_normal(each) for each in (value.below, *value.contenders.values()))


def _is_normal(found: Any) -> bool:
    """Whether it is a value in normal form: texts, in objects and lists."""
    if isinstance(found, dict):
        return all(map(_is_normal, found.values()))
    return all(map(_is_normal, found)) if isinstance(found, list) else isinstance(found, str)
