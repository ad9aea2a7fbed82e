#include "diagnose/steps/side_results.h"

#include <algorithm>

namespace assay::diagnose {

const SideResult* SideResults::find(int side, const Options& changed) const {
  const auto known = results_.find({side, changed});
  return known == results_.end() ? nullptr : &known->second;
}

base::Expected<const SideResult*> SideResults::get(int side, const Options& changed) {
  if (const SideResult* known = find(side, changed)) return known;
  ASSAY_ASSIGN(SideResult result, run(side, changed));
  return &results_.emplace(std::pair(side, changed), std::move(result)).first->second;
}

base::Expected<SideResult> SideResults::run(int side, const Options& changed) {
  if (side == kGolden) return SideResult{.outputs = task_.golden_outputs()};
  const Side& asked = task_.sides.at(side);
  const run::EngineSetup setup = asked.is_given ? asked.setup : context_.limited(asked.setup, kPartOfOpinions);
  ASSAY_ASSIGN(Trial trial,
               try_engine(with_options(setup, changed), task_.source, task_.inputs, context_.pool, context_.log));
  if (changed.empty()) facts_.versions[setup.runner] = trial.version;
  facts_.slowest_s = std::max({facts_.slowest_s, trial.load_s, trial.run_s});
  if (trial.runs())
    return SideResult{.outputs = std::move(trial.outputs), .reduced_precision = trial.reduced_precision};
  context_.log.info("{} doesn't run the model, so it isn't compared: {}", setup.runner, trial.failure);
  return SideResult{.failure = trial.failure, .reduced_precision = trial.reduced_precision};
}

}  // namespace assay::diagnose
