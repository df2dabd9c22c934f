"""Every limit of the compiler: what is as large passes, one more is told with a code and a page of its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from friday import Run
from houserule_compiler.files import Files
from houserule_compiler.limits import MOST, Limits, limit, limit_names, with_limit
from houserule_compiler.pipeline import compile_ruleset
from houserule_compiler.places import find, read

ROOT = Path(__file__).parent.parent
SCHEMA = json.loads((ROOT / "schemas" / "rules.schema.json").read_text("utf-8"))
HEAD = "ruleset: sample\nlanguage: 1\n"
Sized = Callable[[int], str | dict[str, str]]


def number(text: str) -> str:
    return f"{HEAD}numbers:\n  n:\n    base: {text}\n"


def tokens(size: int) -> str:
    """An expression of so many tokens: ones with signs between them, and a sign in front where that is odd."""
    return number(("-" if size % 2 == 0 else "") + " + ".join(["1"] * ((size + 1) // 2)))


def steps(size: int) -> str:
    """A number that takes so many steps: two for each one of the sum, and one for a sign."""
    return number(("-" if size % 2 else "") + "(" + " + ".join(["1"] * (size // 2)) + ")")


def check(dice: str) -> str:
    body = "outcomes: [done]\n    cases:\n      all: {outcome: done}\n"
    return f"{HEAD}checks:\n  c:\n    roll: {{d: {dice}}}\n    {body}"


def chain(size: int, base: str = "n{} + 1") -> str:
    numbers = "".join(f"  n{at}:\n    base: {base.format(at + 1)}\n" for at in range(size - 1))
    return f"{HEAD}numbers:\n{numbers}  n{size - 1}:\n    base: 1\n"


def rows(size: int) -> str:
    cells = "".join(f"      {at}: 3\n" for at in range(1, size + 1))
    return f"{HEAD}tables:\n  t:\n    by: {{level: 1..{size}}}\n    gives: integer\n    rows:\n{cells}"


def stack(size: int) -> dict[str, str]:
    """A ruleset that stands on a chain of so many."""
    named = ["sample", *(f"r{at}" for at in range(size))]
    below = [f"extends: {each}\n" for each in named[1:]] + [""]
    return {name: f"ruleset: {name}\nlanguage: 1\n{uses}" for name, uses in zip(named, below, strict=True)}


def beside(size: int) -> dict[str, str]:
    """A ruleset with packs, so many rulesets in all."""
    packs = [f"p{at}" for at in range(size - 1)]
    return {"sample": f"{HEAD}with: [{', '.join(packs)}]\n"} | {
        each: f"ruleset: {each}\nlanguage: 1\n" for each in packs
    }


def parts(size: int) -> dict[str, str]:
    """A ruleset of so many files."""
    return {"sample": HEAD, **{f"sample/part{at}": "# empty\n" for at in range(size - 1)}}


def named(size: int) -> dict[str, str]:
    """A ruleset that stands on one whose name has so many characters."""
    base = "a" * size
    return {"sample": f"{HEAD}extends: {base}\n", base: f"ruleset: {base}\nlanguage: 1\n"}


def padded(size: int) -> str:
    return HEAD + "#" * (size - len(HEAD) - 1) + "\n"


def halves(size: int) -> dict[str, str]:
    """Two rulesets, of so many bytes together."""
    return {"sample": padded(size // 2) + "extends: a\n", "a": "x" * (size - size // 2 - len("extends: a\n"))}


def empties(size: int) -> str:
    """A file with so many faults."""
    return HEAD + "\n".join(f"k{at}:" for at in range(size))


# Of each limit a size that is tried as the limit, the code of what is larger, and what has a size.
LIMITS: dict[str, tuple[int, str, Sized]] = {
    "file-bytes": (60, "file-too-large", padded),
    "lines": (10, "too-many-lines", lambda n: HEAD + "# c\n" * (n - 2)),
    "columns": (40, "line-too-long", lambda n: HEAD + "#" * n + "\n"),
    "depth": (6, "nested-too-deeply", lambda n: HEAD + "a: " + "[" * (n - 1) + "]" * (n - 1) + "\n"),
    "nodes": (12, "too-many-entries", lambda n: HEAD + "a: [" + "1, " * (n - 7) + "]\n"),
    "scalar": (20, "text-too-long", lambda n: number("x" * n)),
    "key": (20, "key-too-long", lambda n: HEAD + "x" * n + ": 1\n"),
    "rows": (10, "too-many-rows", rows),
    "expression-characters": (20, "expression-too-long", lambda n: number("x" * n)),
    "expression-tokens": (7, "too-many-tokens", tokens),
    "expression-depth": (5, "expression-too-deep", lambda n: number("(" * n + "1" + ")" * n)),
    "expression-terms": (5, "chain-too-long", lambda n: number(" + ".join(["1"] * n))),
    "digits": (4, "number-too-long", lambda n: number("1" * n)),
    "total-bytes": (200, "rules-too-large", halves),
    "errors-per-file": (10, "too-many-errors", empties),
    "errors-per-run": (10, "too-many-findings", empties),
    "dice": (4, "dice-beyond-limit", lambda n: check(f"{n}d6")),
    "faces": (4, "dice-beyond-limit", lambda n: check(f"1d{n}")),
    "support": (10, "too-many-dice", lambda n: check(f"1d{n}")),
    "evaluation-steps": (20, "too-many-steps", steps),
    "definition-depth": (5, "definitions-too-deep", chain),
    "extends-depth": (3, "layers-too-deep", stack),
    "layers": (3, "too-many-layers", beside),
    "files": (4, "too-many-files", parts),
    "name": (20, "name-too-long", named),
}  # fmt: skip
# One that is of a question, where there is no file to point at: a sentence, and exit code 2.
STOPS = {"cells"}


def codes(made: str | dict[str, str], limits: Limits) -> set[str]:
    texts = {"sample": made} if isinstance(made, str) else made

    def files(name: str) -> Files | None:
        own = {path: text for path, text in texts.items() if path.partition("/")[0] == name}
        return Files(name, tuple((f"{path}.yaml", text.encode()) for path, text in own.items())) if own else None

    return {each.code for each in compile_ruleset("sample", files, SCHEMA, limits).diagnostics}


def test_every_limit_is_tried() -> None:
    assert LIMITS.keys() | STOPS == set(limit_names())
    for _, code, _ in LIMITS.values():
        assert (ROOT / "docs" / "diagnostics" / f"{code}.md").is_file(), code


@pytest.mark.parametrize("name", LIMITS)
def test_what_is_as_large_as_a_limit_passes_and_one_more_is_told(name: str) -> None:
    size, code, make = LIMITS[name]
    limits = with_limit(Limits(), name, size)
    assert [code in codes(make(size + over), limits) for over in (-1, 0, 1)] == [False, False, True]
    assert code not in codes(make(size + 1), with_limit(limits, name, size + 1))


@pytest.mark.parametrize("over", [-1, 0, 1])
def test_files_in_folders(over: int, run: Run) -> None:
    """Told with a place where rules are compiled; where files are laid out, none is read that would be too many."""
    Path("sample/more").mkdir(parents=True)
    Path("sample/ruleset.yaml").write_text(HEAD)
    for at in range(4 + over):
        Path(f"sample/more/part{at}.yaml").write_text(f"numbers: {{n{at}: {{base: 1}}}}\n")
    for words in (("validate", "sample"), ("validate", "sample", "--untrusted")):
        found = run(*words, "--limit", "files=5")
        assert found.code == (1 if over > 0 else 0)
        assert ("error[too-many-files]" in found.out) == (over > 0)
    laid_out = run("fmt", "sample", "--limit", "files=5")
    assert laid_out.code == (2 if over > 0 else 0)
    assert ("more than 5 files; `--limit files=NUMBER` allows more" in laid_out.err) == (over > 0)
    assert run("validate", "sample", "--limit", "files=6").code == 0


@pytest.mark.parametrize("over", [-1, 0, 1])
def test_names_that_are_typed(over: int, run: Run) -> None:
    """There is no text yet to point at: a sentence stops the command."""
    name = "a" * (64 + over)
    Path(f"{name}.yaml").write_text(f"ruleset: {name}\nlanguage: 1\n")
    assert run("validate", name).code == (2 if over > 0 else 0)
    assert run("validate", f"{name}.yaml").code == (1 if over > 0 else 0)
    assert run("validate", f"{name}.yaml", "--limit", "name=65").code == 0


@pytest.mark.parametrize("limit", [5, 6, 7])
def test_cells(limit: int, run: Run) -> None:
    words = ["sweep", "friday", "vigilance", "guard.level=1..3", "guard.tired=..", "--limit", f"cells={limit}"]
    found = run(*words, "--json")
    assert found.code == (2 if limit < 6 else 0)
    told = json.loads(found.out)
    assert len(told["rows"]) == 6 if limit >= 6 else [each["code"] for each in told["problems"]] == ["too-many-cells"]


def test_bytes_beyond_the_limit_are_not_even_read(tmp_path: Path) -> None:
    (tmp_path / "sample").mkdir()
    (tmp_path / "sample" / "ruleset.yaml").write_text(HEAD)
    for at in range(9):
        (tmp_path / "sample" / f"part{at}.yaml").write_text("#" * 100)
    found = find(str(tmp_path / "sample"), [], Limits())
    files, _ = read(found, with_limit(Limits(), "total-bytes", 250))
    assert sum(len(data) for _, data in files.files) == 300


@pytest.mark.parametrize("name", limit_names())
def test_strangers_cannot_raise_a_limit(name: str, run: Run) -> None:
    most = limit(Limits(), name)
    refused = run("validate", "friday", "--untrusted", "--limit", f"{name}={most + 1}")
    assert refused.code == 2
    assert name in refused.err
    assert run("validate", "friday", "--untrusted", "--limit", f"{name}={most}").code == 0
    raised = run("validate", "friday", "--limit", f"{name}={most + 1}")
    assert raised.code == (2 if MOST.get(name) == most else 0)


def test_no_limit_is_raised_beyond_what_runtimes_take(run: Run) -> None:
    for name, most in MOST.items():
        found = run("validate", "friday", "--limit", f"{name}={most + 1}")
        assert found.code == 2
        assert f"the limit `{name}` is at most {most}: none can take more" in found.err
        assert run("validate", "friday", "--limit", f"{name}={most}").code == 0


def test_the_deepest_expression_that_can_be_allowed_gives_an_artifact_that_loads() -> None:
    depth = MOST["expression-depth"]
    text = "-(" * (depth // 2) + "f" + ")" * (depth // 2)
    limits = with_limit(Limits(), "expression-depth", depth)
    assert codes(number(text).replace("numbers:", "facts:\n  f: 0..3\nnumbers:"), limits) == set()
