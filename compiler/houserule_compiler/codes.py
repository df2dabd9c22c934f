"""The codes of all messages, and the page of each, as they come with the compiler."""

from __future__ import annotations

from .shipped import shipped

_INDEX = "README"


def codes() -> list[str]:
    """Every code, sorted."""
    return sorted(each.stem for each in shipped("diagnostics").glob("*.md") if each.stem != _INDEX)


def page(code: str) -> str:
    """The page of a code, without the remark at its end that says how it is made."""
    return (shipped("diagnostics") / f"{code}.md").read_text("utf-8").partition("\n<!--")[0]


def about(code: str) -> str:
    """What a code means: the first sentence of its page."""
    paragraph = page(code).split("\n\n")[1].replace("\n", " ")
    return paragraph.split(". ")[0].rstrip(".")
