"""The head of a generated function that callers call: it reads and checks the facts of its question in one pass.

Facts checked before are read from where they are held. Dictionaries are read by role and field, or by dotted name; on
any doubt (a fact that the question does not read, a value that is not of the usual form, anything wrong) the function
gives what `slow` says, which looks at everything and words the problems.
"""

from __future__ import annotations

import ast

from . import fast_syntax as syntax
from .errors import UnusualError
from .facts import CheckedFacts, field_of, path_of
from .fast_expressions import FACTS, UNKNOWN, Function, Place
from .fast_facts import Need, form_of, mask_of
from .fast_numbers import emit_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Mapping
    from typing import Any

    from .expression import Read
    from .fast_facts import Form, Usual
    from .program import Number

GIVEN, COUNT = "given", "count"
_NAMES: dict[str, Any] = {
    **{each.__name__: each for each in (type, dict, int, str, len, KeyError, TypeError, UnusualError)},
    "CheckedFacts": CheckedFacts,
    "mask_of": mask_of,
}
"""What a head names."""


class Head:
    """The head of one function under construction; its body reads facts by `function`."""

    def __init__(self, usual: Usual, reads: frozenset[Read]) -> None:
        fast = self.fast = usual.fast
        self.checker = usual.checker
        self.need = Need(usual.need.required, usual.need.roles)
        self.function = Function(fast)
        self.fields = {path_of(read): (read[1] if read[0] == "field" else "", read[-1]) for read in sorted(reads)}
        self.forms: dict[str, Form] = {
            path_of(read): form_of(fast.program, path_of(read), field_of(fast.program, read)) for read in sorted(reads)
        }
        self.roles = sorted({role for role, _ in self.fields.values() if role})

    def define(self, parameters: tuple[str, ...], body: list[ast.stmt], slow: Callable[..., Any]) -> Callable[..., Any]:
        """The function: `body` after its head, and `slow` of the same parameters where there is any doubt."""
        doubt = Doubt(self, lambda: self._defined(parameters, body, slow, is_flat=True), slow)
        doubt.function = self._defined(parameters, body, doubt, is_flat=False)
        return doubt.function

    def _defined(
        self, parameters: tuple[str, ...], body: list[ast.stmt], slow: Callable[..., Any], is_flat: bool
    ) -> Callable[..., Any]:
        names = (GIVEN, *parameters)
        self.doubt = syntax.give(ast.Call(self._constant(slow), [syntax.name(each) for each in names], []))
        is_whole = syntax.reads_name(body, FACTS) or bool(self._situations())
        is_checked = syntax.compared(syntax.call("type", syntax.name(GIVEN)), ("is", syntax.name("CheckedFacts")))
        is_dict = syntax.compared(syntax.call("type", syntax.name(GIVEN)), ("is not", syntax.name("dict")))
        taken = [*syntax.when(is_dict, [self.doubt]), *self._taken(is_flat, is_whole)]
        whole = [*syntax.when(is_checked, self._held(is_whole), taken), *body]
        statements = [
            syntax.attempt(whole, ("KeyError", "TypeError", "UnknownReadError", "UnusualError"), [self.doubt])
        ]
        self.fast.namespace |= _NAMES
        return self.fast.added(names, statements)

    def _constant(self, value: object) -> ast.expr:
        return self.fast.constant(value)

    def _held(self, is_whole: bool) -> list[ast.stmt]:
        """Facts that were checked before, and laid out for this question when it was first asked about them."""
        given = syntax.name(GIVEN)
        laid_out = syntax.element(syntax.attribute(given, "fits"), self._constant(self.need))
        found = [syntax.unpack(self.function.reads.values(), laid_out)]
        return [*found, syntax.assign(FACTS, syntax.attribute(given, "found"))] if is_whole else found

    def lay_out(self, facts: CheckedFacts) -> bool:
        """Lays out what is read of facts that were checked before; whether they fit the question."""
        is_own = facts.options is self.fast.options and self.need not in facts.fits
        if not is_own or not self.checker.allows(facts.roles, facts.found, self.need):
            return False
        facts.fits[self.need] = tuple(facts.found[path] for path in self.function.reads)
        return True

    def _taken(self, is_flat: bool, is_whole: bool) -> list[ast.stmt]:
        """Facts of a dictionary: each tested and put into its variable; as many are there as are read."""
        if any(name in self.fast.program.roles for role, name in self.fields.values() if not role):
            return [self.doubt]
        variables = {path: self.function.reads.get(path) or self.function.variable("g") for path in self.fields}
        sources = {"": GIVEN} | {role: GIVEN if is_flat else self.function.variable("r") for role in self.roles}
        required = sum(path in self.need.required for path in self.fields)
        found: list[ast.stmt] = [syntax.assign(COUNT, syntax.literal(required))]
        for role in () if is_flat else self.roles:
            found += self._role(role, sources[role])
        for path, (role, name) in self.fields.items():
            key = path if is_flat else name
            found += self._fact(path, syntax.name(sources[role]), syntax.literal(key), variables[path])
        given = [syntax.call("len", syntax.name(each)) for each in dict.fromkeys(sources.values())]
        total = given[0]
        for each in given[1:]:
            total = syntax.binary("+", total, each)
        has_more = syntax.compared(total, ("!=", syntax.name(COUNT)))
        is_sound = ast.Call(self._constant(Rest(self, is_flat)), [syntax.name(GIVEN)], [])
        found += syntax.when(syntax.both([has_more, syntax.inverted(is_sound)]), [self.doubt])
        if is_whole:
            found.append(syntax.assign(FACTS, syntax.mapping(self._whole(variables))))
        return found + self._allowed()

    def _role(self, role: str, variable: str) -> list[ast.stmt]:
        """The dictionary of a role; an empty one where nothing of it is given."""
        given, key = syntax.name(GIVEN), syntax.literal(role)
        is_dict = syntax.compared(syntax.call("type", syntax.name(variable)), ("is not", syntax.name("dict")))
        there: list[ast.stmt] = [
            syntax.assign(variable, syntax.element(given, key)),
            *syntax.when(is_dict, [self.doubt]),
            syntax.add_to(COUNT, syntax.literal(1)),
        ]
        is_needed = any(self.fields[path][0] == role for path in self.need.required)
        otherwise = self.doubt if is_needed else syntax.assign(variable, self._constant({}))
        return syntax.when(syntax.compared(key, ("in", given)), there, [otherwise])

    def _fact(self, path: str, source: ast.expr, key: ast.expr, variable: str) -> list[ast.stmt]:
        form = self.forms[path]
        value = syntax.element(source, key)
        there = [syntax.assign(variable, value), *self._tested(form, variable)]
        if path in self.need.required:
            return there
        there.append(syntax.add_to(COUNT, syntax.literal(1)))
        otherwise = syntax.assign(variable, self._constant(self.checker.start[path]))
        return syntax.when(syntax.compared(key, ("in", source)), there, [otherwise])

    def _tested(self, form: Form, variable: str) -> list[ast.stmt]:
        """Tests a value, and puts its code in its place."""
        value = syntax.name(variable)
        if form.codes is not None:
            if form.kind == "set":
                return [syntax.assign(variable, syntax.call("mask_of", self._constant(form.codes), value))]
            others = [syntax.compared(_type(value), ("is not", syntax.name(each.__name__))) for each in form.classes]
            wrong = syntax.both([*others, *self._is_known(form, value)])
            code = syntax.element(self._constant(form.codes), value)
            return [*syntax.when(wrong, [self.doubt]), syntax.assign(variable, code)]
        wrong = syntax.literal(True)
        if form.kind == "boolean":
            truths = (syntax.compared(value, ("is not", syntax.literal(each))) for each in (True, False))
            wrong = syntax.both([*truths, *self._is_known(form, value)])
        elif form.kind == "integer":
            wrong = syntax.compared(_type(value), ("is not", syntax.name("int")))
            if form.low is not None:
                ends = syntax.literal(form.low), syntax.literal(form.high)
                inside = syntax.compared(ends[0], ("<=", value), ("<=", ends[1]))
                wrong = syntax.either([wrong, syntax.inverted(inside)])
            wrong = syntax.both([*self._is_known(form, value), wrong])
        return syntax.when(wrong, [self.doubt])

    def _is_known(self, form: Form, value: ast.expr) -> Iterator[ast.expr]:
        if form.is_optional:
            yield syntax.compared(value, ("is not", syntax.name(UNKNOWN)))

    def _situations(self) -> list[Any]:
        """The impossible situations that may be at hand where just the facts of the question are given."""
        known = self.fields.keys() | self.checker.start.keys()
        return [each for each in self.checker.situations if each.roles <= self.need.roles and each.paths <= known]

    def _whole(self, variables: dict[str, str]) -> list[tuple[str, ast.expr]]:
        """All facts by path: those of the question, and the defaults of others that impossible situations read."""
        more = frozenset().union(*(each.paths for each in self._situations())) - variables.keys()
        given = [(path, syntax.name(variable)) for path, variable in variables.items()]
        return [*given, *((path, self._constant(self.checker.start[path])) for path in sorted(more))]

    def _allowed(self) -> list[ast.stmt]:
        holds = [ast.Call(self._constant(each.holds), [syntax.name(FACTS)], []) for each in self._situations()]
        return syntax.when(syntax.either(holds), [self.doubt])


