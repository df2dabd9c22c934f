"""The passes in order. Only this module knows them all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .analyse import analyse
from .declare import declare
from .diagnostics import Diagnostic, has_errors, in_file_order
from .document import Document
from .emit import emit
from .files import Files
from .limits import Limits
from .load import load
from .lower import lower
from .parse import Parser
from .resolve import resolve
from .ruleset import Ruleset
from .shape import shape
from .silence import apart, beyond
from .trial import Tried
from .trial import try_examples as try_each
from .typecheck import typecheck


@dataclass(frozen=True)
class Compiled:
    """What came of one ruleset: the artifact, or None where there are errors, and every finding in file order."""

    name: str
    artifact: bytes | None
    diagnostics: tuple[Diagnostic, ...]
    ruleset: Ruleset | None = None


@dataclass(frozen=True)
class ExampleReport:
    """What came of a ruleset's examples."""

    results: tuple[Tried, ...]

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Every finding, in file order."""
        return tuple(in_file_order(found for each in self.results for found in each.diagnostics))


Read = Callable[[str], "Files | None"]


def compile_ruleset(name: str, read: Read, schema: Mapping[str, object], limits: Limits) -> Compiled:
    """Compiles the ruleset that `read` finds under `name`; raises KeyError where it finds none."""
    files = read(name)
    if files is None:
        raise KeyError(name)
    documents, found = _loaded(files, limits)
    if not documents:
        return Compiled(name, None, tuple(in_file_order(found)))
    found += shape(documents, schema, limits, files.name)
    ruleset, later = declare(documents, Parser(limits))
    if len(documents) < len(files.files):
        # What stands in a file that could not be read would only be missed everywhere else.
        found += apart(later, found, documents)
        return Compiled(name, None, tuple(in_file_order(found)))
    resolved, unresolved = resolve(ruleset, limits.definition_depth)
    typed, untyped = typecheck(ruleset, resolved.order, resolved.checks)
    found += apart([*later, *unresolved, *untyped], found, documents)
    found += beyond(analyse(typed), found, documents)
    artifact = None if has_errors(found) else emit(lower(typed))
    return Compiled(name, artifact, tuple(in_file_order(found)), ruleset)


def _loaded(files: Files, limits: Limits) -> tuple[list[Document], list[Diagnostic]]:
    documents: list[Document] = []
    found: list[Diagnostic] = []
    for path, data in files.files:
        document, problems = load(path, data, limits, layer=files.name, is_shown=files.is_shown)
        documents += [document] if document else []
        found += problems
    return documents, found


def try_examples(compiled: Compiled) -> ExampleReport:
    """Tries the examples of a ruleset that compiled; of one that did not there are none to try."""
    if compiled.ruleset is None or compiled.artifact is None:
        return ExampleReport(())
    return ExampleReport(try_each(compiled.ruleset, compiled.artifact))
