"""Messages about names: unknown, ambiguous, in a circle."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..diagnostics import Diagnostic, Label, error
from ..source import Span
from ..suggest import nearest

MOST_SHOWN = 8
"""How many of a long circle are shown."""


TRUTHS = {"yes": "true", "on": "true", "no": "false", "off": "false"}
"""What people write for true and false."""


def unknown_name(kind: str, name: str, span: Span, visible: Iterable[str]) -> Diagnostic:
    """A name that nothing visible bears; `kind` says what was due, for example `fact, number or table`."""
    meant = TRUTHS.get(name.lower(), "")
    help = suggestion(name, visible) or (f"write `{meant}`, if that is meant" if meant else "")
    return error("unknown-name", f"no {kind} named `{name}`", Label(span), help=help)


def yaml_boolean(name: str, span: Span) -> Diagnostic:
    """`yes`, `off` and their like, where a condition or true or false is due."""
    meant = "true" if name.lower() in ("yes", "y", "on", "true") else "false"
    return error(
        "yaml-boolean",
        f"expected `true` or `false`, found `{name}`",
        Label(span),
        help=f"write `{meant}`",
    )


def suggestion(name: str, visible: Iterable[str]) -> str:
    """The nearest names as a help, or nothing."""
    near = [f"`{each}`" for each in nearest(name, visible)]
    if not near:
        return ""
    return f"did you mean {near[0]}?" if len(near) == 1 else f"did you mean {', '.join(near[:-1])} or {near[-1]}?"


def different_entity(role: str, entity: str, player: str, found: str, span: Span) -> Diagnostic:
    """A role that is to be played by what is not of its kind."""
    return error(
        "different-entity",
        f"`{role}` is a `{entity}`, and `{player}` is a `{found}`",
        Label(span),
        help="name a role of the same entity",
    )


def ambiguous_name(name: str, span: Span, places: Sequence[tuple[str, Span | None]]) -> Diagnostic:
    """One name that two things bear in one place."""
    labels = [Label(place, f"{kind} here") for kind, place in places if place]
    return error(
        "ambiguous-name",
        f"`{name}` can mean {' or '.join(kind for kind, _ in places)} here",
        Label(span),
        *labels,
        help="rename one of them",
    )


def clashing_names(name: str, again: tuple[str, Span], first: tuple[str, Span]) -> Diagnostic:
    """Two definitions share a name that expressions could not tell apart."""
    return error(
        "ambiguous-name",
        f"`{name}` names {first[0]} and {again[0]}, and expressions read both",
        Label(again[1], f"{again[0]} here"),
        Label(first[1], f"{first[0]} here"),
        help="rename one of them",
    )


def repeated_local(name: str, again: Span, first: Span) -> Diagnostic:
    """Two dice or values of one step share a name."""
    return error(
        "ambiguous-name",
        f"two dice or values of one step are named `{name}`",
        Label(again, "again here"),
        Label(first, "first here"),
        help="rename one of them",
    )


def reference_cycle(path: Sequence[tuple[str, Span]]) -> Diagnostic:
    """Definitions that need each other in a circle; each with the place where it reads the next."""
    first, *rest = path
    return error(
        "reference-cycle",
        f"`{first[0]}` needs itself to be worked out",
        Label(first[1], "read here"),
        *(Label(span, f"and `{name}` reads this") for name, span in rest[:MOST_SHOWN]),
        notes=[f"the circle is {_around(path)}"] if rest else [],
        help="break the circle: let one of them no longer read the next" if rest else "let it no longer read itself",
    )


def _around(path: Sequence[tuple[str, Span]]) -> str:
    """The names of a circle, back to the first; of a long one its beginning."""
    names = [f"`{name}`" for name, _ in path[:MOST_SHOWN]]
    left = len(path) - len(names)
    return " -> ".join([*names, *([f"{left} more"] if left else []), names[0]])


def step_cycle(path: Sequence[tuple[str, Span]]) -> Diagnostic:
    """Steps of a check that lead back to an earlier one; each with the place where it leads to the next."""
    *rest, last = path
    return error(
        "step-cycle",
        f"step `{path[0][0]}` leads back to itself",
        Label(last[1], "this leads back" if rest else ""),
        *(Label(span, "on the way") for _, span in rest[:MOST_SHOWN]),
        notes=[f"the circle is {_around(path)}; a check always comes to an end"],
        help="let one `go` lead to an outcome instead",
    )


def too_deep(name: str, span: Span, depth: int) -> Diagnostic:
    """Definitions that read each other in too long a chain."""
    return error(
        "definitions-too-deep",
        f"`{name}` stands at the end of more than {depth} definitions that read each other",
        Label(span),
        help=f"shorten the chain, or raise the limit: `--limit definition-depth={depth * 2}`",
    )


def unknown_source(document: str, span: Span, documents: Iterable[str], holding: str) -> Diagnostic:
    """A source that the manifest does not list; `holding` is a document that has an item of that name."""
    due = suggestion(document, documents) or f"add it under `sources` in the manifest: `{document}: {{title: ...}}`"
    return error(
        "unknown-source",
        f"the manifest lists no source document `{document}`",
        Label(span),
        help=f"write the document first: `{holding} {document}`" if holding else due,
    )


def unknown_source_item(document: str, item: str, span: Span, items: Iterable[str]) -> Diagnostic:
    """An item that a listed source document does not have."""
    return error(
        "unknown-source-item",
        f"the source document `{document}` has no item `{item}`",
        Label(span),
        help=suggestion(item, items) or f"add it under `sources.{document}.items` in the manifest",
    )
