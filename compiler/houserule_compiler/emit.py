"""From the program to the bytes of the artifact: canonical JSON with its format head and content hash."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256

FORMAT_VERSION = 1


def emit(program: Mapping[str, object]) -> bytes:
    """The artifact. The same program gives the same bytes everywhere."""
    headed = {**program, "format": "houserule", "format_version": FORMAT_VERSION}
    digest = sha256(canonical(headed)).hexdigest()
    return canonical({**headed, "content_hash": f"sha256:{digest}"}) + b"\n"


def canonical(value: object) -> bytes:
    """JSON with sorted keys and no white space, in UTF-8."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8")
