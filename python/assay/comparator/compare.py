"""The comparison functions. The compiled ones of the command line do the work."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING, Any, Union

from assay import util
from assay.arguments import Ratio, Tolerance, check_arguments
from assay.comparator.result import (
    ERROR_STATS,
    CompareResult,
    CosineSimilarityResult,
    L2Result,
    OutputCompareResult,
    PerceptualMetricsResult,
    PsnrResult,
    SimpleThreshold,
    SnrResult,
    Threshold,
    UlpResult,
)
from assay.comparator.result import (  # noqa: F401 (Polygraphy defines them here)
    CosineSimilarityThreshold,
    L2Threshold,
    LpipsThreshold,
    PsnrThreshold,
    SnrThreshold,
)
from assay.comparator.struct import IterationResult
from assay.exception import InputError
from assay.logger import G_LOGGER, LogMode

if TYPE_CHECKING:
    from assay._assay import Comparison as NativeComparison
else:
    NativeComparison = Any  # importing the extension takes long

Number = Union[float, dict[str, float]]
Tolerances = Union[Tolerance, dict[str, Tolerance]]
Ratios = Union[Ratio, dict[str, Ratio]]
Word = Union[str, dict[str, str]]
Pictures = Union[str, "os.PathLike[str]"]
# Gets the name and the position of an output and the results of the second runner. Returns the names of outputs of the
# second runner to compare it with, or None.
FindOutput = Callable[[str, int, IterationResult], Any]


class BaseCompareFunc:
    """Compares the outputs of two runners in one iteration.

    Derive from it and define ``__call__``, or pass any function with these parameters to
    :func:`Comparator.compare_accuracy`.

    Returns:
        A result for each output, by its name in the first runner: an object that is true if the output agrees.
    """

    def __call__(self, iter_result0: IterationResult, iter_result1: IterationResult) -> OrderedDict[str, Any]:
        raise NotImplementedError(f"{type(self).__name__} must define __call__()")

    def thresholds_for(self, output_name: str) -> Threshold:
        """Returns the limits that an output is judged by.

        Raises:
            NotImplementedError: The results have no metrics.
        """
        raise NotImplementedError(f"{type(self).__name__} has no thresholds")


class _CompiledCompareFunc(BaseCompareFunc):
    """Calls a compiled comparison function, one of the table in src/compare/compare_function.cc."""

    FUNCTION = ""
    RESULT: Any = None  # a class derived from CompareResult

    def __init__(
        self,
        settings: dict[str, Any],
        check_shapes: bool | None = None,
        fail_fast: bool | None = None,
        find_output_func: FindOutput | None = None,
        infinities_compare_equal: bool | None = None,
        pictures: dict[str, str] | None = None,
        nans_compare_equal: bool | None = None,
    ) -> None:
        self._settings = {
            option: value if isinstance(value, dict) else {"": value}
            for option, value in settings.items()
            if value is not None
        }
        self._check_shapes = util.default(check_shapes, True)
        self._fail_fast = util.default(fail_fast, False)
        self._find_output = find_output_func
        self._infinities = util.default(infinities_compare_equal, False)
        self._nans = util.default(nans_compare_equal, False)
        self._pictures = util.default(pictures, {})

    def __repr__(self) -> str:
        given: dict[str, Any] = {
            option[2:].replace("-", "_"): value[""] if list(value) == [""] else value for option, value in self._settings.items()
        }
        given |= {} if self._check_shapes else {"check_shapes": False}
        others = {
            "fail_fast": self._fail_fast,
            "find_output_func": self._find_output,
            "infinities_compare_equal": self._infinities,
            "nans_compare_equal": self._nans,
        }
        given |= {name: value for name, value in others.items() if value}
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in given.items())})"

    def __call__(self, iter_result0: IterationResult, iter_result1: IterationResult) -> OrderedDict[str, Any]:
        self._warn_of_unknown_outputs(iter_result0)
        results: OrderedDict[str, Any] = OrderedDict()
        for first, second, partner in self._pairs(iter_result0, iter_result1):
            for name, result in self._compare(iter_result0, first, iter_result1, second):
                if isinstance(result, CompareResult):
                    result.output0_name = name
                    result.output1_name = partner or (name if name in second else None)
                if results.get(name, True):  # of several partners of an output, one that differs decides
                    results[name] = result
            if self._fail_fast and not all(map(bool, results.values())):
                break
        if not results and (iter_result0 or iter_result1):  # no results would look like results that agree
            raise InputError(
                f"no output of {list(iter_result0)} has a partner in {list(iter_result1)}. Compare runs of the same model, or "
                "give a find_output_func"
            )
        return results

    def _native(self) -> NativeComparison:
        from assay import _assay

        options = (self._check_shapes, self._infinities, self._nans, self._fail_fast)
        return _assay.Comparison(self.FUNCTION, self._settings, *options)

    def thresholds_for(self, output_name: str) -> Any:
        from assay import _assay

        if self.RESULT is None:
            return super().thresholds_for(output_name)
        return self._threshold(_assay.thresholds(self.FUNCTION, self._settings, output_name))

    def _compare(
        self, side0: IterationResult, first: dict[str, Any], side1: IterationResult, second: dict[str, Any]
    ) -> Iterable[tuple[str, Any]]:
        from assay import _assay

        for name, passed, values, thresholds in _assay.compare(
            self._native(), self._pictures, side0.runner_name, first, side1.runner_name, second
        ):
            yield name, passed if values is None or thresholds is None else self._result(passed, values, thresholds)

    def _warn_of_unknown_outputs(self, outputs: Collection[str]) -> None:
        for option, by_output in self._settings.items():
            for name in by_output:
                if name and name not in outputs:
                    parameter = option.removeprefix("--").replace("-", "_")
                    message = f"There is no output '{name}', for which {parameter} is given. The outputs are {list(outputs)}"
                    G_LOGGER.warning(message, mode=LogMode.ONCE)

    def _threshold(self, thresholds: list[Any]) -> Any:
        assert self.RESULT is not None
        return self.RESULT.THRESHOLD(*thresholds)

    def _result(self, passed: bool, values: list[float | None], thresholds: list[Any]) -> Any:
        assert self.RESULT is not None
        return self.RESULT(*values, thresholds=self._threshold(thresholds))

    def _pairs(
        self, side0: IterationResult, side1: IterationResult
    ) -> Iterable[tuple[dict[str, Any], dict[str, Any], str]]:
        """Yields (outputs of the first, outputs of the second, ""), or, if there is a find_output_func, each output with each
        of its partners and the name of the partner."""
        if self._find_output is None:
            yield dict(side0), dict(side1), ""
            return
        for index, name in enumerate(side0):
            partners = self._find_output(name, index, side1)
            for partner in [partners] if isinstance(partners, str) else partners or []:
                if partner in side1:
                    yield {name: side0[name]}, {name: side1[partner]}, partner
                elif partner is not None:
                    G_LOGGER.warning(
                        f"'{name}' isn't compared with '{partner}', which find_output_func returned: it isn't one of the "
                        f"outputs {list(side1)}"
                    )


class SimpleCompareFunc(_CompiledCompareFunc):
    """Compares errors with tolerances. An output agrees if every element is within one of both tolerances, or, if
    ``check_error_stat`` isn't "elemwise", if that statistic of its errors is.

    Settings may be dictionaries with an entry for each output; "" stands for all others.

    Args:
        check_shapes: Whether outputs of different shapes differ. If False, the second one is transposed or reshaped if
            possible. True by default.
        rtol: The tolerance of ``|a-b|/|b|``, with b of the second runner. 1e-5 by default.
        atol: The tolerance of ``|a-b|``. 1e-5 by default.
        fail_fast: Whether to stop at the first output that differs.
        find_output_func: Gets the name of an output, its position and the second result; returns the outputs there that
            it is compared with, a name, a list of names or None; names of outputs that don't exist are skipped with a
            warning. By default, outputs are matched by name.
        check_error_stat: "elemwise" (the default), "max", "mean", "median" or "quantile".
        infinities_compare_equal: Whether infinities of the same sign are equal.
        save_heatmaps: A folder for heat maps of the errors, as SVG.
        show_heatmaps: Whether to log heat maps as text.
        save_error_metrics_plot: A folder for plots of the errors, as SVG.
        show_error_metrics_plot: Whether to log plots as text.
        error_quantile: The quantile for "quantile", from 0 to 1. 0.99 by default.
        nans_compare_equal: Whether two NaNs are equal.
    """

    FUNCTION = "simple"
    RESULT = OutputCompareResult

    def __init__(
        self,
        check_shapes: bool | None = None,
        rtol: Tolerances | None = None,
        atol: Tolerances | None = None,
        fail_fast: bool | None = None,
        find_output_func: FindOutput | None = None,
        check_error_stat: Word | None = None,
        infinities_compare_equal: bool | None = None,
        save_heatmaps: Pictures | None = None,
        show_heatmaps: bool | None = None,
        save_error_metrics_plot: Pictures | None = None,
        show_error_metrics_plot: bool | None = None,
        error_quantile: Ratios | None = None,
        nans_compare_equal: bool | None = None,
    ) -> None:
        stats = check_error_stat.values() if isinstance(check_error_stat, dict) else [check_error_stat or "elemwise"]
        for stat in stats:
            if stat not in ERROR_STATS:
                raise InputError(f"Invalid choice for check_error_stat: {stat}. Use one of {', '.join(ERROR_STATS)}")
        pictures = {
            "heat_map_folder": save_heatmaps and os.fspath(save_heatmaps),
            "plot_folder": save_error_metrics_plot and os.fspath(save_error_metrics_plot),
            "show_heat_maps": "1" if show_heatmaps else "",
            "show_plots": "1" if show_error_metrics_plot else "",
        }
        super().__init__(
            {
                "--atol": atol,
                "--rtol": rtol,
                "--check-error-stat": check_error_stat,
                "--error-quantile": error_quantile,
            },
            check_shapes,
            fail_fast,
            find_output_func,
            infinities_compare_equal,
            {key: value for key, value in pictures.items() if value},
            nans_compare_equal,
        )

    def _result(self, passed: bool, values: list[float | None], thresholds: list[Any]) -> Any:
        make: Any = OutputCompareResult
        return make(*values, thresholds=self._threshold(thresholds), passed=passed)

    def _threshold(self, thresholds: list[Any]) -> SimpleThreshold:
        return SimpleThreshold(ERROR_STATS[int(thresholds[0])], thresholds[1], thresholds[2])


class IndicesCompareFunc(_CompiledCompareFunc):
    """Compares outputs that hold indices, such as those of :func:`PostprocessFunc.top_k`, along their last axis. Results
    are True or False.

    Args:
        index_tolerance: How many places an index may move; a dictionary has an entry for each output. 0 by default.
        fail_fast: Whether to stop at the first output that differs.
    """

    FUNCTION = "indices"

    def __init__(self, index_tolerance: Tolerances | None = None, fail_fast: bool | None = None) -> None:
        super().__init__({"--index-tolerance": index_tolerance}, fail_fast=fail_fast)


class L2CompareFunc(_CompiledCompareFunc):
    """Compares the Euclidean norm of the difference with ``l2_threshold`` (at most; 1e-5 by default).

    The other parameters are those of :class:`SimpleCompareFunc`.
    """

    FUNCTION = "l2"
    RESULT = L2Result

    def __init__(
        self,
        l2_threshold: Tolerances | None = None,
        check_shapes: bool | None = None,
        fail_fast: bool | None = None,
        find_output_func: FindOutput | None = None,
    ) -> None:
        super().__init__({"--l2-threshold": l2_threshold}, check_shapes, fail_fast, find_output_func)


class CosineSimilarityCompareFunc(_CompiledCompareFunc):
    """Compares the cosine similarity with ``cosine_similarity_threshold`` (at least; 0.997 by default).

    The other parameters are those of :class:`SimpleCompareFunc`.
    """

    FUNCTION = "cosine_similarity"
    RESULT = CosineSimilarityResult

    def __init__(
        self,
        cosine_similarity_threshold: Number | None = None,
        check_shapes: bool | None = None,
        fail_fast: bool | None = None,
        find_output_func: FindOutput | None = None,
    ) -> None:
        settings = {"--cosine-similarity-threshold": cosine_similarity_threshold}
        super().__init__(settings, check_shapes, fail_fast, find_output_func)


class PsnrCompareFunc(_CompiledCompareFunc):
    """Compares the peak signal-to-noise ratio, in dB, with ``psnr_threshold`` (at least; 30 by default).

    The other parameters are those of :class:`SimpleCompareFunc`.
    """

    FUNCTION = "psnr"
    RESULT = PsnrResult

    def __init__(
        self,
        psnr_threshold: Number | None = None,
        check_shapes: bool | None = None,
        fail_fast: bool | None = None,
        find_output_func: FindOutput | None = None,
    ) -> None:
        super().__init__({"--psnr-threshold": psnr_threshold}, check_shapes, fail_fast, find_output_func)


class SnrCompareFunc(_CompiledCompareFunc):
    """Compares the signal-to-noise ratio, in dB, with ``snr_threshold`` (at least; 20 by default).

    The other parameters are those of :class:`SimpleCompareFunc`.
    """

    FUNCTION = "snr"
    RESULT = SnrResult

    def __init__(
        self,
        snr_threshold: Number | None = None,
        check_shapes: bool | None = None,
        fail_fast: bool | None = None,
        find_output_func: FindOutput | None = None,
    ) -> None:
        super().__init__({"--snr-threshold": snr_threshold}, check_shapes, fail_fast, find_output_func)


class PerceptualMetricsCompareFunc(_CompiledCompareFunc):
    """Compares images by LPIPS, how different they look to a neural network, with ``lpips_threshold`` (at most; 0.1 by
    default). Needs the packages lpips, torch and torchvision.

    The other parameters are those of :class:`SimpleCompareFunc`.
    """

    FUNCTION = "perceptual_metrics"
    RESULT = PerceptualMetricsResult

    def __init__(
        self,
        lpips_threshold: Tolerances | None = None,
        check_shapes: bool | None = None,
        fail_fast: bool | None = None,
        find_output_func: FindOutput | None = None,
    ) -> None:
        super().__init__({"--lpips-threshold": lpips_threshold}, check_shapes, fail_fast, find_output_func)


class UlpCompareFunc(_CompiledCompareFunc):
    """Compares the largest distance, counted in representable numbers, with ``ulp_tolerance`` (at most; 0 by default).

    The other parameters are those of :class:`SimpleCompareFunc`.
    """

    FUNCTION = "ulp"
    RESULT = UlpResult

    def __init__(
        self,
        ulp_tolerance: Tolerances | None = None,
        check_shapes: bool | None = None,
        fail_fast: bool | None = None,
        find_output_func: FindOutput | None = None,
    ) -> None:
        super().__init__({"--ulp-tolerance": ulp_tolerance}, check_shapes, fail_fast, find_output_func)


class AllOf(BaseCompareFunc):
    """Requires several functions. :func:`Comparator.compare_accuracy` calls each by itself, which keeps their metrics; a
    direct call only tells whether all agree.

    Args:
        functions: The functions.

    Attributes:
        functions: The same.
    """

    def __init__(self, functions: list[BaseCompareFunc]) -> None:
        self.functions = functions

    def __repr__(self) -> str:
        return f"AllOf({self.functions!r})"

    def __call__(self, iter_result0: IterationResult, iter_result1: IterationResult) -> OrderedDict[str, Any]:
        found = [function(iter_result0, iter_result1) for function in self.functions]
        names = util.unique_list(name for results in found for name in results)
        return OrderedDict((name, all(bool(results.get(name, True)) for results in found)) for name in names)


def native_comparison(function: BaseCompareFunc, outputs: Collection[str]) -> NativeComparison:
    """Returns a comparison function as the extension takes it, without its pictures.

    Args:
        function: The function.
        outputs: The names of what it will compare: settings for others are warnings.

    Raises:
        InputError: It isn't a single one of CompareFunc's, or it has a `find_output_func`.
    """
    if not isinstance(function, _CompiledCompareFunc) or function._find_output is not None:
        raise InputError(f"compare_func must be a single function of CompareFunc, without a find_output_func, but is {function!r}")
    function._warn_of_unknown_outputs(outputs)
    return function._native()


class CompareFunc:
    """The comparison functions by name. The parameters are those of their classes."""

    simple = SimpleCompareFunc
    indices = IndicesCompareFunc
    l2 = L2CompareFunc
    cosine_similarity = CosineSimilarityCompareFunc
    psnr = PsnrCompareFunc
    snr = SnrCompareFunc
    perceptual_metrics = PerceptualMetricsCompareFunc
    ulp = UlpCompareFunc

    @staticmethod
    def distance_metrics(
        l2_tolerance: Number | None = None, cosine_similarity_threshold: Number | None = None, **common: Any
    ) -> BaseCompareFunc:
        """Stands for ``l2`` and ``cosine_similarity``, which must both agree."""
        return AllOf(
            [
                L2CompareFunc(l2_tolerance, **common),
                CosineSimilarityCompareFunc(cosine_similarity_threshold, **common),
            ]
        )

    @staticmethod
    def quality_metrics(
        psnr_tolerance: Number | None = None, snr_tolerance: Number | None = None, **common: Any
    ) -> BaseCompareFunc:
        """Stands for ``psnr`` and ``snr``, which must both agree."""
        return AllOf([PsnrCompareFunc(psnr_tolerance, **common), SnrCompareFunc(snr_tolerance, **common)])


check_arguments(__name__)
