"""The results of comparison functions for an output, and the limits that they are judged by."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from assay.json import register


class Threshold:
    """The limits that metrics are judged by."""

    FIELDS: ClassVar[tuple[str, ...]] = ("threshold",)

    def __init__(self, *values: Any, **named: Any) -> None:
        for name, value in zip(self.FIELDS, values):
            setattr(self, name, value)
        for name, value in named.items():
            setattr(self, name, value)

    def passed(self, metric_values: dict[str, float | None]) -> bool | None:
        """Returns whether metrics are within the limits; None if that is unknown."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"


class SimpleThreshold(Threshold):
    """The limits of :class:`SimpleCompareFunc`.

    Attributes:
        check_error_stat: "elemwise", "max", "mean", "median" or "quantile".
        atol: The absolute tolerance.
        rtol: The relative tolerance.
    """

    FIELDS = ("check_error_stat", "atol", "rtol")
    check_error_stat: str
    atol: float
    rtol: float

    def passed(self, metric_values: dict[str, float | None]) -> bool | None:
        absolute = metric_values.get(f"{self.check_error_stat}_absdiff")
        relative = metric_values.get(f"{self.check_error_stat}_reldiff")
        if absolute is None or relative is None:
            return None
        return absolute <= self.atol or relative <= self.rtol


class _AtMost(Threshold):
    threshold: float

    def passed(self, metric_values: dict[str, float | None]) -> bool | None:
        value = next(iter(metric_values.values()))
        return None if value is None else value <= self.threshold


class _AtLeast(Threshold):
    threshold: float

    def passed(self, metric_values: dict[str, float | None]) -> bool | None:
        value = next(iter(metric_values.values()))
        return None if value is None else value >= self.threshold


class CompareResult:
    """What a comparison function found for one output. It is true if the output agrees.

    The metrics are attributes; ``thresholds`` has the limits.
    """

    FIELDS: ClassVar[tuple[str, ...]] = ()
    THRESHOLD: ClassVar[type[Threshold]] = Threshold

    def __init__(self, *values: Any, thresholds: Any = None, passed: bool | None = None, **named: Any) -> None:
        for name, value in {**dict.fromkeys(self.FIELDS), **dict(zip(self.FIELDS, values)), **named}.items():
            setattr(self, name, value)
        self.thresholds = thresholds
        self.passed = thresholds.passed(self.metric_values()) if passed is None and thresholds is not None else passed

    def metric_values(self) -> dict[str, float | None]:
        """Returns the metrics by name."""
        return {name: getattr(self, name) for name in self.FIELDS}

    def averaged_with(self, others: list[Any]) -> Any:
        """Returns a result whose metrics are the means of several results."""
        values = []
        for name in self.FIELDS:
            metrics = [getattr(result, name) for result in [self, *others]]
            values.append(None if None in metrics else sum(metrics) / len(metrics))
        averaged = type(self)(*values, thresholds=self.thresholds)
        if averaged.passed is None:
            averaged.passed = all(map(bool, [self, *others]))
        return averaged

    def __bool__(self) -> bool:
        return bool(self.passed)

    def __str__(self) -> str:
        return f"({', '.join(f'{name}={value}' for name, value in self.metric_values().items())})"

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self} -> {'passed' if self else 'failed'}"


def _stored(threshold_class: str, result_class: str, has_verdict: bool = False) -> Callable[[Any], Any]:
    """Returns a class decorator that gives a result class and its thresholds their form in files."""

    def add(cls: Any) -> Any:
        threshold = cls.THRESHOLD
        register(
            threshold_class, lambda limits: dict(vars(limits)), lambda members: threshold(**members)
        )(threshold)
        encode = lambda result: {  # noqa: E731
            **result.metric_values(),
            "thresholds": result.thresholds,
            **({"passed": result.passed} if has_verdict else {}),
        }
        return register(result_class, encode, lambda members: cls(**members))(cls)

    return add


@_stored("SimpleThreshold", "OutputCompareResult", has_verdict=True)
class OutputCompareResult(CompareResult):
    """The errors |a-b| (absdiff) and |a-b|/|b| (reldiff) of an output, over all its elements. The quantiles are None
    unless the function judges by them."""

    FIELDS = (
        "max_absdiff",
        "max_reldiff",
        "mean_absdiff",
        "mean_reldiff",
        "median_absdiff",
        "median_reldiff",
        "quantile_absdiff",
        "quantile_reldiff",
    )
    THRESHOLD = SimpleThreshold
    max_absdiff: float | None
    max_reldiff: float | None
    mean_absdiff: float | None
    mean_reldiff: float | None
    median_absdiff: float | None
    median_reldiff: float | None
    quantile_absdiff: float | None
    quantile_reldiff: float | None


def _threshold(name: str, base: type[Threshold]) -> type[Threshold]:
    return type(name, (base,), {"__module__": __name__, "__doc__": "The limit of one metric, ``threshold``."})


@_stored("L2Threshold", "L2Result")
class L2Result(CompareResult):
    """The Euclidean norm of the difference of an output."""

    FIELDS = ("l2_norm",)
    THRESHOLD = _threshold("L2Threshold", _AtMost)
    l2_norm: float


@_stored("CosineSimilarityThreshold", "CosineSimilarityResult")
class CosineSimilarityResult(CompareResult):
    """The cosine of the angle between the two outputs as vectors, from -1 to 1."""

    FIELDS = ("cosine_similarity",)
    THRESHOLD = _threshold("CosineSimilarityThreshold", _AtLeast)
    cosine_similarity: float


@_stored("PsnrThreshold", "PsnrResult")
class PsnrResult(CompareResult):
    """The peak signal-to-noise ratio of an output, in dB."""

    FIELDS = ("psnr",)
    THRESHOLD = _threshold("PsnrThreshold", _AtLeast)
    psnr: float


@_stored("SnrThreshold", "SnrResult")
class SnrResult(CompareResult):
    """The signal-to-noise ratio of an output, in dB."""

    FIELDS = ("snr",)
    THRESHOLD = _threshold("SnrThreshold", _AtLeast)
    snr: float


@_stored("UlpThreshold", "UlpResult")
class UlpResult(CompareResult):
    """The largest distance of two elements of an output, counted in representable numbers between them."""

    FIELDS = ("max_ulp",)
    THRESHOLD = _threshold("UlpThreshold", _AtMost)
    max_ulp: float


class MetricsResult:
    """The results of several functions for one output. It is true if all agree, and has the metrics of all."""

    def __init__(self, results: list[CompareResult]) -> None:
        self.results = results
        for result in results:
            for name, value in result.metric_values().items():
                setattr(self, name, value)

    @property
    def passed(self) -> bool:
        return all(map(bool, self.results))

    def __bool__(self) -> bool:
        return self.passed

    def __repr__(self) -> str:
        return f"MetricsResult({self.results!r})"
