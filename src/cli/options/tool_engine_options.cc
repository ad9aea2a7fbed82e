#include "cli/options/tool_engine_options.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "backend/find_engines.h"
#include "base/strings.h"
#include "cli/options/validators.h"

namespace assay::cli {
namespace {

constexpr std::string_view kCustomOps = "custom_ops";

}  // namespace

void ToolEngineOptions::add_to(CLI::App& app) {
  constexpr auto kGroup = "Engine";
  const backend::EngineRow& engine = backend::engine_rows().front();
  app.add_option(std::string(engine.library_setting().flags), library_,
                 fmt::format("Use this {} library if one is needed (default: the first that `assay --version` lists)",
                             engine.name))
      ->option_text("FILE")
      ->group(kGroup);
  const backend::EngineSetting& custom_ops = backend::find_engine_setting(engine, kCustomOps);
  app.add_option(std::string(custom_ops.flags), custom_ops_, std::string(custom_ops.help))
      ->option_text("FILE")
      ->expected(1, -1)
      ->group(kGroup);
  app.add_option("--engine-timeout", timeout_s_,
                 "Stop the engine if loading or one run takes longer than this many seconds")
      ->option_text("SECONDS")
      ->check(above_zero())
      ->capture_default_str()
      ->group(kGroup);
  app.add_option("--engine-memory", memory_,
                 "Stop the engine if it uses more memory than this, e.g. 4G (default: no limit)")
      ->option_text("SIZE")
      ->check(size_above_zero())
      ->group(kGroup);
}

base::Expected<worker::EngineSpec> ToolEngineOptions::spec(const Installation& installation) const {
  const backend::EngineRow& engine = backend::engine_rows().front();
  ASSAY_ASSIGN(std::filesystem::path library, backend::find_engine(engine, library_, installation.engines));
  worker::EngineSpec spec{std::string(engine.kind), std::move(library), {}};
  if (!custom_ops_.empty()) spec.options[std::string(kCustomOps)] = base::join(custom_ops_, ",");
  return spec;
}

worker::Limits ToolEngineOptions::limits() const {
  worker::Limits limits;
  limits.time_s = timeout_s_;
  if (!memory_.empty()) limits.memory_bytes = *base::parse_size(memory_);  // the parser has checked it
  return limits;
}

}  // namespace assay::cli
