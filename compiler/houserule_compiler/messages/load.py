"""What `load` reports of a file's bytes and characters, its size, and what YAML has but rules do not."""

from __future__ import annotations

import re

from ..characters import CONTROL_CHARACTER, HIDDEN_CHARACTER, LINE_SEPARATOR, is_odd_space, visible
from ..diagnostics import Diagnostic, Label, error, warning
from ..source import Span

LONGEST_QUOTE = 24


def quoted(text: str) -> str:
    """The user's text between backticks, as it can be seen, cut where it is long."""
    shown = visible(text)
    return f"`{shown if len(shown) <= LONGEST_QUOTE else shown[: LONGEST_QUOTE - 3] + '...'}`"


def wrong_encoding(span: Span, found: str) -> Diagnostic:
    """The file is UTF-16 or UTF-32."""
    return error(
        "wrong-encoding", f"expected a file in UTF-8, found {found}", Label(span), help="save the file as UTF-8"
    )


def not_utf8(span: Span, byte: int) -> Diagnostic:
    """A byte that no UTF-8 text has at this place."""
    letter = bytes([byte]).decode("cp1252", "replace")
    return error(
        "not-utf8",
        f"expected text in UTF-8, found the byte {byte:02X}",
        Label(span),
        notes=[f"in the Windows code page this byte is `{letter}`"] if letter.isalpha() else [],
        help="save the file as UTF-8",
    )


def refused_character(character: str, span: Span) -> Diagnostic | None:
    """Why a character may not stand in a rules file, or None if it may."""
    number = f"U+{ord(character):04X}"
    if character == "\ufeff":
        return error(
            "byte-order-mark",
            "a byte order mark stands inside the file",
            Label(span),
            notes=["it may stand only at the very start; files that were joined have one inside"],
            help="delete it",
        )
    if LINE_SEPARATOR.match(character):
        return error(
            "line-separator",
            f"a line ends with {number}, which not every reader takes for the end of a line",
            Label(span),
            help="end the line with a line feed, as editors on Linux, macOS and Windows do",
        )
    if CONTROL_CHARACTER.match(character):
        return error("control-character", f"the control character {number} stands here", Label(span), help="delete it")
    if HIDDEN_CHARACTER.match(character):
        return _hidden(character, number, span)
    return None


def _hidden(character: str, number: str, span: Span) -> Diagnostic:
    if is_odd_space(character):
        return error(
            "hidden-character",
            f"the character {number} looks like a space and is none",
            Label(span),
            help="write an ordinary space",
        )
    return error(
        "hidden-character", f"the character {number} stands here and cannot be seen", Label(span), help="delete it"
    )


def tab_character(span: Span, lines: int) -> Diagnostic:
    """A tab between the parts of the file. `lines` is how many lines have one."""
    return error(
        "tab-character",
        "a tab stands where only spaces may",
        Label(span),
        notes=[f"{lines} lines of this file have such a tab"] if lines > 1 else [],
        help="indent and separate with spaces",
    )


def file_too_large(span: Span, limit: int, size: int) -> Diagnostic:
    """More bytes than a file may have."""
    return error(
        "file-too-large",
        f"this file has {size} bytes, more than {limit}",
        Label(span),
        help=_or_raise("split it over several files", "file-bytes", limit),
    )


def too_many_lines(span: Span, limit: int) -> Diagnostic:
    """More lines than a file may have."""
    return error(
        "too-many-lines",
        f"this file has more than {limit} lines",
        Label(span),
        help=_or_raise("split it over several files", "lines", limit),
    )


def line_too_long(span: Span, limit: int) -> Diagnostic:
    """A line of more characters than one may have."""
    return error(
        "line-too-long",
        f"this line has more than {limit} characters",
        Label(span),
        help=_or_raise("break the line", "columns", limit),
    )


def nested_too_deeply(span: Span, limit: int) -> Diagnostic:
    """More levels than maps and lists may have."""
    return error(
        "nested-too-deeply",
        f"maps and lists are nested more than {limit} levels deep here",
        Label(span),
        help=_or_raise("make it flatter", "depth", limit),
    )


def too_many_entries(span: Span, limit: int) -> Diagnostic:
    """More keys and values than a file may have."""
    return error(
        "too-many-entries",
        f"this file has more than {limit} keys and values",
        Label(span),
        help=_or_raise("split it over several files", "nodes", limit),
    )


def text_too_long(span: Span, limit: int) -> Diagnostic:
    """More characters than a text may have."""
    return error(
        "text-too-long",
        f"this text has more than {limit} characters",
        Label(span),
        help=_or_raise("shorten it", "scalar", limit),
    )


def key_too_long(span: Span, limit: int) -> Diagnostic:
    """More characters than a key may have."""
    return error(
        "key-too-long",
        f"this key has more than {limit} characters",
        Label(span),
        help=_or_raise("shorten it", "key", limit),
    )


def _or_raise(edit: str, name: str, limit: int) -> str:
    """The help for something that passes a limit, by the limit's public name."""
    return f"{edit}, or raise the limit: `--limit {name}={limit * 2}`"


