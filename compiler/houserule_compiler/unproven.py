"""The part of a program that no earlier round of a process has seen to be sound, with all that it stands on."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from .declarations import Check, Definition, Modifier, Number, Table
from .footing import Footing, Footings
from .typed_ruleset import TypedRuleset

Program: TypeAlias = Mapping[str, object]
_SECTIONS = {"tables": Table, "numbers": Number, "modifiers": Modifier, "checks": Check}
"""What a program may lack where nothing else stands on it."""


@dataclass(slots=True)
class _Proof:
    """Whether a definition was found sound, on its footing."""

    is_there: bool = False


@dataclass(frozen=True, slots=True)
class Unproven:
    """The program that is left to be looked at, and what then is proven."""

    program: Program
    _proofs: tuple[_Proof, ...]

    def prove(self) -> None:
        """It was found sound."""
        for each in self._proofs:
            each.is_there = True


def unproven(program: Program, typed: TypedRuleset, footings: Footings | None) -> Unproven | None:
    """What is left to be looked at; None where nothing is remembered, or some of it stands on too much to tell."""
    if footings is None:
        return None
    proofs = {each: _proof(each, made, typed, footings) for each, made in _judged(typed)}
    left = [each for each, proof in proofs.items() if not proof.is_there]
    declared = typed.declared
    others = (declared.events, declared.actions, declared.triggers, declared.sequences)
    needed = [footings.of(each) for each in (*left, *(one for section in others for one in section.values()))]
    around = [footings.vocabulary, *needed]
    known = [each for each in around if each is not None]
    if len(known) < len(around):
        return None
    return Unproven(_part(program, frozenset().union(*known)), tuple(proofs.values()))


def _judged(typed: TypedRuleset) -> Iterator[tuple[Definition, Hashable]]:
    for section in (typed.tables, typed.numbers, typed.checks):
        yield from ((each.declared, each) for each in section.values())


def _proof(definition: Definition, made: Hashable, typed: TypedRuleset, footings: Footings) -> _Proof:
    # How the keys of a table are cut depends on what reads it, which the table does not stand on.
    tables = frozenset(typed.tables[each.id] for each in footings.of(definition) or () if isinstance(each, Table))
    return footings.recall("proof", definition, _Proof, lambda proof: True, (made, tables))


def _part(program: Program, needed: Footing) -> Program:
    part = dict(program)
    for section, kind in _SECTIONS.items():
        ids = {each.id for each in needed if isinstance(each, kind)}
        whole = program[section]
        assert isinstance(whole, list)
        part[section] = [each for each in whole if each["id"] in ids]
    return part
