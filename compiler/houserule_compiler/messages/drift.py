"""Messages of drift: what has changed below a ruleset since its author last looked, and what is wrong with its lock."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from shlex import quote

from ..diagnostics import Diagnostic, Label, error, note, warning
from ..document import Scalar
from ..edits import Edit, Json, Placing
from ..lock import NOTHING, Lock, Record, Value
from ..paths import Path, path_text
from ..source import Span
from .expression import shorter
from .layers import SHOWN, fitted
from .shape import quoted

LONGEST = 72
"""The longest value that is shown whole."""
LINE = 100
"""How long a note on one line may be."""
MOST = 40
"""How many records are listed."""


class Fault(Enum):
    """Why a lock is refused."""

    JSON = "this is no JSON"
    TWICE = "one key stands twice"
    NUMBER = "no number stands here"
    DEPTH = "it is nested too deep"
    FORMAT = "it has not the form of a lock"
    OTHER = "it belongs to another ruleset"
    CHARACTER = "a character in it could hide text"


def drifted(name: str, edit: Edit, was: Value, now: Value) -> Diagnostic:
    """What an edit stands over has changed."""
    return warning(
        "drift",
        fitted(lambda path: f"{path} has changed below `{name}`", edit.path),
        Label(edit.at),
        *_moved(edit, was, now),
        notes=_joined([*_change(was.told, now.told), _yours(edit)]),
        help=f"if yours still holds, {_accept(name, edit.path)}",
    )


def other_neighbours(name: str, placing: Placing, were: Sequence[str | None]) -> Diagnostic:
    """Something else stands where a ruleset puts an entry."""
    is_order = placing.side == "order"
    wording = "the order of {} has changed below `{}`" if is_order else "{} has other neighbours below `{}`"
    return warning(
        "drift-neighbours",
        fitted(lambda path: wording.format(path, name), placing.path),
        Label(placing.at),
        *(Label(each, "now here") for each in placing.places if not is_order),
        notes=_joined([f"were {_ids(were, is_order)}", f"are {_ids(placing.between, is_order)}"]),
        help=f"if its place is still right, {_accept(name, placing.path)}",
    )


def base_now_defines(name: str, edit: Edit) -> Diagnostic:
    """An id that a ruleset brought into being has since been defined below it."""
    return error(
        "base-now-defines",
        fitted(lambda path: f"{path} is defined below `{name}` now", edit.path),
        Label(edit.at, "yours was new"),
        *_there(edit, "defined here now"),
        notes=_joined([f"is {shown(_now(edit))}", _yours(edit)]),
        help="rename yours, or write `replace: true` in it",
    )


def target_gone(
    name: str, edit: Edit, was: Mapping[str, Json | None], renamed: tuple[Path, Scalar] | None
) -> Diagnostic:
    """What a ruleset changes is no longer there."""
    found = error(
        "missing-target",
        fitted(lambda path: f"{path} is gone below `{name}`", edit.path),
        Label(edit.key),
        notes=_joined([*_before(was, path_text(edit.path)), _yours(edit)]),
        help=f"take yours out; if it is to stand alone, {_accept(name, edit.path)}",
    )
    return with_new_name(found, path_text(renamed[0]), renamed[1]) if renamed else found


def with_memory(found: Diagnostic, path: Path, was: Mapping[str, Json | None]) -> Diagnostic:
    """A missing target, with what stood there when it was last accepted."""
    notes = (*_before(was, path_text(path)), *found.notes)
    return replace(found, notes=notes, help=found.help or "take yours out")


def with_new_name(found: Diagnostic, name: str, stated: Scalar) -> Diagnostic:
    """A missing target that a layer below says it has renamed."""
    return replace(
        found,
        labels=(*found.labels, Label(stated.span, "its new name")),
        help=f"write `{name}`",
    )


def base_agrees(name: str, edit: Edit) -> Diagnostic:
    """What stands below says the same now."""
    return note(
        "base-agrees",
        fitted(lambda path: f"{path} is the same below `{name}` now", edit.path),
        Label(edit.at),
        *_there(edit, "says so too"),
        help="yours may go",
    )


def follows(name: str, edit: Edit, was: Value, now: Value) -> Diagnostic:
    """What `inherited` stands for has changed."""
    return note(
        "follows",
        fitted(lambda path: f"`inherited` stands for another value at {path} now", edit.path),
        Label(edit.at),
        *_moved(edit, was, now),
        notes=_joined(_change(was.told, now.told)),
        help=f"if that is right, {_accept(name, edit.path)}",
    )


def no_lock(name: str, head: Span, file: str) -> Diagnostic:
    """Nothing is recorded of what a ruleset changes."""
    return note(
        "no-lock",
        shorter(f"`{name}` has no lock that would tell what changes below it", "this ruleset has no lock"),
        Label(head),
        notes=[f"there is no {quoted(file)}"],
        help=f"record it: `houserule accept {name}`",
    )


def not_recorded(name: str, places: Sequence[tuple[Path, Span]]) -> Diagnostic:
    """Edits that the lock does not know."""
    (path, first), *rest = places
    more = f" and {len(rest)} more" if rest else ""
    return note(
        "not-recorded",
        fitted(lambda path: f"the lock of `{name}` lacks {path}{more}", path),
        Label(first),
        *(Label(span) for _, span in rest[: SHOWN - 1]),
        help=f"record what they stand over: `houserule accept {name}`",
    )


def damaged_lock(span: Span, name: str, fault: Fault) -> Diagnostic:
    """A file that is no lock, or no sound one."""
    return error(
        "damaged-lock",
        f"this lock cannot be read: {fault.value}",
        Label(span),
        help=f"write it anew: `houserule accept {name}`",
    )


def lock_version(span: Span, name: str, version: int) -> Diagnostic:
    """A lock of another version of the format."""
    return error(
        "lock-version",
        f"expected a lock of version {version}, found another",
        Label(span),
        help=f"write it anew: `houserule accept {name}`, or install the version that wrote it",
    )


def recorded(old: Lock, new: Lock) -> Iterator[str]:
    """What a lock holds that the one before did not, a line for each path, and how many more there are."""
    changed = [path for path in sorted(new.records) if new.records[path] != old.records.get(path)]
    gone = [path for path in sorted(old.records) if path not in new.records]
    lines = [f"{path} {_record(new.records[path])}" for path in changed] + [f"{path} no longer" for path in gone]
    yield from lines[:MOST]
    if len(lines) > MOST:
        yield f"and {len(lines) - MOST} more"
    if not lines:
        yield "nothing that it changes has changed below" if new.records else "it changes nothing yet"


def _record(record: Record) -> str:
    said = [f"over {shown(record.value.told)}"] if record.value else []
    if record.place and record.place.side == "order":
        said.append(f"in place of the order {_ids(record.place.between, True)}")
    elif record.place:
        said.append(f"between {_ids(record.place.between, False)}")
    return ", ".join(said)


def shown(value: Json | None) -> str:
    """A value on one line, in backticks, as one would write it."""
    return NOTHING if value is None else quoted(_flow(value), LONGEST)


def _flow(value: Json) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return f"[{', '.join(map(_flow, value))}]"
    return f"{{{', '.join(f'{key}: {_flow(each)}' for key, each in value.items())}}}"


def _there(edit: Edit, text: str) -> list[Label]:
    return [Label(edit.place, text)] if edit.place else []


def _moved(edit: Edit, was: Value, now: Value) -> list[Label]:
    """Where what has changed is written: of layers that disagree, those that say something else than before."""
    inner = edit.part(tuple(_difference(was.told, now.told)[0]))
    if inner:
        return [Label(inner, "changed here")]
    others = [span for name, span in edit.sides.items() if edit.contenders[name] != was.contenders.get(name)]
    return (
        [Label(span, "changed here") for span in others] if was.contenders and others else _there(edit, "changed here")
    )


def _now(edit: Edit) -> Json | None:
    return {**edit.contenders} if edit.contenders else edit.below  # type: ignore[dict-item]


def _yours(edit: Edit) -> str:
    match edit.act:
        case "remove":
            return "yours removes it"
        case "prefer":
            return f"yours prefers {shown(edit.yours)}"
    return f"yours is {shown(edit.yours)}" if edit.yours is not None else "yours removes it"


def _change(was: Json | None, now: Json | None) -> list[str]:
    """Was and is; of maps that differ in one thing, only that."""
    steps, was, now = _difference(was, now)
    at = f"{quoted('.'.join(steps))} " if steps else ""
    return [f"{at}was {shown(was)}", f"is {shown(now)}"]


def _difference(was: Json | None, now: Json | None) -> tuple[list[str], Json | None, Json | None]:
    """The way into two values to the only thing in which they differ, and what stands there."""
    steps: list[str] = []
    while isinstance(was, dict) and isinstance(now, dict):
        keys = [key for key in {**was, **now} if was.get(key) != now.get(key)]
        if len(keys) != 1:
            break
        steps += keys
        was, now = was.get(keys[0]), now.get(keys[0])
    return steps, was, now


def _joined(parts: Sequence[str]) -> list[str]:
    """Parts of a note on one line, or each as a note of its own where they are too long for that."""
    whole = ", ".join(parts)
    return [whole] if len(whole) <= LINE else [*parts]


def _before(was: Mapping[str, Json | None], top: str) -> list[str]:
    """What stood at a path, or of parts of it that the lock knows what each of them was."""
    known = [(path[len(top) :].lstrip("."), shown(value)) for path, value in was.items()]
    return [f"{quoted(inner)} was {value}" if inner else f"was {value}" for inner, value in known[:SHOWN]]


def _ids(ids: Sequence[str | None], is_order: bool) -> str:
    if is_order:
        return ", ".join(f"`{each}`" for each in ids)
    ends = ("the beginning", "the end")
    return " and ".join(f"`{each}`" if each else end for each, end in zip(ids, ends, strict=True))


def _accept(name: str, path: Path) -> str:
    return f"`houserule accept {name} {quote(path_text(path))}`"
