"""What `load` reports of a file's structure: where YAML cannot go on, and where it goes on with something else.

The second kind are traps: text that YAML cuts or reads as a key without a word. Each message says how to write it.
"""

from __future__ import annotations

import re

from houserule.limits import COST as MOST_STEPS
from houserule.limits import NESTING as MOST_NESTING

from ..diagnostics import Diagnostic, Label, error, warning
from ..limits import Limits
from ..source import Span
from .load import quoted

QUOTE_IT = "put the text in double quotes"
_KEY_AND_VALUE = re.compile(r"([a-z][a-z0-9_.]*(?:\[[^\]\n]*\][a-z0-9_.]*)?) +([^\s:][^\n]*)")
_LONGEST_MENDED = 80
_OTHERWISE = "write `KEY: VALUE`, or put `# ` in front of a remark"


def _in_quotes(text: str) -> str:
    """How a short text is written in quotes."""
    if "\n" in text or len(text) > 60:
        return QUOTE_IT
    quote = "'" if '"' in text or "\\" in text else '"'
    inner = text.replace("'", "''") if quote == "'" else text
    return f"write `{quote}{inner}{quote}`"


def too_many_steps(span: Span, limits: Limits) -> Diagnostic:
    """A question takes more steps than the limit, with all that it reads."""
    most = min(limits.evaluation_steps, MOST_STEPS)
    return error(
        "too-many-steps",
        f"{quoted(span.text)} takes more than {most} steps to work out",
        Label(span, "with all that it reads, each time that it reads it"),
        help="read what it reads fewer times: name what is the same once, and read that",
    )


def nested_questions(span: Span) -> Diagnostic:
    """What a question reads is nested deeper than every runtime can follow."""
    return error(
        "nested-too-deep",
        f"what {quoted(span.text)} reads is nested more than {MOST_NESTING} deep",
        Label(span),
        notes=["each operator counts once, and each definition that is read three times"],
        help="let it read less that reads something else in turn",
    )


def cut_at_comma(span: Span) -> Diagnostic:
    """Unquoted text with a comma, inside braces or brackets; `span` is the whole text."""
    return error(
        "cut-at-comma",
        "this value was cut at its comma",
        Label(span, "one value, or several?"),
        notes=["inside `{ }` and `[ ]` a comma ends unquoted text"],
        help=f"{_in_quotes(span.text)}, or use block style",
    )


def space_after_colon(span: Span, key: str, value: str) -> Diagnostic:
    """`key:value`, which YAML takes for one word; `span` is the whole of it."""
    return error(
        "space-after-colon",
        f"expected a space after the colon in {quoted(span.text)}",
        Label(span),
        help=f"write `{key}: {value}`" if len(value) < 60 else "put a space after the colon",
    )


def comment_in_text(span: Span, key: str) -> Diagnostic:
    """` #` in unquoted text, which begins a comment."""
    return warning(
        "comment-in-text",
        f"the text of {quoted(key)} ends before ` #`, which begins a comment",
        Label(span, "not part of the text"),
        help="put the text in double quotes; a comment that is meant has a space after `#`",
    )


def braces_in_text(span: Span, opener: str) -> Diagnostic:
    """A brace or bracket within unquoted text, inside braces or brackets; `span` is the smallest part to change."""
    if opener == "in":
        words = " | ".join(span.text.strip("{}[] ").replace(" ", "").split(","))
        return error(
            "braces-in-text",
            "words after `in` are joined by bars, not listed in braces",
            Label(span),
            help=f"write `{words}`" if words.isprintable() and "{" not in words else "join them with `|`",
        )
    return error(
        "braces-in-text",
        f"expected a comma or the end of the map or list, found {quoted(span.text)}",
        Label(span),
        notes=["inside `{ }` and `[ ]` a brace or bracket ends unquoted text"],
        help=QUOTE_IT,
    )


def colon_in_text(span: Span, word: str) -> Diagnostic:
    """`: ` within unquoted text. `word` stands before it."""
    return error(
        "colon-in-text",
        "text with `: ` in it must be quoted",
        Label(span),
        notes=[f"if {quoted(word)} is a key, a comma or a line break is missing before it"] if word else [],
        help=QUOTE_IT,
    )


def unquoted_text(span: Span) -> Diagnostic:
    """Text that begins with a character that means something to YAML."""
    return error(
        "unquoted-text",
        f"a text that begins with {quoted(span.text) if span.text != '`' else 'a backtick'} must be quoted",
        Label(span),
        help=QUOTE_IT,
    )


def unclosed_quote(span: Span) -> Diagnostic:
    """A quote without its partner."""
    return error(
        "unclosed-quote",
        "this quote is never closed",
        Label(span, "opened here"),
        notes=["a text that begins with a quote of its own is put in the other kind of quotes"],
        help=f"close it with {quoted(span.text)}",
    )


