"""From the program to the bytes of the artifact: canonical JSON with its format head, content hash and source map."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256

FORMAT_VERSION = 1


def emit(program: Mapping[str, object], origins: Mapping[str, object] | None = None) -> bytes:
    """The artifact. The same program with the same origins gives the same bytes everywhere."""
    whole = {**_headed(program), "content_hash": content_hash(program)}
    return canonical(whole if origins is None else {**whole, "origins": origins}) + b"\n"


def content_hash(program: Mapping[str, object]) -> str:
    """The hash of what a program means: where its rules stand, and what they replaced, is no part of it."""
    return f"sha256:{sha256(canonical(_headed(program))).hexdigest()}"


def canonical(value: object) -> bytes:
    """JSON with sorted keys and no white space, in UTF-8."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8")


def _headed(program: Mapping[str, object]) -> dict[str, object]:
    return {**program, "format": "houserule", "format_version": FORMAT_VERSION}
