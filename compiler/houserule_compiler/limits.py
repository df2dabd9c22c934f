"""Every limit that keeps untrusted rules harmless, by name, with its default.

A limit's public name is its field in kebab case: `file-bytes` for `file_bytes`. A thing that is as large as the limit
passes; one more is reported.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from houserule.limits import COST, DICE, SUPPORT


@dataclass(frozen=True, slots=True)
class Limits:
    """One value for each limit. All are whole numbers of at least 1."""

    # The text of one file.
    file_bytes: int = 1_048_576
    lines: int = 20_000
    columns: int = 8_192
    depth: int = 32
    nodes: int = 200_000
    scalar: int = 16_384
    key: int = 128
    rows: int = 20_000
    # One expression, in characters, tokens, levels and terms of a chain.
    expression_characters: int = 1_024
    expression_tokens: int = 256
    expression_depth: int = 32
    expression_terms: int = 64
    digits: int = 9
    # The files of a ruleset and of all that it stands on, together.
    total_bytes: int = 4_194_304
    # What is kept of what is found in one file, and in one ruleset with all that it stands on.
    errors_per_file: int = 100
    errors_per_run: int = 1_000
    # Dice, and the number of different totals that exact odds may have.
    dice: int = 1_000
    faces: int = 1_000
    support: int = 20_000
    evaluation_steps: int = 1_000_000
    # Definitions that read one another in a chain.
    definition_depth: int = 64
    # Rulesets that stand on others.
    extends_depth: int = 8
    layers: int = 64
    files: int = 1_000
    name: int = 64
    # The combinations of facts that one sweep tries.
    cells: int = 1_000_000


MOST = {"depth": 256, "expression-depth": 48, "dice": DICE, "faces": DICE, "support": SUPPORT, "evaluation-steps": COST}
"""What some limits can be raised to: no runtime takes an artifact with more, and no reader deeper files."""


def limit_names() -> list[str]:
    """The public names of all limits, in kebab case."""
    return [each.name.replace("_", "-") for each in fields(Limits)]


def limit(limits: Limits, name: str) -> int:
    """The value of the limit with the public name `name`; KeyError if there is none."""
    value: int = getattr(limits, _field(name))
    return value


def with_limit(limits: Limits, name: str, value: int) -> Limits:
    """`limits` with one of them changed; KeyError for an unknown name, ValueError for a value below 1 or above what
    it can be raised to."""
    field = _field(name)
    if not 1 <= value <= MOST.get(name, value):
        raise ValueError(f"the limit `{name}` is from 1 to {MOST.get(name, 'any number')}, not {value}")
    return replace(limits, **{field: value})


def _field(name: str) -> str:
    if name not in limit_names():
        raise KeyError(name)
    return name.replace("-", "_")
