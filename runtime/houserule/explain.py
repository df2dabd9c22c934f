"""A trace as people read it: text or Markdown, as a referee would explain it, or JSON."""

from __future__ import annotations

from .values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from .origins import Origins, Said
    from .trace import Entry, Trace

_SHOWN = 60
"""The longest text of a layer below that is shown."""
_READ = ("fact", "option", "table", "condition")
_ORDER = ("sequence", "initiative", "moment", "turn", "held", "left_out", "spoiler")
_OF_PLAY = (*_ORDER, "action", "requirement", "triggers", "trigger")
_SIGNS = {"set": "set to", "multiply": "x", "at_least": "at least", "at_most": "at most"}


def text(trace: Trace) -> str:
    """The trace as lines of plain text, indented by what follows from what."""
    return "\n".join("  " * depth + line for depth, line in _lines(trace.root, 0, set(), trace.origins))


def markdown(trace: Trace) -> str:
    """The trace as a nested Markdown list."""
    return "\n".join(
        "  " * depth + f"- {_escaped(line)}" for depth, line in _lines(trace.root, 0, set(), trace.origins)
    )


def json(trace: Trace) -> str:
    """The trace as indented JSON."""
    from json import dumps

    return dumps(trace.to_dict(), indent=2, ensure_ascii=False)


def name_of(entry: Entry) -> str:
    """What an entry is called: its title, or its id in words."""
    return entry.title or entry.name.replace("_", " ")


def sentence(entry: Entry) -> str:
    """A number in one line: its value, and what it is made of."""
    kept = [part for part in entry.parts if part.status == "kept" and not _is_nothing(part)]
    return f"{name_of(entry)} {text_of(_value(entry))} = {' '.join(map(_part, kept))}"


def _besides(entry: Entry) -> Iterator[str]:
    """A line for each way in which something did not count, with what and why."""
    parts = entry.parts
    groups = (
        ("dropped", [_dropped(part) for part in parts if part.status in ("dropped", "overridden")]),
        ("not known", [_unknown(part) for part in parts if part.status == "not_known"]),
        ("adds nothing", [_named(part) for part in parts if part.status == "kept" and _is_nothing(part)]),
        ("does not apply", [_idle(part) for part in parts if part.status == "does_not_apply"]),
    )
    yield from (f"{title}: {', '.join(found)}" for title, found in groups if found)


def _is_nothing(entry: Entry) -> bool:
    return entry.op == "add" and entry.value == 0


def _lines(entry: Entry, depth: int, seen: set[str], origins: Origins, around: str = "") -> Iterator[tuple[int, str]]:
    """The lines of an entry and of what is inside it; a number is explained once, where it is first read.

    Below each line stands what layers did to what it says; `around` is the layer of what the entry stands in.
    """
    line = _line(entry) + _source(entry)
    if entry.kind == "number":
        if line in seen:
            return
        seen.add(line)
    yield depth, line
    if entry.kind == "number":
        yield from ((depth + 1, each) for each in _besides(entry))
    for told in _told(entry, origins, around):
        if told not in seen:
            seen.add(told)
            yield depth + 1, told
    place = origins.place(entry.path)
    for part in entry.parts:
        # What a case read is told in its own line.
        is_read = part.kind in _READ or (part.kind == "value" and entry.kind in ("case", "value"))
        if entry.kind == "number" or is_read:
            yield from _numbers_in(part, depth + 1, seen, origins)
        else:
            yield from _lines(part, depth + 1, seen, origins, place[0] if place else around)


def _numbers_in(entry: Entry, depth: int, seen: set[str], origins: Origins) -> Iterator[tuple[int, str]]:
    """The numbers that something was made of, each in a line of its own."""
    for part in entry.parts:
        if part.kind == "number":
            yield from _lines(part, depth, seen, origins)
        else:
            yield from _numbers_in(part, depth, seen, origins)


def _told(entry: Entry, origins: Origins, around: str) -> Iterator[str]:
    """What layers above the ground did to what one line says; `around` is the layer of what it stands in."""
    yield from _of_layers(entry, origins, around)
    place = origins.place(entry.path)
    for part in entry.parts:
        if part.kind != "number" and (entry.kind == "number" or part.kind in ("fact", "option", "table", "condition")):
            yield from _told_inside(part, origins, place[0] if place else around)


