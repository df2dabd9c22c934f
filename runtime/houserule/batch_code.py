"""Straight-line code on columns: steps in order, each worked out once, what nobody needs left out.

A step is one call of numpy on one chunk of rows. Its result lies in a register, an array that is used again as soon as
its value is read for the last time, so that a chunk stays in the processor's cache. Masks are columns of booleans;
those that are settled now are True or False.
"""

from __future__ import annotations

import ast

import numpy as np

from . import fast_syntax as syntax
from .errors import UnusualError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from dataclasses import dataclass
    from typing import Any, TypeAlias

    Ref: TypeAlias = str | int
    """A variable, or a number that is known now."""
    Mask: TypeAlias = str | bool
    Array: TypeAlias = np.ndarray[Any, Any]
else:
    from .records import dataclass

_WIDTHS = (("int8", 7), ("int16", 15), ("int32", 31), ("int64", 63))
_VIEW = "_as_int"


def dtype_for(low: int, high: int) -> str:
    """The smallest type of integers that holds a range. Raises `UnusualError` where none does."""
    for name, bits in _WIDTHS:
        if -(1 << bits) <= low and high < 1 << bits:
            return name
    raise UnusualError


@dataclass(frozen=True, slots=True)
class Step:
    """One call of numpy: what it sets, the operation, its operands, and the type of its result."""

    target: str
    operation: str
    operands: tuple[Ref, ...]
    dtype: str


@dataclass(frozen=True, slots=True)
class Assembled:
    """Code that can run on a chunk: it takes the inputs, then the registers, then the outputs."""

    run: Callable[..., None]
    inputs: tuple[str, ...]
    registers: tuple[str, ...]
    outputs: tuple[str, ...]
    settled: dict[str, Ref]
    dtypes: dict[str, str]


