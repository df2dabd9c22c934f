"""Which compiler this is: a digest that changes with every version of its code, and of the libraries that it reads by.

An installed version never changes, but a checkout does with each edit, so the files are looked at and not the number
alone. Nothing is imported for it, because most of a warm run is imports.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from . import __version__
from .builds import digest
from .shipped import shipped

_LIBRARIES = ("lark-", "ruamel", "jsonschema", "referencing-")
_SOURCES = (".py", ".lark", ".json")


def tool() -> str:
    """A digest of the compiler, the runtime, the schema of rules, Python, and the libraries that findings depend on."""
    import houserule

    packages = sorted({str(Path(__file__).parent), str(Path(houserule.__file__).parent)})
    files = [each for package in packages for each in _files(package)]
    schema = _state(str(shipped("schemas") / "rules.schema.json"))
    return digest([__version__, list(sys.version_info), sys.platform, sorted(_libraries()), schema, sorted(files)])


def _files(folder: str) -> Iterator[list[object]]:
    """The sources in a folder and below it, each with its size and when it was written."""
    with os.scandir(folder) as found:
        for each in found:
            if each.name.endswith(_SOURCES):
                yield _state(each.path)
            elif "." not in each.name and not each.name.startswith("_") and each.is_dir():
                yield from _files(each.path)


def _state(path: str) -> list[object]:
    found = os.stat(path)
    return [path, found.st_size, found.st_mtime_ns]


def _libraries() -> Iterator[str]:
    """The names of what is installed, which hold the versions."""
    for folder in sys.path:
        try:
            names = os.listdir(folder or os.curdir)
        except OSError:
            continue
        yield from (each for each in names if each.endswith(".dist-info") and each.startswith(_LIBRARIES))
