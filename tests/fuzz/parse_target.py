"""Fuzz target of the expression parser: any text gives a tree or one message, soon, and never an exception.

`python tests/fuzz/parse_target.py [SECONDS]` mutates the slips of `tests/cases/parse` for so long; with atheris
installed it is guided by coverage instead, and takes libFuzzer's options.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

from houserule_compiler.document import Scalar
from houserule_compiler.limits import Limits
from houserule_compiler.parse import Parser
from houserule_compiler.source import SourceFile, Span

SLIPS = Path(__file__).parent.parent / "cases" / "parse" / "slips.txt"
PARSER = Parser(Limits())
METHODS = (PARSER.expression, PARSER.adjustment, PARSER.type_expression, PARSER.alternatives, PARSER.constant)


def target(data: bytes) -> None:
    """One run: the first byte chooses what the rest is parsed as."""
    if not data:
        return
    text = data[1:].decode("utf-8", "replace")
    scalar = Scalar(text, "plain", Span(SourceFile("rules.yaml", text), 0, len(text)), 0)
    tree, diagnostics = METHODS[data[0] % len(METHODS)](scalar)
    assert (tree is None) == bool(diagnostics)
    assert len(diagnostics) <= 1
    for found in diagnostics:
        assert len(found.headline) < 80, found.headline
        assert "\n" not in found.headline + found.help
        assert all(0 <= label.span.start <= label.span.end <= len(text) for label in found.labels)


def seeds() -> list[bytes]:
    """The texts of the slips, and the valid ones beside them that their help lines give."""
    lines = SLIPS.read_text(encoding="utf-8").splitlines()
    texts = [
        line.split(": ", 1)[1] for line in lines if line.startswith(("expression: ", "type: ", "key: ", "value: "))
    ]
    texts += [piece for line in lines if line.startswith("help: ") for piece in line.split("`")[1::2]]
    return [bytes([kind]) + text.encode() for text in texts for kind in range(len(METHODS))]


def mutated(random: random.Random, corpus: list[bytes]) -> bytes:
    """One of the corpus with pieces of others put in, taken out or doubled."""
    data = random.choice(corpus)
    for _ in range(random.randint(1, 6)):
        at, end = sorted(random.randrange(len(data) + 1) for _ in range(2))
        other = random.choice(corpus)[1:]
        piece = random.choice(
            (b"", data[at:end] * 2, other, other[: random.randrange(9)], bytes([random.randrange(256)]))
        )
        data = data[: max(at, 1)] + piece + data[max(end, 1) :]
    return data[:3000] or b"\0"


def run(seconds: float, seed: int = 0) -> int:
    """Runs mutations for so long; the number of runs."""
    generator, corpus, runs = random.Random(seed), seeds(), 0
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        target(mutated(generator, corpus))
        runs += 1
    return runs


def main() -> None:
    """The command: guided by coverage where atheris is there."""
    try:
        import atheris  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        print(run(float(sys.argv[1]) if len(sys.argv) > 1 else 60), "runs without a finding")
        return
    atheris.instrument_all()
    atheris.Setup(sys.argv, target)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
