"""The definitions of an artifact: from JSON to a `Program`. Their form is tested here, their sense by `verify`."""

from __future__ import annotations

from .decode_check import check
from .decode_expression import band, expression, is_code, read, seats, stored, type_of
from .decode_label import ROUNDS, closed, definition, label_of, op_of, word
from .item import Item, bound, bounds, identifier, integer, items, refuse, span, text
from .limits import WORDS_OF_SET
from .program import (
    Bands,
    Cell,
    Check,
    Choice,
    Column,
    Condition,
    Dense,
    Entity,
    Entry,
    Field,
    Grade,
    Label,
    Modifier,
    Number,
    Program,
    Role,
    Ruleset,
    Ruling,
    Stacking,
    Table,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from .expression import Expr
    from .origins import Origins
    from .program import Index, Policy, Stored, Type
    from .rounds import Action, Event, Sequence, Trigger

POLICIES = ("all", "largest", "smallest", "once", "first")


def decode(root: dict[str, object], origins: Origins) -> Program:
    """The program of an artifact whose head (`format`, `format_version`) has been read already."""
    item = Item(root, "artifact")
    ruleset = _ruleset(item.take("ruleset"))
    hashed, requires = item.text("content_hash"), item.each("requires", text)
    sequences = item.take("sequences")
    decoder = _Decoder(item.take("choices"), item.take("checks"), sequences)
    play = _play(item, sequences, decoder.sizes)
    program = Program(
        ruleset,
        hashed,
        requires,
        decoder.choices,
        item.by_id("entities", decoder.entity),
        item.by_id("roles", _role),
        item.by_id("facts", decoder.field),
        item.by_id("options", decoder.field),
        item.by_id("conditions", _condition),
        item.by_id("impossible", _condition),
        item.by_id("tables", decoder.table),
        item.by_id("numbers", _number),
        item.by_id("modifiers", _modifier),
        item.by_id("stacking", _stacking),
        decoder.checks,
        *play,
        item.by_id("rulings", _ruling),
        origins,
    )
    item.close()
    return program


def _play(
    item: Item, sequences: object, sizes: Mapping[str, int]
) -> tuple[Mapping[str, Event], Mapping[str, Action], Mapping[str, Trigger], Mapping[str, Sequence]]:
    """What concerns rounds; most artifacts have nothing of it, and need not wait for what reads it."""
    given = {key: item.take(key) for key in ("events", "actions", "triggers")} | {"sequences": sequences}
    if all(isinstance(each, list) and not each for each in given.values()):
        return {}, {}, {}, {}
    from .decode_rounds import action, event, sequence, trigger

    found = Item(given, "artifact")
    return (
        found.by_id("events", event),
        found.by_id("actions", action),
        found.by_id("triggers", trigger),
        found.by_id("sequences", lambda node, at: sequence(node, at, sizes)),
    )


def _ruleset(node: object) -> Ruleset:
    item = Item(node, "ruleset")
    sources = Item(item.take("sources"), "sources").rest
    found = Ruleset(
        item.text("id"),
        item.text_or("title"),
        item.text_or("version"),
        item.text_or("license"),
        item.each("layers", _layer),
        {key: _source(value) for key, value in sources.items()},
    )
    item.close()
    return found


def _layer(node: object, at: str) -> tuple[str, str]:
    item = Item(node, at)
    found = item.text("id"), item.text_or("version")
    item.close()
    return found


def _source(node: object) -> tuple[str, dict[str, str]]:
    item = Item(node, "sources")
    texts = Item(item.take("items"), "sources.items").rest
    found = item.text("title"), {key: text(value, "sources.items") for key, value in texts.items()}
    item.close()
    return found


def _role(node: object, at: str) -> tuple[str, Role]:
    item, label = definition(node, "role")
    return closed(item, label.id, Role(label, item.text("entity")))


def _condition(node: object, at: str) -> tuple[str, Condition]:
    item, label = definition(node, "condition")
    when = expression(item.take("when"), item.at)
    needs = item.each("needs", read) if at.endswith("impossible") else ()
    return closed(item, label.id, Condition(label, when, item.text("text"), needs))


def _modifier(node: object, at: str) -> tuple[str, Modifier]:
    item, label = definition(node, "modifier")
    return closed(item, label.id, Modifier(label, item.text_or("text")))


def _ruling(node: object, at: str) -> tuple[str, Ruling]:
    item, label = definition(node, "ruling")
    question, ruling, because = item.text("question"), item.text("ruling"), item.text("because")
    found = Ruling(label, question, ruling, because, item.text_or("option"), item.flag_or_false("editorial"))
    return closed(item, label.id, found)


def _stacking(node: object, at: str) -> tuple[str, Stacking]:
    item, label = definition(node, "stacking")
    bonuses, penalties, of_all, multiply = (
        _policy(item.word_or_none(key, *POLICIES)) for key in ("bonuses", "penalties", "all", "multiply")
    )
    tie = item.word_or_none("tie", "bonus", "penalty")
    order = item.each("order", identifier) if item.has("order") else ()
    return closed(item, label.id, Stacking(label, bonuses, penalties, of_all, multiply, tie, order))


def _policy(word: str) -> Policy | None:
    return word or None  # type: ignore[return-value]


def _number(node: object, at: str) -> tuple[str, Number]:
    item, label = definition(node, "number")
    kind = type_of(item.take("type"), item.at)
    if kind.kind not in ("integer", "fraction"):
        refuse(item.at, "a number is an integer or a fraction")
    found = Number(
        label,
        kind,
        expression(item.take("base"), item.at),
        item.word_or_none("better", "higher", "lower"),
        item.text_or("of"),
        item.text_or("in"),
        item.maybe("as", seats) or (),
        item.each("entries", _entry),
        item.each("needs", read),
        item.integer("cost"),
    )
    return closed(item, label.id, found)


def _entry(node: object, at: str) -> Entry:
    item = Item(node, at)
    by, each = item.maybe("by", expression), item.maybe("each", expression)
    graded = by is not None or each is not None
    if graded == item.has("value") or (by is not None and each is not None):
        refuse(item.at, "an entry has either a value, or grades of one thing")
    found = Entry(
        identifier(item.take("modifier"), at),
        op_of(item),
        item.maybe("value", expression),
        _ascending(item.each("grades", _grade), item.at) if graded else (),
        by,
        each,
        item.maybe("when", expression),
        item.maybe("times", expression),
        item.text_or("group"),
        item.word_or_none("round", *ROUNDS),
        item.each("needs", read),
    )
    item.close()
    return found


def _grade(node: object, at: str) -> Grade:
    found = items(node, at)
    if len(found) != 3:
        refuse(at, "a grade is a band and an amount")
    low, high = band(found[:2], at)
    return Grade(low, high, expression(found[2], at))


def _ascending(grades: tuple[Grade, ...], at: str) -> tuple[Grade, ...]:
    for above, below in zip(grades[1:], grades, strict=False):
        if above.low is None or below.high is None or below.high >= above.low:
            refuse(at, "the bands of its grades do not ascend")
    return grades


def _index(node: object, at: str) -> Index:
    if not isinstance(node, dict):
        return integer(node, at)
    item = Item(node, at)
    found: Index
    if item.has("from"):
        found = Dense(item.integer("from"), _branches(item))
    else:
        starts = bounds(item.take("starts"), f"{at}.starts")
        found = Bands(starts, bound(item.take("ends"), at), _branches(item))
    item.close()
    return found


def _branches(item: Item) -> tuple[Index, ...]:
    """What an index leads to; rows, where there are thousands, are tested all at once."""
    at = f"{item.at}.then"
    found = items(item.take("then"), at)
    return tuple(found) if span(found) else tuple([_index(each, at) for each in found])  # type: ignore[arg-type]


_CODED = frozenset(("integer", "choice", "set", "hit_dice"))
"""The kinds of which all codes between two are codes too."""


class _Decoder:
    """Decodes what holds values of words; it knows the choices, the outcomes of checks and the steps of sequences."""

    def __init__(self, choices: object, checks: object, sequences: object) -> None:
        self.sizes = {str(_peek(each, "id")): _size(each, "words") for each in items(choices, "choices")}
        outcomes = {f"{_peek(each, 'id')}.outcome": _size(each, "outcomes") for each in items(checks, "checks")}
        steps = {f"{_peek(each, 'id')}.step": _steps(each) for each in items(sequences, "sequences")}
        self.sizes = outcomes | steps | self.sizes
        root = Item({"choices": choices, "checks": checks}, "artifact")
        self.choices: Mapping[str, Choice] = root.by_id("choices", self.choice)
        self.checks: Mapping[str, Check] = root.by_id("checks", check)

    def type(self, node: object, at: str) -> Type:
        """A type whose choice exists."""
        kind = type_of(node, at)
        if kind.choice and kind.choice not in self.sizes:
            refuse(at, f"no choice `{kind.choice[:60]}`")
        if kind.kind == "set" and self.sizes[kind.choice] > WORDS_OF_SET:
            refuse(at, f"a set is of at most {WORDS_OF_SET} words")
        return kind

    def stored(self, node: object, kind: Type, at: str) -> Stored:
        return stored(node, kind, self.sizes.get(kind.choice, 0), at)

    def choice(self, node: object, at: str) -> tuple[str, Choice]:
        item, label = definition(node, "choice")
        words = item.each("words", word)
        codes = {word.id: code for code, word in enumerate(words)}
        if len(codes) != len(words):
            refuse(item.at, "one word stands twice")
        attributes = item.by_id("attributes", self.attribute)
        if any(len(values) != len(words) for _, values in attributes.values()):
            refuse(item.at, "an attribute has one value for each word")
        return closed(item, label.id, Choice(label, words, codes, attributes, item.flag("ordered")))

    def attribute(self, node: object, at: str) -> tuple[str, tuple[Type, tuple[Stored, ...]]]:
        item = Item(node, at)
        label, kind = label_of(item), self.type(item.take("type"), at)
        values = item.each("values", lambda value, place: self.stored(value, kind, place))
        return closed(item, label.id, (kind, values))

    def entity(self, node: object, at: str) -> tuple[str, Entity]:
        item, label = definition(node, "entity")
        return closed(item, label.id, Entity(label, item.by_id("fields", self.field)))

    def field(self, node: object, at: str) -> tuple[str, Field]:
        is_loose = at.endswith(("facts", "options"))
        item, label = definition(node, at.rpartition(".")[2][:-1]) if is_loose else _inner(node, at)
        kind = self.type(item.take("type"), item.at)
        default = self.stored(item.take("default"), kind, item.at) if item.has("default") else None
        optional, computed = item.flag_or_false("optional"), item.maybe("is", expression)
        if (default is not None) + optional + (computed is not None) > 1:
            refuse(item.at, "a field has a default, may be unknown, or is computed: only one of them")
        if kind.kind == "set" and not optional and computed is None:
            default = default or 0
        if at.endswith("options") and (default is None or optional or computed is not None):
            refuse(item.at, "an option has a default, and nothing else")
        return closed(item, label.id, Field(label, kind, default, optional, computed, item.text_or("decides")))

    def table(self, node: object, at: str) -> tuple[str, Table]:
        item, label = definition(node, "table")
        keys, columns = item.each("keys", self.column), item.each("columns", self.column)
        positions = {column.label.id: position for position, column in enumerate(columns)}
        if not keys or not columns or len(positions) != len(columns):
            refuse(item.at, "a table has keys, and columns of different ids")
        index = _index(item.take("index"), item.at)
        worked: tuple[Expr, ...] = ()
        rows = self._whole(item.rest.get("rows"), columns)
        if rows is None:
            rows = item.each("rows", lambda row, place: self.row(row, columns, place))
            worked = tuple([cell.expr for row in rows for cell in row if isinstance(cell, Cell)])
        else:
            item.take("rows")
        return closed(item, label.id, Table(label, keys, columns, positions, index, rows, worked))

    def column(self, node: object, at: str) -> Column:
        item = Item(node, at)
        label = label_of(item)
        found = Column(label, self.type(item.take("type"), at))
        item.close()
        return found

    def row(self, node: object, columns: tuple[Column, ...], at: str) -> tuple[Stored | Cell, ...]:
        cells = items(node, at)
        if len(cells) != len(columns):
            refuse(at, "a row has one cell for each column")
        return tuple([self.cell(cell, column.type, at) for cell, column in zip(cells, columns, strict=True)])

    def _whole(self, node: object, columns: tuple[Column, ...]) -> tuple[tuple[Stored | Cell, ...], ...] | None:
        """All rows, where every cell is the code of a value; None where each must be looked at."""
        if type(node) is not list or set(map(type, node)) != {list} or set(map(len, node)) != {len(columns)}:
            return None
        for at, column in enumerate(columns):
            ends = span([row[at] for row in node]) if column.type.kind in _CODED else None
            words = self.sizes.get(column.type.choice, 0)
            if ends is None or not all(is_code(end, column.type, words) for end in ends):
                return None
        return tuple(map(tuple, node))

    def cell(self, node: object, kind: Type, at: str) -> Stored | Cell:
        if not isinstance(node, dict):
            return self.stored(node, kind, at)
        item = Item(node, at)
        found = Cell(expression(item.take("expr"), at))
        item.close()
        return found


def _inner(node: object, at: str) -> tuple[Item, Label]:
    item = Item(node, at)
    return item, label_of(item)


def _peek(node: object, key: str) -> object:
    return node.get(key) if isinstance(node, dict) else None


def _size(node: object, key: str) -> int:
    words = _peek(node, key)
    return len(words) if isinstance(words, list) else 0


def _steps(node: object) -> int:
    """How many steps a sequence has, those inside others counted."""
    steps = _peek(node, "steps")
    return sum(1 + _steps(each) for each in steps) if isinstance(steps, list) else 0
