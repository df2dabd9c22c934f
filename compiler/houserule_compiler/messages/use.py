"""Messages about the command line: a ruleset, a definition, a fact or an option that cannot be what was typed.

These stop a command. They have no place in a rules file, and so they are sentences and not diagnostics.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ..characters import visible
from ..suggest import nearest
from ..wrong_use import WrongUse


def meant(word: str, names: Iterable[str], otherwise: str = "") -> str:
    """`; did you mean ...?` where something is near, else `; ` and what to do instead, else nothing."""
    near = [f"`{each}`" for each in nearest(word, names)]
    if near:
        return f"; did you mean {' or '.join(near)}?"
    return f"; {otherwise}" if otherwise else ""


MOST_LISTED = 8
"""So many names are listed in a message."""


def nothing_to_show(what: str) -> WrongUse:
    """`show` is to show something of a ruleset, and none is named."""
    return WrongUse(f"`{what}` needs the name of a ruleset; `houserule show` alone lists them")


def unknown_ruleset(word: str, names: Iterable[str]) -> WrongUse:
    """A bare word that is neither here nor on the search path."""
    known = sorted(set(names))
    listed = f"there are {', '.join(f'`{each}`' for each in known)}" if known else "name a folder that holds rules"
    if len(known) > MOST_LISTED:
        listed = "`houserule show` lists all that there are"
    return WrongUse(f"no ruleset named `{visible(word)}`{meant(word, known, listed)}")


def no_such_path(path: str) -> WrongUse:
    """A path at which nothing stands."""
    return WrongUse(f"there is no `{visible(path)}`")


def link(path: str) -> WrongUse:
    """A path that leads over a link."""
    return WrongUse(f"`{visible(path)}` is a link, and links are not followed; put the files themselves there")


def special_file(path: str) -> WrongUse:
    """A pipe, a device or a socket where a file is due."""
    return WrongUse(f"`{visible(path)}` is neither a file nor a folder; rules are read from plain files only")


def unreadable(path: str) -> WrongUse:
    """A file or folder that the system does not let us read."""
    return WrongUse(f"`{visible(path)}` cannot be read; look at who may read it")


def not_a_file(path: str) -> WrongUse:
    """A folder where a file is due."""
    return WrongUse(f"`{visible(path)}` is a folder, and a file is due here")


def not_a_folder(path: str) -> WrongUse:
    """A file where a folder is due."""
    return WrongUse(f"`{visible(path)}` is not a folder")


def not_rules(path: str) -> WrongUse:
    """A file of a kind that is no ruleset."""
    return WrongUse(f"`{visible(path)}` holds no rules; name a folder, a `.yaml` file or a built `.json` file")


def no_manifest(path: str, has_yml: bool) -> WrongUse:
    """A folder without `ruleset.yaml`, perhaps with a `ruleset.yml`."""
    rename = "; rename its `ruleset.yml`" if has_yml else ""
    return WrongUse(f"`{visible(path)}` is no ruleset: it has no `ruleset.yaml`{rename}")


def stands_inside(name: str) -> WrongUse:
    """The name of the very ruleset in whose folder the user stands."""
    return WrongUse(f"this is the folder of `{visible(name)}` itself; write `.` for it, or go to the folder above")


def found_twice(name: str, places: Sequence[str]) -> WrongUse:
    """One name that two rulesets of the search path have, or a name and a folder here."""
    both = " and ".join(f"`{visible(each)}`" for each in places)
    return WrongUse(f"`{visible(name)}` can mean {both}; write the path of the one that is meant, as in `./{name}`")


def no_rulesets_here() -> WrongUse:
    """`validate` or `test` without a name, in a folder without rules."""
    return WrongUse("no ruleset under this folder; name one, or go to the folder that holds it")


def file_too_large(path: str, limit: int) -> WrongUse:
    """A file that is no ruleset's, beyond its limit."""
    return WrongUse(f"`{visible(path)}` is larger than {limit} bytes")


def too_many_files(path: str, limit: int) -> WrongUse:
    """A ruleset of more files than the limit."""
    return WrongUse(f"`{visible(path)}` holds more than {limit} files; `--limit files=NUMBER` allows more")


def name_too_long(word: str, limit: int) -> WrongUse:
    """A ruleset's name beyond the limit."""
    return WrongUse(f"a ruleset's name has at most {limit} characters, and `{visible(word[:20])}...` has {len(word)}")


def not_a_name(word: str) -> WrongUse:
    """A name that no ruleset may have."""
    fit = "-".join(re.findall(r"[a-z0-9]+", word.lower())).lstrip("0123456789-")
    return WrongUse(
        f"`{visible(word)}` is no name for a ruleset: small letters and digits, words joined by `-`"
        + (f", as in `{fit}`" if fit else ", as in `friday-night`")
    )


