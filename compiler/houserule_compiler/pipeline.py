"""The passes in order. Only this module knows them all."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from .allowances import Allowance, allowances, held
from .analyse import analyse
from .blame import blame
from .bound import bound
from .declarations import Example
from .declare import declare
from .decode import decode
from .diagnostics import Diagnostic, has_errors, in_file_order
from .document import Document
from .drift import drift
from .edits import Standing
from .emit import emit
from .expand import expand
from .files import Files, Refusal
from .footing import Footings
from .forms import Form, forms
from .gathering import gathered
from .layer import layer, over
from .layers import Layer, Origins, Uses
from .limits import Limits
from .lineage import lineage
from .load import load
from .lock import UNRECORDED, Lock, LockFile
from .lower import lower
from .memory import Memory
from .messages import load as messages
from .messages.abstract import abstract_ruleset
from .origins import origins
from .parse import Parser
from .resolve import resolve
from .restating import restated
from .round_trials import Loaded
from .ruleset import Ruleset
from .settle import settle
from .shape import shape
from .silence import apart, beyond, elsewhere, with_ground
from .source import SourceFile, Span
from .trial import Tried, fails
from .trial import try_examples as try_each
from .turned import turned
from .typecheck import typecheck
from .typed_ruleset import TypedRuleset
from .unlock import unlock
from .unproven import unproven


@dataclass(frozen=True)
class Compiled:
    """What came of one ruleset: the artifact, and every finding in file order.

    There is no artifact where there are errors, and none of an abstract ruleset. `inherited` are the examples that
    layers below state alone; `layer` is what this one says itself. `standing` has the edits of a ruleset that stands
    on others, and `lock` what its lock says of them, where that was asked for. `typed` are the rules as they were
    lowered.
    """

    name: str
    artifact: bytes | None
    diagnostics: tuple[Diagnostic, ...]
    ruleset: Ruleset | None = None
    origins: Origins | None = None
    inherited: frozenset[str] = frozenset()
    layer: Layer | None = None
    allowances: tuple[Allowance, ...] = ()
    standing: Standing | None = None
    lock: Lock | None = None
    typed: TypedRuleset | None = None

    @property
    def refused(self) -> tuple[Diagnostic, ...]:
        """Why there is no artifact; empty where there is one."""
        if self.artifact is not None:
            return ()
        abstract = self.ruleset.manifest.abstract if self.ruleset else None
        if abstract is None or has_errors(self.diagnostics):
            return self.diagnostics
        return (abstract_ruleset(self.name, abstract),)


@dataclass(frozen=True)
class ExampleReport:
    """What came of a ruleset's examples: each that was tried, and every finding in file order."""

    results: tuple[Tried, ...]
    diagnostics: tuple[Diagnostic, ...] = ()


Read = Callable[[str], "Files | Refusal | None"]


def compile_ruleset(
    name: str,
    read: Read,
    schema: Mapping[str, object],
    limits: Limits,
    names: Callable[[], Iterable[str]] = tuple,
    codes: Callable[[], Collection[str]] = tuple,
    locked: LockFile | None = None,
    memory: Memory | None = None,
) -> Compiled:
    """Compiles the ruleset that `read` finds under `name`, with all that it stands on.

    `names` gives the names that `read` would find, for suggestions; `codes` those of all messages, which comments may
    allow. With `locked` it is told what has changed below since that was written. `memory` has what earlier builds with
    the same limits made of files that are as they were. Raises KeyError where there is no such ruleset, or it cannot
    be read.
    """
    sizes: list[int] = []
    rulesets, found = gathered(
        name, lambda each: _read(each, read, schema, limits, sizes, memory), _uses, limits, names
    )
    compiled = _compiled(name, rulesets, found, forms(schema), Parser(limits, memory), locked, memory)
    given = allowances(rulesets[name].documents)
    told = _kept(held(compiled.diagnostics, given, codes), limits)
    return replace(compiled, diagnostics=told, allowances=given)


def _kept(found: Iterable[Diagnostic], limits: Limits) -> tuple[Diagnostic, ...]:
    """As many findings as are kept, and one that says so if there are more."""
    every, most = tuple(found), limits.errors_per_run
    if len(every) <= most:
        return every
    return (*every[:most], messages.too_many_findings(every[most].span, most, has_errors(every)))


