"""The first text of a new ruleset: its head, the common changes as lines that are switched off, and an example."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from .declarations import Example, Given
from .diagnostics import Diagnostic, Severity
from .document import Scalar
from .pipeline import Compiled
from .proposals import Proposal, proposals
from .ruleset import Ruleset
from .template import filled

SETTLED_ABOVE = frozenset({"conflict", "both-define", "same-gap", "anchor-gone"})
"""What packs may disagree on, and what a fork that takes them along then settles."""
_ROUNDS = 6
"""How often lines with faults are exchanged for others before they are left out."""
_PLAIN = re.compile(r"[A-Za-z0-9_./+-]+")


@dataclass(frozen=True, slots=True)
class Start:
    """What is wanted: a ruleset of that name, on a base or on none, with packs; `schema` is the way to the schema."""

    name: str
    base: str = ""
    packs: tuple[str, ...] = ()
    is_pack: bool = False
    is_abstract: bool = False
    schema: str = ""

    @property
    def head(self) -> str:
        """The manifest alone, as short as it can be."""
        stands = f"extends: {self.base}\n" if self.base else "language: 1\n"
        beside = f"with: [{', '.join(self.packs)}]\n" if self.packs else ""
        return f"ruleset: {self.name}\n{stands}{beside}{'abstract: true' if self.is_abstract else ''}\n"


def first_text(start: Start, under: Compiled | None, compile: Callable[[str], Compiled]) -> str:
    """The text of the manifest. `under` is what it stands on, `compile` what comes of a text in its place.

    A line that is switched off there was switched on before, and gave no fault.
    """
    below = under.ruleset if under else None
    template = "ruleset.yaml" if below is None else "pack.yaml" if start.is_pack else "fork.yaml"
    blanks = {
        "name": start.name,
        "title": start.name.replace("-", " ").capitalize(),
        "schema": start.schema,
        **{key: value for key, value in (("base", start.base), ("packs", ", ".join(start.packs))) if value},
        **({"abstract": "true", "open": "abstract"} if start.is_abstract else {"concrete": start.base}),
    }
    if under is None or below is None:
        return filled(template, blanks)

    clashes = [each for each in under.diagnostics if each.code in SETTLED_ABOVE and each.severity is Severity.ERROR]
    if clashes:
        blanks["clashes"] = "\n".join(f"# - {each.headline}\n#     {each.help}" for each in clashes)
    blanks["base_title"] = " ".join(below.manifest.title.split()) or start.base
    for kind, proposal in _chosen(below, lambda lines: _guilty(start, lines, compile, under)).items():
        if clashes and kind == "preference":
            continue  # It says that nothing disagrees.
        blanks |= {kind: proposal.line, f"{kind}_about": proposal.about, f"{kind}_was": proposal.was}
    example = next(_plain_examples(below), None)
    with_example = filled(template, {**blanks, "example": _example_text(example)}) if example else ""
    if example and not _faults(compile(with_example), under):
        return with_example
    return filled(template, blanks)


def _chosen(below: Ruleset, guilty: Callable[[Sequence[str]], set[int]]) -> dict[str, Proposal]:
    """One proposal of each kind, so that all together have no fault. `guilty` tells which of several lines have."""
    waiting = proposals(below)
    chosen = {kind: each for kind, found in waiting.items() if (each := next(found, None))}
    for _ in range(_ROUNDS):
        faulty = guilty([each.line for each in chosen.values()])
        if not faulty:
            return chosen
        for kind in [kind for at, kind in enumerate(chosen) if at in faulty]:
            another = next(waiting[kind], None)
            if another:
                chosen[kind] = another
            else:
                del chosen[kind]
    faulty = guilty([each.line for each in chosen.values()])
    return {kind: each for at, (kind, each) in enumerate(chosen.items()) if at not in faulty}


def _guilty(start: Start, lines: Sequence[str], compile: Callable[[str], Compiled], under: Compiled) -> set[int]:
    """Which lines of rules below the head have faults; where a fault stands in none of them, all."""
    faults = _faults(compile(start.head + "\n".join(lines)), under)
    places = [label.span for each in faults for label in each.labels if label.span.file.layer == start.name]
    above = start.head.count("\n") + 1
    return {each.line - above for each in places if each.line >= above} or (set(range(len(lines))) if faults else set())


def _faults(compiled: Compiled, under: Compiled) -> list[Diagnostic]:
    """The errors and warnings that what it stands on does not have itself."""
    known = {(each.code, each.headline) for each in under.diagnostics}
    found = [each for each in compiled.diagnostics if each.severity is not Severity.NOTE]
    return [each for each in found if (each.code, each.headline) not in known]


def first_roll(below: Ruleset | None) -> tuple[str, ...]:
    """A check and facts for it, as words for the command line; nothing where there is none to roll."""
    for each in _plain_examples(below) if below else ():
        if each.kind == "check":
            return (each.subject.id, *(f"{path}={value}" for path, value in _written(each.given).items()))
    return ()


def _plain_examples(below: Ruleset) -> Iterator[Example]:
    """Examples that a few words can say: with facts first, of adjusted numbers first, of them the shortest."""
    adjusted = {adjust.number.id for each in below.modifiers.values() for adjust in each.adjusts}
    plain = [each for each in below.examples.values() if _is_plain(each)]
    yield from sorted(plain, key=lambda each: (not each.given, each.subject.id not in adjusted, _length(each)))


def _is_plain(example: Example) -> bool:
    stated = (*example.given, *example.dice, *example.expect)
    is_simple = not (example.options or example.encounter or example.after) and bool(example.expect)
    return example.kind in ("number", "check") and is_simple and len(_written(stated)) == len(stated)


def _length(example: Example) -> int:
    return len(example.given) + len(example.dice)


def _written(stated: Iterable[Given]) -> dict[str, str]:
    """Those of the facts, dice or expectations that are plain words or numbers, as text."""
    scalars = [(each.path, each.value) for each in stated if isinstance(each.value, Scalar) and each.path != "refused"]
    return {path: value.text for path, value in scalars if value.is_plain and _PLAIN.fullmatch(value.text)}


def _example_text(example: Example) -> str:
    parts: Mapping[str, tuple[Given, ...]] = {"given": example.given, "dice": example.dice, "expect": example.expect}
    lines = [f"    {example.kind}: {example.subject.id}"]
    for key, stated in parts.items():
        body = ", ".join(f"{path}: {value}" for path, value in _written(stated).items())
        lines += [f"    {key}: {{{body}}}"] if body else []
    return "\n".join(lines)
