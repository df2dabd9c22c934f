"""The two reference jobs as a good programmer writes them by hand, for one situation from a dictionary."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

THAC0 = {
    "cleric": [20, 20, 20, 18, 18, 18, 16, 16, 16, 14, 14, 14, 12, 12, 12, 10, 10, 10, 8, 8],
    "fighter": [20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1],
    "magic_user": [20, 20, 20, 19, 19, 19, 18, 18, 18, 17, 17, 17, 16, 16, 16, 15, 15, 15, 14, 14],
    "thief": [20, 20, 19, 19, 18, 18, 17, 17, 16, 16, 15, 15, 14, 14, 13, 13, 12, 12, 11, 11],
}
COVER = (0, 2, 4, 7)
FLAGS = ("charging", "from_above", "from_behind", "flanking", "blessed", "prone", "stunned")


def to_hit(facts: dict[str, Any]) -> int:
    """The number needed."""
    needed = THAC0[facts["group"]][facts["level"] - 1] - facts["armor_class"]
    if facts["charging"]:
        needed -= 2
    if facts["from_above"]:
        needed -= 1
    if facts["from_behind"]:
        needed -= 2
    if facts["flanking"]:
        needed -= 1
    if facts["blessed"]:
        needed -= 1
    if facts["prone"]:
        needed -= 4
    if facts["stunned"]:
        needed -= 4
    return needed + COVER[facts["cover"]]


def attack(facts: dict[str, Any], d20: int) -> str:
    """The outcome of an attack."""
    if d20 == 20:
        return "hit"
    if d20 == 1:
        return "miss"
    return "hit" if d20 >= to_hit(facts) else "miss"


class Attacked:
    """A result object."""

    __slots__ = ("d20", "needed", "outcome")

    def __init__(self, outcome: str, d20: int, needed: int) -> None:
        self.outcome = outcome
        self.d20 = d20
        self.needed = needed


def attacked(facts: dict[str, Any], d20: int) -> Attacked:
    """The same with a result object."""
    needed = to_hit(facts)
    outcome = "hit" if d20 == 20 else "miss" if d20 == 1 else "hit" if d20 >= needed else "miss"
    return Attacked(outcome, d20, needed)


MODIFIERS = (
    ("blessed", "attacker.blessed", -1),
    ("charging", "attacker.charging", -2),
    ("cover", "target.cover", 0),
    ("flanking", "attacker.flanking", -1),
    ("from_above", "attacker.from_above", -1),
    ("from_behind", "attacker.from_behind", -2),
    ("prone", "target.prone", -4),
    ("stunned", "target.stunned", -4),
)

Line = tuple[str, Any, str, str, tuple[tuple[str, Any], ...]]
"""A line of an explanation: name, value, whether it counts, why not, and what was read."""


class Explained:
    """The number needed, and why."""

    __slots__ = ("lines", "needed")

    def __init__(self, needed: int, lines: list[Line]) -> None:
        self.needed = needed
        self.lines = lines


def explained(facts: dict[str, Any]) -> Explained:
    """The number needed with its base, and each modifier that counts or does not and why."""
    group, level, armor_class = facts["group"], facts["level"], facts["armor_class"]
    thac0 = THAC0[group][level - 1]
    needed = thac0 - armor_class
    table = f"thac0[{group}, {level}]"
    read = (("attacker.group", group), ("attacker.level", level), (table, thac0), ("target.armor_class", armor_class))
    lines: list[Line] = [("base", needed, "kept", "", read)]
    for name, path, gain in MODIFIERS:
        value = facts[name]
        if name == "cover":
            gain = COVER[value]
        elif not value:
            lines.append((name, None, "does_not_apply", path, ((path, value),)))
            continue
        needed += gain
        lines.append((name, gain, "kept", "", ((path, value),)))
    return Explained(needed, lines)


def as_data(found: Explained) -> dict[str, Any]:
    """An explanation as plain data, in the form that houserule gives to traces."""
    parts = []
    for name, value, status, why, read in found.lines:
        part: dict[str, Any] = {
            "id": f"to_hit/{name}",
            "kind": "base" if name == "base" else "modifier",
            "name": name,
            "status": status,
            "path": "numbers.to_hit.base" if name == "base" else f"modifiers.{name}.adjust.to_hit",
        }
        if value is not None:
            part["value"] = value
            if name != "base":
                part["op"] = "add"
        if why:
            part["why"] = [why]
        part["parts"] = [
            {
                "id": f"to_hit/{name}/{path}",
                "kind": "table" if path.endswith("]") else "fact",
                "name": path,
                "status": "kept",
                "value": each,
                **({"path": "tables.thac0"} if path.endswith("]") else {}),
            }
            for path, each in read
        ]
        parts.append(part)
    root = {"id": "to_hit", "kind": "number", "name": "to_hit", "status": "kept", "path": "numbers.to_hit"}
    return {"trace_version": 1, "root": {**root, "value": found.needed, "parts": parts}}


class Struck(Attacked):
    """A result object that also says why."""

    __slots__ = ("cases", "why")

    def __init__(self, outcome: str, d20: int, why: Explained, cases: list[tuple[str, bool]]) -> None:
        super().__init__(outcome, d20, why.needed)
        self.why = why
        self.cases = cases


def struck(facts: dict[str, Any], d20: int) -> Struck:
    """An attack with its outcome, the die, the cases that were tried, and why the number is what it is."""
    why = explained(facts)
    cases = [("natural_20", d20 == 20)]
    if d20 == 20:
        return Struck("hit", d20, why, cases)
    cases.append(("natural_1", d20 == 1))
    if d20 == 1:
        return Struck("miss", d20, why, cases)
    cases.append(("hit", d20 >= why.needed))
    if d20 >= why.needed:
        return Struck("hit", d20, why, cases)
    cases.append(("miss", True))
    return Struck("miss", d20, why, cases)


def checked(facts: dict[str, Any]) -> int:
    """The number needed, with every fact tested first."""
    if facts["group"] not in THAC0:
        raise ValueError("group")
    if not 1 <= facts["level"] <= 20:
        raise ValueError("level")
    if not -10 <= facts["armor_class"] <= 10:
        raise ValueError("armor_class")
    if not 0 <= facts["cover"] <= 3:
        raise ValueError("cover")
    for each in FLAGS:
        if not isinstance(facts[each], bool):
            raise ValueError(each)
    return to_hit(facts)


def attack_odds(facts: dict[str, Any]) -> Fraction:
    """The chance to hit."""
    needed = to_hit(facts)
    return Fraction(sum(d20 == 20 or (d20 != 1 and d20 >= needed) for d20 in range(1, 21)), 20)


def base_morale(dice: int, pips: int) -> int:
    """Base morale by hit dice."""
    if dice < 1 or (dice == 1 and pips < 0):
        return 5
    steps = dice - 1 if pips <= 0 else dice
    return min(6 + max(steps - 1, 0) if dice > 1 or pips > 0 else 6, 19) if steps else 6


RESOLVE = {"inferior": -2, "weak": -1, "normal": 0, "strong": 1, "superior": 2}
TRAINING = {"untrained": -1, "neither": 0, "trained": 1}
LEADER = {"present": 0, "unconscious": 0, "fled": -1, "slain": -2}


def morale(facts: dict[str, Any]) -> int:
    """The target of the morale check; a fact that is not known is None."""
    target = base_morale(*facts["hit_dice"])
    target += RESOLVE[facts["resolve"]] + TRAINING[facts["training"]] + LEADER[facts["leader_state"]]
    target += facts["cared_for"] - facts["neglected"]
    target += facts["rallied"] - facts["shaken"] + facts["advantage"] - facts["disadvantage"]
    if facts["paladin"] and facts["lawful"]:
        target += 3
    best = worst = 0
    loyalty, charisma = facts["loyalty"], facts["charisma"]
    if loyalty is not None:
        gain = -2 if loyalty <= 3 else -1 if loyalty <= 7 else 0 if loyalty <= 12 else 1 if loyalty <= 17 else 2
        if gain > 0:
            best = gain
        else:
            worst = gain
    if charisma is not None:
        gain = -1 if charisma <= 7 else 0 if charisma <= 12 else 1
        if gain > best:
            best = gain
        elif gain < worst:
            worst = gain
    return target + best + worst


def morale_check(facts: dict[str, Any], first: int, second: int) -> str:
    """The outcome of the whole morale check."""
    if facts["fearless"]:
        return "stands"
    target = morale(facts)
    broken = "flees" if facts["setting"] == "in_combat" else "deserts"
    if target >= 20 and first == 20:
        return broken if second == 20 else "stands"
    return "stands" if first <= target else broken


def morale_odds(facts: dict[str, Any]) -> Fraction:
    """The chance to stand."""
    ways = sum(morale_check(facts, first, second) == "stands" for first in range(1, 21) for second in range(1, 21))
    return Fraction(ways, 400)