def _compiled(
    name: str,
    rulesets: Mapping[str, _Ruleset],
    found: list[Diagnostic],
    form: Form,
    parser: Parser,
    locked: LockFile | None,
    memory: Memory | None,
) -> Compiled:
    limits = parser.limits
    layers = {each: ruleset.layer for each, ruleset in rulesets.items() if ruleset.layer}
    named = {used.text for each in layers.values() for used in each.uses.names}
    is_whole = len(layers) == len(rulesets) and named <= layers.keys()
    found += [each for ruleset in rulesets.values() for each in ruleset.found]
    documents = [each for ruleset in rulesets.values() for each in ruleset.documents]
    line, circles = lineage(name, {each: one.uses for each, one in layers.items()}) if is_whole else (None, [])
    if line is None or circles:
        return Compiled(name, None, tuple(in_file_order([*found, *circles])))
    order = [layers[each] for each in line.layers]
    layered, clashes = layer(layers, line, form, parser)
    ruleset, undeclared = declare(layered.root, order, parser, memory)
    clashes += [each for one in rulesets.values() for each in one.doubles]
    if not all(each.is_complete for each in rulesets.values()):
        # What stands in a file that could not be read would only be missed everywhere else.
        later = blame(undeclared, layered, order, line)
        found += apart([*clashes, *elsewhere(later, clashes, documents)], found, documents)
        return Compiled(name, None, tuple(in_file_order(found)))
    lock, unsound = unlocked(locked, name, limits)
    standing = over(layers, line, form, parser, layered) if len(order) > 1 and (locked or has_errors(clashes)) else None
    if standing:
        clashes, moved = drift(standing, lock, clashes, locked.name if locked and locked.data is None else "")
        found += [*unsound, *moved]
    resolved, unresolved = resolve(ruleset, limits.definition_depth)
    # Names that are wrong leave out of the order what stands on them, wherever it does.
    footings = Footings(ruleset, memory) if memory and not unresolved else None
    typed, untyped = typecheck(ruleset, resolved.order, resolved.checks, limits, memory, footings)
    clashes += settle(typed, layered.unsettled)
    untyped = [*turned(typed, layered.turns), *untyped]
    later = with_ground(blame([*undeclared, *unresolved, *untyped], layered, order, line), documents)
    found += apart([*clashes, *elsewhere(later, clashes, documents)], found, documents)
    whole = elsewhere(blame(analyse(typed, memory, footings), layered, order, line), clashes, documents)
    found += beyond(whole, found, documents)
    is_built = not has_errors(found) and not ruleset.manifest.is_abstract
    artifact = None
    if is_built:
        program = lower(typed, memory, footings)
        artifact = emit(program, origins(layered.origins, typed))
        left = unproven(program, typed, footings)
        outside = bound(artifact, ruleset, limits, emit(left.program) if left else None)
        if outside:
            found += blame(outside, layered, order, line)
            artifact = None
        elif left:
            left.prove()
    inherited = frozenset(ruleset.examples) - layers[name].ids("examples")
    # How things stand with the lock is for rules that are right.
    told = tuple(each for each in in_file_order(found) if not has_errors(found) or each.code not in UNRECORDED)
    own = layers[name]
    kept = Compiled(name, artifact, told, ruleset, layered.origins, inherited, own, typed=typed)
    return replace(kept, standing=standing, lock=lock)


def unlocked(locked: LockFile | None, name: str, limits: Limits) -> tuple[Lock | None, list[Diagnostic]]:
    """What the lock of the ruleset `name` says, and what is wrong with it; nothing where there is none."""
    if locked is None or locked.data is None:
        return None, []
    file, found = decode(locked.name, locked.data, limits, name)
    if file is None or found:
        return None, found
    return unlock(file, name)


@dataclass(frozen=True)
class _Ruleset:
    """The files of one ruleset, loaded: what they hold as a layer, and what is wrong with each by itself."""

    layer: Layer | None
    documents: list[Document]
    found: list[Diagnostic]
    doubles: list[Diagnostic]
    is_complete: bool


def _read(
    name: str, read: Read, schema: Mapping[str, object], limits: Limits, sizes: list[int], memory: Memory | None
) -> _Ruleset | Refusal | None:
    """One ruleset of a build, loaded; `sizes` are those of all files that the build has read."""
    files = read(name)
    if files is None or isinstance(files, Refusal):
        return files
    if len(files.files) > limits.files:
        span = _beginning(files, files.files[limits.files][0])
        return _Ruleset(None, [], [messages.too_many_files(span, limits.files)], [], False)
    for path, data in files.files:
        sizes.append(len(data))
        if sum(sizes) > limits.total_bytes:
            found = messages.rules_too_large(_beginning(files, path), limits.total_bytes)
            return _Ruleset(None, [], [found], [], False)
    documents, problems = _loaded(files, limits, memory)
    if not documents:
        return _Ruleset(None, [], problems, [], False)
    problems += shape(documents, schema, limits, files.name, memory)
    layer, doubles = expand(documents, forms(schema), name)
    return _Ruleset(layer, documents, problems, doubles, len(documents) == len(files.files))


def _beginning(files: Files, path: str) -> Span:
    """Where a file begins that is not read."""
    return Span(SourceFile(path, "", files.name, files.is_shown), 0, 0)


def _uses(ruleset: _Ruleset) -> Uses:
    return ruleset.layer.uses if ruleset.layer else Uses()


def _loaded(files: Files, limits: Limits, memory: Memory | None) -> tuple[list[Document], list[Diagnostic]]:
    documents: list[Document] = []
    found: list[Diagnostic] = []
    for path, data in files.files:
        told = (path, data, limits, files.name, files.is_shown, files.inner(path))
        document, problems = memory.recall(told, None, partial(load, *told)) if memory else load(*told)
        documents += [document] if document else []
        found += problems
    return documents, found


def try_examples(compiled: Compiled) -> ExampleReport:
    """Tries the examples of a ruleset that compiled; of one that did not there are none to try."""
    ruleset, layer, origins = compiled.ruleset, compiled.layer, compiled.origins
    if ruleset is None or layer is None or origins is None or compiled.artifact is None:
        return ExampleReport(())
    tried = try_each(ruleset, compiled.artifact, compiled.inherited)
    results = [
        replace(each, diagnostics=restated(each.id, each.diagnostics, ruleset, layer, origins)) for each in tried
    ]
    found = in_file_order(each for result in results for each in result.diagnostics)
    told = dict.fromkeys(held(found, compiled.allowances, is_of_examples=True))
    kept = tuple(replace(each, diagnostics=tuple(one for one in each.diagnostics if one in told)) for each in results)
    return ExampleReport(kept, tuple(told))


def notices(example: Example, loaded: Loaded) -> bool:
    """Whether an example fails with rules that are not those that it was written for."""
    return fails(example, loaded)
