"""Inputs that exhaust careless loaders, by name, as small programs: the corpus of the loader's hazards."""

from __future__ import annotations

from collections.abc import Callable

MIB = 1_048_576


def alias_bomb() -> bytes:
    """Nine levels of lists, each holding the one above nine times."""
    lines = ["a: &a [lol, lol, lol, lol, lol, lol, lol, lol, lol]"]
    for above, name in zip("abcdefgh", "bcdefghi", strict=True):
        lines.append(f"{name}: &{name} [{', '.join([f'*{above}'] * 9)}]")
    return "\n".join(lines).encode()


def merge_bomb() -> bytes:
    """Each map merges the one above twice."""
    lines = ["a0: &a0 {k: 1}"]
    lines += [f"a{i}: &a{i} {{<<: [*a{i - 1}, *a{i - 1}]}}" for i in range(1, 29)]
    return "\n".join(lines).encode()


def lines_of_brackets() -> bytes:
    """Brackets that open, some on each line."""
    return b"a: " + b"\n".join(b"[" * 100 for _ in range(1000))


def table(rows: int) -> bytes:
    """A table of so many rows."""
    body = "".join(f"      {i}: {{hit: {i % 20}, damage: 1d{i % 12 + 1}, note: row}}\n" for i in range(rows))
    return ("tables:\n  big:\n    rows:\n" + body).encode()


