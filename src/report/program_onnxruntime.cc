// The programs' constants for ONNX Runtime, from its worker's options (backend/onnxruntime_options.h).
#include <array>
#include <cstdlib>

#include "base/strings.h"
#include "report/program_engines.h"

namespace assay::report {
namespace {

struct Level {
  std::string_view name;
  int number;
};
constexpr std::array kLevels = {Level{"ORT_DISABLE_ALL", 0}, Level{"ORT_ENABLE_BASIC", 1},
                                Level{"ORT_ENABLE_EXTENDED", 2}, Level{"ORT_ENABLE_LAYOUT", 3},
                                Level{"ORT_ENABLE_ALL", 99}};

int level_number(const std::string& name) {
  for (const Level& level : kLevels) {
    if (base::to_lower(level.name) == base::to_lower(name)) return level.number;
  }
  return 99;
}

}  // namespace

std::vector<Setting> onnxruntime_settings(const ReproInput& input) {
  const Options& options = input.engine.options;
  std::vector<std::string> providers;
  for (const std::string& name : base::split(option(options, "providers", ""), ',')) {
    if (!base::trim(name).empty()) providers.emplace_back(base::trim(name));
  }
  return {{"PROVIDERS", providers, "names or parts of names; empty: the CPU"},
          {"GRAPH_OPTIMIZATION_LEVEL", level_number(option(options, "graph_optimization_level", "")), ""},
          {"INTRA_OP_THREADS", std::atoi(option(options, "intra_op_threads", "0").c_str()), "0: the engine's choice"},
          {"SESSION_CONFIG", options_below(options, "config."), ""}};
}

}  // namespace assay::report
