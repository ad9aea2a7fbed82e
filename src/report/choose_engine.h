// Chooses which of a check's engines the programs of a bug report use: the one most likely at fault.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "compare/compare_options.h"
#include "run/engine_runner.h"
#include "tensor/tensor.h"

namespace assay::report {

struct EngineRun {
  const run::EngineSetup& setup;
  const tensor::NamedTensors* outputs;  // null: it failed, or was stopped
  bool stopped = false;                 // by a limit that the check doesn't have, so it may have worked
};

struct EngineChoice {
  std::size_t engine;                   // index of the run; programs exist for its engine
  std::optional<std::size_t> expected;  // index of the run with the expected outputs; absent: unknown
  std::string why;                      // a clause for the README; empty if there was no choice
  std::string unreached{};              // an engine without programs that fails, if this one runs; empty: none
};

// Chooses among the engines for which programs exist (program_engines.h), in this order:
//   1. an engine that fails although another engine of the check runs;
//   2. an engine whose outputs differ, element by element within the check's tolerances, from `saved` or, if that is
//      empty, from those of an engine without programs (the reference evaluator or a Python module of the user's);
//   3. the engine furthest down in the table of engines: its first row, ONNX Runtime, is taken as the reference for the
//      others.
// If several qualify, the first that the check names. Returns nullopt if there are programs for none of them.
std::optional<EngineChoice> choose_engine(std::span<const EngineRun> runs, const tensor::NamedTensors& saved,
                                          const compare::CompareOptions& tolerances);

}  // namespace assay::report
