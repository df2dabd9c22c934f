"""`houserule fmt`: gives files of rules their one layout, which changes white space alone."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import click

from ..messages import use
from ..places import Place, files_of, find, place_of, read_at_most, read_whole
from ..writing import write
from .options import Settings, reads_files, ruleset_arguments, settings
from .output import report, say
from .validate import rulesets_of


@dataclass(frozen=True, slots=True)
class _File:
    """A file as it is and as it should be; `text` is None where it has faults that stop it from being read."""

    place: Place
    data: bytes
    text: str | None

    @property
    def is_changed(self) -> bool:
        """Whether its layout is another one."""
        return self.text is not None and self.text.encode("utf-8") != self.data


@click.command()
@ruleset_arguments
@click.option("--check", is_flag=True, help="Write nothing; exit code 1 where a file has another layout.")
@click.option("--diff", is_flag=True, help="Print what would change, and write nothing.")
@reads_files
def command(
    rulesets: tuple[str, ...],
    check: bool,
    diff: bool,
    path: tuple[str, ...],
    limit: tuple[str, ...],
    untrusted: bool | None,
) -> int:
    """Lay out files of rules: indentation, spaces, blank lines, rows of tables in columns.

    What is written stays as it is, and an artifact differs in nothing but the lines that it names. RULESET may be a
    single file. Without RULESET: all rulesets under this folder.
    """
    chosen = settings(path, limit, untrusted, "full")
    writes = not check and not diff
    if writes and chosen.is_untrusted:
        raise use.lays_out_nothing()
    files = [_laid_out(each, chosen) for each in _places(rulesets, chosen)]
    changed = [each for each in files if each.is_changed]
    for each in changed:
        if writes:
            _write(each)
        _tell(each, check, diff)
    _sum_up(files, changed, writes)
    return 1 if (changed and not writes) or any(each.text is None for each in files) else 0


def _places(words: Sequence[str], settings: Settings) -> list[Place]:
    """The files that the words mean, each once."""
    found = [place for word in words for place in _of_word(word, settings)]
    if not words:
        found = [place for each in rulesets_of((), settings) for place in files_of(each, settings.limits)]
    return list({each.absolute: each for each in found}.values())


def _of_word(word: str, settings: Settings) -> Iterable[Place]:
    place = place_of(word)
    if word.endswith(".yaml") and place.kind == "file":
        return [place]
    found = find(word, settings.search, settings.limits)
    if found.kind == "artifact":
        raise use.artifact_has_no_source(found.place.path, "fmt")
    if found.place.is_shipped:
        raise use.shipped_stays(found.name)
    return files_of(found, settings.limits)


def _laid_out(place: Place, settings: Settings) -> _File:
    from ..diagnostics import has_errors
    from ..layout import Unknown, layout, same
    from ..load import load
    from ..text_edits import applied

    data = read_whole(place, settings.limits.file_bytes)
    document, found = load(place.path, data, settings.limits)
    if document is None or has_errors(found):
        report(found, settings.format, sys.stdout)
        return _File(place, data, None)
    try:
        text = applied(document.file.text, layout(document))
    except Unknown as unknown:
        say(use.keeps_layout(place.path, document.file.position(unknown.offset)[0]), sys.stderr)
        return _File(place, data, data.decode("utf-8"))
    again, _ = load(place.path, text.encode("utf-8"), settings.limits)
    # The promise of this command is held here too, and not by tests alone.
    assert again is not None
    assert same(document, again)
    return _File(place, data, text)


def _write(file: _File) -> None:
    assert file.text is not None
    if read_at_most(file.place, len(file.data) + 1) != file.data:
        raise use.unwritable(file.place.path, "changed")
    write(file.place.absolute, file.text.encode("utf-8"), file.place.path)


def _tell(file: _File, check: bool, diff: bool) -> None:
    if diff:
        say("\n".join(_difference(file)))
    else:
        say(f"{file.place.path}: {'has another layout' if check else 'laid out'}")


def _difference(file: _File) -> Iterator[str]:
    before = file.data.decode("utf-8").splitlines()
    after = (file.text or "").splitlines()
    yield from difflib.unified_diff(before, after, file.place.path, file.place.path, lineterm="")


def _sum_up(files: Sequence[_File], changed: Sequence[_File], writes: bool) -> None:
    faulty = sum(each.text is None for each in files)
    unread = f", {faulty} cannot be read" if faulty else ""
    verb = "laid out" if writes else "with another layout"
    say(f"{len(changed)} of {len(files)} file{'s' * (len(files) != 1)} {verb}{unread}", sys.stderr)
