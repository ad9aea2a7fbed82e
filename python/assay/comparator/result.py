"""The results of comparison functions for an output, and the limits that they are judged by."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, ClassVar, TypeVar

from assay.arguments import check_arguments
from assay.exception import InputError
from assay.serialization import register

Result = TypeVar("Result", bound="CompareResult")

# The statistics of errors that SimpleCompareFunc can judge by. The first one looks at each element.
ERROR_STATS = ("elemwise", "max", "mean", "median", "quantile")


class Threshold:
    """The limits that metrics are judged by. Derive from it for results of your own comparison functions, set
    ``METRIC_FIELDS`` to the names of their metrics, and define ``passed``."""

    METRIC_FIELDS: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def metric_fields(cls) -> list[str]:
        """Returns the names of the metrics that the limits are for."""
        return list(cls.METRIC_FIELDS)

    def passed(self, metric_values: dict[str, float | None]) -> bool:
        """Returns whether metrics are within the limits."""
        raise NotImplementedError(f"{type(self).__name__} must define passed()")

    def describe(self, metric_values: dict[str, float | None]) -> tuple[str, bool] | None:
        """Returns a line about a metric and its limit, and whether it is within; None if there is more than one metric."""
        return None

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"


class SimpleThreshold(Threshold):
    """The limits of :class:`SimpleCompareFunc`.

    Args:
        check_error_stat: "elemwise", "max", "mean", "median" or "quantile".
        atol: The absolute tolerance.
        rtol: The relative tolerance.
    """

    METRIC_FIELDS = tuple(f"{stat}_{error}diff" for stat in ERROR_STATS[1:] for error in ("abs", "rel"))

    def __init__(self, check_error_stat: str, atol: float, rtol: float) -> None:
        if check_error_stat not in ERROR_STATS:
            raise InputError(
                f"Invalid choice for check_error_stat: {check_error_stat}. Use one of {', '.join(ERROR_STATS)}"
            )
        self.check_error_stat = check_error_stat
        self.atol = atol
        self.rtol = rtol

    def passed(self, metric_values: dict[str, float | None]) -> bool:
        """Returns whether the statistic is within one of both tolerances.

        Raises:
            InputError: The metrics don't say that: the elements are needed, or the statistic is missing.
        """
        if self.check_error_stat == "elemwise":
            raise InputError(
                "the metrics don't tell whether each element is within the tolerances. Judge them by the max, mean or "
                "median, or compare the outputs again"
            )
        absolute = metric_values.get(f"{self.check_error_stat}_absdiff")
        relative = metric_values.get(f"{self.check_error_stat}_reldiff")
        if absolute is None or relative is None:
            raise InputError(
                f"the metrics have no {self.check_error_stat}, which is stored only if outputs are compared by it. Use "
                "max, mean or median, or compare the outputs again"
            )
        return bool(absolute <= self.atol or relative <= self.rtol)


class MetricThreshold(Threshold):
    """The limit of one metric."""

    LABEL: ClassVar[str] = ""
    UNIT: ClassVar[str] = ""
    HIGHER_IS_BETTER: ClassVar[bool] = False

    def __init__(self, threshold: float) -> None:
        self.threshold = threshold

    def passed(self, metric_values: dict[str, float | None]) -> bool:
        value = metric_values.get(self.METRIC_FIELDS[0])
        if value is None:
            return False
        return bool(value >= self.threshold if self.HIGHER_IS_BETTER else value <= self.threshold)

    def describe(self, metric_values: dict[str, float | None]) -> tuple[str, bool] | None:
        value = metric_values.get(self.METRIC_FIELDS[0])
        if value is None:
            return None
        passed = self.passed(metric_values)
        number, limit = _distinct(value, self.threshold)
        bound = "at least" if self.HIGHER_IS_BETTER else "at most"
        verdict = "PASSED" if passed else "FAILED"
        return f"{self.LABEL}: {number}{self.UNIT} (must be {bound} {limit}{self.UNIT}) | {verdict}", passed


def _distinct(first: float, second: float) -> tuple[str, str]:
    """Returns two numbers as texts, which differ if the numbers do."""
    short = f"{first:.6g}", f"{second:.6g}"
    return short if first == second or short[0] != short[1] else (repr(float(first)), repr(float(second)))


class L2Threshold(MetricThreshold):
    """The largest Euclidean norm of the difference, ``threshold``."""

    METRIC_FIELDS = ("l2_norm",)
    LABEL = "L2 norm"


class CosineSimilarityThreshold(MetricThreshold):
    """The smallest cosine similarity, ``threshold``."""

    METRIC_FIELDS = ("cosine_similarity",)
    LABEL = "Cosine similarity"
    HIGHER_IS_BETTER = True


class PsnrThreshold(MetricThreshold):
    """The smallest peak signal-to-noise ratio in dB, ``threshold``."""

    METRIC_FIELDS = ("psnr",)
    LABEL = "PSNR"
    UNIT = " dB"
    HIGHER_IS_BETTER = True


class SnrThreshold(MetricThreshold):
    """The smallest signal-to-noise ratio in dB, ``threshold``."""

    METRIC_FIELDS = ("snr",)
    LABEL = "SNR"
    UNIT = " dB"
    HIGHER_IS_BETTER = True


class LpipsThreshold(MetricThreshold):
    """The largest LPIPS, ``threshold``."""

    METRIC_FIELDS = ("lpips",)
    LABEL = "LPIPS"


class UlpThreshold(MetricThreshold):
    """The largest distance in representable numbers, ``threshold``."""

    METRIC_FIELDS = ("max_ulp",)
    LABEL = "ULP distance"


class CompareResult:
    """The result of a comparison function for one output. It is true if the output agrees.

    Its metrics are attributes. Derive from it for results of your own functions: set ``THRESHOLD`` to the class of their
    limits, which names the metrics.

    Args:
        thresholds: The limits that the metrics are judged by.

    Attributes:
        thresholds: The same.
        output0_name: The output in the first runner, or None if no comparison function set it.
        output1_name: The output in the second runner, likewise.
    """

    THRESHOLD: ClassVar[type[Threshold]] = Threshold

    def __init__(self, thresholds: Any = None) -> None:
        self.thresholds = thresholds
        self.output0_name: str | None = None
        self.output1_name: str | None = None

    @classmethod
    def metric_fields(cls) -> list[str]:
        """Returns the names of the metrics."""
        return cls.THRESHOLD.metric_fields()

    def metric_values(self) -> OrderedDict[str, float | None]:
        """Returns the metrics by name."""
        return OrderedDict((name, getattr(self, name)) for name in self.metric_fields())

    @property
    def passed(self) -> bool:
        """Whether the output agrees."""
        return False if self.thresholds is None else bool(self.thresholds.passed(self.metric_values()))

    def set_thresholds(self, thresholds: Any) -> None:
        """Judges the metrics by other limits from now on."""
        self.thresholds = thresholds

    def describe(self) -> tuple[str, bool] | None:
        """Returns a line about the metric and its limit, and whether it is within; None for :class:`OutputCompareResult`,
        which has more than one metric."""
        described: tuple[str, bool] | None = None
        if self.thresholds is not None:
            described = self.thresholds.describe(self.metric_values())
        return described

    def averaged_with(self, others: list[Any]) -> Any:
        """Returns a result whose metrics are the means of several results."""
        values = {}
        for name in self.metric_fields():
            metrics = [getattr(result, name) for result in [self, *others]]
            values[name] = None if None in metrics else sum(metrics) / len(metrics)
        return type(self)(**values, thresholds=self.thresholds)

    def _members(self) -> dict[str, Any]:  # in files
        return {**self.metric_values(), "thresholds": self.thresholds}

    def __bool__(self) -> bool:
        return self.passed

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._key() == other._key()

    def _key(self) -> tuple[Any, ...]:  # names of outputs aren't in files
        return self.metric_values(), self.thresholds, bool(self)

    def __str__(self) -> str:
        return f"({', '.join(f'{name}={value}' for name, value in self.metric_values().items())})"

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self} -> {'passed' if self else 'failed'}"


def _stored(cls: type[Result]) -> type[Result]:
    """Lets results of a class, and their thresholds, be stored in files as Polygraphy stores them."""
    threshold: Any = cls.THRESHOLD
    register(threshold.__name__, lambda limits: dict(vars(limits)), lambda members: threshold(**members))(threshold)
    register(cls.__name__, cls._members, lambda members: cls(**members))(cls)
    return cls


@_stored
class OutputCompareResult(CompareResult):
    """The errors ``|a-b|`` (absdiff) and ``|a-b|/|b|`` (reldiff) of an output, over all its elements. The quantiles are
    None unless the function judges by them.

    Args:
        max_absdiff: The largest absolute error. The others are named likewise.
        max_reldiff: Likewise.
        mean_absdiff: Likewise.
        mean_reldiff: Likewise.
        median_absdiff: Likewise.
        median_reldiff: Likewise.
        quantile_absdiff: Likewise.
        quantile_reldiff: Likewise.
        thresholds: The limits, a :class:`SimpleThreshold`.
        passed: The verdict, if the metrics don't imply it: that of "elemwise", which looks at each element.
    """

    THRESHOLD = SimpleThreshold

    def __init__(
        self,
        max_absdiff: float | None,
        max_reldiff: float | None,
        mean_absdiff: float | None,
        mean_reldiff: float | None,
        median_absdiff: float | None,
        median_reldiff: float | None,
        quantile_absdiff: float | None,
        quantile_reldiff: float | None,
        thresholds: Any = None,
        passed: bool | None = None,
    ) -> None:
        super().__init__(thresholds)
        self.max_absdiff, self.max_reldiff = max_absdiff, max_reldiff
        self.mean_absdiff, self.mean_reldiff = mean_absdiff, mean_reldiff
        self.median_absdiff, self.median_reldiff = median_absdiff, median_reldiff
        self.quantile_absdiff, self.quantile_reldiff = quantile_absdiff, quantile_reldiff
        self._passed = passed

    @property
    def passed(self) -> bool:
        return super().passed if self._passed is None else bool(self._passed)

    def set_thresholds(self, thresholds: Any) -> None:
        super().set_thresholds(thresholds)
        self._passed = None

    def _members(self) -> dict[str, Any]:
        return {**super()._members(), "passed": self.passed}

    def averaged_with(self, others: list[Any]) -> Any:
        averaged = super().averaged_with(others)
        if self.thresholds is None or self.thresholds.check_error_stat == "elemwise":
            averaged._passed = all(map(bool, [self, *others]))
        return averaged


@_stored
class L2Result(CompareResult):
    """The Euclidean norm of the difference of an output, ``l2_norm``."""

    THRESHOLD = L2Threshold

    def __init__(self, l2_norm: float | None, thresholds: Any = None) -> None:
        super().__init__(thresholds)
        self.l2_norm = l2_norm


@_stored
class CosineSimilarityResult(CompareResult):
    """The cosine of the angle between the two outputs as vectors, from -1 to 1: ``cosine_similarity``."""

    THRESHOLD = CosineSimilarityThreshold

    def __init__(self, cosine_similarity: float | None, thresholds: Any = None) -> None:
        super().__init__(thresholds)
        self.cosine_similarity = cosine_similarity


@_stored
class PsnrResult(CompareResult):
    """The peak signal-to-noise ratio of an output in dB, ``psnr``."""

    THRESHOLD = PsnrThreshold

    def __init__(self, psnr: float | None, thresholds: Any = None) -> None:
        super().__init__(thresholds)
        self.psnr = psnr


@_stored
class SnrResult(CompareResult):
    """The signal-to-noise ratio of an output in dB, ``snr``."""

    THRESHOLD = SnrThreshold

    def __init__(self, snr: float | None, thresholds: Any = None) -> None:
        super().__init__(thresholds)
        self.snr = snr


@_stored
class PerceptualMetricsResult(CompareResult):
    """How different two images look to a neural network (LPIPS), ``lpips``. None if Polygraphy couldn't measure it."""

    THRESHOLD = LpipsThreshold

    def __init__(self, lpips: float | None = None, thresholds: Any = None) -> None:
        super().__init__(thresholds)
        self.lpips = lpips


@_stored
class UlpResult(CompareResult):
    """The largest distance of two elements of an output, counted in representable numbers between them: ``max_ulp``."""

    THRESHOLD = UlpThreshold

    def __init__(self, max_ulp: float | None, thresholds: Any = None) -> None:
        super().__init__(thresholds)
        self.max_ulp = max_ulp


check_arguments(__name__)
