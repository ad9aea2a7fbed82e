// Finds the first value of a model in float16 that is too large for float16 and makes an output wrong.
//
// Such a value becomes infinite, and from there on the results are infinite, NaN or zero, unless a node such as Softmax
// makes them right again. No engine is to blame, so searching for the engine or the node that is wrong would mislead.
// The reference evaluator computes the model with all floats as float64, which shows how large the values would be.
#pragma once

#include <optional>
#include <string>

#include "base/error.h"
#include "diagnose/case.h"
#include "diagnose/state.h"

namespace assay::diagnose {

struct Overflow {
  NodeLabel node;      // that computes the tensor
  std::string tensor;  // that doesn't fit
  double largest = 0;  // its largest absolute value
};

// `reference`: the reference evaluator; `output`: an output that is suspect. Returns nothing if every tensor in float16
// fits or does no harm, if the model doesn't run in float64, or if `output` isn't finite even there: then float16 isn't
// the cause. Errors: those of try_engine().
base::Expected<std::optional<Overflow>> find_overflow(const Case& task, const run::EngineSetup& reference,
                                                      const std::string& output, const StepContext& context);

// Makes the overflow the failure that was found.
void note_overflow(const Overflow& overflow, Facts& facts);

}  // namespace assay::diagnose