class Code:
    """Steps under construction."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.found: dict[tuple[str, tuple[Ref, ...], str], str] = {}
        self.dtypes: dict[str, str] = {}
        self.tables: dict[str, Array] = {}
        self.table_names: dict[tuple[str, bytes], str] = {}
        self.opposites: dict[str, str] = {}
        self.factors: dict[str, tuple[str, ...]] = {}

    def input(self, name: str, dtype: str) -> str:
        """A variable that is given from outside."""
        self.dtypes[name] = dtype
        return name

    def emit(self, operation: str, operands: tuple[Ref, ...], dtype: str) -> str:
        """The variable of a result; the same is worked out once."""
        key = operation, operands, dtype
        if key not in self.found:
            target = f"v{len(self.dtypes)}"
            self.dtypes[target] = dtype
            self.steps.append(Step(target, operation, operands, dtype))
            self.found[key] = target
        return self.found[key]

    def table(self, values: Iterable[int], dtype: str) -> str:
        """The name of an array of constants."""
        array = np.array(list(values), dtype)
        key = dtype, array.tobytes()
        if key not in self.table_names:
            name = self.table_names[key] = f"t{len(self.tables)}"
            self.tables[name] = array
        return self.table_names[key]

    def as_type(self, ref: Ref, dtype: str) -> Ref:
        """A value in a type that holds it; a mask of bytes is seen as integers without a copy."""
        if not isinstance(ref, str):
            return int(ref)
        if self.dtypes[ref] == "bool":
            ref = self._seen(ref)
        return ref if self.dtypes[ref] == dtype else self.emit("copy", (ref,), dtype)

    def _seen(self, ref: str) -> str:
        self.dtypes[ref + _VIEW] = "int8"
        return ref + _VIEW

    def both(self, *masks: Mask) -> Mask:
        """Where all hold; of none, everywhere."""
        factors: dict[str, None] = {}
        for mask in masks:
            if mask is False:
                return False
            if isinstance(mask, str):
                factors |= dict.fromkeys(self.factors.get(mask, (mask,)))
        if any(self.opposites.get(each) in factors for each in factors):
            return False
        return self._joined([each for each in dict.fromkeys(masks) if isinstance(each, str)])

    def _joined(self, masks: list[str]) -> Mask:
        names = [each for each in masks if not any(self._covers(other, each) for other in masks if other != each)]
        if not names:
            return True
        found = names[0]
        for each in names[1:]:
            factors = (*self._factors(found), *self._factors(each))
            found = self.emit("bitwise_and", (found, each), "bool")
            self.factors[found] = tuple(dict.fromkeys(factors))
        return found

    def _factors(self, mask: str) -> tuple[str, ...]:
        return self.factors.get(mask, (mask,))

    def _covers(self, mask: str, other: str) -> bool:
        """Whether a mask holds only where another does."""
        mine, theirs = self._factors(mask), self._factors(other)
        return len(mine) > len(theirs) and set(theirs) <= set(mine)

    def either(self, *masks: Mask) -> Mask:
        """Where one holds; of none, nowhere."""
        if True in masks:
            return True
        names = list(dict.fromkeys(each for each in masks if isinstance(each, str)))
        if any(self.opposites.get(each) in names for each in names):
            return True
        if not names:
            return False
        found = names[0]
        for each in names[1:]:
            found = self.emit("bitwise_or", (found, each), "bool")
        return found

    def inverted(self, mask: Mask) -> Mask:
        """Where a mask does not hold."""
        if not isinstance(mask, str):
            return not mask
        if mask not in self.opposites:
            found = self.emit("logical_not", (mask,), "bool")
            self.opposites[mask], self.opposites[found] = found, mask
        return self.opposites[mask]

    def assembled(self, outputs: dict[str, Ref]) -> Assembled:
        """The code that sets these outputs."""
        return _Assembly(self, outputs).assembled()


def _bare(ref: Ref) -> Ref:
    """The variable itself, of one that is seen as integers."""
    return ref.removesuffix(_VIEW) if isinstance(ref, str) else ref


class _Assembly:
    """Finds a register for each step and writes the calls down."""

    def __init__(self, code: Code, outputs: dict[str, Ref]) -> None:
        self.code = code
        self.outputs = {name: ref for name, ref in outputs.items() if isinstance(ref, str)}
        self.settled: dict[str, Ref] = {name: ref for name, ref in outputs.items() if not isinstance(ref, str)}
        self.steps = self._needed()
        self.last = {_bare(ref): at for at, step in enumerate(self.steps) for ref in step.operands}
        self.last |= {_bare(ref): len(self.steps) for ref in self.outputs.values()}
        self.free: dict[str, list[str]] = {}
        self.registers: list[str] = []
        self.places: dict[str, str] = {}
        self.namespace: dict[str, Any] = {}

    def _needed(self) -> list[Step]:
        needed, kept = {_bare(ref) for ref in self.outputs.values()}, []
        for step in reversed(self.code.steps):
            if step.target in needed:
                kept.append(step)
                needed |= {_bare(ref) for ref in step.operands}
        return kept[::-1]

    def assembled(self) -> Assembled:
        """The code, compiled."""
        body = [self._written(at, step) for at, step in enumerate(self.steps)]
        outs = [f"o{at}" for at in range(len(self.outputs))]
        for out, ref in zip(outs, self.outputs.values(), strict=True):
            body.append(syntax.evaluate(syntax.call("copyto", syntax.name(out), self._operand(ref, "int64"))))
        self.namespace["copyto"] = np.copyto
        made = {step.target for step in self.steps}
        inputs = tuple(sorted(ref for ref in self.last if isinstance(ref, str) and self._is_given(ref, made)))
        parameters = [*(part for each in inputs for part in self._pair(each)), *self.registers, *outs]
        syntax.add_to_namespace(syntax.function("run", parameters, body or [ast.Pass()]), self.namespace)
        dtypes = {each: self.code.dtypes[each] for each in inputs}
        dtypes |= {name: self.code.dtypes[str(ref)] for name, ref in self.outputs.items()}
        return Assembled(
            self.namespace["run"], inputs, tuple(self.registers), tuple(self.outputs), self.settled, dtypes
        )

    def _is_given(self, ref: str, made: set[str]) -> bool:
        return ref not in made and ref not in self.code.tables

    def _pair(self, name: str) -> list[str]:
        return [name, name + _VIEW] if self.code.dtypes[name] == "bool" else [name]

    def _written(self, at: int, step: Step) -> ast.stmt:
        is_plain = step.operation not in ("take", "search")
        kind = next((self.code.dtypes[ref] for ref in step.operands if ref in self.code.dtypes), step.dtype)
        operands = [self._operand(ref, kind) for ref in step.operands]
        dead = [str(_bare(ref)) for ref in step.operands if self.last.get(_bare(ref)) == at]
        if is_plain:
            self._release(dead)
        place = self._register(step)
        if not is_plain:
            self._release(dead)
        return syntax.evaluate(self._call(step, operands, syntax.name(place)))

    def _call(self, step: Step, operands: list[ast.expr], place: ast.expr) -> ast.expr:
        if step.operation == "copy":
            self.namespace["copyto"] = np.copyto
            return syntax.call("copyto", place, *operands)
        if step.operation == "take":
            name = f"take_{step.operands[0]}"
            self.namespace[name] = self.code.tables[str(step.operands[0])].take
            return syntax.call(name, operands[1], syntax.literal(None), place, syntax.literal("clip"))
        if step.operation == "search":
            name = f"search_{step.operands[0]}"
            self.namespace[name] = _search(self.code.tables[str(step.operands[0])])
            return syntax.call(name, operands[1], place)
        self.namespace[step.operation] = getattr(np, step.operation)
        if step.operation in ("maximum", "minimum"):
            return ast.Call(syntax.name(step.operation), operands, [ast.keyword("out", place)])
        return syntax.call(step.operation, *operands, place)

    def _operand(self, ref: Ref, dtype: str) -> ast.expr:
        if not isinstance(ref, str):
            return self._constant(ref, dtype)
        bare = str(_bare(ref))
        place = self.places.get(bare, bare)
        return syntax.name(place + _VIEW if ref != bare else place)

    def _constant(self, value: int, dtype: str) -> ast.expr:
        """A number as an array without dimensions, which numpy takes sooner than one of Python's."""
        name = f"c_{dtype}_{value}".replace("-", "m")
        self.namespace[name] = np.array(value, dtype)
        return syntax.name(name)

    def _release(self, names: list[str]) -> None:
        for name in dict.fromkeys(names):
            if name in self.places:
                self.free.setdefault(self.code.dtypes[name], []).append(self.places[name])

    def _register(self, step: Step) -> str:
        free = self.free.setdefault(step.dtype, [])
        if not free:
            free.append(f"{step.dtype}_{len(self.registers)}")
            self.registers += self._named(free[0], step.dtype)
        self.places[step.target] = free.pop()
        return self.places[step.target]

    def _named(self, register: str, dtype: str) -> list[str]:
        return [register, register + _VIEW] if dtype == "bool" else [register]


def _search(starts: Array) -> Callable[[Array, Array], None]:
    """Where keys stand among sorted starts: the last that is not above them."""

    def search(keys: Array, place: Array) -> None:
        np.subtract(starts.searchsorted(keys, "right"), 1, out=place, casting="unsafe")

    return search


def is_view(register: str) -> bool:
    """Whether a register is the one before it, seen as integers."""
    return register.endswith(_VIEW)