def too_many_errors(span: Span, limit: int) -> Diagnostic:
    """More findings than are kept of a file; `span` is the place of the first that is left out."""
    return error(
        "too-many-errors",
        f"this file has more than {limit} errors; those from here on are not shown",
        Label(span),
        help=_or_raise("mend some of those above", "errors-per-file", limit),
    )


def too_many_findings(span: Span, limit: int, is_wrong: bool) -> Diagnostic:
    """More findings than are kept of a ruleset with all that it stands on; `span` is where the first one is that is
    left out, `is_wrong` whether there are errors among all."""
    headline = f"more than {limit} findings; those from here on are not shown"
    help = _or_raise("mend some of those above", "errors-per-run", limit)
    if is_wrong:
        return error("too-many-findings", headline, Label(span), help=help)
    return warning("too-many-findings", headline, Label(span), help=help)


def too_many_files(span: Span, limit: int) -> Diagnostic:
    """A ruleset has more files than the limit; the span is the beginning of one more."""
    return error(
        "too-many-files",
        f"with this file the ruleset has more than {limit} files",
        Label(span),
        help=_or_raise("put what belongs together into one file", "files", limit),
    )


def rules_too_large(span: Span, limit: int) -> Diagnostic:
    """The files of a ruleset and of all that it stands on have more bytes than the limit."""
    return error(
        "rules-too-large",
        f"with this file the rules have more than {limit} bytes",
        Label(span),
        help=_or_raise("leave out what is not needed", "total-bytes", limit),
    )


def alias(span: Span) -> Diagnostic:
    """`*name` for a value written elsewhere."""
    return error(
        "alias",
        f"{quoted(span.text)} refers to a value elsewhere, which rules cannot do",
        Label(span),
        notes=["a text that begins with `*` must be quoted"],
        help="write the value itself",
    )


def anchor(span: Span) -> Diagnostic:
    """`&name` before a value."""
    return error(
        "anchor",
        f"{quoted(span.text)} names a value for reuse, which rules cannot do",
        Label(span),
        notes=["a text that begins with `&` must be quoted"],
        help=f"delete {quoted(span.text)}",
    )


def tag(span: Span) -> Diagnostic:
    """`!name` before a value."""
    return error(
        "tag",
        f"{quoted(span.text)} gives a value a YAML type, which rules cannot do",
        Label(span),
        notes=["a text that begins with `!` must be quoted"],
        help=f"delete {quoted(span.text)}",
    )


def directive(span: Span) -> Diagnostic:
    """A line that begins with `%`."""
    return error(
        "directive",
        "this line instructs the YAML reader, which rules cannot do",
        Label(span),
        notes=["a text that begins with `%` must be quoted"],
        help="delete the line",
    )


def merge_key(span: Span) -> Diagnostic:
    """The key `<<`."""
    return error(
        "merge-key",
        "the key `<<` copies another map, which rules cannot do",
        Label(span),
        help="write the entries themselves, or put what is shared into a ruleset that this one extends",
    )


def several_documents(span: Span) -> Diagnostic:
    """`---` or `...` with more behind it."""
    return error(
        "several-documents",
        "a second document begins here, and a rules file holds one",
        Label(span),
        help="move it to a file of its own, or delete this line",
    )


def duplicate_key(again: Span, first: Span, key: str) -> Diagnostic:
    """One key twice in one map."""
    return error(
        "duplicate-key",
        f"the key {quoted(key)} stands twice in one map",
        Label(again, "again here"),
        Label(first, "first here"),
        help="delete one of them, or give one another name",
    )


def similar_keys(again: Span, first: Span) -> Diagnostic:
    """Two keys that a reader would take for one."""
    is_case = again.text.lower() == first.text.lower()
    return warning(
        "similar-keys",
        f"two keys look alike: {quoted(again.text)} and {quoted(first.text)}",
        Label(again, "differs only in capital letters" if is_case else "has letters of another alphabet"),
        Label(first, "the other key"),
    )


def no_rules(span: Span, found: str) -> Diagnostic:
    """The file is empty, or is no map of sections."""
    return error(
        "no-rules",
        f"this file has no rules: expected sections, found {found}",
        Label(span),
        help="write a section, such as `tables:`, or delete the file",
    )


def key_not_text(span: Span, found: str) -> Diagnostic:
    """A map, a list or nothing in the place of a key."""
    return error(
        "key-not-text", f"expected a key, found {found}", Label(span), help="write one word or text as the key"
    )


def empty_value(key: Span) -> Diagnostic:
    """Nothing after a colon. Of a long path the end says what is meant."""
    end = re.split(r"\.(?!\.)(?![^\[]*\])", key.text)[-1] or key.text
    is_top = key.column == 1 and "." not in key.text
    return error(
        "empty-value",
        f"{quoted(end)} has no value",
        Label(key),
        help="write a value, or take the line out"
        if is_top
        else f"write a value, or `remove` to take {quoted(end)} out",
    )


def empty_item(span: Span) -> Diagnostic:
    """Nothing after the dash of a list, or between two commas."""
    return error(
        "empty-value", "this place in the list has no value", Label(span), help="write a value, or take it out"
    )
