#include "cli/options/tool_engine_options.h"

#include "backend/find_engines.h"
#include "base/strings.h"

namespace assay::cli {

void ToolEngineOptions::add_to(CLI::App& app) {
  constexpr auto kGroup = "Engine";
  app.add_option("--onnxrt-lib", library_, "The ONNX Runtime library to use where one is needed")->group(kGroup);
  app.add_option("--engine-timeout", timeout_s_, "Seconds that loading, and each run, may take")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->group(kGroup);
  app.add_option("--engine-memory", memory_, "Memory that the engine may use, e.g. 4G")->group(kGroup);
}

base::Expected<worker::EngineSpec> ToolEngineOptions::spec(const Installation& installation) const {
  backend::EngineSearch search = installation.engines;
  search.libraries["onnxruntime"].option = library_;
  ASSAY_ASSIGN(const backend::FoundEngine found, backend::find_onnxruntime(search));
  return worker::EngineSpec{found.kind, found.library, {}};
}

base::Expected<worker::Limits> ToolEngineOptions::limits() const {
  worker::Limits limits;
  limits.time_s = timeout_s_;
  if (!memory_.empty()) {
    ASSAY_ASSIGN(limits.memory_bytes, base::parse_size(memory_));
  }
  return limits;
}

}  // namespace assay::cli
