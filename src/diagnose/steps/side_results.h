// Keeps the results of the sides of a diagnosis. A side runs when its result is first requested, and only once.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "base/error.h"
#include "diagnose/case.h"
#include "diagnose/state.h"
#include "diagnose/trial.h"

namespace assay::diagnose {

// An engine that only serves as an opinion may take this part of the time that is left: the reference evaluator can be
// a thousand times slower than an engine.
inline constexpr double kPartOfOpinions = 0.4;

class SideResults {
 public:
  using Options = std::map<std::string, std::string>;

  // Engines' versions and the times of the slowest runs go into `facts`. All arguments must outlive this object.
  SideResults(const Case& task, Facts& facts, StepContext& context) : task_(task), facts_(facts), context_(context) {}

  // Returns the result of a side: an index of Case::sides, with these options of the worker changed, or kGolden. The
  // reference stays valid. Errors: those of try_engine().
  base::Expected<const Trial*> get(int side, const Options& changed = {});

  // Returns null if get() hasn't been called for it.
  [[nodiscard]] const Trial* find(int side, const Options& changed = {}) const;

 private:
  base::Expected<Trial> run(int side, const Options& changed);

  const Case& task_;
  Facts& facts_;
  StepContext& context_;
  std::map<std::pair<int, Options>, Trial> results_;
};

}  // namespace assay::diagnose
