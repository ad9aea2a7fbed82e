#include "diagnose/case.h"

#include "run/is_reference.h"

namespace assay::diagnose {

bool is_reference(const Side& side) {
  return run::is_reference(side.setup.spec);
}

run::EngineSetup with_options(run::EngineSetup setup, const std::map<std::string, std::string>& options) {
  for (const auto& [key, value] : options) setup.spec.options[key] = value;
  return setup;
}

}  // namespace assay::diagnose
