"""What came of a build, as it is kept between runs: its findings and its artifact, and all that it was made from.

A build asks for rulesets by name, for the names that there are, and for the codes of messages. Each question is kept
with a digest of its answer: where all of them are answered as before, from the same files, so is the build. An entry is
JSON and the bytes of the artifact below it, under a digest of both; nothing in it is ever run, and whatever is not
exactly as it was written is no entry.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, TypeAlias

from .diagnostics import Diagnostic, Label, Severity
from .files import Files, Refusal
from .source import SourceFile, Span

Read: TypeAlias = "Callable[[str], Files | Refusal | None]"
Names: TypeAlias = Callable[[], Iterable[str]]
Codes: TypeAlias = Callable[[], Collection[str]]

_FORM = "houserule-build 1"


@dataclass(frozen=True, slots=True)
class Build:
    """What came of compiling one ruleset: the artifact if there is one, every finding, and why there is no artifact."""

    artifact: bytes | None
    diagnostics: tuple[Diagnostic, ...]
    refused: tuple[Diagnostic, ...] = ()


def digest(data: object) -> str:
    """A digest of plain data; equal for equal data, whatever else is different."""
    return sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


def digest_of(answer: Files | Refusal | None) -> str:
    """A digest of the files of a ruleset with all that findings say of them, or of why there are none."""
    if isinstance(answer, Files):
        files = [[path, sha256(data).hexdigest()] for path, data in answer.files]
        return digest(["files", answer.name, answer.is_shown, answer.folder, files])
    return digest(["refused", answer.reason, list(answer.places)] if answer else ["nothing"])


@dataclass(frozen=True, slots=True)
class Asked:
    """Whom a build asks, and what it has asked so far: each question with a digest of the answer."""

    read: Read
    names: Names
    codes: Codes
    questions: dict[tuple[str, str], str] = field(default_factory=dict)

    def reads(self, name: str) -> Files | Refusal | None:
        """The files of a ruleset."""
        answer = self.read(name)
        self.questions["read", name] = digest_of(answer)
        return answer

    def named(self) -> list[str]:
        """The names of all rulesets that could be found."""
        answer = list(self.names())
        self.questions["names", ""] = digest(answer)
        return answer

    def coded(self) -> list[str]:
        """The codes of all messages."""
        answer = sorted(self.codes())
        self.questions["codes", ""] = digest(answer)
        return answer

    def answers_as(self, before: Sequence[tuple[str, str, str]]) -> bool:
        """Whether every question of an earlier build has the answer that it had then."""
        for kind, name, told in before:
            match kind:
                case "read":
                    self.reads(name)
                case "names":
                    self.named()
                case _:
                    self.coded()
            if self.questions.get((kind, name)) != told:
                return False
        return True


def packed(key: str, build: Build, asked: Asked) -> bytes:
    """The entry of a build, to be kept under `key`."""
    packing = _Packing()
    head = {
        "key": key,
        "asked": [[kind, name, told] for (kind, name), told in asked.questions.items()],
        "diagnostics": [packing.diagnostic(each) for each in build.diagnostics],
        "refused": [packing.diagnostic(each) for each in build.refused],
        "files": packing.texts,
        "is_built": build.artifact is not None,
    }
    body = json.dumps(head).encode() + b"\n" + (build.artifact or b"")
    return f"{_FORM} {sha256(body).hexdigest()}\n".encode() + body


class _Packing:
    """Turns findings into plain data; each file that they point into is kept once, with its text."""

    def __init__(self) -> None:
        self.texts: list[list[Any]] = []
        self._files: dict[int, tuple[int, SourceFile]] = {}

    def diagnostic(self, each: Diagnostic) -> list[Any]:
        """A finding."""
        labels = [[*self._span(label.span), label.text] for label in each.labels]
        return [each.code, each.severity.value, each.headline, labels, list(each.notes), each.help]

    def _span(self, span: Span) -> list[int]:
        file = span.file
        if id(file) not in self._files:
            self._files[id(file)] = len(self.texts), file
            self.texts.append([file.name, file.text, file.layer, file.is_shown, file.inner])
        return [self._files[id(file)][0], span.start, span.end]


def unpacked(key: str, data: bytes) -> tuple[Build, list[tuple[str, str, str]]] | None:
    """The build that an entry holds, and the questions with their answers; None if it is no sound entry of `key`."""
    seal, _, body = data.partition(b"\n")
    if seal != f"{_FORM} {sha256(body).hexdigest()}".encode():
        return None
    line, _, artifact = body.partition(b"\n")
    try:
        head = json.loads(line)
        if head["key"] != key:
            return None
        files = [_file(*each) for each in head["files"]]
        found, refused = (tuple(_diagnostic(files, *each) for each in head[of]) for of in ("diagnostics", "refused"))
        asked = [(_text(kind), _text(name), _text(told)) for kind, name, told in head["asked"]]
        return Build(artifact if _flag(head["is_built"]) else None, found, refused), asked
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
        return None


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("a text is due")
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError("a flag is due")
    return value


def _file(name: object, text: object, layer: object, is_shown: object, inner: object) -> SourceFile:
    return SourceFile(_text(name), _text(text), _text(layer), _flag(is_shown), _text(inner))


def _diagnostic(
    files: Sequence[SourceFile], code: object, severity: str, headline: object, labels: Any, notes: Any, help: object
) -> Diagnostic:
    made = tuple(Label(_span(files, *span), _text(text)) for *span, text in labels)
    if not made:
        raise ValueError("a finding has a place")
    told = tuple(_text(each) for each in notes)
    return Diagnostic(_text(code), Severity(severity), _text(headline), made, told, _text(help))


def _span(files: Sequence[SourceFile], file: int, start: int, end: int) -> Span:
    if not 0 <= file < len(files) or not 0 <= start <= end <= len(files[file].text):
        raise ValueError("a place outside of every file")
    return Span(files[file], start, end)
