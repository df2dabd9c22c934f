"""The two reference jobs as a good programmer writes them with numpy, over columns."""

from __future__ import annotations

from typing import Any

import hand
import numpy as np

Columns = dict[str, Any]

GROUPS = list(hand.THAC0)
THAC0 = np.array([hand.THAC0[each] for each in GROUPS])
COVER = np.array(hand.COVER)
HIT_DICE = [(dice, pips) for dice in range(1, 17) for pips in range(-1, 4)]
BASE = np.array([hand.base_morale(*each) for each in HIT_DICE])
RESOLVE = np.array(list(hand.RESOLVE.values()))
TRAINING = np.array(list(hand.TRAINING.values()))
LEADER = np.array(list(hand.LEADER.values()))
SETTINGS = ["in_combat", "out_of_combat"]
STANDS, FLEES, DESERTS = 0, 1, 2


def to_hit(columns: Columns) -> Any:
    """The number needed in each row; groups are codes."""
    needed = THAC0[columns["group"], columns["level"] - 1] - columns["armor_class"]
    needed -= 2 * columns["charging"] + columns["from_above"] + 2 * columns["from_behind"] + columns["flanking"]
    needed -= columns["blessed"] + 4 * columns["prone"] + 4 * columns["stunned"]
    return needed + COVER[columns["cover"]]


def morale(columns: Columns) -> Any:
    """The target in each row; hit dice and words are codes, what is not known is masked by `..._known`."""
    target = BASE[columns["hit_dice"]] + RESOLVE[columns["resolve"]] + TRAINING[columns["training"]]
    target += LEADER[columns["leader_state"]] + columns["cared_for"] - columns["neglected"]
    target += columns["rallied"] - columns["shaken"] + columns["advantage"] - columns["disadvantage"]
    target += 3 * (columns["paladin"] & columns["lawful"])
    loyalty = np.searchsorted([4, 8, 13, 18], columns["loyalty"], side="right") - 2
    loyalty = np.where(columns["loyalty_known"], loyalty, 0)
    charisma = np.searchsorted([8, 13], columns["charisma"], side="right") - 1
    charisma = np.where(columns["charisma_known"], charisma, 0)
    return target + np.maximum(np.maximum(loyalty, charisma), 0) + np.minimum(np.minimum(loyalty, charisma), 0)


def morale_check(columns: Columns, first: Any, second: Any) -> Any:
    """The outcome of the whole check in each row, as a code."""
    target = morale(columns)
    broken = np.where(columns["setting"] == 0, FLEES, DESERTS)
    again = (target >= 20) & (first == 20)
    stands = np.where(again, second != 20, first <= target) | columns["fearless"]
    return np.where(stands, STANDS, broken)


def attack_columns(random: Any, rows: int) -> Columns:
    """Columns of random situations, in the types that numpy gives them by itself."""
    flags = {each: random.random(rows) < 0.4 for each in hand.FLAGS}
    numbers = {"group": (0, 3), "level": (1, 20), "armor_class": (-10, 10), "cover": (0, 3)}
    return {**flags, **{key: random.integers(low, high + 1, rows) for key, (low, high) in numbers.items()}}


def morale_columns(random: Any, rows: int) -> Columns:
    """The same for morale."""
    ranges = {"hit_dice": len(HIT_DICE), "resolve": 5, "training": 3, "leader_state": 4, "setting": 2}
    ranges |= {"rallied": 4, "shaken": 4, "cared_for": 3, "neglected": 3}
    columns = {key: random.integers(0, count, rows) for key, count in ranges.items()}
    ahead, lead = random.random(rows) < 0.5, random.integers(0, 4, rows)
    columns |= {"advantage": np.where(ahead, lead, 0), "disadvantage": np.where(ahead, 0, lead)}
    columns |= {key: random.random(rows) < 0.4 for key in ("paladin", "lawful", "fearless")}
    columns |= {key: random.integers(3, 19, rows) for key in ("loyalty", "charisma")}
    return columns | {f"{key}_known": random.random(rows) < 0.7 for key in ("loyalty", "charisma")}


def small(columns: Columns) -> Columns:
    """The same columns in the smallest types."""
    return {key: each if each.dtype == bool else each.astype(np.int8) for key, each in columns.items()}
