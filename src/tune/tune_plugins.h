// Finds the sub-graphs of a model whose replacement by plug-ins makes an engine fastest: the search (search.h) with
// models that are changed (room `plugin`) and timed (time_model.h).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "base/stop.h"
#include "model/model.h"
#include "plugin/replace_subgraphs.h"
#include "run/engine_runner.h"
#include "tune/search.h"
#include "tune/time_model.h"
#include "worker/engine.h"

namespace assay::tune {

// A sub-graph that may be replaced.
struct Replacement {
  std::string name;  // the plug-in and the number of the sub-graph among its own: "gelu_0"
  plugin::Instance instance;
};

// Returns the sub-graphs of a configuration that `plugin match` wrote, named. Errors: those of plugin::read_instances.
base::Expected<std::vector<Replacement>> read_replacements(const model::Model& model,
                                                           const plugin::PluginFolder& plugins,
                                                           const std::filesystem::path& config, const base::Stop& stop,
                                                           base::Log& log);

struct Subject {
  const model::Model& model;
  worker::ModelSource source;    // the model as it is, for the engine
  std::filesystem::path config;  // of the sub-graphs
  plugin::PluginFolder plugins;
  std::vector<Replacement> replacements;  // read_replacements()
  run::EngineSetup engine;
};

struct TuneOptions {
  SearchOptions search;
  TimingPlan timing;
};

// Logs each trial. Fills `found` as it goes. Errors: those of the model as it is in the engine; not_found and io;
// interrupted.
base::Status tune_plugins(const Subject& subject, const TuneOptions& options, worker::Pool& pool,
                          const base::Stop& stop, base::Log& log, Findings& found);

// Returns "gelu_0, gelu_3", or "the model as it is".
std::string names_of(const Combination& combination, const std::vector<Replacement>& replacements);
// Returns "2.35 ms (half of the runs from 2.33 to 2.4 ms)".
std::string text_of(const run::TimingSummary& times);

}  // namespace assay::tune
