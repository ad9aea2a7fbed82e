#include "cli/version.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "backend/find_engines.h"

namespace assay::cli {

std::string program_version() {
  return "assay " ASSAY_VERSION;
}

std::string version_text(const Installation& installation) {
  std::string text = fmt::format("{}\nonnx {}\n", program_version(), ASSAY_ONNX_VERSION);
  const auto engines = backend::find_engines(installation.engines);
  std::string_view last;
  for (const backend::FoundEngine& engine : engines) {
    if (std::exchange(last, engine.kind) == engine.kind) continue;  // the first of each kind is the one that is used
    const bool usable = backend::has_worker(*backend::find_engine_row(engine.kind), installation.engines);
    text += fmt::format("{} {} ({}; {}{})\n", engine.kind, engine.version.empty() ? "?" : engine.version,
                        engine.library.string(), engine.how, usable ? "" : "; this build has no worker for it");
  }
  if (!engines.empty()) return text;
  const auto found = backend::find_onnxruntime(installation.engines);
  return text + "no engine: " + (found ? std::string() : found.error().message()) + "\n";
}

}  // namespace assay::cli