class Rest:
    """Whether what is given beside the facts of a question is sound; without impossible situations alone, since they
    could be about any of it."""

    __slots__ = ("checker", "is_flat", "read")

    def __init__(self, head: Head, is_flat: bool) -> None:
        self.checker = head.checker
        self.is_flat = is_flat
        self.read: dict[str, set[str]] = {"": set(head.fields) if is_flat else set()}
        for role, name in head.fields.values():
            self.read.setdefault(role, set()).add(name)

    def __call__(self, given: dict[str, object]) -> bool:
        """The answer. Raises `UnusualError` for a value that is not of the usual form."""
        if self.checker.situations:
            return False
        loose: dict[str, object] = {}
        for name, value in given.items():
            if type(value) is not dict:
                loose[name] = value
            elif name not in self.checker.roles or not _is_sound(
                value, self.read.get(name, ()), self.checker.roles[name]
            ):
                return False
        return _is_sound(loose, self.read[""], self.checker.by_path if self.is_flat else self.checker.loose)


def _is_sound(given: dict[str, object], read: Container[str], forms: Mapping[str, Form]) -> bool:
    """Whether all that is not read is known; raises `UnusualError` for an unusual value."""
    for name, value in given.items():
        if name not in read:
            form = forms.get(name)
            if form is None:
                return False
            form.code(value)
    return True


