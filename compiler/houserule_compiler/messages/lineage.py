"""Messages about rulesets that stand on others: not found, too many, in a circle, written for another base."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..characters import visible
from ..diagnostics import Diagnostic, Label, error
from ..document import Scalar
from ..files import Refusal
from .names import suggestion
from .shape import quoted


def unknown_ruleset(named: Scalar, known: Iterable[str]) -> Diagnostic:
    """`extends` or `with` names a ruleset that is nowhere to be found."""
    return error(
        "unknown-ruleset",
        f"there is no ruleset named {quoted(named.text)}",
        Label(named.span),
        notes=["it is looked for among the shipped rulesets, beside this one, and in the folders of `--path`"],
        help=suggestion(named.text, known),
    )


def refused(named: Scalar, refusal: Refusal) -> Diagnostic:
    """`extends` or `with` names a ruleset whose files cannot be had, or of which there are several."""
    if not refusal.places:
        return error(
            "unreadable-ruleset", f"{quoted(named.text)} cannot be read", Label(named.span), notes=[refusal.reason]
        )
    return error(
        "ambiguous-ruleset",
        f"several rulesets are named {quoted(named.text)}",
        Label(named.span),
        notes=[f"they are {' and '.join(f'`{visible(each)}`' for each in refusal.places)}"],
        help="give one of them another name; none of them goes before the other",
    )


def layer_circle(path: Sequence[str], mentions: Sequence[Scalar]) -> Diagnostic:
    """Rulesets that stand on one another."""
    around = " -> ".join(f"`{name}`" for name in (*path, path[0]))
    first, *rest = mentions
    return error(
        "layer-circle",
        f"{quoted(path[0])} stands on itself",
        Label(first.span),
        *(Label(each.span, "on the way") for each in rest),
        notes=[f"the circle is {around}"],
        help="take one of these names out",
    )


def foreign_pack(name: str, pack: Scalar, base: Scalar, chain: Sequence[str]) -> Diagnostic:
    """A pack whose own base is none of those that the ruleset stands on."""
    stands = f"stands on {' and '.join(f'`{each}`' for each in chain)}" if chain else "stands on no other ruleset"
    return error(
        "foreign-pack",
        f"the pack {quoted(pack.text)} was written for {quoted(base.text)}",
        Label(pack.span, f"`{name}` {stands}"),
        Label(base.span, "written for this"),
        help=f"extend `{base.text}`, or leave the pack out",
    )


def layers_too_deep(named: Scalar, limit: int) -> Diagnostic:
    """A chain of rulesets that stand on one another is too long."""
    return error(
        "layers-too-deep",
        f"{quoted(named.text)} would stand more than {limit} rulesets deep",
        Label(named.span),
        help=f"join some of them, or raise the limit: `--limit extends-depth={limit * 2}`",
    )


def too_many_layers(named: Scalar, limit: int) -> Diagnostic:
    """One build needs too many rulesets."""
    return error(
        "too-many-layers",
        f"more than {limit} rulesets come together here",
        Label(named.span, "this one is too many"),
        help=f"leave some packs out, or raise the limit: `--limit layers={limit * 2}`",
    )
