"""Where rulesets are found, and that nothing below a folder leads out of it."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from houserule_compiler import confined, places
from houserule_compiler.files import Files, Refusal
from houserule_compiler.limits import Limits
from houserule_compiler.places import Found, all_below, around, find, place_of, read, reader, search_path, shipped_place
from houserule_compiler.wrong_use import WrongUse

MANIFEST = "ruleset: friday\nlanguage: 1\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in which the user stands, beside one with shipped rules."""
    standing = tmp_path / "here"
    standing.mkdir()
    ruleset(tmp_path / "shipped" / "odnd")
    ruleset(tmp_path / "shipped" / "packs" / "criticals")
    monkeypatch.chdir(standing)
    return standing


def ruleset(folder: Path, **files: str) -> Path:
    folder.mkdir(parents=True)
    for name, text in {"ruleset": f"ruleset: {folder.name}\nlanguage: 1\n", **files}.items():
        (folder / f"{name}.yaml").write_text(text)
    return folder


def search(here: Path, *paths: str) -> places.SearchPath:
    return search_path(shipped_place(str(here.parent / "shipped")), paths)


def found(here: Path, word: str, *paths: str) -> Found:
    return find(word, search(here, *paths), Limits())


def refused(here: Path, word: str, *paths: str) -> str:
    with pytest.raises(WrongUse) as wrong:
        read(found(here, word, *paths), Limits())
    return str(wrong.value)


def names(here: Path, word: str) -> list[str]:
    return [path for path, _ in read(found(here, word), Limits())[0].files]


