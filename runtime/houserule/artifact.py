"""An artifact as a path, bytes or a dictionary becomes a verified `Program`, or is refused with an `ArtifactError`.

JSON is read strictly: UTF-8, no duplicate keys, no floats, no integer beyond 2^53 - 1, no deep nesting.
"""

from __future__ import annotations

import gc
from itertools import chain

from .canonical import parsed, sha256, text_of
from .decode import decode
from .errors import ArtifactError, printable
from .limits import BYTES, DEPTH, FEATURES, FORMAT, FORMAT_VERSION, LARGEST
from .origins import NOWHERE, origins
from .verify import verify

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Mapping
    from typing import NoReturn, TypeAlias

    from .program import Program

    Source: TypeAlias = str | os.PathLike[str] | bytes | Mapping[str, object]


def read(source: Source) -> Program:
    """The program of an artifact given as a path, as bytes, or as a dictionary already read from JSON.

    Raises `ArtifactError` for what is no sound artifact, and `OSError` where the file cannot be read.
    """
    # Nothing of an artifact becomes garbage in circles while it is read; to look for such, again and again as its
    # objects become more, would take a tenth of the time.
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        return _program(_parsed(source))
    finally:
        if was_enabled:
            gc.enable()


def _program(whole: dict[str, object]) -> Program:
    # What tells where rules stand decides nothing: it has its own form, and is not under the hash.
    root = {key: value for key, value in whole.items() if key != "origins"}
    _plain(root, 1)
    _head(root)
    _sealed(root)
    rest = {key: value for key, value in root.items() if key not in ("format", "format_version")}
    program = decode(rest, origins(whole["origins"]) if "origins" in whole else NOWHERE)
    verify(program)
    return program


def content_hash(root: Mapping[str, object]) -> str:
    """The hash that an artifact must carry: of what it means, so of its canonical JSON without `content_hash` itself
    and without `origins`."""
    rest = {key: value for key, value in root.items() if key not in ("content_hash", "origins")}
    return f"sha256:{sha256(text_of(rest).encode())}"


def _parsed(source: Source) -> dict[str, object]:
    if isinstance(source, bytes):
        return _loaded(source)
    if isinstance(source, str) or hasattr(source, "__fspath__"):
        with open(source, "rb") as file:
            return _loaded(file.read(BYTES + 1))
    return _object(source)


def _object(root: object) -> dict[str, object]:
    if type(root) is not dict:
        raise ArtifactError("this is no artifact: expected one JSON object")
    return root


def _loaded(data: bytes) -> dict[str, object]:
    if len(data) > BYTES:
        raise ArtifactError(f"this artifact is larger than {BYTES} bytes")
    try:
        text = data.decode("utf-8")
        return _object(parsed(text, _unique, _float, _integer))
    except UnicodeDecodeError as error:
        raise ArtifactError(f"this artifact is not UTF-8: byte {error.start}") from None
    except ValueError as error:
        raise ArtifactError(f"this artifact is not JSON: {error}") from None
    except RecursionError:
        _too_deep()


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ArtifactError("this artifact is damaged: an object has one key twice")
    return found


def _float(text: str) -> NoReturn:
    raise ArtifactError(f"this artifact is damaged: `{text[:40]}` is not an integer")


def _integer(text: str) -> int:
    if len(text) > 17:
        raise ArtifactError("this artifact is damaged: an integer is beyond 2^53 - 1")
    return int(text)


def _too_deep() -> NoReturn:
    raise ArtifactError(f"this artifact is damaged: it is nested deeper than {DEPTH}")


def _plain(node: object, depth: int) -> None:
    """Refuse what is no plain JSON of this format, also in a dictionary that never was a file."""
    kind = type(node)
    if kind is str or kind is bool or node is None:
        return
    if kind is int:
        if not -LARGEST <= node <= LARGEST:  # type: ignore[operator]
            raise ArtifactError("this artifact is damaged: an integer is beyond 2^53 - 1")
        return
    if depth > DEPTH:
        _too_deep()
    if kind is list:
        _plain_list(node, depth)  # type: ignore[arg-type]
    elif kind is dict:
        for key, each in node.items():  # type: ignore[attr-defined]
            if type(key) is not str:
                raise ArtifactError("this artifact is damaged: a key is not a text")
            _plain(each, depth + 1)
    else:
        raise ArtifactError("this artifact is damaged: it holds something other than text, integers and booleans")


def _plain_list(node: list[object], depth: int) -> None:
    """The same for the members of a list; integers, and lists in it, are tested all at once."""
    kinds = set(map(type, node))
    if kinds == {int}:
        _plain(min(node), depth + 1)  # type: ignore[type-var]
        _plain(max(node), depth + 1)  # type: ignore[type-var]
    elif kinds == {list}:
        if depth + 1 > DEPTH:
            _too_deep()
        _plain_list(list(chain.from_iterable(node)), depth + 1)  # type: ignore[arg-type]
    else:
        for each in node:
            _plain(each, depth + 1)


def _head(root: dict[str, object]) -> None:
    found = root.get("format")
    if found != FORMAT:
        raise ArtifactError(f"this is no {FORMAT} artifact: its format is {_shown(found)}")
    version = root.get("format_version")
    if type(version) is not int or version != FORMAT_VERSION:
        raise ArtifactError(
            f"this artifact has format version {_shown(version)}, and this runtime reads version {FORMAT_VERSION}"
        )
    requires = root.get("requires")
    if not isinstance(requires, list) or not all(isinstance(each, str) for each in requires):
        raise ArtifactError("this artifact is damaged: `requires` must be a list of features")
    lacking = [each for each in requires if each not in FEATURES]
    if lacking:
        raise ArtifactError(f"this artifact requires {_shown(lacking[0])}, which this runtime cannot do")
    if requires != sorted(set(requires)):
        raise ArtifactError("this artifact is damaged: `requires` must be sorted, each feature once")


def _shown(value: object) -> str:
    if value is None:
        return "missing"
    return f"`{str(value).lower() if isinstance(value, bool) else printable(value, 40)}`"


def _sealed(root: dict[str, object]) -> None:
    try:
        expected = content_hash(root)
    except UnicodeEncodeError:
        raise ArtifactError("this artifact is damaged: a text is not Unicode") from None
    if root.get("content_hash") != expected:
        raise ArtifactError("this artifact is damaged: its content does not match `content_hash`")
