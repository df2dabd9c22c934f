"""Labels of definitions: id, title, note, source, and the layer, file and line that set them."""

from __future__ import annotations

from ..declarations import Definition
from ..source import Span
from .expressions import Json, present


class Labels:
    """Writes labels; file names are relative to the ruleset's own folder, so that the place of a checkout is no part
    of the bytes."""

    def of(self, definition: Definition) -> dict[str, Json]:
        """Id, labels and origin."""
        return {**self.plain(definition), "origin": self.origin(definition.place)}

    def plain(self, definition: Definition) -> dict[str, Json]:
        """Id and labels without an origin."""
        cited = definition.source
        source = f"{cited.document} {cited.item}".strip() if cited else None
        return {"id": definition.id, **present(title=definition.title, note=definition.note, source=source)}

    def origin(self, span: Span) -> Json:
        """Layer, file and line."""
        return [span.file.layer, span.file.inner_name, span.line]