def name_taken(name: str, path: str) -> WrongUse:
    """A new ruleset with the name of another."""
    return WrongUse(f"there is a ruleset `{name}` already, in `{visible(path)}`; choose another name")


def in_the_way(path: str) -> WrongUse:
    """Something stands where a new ruleset would be made."""
    return WrongUse(f"`{visible(path)}` is there already; choose another name, or move it away")


def makes_nothing(name: str) -> WrongUse:
    """`new` for rules that are not trusted."""
    return WrongUse(f"`{visible(name)}` is not made for untrusted rules; add `--trusted` if the rules are yours")


def path_for_name(word: str) -> WrongUse:
    """A path where only the name of a ruleset will do."""
    return WrongUse(
        f"`{visible(word)}` is no name of a ruleset; give the name, and the folder that holds it with `--path`"
    )


def unfit(headline: str, help: str) -> WrongUse:
    """Rulesets that cannot come together in a new one."""
    return WrongUse(f"{headline}{f'; {help}' if help else ''}")


def other_suffix(path: str) -> str:
    """A note on a file that was passed over."""
    return f"note: `{visible(path)}` is not read; files of rules end in `.yaml`"


def unknown_command(word: str, commands: Iterable[str]) -> WrongUse:
    """A word in the place of a command."""
    return WrongUse(f"no command `{visible(word)}`{meant(word, commands, '`houserule --help` lists them')}")


def usage(reason: str, command: str) -> WrongUse:
    """An option or argument that the command does not take as written."""
    reason = re.sub(r"'([^']*)'", r"`\1`", reason.strip().rstrip("."))
    return WrongUse(f"{visible(reason[:1].lower() + reason[1:])}; `{command} --help` tells what it takes")


def unknown_flag(flag: str, flags: Iterable[str], command: str) -> WrongUse:
    """An option that the command does not have."""
    if re.fullmatch(r"-[0-9]+", flag):
        return WrongUse(f"`{flag}` looks like an option; before a key below 0 stands `--`: `{command} ... -- KEY`")
    return WrongUse(f"no option `{visible(flag)}`{meant(flag, flags, f'`{command} --help` lists them')}")


def our_fault(part: str, file: str, kind: str) -> str:
    """A fault of this program, and not of the rules."""
    at = f" while it was at `{visible(file)}`" if file else ""
    return (
        f"a fault of ours, and not of your rules, in `{part or 'the command line'}`{at} ({kind})\n"
        "please report it with these rules; HOUSERULE_TRACEBACK=1 shows where it happened"
    )


def not_an_assignment(option: str, form: str, written: str) -> WrongUse:
    """An argument without the `=` that it needs."""
    return WrongUse(f"expected {form}{f' after `{option}`' if option else ''}, found `{visible(written)}`")


def needs_facts(name: str, kind: str, written: str, facts: Sequence[str]) -> WrongUse:
    """A key after a number or an action, as if it were a table."""
    reads = f"it reads {', '.join(f'`{each}`' for each in facts)}" if facts else "it reads none"
    return WrongUse(f"`{name}` is {_a(kind)} and takes FACT=VALUE, not `{visible(written)}`; {reads}")


def _a(kind: str) -> str:
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"


def unknown_limit(name: str, names: Iterable[str]) -> WrongUse:
    """`--limit` with a limit that does not exist."""
    known = list(names)
    return WrongUse(f"no limit `{visible(name)}`{meant(name, known, 'there are ' + ', '.join(known))}")


def not_a_limit(name: str, value: str) -> WrongUse:
    """`--limit` with something other than a whole number of at least 1."""
    return WrongUse(f"the limit `{name}` is a whole number of at least 1, not `{visible(value)}`")


def raised_limit(name: str, default: int) -> WrongUse:
    """`--limit` above the default for rules that are not trusted."""
    return WrongUse(
        f"the limit `{name}` stays at {default} for untrusted rules; `--trusted` allows more, if the rules are yours"
    )


def beyond_all_runtimes(name: str, most: int) -> WrongUse:
    """`--limit` above what any runtime takes."""
    return WrongUse(f"the limit `{name}` is at most {most}: none can take more")


def writes_nothing(path: str) -> WrongUse:
    """`build` or `schema` to a file for rules that are not trusted."""
    return WrongUse(
        f"`{visible(path)}` is not written for untrusted rules; add `--trusted` if the rules are yours, "
        "or print it with `-o -`"
    )


def lays_out_nothing() -> WrongUse:
    """`fmt` of rules that are not trusted."""
    return WrongUse(
        "no file is written for untrusted rules; `--check` or `--diff` tells what would change, and `--trusted` "
        "writes, if the rules are yours"
    )