# What to load, and the code of a finding that it must give; no code: it must be clean.
BOMBS: dict[str, tuple[Callable[[], bytes], str]] = {
    "alias bomb": (alias_bomb, "alias"),
    "merge bomb": (merge_bomb, "merge-key"),
    "recursive alias": (lambda: b"a: &a [*a]", "alias"),
    "300,000 references": (lambda: b"a: &a 1\nb:\n" + b"- *a\n" * 19_990, "too-many-errors"),
    "1,000 [": (lambda: b"[" * 1_000, "nested-too-deeply"),
    "8,000 [": (lambda: b"[" * 8_000, "nested-too-deeply"),
    "100,000 [": (lambda: b"[" * 100_000, "line-too-long"),
    "[ on many lines": (lines_of_brackets, "nested-too-deeply"),
    "[ on lines of their own": (lambda: b"[\n" * 19_999, "nested-too-deeply"),
    "8,000 {a:": (lambda: b"{a: " * 2_000, "nested-too-deeply"),
    "100,000 {a:": (lambda: b"{a: " * 100_000, "line-too-long"),
    "100,000 {a: on lines": (lambda: (b"{a: " * 2_000 + b"\n") * 50, "nested-too-deeply"),
    "4,000 -": (lambda: b"- " * 4_000, "nested-too-deeply"),
    "100,000 -": (lambda: b"- " * 100_000, "line-too-long"),
    "4,000 ?": (lambda: b"? " * 4_000, "nested-too-deeply"),
    "3,000 block levels": (lambda: b"\n".join(b" " * i + b"a:" for i in range(1_400)), "nested-too-deeply"),
    "10 MB plain text": (lambda: b"a: " + b"x" * 10_000_000, "file-too-large"),
    "1 MB plain text": (lambda: b"a: " + b"x" * 1_000_000, "line-too-long"),
    "1 MB plain text on lines": (lambda: b"a: " + (b" x" * 4_000 + b"\n") * 125, "text-too-long"),
    "1 MB quoted text on lines": (lambda: b'a: "' + (b" x" * 4_000 + b"\n") * 125 + b'"', "text-too-long"),
    "1 MB folded text": (lambda: b"a: >\n" + (b" x" * 4_000 + b"\n") * 125, "text-too-long"),
    "1 MB of spaces": (lambda: b'a: "' + (b" " * 8_180 + b"\n") * 127 + b'"', ""),
    "1 MB of spaces between words": (lambda: b"a: x" + (b" " * 8_000 + b"x\n") * 127, ""),
    "1 MB of escapes": (lambda: b'a: "' + (b"\\x61" * 2_000 + b"\n") * 125 + b'"', "text-too-long"),
    "1 MB of bad escapes": (lambda: b'a: "' + (b"\\q" * 4_000 + b"\n") * 125 + b'"', "too-many-errors"),
    "1 MB unclosed quote": (lambda: b'a: "' + (b"\\q" * 4_000 + b"\n") * 125, "unclosed-quote"),
    "5 MB of blank lines": (lambda: b"\n" * 5_000_000, "file-too-large"),
    "1 MB of blank lines": (lambda: b"\n" * MIB, "too-many-lines"),
    "million comment lines": (lambda: b"# x\n" * 1_000_000, "file-too-large"),
    "200,000 comment lines": (lambda: b"# x\n" * 200_000, "too-many-lines"),
    "20,000 comment lines": (lambda: b"# x\n" * 19_000 + b"a: 1\n", ""),
    "120,000 rows": (lambda: table(120_000), "file-too-large"),
    "19,000 rows": (lambda: table(19_000), ""),
    "1 MB of flow": (lambda: b"a: [" + (b"1," * 4_000 + b"\n") * 130 + b"1]", "too-many-entries"),
    "200,000 keys": (lambda: b"".join(b"k%d: 1\n" % i for i in range(200_000)), "file-too-large"),
    "100,000 keys": (
        lambda: b"{" + b"".join(b"%x: 1,\n"[:-1] % i + b"\n" * (i % 50 == 0) for i in range(100_001)) + b"}",
        "too-many-entries",
    ),
    "colliding integer keys": (lambda: b"".join(b"%d: 1\n" % ((2**61 - 1) * i) for i in range(8_000)), ""),
    "5,000 digits": (lambda: b"a: " + b"9" * 5_000, ""),
    "hexadecimal digits": (lambda: b"a: 0x" + b"9" * 8_000, ""),
    "sexagesimal": (lambda: b"a: 1" + b":59" * 2_000, ""),
    "100,000 documents": (lambda: b"---\na: 1\n" * 9_000, "several-documents"),
    "100,000 duplicate keys": (lambda: b"a: {" + (b"k: 1, " * 1_000 + b"\n") * 90 + b"}", "too-many-errors"),
    "100,000 closing braces": (lambda: b"a: " + (b"}" * 8_000 + b"\n") * 120, "unmatched-bracket"),
    "quotes": (lambda: b"a: " + b"'" * 8_001, "unclosed-quote"),
    "commas": (lambda: b"a: {" + b"a," * 4_000 + b"}", "too-many-errors"),
    "cut at commas": (lambda: b"a: {b: c" + b",d" * 4_000 + b"}", "cut-at-comma"),
    "cut at commas on lines": (lambda: b"a: {b: c" + (b",d" * 4_000 + b"\n") * 20 + b"}", "cut-at-comma"),
    "open calls on lines": (lambda: b"a: [" + (b"f(," * 2_000 + b"\n") * 20 + b"f]", ""),
    "calls on lines": (lambda: b"a: [" + (b"f(,x)," * 1_000 + b"\n") * 20 + b"f]", "too-many-errors"),
    "open calls": (lambda: b"a: [" + b"f(," * 2_500 + b"f]", ""),
    "tabs": (lambda: b"a:" + b"\t" * 8_000 + b"1", "tab-character"),
    "hidden characters": (lambda: b"a: " + b"\xe2\x80\x8b" * 8_000, "too-many-errors"),
    "anchors": (lambda: b"a: " + b"&a " * 2_000 + b"x", "anchor"),
    "tags": (lambda: b"a: " + b"!a " * 2_000 + b"x", "tag"),
    "explicit keys": (lambda: b"{" + b"? " * 4_000, ""),
    "UTF-16": (lambda: "a: 1".encode("utf-16"), "wrong-encoding"),
    "UTF-16 without a mark": (lambda: "a: 1".encode("utf-16-le"), "wrong-encoding"),
    "UTF-32": (lambda: "a: 1".encode("utf-32"), "wrong-encoding"),
    "Latin-1": (lambda: "a: é".encode("latin-1"), "not-utf8"),
    "NUL": (lambda: b"a: b\0c", "control-character"),
    "every byte": (lambda: bytes(range(256)), "not-utf8"),
}
