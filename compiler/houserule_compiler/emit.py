"""From the program to the bytes of the artifact: canonical JSON with its format head, content hash and source map."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256

FORMAT_VERSION = 1


def emit(program: Mapping[str, object], origins: Mapping[str, object] | None = None) -> bytes:
    """The artifact. The same program with the same origins gives the same bytes everywhere."""
    texts = _texts(program)
    whole = {**texts, "content_hash": canonical(_hash(texts))}
    return _joined(whole if origins is None else {**whole, "origins": canonical(origins)}) + b"\n"


def content_hash(program: Mapping[str, object]) -> str:
    """The hash of what a program means: where its rules stand, and what they replaced, is no part of it."""
    return _hash(_texts(program))


def _texts(program: Mapping[str, object]) -> dict[str, bytes]:
    headed = {**program, "format": "houserule", "format_version": FORMAT_VERSION}
    return {key: canonical(each) for key, each in headed.items()}


def _hash(texts: Mapping[str, bytes]) -> str:
    return f"sha256:{sha256(_joined(texts)).hexdigest()}"


def _joined(texts: Mapping[str, bytes]) -> bytes:
    """The canonical JSON of an object whose members are there already."""
    return b"{%b}" % b",".join(b"%b:%b" % (canonical(key), text) for key, text in sorted(texts.items()))


def canonical(value: object) -> bytes:
    """JSON with sorted keys and no white space, in UTF-8."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8")
