"""Commands on rules: what `validate`, `test`, `build` and `show` print and write."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import houserule
from friday import RULES, Ran, Run, change
from houserule_compiler.cli import main


class TestValidate:
    def test_clean(self, run: Run) -> None:
        assert run("validate", "friday") == Ran(0, "friday: no faults found\n", "")

    def test_all_under_this_folder(self, run: Run, friday_folder: Path) -> None:
        (friday_folder / "monday.yaml").write_text(RULES.replace("ruleset: friday", "ruleset: monday"))
        expected = "friday: no faults found\nmonday: no faults found\n2 rulesets: no faults found\n"
        assert run("validate").out == expected

    def test_none_under_this_folder(self, run: Run, friday_folder: Path) -> None:
        (friday_folder / "friday.yaml").unlink()
        found = run("validate")
        assert found == Ran(
            2, "", "houserule: no ruleset under this folder; name one, or go to the folder that holds it\n"
        )

    def test_findings(self, run: Run, friday_folder: Path) -> None:
        change(friday_folder, "its.tired", "its.tierd")
        found = run("validate", "friday")
        assert found.code == 1
        assert found.err == ""
        assert " --> friday.yaml:21:" in found.out
        assert "did you mean `tired`?" in found.out
        assert found.out.endswith("\nfriday: 1 error\n")

    def test_findings_in_one_line_each(self, run: Run, friday_folder: Path) -> None:
        change(friday_folder, "its.tired", "its.tierd")
        found = run("validate", "friday", "--format", "concise")
        assert found.code == 1
        assert re.fullmatch(r"friday\.yaml:21:\d+: error\[[a-z-]+\]: .*`tierd`.*\n", found.out)

    def test_one_line_says_for_which_ruleset_where_it_stands_in_another(self, run: Run, friday_folder: Path) -> None:
        for name, amount in (("hills", 2), ("shore", 3)):
            text = f"ruleset: {name}\nextends: friday\nmodifiers.weary.adjust.vigilance: -{amount}\n"
            (friday_folder / f"{name}.yaml").write_text(text)
        (friday_folder / "trio.yaml").write_text("ruleset: trio\nextends: friday\nwith: [hills, shore]\n")
        found = run("validate", "trio", "--format", "concise").out
        assert found.startswith("hills.yaml:3:")
        assert found.endswith("disagree on `modifiers.weary.adjust.vigilance` (in `trio`)\n")

    @pytest.mark.parametrize("words", [("--json",), ("--format", "json")])
    def test_findings_as_json(self, run: Run, friday_folder: Path, words: tuple[str, ...]) -> None:
        change(friday_folder, "its.tired", "its.tierd")
        (found,) = [json.loads(line) for line in run("validate", "friday", *words).out.splitlines()]
        assert (found["severity"], found["path"], found["line"]) == ("error", "friday.yaml", 21)

    def test_other_suffix_is_noted(self, run: Run, friday_folder: Path) -> None:
        (friday_folder / "monday").mkdir()
        (friday_folder / "friday.yaml").rename(friday_folder / "monday" / "ruleset.yaml")
        renamed = (friday_folder / "monday" / "ruleset.yaml").read_text().replace("ruleset: friday", "ruleset: monday")
        (friday_folder / "monday" / "ruleset.yaml").write_text(renamed)
        (friday_folder / "monday" / "more.yml").touch()
        found = run("validate", "monday")
        assert found.code == 0
        assert found.err == "note: `monday/more.yml` is not read; files of rules end in `.yaml`\n"

    def test_a_lowered_limit_is_held(self, run: Run) -> None:
        found = run("validate", "friday", "--limit", "file-bytes=100")
        assert found.code == 1
        assert "100" in found.out

    def test_a_raised_limit_is_refused_for_untrusted_rules(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        words = ("validate", "friday", "--limit", "file-bytes=2000000")
        assert run(*words).code == 0
        refused = "the limit `file-bytes` stays at 1048576 for untrusted rules"
        assert refused in run(*words, "--untrusted").err
        monkeypatch.setenv("CI", "true")
        assert refused in run(*words).err
        assert run(*words, "--trusted").code == 0

    def test_an_artifact(self, run: Run, friday_folder: Path) -> None:
        run("build", "friday")
        assert run("validate", "friday.rules.json").out.startswith("friday: a sound artifact, sha256:")
        text = (friday_folder / "friday.rules.json").read_text()
        (friday_folder / "friday.rules.json").write_text(text.replace("Vigilance", "Vigilante"))
        found = run("validate", "friday.rules.json")
        assert found.code == 1
        assert found.err.startswith("houserule: ")

    def test_shipped_rules(self, run: Run) -> None:
        assert run("validate", "adnd2e", "odnd-morale").code == 0


class TestTest:
    def test_passed(self, run: Run) -> None:
        assert run("test", "friday") == Ran(0, "friday: 1 example passed\n", "")

    def test_failed(self, run: Run, friday_folder: Path) -> None:
        change(friday_folder, "value: 4", "value: 5")
        found = run("test", "friday")
        assert found.code == 1
        assert "friday.yaml:32:" in found.out
        assert found.out.endswith("friday: 1 of 1 examples failed: 1 error\n")

    def test_each_as_json(self, run: Run) -> None:
        found = run("test", "friday", "--json")
        told = {"passed": True, "inherited": False, "changed": False}
        assert json.loads(found.out) == {"ruleset": "friday", "example": "small", **told}

    def test_rules_with_errors_are_not_tried(self, run: Run, friday_folder: Path) -> None:
        change(friday_folder, "its.tired", "its.tierd")
        found = run("test", "friday")
        assert found.code == 1
        assert found.out.endswith("friday: 1 error\n")

    def test_an_artifact_has_no_examples(self, run: Run) -> None:
        run("build", "friday")
        assert "is built already" in run("test", "friday.rules.json").err


class TestBuild:
    def test_writes_beside_and_moves(self, run: Run, friday_folder: Path) -> None:
        found = run("build", "friday")
        assert found.code == 0
        assert sorted(each.name for each in friday_folder.iterdir()) == ["friday.rules.json", "friday.yaml"]
        assert houserule.load("friday.rules.json").id == "friday"
        assert (
            found.out
            == f"friday: wrote friday.rules.json, {(friday_folder / 'friday.rules.json').stat().st_size} bytes\n"
        )

    def test_the_same_bytes_again_elsewhere(self, run: Run, friday_folder: Path) -> None:
        run("build", "friday")
        (friday_folder / "deep").mkdir()
        (friday_folder / "friday.yaml").rename(friday_folder / "deep" / "friday.yaml")
        run("build", "deep/friday.yaml", "-o", "again.json")
        assert (friday_folder / "again.json").read_bytes() == (friday_folder / "friday.rules.json").read_bytes()

    def test_printed(self, friday_folder: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
        assert main(["build", "friday", "-o", "-"]) == 0
        assert houserule.load(capfdbinary.readouterr().out).id == "friday"

    def test_untrusted_rules_write_nothing(
        self, run: Run, friday_folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("CI", "1")
        found = run("build", "friday", "-o", "out.json")
        assert found.code == 2
        assert "`out.json` is not written for untrusted rules; add `--trusted`" in found.err
        assert not (friday_folder / "out.json").exists()
        assert run("build", "friday", "-o", "out.json", "--trusted").code == 0

    def test_rules_with_errors_write_nothing(self, run: Run, friday_folder: Path) -> None:
        change(friday_folder, "its.tired", "its.tierd")
        found = run("build", "friday")
        assert (found.code, found.out) == (1, "")
        assert "tierd" in found.err
        assert not (friday_folder / "friday.rules.json").exists()

    def test_a_place_that_cannot_be_written(self, run: Run, friday_folder: Path) -> None:
        assert run("build", "friday", "-o", "no/such/out.json").err.startswith(
            "houserule: `no/such/out.json` cannot be"
        )
        (friday_folder / "folder").mkdir()
        assert run("build", "friday", "-o", "folder").code == 2
        assert sorted(each.name for each in friday_folder.iterdir()) == ["folder", "friday.yaml"]


class TestShow:
    def test_contents(self, run: Run) -> None:
        found = run("show", "friday")
        assert found.out.startswith(
            "friday 2\n  Friday's rules\n\n  tables\n    pay\n    watch  How well a guard watches\n"
        )

    def test_a_table_of_two_keys(self, run: Run) -> None:
        assert run("show", "friday", "watch").out == (
            "table watch: How well a guard watches\n"
            "  size down, level across\n"
            "           1  2  3\n"
            "    small  3  4  5\n"
            "    large  1  2  4\n"
        )

    def test_a_table_of_several_columns(self, run: Run) -> None:
        assert run("show", "friday", "pay").out == (
            "table pay\n  level      coins  meals\n  1              5      1\n  2 or more      9      2\n"
        )

    def test_a_number(self, run: Run) -> None:
        assert run("show", "friday", "vigilance").out == (
            "number vigilance: Vigilance\n"
            "  of the guard, higher is better, from -1 to 7\n"
            "\n"
            '  base: "How well a guard watches" by size and level\n'
            "\n"
            "  modifier  when         amount  stacks in\n"
            "  cold      harsh        -1\n"
            "  sworn     by oath\n"
            "            . 3 or less  +1\n"
            "            . 4 or more  +2\n"
            "  Weary     tired        -1\n"
            "\n"
            "  asks for\n"
            "    fact         what it is  what may be given\n"
            "    guard.level              a whole number from 1 to 3  required\n"
            "    guard.oath               a whole number from 1 to 9  may be unknown\n"
            "    guard.size               one of small, large         else small\n"
            "    guard.tired              true or false               else false\n"
        )

    def test_a_check(self, run: Run) -> None:
        found = run("show", "friday", "notice").out
        assert "  Roll 1d6: die\n  If die is at most vigilance, then noticed\n  Otherwise missed\n" in found

    def test_a_choice(self, run: Run) -> None:
        assert run("show", "friday", "size").out == ("choice size\n  small  Small\n  large  Large  Trolls and worse.\n")

    def test_markdown(self, run: Run) -> None:
        assert run("show", "friday", "pay", "--markdown").out == (
            "## table pay\n\n| level | coins | meals |\n| --- | ---: | ---: |\n| 1 | 5 | 1 |\n| 2 or more | 9 | 2 |\n"
        )

    def test_everything(self, run: Run) -> None:
        found = run("show", "friday", "--all").out
        assert found.count("\n\n") > 10
        assert "\ntable watch: How well a guard watches\n" in found
        assert "\nrole guard\n" in found
        assert "not both" in run("show", "friday", "watch", "--all").err

    def test_long_output_is_paged_on_a_terminal(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        paged: list[str] = []
        monkeypatch.setattr("click.echo_via_pager", paged.append)
        monkeypatch.setenv("LINES", "20")
        monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
        assert run("show", "friday", "pay").out.startswith("table pay\n")
        assert paged == []
        assert run("show", "friday", "--all").out == ""
        assert "\ntable pay\n" in paged[0]

    def test_nothing_is_paged_elsewhere(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("click.echo_via_pager", lambda text: pytest.fail("paged"))
        assert run("show", "friday", "--all").code == 0

    def test_what_an_artifact_says_cannot_move_the_cursor(self, run: Run, friday_folder: Path) -> None:
        run("build", "friday")
        data = json.loads((friday_folder / "friday.rules.json").read_bytes())
        data["ruleset"]["title"] = "Friday\x1b[2J\u202e"
        data["tables"][0]["title"] = "Pay | day\n## heading <b> [link](x) *b* `c`"
        del data["content_hash"]
        data["content_hash"] = houserule.content_hash(data)
        (friday_folder / "evil.rules.json").write_text(json.dumps(data))
        assert "Friday\\u{1b}[2J\\u{202e}\n" in run("show", "evil.rules.json").out
        assert run("show", "evil.rules.json", "pay").out.startswith("table pay: Pay | day ## heading <b> [link](x)")
        found = run("show", "evil.rules.json", "pay", "--markdown").out
        assert found.startswith(r"## table pay: Pay \| day \#\# heading \<b\> \[link\](x) \*b\* \`c\`" + "\n\n|")