class Doubt:
    """What a generated function does where there is any doubt: facts that were checked before are laid out for it,
    those by dotted name have a function of their own, and all else is slow."""

    __slots__ = ("_by_name", "_flat", "_head", "_slow", "function")

    def __init__(self, head: Head, flat: Callable[[], Callable[..., Any]], slow: Callable[..., Any]) -> None:
        self._head = head
        self._flat = flat
        self._slow = slow
        self._by_name: Callable[..., Any] | None = None
        self.function: Callable[..., Any] = slow

    def __call__(self, given: object, *more: object) -> Any:
        """The answer."""
        if type(given) is CheckedFacts:
            return (self.function if self._head.lay_out(given) else self._slow)(given, *more)
        if type(given) is not dict or not self._head.roles or any(type(each) is dict for each in given.values()):
            return self._slow(given, *more)
        self._by_name = self._by_name or self._flat()
        return self._by_name(given, *more)


def number_entry(
    usual: Usual, declared: Number, reads: frozenset[Read], slow: Callable[[Any], Any]
) -> Callable[..., Any]:
    """The function of a number that is asked for itself."""
    head = Head(usual, reads)
    body = head.function.body
    usual.fast.emit_needs(head.function, declared, Place().seated(declared.seats))
    body.append(syntax.give(emit_number(head.function, declared, Place().seated(declared.seats))))
    return head.define((), body, slow)


def _type(value: ast.expr) -> ast.expr:
    return syntax.call("type", value)
