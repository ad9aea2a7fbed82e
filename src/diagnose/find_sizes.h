// Finds sizes of dynamic dimensions with which an engine runs a model that it fails to run if they are 1.
//
// Generated inputs have size 1 in each dynamic dimension, and many models need more: a reflecting Pad, several strides,
// a Concat of levels that are rounded differently. Such a failure says nothing about the engine, so the user gets sizes
// to diagnose with.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "diagnose/case.h"

namespace assay::diagnose {

// Returns the generated inputs whose dynamic dimensions are all 1, although the user hasn't asked for that.
std::vector<std::string> inputs_of_size_one(const Case& task);

// Runs the model with the sizes that the reduction would try. Returns the first that the engine runs, as words of
// --input-shapes: "x:[1,3,16,16]"; empty if there are none, or if the time was up. Errors: interrupted.
base::Expected<std::string> find_sizes(const Case& task, const run::EngineSetup& engine, const StepContext& context);

}  // namespace assay::diagnose
