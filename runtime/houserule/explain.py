"""A trace as people read it: text or Markdown, as a referee would explain it, or JSON."""

from __future__ import annotations

from .values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from .trace import Entry, Trace

_SIGNS = {"set": "set to", "multiply": "x", "at_least": "at least", "at_most": "at most"}


def text(trace: Trace) -> str:
    """The trace as lines of plain text, indented by what follows from what."""
    return "\n".join("  " * depth + line for depth, line in _lines(trace.root, 0, set()))


def markdown(trace: Trace) -> str:
    """The trace as a nested Markdown list."""
    return "\n".join("  " * depth + f"- {_escaped(line)}" for depth, line in _lines(trace.root, 0, set()))


def json(trace: Trace) -> str:
    """The trace as indented JSON."""
    from json import dumps

    return dumps(trace.to_dict(), indent=2, ensure_ascii=False)


def name_of(entry: Entry) -> str:
    """What an entry is called: its title, or its id in words."""
    return entry.title or entry.name.replace("_", " ")


def sentence(entry: Entry) -> str:
    """A number in one line: its value, what it is made of, and what did not count and why."""
    kept = [part for part in entry.parts if part.status == "kept"]
    head = (
        f"{name_of(entry)} {text_of(_value(entry))} = {' '.join(_part(part) for part in kept if not _is_nothing(part))}"
    )
    groups = (
        ("adds nothing", [_named(part) for part in kept if _is_nothing(part)]),
        ("dropped", [_dropped(part) for part in entry.parts if part.status in ("dropped", "overridden")]),
        ("does not apply", [_idle(part) for part in entry.parts if part.status == "does_not_apply"]),
        ("not known", [_unknown(part) for part in entry.parts if part.status == "not_known"]),
    )
    return "; ".join([head, *(f"{title}: {', '.join(found)}" for title, found in groups if found)])


def _is_nothing(entry: Entry) -> bool:
    return entry.op == "add" and entry.value == 0


def _lines(entry: Entry, depth: int, seen: set[str]) -> Iterator[tuple[int, str]]:
    """The lines of an entry and of what is inside it; a number is explained once, where it is first read."""
    line = _line(entry) + _source(entry)
    if entry.kind == "number":
        if line not in seen:
            seen.add(line)
            yield depth, line
            for part in entry.parts:
                yield from _numbers_in(part, depth + 1, seen)
        return
    yield depth, line
    for part in entry.parts:
        if part.kind in ("fact", "option", "table", "condition"):
            yield from _numbers_in(part, depth + 1, seen)
        else:
            yield from _lines(part, depth + 1, seen)


def _numbers_in(entry: Entry, depth: int, seen: set[str]) -> Iterator[tuple[int, str]]:
    """The numbers that something was made of, each in a line of its own."""
    for part in entry.parts:
        if part.kind == "number":
            yield from _lines(part, depth, seen)
        else:
            yield from _numbers_in(part, depth, seen)


def _line(entry: Entry) -> str:
    match entry.kind:
        case "number":
            return sentence(entry)
        case "die":
            return _die(entry)
        case "case":
            return f"{name_of(entry)}: {'holds' if entry.status == 'kept' else 'does not hold'}" + _reads(entry)
        case "effect":
            return f"effect: {entry.name} {_amount(entry)}"
        case "step":
            return name_of(entry)
        case "check" | "call":
            return f"{name_of(entry)}: {text_of(_value(entry)).replace('_', ' ')}"
    return f"{name_of(entry)} {text_of(_value(entry))}" + _reads(entry)


def _die(entry: Entry) -> str:
    if entry.status != "kept":
        return f"{name_of(entry)}: not rolled"
    faces = f": {', '.join(entry.why)}" if len(entry.why) > 1 else ""
    return f"{name_of(entry)} {text_of(_value(entry))} ({entry.op}{faces})"


def _value(entry: Entry) -> bool | int | str | Fraction | tuple[str, ...]:
    return "" if entry.value is None else entry.value  # type: ignore[return-value]


def _part(entry: Entry) -> str:
    if entry.kind == "base":
        return f"base {text_of(_value(entry))}" + _reads(entry)
    return f"{_amount(entry)} {_named(entry)}"


def _amount(entry: Entry) -> str:
    value = entry.value
    if entry.op == "add" and isinstance(value, int):
        return f"{value:+d}"
    if entry.op == "add":
        return f"+{value}" if not str(value).startswith("-") else str(value)
    return f"{_SIGNS.get(entry.op, entry.op)} {text_of(_value(entry))}"


def _named(entry: Entry) -> str:
    if entry.kind == "adjustment":
        return f"from {entry.name.replace('_', ' ')}" if entry.name else "from the caller"
    return name_of(entry) + _source(entry)


def _source(entry: Entry) -> str:
    return f" ({entry.source})" if entry.source else ""


def _reads(entry: Entry) -> str:
    """What was read, in brackets: `(attacker.level 5, armor class 3)`."""
    shown = [_read(part) for part in entry.parts]
    return f" ({', '.join(dict.fromkeys(shown))})" if shown else ""


def _read(entry: Entry) -> str:
    if entry.op == "known":
        return f"{entry.name} {'known' if entry.value else 'not known'}"
    title = name_of(entry) if entry.kind == "number" else entry.name
    return f"{title} {text_of(_value(entry))}"


def _dropped(entry: Entry) -> str:
    if entry.status == "overridden":
        return f"{_amount(entry)} {_named(entry)} (a later one sets it)"
    group, kept = (*entry.why, "", "")[:2]
    return f"{_amount(entry)} {_named(entry)} ({group.replace('_', ' ')} keeps {kept.replace('_', ' ')})"


def _idle(entry: Entry) -> str:
    return name_of(entry) + (f" ({entry.why[0]})" if entry.why else "")


def _unknown(entry: Entry) -> str:
    return f"{', '.join(entry.why)} (for {name_of(entry)})"


def _escaped(line: str) -> str:
    return "".join(f"\\{char}" if char in "\\`*_[]<>|#" else char for char in line)
