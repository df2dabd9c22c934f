"""Every hazard that was measured on careless tools has a case: an input with its findings, or the test that holds it.

`hazards/lines.json` names the hazards by section; `hazards/hazards.json` has the cases of each. A case is one of

- `rules`: the text of a ruleset, with the codes of all findings;
- `generated`: an input of bombs.py, with which test_load.py tries the loader;
- `conformance`: a case of the conformance suite, by file and title;
- `test`: a test, by file and name.
"""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import houserule
from artifacts import complete
from bombs import BOMBS
from conformance_cases import FILES, read
from houserule_compiler import grammar, parse
from houserule_compiler.document import Scalar
from houserule_compiler.limits import Limits, limit_names
from houserule_compiler.load import load
from test_limits import SCHEMA, codes

HERE = Path(__file__).parent
LINES: dict[str, list[str]] = json.loads((HERE / "hazards" / "lines.json").read_text("utf-8"))
HAZARDS: list[dict[str, Any]] = json.loads((HERE / "hazards" / "hazards.json").read_text("utf-8"))
CASES = [(each, case) for each in HAZARDS for case in each["cases"]]


def test_every_hazard_has_a_case() -> None:
    named = [(section, line) for section, lines in LINES.items() for line in lines]
    assert [(each["section"], each["hazard"]) for each in HAZARDS] == named
    assert all(each["cases"] for each in HAZARDS)
    assert len(named) >= 88


@pytest.mark.parametrize("section", LINES)
def test_rules_give_exactly_these_findings(section: str) -> None:
    wrong = {}
    for each, case in CASES:
        if each["section"] == section and "rules" in case:
            found = sorted(codes(case["rules"], Limits()))
            if found != case["codes"]:
                wrong[case["rules"][:80]] = found, case["codes"]
    assert not wrong


@cache
def named_in(file: str) -> set[str]:
    return set(re.findall(r"def (test_\w+)", (HERE / file).read_text("utf-8")))


def test_what_cases_name_is_there() -> None:
    titles = {(file.stem, case["title"]) for file in FILES for case in read(file)["cases"]}
    for _, case in CASES:
        kinds = {"rules", "generated", "conformance", "test"} & case.keys()
        assert len(kinds) == 1
        if "generated" in case:
            assert case["generated"] in BOMBS
        if "conformance" in case:
            assert tuple(case["conformance"]) in titles
        if "test" in case:
            file, _, name = case["test"].partition("::")
            assert name in named_in(file), case


def test_most_inputs_are_refused() -> None:
    counted = Counter(bool(case["codes"]) for _, case in CASES if "rules" in case)
    assert counted[True] > 4 * counted[False]


# --- what no single input shows


def test_the_schema_of_rules_has_no_keyword_that_runs_away() -> None:
    """Alternatives that nest, uniqueness, multiples, and references that leave the schema."""
    whole = json.dumps(SCHEMA)
    for keyword in ("anyOf", "oneOf", "uniqueItems", "multipleOf", "$dynamicRef"):
        assert f'"{keyword}":' not in whole
    assert all(each.startswith("#/$defs/") for each in re.findall(r'"\$ref": "([^"]*)"', whole))


def test_the_grammar_is_read_by_one_parser_that_refuses_what_is_ambiguous() -> None:
    text = Path(grammar.__file__).read_text("utf-8")
    assert 'parser="lalr", lexer="basic"' in text
    assert "earley" not in text


def test_a_thousand_conditions_are_read_at_once() -> None:
    text = "its.class in fighter | paladin and level >= 9 and not surprised or strength > 15"
    document, _ = load("rules.yaml", f"a: {text}\n".encode(), Limits())
    assert document
    scalar, parser = document.root.entries[0].value, parse.Parser(Limits())
    assert isinstance(scalar, Scalar)
    assert parser.expression(scalar)[0]
    start = time.process_time()
    for _ in range(1000):
        parser.expression(scalar)
    assert time.process_time() - start < 5


def test_no_text_of_rules_is_run_as_code() -> None:
    """Literate cases, which are ours, and code that is generated from syntax trees, are all that is ever run."""
    runs = {}
    for root in ("compiler", "runtime"):
        for file in sorted((HERE.parent / root).rglob("*.py")):
            found = re.findall(r"(?<![\w.])(eval|exec|__import__)\(", file.read_text("utf-8"))
            if found:
                runs[file.stem] = sorted(found)
    assert runs == {"cases": ["eval"], "fast_syntax": ["exec"]}


def test_ids_are_sorted_by_their_bytes() -> None:
    """UTF-16 would put the last one in front of the one before."""
    items = ["a", "\u00e9", "\uffff", "\U0001f600"]
    root = complete({})
    root["ruleset"]["sources"] = {each: {"title": "", "items": {}} for each in reversed(items)}
    hashed = {**root, "ruleset": {**root["ruleset"], "sources": {}}}
    del hashed["content_hash"]
    keys = ",".join(f'"{each}":{{"items":{{}},"title":""}}' for each in items)
    text = json.dumps(hashed, separators=(",", ":"), sort_keys=True).replace('"sources":{}', f'"sources":{{{keys}}}')
    assert houserule.content_hash(root) == f"sha256:{sha256(text.encode()).hexdigest()}"


def test_the_page_of_safety_has_these_figures() -> None:
    page = (HERE.parent / "docs" / "safety.md").read_text("utf-8")
    counted = Counter(key for _, case in CASES for key in case if key != "codes")
    assert f"{len(HAZARDS)} inputs, files and tricks" in page
    assert f"{counted['rules']} texts of rules" in page
    assert f"{counted['generated']} inputs that a program makes" in page
    assert f"{counted['conformance']} cases of the conformance suite" in page
    assert f"{counted['test']} references to the test" in page
    assert f"{len(limit_names())} limits bound" in page
    results = (HERE.parent / "docs" / "conformance.md").read_text("utf-8").splitlines()[-1].split("|")
    every, failing, _, generated = (each.strip() for each in results[2:6])
    assert f"asks {every} questions, {failing} of them" in page
    assert f"| conformance, generated code | {generated.split()[-1]} | {generated.split()[0]} |" in page
