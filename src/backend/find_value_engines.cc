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
    if (!row.exact_key.empty()) spec.options[std::string(row.exact_key)] = row.exact_value;
  }
  return engines;
}

}  // namespace assay::backend