def shipped_stays(name: str) -> WrongUse:
    """A command that would write into a ruleset that came with the compiler."""
    return WrongUse(f"`{visible(name)}` comes with houserule, and is not changed; name rules of your own")


def keeps_layout(path: str, line: int) -> str:
    """A note on a file that `fmt` has no rule for."""
    return f"note: `{visible(path)}` keeps its layout, because line {line} has a key behind a `?`; write it without"


def writes_no_lock(path: str) -> WrongUse:
    """`accept` for rules that are not trusted."""
    return WrongUse(f"`{visible(path)}` is not written for untrusted rules; add `--trusted` if the rules are yours")


def no_such_edit(path: str, known: Iterable[str], ruleset: str) -> WrongUse:
    """`accept` of a path that the ruleset does not change."""
    otherwise = f"`houserule accept {visible(ruleset)}` records all that it changes"
    return WrongUse(f"`{visible(ruleset)}` changes nothing at `{visible(path)}`{meant(path, known, otherwise)}")


_UNWRITTEN = {
    "no_room": ": there is no room for it on its disk",
    "is_folder": ": a folder of that name is there",
    "long_name": ": its name is too long",
    "no_folder": ": there is no such folder",
    "changed": ": somebody has changed it meanwhile; run the command again",
}


def unwritable(path: str, why: str = "") -> WrongUse:
    """A file that cannot be written, and why, where that is known."""
    reason = _UNWRITTEN.get(why, "; look at its folder, and at who may write there")
    return WrongUse(f"`{visible(path)}` cannot be written{reason}")


def output_unwritable() -> str:
    """There is no room for what is printed."""
    return "what is printed cannot be written: there is no room for it"


def no_folder_here() -> WrongUse:
    """The folder in which the command was called is not there any more."""
    return WrongUse("the folder that this is called in is gone; change to one that is there")


def artifact_has_no_source(path: str, command: str) -> WrongUse:
    """`build` or `test` of what is built already."""
    return WrongUse(f"`{visible(path)}` is built already, and `{command}` takes the rules that it was built from")


def unknown_definition(word: str, kinds: str, names: Iterable[str], ruleset: str) -> WrongUse:
    """A definition that the ruleset does not have."""
    otherwise = f"`houserule show {ruleset}` lists them"
    return WrongUse(f"`{visible(ruleset)}` has no {kinds} `{visible(word)}`{meant(word, names, otherwise)}")


def still_has_errors(ruleset: str) -> str:
    """A note that an answer is about rules that do not compile."""
    return f"note: `{visible(ruleset)}` has errors; `houserule validate {visible(ruleset)}` tells them"


def all_and_one(word: str) -> WrongUse:
    """`show` with a definition and `--all`."""
    return WrongUse(f"give `{visible(word)}` or `--all`, not both")


def unknown_code(code: str, codes: Iterable[str]) -> WrongUse:
    """A code that no message has."""
    return WrongUse(f"no message `{visible(code)}`{meant(code, codes, '`houserule diagnostic` lists them')}")


def given_twice(name: str) -> WrongUse:
    """One name with two values."""
    return WrongUse(f"`{visible(name)}` is given twice; give it once")


def not_a_die(path: str, value: str) -> WrongUse:
    """`--dice` with something other than a number or numbers."""
    return WrongUse(f"`{visible(path)}` is a number, or faces as in `3,5`; found `{visible(value)}`")


def seed_and_dice() -> WrongUse:
    """`roll` with both."""
    return WrongUse("give `--seed` or `--dice`, not both; a seed rolls the dice that `--dice` would give")


def not_json(path: str) -> WrongUse:
    """A `.json` file of facts that is no JSON."""
    return WrongUse(f"`{visible(path)}` is no JSON file, or gives one key twice")


def no_facts(path: str) -> WrongUse:
    """A file of facts that is no map."""
    return WrongUse(f"`{visible(path)}` gives no facts; write one `fact: value` a line")


def watching(number: int) -> str:
    """What `--watch` says while it waits."""
    return f"watching {number} file{'s' * (number != 1)}; Ctrl-C ends"


def changed(paths: Sequence[str]) -> str:
    """What `--watch` says before it validates again."""
    return f"\nchanged: {', '.join(visible(each) for each in paths)}"


NOT_GIVEN = "not given"
"""In place of a value, where the check goes a way on which it is not there."""


def mean(exact: str, decimal: str, is_partly: bool) -> str:
    """The mean of a die or value."""
    shown = exact if exact == decimal else f"{exact} = {decimal}"
    return f"mean {shown}" + (", where it is given" if is_partly else "")
