#include "diagnose/steps/side_results.h"

#include "diagnose/commands.h"

namespace assay::diagnose {

const Trial* SideResults::find(int side, const Options& changed) const {
  const auto known = results_.find({side, changed});
  return known == results_.end() ? nullptr : &known->second;
}

base::Expected<const Trial*> SideResults::get(int side, const Options& changed) {
  if (const Trial* known = find(side, changed)) return known;
  ASSAY_ASSIGN(Trial result, run(side, changed));
  return &results_.emplace(std::pair(side, changed), std::move(result)).first->second;
}

base::Expected<Trial> SideResults::run(int side, const Options& changed) {
  if (side == kGolden) {
    Trial saved;
    saved.outputs = task_.golden_outputs();
    return saved;
  }
  const Side& asked = task_.sides.at(side);
  const run::EngineSetup setup = asked.is_given ? asked.setup : context_.limited(asked.setup, kPartOfOpinions);
  ASSAY_ASSIGN(Trial trial, try_engine(with_options(setup, changed), task_, context_));
  if (changed.empty() && trial.runs()) facts_.versions[setup.runner] = trial.version;
  note_time(setup.runner, trial, facts_);
  if (!trial.runs()) {
    context_.log.info("{} doesn't run the model, so it isn't compared: {}", setup.runner, trial.failure);
  }
  return trial;
}

}  // namespace assay::diagnose
