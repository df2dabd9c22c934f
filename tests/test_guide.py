"""Whoever follows the guide sees what it shows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from houserule_compiler import pipeline
from houserule_compiler.pages import GUIDE, guide
from houserule_compiler.walkthrough import walked


@pytest.fixture
def reads_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading a ruleset is most of the work of a command; what did not change since the last one is kept."""
    read, kept = pipeline._read, {}  # type: ignore[var-annotated]

    def kept_or_read(name: str, files_of: pipeline.Read, *rest: Any) -> object:
        key = (name, files_of(name))
        if key not in kept:
            kept[key] = read(name, files_of, *rest)
        return kept[key]

    monkeypatch.setattr(pipeline, "_read", kept_or_read)


@pytest.mark.usefixtures("reads_once")
def test_the_guide_shows_what_happens(monkeypatch: pytest.MonkeyPatch, accepts: bool) -> None:
    """Every command of it, whole; `pytest --accept` writes what they print now, to be read by eye."""
    for name in ("CI", "HOUSERULE_PATH"):
        monkeypatch.delenv(name, raising=False)
    shown, happens = GUIDE.read_text("utf-8"), guide()
    if accepts:
        GUIDE.write_text(happens, "utf-8")
    else:
        assert happens.splitlines() == shown.splitlines()
    assert happens.count("\n$ houserule ") >= 20
    chapters = re.findall(r"^## \d+\. (.*)$", happens, re.MULTILINE)
    assert {"Combine packs", "Check every change in CI", "Publish a pack"} <= {*chapters}
    assert "a fault of ours" not in happens
    assert not re.search(r"^(houserule|Usage): ", happens, re.MULTILINE), "a command that was typed wrongly"


PAGE = """\
Some rules.

```yaml keep.yaml
a: 1
b: 2
```

```yaml
seen: only
```

```console
$ houserule one keep.yaml
old
$ houserule two
```

```diff keep.yaml
-b: 2
+b: 3
+c: 4
```

```console
$ houserule one keep.yaml
```
"""


def test_edits_are_made_and_commands_run_in_order(tmp_path: Path) -> None:
    def command(words: list[str]) -> int:
        print(*(Path(word).read_text() if word.endswith(".yaml") else f"{word}!" for word in words))
        return 1

    expected = PAGE.replace("old\n$ houserule two\n", "one! a: 1\nb: 2\n\n\n$ houserule two\ntwo!\n")
    expected = expected[:-4] + "one! a: 1\nb: 3\nc: 4\n\n```\n"
    assert walked(PAGE, tmp_path, command) == expected
    assert (tmp_path / "keep.yaml").read_text() == "a: 1\nb: 3\nc: 4\n"


@pytest.mark.parametrize(
    "block",
    [
        "```diff keep.yaml\n-d: 1\n+d: 2\n```\n",
        "```diff keep.yaml\n-a: 1\n+d: 2\n```\n",
        "```console\n$ rm keep.yaml\n```\n",
    ],
)
def test_what_cannot_be_done_is_refused(tmp_path: Path, block: str) -> None:
    page = f"```yaml keep.yaml\na: 1\na: 1\n```\n\n{block}"
    with pytest.raises(ValueError, match=r"does not hold once|no command of ours"):
        walked(page, tmp_path, lambda words: 0)
