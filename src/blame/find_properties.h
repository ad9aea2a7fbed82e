// Which property of OpenVINO makes the difference?
//
// OpenVINO has no names for its transformations, but properties that make it compute in lower precision or in another
// order. The reference is a run with all of them set to the careful value. The search finds a smallest set of
// properties that need the careful value for the outputs to agree with the reference.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "blame/output_judge.h"

namespace assay::blame {

struct CarefulProperty {
  std::string_view key;
  std::string_view value;  // the careful one
  std::string_view what;   // what OpenVINO does without it, for people
};

// Returns the engine with these properties set to their careful values.
run::EngineSetup with_properties(run::EngineSetup engine, const std::vector<CarefulProperty>& properties);

// Returns the rows of the table that this version of the engine has and that the user hasn't set. Errors: engine.
base::Expected<std::vector<CarefulProperty>> known_properties(const run::EngineSetup& engine, worker::Pool& pool,
                                                              base::Log& log);

struct PropertyFindings {
  Agreement as_it_is;  // the engine with its own settings
  std::vector<CarefulProperty> tried;
  std::vector<CarefulProperty> guilty;  // have to be set together for the outputs to agree; empty if they agree anyway
  int runs = 0;                         // of the model, without the reference
};

// `judge` must agree with the engine with all of `properties`. Errors: those of the judge.
base::Expected<PropertyFindings> find_properties(const run::EngineSetup& engine, const worker::ModelSource& model,
                                                 const std::vector<CarefulProperty>& properties,
                                                 const EngineJudge& judge, base::Log& log);

}  // namespace assay::blame
