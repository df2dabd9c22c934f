"""The names of a check that can be read at one place of it: its own step's, and those of steps that always come before.

Steps hang together as a tree: above each is the nearest step that always comes before it. A frame holds the names of
one step, or of one case of a step; what stands above is found in time that grows with the logarithm of the depth, since
a check may have thousands of steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from .names import Local


class Scope(Mapping[str, Local]):
    """A frame and all above it. `step` is the id of the step that it belongs to; a case's frame has its step's.

    Names of other steps are seen with their step in front only, `strike.d20`; the names of a check of one step, whose
    step has no id, are seen by what follows its outcomes too.
    """

    def __init__(self, step: str = "", above: Scope | None = None) -> None:
        self.step = step
        self.above = above
        self.own: dict[str, Local] = {}
        # An empty frame is a frame: what asks whether there is one never asks for its truth.
        self.depth: int = 0 if above is None else above.depth + 1
        self._steps: dict[str, Scope] = {} if above is None else above._steps
        self._jump: Scope = self if above is None else _jump(above)
        if above is None or above.step != step:
            self._steps[step] = self

    def define(self, name: str, local: Local) -> None:
        """Makes a name readable from here on, in this frame and those below."""
        self.own[name] = local

    def _find(self, name: str) -> Local | None:
        frame: Scope | None = self
        while frame is not None:
            if name in frame.own:
                return frame.own[name]
            is_near = frame.above is not None and frame.above.step in (frame.step, "")
            frame = frame.above if is_near else None
        owner = self._steps.get(name.partition(".")[0]) if "." in name else None
        return owner.own.get(name) if owner is not None and owner.is_above(self) else None

    def is_above(self, other: Scope) -> bool:
        """Whether what stands here is known there."""
        return other.depth >= self.depth and other._at(self.depth) is self

    def _at(self, depth: int) -> Scope:
        """The frame above this one at a depth."""
        frame = self
        while frame.depth > depth:
            assert frame.above is not None
            frame = frame._jump if frame._jump.depth >= depth else frame.above
        return frame

    def __getitem__(self, name: str) -> Local:
        found = self._find(name)
        if found is None:
            raise KeyError(name)
        return found

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._find(name) is not None

    def __iter__(self) -> Iterator[str]:
        frame: Scope | None = self
        names: dict[str, None] = {}
        while frame is not None:
            names |= dict.fromkeys(name for name in frame.own if name in self)
            frame = frame.above
        return iter(names)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def common(scopes: Sequence[Scope]) -> Scope | None:
    """The lowest frame that is above all of these, or is all of them; None where they have none in common."""
    shared: Scope | None = scopes[0] if scopes else None
    for each in scopes[1:]:
        shared = _common(shared, each) if shared is not None else None
    return shared


def _common(one: Scope, other: Scope) -> Scope | None:
    depth = min(one.depth, other.depth)
    one, other = one._at(depth), other._at(depth)
    while one is not other:
        if one.above is None or other.above is None:
            return None
        jumps = one._jump is not other._jump
        one, other = (one._jump, other._jump) if jumps else (one.above, other.above)
    return one


def _jump(above: Scope) -> Scope:
    """Where a frame below `above` jumps to: twice as far as `above` does, where those jumps are of one length."""
    first, second = above._jump, above._jump._jump
    return second if above.depth - first.depth == first.depth - second.depth else above
