"""Files of YAML in every layout that the language allows: odd indentation, blank lines, comments, texts over lines."""

from __future__ import annotations

from hypothesis import strategies as st

KEYS = ["tables", "rows", "a", "bb", "long_name", "..5", "6..", "1 | 2", "'quoted key'", '"double"']
PLAIN = ["1", "+2", "-10", "word", "two words", "a - b", "x#y", "1..5", "level / 2 + (its.a)"]
FLOW_PLAIN = [each for each in PLAIN if "," not in each]
QUOTED = ["'a: b'", "'it''s'", '"# none"', r'"tab \t"', "''", '"[,]"']
BLANKS = ["", "", "", "\n", "\n\n\n", "  \n"]
REMARKS = ["", "", "", "", "# remark", "#tight", "# houserule: allow x because y   "]


class Writer:
    """Writes one file, asking `draw` for every choice."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw

    def one(self, choices: list[str]) -> str:
        return self.draw(st.sampled_from(choices))

    def many(self, most: int) -> int:
        return self.draw(st.integers(1, most))

    def file(self) -> str:
        head = self.one(["", "\n", "# head\n", "---\n", "# head\n\n\n"])
        return head + self.map(0, 3) + self.between(0)

    def end(self) -> str:
        """The end of a line: spaces, and perhaps a remark."""
        remark = self.one(REMARKS)
        return self.one(["", " ", "   "]) + (f" {remark}" if remark else "") + "\n"

    def between(self, indent: int) -> str:
        """What stands between two lines: blank lines and remarks, indented somehow."""
        remark = self.one(REMARKS)
        lead = " " * self.draw(st.integers(0, indent + 3))
        return self.one(BLANKS) + (f"{lead}{remark}\n" if remark else "") + self.one(BLANKS)

    def map(self, indent: int, depth: int) -> str:
        keys = self.draw(st.lists(st.sampled_from(KEYS), min_size=1, max_size=4, unique=True))
        parts = [" " * indent + key + self.one([":", ":", " :"]) + self.value(indent, depth) for key in keys]
        return self.between(indent).join(parts)

    def list(self, indent: int, depth: int) -> str:
        parts = [" " * indent + "-" + self.item(indent, depth) for _ in range(self.many(3))]
        return self.between(indent).join(parts)

    def value(self, indent: int, depth: int) -> str:
        kind = self.one(["map", "list", "same", "flow", "text", "text", "below", "block"])
        deeper = indent + self.many(4)
        if depth and kind == "map":
            return self.end() + self.between(deeper) + self.map(deeper, depth - 1)
        if depth and kind in ("list", "same"):
            return self.end() + self.list(indent if kind == "same" else deeper, depth - 1)
        if kind == "flow":
            return " " + self.flow(deeper, 2) + self.end()
        if kind == "block":
            return " " + self.block(indent)
        if kind == "below":
            return "\n" + " " * deeper + self.text(deeper) + self.end()
        return self.one([" ", "  ", "     "]) + self.text(deeper) + self.end()

    def item(self, indent: int, depth: int) -> str:
        kind = self.one(["map", "flow", "text", "block"])
        gap = self.one([" ", "   "])
        if depth and kind == "map":
            inner = indent + 1 + len(gap)
            return gap + self.map(inner, depth - 1)[inner:]
        if kind == "block":
            return " " + self.block(indent)
        return gap + (self.flow(indent + 2, 1) if kind == "flow" else self.text(indent + 2)) + self.end()

    def text(self, indent: int) -> str:
        kind = self.one(["plain", "plain", "plain", "quoted", "lines", "quoted lines"])
        lead = "\n" + " " * (indent + self.draw(st.integers(0, 2)))
        if kind == "lines":
            return f"first{self.one([' ', ''])}{lead}second{self.one(['', chr(10)])}{lead}  third"
        if kind == "quoted lines":
            return self.one([f"'first{lead}second'", f'"first \\{lead}second{chr(10)}{lead}\\ third"'])
        return self.one(PLAIN if kind == "plain" else QUOTED)

    def block(self, indent: int) -> str:
        digit = self.one(["", "", "2", "3"])
        head = self.one(["|", ">"]) + digit + self.one(["", "-", "+"]) + self.one(["", "  # beside"])
        lead = " " * (indent + (int(digit) if digit else self.many(4)))
        lines = ["first  ", self.one(["  more", "second", "# no remark"]), self.one(["", " ", "third"])]
        if digit and self.draw(st.booleans()):
            lines.insert(0, "  deep")
        return f"{head}\n" + self.one(["", "\n"]) + "".join(f"{lead}{each}\n" if each else "\n" for each in lines)

    def flow(self, indent: int, depth: int) -> str:
        opened, closed = self.one(["[]", "{}"])
        parts: list[str] = []
        for at in range(self.draw(st.integers(0, 3))):
            inner = (
                self.flow(indent, depth - 1) if depth and self.draw(st.booleans()) else self.one([*FLOW_PLAIN, *QUOTED])
            )
            parts.append(f"k{at}{self.one([':', ' :'])} {inner}" if opened == "{" else inner)
        return (
            opened
            + self.space(indent)
            + ("," + self.space(indent)).join(each + self.one(["", "", " "]) for each in parts)
            + (self.space(indent) if parts else "")
            + closed
        )

    def space(self, indent: int) -> str:
        """White space in brackets, with line breaks and remarks."""
        remark = self.one(["", "", "", " # inside"])
        breaks = self.one(["\n", "\n\n"]) if remark else self.one(["", " ", "  ", "\n"])
        return remark + breaks + (" " * indent if "\n" in breaks else "")


@st.composite
def files(draw: st.DrawFn) -> str:
    """A file that loads without an error of its structure."""
    return Writer(draw).file()
