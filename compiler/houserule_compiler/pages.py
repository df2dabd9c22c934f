"""The generated pages of the documentation: messages, command line, limits, coverage; answers in the README.
And the tables of the grammar.

`python -m houserule_compiler.pages` writes them, and what the commands of the guide print; with `--check` it only says
which pages are out of date, and exits with 1. The guide is left to the tests then, which walk through it.
Works in a checkout alone, because the messages' pages are made from the cases that the tests execute.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import re
import sys
import tempfile
from pathlib import Path

from . import limits
from .cases import CaseFile, Section, compiled, read_cases
from .diagnostics import has_errors, in_file_order
from .grammar import tables_text
from .inventory import inventory_page
from .limits import Limits, limit
from .load import load
from .pipeline import try_examples
from .render import full
from .shipped import shipped
from .walkthrough import walked

_ROOT = Path(__file__).parent.parent.parent
GUIDE = _ROOT / "docs" / "guide.md"
_MOST_SHOWN = 20
# A command in a remark, and below it a block with the command and what it prints.
_ANSWER = re.compile(r"<!-- answer: (.*?) -->\n```console\n.*?```", re.DOTALL)
_MADE = "<!-- Made by `python -m houserule_compiler.pages` from {source}; change that, not this. -->"


def pages() -> dict[Path, str]:
    """Every generated page by its path, as it should be."""
    cases = _ROOT / "tests" / "cases" / "diagnostics"
    read = {each: read_cases((cases / f"{each}.md").read_text("utf-8")) for each in sorted(_codes())}
    docs = _ROOT / "docs"
    found = {docs / "diagnostics" / f"{code}.md": _message_page(code, case) for code, case in read.items()}
    found[docs / "diagnostics" / "README.md"] = _index(read)
    found[docs / "command-line.md"] = _command_line()
    found[docs / "limits.md"] = _limits()
    found[docs / "coverage.md"] = _coverage()
    found[Path(__file__).with_name("grammar.json")] = tables_text()
    found[_ROOT / "README.md"] = _ANSWER.sub(_answered, (_ROOT / "README.md").read_text("utf-8"))
    return found


def stale() -> list[str]:
    """The generated pages that are missing, out of date, or no longer made, by their path in the checkout."""
    wanted = pages()
    extra = [each for each in (_ROOT / "docs" / "diagnostics").glob("*.md") if each not in wanted]
    changed = [path for path, text in wanted.items() if not path.exists() or path.read_text("utf-8") != text]
    return sorted(path.relative_to(_ROOT).as_posix() for path in [*changed, *extra])


def main(arguments: list[str]) -> int:
    """Writes the pages, or with `--check` only compares them."""
    found = stale()
    if "--check" not in arguments:
        wanted = pages()
        for path in map(_ROOT.joinpath, found):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(wanted[path], "utf-8") if path in wanted else path.unlink()
        GUIDE.write_text(guide(), "utf-8")
        return 0
    sys.stdout.write("".join(f"{each} is out of date\n" for each in found))
    return 1 if found else 0


def guide() -> str:
    """The guide with what its commands print now."""
    from .cli import main as command

    with tempfile.TemporaryDirectory() as folder:
        return walked(GUIDE.read_text("utf-8"), Path(folder), command)


def _answered(found: re.Match[str]) -> str:
    from .cli import main as command

    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        code = command(found[1].split())
    assert code == 0, f"`{found[1]}` ended with {code}"
    return f"<!-- answer: {found[1]} -->\n```console\n$ houserule {found[1]}\n{printed.getvalue()}```"


def _message_page(code: str, case: CaseFile) -> str:
    why, fails, mended = (case.sections[at] for at in range(3))
    parts = [
        f"# {code}",
        case.head.prose,
        "## Why it matters",
        why.prose,
        "## An example that fails",
        *_shown(fails),
        f"```text\n{_rendered(fails, code)}```",
        "## Mended",
        *_shown(mended),
        _MADE.format(source=f"tests/cases/diagnostics/{code}.md"),
    ]
    return "\n\n".join(each for each in parts if each) + "\n"


def _shown(section: Section) -> list[str]:
    """The prose and files of an example; an input that Markdown cannot hold stands as the expression that makes it."""
    parts = [section.prose]
    for each in section.blocks:
        if each.language == "sh":
            parts.append(f"```sh\n{each.text}```")
        elif each.language == "yaml":
            parts += (
                [f"`{each.name}`", f"```yaml\n{each.text}```"]
                if len(section.blocks) > 1
                else [f"```yaml\n{each.text}```"]
            )
        elif each.language == "before":
            parts += [f"`{each.name}`, when it was accepted", f"```yaml\n{each.text}```"]
        elif each.language == "json" and each.text:
            parts += [f"`{each.name}`", f"```json\n{each.text}```"]
        elif each.language == "refused":
            parts += [f"`{each.name}` stands in", f"```text\n{each.text}```"] if "\n" in each.text.strip() else []
        elif each.language == "generate":
            parts += ["This cannot be shown as text; in Python it is", f"```python\n{each.text}```"]
    return parts


def _rendered(section: Section, code: str) -> str:
    """All that is found in an example; of very many findings, only those that the page is about."""
    schema = json.loads((shipped("schemas") / "rules.schema.json").read_text("utf-8"))
    found = compiled(section, schema, Limits(), _codes)
    tried = [] if has_errors(found.diagnostics) else try_examples(found).diagnostics
    refused = found.refused if section.is_asked else ()
    all_found = in_file_order([*found.diagnostics, *tried, *refused])
    return full(each for each in all_found if each.code == code or len(all_found) <= _MOST_SHOWN)


def _codes() -> list[str]:
    return [each.stem for each in (_ROOT / "tests" / "cases" / "diagnostics").glob("*.md")]


def _index(cases: dict[str, CaseFile]) -> str:
    rows = [f"| [`{code}`]({code}.md) | {_first_sentence(case.head.prose)} |" for code, case in sorted(cases.items())]
    head = (
        "# Messages\n\nEvery message of the compiler, by its code. `houserule diagnostic CODE` prints a page.\n\n"
        "| code | what it means |\n|---|---|\n"
    )
    return head + "\n".join(rows) + "\n\n" + _MADE.format(source="tests/cases/diagnostics") + "\n"


def _first_sentence(prose: str) -> str:
    return prose.replace("\n", " ").split(". ")[0].rstrip(".") + "."


def _command_line() -> str:
    from importlib import import_module

    import click

    from .overview import COMMANDS, overview

    parts = ["# The command line", f"```text\n{overview()}```"]
    for name in COMMANDS:
        command: click.Command = import_module(f".commands.{name}", __package__).command
        context = click.Context(
            command,
            info_name=f"houserule {name}",
            max_content_width=110,
            terminal_width=110,
            help_option_names=["-h", "--help"],
        )
        parts += [f"## {name}", f"```text\n{command.get_help(context)}\n```"]
    parts.append(_MADE.format(source="the commands"))
    return "\n\n".join(parts) + "\n"


def _coverage() -> str:
    data = (_ROOT / "tests" / "inventory.yaml").read_bytes()
    document, problems = load("tests/inventory.yaml", data, Limits())
    assert document is not None, problems
    return inventory_page(document) + "\n" + _MADE.format(source="tests/inventory.yaml") + "\n"


def _limits() -> str:
    """The limits with the comments that stand above them in the code."""
    lines = Path(limits.__file__).read_text("utf-8").splitlines()
    rows: list[str] = []
    for each in next(node for node in ast.parse("\n".join(lines)).body if isinstance(node, ast.ClassDef)).body:
        if not isinstance(each, ast.AnnAssign) or not isinstance(each.target, ast.Name):
            continue
        above = lines[each.lineno - 2].strip()
        if above.startswith("# "):
            rows.append(f"\n{above.removeprefix('# ')}\n\n| limit | at most |\n|---|---|")
        name = each.target.id.replace("_", "-")
        rows.append(f"| `{name}` | {limit(Limits(), name):,} |")
    head = (
        "# Limits\n\nThey keep rules of strangers harmless. `--limit NAME=VALUE` changes one; under `--untrusted`, "
        "which is the default where `CI` is set, none can be raised.\n"
    )
    return head + "\n".join(rows) + "\n\n" + _MADE.format(source="compiler/houserule_compiler/limits.py") + "\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
