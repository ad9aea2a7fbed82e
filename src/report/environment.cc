#include "report/environment.h"

#include <set>

#include "report/machine.h"
#include "report/run_repro_plan.h"

namespace assay::report {

std::vector<std::pair<std::string, std::string>> describe_environment(const std::vector<run::EngineSetup>& engines,
                                                                      worker::Pool& pool) {
  using Fact = std::pair<std::string, std::string>;
  std::vector<Fact> facts = {{"Assay", ASSAY_VERSION}, {"ONNX (the library in Assay)", ASSAY_ONNX_VERSION}};
  std::set<Fact> known;
  for (const run::EngineSetup& engine : engines) {
    Fact fact{engine.engine, version_text(engine, pool)};
    if (known.insert(fact).second) facts.push_back(std::move(fact));
  }
  for (Fact& fact : describe_machine()) facts.push_back(std::move(fact));
  return facts;
}

}  // namespace assay::report
