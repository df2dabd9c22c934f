"""Literate cases: Markdown in which prose, rules, and what comes of them stand together.

A case file has a title, prose, and sections; a section's fenced blocks are rules (```yaml FILE), what is expected
(```diagnostics, ```result), the command that is needed to bring it about where that is not `validate` or `test`
(```sh), or an input that Markdown cannot hold (```generate, a Python expression that gives bytes
or a dictionary of bytes by file name). Several rulesets have a folder each (```yaml base/ruleset.yaml); the last one
is compiled. Files as they stood when the last one was accepted (```before base/ruleset.yaml) make its lock, or it
stands there itself (```json houserule.lock), or there is none though one is looked for (```json no lock). A ruleset
that cannot be read (```refused NAME) has the reason, or the places of all that bear its name, one a line. Tests execute
them, and the pages of the messages are made from them.

Rules that stand below the title of the file are shared by all sections that have rules of their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from .files import Files, Refusal
from .limits import Limits
from .lock import LockFile, accepted, lock_text
from .pipeline import Compiled, compile_ruleset

_FENCE = re.compile(r"(`{3,}|~{3,})(.*)")
_MANIFEST = "ruleset.yaml"
SAMPLE = "sample"
"""The name of a ruleset whose files stand without a folder."""


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: its language, the name beside it, its text, and the lines (from 0) between which it stands."""

    language: str
    name: str
    text: str
    start: int
    end: int

    @property
    def is_input(self) -> bool:
        """Whether it is a part of the ruleset."""
        return self.language in ("yaml", "generate", "refused")


@dataclass(frozen=True, slots=True)
class Section:
    """What stands below one heading."""

    title: str
    prose: str
    blocks: tuple[Block, ...]

    def block(self, language: str) -> Block | None:
        """The first block of a language, or None."""
        return next((each for each in self.blocks if each.language == language), None)

    @property
    def has_rules(self) -> bool:
        """Whether there is anything to compile."""
        return any(each.is_input for each in self.blocks)

    @property
    def is_asked(self) -> bool:
        """Whether the rules are built, to be asked something, and not only looked at."""
        return self.block("sh") is not None

    @property
    def files(self) -> tuple[tuple[str, bytes], ...]:
        """The files of all its rulesets, sorted by name."""
        return tuple(sorted(_files(self.blocks)))

    @property
    def rulesets(self) -> dict[str, Files | Refusal]:
        """Its rulesets by name; the first part of a file's name, where there are several, is the ruleset's."""
        refused = {each.name: _refusal(each.text) for each in self.blocks if each.language == "refused"}
        return {**_grouped(self.files), **refused}

    @property
    def rulesets_before(self) -> dict[str, Files]:
        """Its rulesets when the last one was accepted; empty if nothing says so."""
        before = {each.name: each.text.encode("utf-8") for each in self.blocks if each.language == "before"}
        return _grouped({**dict(self.files), **before}.items()) if before else {}

    @property
    def built(self) -> str:
        """The ruleset that is compiled: the last one written, or the only one."""
        names = [_ruleset_of(path) for path, _ in _files(self.blocks)]
        return SAMPLE if SAMPLE in names or not names else names[-1]


@dataclass(frozen=True, slots=True)
class CaseFile:
    """A case file: the section below its title first, then those below the other headings."""

    head: Section
    sections: tuple[Section, ...]

    def section(self, title: str) -> Section | None:
        """The section of that title, or None."""
        return next((each for each in self.sections if each.title == title), None)


def compiled(
    section: Section, schema: Mapping[str, object], limits: Limits, codes: Callable[[], Collection[str]]
) -> Compiled:
    """What comes of the rules of a section, with the lock that it speaks of; `codes` gives those of all messages."""
    rulesets, lock = section.rulesets, _lock(section, schema, limits)
    return compile_ruleset(section.built, rulesets.get, schema, limits, lambda: rulesets, codes, lock)


def _lock(section: Section, schema: Mapping[str, object], limits: Limits) -> LockFile | None:
    name, stated, before = f"{section.built}/houserule.lock", section.block("json"), section.rulesets_before
    if before:
        none = LockFile(name, None)
        found = compile_ruleset(section.built, before.get, schema, limits, lambda: before, locked=none)
        assert found.standing, "what stood before has edits"
        return LockFile(name, lock_text(section.built, accepted(found.standing)).encode("utf-8"))
    return LockFile(name, stated.text.encode("utf-8") if stated.name != "no lock" else None) if stated else None


def _grouped(files: Iterable[tuple[str, bytes]]) -> dict[str, Files]:
    found: dict[str, list[tuple[str, bytes]]] = {}
    for path, data in files:
        found.setdefault(_ruleset_of(path), []).append((path, data))
    return {name: Files(name, tuple(each)) for name, each in found.items()}


def _refusal(text: str) -> Refusal:
    reason, *others = text.splitlines()
    return Refusal(places=(reason, *others)) if others else Refusal(reason)


def _ruleset_of(path: str) -> str:
    return path.partition("/")[0] if "/" in path else SAMPLE


def read_cases(text: str) -> CaseFile:
    """Reads a case file."""
    heads: list[tuple[str, list[str], list[Block]]] = []
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        line = lines[at]
        fence = _FENCE.match(line)
        if fence and heads:
            end = next((i for i in range(at + 1, len(lines)) if lines[i].rstrip() == fence[1]), len(lines))
            language, _, name = fence[2].strip().partition(" ")
            body = "".join(f"{each}\n" for each in lines[at + 1 : end])
            heads[-1][2].append(Block(language, name.strip(), body, at + 1, end))
            at = end
        elif line.startswith(("# ", "## ")):
            heads.append((line.lstrip("# ").strip(), [], []))
        elif heads:
            heads[-1][1].append(line)
        at += 1
    sections = [Section(title, "\n".join(prose).strip(), tuple(blocks)) for title, prose, blocks in heads]
    if not sections:
        raise ValueError("a case file begins with a title")
    head, *others = sections
    shared = tuple(each for each in head.blocks if each.is_input)
    return CaseFile(head, tuple(replace(each, blocks=_beside(shared, each)) for each in others))


def _beside(shared: tuple[Block, ...], section: Section) -> tuple[Block, ...]:
    """The blocks of a section that has rules, with the shared ones that it does not write itself."""
    own = {each.name for each in section.blocks if each.is_input}
    return (*(each for each in shared if own and each.name not in own), *section.blocks)


def _files(blocks: tuple[Block, ...]) -> Iterator[tuple[str, bytes]]:
    for each in blocks:
        if each.language == "yaml":
            yield each.name or _MANIFEST, each.text.encode("utf-8")
        elif each.language == "generate":
            # The project's own case files alone are read here, never rules.
            made = eval(each.text, {})
            yield from made.items() if isinstance(made, dict) else [(each.name or _MANIFEST, made)]
