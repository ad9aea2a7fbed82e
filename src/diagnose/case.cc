#include "diagnose/case.h"

namespace assay::diagnose {

bool is_reference(const Side& side) {
  const auto module = side.setup.spec.options.find("module");
  return side.setup.spec.kind == "python" && module != side.setup.spec.options.end() && module->second == "reference";
}

run::EngineSetup with_options(run::EngineSetup setup, const std::map<std::string, std::string>& options) {
  for (const auto& [key, value] : options) setup.spec.options[key] = value;
  return setup;
}

}  // namespace assay::diagnose
