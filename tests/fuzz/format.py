"""Any file of rules laid out: white space alone changes, a second time nothing does, and it means what it did."""

from __future__ import annotations

import json
from collections.abc import Sequence

from houserule_compiler.diagnostics import has_errors
from houserule_compiler.document import Document
from houserule_compiler.layout import Unknown, layout, same
from houserule_compiler.limits import Limits
from houserule_compiler.load import load
from houserule_compiler.text_edits import applied

from .load import compiled
from .seeds import texts


def one_input(data: bytes) -> None:
    """Lays out a file that can be read, as `houserule fmt` does."""
    document, found = load("rules.yaml", data, Limits())
    if document is None or has_errors(found):
        return
    try:
        new = laid_out(document)
    except Unknown as unknown:
        assert 0 <= unknown.offset <= len(document.file.text)
        return
    again, problems = load("rules.yaml", new.encode("utf-8"), Limits())
    assert again is not None, problems
    assert same(document, again)
    assert "".join(new.split()) == "".join(document.file.text.split())
    assert laid_out(again) == new
    if new != document.file.text:
        assert meaning(data) == meaning(new.encode("utf-8"))


def laid_out(document: Document) -> str:
    """The text of a document in its one layout."""
    return applied(document.file.text, layout(document))


def meaning(data: bytes) -> object:
    """What compiling gives: the hash of what the rules mean, or the codes of what is wrong."""
    outcome = compiled({"sample": data})
    if outcome.artifact is not None:
        return json.loads(outcome.artifact)["content_hash"]
    return sorted(each.code for each in outcome.diagnostics)


def seeds() -> Sequence[bytes]:
    """The files of literate cases."""
    return texts()
