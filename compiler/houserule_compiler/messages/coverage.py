"""What `houserule test --coverage` says: what no example exercises, and how much of each kind is exercised."""

from __future__ import annotations


def row(keys: str) -> str:
    """A row of a table that no example reads."""
    return f"no example reads the row `{keys}`"


def never_applies(number: str) -> str:
    """A modifier that applies in no example."""
    return f"no example in which it adjusts `{number}`"


def always_applies(number: str) -> str:
    """A modifier that applies in every example."""
    return f"no example in which it leaves `{number}` alone"


def grade(key: str, number: str) -> str:
    """A grade of a modifier that counts in no example."""
    return f"no example in which the grade `{key}` adjusts `{number}`"


def case(step: str, case: str) -> str:
    """A case, or a step with one case, that no example takes."""
    where = f" of the step `{step}`" if step and case else ""
    return f"no example takes the case `{case}`{where}" if case else _whole(step)


def _whole(step: str) -> str:
    return f"no example comes to the step `{step}`" if step else "no example rolls it"


def requirement(name: str, is_met: bool) -> str:
    """A requirement of an action that every example meets, or none."""
    return f"no example in which `{name}` is {'met' if is_met else 'not met'}"


def trigger(holds: bool) -> str:
    """A trigger that holds in no example, or in every one."""
    return f"no example in which it {'holds' if holds else 'does not hold'}"


def step(name: str) -> str:
    """A step of a sequence in which nothing falls in any example."""
    return f"no example in which something falls in `{name}`"


def turn(name: str, turn: str) -> str:
    """A step in which nothing falls in the turn of those who come first, or of those who come later."""
    return f"no example in which something falls in `{name}` in the turn of who comes {turn}"


def moment(actions: list[str], name: str, case: str) -> str:
    """A case of a moment that no example comes to."""
    whole = f"{' | '.join(actions)}: {name}"
    return f"no example in which `{whole}` takes the case `{case}`" if case else f"no example of `{whole}`"


def spoiled(actions: list[str], name: str, is_spoiled: bool) -> str:
    """A moment that is spoiled in no example, or in every one in which it could be."""
    whole = f"{' | '.join(actions)}: {name}"
    return f"no example in which `{whole}` {'is spoiled' if is_spoiled else 'could be spoiled and is not'}"


KINDS = {
    "rows": "table rows",
    "modifiers": "modifiers",
    "cases": "check cases",
    "requirements": "requirements",
    "triggers": "triggers",
    "steps": "steps of sequences",
    "moments": "moments of sequences",
}
"""What each kind of thing that can be exercised is called, in the order in which they are told."""


def stated(ruleset: str) -> str:
    """The heading above what the ruleset itself states."""
    return f"{ruleset}: exercised by examples"


def inherited(layer: str) -> str:
    """The heading above what a layer below states."""
    return f"inherited from {layer}"


def too_little(ruleset: str, kinds: list[str], least: int) -> str:
    """Kinds that are exercised less than `--fail-under` asks for."""
    return f"{ruleset}: less than {least}% of its {' and '.join(kinds)} are exercised"
