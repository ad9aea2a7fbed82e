// The subject of a diagnosis: a model, its inputs, the engines, and how outputs are compared.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "backend/engine_table.h"
#include "base/error.h"
#include "base/log.h"
#include "base/stop.h"
#include "compare/compare_outputs.h"
#include "data/input_source.h"
#include "data/results_reader.h"
#include "data/run_results.h"
#include "model/model.h"
#include "report/page/page.h"
#include "run/engine_runner.h"
#include "run/engine_words.h"
#include "tensor/tensor.h"
#include "worker/engine.h"

namespace assay::diagnose {

// An engine that runs the model.
struct Side {
  run::EngineSetup setup{};
  bool is_given = true;  // by the user; if false, its outputs only serve as an opinion
};

// Returns true for ONNX's reference evaluator.
bool is_reference(const Side& side);
// Returns the engine with further options of the worker; `options` replace those of the same name.
run::EngineSetup with_options(run::EngineSetup setup, const std::map<std::string, std::string>& options);
// Returns the reference evaluator so that it computes all floats as float64.
run::EngineSetup in_float64(const run::EngineSetup& reference);
// Returns the option that the table of engines has for a purpose, for example &EngineRow::one_thread. Empty if the
// engine has none.
std::map<std::string, std::string> options_for(const run::EngineSetup& setup,
                                               backend::EngineOption backend::EngineRow::*purpose);

// A library of an engine that is installed besides the one in use.
struct OtherLibrary {
  std::string kind;
  std::filesystem::path library;
  std::string version;  // may be empty
};

// Everything is owned by the caller.
struct Case {
  std::filesystem::path file{};  // of the model
  const model::Model& model;
  worker::ModelSource source{};
  std::vector<Side> sides{};  // those that the user gave first
  std::vector<OtherLibrary> libraries{};
  std::vector<worker::EngineSpec> value_engines{};  // that compute values for Assay itself, the best first
  run::UsualLibraries usual_libraries{};
  std::vector<tensor::NamedTensors> inputs{};           // one for each iteration; at least one
  bool inputs_are_random = true;                        // generated, not given
  std::set<std::string> shaped_inputs{};                // generated with shapes that the user gave; or wildcards
  std::vector<std::string> misfits{};                   // what was changed in the given inputs to make them fit
  std::vector<std::string> data_words{};                // options that the user gave for generated inputs
  std::shared_ptr<data::ResultsReader> golden{};        // may be null
  std::optional<data::RunnerResults> golden_results{};  // the same, in memory
  std::filesystem::path golden_file{};
  compare::ComparePlan plan{};
  std::vector<std::string> run_words{};  // options of comparison and limits for `assay run`
  std::filesystem::path folder{};        // for everything that is written; exists
  std::filesystem::path program{};       // the assay program, for checks that run as processes

  [[nodiscard]] std::filesystem::path inputs_file() const { return folder / "inputs.json"; }
  [[nodiscard]] data::InputsByIteration inputs_by_iteration() const;  // the case must outlive the result
  // Returns the outputs of golden_results, which must be set.
  [[nodiscard]] std::vector<tensor::NamedTensors> golden_outputs() const;
  // Returns true if the model has more than 1 GiB of weights. Engines that the user didn't give then only run if
  // nothing else answers a question, since they may take minutes, or more memory than there is.
  [[nodiscard]] bool is_large() const;
};

// Returns the reference evaluator if it is one of the sides, otherwise null. The case must outlive the result.
const run::EngineSetup* reference_of(const Case& task);

// How a command of Assay ended.
struct CommandResult {
  int status = 0;                      // its exit status
  std::optional<base::Error> error{};  // why it failed, if it says so
  report::Page page{};                 // what the HTML report of `debug reduce` shows; empty for other commands
};

// The services that a step may use.
struct StepContext {
  worker::Pool& pool;
  base::Log& log;
  const base::Stop& stop;
  double seconds = 0;  // its share of the budget; 0: unlimited
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  // Runs a command of Assay in this process. Its messages go to the log.
  std::function<CommandResult(const std::vector<std::string>& words)> assay;

  // Returns the engine with this part of the time that is left as its limit, unless it has a limit already or there is
  // no budget. An engine that hangs would use up the share of the whole step, and everything that the step has found
  // out would be lost.
  [[nodiscard]] run::EngineSetup limited(run::EngineSetup engine, double part) const;
};

}  // namespace assay::diagnose
