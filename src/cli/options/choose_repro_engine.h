// Which of a check's engines the programs of a bug report use: the one that is at fault, as far as that can be told.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "compare/compare_function.h"
#include "run/engine_runner.h"
#include "tensor/tensor.h"

namespace assay::cli {

struct EngineRun {
  const run::EngineSetup& setup;
  const tensor::NamedTensors* outputs;  // null: it failed
};

struct ReproEngine {
  std::size_t engine;                   // index of the run; one that programs can be made for
  std::optional<std::size_t> expected;  // of that whose outputs are what should come out; absent: nobody knows
  std::string why;                      // "it fails where ONNX Runtime runs"; empty where there is no choice
};

// Of the engines that programs can be made for (report::program_engines()), in this order:
//   one that fails where another engine of the check runs;
//   one whose outputs differ, element by element and with the check's tolerances, from `saved` or, where that is empty,
//   from those of an engine without programs, which is the reference evaluator or a module of the user's;
//   the one furthest down in that table: ONNX Runtime, its first row, is what the others are measured by.
// Among several the first that the check names. Nothing where programs can be made for none.
std::optional<ReproEngine> choose_repro_engine(std::span<const EngineRun> runs, const tensor::NamedTensors& saved,
                                               const compare::CompareOptions& tolerances);

}  // namespace assay::cli
