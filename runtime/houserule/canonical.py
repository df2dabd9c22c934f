"""JSON and its hash by the parts of the standard library that are written in C, without what importing `json` costs.

That is regular expressions and enumerations: half of the time in which a small artifact is loaded. Where these parts
are not there, and for everything that is wrong, `json` itself is asked.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_SPACE = " \t\n\r"


class _Context:
    """What the scanner asks of a decoder."""

    strict = True
    object_hook = None

    parse_int = int

    def __init__(self, object_of: Callable[[Any], Any], real: Callable[[str], Any]) -> None:
        self.object_pairs_hook = object_of
        self.parse_float = real
        self.parse_constant = real
        self.memo: dict[str, str] = {}


def parsed(
    text: str, object_of: Callable[[Any], Any], real: Callable[[str], Any], integer: Callable[[str], Any]
) -> object:
    """What a JSON text says: objects from pairs, other numbers than integers by functions.

    Integers are read as they are, where Python refuses those of thousands of digits; else by a function that does.
    Raises `ValueError` for what is no JSON.
    """
    try:
        if not sys.get_int_max_str_digits():
            raise ImportError
        from _json import make_scanner

        context: Any = _Context(object_of, real)
        root, end = make_scanner(context)(text, len(text) - len(text.lstrip(_SPACE)))
        if not text[end:].strip(_SPACE):
            return root
    except (AttributeError, ImportError, StopIteration, SystemError, ValueError):
        # Of what is no JSON the scanner has an error only where `json` is there to make it, else it has none at all.
        pass
    from json import loads

    return loads(text, object_pairs_hook=object_of, parse_float=real, parse_constant=real, parse_int=integer)


def text_of(root: object) -> str:
    """The canonical text: keys sorted, no spaces, all characters as they are. Raises `ValueError` for other floats."""
    try:
        from _json import encode_basestring, make_encoder
    except ImportError:
        from json import dumps

        return dumps(root, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    encode = make_encoder({}, _refuse, encode_basestring, None, ":", ",", True, False, False)
    return "".join(encode(root, 0))


def _refuse(value: object) -> object:
    raise TypeError(f"{type(value).__name__} is no JSON")


def sha256(data: bytes) -> str:
    """The hash in hexadecimal digits."""
    # The function alone: importing hashlib takes a tenth of a small start.
    try:
        if sys.version_info >= (3, 12):
            from _sha2 import sha256 as hashed  # type: ignore[import-not-found,unused-ignore]
        else:
            from _sha256 import sha256 as hashed  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        from hashlib import sha256 as hashed
    return hashed(data).hexdigest()  # type: ignore[no-any-return,unused-ignore]
