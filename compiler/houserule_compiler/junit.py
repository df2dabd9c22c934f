"""What a run found as JUnit's XML, the form in which build servers take the results of tests.

XML can hold few control characters, and none as an escape; they are written as `\\u{...}`, like everywhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from .characters import visible
from .diagnostics import Diagnostic, Severity
from .examined import Examined, Example, is_at_least, summary
from .render import full


def suites(run: Sequence[Examined], least: Severity) -> str:
    """The results of a run: a suite for each ruleset, with a test for each example and for each other finding.

    A finding that weighs less than `least` is told, and fails nothing.
    """
    top = Element("testsuites", {"name": "houserule"})
    for each in run:
        _suite(SubElement(top, "testsuite", {"name": visible(each.name)}), each, least)
    _count(top, top.iter("testcase"))
    indent(top, " ")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(top, "unicode")}\n'


def _suite(suite: Element, examined: Examined, least: Severity) -> None:
    for example in examined.examples:
        _tried(suite, example, least)
    own = {each for example in examined.examples for each in example.diagnostics}
    others = [each for each in examined.diagnostics if each not in own]
    for each in others:
        _told(_case(suite, each.code, each.span.file.name), [each], least)
    if examined.refusal:
        case = _case(suite, "artifact", examined.name)
        SubElement(case, "error", {"message": visible(examined.refusal)})
    elif not others and not examined.examples:
        SubElement(_case(suite, "validate", examined.name), "system-out").text = visible(summary(examined))
    _count(suite, suite.iter("testcase"))


def _tried(suite: Element, example: Example, least: Severity) -> None:
    _told(_case(suite, example.id, example.span.file.name), example.diagnostics, least)


def _case(suite: Element, name: str, place: str) -> Element:
    return SubElement(suite, "testcase", {"name": visible(name), "classname": visible(place)})


def _told(case: Element, found: Sequence[Diagnostic], least: Severity) -> None:
    """One failure for all that fails a test; XML's readers know no second one."""
    failing = [each for each in found if is_at_least(each, least)]
    if failing:
        first = failing[0]
        attributes = {"message": visible(first.headline), "type": f"{first.severity.value}[{first.code}]"}
        SubElement(case, "failure", attributes).text = full(failing)
    told = [each for each in found if not is_at_least(each, least)]
    if told:
        SubElement(case, "system-out").text = full(told)


def _count(element: Element, cases: Iterable[Element]) -> None:
    every = list(cases)
    element.set("tests", str(len(every)))
    element.set("failures", str(sum(each.find("failure") is not None for each in every)))
    element.set("errors", str(sum(each.find("error") is not None for each in every)))
