#include "cli/context/version.h"

#include <fmt/format.h>

#include "backend/engine_table.h"
#include "backend/find_engines.h"

namespace assay::cli {

std::string program_version() {
  return "assay " ASSAY_VERSION;
}

std::string version_text(const Installation& installation) {
  const std::string head = fmt::format("{}\nonnx {}\n", program_version(), ASSAY_ONNX_VERSION);
  std::string text;
  for (const backend::EngineRow& row : backend::engine_rows()) {
    if (row.library.file.empty()) continue;
    const auto engine = backend::find_library(row, installation.engines);
    // An engine that isn't installed is not mentioned, but one that isn't where a variable says is: it can't be used.
    if (!engine && !engine.error().where.empty())
      text += fmt::format("{} ? ({})\n", row.kind, engine.error().message());
    if (!engine) continue;
    const bool usable = backend::has_worker(row, installation.engines);
    text += fmt::format("{} {} ({}; {}{})\n", engine->kind, engine->version.empty() ? "?" : engine->version,
                        engine->library.string(), engine->how, usable ? "" : "; this build has no worker for it");
  }
  if (!text.empty()) return head + text;
  const auto found = backend::find_onnxruntime(installation.engines);
  return head + "no engine: " + (found ? std::string() : found.error().message()) + "\n";
}

}  // namespace assay::cli