def text_after_value(span: Span, value: Span) -> Diagnostic:
    """More text on the line after a closing quote, brace or bracket."""
    what = {"}": "map", "]": "list"}.get(value.text[-1:], "quoted text")
    return error(
        "text-after-value",
        f"expected nothing after the {what}, found {quoted(span.text)}",
        Label(span),
        Label(value, "ends here"),
        help="put the whole text in quotes of the other kind" if what == "quoted text" else QUOTE_IT,
    )


def missing_comma(span: Span, opened: Span) -> Diagnostic:
    """Two entries inside braces or brackets without a comma between them."""
    closer = "}" if opened.text == "{" else "]"
    return error(
        "missing-comma",
        f"expected `,` or `{closer}`, found {quoted(span.text)}",
        Label(span),
        Label(opened, "opened here"),
        help="put a comma between the two, or quote the text that they belong to",
    )


def missing_value(span: Span) -> Diagnostic:
    """A comma with nothing before it."""
    return error(
        "empty-value",
        f"expected a value before {quoted(span.text)}, found none",
        Label(span),
        help=f"write a value, or delete {quoted(span.text)}",
    )


def missing_colon(span: Span) -> Diagnostic:
    """A line without a colon among the entries of a map; what looks like a key and a value is taken for that."""
    found = _KEY_AND_VALUE.fullmatch(span.text)
    key = found[1] if found else span.text
    mended = f"`{key}: {found[2]}`" if found else f"`{key}:` and its value"
    is_key = found or " " not in key
    return error(
        "missing-colon",
        f"expected a colon after the key {quoted(key)}" if is_key else f"{quoted(key)} has no colon",
        Label(Span(span.file, span.start, span.start + len(key))),
        help=f"write {mended}" if is_key and len(mended) < _LONGEST_MENDED else _OTHERWISE,
    )


def wrong_indentation(span: Span, sibling: Span | None) -> Diagnostic:
    """A line that stands neither beside nor below the entries above it."""
    return error(
        "wrong-indentation",
        f"the indentation of {quoted(span.text)} fits none of the lines above it",
        Label(span),
        *([Label(sibling, "the entries of this map or list begin in this column")] if sibling else []),
        help="align it with the entries that it belongs to",
    )


def list_on_key_line(span: Span) -> Diagnostic:
    """`key: - item`."""
    return error(
        "list-on-key-line",
        "a list with `-` begins on a line of its own",
        Label(span),
        help="put each `-` on a new line, or write `[a, b]`; a text that begins with `- ` must be quoted",
    )


def mixed_list_and_map(span: Span, first: Span) -> Diagnostic:
    """A dash among keys, or a key among dashes."""
    is_item = span.text.startswith("-")
    found, around = ("a list item", "a map") if is_item else ("a key", "a list")
    return error(
        "mixed-list-and-map",
        f"{found} stands among the entries of {around}",
        Label(span),
        Label(first, f"{around} begins here"),
        help="indent it below the entry that it belongs to",
    )


def unclosed_bracket(opened: Span, at: Span) -> Diagnostic:
    """A brace or bracket without its partner; `at` is where that was noticed."""
    closer = "}" if opened.text == "{" else "]"
    return error(
        "unclosed-map-or-list",
        f"expected `{closer}` to close this `{opened.text}`",
        Label(opened, "opened here"),
        *([Label(at, "still open here")] if at.start < len(at.file.text) else []),
        help=f"close it with `{closer}`",
    )


def unmatched_bracket(span: Span, opened: Span | None) -> Diagnostic:
    """A closing brace or bracket of the wrong kind, or without an opening one."""
    if opened is None:
        return error(
            "unmatched-bracket",
            f"nothing is open that {quoted(span.text)} could close",
            Label(span),
            help=f"delete it; a text that begins with {quoted(span.text)} must be quoted",
        )
    closer = "}" if opened.text == "{" else "]"
    return error(
        "unmatched-bracket",
        f"expected `{closer}`, found {quoted(span.text)}",
        Label(span),
        Label(opened, "opened here"),
        help=f"write `{closer}`",
    )


def unknown_escape(span: Span) -> Diagnostic:
    """A backslash in double quotes before something that is no escape."""
    return error(
        "unknown-escape",
        f"{quoted(span.text)} means nothing in double quotes",
        Label(span),
        help="write `\\\\` for a backslash, or put the text in single quotes",
    )


def block_text_header(span: Span, line: str) -> Diagnostic:
    """Text on the line of `|` or `>`."""
    return error(
        "block-text-header",
        f"expected the end of the line after `{span.text}`, found more text",
        Label(span),
        notes=[f"`{span.text}` begins a text of several lines, indented below it"],
        help=f"put the text on the lines below, or {_in_quotes(line)}",
    )


def comment_cuts_text(span: Span) -> Diagnostic:
    """` #` in unquoted text of several lines, which ends it; `span` is the comment."""
    return error(
        "comment-in-text",
        "the text ends before ` #`, which begins a comment, and goes on below",
        Label(span, "not part of the text"),
        help="put the text in double quotes, or take the comment out",
    )