def _told_inside(entry: Entry, origins: Origins, around: str) -> Iterator[str]:
    yield from _of_layers(entry, origins, around)
    place = origins.place(entry.path)
    for part in entry.parts:
        if part.kind != "number":
            yield from _told_inside(part, origins, place[0] if place else around)


def _of_layers(entry: Entry, origins: Origins, around: str) -> Iterator[str]:
    is_idle = entry.kind == "modifier" and entry.value is None
    is_told = False
    for path, said in entry.told(origins):
        if path != entry.path:
            yield from _changed(f"{name_of(entry)}, {_within(path, entry.path)}", "", said, origins)
        elif not is_idle:
            is_told = True
            yield from _changed(name_of(entry), _shown(entry), said, origins)
    place = origins.place(entry.path)
    if place and not is_told and not is_idle and place[0] not in (*origins.ground, around):
        yield f"{_shown(entry)}: {_where(*place)}"


def _changed(name: str, shown: str, said: tuple[Said, ...], origins: Origins) -> Iterator[str]:
    """Who placed it, and who set it over whom, where that is no layer of the ground."""
    yield from (
        f"{name}, placed {each.text}: {_where(*each.place)}"
        for each in said
        if each.act == "place" and each.layer not in origins.ground
    )
    stated = [each for each in said if each.act not in ("place", "prefer")]
    if not stated or stated[-1].layer in origins.ground:
        return
    *below, top = stated
    others = [each for each in reversed(below) if each.layer != top.layer]
    over = next((each for each in others if each.text != top.text), others[0] if others else None)
    shown = shown or f"{name} {'removed' if top.act == 'remove' else top.text}"
    yield f"{shown.rstrip()}: {_where(*top.place)}" + (f", over {_was(over)}" if over else "")


def _where(layer: str, file: str, line: int) -> str:
    return f"{layer}, {file}:{line}"


def _was(said: Said) -> str:
    """What stood below: `osric +3`."""
    text = "removed" if said.act == "remove" else said.text
    return f"{said.layer} {_cut(text)}".rstrip()


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def _within(path: str, whole: str) -> str:
    """What stands behind the definition, or behind what an entry stands for, in a longer path."""
    start = whole if path.startswith(whole) else ".".join(whole.split(".", 2)[:2])
    return path[len(start) :].lstrip(".")


def _shown(entry: Entry) -> str:
    """What an entry says, in short: `Charging +2`."""
    if entry.kind == "base":
        return f"base {text_of(_value(entry))}"
    if entry.kind == "die":
        return f"{name_of(entry)} {entry.op}".rstrip()
    if entry.kind == "table":
        return _read(entry)
    amount = _amount(entry) if entry.op and entry.kind != "fact" else text_of(_value(entry))
    return f"{name_of(entry)} {amount}".rstrip()


def _line(entry: Entry) -> str:
    match entry.kind:
        case "number":
            return sentence(entry)
        case "die":
            return _die(entry)
        case "case":
            return f"{name_of(entry)}: {'yes' if entry.status == 'kept' else 'no'}" + _reads(entry)
        case "effect":
            what = text_of(_value(entry)) if entry.op == "event" else f"{entry.name} {_amount(entry)}"
            return f"effect: {what}"
        case "adjustment":
            return f"adjusts {entry.name.replace('_', ' ')} {_amount(entry)}" + _reads(entry)
        case "step":
            return name_of(entry)
        case "table":
            found = ", ".join(map(_read, entry.parts or (entry,)))
            return f"{entry.title}: {found}" if entry.title else found
        case "check" | "call":
            return f"{name_of(entry)}: {text_of(_value(entry)).replace('_', ' ')}"
        case "outcome":
            return f"outcome: {text_of(_value(entry)).replace('_', ' ')}" + _reads(entry)
    if entry.kind in _OF_PLAY:
        from .explain_order import line

        return line(entry, name_of, _reads)
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
    """The item of a document; of a document alone nothing is said, since all of a file stands on it."""
    return f" ({entry.source})" if " " in entry.source else ""


def _reads(entry: Entry) -> str:
    """What was read, in brackets: `(attacker.level 5, armor class 3)`."""
    shown = [_read(part) for part in entry.parts if part.kind in (*_READ, "number", "value")]
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
