"""Findings for other tools: annotations, code scanning results, test results. Nothing of a file can leave its place."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft4Validator

from friday import RULES, Run, change
from houserule_compiler.diagnostics import Diagnostic, Label, Severity, error, note, warning
from houserule_compiler.examined import Examined, Example, counts, total
from houserule_compiler.github import workflow_commands
from houserule_compiler.junit import suites
from houserule_compiler.sarif import log
from houserule_compiler.source import SourceFile, Span

FILE = SourceFile("rules/pay, 50%: a.yaml", "rows: {..5: low, 5..9: high}\nlast: 1\n")
OVERLAP = error(
    "overlapping-rows",
    "two rows cover 5",
    Label(Span(FILE, 17, 21), "this row starts at 5"),
    Label(Span(FILE, 7, 10), "this row covers 5"),
    notes=["rows are closed\nat both ends"],
    help="start at 6",
)
WARNING = warning("missing-source", "`pay` names no source", Label(Span(FILE, 0, 36)))
SPAN = Span(FILE, 0, 1)
NOTE = note("answer-changed", "it is 3 now", Label(Span(FILE, 29, 29)))
# What could end a command, a property, a tag or a text, and what XML cannot hold.
HOSTILE = "::error::%0A,:]]>\"'&<x>\r\n::add-mask::\x1b[2J\x00\ufffe\u2028"


def finding(text: str) -> Diagnostic:
    file = SourceFile(f"a{text}.yaml", f"x{text}\n")
    return error(
        "some-code", text, Label(Span(file, 0, 1), text), Label(Span(file, 0, 1), text), notes=[text], help=text
    )


class TestGithub:
    def test_a_finding(self) -> None:
        assert workflow_commands([OVERLAP]) == (
            "::error file=rules/pay%2C 50%25%3A a.yaml,line=1,endLine=1,col=18,endColumn=21,title=overlapping-rows::"
            "two rows cover 5%0Athis row starts at 5%0Arules/pay, 50%25: a.yaml:1:8: this row covers 5"
            "%0Anote: rows are closed%0Aat both ends%0Ahelp: start at 6\n"
        )

    def test_columns_are_left_out_of_several_lines(self) -> None:
        assert "line=1,endLine=2,title=" in workflow_commands([WARNING])

    @pytest.mark.parametrize(("found", "level"), [(OVERLAP, "error"), (WARNING, "warning"), (NOTE, "notice")])
    def test_levels(self, found: Diagnostic, level: str) -> None:
        assert workflow_commands([found]).startswith(f"::{level} ")

    def test_paths_begin_at_the_top_of_the_checkout(self) -> None:
        assert workflow_commands([NOTE], "homebrew/").startswith("::notice file=homebrew/rules/pay")

    @given(st.text() | st.just(HOSTILE))
    def test_one_line_whatever_the_text(self, text: str) -> None:
        printed = workflow_commands([finding(text)])
        assert len(re.split("[\r\n\x0b\x0c\x1c-\x1e\x85\u2028\u2029]", printed)) == 2
        properties = printed.split("::")[1].removeprefix("error ").split(",")
        names = [each.partition("=")[0] for each in properties]
        assert names == ["file", "line", "endLine", "col", "endColumn", "title"]


@cache
def sarif_schema() -> Draft4Validator:
    return Draft4Validator(json.loads((Path(__file__).parent / "sarif" / "sarif-2.1.0.schema.json").read_text("utf-8")))


def valid_log(found: list[Diagnostic], folder: str = "", is_whole: bool = True) -> Any:
    data = json.loads(log(found, "1.2.3", lambda code: f"About {code}", folder, is_whole))
    assert [each.message for each in sarif_schema().iter_errors(data)] == []
    (run,) = data["runs"]
    return run


class TestSarif:
    def test_results(self) -> None:
        run = valid_log([NOTE, OVERLAP], "homebrew/")
        first, second = run["results"]
        assert (first["ruleId"], first["level"], second["level"]) == ("overlapping-rows", "error", "note")
        assert run["tool"]["driver"]["rules"][first["ruleIndex"]]["id"] == "overlapping-rows"
        place = first["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"] == "homebrew/rules/pay%2C%2050%25%3A%20a.yaml"
        assert place["region"] == {"startLine": 1, "startColumn": 18, "endLine": 1, "endColumn": 22}
        assert first["message"]["text"] == "two rows cover 5\nnote: rows are closed\nat both ends\nhelp: start at 6"
        assert first["relatedLocations"][0]["message"]["text"] == "this row covers 5"

    def test_nothing_found(self) -> None:
        assert valid_log([])["results"] == []

    def test_what_could_not_be_examined(self) -> None:
        assert valid_log([], is_whole=False)["invocations"][0]["executionSuccessful"] is False

    def test_a_service_takes_so_many(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("houserule_compiler.sarif.MOST_RESULTS", 3)
        run = valid_log([WARNING] * 3 + [OVERLAP])
        assert len(run["results"]) == 3
        assert run["results"][0]["level"] == "error"
        assert run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"].startswith("1 of 4")

    def test_the_schema_refuses_what_is_no_log(self) -> None:
        assert list(sarif_schema().iter_errors({"version": "2.1.0", "runs": [{"results": [{"level": "fatal"}]}]}))

    @given(st.text() | st.just(HOSTILE))
    def test_valid_whatever_the_text(self, text: str) -> None:
        valid_log([finding(text)])


def xml(run: list[Examined], least: Severity = Severity.WARNING) -> ElementTree.Element:
    return ElementTree.fromstring(suites(run, least).encode("utf-8"))


def numbers(element: ElementTree.Element) -> tuple[str | None, ...]:
    return tuple(element.get(each) for each in ("tests", "failures", "errors"))


class TestJunit:
    def test_findings_and_examples(self) -> None:
        tried = (
            Example("small", SPAN, (OVERLAP, NOTE), False),
            Example("large", SPAN, (), True),
        )
        top = xml([Examined("friday", (OVERLAP, NOTE, WARNING), tried), Examined("monday", remark="no faults found")])
        friday, monday = top
        assert numbers(top) == ("4", "2", "0")
        assert numbers(friday) == ("3", "2", "0")
        assert numbers(monday) == ("1", "0", "0")
        assert [each.get("name") for each in friday] == ["small", "large", "missing-source"]
        failure = friday[0].find("failure")
        assert failure is not None
        assert failure.get("message") == "two rows cover 5"
        assert "^^^^ this row starts at 5" in (failure.text or "")
        assert "answer-changed" in (friday[0].findtext("system-out") or "")

    def test_what_weighs_less_fails_nothing(self) -> None:
        run = [Examined("friday", (WARNING, NOTE))]
        assert [numbers(xml(run, each)) for each in Severity] == [("2", "0", "0"), ("2", "1", "0"), ("2", "2", "0")]

    def test_a_refused_artifact(self) -> None:
        assert numbers(xml([Examined("friday", refusal="not whole")])) == ("1", "0", "1")

    @given(st.text() | st.just(HOSTILE))
    def test_well_formed_whatever_the_text(self, text: str) -> None:
        top = xml([Examined(text, (finding(text),))])
        assert [each.tag for each in top.iter()] == ["testsuites", "testsuite", "testcase", "failure"]


class TestCounts:
    def test_each_severity_that_occurs(self) -> None:
        assert counts([WARNING, OVERLAP, WARNING]) == "1 error, 2 warnings"
        assert counts([]) == ""

    def test_of_a_run(self) -> None:
        tried = (Example("small", SPAN, (OVERLAP,), False), Example("large", SPAN, (), True))
        assert total([Examined("a", (OVERLAP,), tried)]) == "1 ruleset: 1 of 2 examples passed, 1 error"
        assert total([Examined("a"), Examined("b", refusal="not whole")]) == "2 rulesets: 1 refused"


SOURCE = "sources: {book: {title: A book, items: {A1: Watch}}}\n"


class TestCommand:
    @pytest.mark.parametrize(("least", "code"), [("error", 0), ("warning", 1), ("note", 1)])
    def test_fail_on(self, run: Run, friday_folder: Path, least: str, code: int) -> None:
        (friday_folder / "friday.yaml").write_text(RULES + SOURCE)
        found = run("validate", "friday", "--format", "concise", "--fail-on", least)
        assert found.code == code
        assert "warning[missing-source]" in found.out

    def test_annotations_below_the_top_of_a_checkout(
        self, run: Run, friday_folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        change(friday_folder, "its.tired", "its.tierd")
        monkeypatch.setenv("GITHUB_WORKSPACE", str(friday_folder.parent))
        found = run("validate", "--format", "github").out.splitlines()
        assert found[0].startswith(f"::error file={friday_folder.name}/friday.yaml,line=21,endLine=21,col=")
        assert found[1:] == ["houserule: 1 ruleset: 1 error"]

    def test_a_log_of_several_rulesets(self, run: Run, friday_folder: Path) -> None:
        change(friday_folder, "its.tired", "its.tierd")
        (friday_folder / "monday.yaml").write_text(RULES.replace("friday", "monday").replace("die <=", "dye <="))
        found = run("validate", "friday", "monday.yaml", "friday.yaml", "--format", "sarif")
        assert found.code == 1
        data = json.loads(found.out)
        assert [each.message for each in sarif_schema().iter_errors(data)] == []
        results = data["runs"][0]["results"]
        assert [each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for each in results] == [
            "friday.yaml",
            "monday.yaml",
        ]
        assert data["runs"][0]["tool"]["driver"]["rules"][0]["shortDescription"]["text"]

    @pytest.mark.parametrize("format", ["github", "sarif"])
    def test_a_fault_of_a_base_is_annotated_once(self, run: Run, friday_folder: Path, format: str) -> None:
        change(friday_folder, "its.tired", "its.tierd")
        (friday_folder / "monday.yaml").write_text("ruleset: monday\nextends: friday\n")
        assert run("validate", "--format", "concise").out.count("tierd") == 2
        assert run("validate", "--format", format).out.count("`its` has no field `tierd`") == 1

    def test_examples_as_test_results(self, run: Run, friday_folder: Path) -> None:
        change(friday_folder, "value: 4", "value: 5")
        found = run("test", "friday", "--format", "junit")
        assert found.code == 1
        top = ElementTree.fromstring(found.out)
        assert numbers(top) == ("1", "1", "0")
        assert top.find("testsuite/testcase[@name='small']/failure") is not None

    def test_a_summary_below_several(self, run: Run, friday_folder: Path) -> None:
        change(friday_folder, "its.tired", "its.tierd")
        (friday_folder / "monday.yaml").write_text(RULES.replace("friday", "monday"))
        found = run("validate")
        assert found.code == 1
        assert found.out.endswith("\nfriday: 1 error\nmonday: no faults found\n2 rulesets: 1 error\n")

    def test_a_refused_artifact_does_not_end_the_run(self, run: Run, friday_folder: Path) -> None:
        (friday_folder / "broken.rules.json").write_text("{}")
        found = run("validate", "broken.rules.json", "friday")
        assert found.code == 1
        assert found.err.startswith("houserule: ")
        assert found.out == "broken: refused\nfriday: no faults found\n2 rulesets: 1 refused\n"

    def test_a_bar_on_a_terminal_alone(
        self, run: Run, friday_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (friday_folder / "monday.yaml").write_text(RULES.replace("friday", "monday"))
        assert run("validate").err == ""
        monkeypatch.setattr("sys.stderr.isatty", lambda: True)
        found = run("validate")
        assert "[" in found.err
        assert found.out == "friday: no faults found\nmonday: no faults found\n2 rulesets: no faults found\n"
