// Flags that name an engine may be repeated and mixed; each is a runner, in the order of the command line. Options of
// an engine hold for all its runners; those that may differ (library, threads) are given once, or once for each.
#include "cli/options/engine_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "backend/find_engines.h"
#include "base/strings.h"

namespace assay::cli {
namespace {

using base::ErrorKind;
using base::fail;

struct EngineRow {
  std::string_view flag;
  std::string_view kind;    // of the worker
  std::string_view runner;  // how runners are named, as the peer names them
  std::string_view name;    // in messages
  std::string_view help;
};

constexpr std::array kEngines = {
    EngineRow{"--onnxrt", "onnxruntime", "onnxrt", "ONNX Runtime",
              "Run in ONNX Runtime; may be repeated. Runners run in the order given"},
};

// The value for the i-th of `count` runners: one for all, or one for each.
template <class T>
base::Expected<T> ith(const std::vector<T>& values, std::size_t i, std::size_t count, const char* option) {
  if (values.empty()) return T{};
  if (values.size() == 1) return values[0];
  if (values.size() == count) return values[i];
  return fail(ErrorKind::invalid_input, fmt::format("{} values for {} engines", values.size(), count), option,
              "Give one for all, or one for each");
}

}  // namespace

void EngineOptions::add_to(CLI::App& app) {
  app_ = &app;
  for (const EngineRow& row : kEngines) {
    app.add_flag(std::string(row.flag))->description(std::string(row.help))->group("Runners");
  }
  constexpr auto kGroup = "ONNX Runtime";
  app.add_option("--providers,--execution-providers", providers_,
                 "Execution providers, tried in this order; part of a name is enough (default: cpu)")
      ->expected(1, -1)
      ->group(kGroup);
  app.add_option(
         "--graph-optimization-level", graph_optimization_level_,
         "ORT_DISABLE_ALL, ORT_ENABLE_BASIC, ORT_ENABLE_EXTENDED, ORT_ENABLE_LAYOUT or ORT_ENABLE_ALL (default)")
      ->group(kGroup);
  app.add_option("--onnxrt-lib", libraries_,
                 "The library to run; once for all --onnxrt, or once for each, in their order")
      ->allow_extra_args(false)
      ->group(kGroup);
  app.add_option("--threads", threads_, "Threads for one operator; once for all --onnxrt, or once for each")
      ->allow_extra_args(false)
      ->check(CLI::NonNegativeNumber)
      ->group(kGroup);
  app.add_option("--session-config", session_config_, "Session configuration entries, KEY=VALUE")
      ->expected(1, -1)
      ->group(kGroup);
  constexpr auto kLimits = "Limits";
  app.add_option("--engine-timeout", timeout_s_, "Seconds that loading, and each run, may take")
      ->check(CLI::PositiveNumber)
      ->group(kLimits);
  app.add_option("--engine-memory", memory_, "Memory that an engine may use, e.g. 4G")->group(kLimits);
}

base::Expected<std::vector<compare::EngineSetup>> EngineOptions::setups(const Installation& installation) const {
  std::vector<const EngineRow*> wanted;
  for (const CLI::Option* option : app_->parse_order()) {
    const auto row =
        std::ranges::find_if(kEngines, [&](const EngineRow& r) { return option->check_name(std::string(r.flag)); });
    if (row != kEngines.end()) wanted.push_back(&*row);
  }
  worker::Limits limits;
  if (timeout_s_ > 0) limits.time_s = timeout_s_;
  if (!memory_.empty()) {
    ASSAY_ASSIGN(limits.memory_bytes, base::parse_size(memory_));
  }
  std::map<std::string, std::string> options;
  if (!providers_.empty()) options["providers"] = base::join(providers_, ",");
  if (!graph_optimization_level_.empty()) options["graph_optimization_level"] = graph_optimization_level_;
  for (const std::string& entry : session_config_) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos || equals == 0) {
      return fail(ErrorKind::invalid_input, "'" + entry + "' makes no sense", "--session-config", "Give KEY=VALUE");
    }
    options["config." + entry.substr(0, equals)] = entry.substr(equals + 1);
  }

  const auto now = std::chrono::system_clock::now();
  std::vector<compare::EngineSetup> setups;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const EngineRow& row = *wanted[i];
    compare::EngineSetup setup;
    setup.runner = data::make_runner_name(row.runner, static_cast<int>(i), now);
    setup.engine = row.name;
    setup.spec.kind = row.kind;
    setup.spec.options = options;
    setup.limits = limits;
    ASSAY_ASSIGN(const int threads, ith(threads_, i, wanted.size(), "--threads"));
    if (threads > 0) setup.spec.options["intra_op_threads"] = std::to_string(threads);
    ASSAY_ASSIGN(const std::string library, ith(libraries_, i, wanted.size(), "--onnxrt-lib"));
    backend::EngineSearch search = installation.engines;
    search.onnxruntime_option = library;
    ASSAY_ASSIGN(const backend::FoundEngine found, backend::find_onnxruntime(search));
    setup.spec.library = found.library;
    setups.push_back(std::move(setup));
  }
  return setups;
}

}  // namespace assay::cli
