"""assay.diff: what changed between two models."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Mapping, Sequence

from assay.arguments import AnyModel, check_arguments
from assay.backend.onnx.kinds import Given
from assay.exception import InputError
from assay.report import Report, WithReport, call_text, subject_of
from assay.tables import counted, short_html_table

IGNORABLE = ("names", "order", "doc-strings")


@dataclass(frozen=True)
class Change:
    """One difference between two models.

    Attributes:
        aspect: What changed, such as "node", "wiring", "attribute", "weight", "input", "output", "type" or "name".
        kind: "added", "removed" or "changed".
        subject: The node, weight or other object, such as "Conv 'conv_1'"; as in the second model, unless it was removed.
        detail: Which part of the subject changed, such as "attribute 'axis'"; may be empty.
        before: The value in the first model, as a text that may be cut.
        after: The value in the second model.
        graph: The body or function that contains the subject; empty for the model's graph.
        values: How much the elements of a weight changed, or None.
    """

    aspect: str
    kind: str
    subject: str
    detail: str
    before: str
    after: str
    graph: str
    values: Mapping[str, Any] | None = None


@dataclass(frozen=True, repr=False)
class ModelDiff(WithReport):
    """The differences between two models; true if there are any. Printing it gives the text of ``assay diff``."""

    changes: tuple[Change, ...]
    _text: str = field(compare=False)
    _report: Report | None = field(default=None, repr=False, compare=False)

    @property
    def equal(self) -> bool:
        """Whether there are no differences, apart from the ignored ones."""
        return not self.changes

    def __bool__(self) -> bool:
        return not self.equal

    def __repr__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        rows = [(c.kind, c.aspect, c.subject, c.detail, c.before, c.after, c.graph) for c in self.changes]
        title = "The models are equal" if self.equal else counted(len(self.changes), "change")
        return short_html_table(title, ("", "Aspect", "What", "Detail", "Before", "After", "Graph"), rows)


def diff(first: AnyModel, second: AnyModel, *, ignore: Sequence[str] = ()) -> ModelDiff:
    """Compares two models, like ``assay diff``. Nodes are matched by structure, so names and order may differ.

    Args:
        first: A path, an :class:`assay.Model`, an ``onnx.ModelProto``, or a callable that returns one of them.
        second: Likewise.
        ignore: Kinds of differences that don't count: "names", "order", "doc-strings".

    Returns:
        The changes from the first to the second, by aspect.

    Raises:
        NotFoundError: A file is missing.
        ModelError: One of them isn't a model, or is damaged.
        InputError: `ignore` has another word.
    """
    from assay import _assay

    call = call_text(diff, locals())
    for kind in ignore:
        if kind not in IGNORABLE:
            raise InputError(f"ignore must be some of {IGNORABLE}, but has {kind!r}")
    models = [Given(model).model for model in (first, second)]
    names = (models[0].path or "first", models[1].path or "second")
    found, text, report = _assay.diff_models(models[0].native, models[1].native, names, list(ignore))
    changes = tuple(map(_change, json.loads(found)["changes"]))
    subject = " and ".join(map(subject_of, models))
    return ModelDiff(changes, text, Report(report, subject, call))


def _change(item: Mapping[str, Any]) -> Change:
    thing = item["second"] or item["first"] or {"type": "", "name": ""}
    return Change(
        aspect=item["aspect"],
        kind=item["kind"],
        subject=f"{thing['type']} {thing['name']!r}" if thing["name"] else thing["type"],
        detail=item["detail"],
        before=item["before"],
        after=item["after"],
        graph=item["graph"],
        values=item.get("values"),
    )


check_arguments(__name__)
