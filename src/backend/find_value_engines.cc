#include "backend/find_value_engines.h"

#include <string>

namespace assay::backend {

std::vector<worker::EngineSpec> find_value_engines(const EngineSearch& search, base::Log& log) {
  std::vector<worker::EngineSpec> engines;
  for (const EngineRow& row : engine_rows()) {
    if (!row.computes_values) continue;
    auto library = find_engine(row, {}, search);
    if (!library) {
      log.verbose("{} is not used to compute values: {}", row.name, library.error().message());
      continue;
    }
    worker::EngineSpec& spec = engines.emplace_back(make_engine_spec(row, *std::move(library)));
    row.exact.set_in(spec.options);
  }
  return engines;
}

void load_files_of(const worker::EngineSpec& like, std::vector<worker::EngineSpec>& engines) {
  const EngineRow* row = find_engine_row(like.kind);
  if (row == nullptr) return;
  for (const EngineSetting& setting : row->settings) {
    const auto files = like.options.find(std::string(setting.key));
    if (!setting.files || files == like.options.end()) continue;
    for (worker::EngineSpec& engine : engines) {
      if (engine.kind == like.kind) engine.options.insert(*files);
    }
  }
}

}  // namespace assay::backend
