// Replaces sub-graphs of a model by single nodes of plug-ins. A plug-in is a folder with a file pattern.py, in
// Polygraphy's form: Python functions that find the sub-graphs with ONNX-GraphSurgeon. They run in a process of their
// own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "base/stop.h"
#include "model/model.h"
#include "worker/limits.h"

namespace assay::plugin {

struct PluginFolder {
  std::filesystem::path path;
  std::string python = "python3";  // has onnx and onnx-graphsurgeon
  worker::Limits limits = {};
};

struct PluginCount {
  std::string name;
  std::int64_t found = 0;     // sub-graphs that the pattern finds, or that the configuration lists
  std::int64_t replaced = 0;  // only by replace_subgraphs()
};

// Returns the names of the plug-ins: the folders with a pattern.py, sorted. Errors: not_found if the folder doesn't
// exist.
base::Expected<std::vector<std::string>> list_plugins(const std::filesystem::path& folder);

// A sub-graph that a plug-in can compute.
struct Instance {
  std::string plugin;
  std::string op;  // of the node that replaces it
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::string attributes;  // of that node, as a JSON object
};

struct Matches {
  std::vector<PluginCount> plugins;
  std::string config;  // YAML, a document for each plug-in that matches
};

// Runs the patterns of these plug-ins on a model. What they print goes to the log, at level verbose. Errors: not_found
// for Python and its packages; invalid_input if a plug-in raises or breaks the rules; interrupted.
base::Expected<Matches> find_subgraphs(const model::Model& model, const PluginFolder& folder,
                                       const std::vector<std::string>& plugins, const base::Stop& stop, base::Log& log);

// Returns the sub-graphs that a configuration lists. Errors: as find_subgraphs(); invalid_input if the configuration
// isn't of the form that find_subgraphs() returns, or names a plug-in or a tensor that doesn't exist.
base::Expected<std::vector<Instance>> read_instances(const model::Model& model, const PluginFolder& folder,
                                                     const std::filesystem::path& config, const base::Stop& stop,
                                                     base::Log& log);

struct Replaced {
  std::vector<PluginCount> plugins;
  std::vector<std::string> lost_inputs;  // model::lost_inputs()
};

// Replaces sub-graphs that a configuration lists, and saves the result. `chosen` has their positions in
// read_instances(); all are replaced if it is empty. Errors: those of read_instances() and model::save.
base::Expected<Replaced> replace_subgraphs(const model::Model& model, const PluginFolder& folder,
                                           const std::filesystem::path& config, const std::filesystem::path& output,
                                           const base::Stop& stop, base::Log& log,
                                           const std::vector<std::size_t>& chosen = {});

}  // namespace assay::plugin
