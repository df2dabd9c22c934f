"""What the system does to us while files are read and written: a sentence, the exit code, and nothing half-written."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from friday import RULES, Run, process
from houserule_compiler import confined, writing
from houserule_compiler.writing import write

UGLY = RULES.replace("options: {harsh: boolean = false}", "options:   {harsh:   boolean = false}")


@pytest.fixture(params=["build", "build to a file", "schema", "fmt", "accept", "accept again", "new"])
def writer(request: pytest.FixtureRequest, friday_folder: Path) -> list[str]:
    """A command that writes something, in a folder where it would."""
    (friday_folder / "friday.yaml").write_text(UGLY)
    (friday_folder / "monday.yaml").write_text("ruleset: monday\nextends: friday\noptions.harsh: boolean = true\n")
    if request.param == "accept again":
        (friday_folder / "monday.houserule.lock").write_text('{"format": "houserule-lock"}')
    words: list[str] = {
        "build": ["build", "friday"],
        "build to a file": ["build", "friday", "-o", "out/of/here.json"],
        "schema": ["schema", "friday", "-o", "friday.schema.json"],
        "fmt": ["fmt", "friday"],
        "accept": ["accept", "monday"],
        "accept again": ["accept", "monday"],
        "new": ["new", "sunday", "--extends", "friday"],
    }[request.param]
    (friday_folder / "out" / "of").mkdir(parents=True)
    return words


def held(folder: Path) -> dict[str, bytes]:
    """All that is in a folder, hidden files too."""
    return {str(each.relative_to(folder)): each.read_bytes() for each in folder.rglob("*") if each.is_file()}


def failing(number: int) -> Callable[..., Any]:
    def fail(*_: object, **__: object) -> Any:
        raise OSError(number, os.strerror(number))

    return fail


class Full:
    """A file on a disk that is full: half of what is written arrives."""

    def __init__(self, path: str) -> None:
        self._file = open(path, "xb")  # noqa: SIM115

    def __enter__(self) -> Full:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def write(self, data: bytes) -> None:
        self._file.write(data[: len(data) // 2])
        raise OSError(errno.ENOSPC, "full")


def test_a_full_disk(writer: list[str], run: Run, friday_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = held(friday_folder)
    monkeypatch.setattr(writing, "open", lambda path, mode: Full(path), raising=False)
    found = run(*writer)
    assert found.code == 2
    assert found.err.startswith("houserule: `")
    assert "cannot be written: there is no room for it on its disk\n" in found.err
    assert held(friday_folder) == before


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS])
def test_it_cannot_be_moved_to_its_place(
    writer: list[str], number: int, run: Run, friday_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = held(friday_folder)
    monkeypatch.setattr(os, "rename" if writer[0] == "new" else "replace", failing(number))
    found = run(*writer)
    assert found.code == 2
    assert "cannot be written" in found.err
    assert "Traceback" not in found.err
    assert held(friday_folder) == before


@pytest.mark.parametrize(("stop", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("words", [("build", "friday"), ("new", "sunday", "--extends", "friday")])
def test_stopped_before_it_is_in_its_place(words: tuple[str, ...], stop: int, code: int, friday_folder: Path) -> None:
    """The signal comes when all is written and not moved yet; there is one function for files, and one for folders."""
    before = held(friday_folder)
    name = "rename" if words[0] == "new" else "replace"
    # A run in the background ignores SIGINT, and what it starts does too.
    stopping = "import os, signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
    stopping += f"os.{name} = lambda *_: os.kill(os.getpid(), {int(stop)})"
    found = process(friday_folder, *words, before=stopping)
    assert found.returncode == code
    assert found.stderr.strip() == ""
    assert held(friday_folder) == before


def test_files_can_be_no_longer_than_so(friday_folder: Path) -> None:
    limit = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))"
    found = process(friday_folder, "build", "friday", before=limit)
    assert found.returncode == 2
    assert "`friday.rules.json` cannot be written: there is no room" in found.stderr
    assert held(friday_folder).keys() == {"friday.yaml"}


@pytest.mark.parametrize(
    ("target", "says"),
    [
        ("folder", "a folder of that name is there"),
        ("folder/", "a folder of that name is there"),
        ("nowhere/x.json", "there is no such folder"),
        ("friday.yaml/x.json", "there is no such folder"),
        ("x" * 300, "its name is too long"),
        ("a\0b", "look at its folder"),
    ],
)
@pytest.mark.parametrize("command", ["build", "schema"])
def test_a_target_that_cannot_be(command: str, target: str, says: str, run: Run, friday_folder: Path) -> None:
    (friday_folder / "folder").mkdir()
    before = held(friday_folder)
    found = run(command, "friday", "-o", target)
    assert found.code == 2
    assert says in found.err
    assert len(found.err.splitlines()) == 1
    assert held(friday_folder) == before


def test_a_name_as_long_as_names_can_be(run: Run, friday_folder: Path) -> None:
    name = "é" * 120 + ".json"
    assert run("build", "friday", "-o", name).code == 0
    assert (friday_folder / name).stat().st_size > 1000


def test_a_folder_in_which_nobody_may_write(run: Run, friday_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (friday_folder / "closed").mkdir(mode=0o500)
    if os.access(friday_folder / "closed", os.W_OK):
        # The superuser may write everywhere.
        monkeypatch.setattr(writing, "open", failing(errno.EACCES), raising=False)
    found = run("build", "friday", "-o", "closed/x.json")
    assert found.code == 2
    assert "look at its folder, and at who may write there" in found.err
    assert held(friday_folder).keys() == {"friday.yaml"}


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no device that is always full")
class TestDevices:
    """What is no file is written to and never replaced."""

    def test_a_device_that_is_full(self, run: Run) -> None:
        found = run("build", "friday", "-o", "/dev/full")
        assert found.code == 2
        assert "`/dev/full` cannot be written: there is no room" in found.err
        assert not os.path.isfile("/dev/full")

    def test_nothing_at_all(self, run: Run) -> None:
        assert run("build", "friday", "-o", "/dev/null").code == 0
        assert not os.path.isfile("/dev/null")

    def test_output_that_is_full(self, friday_folder: Path) -> None:
        for words in (("validate", "friday"), ("build", "friday", "-o", "-")):
            code = f"import sys\nfrom houserule_compiler.cli import main\nsys.exit(main({list(words)!r}))"
            with open("/dev/full", "w") as full:
                found = subprocess.run(
                    [sys.executable, "-c", code],
                    cwd=friday_folder,
                    stdout=full,
                    stderr=subprocess.PIPE,
                    text=True,
                    check=False,
                    env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
                )
            assert (found.returncode, found.stderr) == (
                2,
                "houserule: what is printed cannot be written: there is no room for it\n",
            )


def started(folder: Path, *words: str, out: Any = subprocess.PIPE) -> subprocess.Popen[str]:
    code = f"import sys\nfrom houserule_compiler.cli import main\nsys.exit(main({list(words)!r}))"
    env = {**{k: v for k, v in os.environ.items() if k != "CI"}, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(
        [sys.executable, "-c", code], cwd=folder, stdout=out, stderr=subprocess.PIPE, text=True, env=env
    )


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("show", "friday", "--all"), 0),
        (("validate", "friday"), 0),
        (("validate", "wrong"), 1),
        (("validate", "wrong", "--format", "json"), 1),
        (("diff", "friday", "tuesday"), 1),
    ],
)
def test_nobody_reads_what_is_printed(words: tuple[str, ...], code: int, friday_folder: Path) -> None:
    """As with `| head -1`; what a run finds out stands in the exit code all the same."""
    (friday_folder / "wrong.yaml").write_text("ruleset: wrong\nlanguage: 1\nnumbers: {n: {base: nothing_there}}\n")
    (friday_folder / "tuesday.yaml").write_text(
        RULES.replace("friday", "tuesday").replace("vigilance: -1", "vigilance: -2")
    )
    reading, writing = os.pipe()
    running = started(friday_folder, *words, out=writing)
    os.close(reading)
    os.close(writing)
    _, told = running.communicate(timeout=60)
    assert (running.returncode, told) == (code, "")


def test_output_that_is_closed(friday_folder: Path) -> None:
    found = process(friday_folder, "validate", "friday", before="sys.stdout = None\nsys.stderr = None")
    assert (found.returncode, found.stdout, found.stderr) == (0, "", "")


def test_two_builds_at_once(friday_folder: Path) -> None:
    running = [started(friday_folder, "build", "friday") for _ in range(3)]
    assert [each.wait(timeout=60) for each in running] == [0, 0, 0]
    for each in running:
        each.communicate()
    assert held(friday_folder).keys() == {"friday.yaml", "friday.rules.json"}


def test_many_writers_of_one_file(tmp_path: Path) -> None:
    """Whoever reads meanwhile reads one of the files whole."""
    target, texts = str(tmp_path / "one"), [bytes([at]) * 100_000 for at in (65, 66)]
    write(target, texts[0])
    code = f"import sys\nsys.path[:0] = {sys.path!r}\nfrom houserule_compiler.writing import write\n"
    code += f"for _ in range(100): write({target!r}, bytes([int(sys.argv[1])]) * 100_000)"
    running = [subprocess.Popen([sys.executable, "-c", code, str(at)]) for at in (65, 66)]
    while any(each.poll() is None for each in running):
        assert Path(target).read_bytes() in texts
        time.sleep(0.01)
    assert [each.returncode for each in running] == [0, 0]
    assert [each.name for each in tmp_path.iterdir()] == ["one"]


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="this system has no name for the output")
def test_a_pipe_by_its_name(friday_folder: Path) -> None:
    found = process(friday_folder, "build", "friday", "-o", "/dev/stdout")
    assert found.returncode == 0
    assert found.stdout.startswith('{"actions":')
    assert "\nfriday: wrote /dev/stdout, " in found.stdout
    assert held(friday_folder).keys() == {"friday.yaml"}


def test_permissions_stay(run: Run, friday_folder: Path) -> None:
    assert run("build", "friday").code == 0
    (friday_folder / "friday.rules.json").chmod(0o640)
    assert run("build", "friday").code == 0
    assert (friday_folder / "friday.rules.json").stat().st_mode & 0o777 == 0o640


def test_a_link_that_is_named_leads_to_the_file(run: Run, friday_folder: Path) -> None:
    (friday_folder / "elsewhere").mkdir()
    (friday_folder / "link.json").symlink_to("elsewhere/real.json")
    assert run("build", "friday", "-o", "link.json").code == 0
    assert (friday_folder / "elsewhere" / "real.json").is_file()
    assert (friday_folder / "link.json").is_symlink()


# --- reading


def test_a_file_that_nobody_may_read(run: Run, friday_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (friday_folder / "friday.yaml").chmod(0)
    if os.access(friday_folder / "friday.yaml", os.R_OK):
        real = os.open

        def refuse(path: Any, *rest: Any, **more: Any) -> int:
            if str(path).endswith("friday.yaml"):
                raise PermissionError(errno.EACCES, "no")
            return real(path, *rest, **more)

        monkeypatch.setattr(confined.os, "open", refuse)
    for words in (("validate", "friday"), ("fmt", "friday"), ("build", "friday"), ("test",)):
        found = run(*words)
        assert found.code == 2
        assert "`friday.yaml` cannot be read; look at who may read it" in found.err


@pytest.mark.parametrize("change", ["gone", "a folder", "longer", "shorter"])
def test_a_file_that_changes_while_it_is_read(
    change: str, run: Run, friday_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the moment in which a folder is listed and that in which its files are read."""
    (friday_folder / "friday").mkdir()
    (friday_folder / "friday.yaml").rename(friday_folder / "friday" / "ruleset.yaml")
    part = friday_folder / "friday" / "part.yaml"
    part.write_text("modifiers: {late: {adjust: {vigilance: -2}}}\n")
    real = confined.read_file

    def reading(root: str, parts: tuple[str, ...], most: int) -> bytes:
        if parts[-1] == "part.yaml":
            part.unlink(missing_ok=True)
            if change == "a folder":
                part.mkdir(exist_ok=True)
            elif change != "gone":
                part.write_text("#" * 2_000_000 if change == "longer" else "")
        return real(root, parts, most)

    monkeypatch.setattr("houserule_compiler.places.read_file", reading)
    found = run("validate", "friday")
    assert "Traceback" not in found.err
    expected = {
        "gone": (2, "there is no `friday/part.yaml`"),
        "a folder": (2, "is a folder"),
        "longer": (1, "file-too-large"),
    }
    code, says = expected.get(change, (1, "no-rules"))
    assert found.code == code
    assert says in found.out + found.err


def test_fmt_writes_over_nobodys_change(run: Run, friday_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (friday_folder / "friday.yaml").write_text(UGLY)
    monkeypatch.setattr("houserule_compiler.commands.fmt.read_at_most", lambda place, most: UGLY.encode() + b"# more\n")
    found = run("fmt", "friday")
    assert found.code == 2
    assert "somebody has changed it meanwhile; run the command again" in found.err
    assert (friday_folder / "friday.yaml").read_text() == UGLY


@pytest.mark.parametrize(
    "words",
    [("validate",), ("build", "friday"), ("new", "sunday"), ("fmt",), ("accept", "x"), ("test",), ("show", "osric")],
)
def test_the_folder_is_gone(words: tuple[str, ...], friday_folder: Path) -> None:
    (friday_folder / "deleted").mkdir()
    found = process(friday_folder, *words, before="import os\nos.chdir('deleted')\nos.rmdir('../deleted')")
    assert found.returncode == 2
    assert found.stderr == "houserule: the folder that this is called in is gone; change to one that is there\n"
