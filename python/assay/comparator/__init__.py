"""Runs several runners with the same inputs and compares what they return."""

from assay.comparator.comparator import Comparator
from assay.comparator.compare import (
    BaseCompareFunc,
    CompareFunc,
    CosineSimilarityCompareFunc,
    IndicesCompareFunc,
    L2CompareFunc,
    PsnrCompareFunc,
    SimpleCompareFunc,
    SnrCompareFunc,
    UlpCompareFunc,
)
from assay.comparator.data_loader import DataLoader, DataLoaderCache
from assay.comparator.postprocess import BasePostprocessFunc, PostprocessFunc, TopKPostprocessFunc
from assay.comparator.result import (
    CompareResult,
    CosineSimilarityResult,
    L2Result,
    OutputCompareResult,
    PsnrResult,
    SimpleThreshold,
    SnrResult,
    Threshold,
    UlpResult,
)
from assay.comparator.struct import AccuracyResult, AccuracyResults, IterationResult, RunResults

__all__ = [
    "AccuracyResult",
    "AccuracyResults",
    "BaseCompareFunc",
    "BasePostprocessFunc",
    "Comparator",
    "CompareFunc",
    "CompareResult",
    "CosineSimilarityCompareFunc",
    "CosineSimilarityResult",
    "DataLoader",
    "DataLoaderCache",
    "IndicesCompareFunc",
    "IterationResult",
    "L2CompareFunc",
    "L2Result",
    "OutputCompareResult",
    "PostprocessFunc",
    "PsnrCompareFunc",
    "PsnrResult",
    "RunResults",
    "SimpleCompareFunc",
    "SimpleThreshold",
    "SnrCompareFunc",
    "SnrResult",
    "Threshold",
    "TopKPostprocessFunc",
    "UlpCompareFunc",
    "UlpResult",
]
