"""Labels of definitions: id, title, note and source."""

from __future__ import annotations

from ..declarations import Definition
from .expressions import Json, present


class Labels:
    """Writes labels. Where a definition stands is no part of what it means: `origins` tells that."""

    def of(self, definition: Definition) -> dict[str, Json]:
        """Id and labels."""
        cited = definition.source
        source = f"{cited.document} {cited.item}".strip() if cited else None
        return {"id": definition.id, **present(title=definition.title, note=definition.note, source=source)}