class TestFinding:
    def test_a_shipped_name(self, here: Path) -> None:
        assert found(here, "odnd").kind == "folder"
        assert names(here, "odnd") == ["<shipped>/odnd/ruleset.yaml"]

    def test_a_pack(self, here: Path) -> None:
        assert names(here, "criticals") == ["<shipped>/packs/criticals/ruleset.yaml"]

    def test_shipped_rules_below_here_are_shown_by_their_path(
        self, here: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(here.parent)
        assert names(here, "odnd") == ["shipped/odnd/ruleset.yaml"]

    def test_installed_rules_are_not(self, here: Path) -> None:
        ruleset(here / "lib" / "_shipped" / "rules" / "odnd")
        found = find("odnd", search_path(shipped_place(str(here / "lib" / "_shipped" / "rules")), ()), Limits())
        assert found.place.path == "<shipped>/odnd"

    def test_a_folder_here(self, here: Path) -> None:
        ruleset(here / "friday")
        assert names(here, "friday") == ["friday/ruleset.yaml"]

    def test_a_file_here(self, here: Path) -> None:
        (here / "friday.yaml").write_text(MANIFEST)
        assert found(here, "friday").kind == "file"
        assert names(here, "friday") == ["friday.yaml"]

    @pytest.mark.parametrize(
        "word", ["./friday", "friday/", "friday/ruleset.yaml", "friday/attack.yaml", "../here/friday"]
    )
    def test_a_path(self, here: Path, word: str) -> None:
        ruleset(here / "friday", attack="")
        assert found(here, word).name == "friday"
        assert [each.rpartition("/")[2] for each in names(here, word)] == ["attack.yaml", "ruleset.yaml"]

    def test_an_absolute_path_is_shown_relative(self, here: Path) -> None:
        ruleset(here / "friday")
        ruleset(here.parent / "elsewhere" / "monday")
        assert names(here, str(here / "friday")) == ["friday/ruleset.yaml"]
        assert names(here, str(here.parent / "elsewhere" / "monday")) == ["../elsewhere/monday/ruleset.yaml"]

    def test_this_folder(self, here: Path) -> None:
        (here / "ruleset.yaml").write_text(MANIFEST)
        assert found(here, ".").name == "here"
        assert names(here, ".") == ["ruleset.yaml"]

    def test_an_artifact(self, here: Path) -> None:
        (here / "friday.rules.json").write_text("{}")
        assert found(here, "friday.rules.json") == Found("friday", place_of("friday.rules.json"), "artifact")

    def test_the_paths_of_the_user(self, here: Path) -> None:
        ruleset(here.parent / "more" / "monday")
        assert found(here, "monday", "../more").name == "monday"

    def test_all_below(self, here: Path) -> None:
        ruleset(here / "friday")
        ruleset(here / "friday" / "inner")
        ruleset(here / "more" / "monday")
        ruleset(here / ".hidden" / "sunday")
        (here / "tuesday.yaml").write_text("ruleset: tuesday\n")
        (here / "other.yaml").write_text("services: {}\n")
        (here / "venv").mkdir()
        (here / "venv" / "pyvenv.cfg").touch()
        ruleset(here / "venv" / "lib" / "odnd")
        assert [each.place.path for each in all_below(place_of("."))] == [
            "friday",
            "more/monday",
            "tuesday.yaml",
        ]


class TestNotFinding:
    def test_the_ruleset_in_whose_folder_one_stands(self, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(ruleset(here / "friday"))
        assert found(here, ".").name == "friday"
        assert "write `.` for it, or go to the folder above" in refused(here, "friday")
        assert refused(here, "monday").endswith("there are `criticals`, `odnd`")

    def test_an_unknown_name(self, here: Path) -> None:
        assert refused(here, "ond") == "no ruleset named `ond`; did you mean `odnd`?"
        assert refused(here, "zzz") == "no ruleset named `zzz`; there are `criticals`, `odnd`"

    def test_a_name_here_and_shipped(self, here: Path) -> None:
        ruleset(here / "odnd")
        assert refused(here, "odnd").startswith("`odnd` can mean `odnd` and `<shipped>/odnd`; write the path")
        assert found(here, "./odnd").place.path == "odnd"

    def test_one_ruleset_reached_in_two_ways_is_one(self, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(here.parent / "shipped")
        assert found(here, "odnd").name == "odnd"

    def test_nothing_shadows_a_shipped_name(self, here: Path) -> None:
        ruleset(here.parent / "more" / "odnd")
        assert "can mean" in refused(here, "odnd", "../more")

    def test_a_folder_without_a_manifest(self, here: Path) -> None:
        (here / "friday").mkdir()
        assert refused(here, "friday") == "`friday` is no ruleset: it has no `ruleset.yaml`"
        (here / "friday" / "ruleset.yml").touch()
        assert refused(here, "friday/").endswith("; rename its `ruleset.yml`")

    @pytest.mark.parametrize("word", ["no/such", "no.yaml", "../nothing", "a\0b/c", "/nothing/at/all"])
    def test_a_path_to_nothing(self, here: Path, word: str) -> None:
        assert refused(here, word).startswith("there is no `")

    def test_a_file_of_another_kind(self, here: Path) -> None:
        (here / "friday.txt").touch()
        assert refused(here, "friday.txt").startswith("`friday.txt` holds no rules")

    @pytest.mark.parametrize("word", ["", "-", "~", "CON", "%2e%2e", "Ödnd", "odnd "])
    def test_an_odd_word(self, here: Path, word: str) -> None:
        assert "no ruleset" in refused(here, word)

    def test_a_name_at_its_limit(self, here: Path) -> None:
        assert "no ruleset" in refused(here, "a" * 64)
        assert refused(here, "a" * 65) == f"a ruleset's name has at most 64 characters, and `{'a' * 20}...` has 65"

    def test_a_search_folder_that_is_none(self, here: Path) -> None:
        (here / "file").touch()
        with pytest.raises(WrongUse, match="is not a folder"):
            search(here, "file")
        with pytest.raises(WrongUse, match="there is no"):
            search(here, "nowhere")


class TestReading:
    def test_files_are_sorted_hidden_ones_and_other_rulesets_passed_over(self, here: Path) -> None:
        folder = ruleset(here / "friday", b="1", a="2")
        ruleset(folder / "inner")
        (folder / "deep").mkdir()
        (folder / "deep" / "c.yaml").touch()
        for name in (".hidden.yaml", "notes.txt", "old.yml"):
            (folder / name).touch()
        files, notes = read(found(here, "friday"), Limits())
        assert [path for path, _ in files.files] == [f"friday/{name}.yaml" for name in ("a", "b", "deep/c", "ruleset")]
        assert notes == ["note: `friday/old.yml` is not read; files of rules end in `.yaml`"]

    @pytest.mark.parametrize("more", [-1, 0, 1])
    def test_number_of_files(self, here: Path, more: int) -> None:
        ruleset(here / "friday", **{f"f{number}": "" for number in range(9 + more)})
        limits = Limits(files=10)
        assert len(read(found(here, "friday"), limits)[0].files) == 10 + more

    def test_of_too_many_files_one_is_read(self, here: Path) -> None:
        """So that it can be told which one is too many, and no work is done for the others."""
        ruleset(here / "friday", **{f"f{number}": "" for number in range(30)})
        assert len(read(found(here, "friday"), Limits(files=10))[0].files) == 11

    def test_one_byte_more_than_the_limit_is_read(self, here: Path) -> None:
        ruleset(here / "friday", big="x" * 500)
        files = dict(read(found(here, "friday"), Limits(file_bytes=100))[0].files)
        assert len(files["friday/big.yaml"]) == 101

    def test_the_reader_finds_others_beside_and_on_the_search_path(self, here: Path) -> None:
        for name in ("friday", "monday"):
            ruleset(here / name)
        chosen = found(here, "friday")
        read_ruleset = reader(chosen, read(chosen, Limits())[0], around(chosen, search(here)), Limits())
        assert [bool(read_ruleset(name)) for name in ("friday", "monday", "odnd", "sunday")] == [
            True,
            True,
            True,
            False,
        ]


class TestOthers:
    """What a ruleset finds by name, whichever way it was named itself."""

    def found_from(self, here: Path, word: str, name: str, *paths: str) -> Files | Refusal | None:
        chosen = found(here, word)
        return reader(chosen, Files("friday", ()), around(chosen, search(here, *paths)), Limits())(name)

    @pytest.mark.parametrize("word", [".", "ruleset.yaml", "../friday", "./", "../../here/friday"])
    def test_beside_the_folder_in_which_the_user_stands(
        self, here: Path, monkeypatch: pytest.MonkeyPatch, word: str
    ) -> None:
        ruleset(here / "friday")
        ruleset(here / "monday")
        monkeypatch.chdir(here / "friday")
        files = self.found_from(here, word, "monday")
        assert isinstance(files, Files)
        assert next(os.path.normpath(path) for path, _ in files.files).endswith("monday/ruleset.yaml")

    def test_packs_and_forks_beside(self, here: Path) -> None:
        ruleset(here / "friday")
        ruleset(here / "packs" / "wet")
        assert isinstance(self.found_from(here, "friday", "wet"), Files)
        assert self.found_from(here, "friday", "dry") is None

    def test_names_beside_are_known(self, here: Path) -> None:
        ruleset(here / "friday")
        chosen = found(here, "friday")
        assert around(chosen, search(here)).names() == ["criticals", "friday", "odnd"]

    def test_two_of_one_name(self, here: Path) -> None:
        ruleset(here / "friday")
        ruleset(here / "wet")
        ruleset(here.parent / "more" / "wet")
        refused = self.found_from(here, "friday", "wet", "../more")
        assert isinstance(refused, Refusal)
        assert sorted(refused.places) == ["../more/wet", "wet"]

    def test_one_that_cannot_be_read(self, here: Path) -> None:
        ruleset(here / "friday")
        (ruleset(here / "wet") / "more.yaml").symlink_to("/etc/hosts")
        refused = self.found_from(here, "friday", "wet")
        assert isinstance(refused, Refusal)
        assert refused.reason.startswith("`wet/more.yaml` is a link")


def a_link(path: Path) -> None:
    path.symlink_to("/etc/hosts")


def a_loop(path: Path) -> None:
    path.symlink_to(path)


def a_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_socket(path: Path) -> None:
    at = socket.socket(socket.AF_UNIX)
    folder = os.getcwd()
    os.chdir(path.parent)
    at.bind(path.name)
    os.chdir(folder)
    at.close()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes")
@pytest.mark.parametrize("has_handles", [True, False])
class TestConfinement:
    @pytest.fixture(autouse=True)
    def _way(self, has_handles: bool, monkeypatch: pytest.MonkeyPatch) -> None:
        """Both ways of opening, with folder handles and without."""
        monkeypatch.setattr(confined, "_HAS_HANDLES", has_handles and confined._HAS_HANDLES)

    @pytest.mark.parametrize("make", [a_link, a_loop, a_device, a_pipe, a_socket])
    def test_a_file_that_is_none(self, here: Path, make: Callable[[Path], None]) -> None:
        folder = ruleset(here / "friday")
        make(folder / "attack.yaml")
        assert "`friday/attack.yaml` is " in refused(here, "friday")

    def test_a_folder_that_is_a_link_is_not_entered(self, here: Path) -> None:
        folder = ruleset(here / "friday")
        ruleset(here / "other", secret="")
        (folder / "deep").symlink_to(here / "other")
        assert names(here, "friday") == ["friday/ruleset.yaml"]

    def test_a_ruleset_that_is_a_link(self, here: Path) -> None:
        ruleset(here.parent / "real")
        (here / "friday").symlink_to(here.parent / "real")
        assert (
            refused(here, "./friday/")
            == "`friday` is a link, and links are not followed; put the files themselves there"
        )

    def test_the_manifest_is_a_link(self, here: Path) -> None:
        (here / "friday").mkdir()
        (here / "friday" / "ruleset.yaml").symlink_to("/etc/hosts")
        assert "`friday/ruleset.yaml` is a link" in refused(here, "friday")

    def test_a_file_in_the_place_of_a_folder(self, here: Path) -> None:
        (here / "friday").write_text("")
        assert refused(here, "friday/attack.yaml").startswith("there is no `")

    @pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may read everything")
    def test_what_may_not_be_read(self, here: Path) -> None:
        folder = ruleset(here / "friday", attack="")
        (folder / "attack.yaml").chmod(0)
        assert refused(here, "friday").startswith("`friday/attack.yaml` cannot be read")
