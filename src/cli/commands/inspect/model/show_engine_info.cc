#include "cli/commands/inspect/model/show_engine_info.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "cli/options/format_option.h"
#include "inspect/engine_json.h"
#include "inspect/engine_text.h"
#include "run/ask_network.h"
#include "worker/engine.h"

namespace assay::cli {
namespace {

using base::ErrorKind;
using base::fail;

// The options that this form has, besides those for logging. All others are refused, so that an option which the
// command gets later isn't ignored by mistake.
constexpr std::array<std::string_view, 6> kOptions = {"model_file", "--model-type", "--show",
                                                      "--format",   "--display-as", "--combine-tensor-info"};
// Groups whose options are all accepted: logging and, if the file is an engine itself, TensorRT and the limits of its
// worker.
constexpr std::string_view kLogging = "Logging";
constexpr std::array<std::string_view, 2> kEngineGroups = {"TensorRT", "Limits"};

}  // namespace

base::Status check_engine_options(const inspect::DescribeOptions& options, bool engine_options, const CLI::App& app) {
  for (const CLI::Option* option : app.parse_order()) {
    const std::string name = option->get_name();
    const bool for_engine =
        engine_options && std::ranges::find(kEngineGroups, option->get_group()) != kEngineGroups.end();
    if (for_engine || option->get_group() == kLogging || std::ranges::find(kOptions, name) != kOptions.end()) continue;
    return fail(ErrorKind::unsupported, "this option is for ONNX models, and the file has the layers of an engine",
                name, "Leave it out, or give --model-type onnx if the file is an ONNX model");
  }
  if (!options.weights) return {};
  return fail(ErrorKind::unsupported, "the layers of an engine don't include its weights", "--show weights",
              "Leave it out");
}

base::Expected<tensorrt::EngineInfo> ask_inspector(const worker::ModelSource& engine, run::EngineSetup setup,
                                                   Context& context) {
  setup.spec.options["model_type"] = "engine";
  return run::ask_layers(setup, engine, context.pool);
}

void show_engine_info(const tensorrt::EngineInfo& engine, const inspect::DescribeOptions& options, bool json,
                      Context& context) {
  if (json) {
    fmt::print(context.out, "{}\n", inspect::engine_json(engine, options));
  } else {
    log_text(context.log, inspect::engine_text(engine, options));
  }
}

}  // namespace assay::cli
