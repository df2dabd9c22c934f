"""A hash of what each layer says, so that one can tell whether it says the same as before.

It is taken over the layer's own statements in normal form: comments, files, lines, spaces, short forms and the order
of what has no order leave it as it is, and so does whatever other layers say.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256

from .. import document
from ..edits import Json, LayerMark
from ..forms import Form
from ..layers import Layer
from ..lineage import Lineage
from ..normal import Normal, Sheet
from ..paths import Path
from .stated import Stated
from .worlds import World, Worlds


def marks(layers: Sequence[Layer], lineage: Lineage, form: Form, world: Worlds) -> Mapping[str, LayerMark]:
    """The version and the hash of each layer, by its name."""
    return {each.name: LayerMark(each.text("version"), _hash(each, lineage, form, world)) for each in layers}


def _hash(layer: Layer, lineage: Lineage, form: Form, world: Worlds) -> str:
    text = json.dumps(_said(layer, lineage, form, world), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return f"sha256:{sha256(text.encode('utf-8')).hexdigest()}"


def _said(layer: Layer, lineage: Lineage, form: Form, world: Worlds) -> Json:
    """All that a layer states, and what it says of others."""
    seen = world(lineage.own[layer.name] | {layer.name})

    def sheet(path: Path, form: Form, node: document.Mapping) -> Sheet | None:
        return seen.sheet(path, form, node) if form.name != "table" else _table_sheet(seen, path, whole, layer.name)

    whole, normal = form, Normal(seen.work.parser, sheet, keeps_words=True)
    sections: dict[str, Json] = {
        each.key.text: normal.node((each.key.text,), each.value, form.child(each.key.text))
        for each in layer.root.entries
    }
    uses: dict[str, Json] = {
        "extends": layer.uses.extends.text if layer.uses.extends else "",
        "with": [*sorted(each.text for each in layer.uses.packs)],
        "prefer": {path.text: chosen.text for path, chosen in layer.preferences},
    }
    return {"sections": sections, **uses}


def _table_sheet(seen: World, path: Path, form: Form, name: str) -> Sheet | None:
    """The sheet of a table for the rows that one layer writes: of what the table has become with that layer."""
    found = seen.find(path, form)
    gives = found[0].value.entry("gives") if found and isinstance(found[0].value, document.Mapping) else None
    if found is None or gives is None:
        return None
    stated = Stated(name, gives.key, gives.value)
    grid = seen.grid(path, found[0].value, stated)
    return Sheet(grid.kinds_of(stated), grid.columns_of(stated), grid.cell) if grid else None
