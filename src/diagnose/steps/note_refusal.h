// Records that an engine that the user gave doesn't run the model. Any step that runs engines may be the first to see
// it: some engines crash only now and then.
#pragma once

#include <string>

#include "diagnose/case.h"
#include "diagnose/state.h"
#include "diagnose/trial.h"

namespace assay::diagnose {

// `failed`: a trial of this side with its own settings. No failure may be known yet. The engine counts as intermittent
// if it has run the model before.
void note_refusal(const Case& task, int side, const Trial& failed, Facts& facts);

// Returns "ONNX Runtime 1.31.1 fails in phase run: out of memory".
std::string describe_refusal(const Case& task, const Facts& facts);

}  // namespace assay::diagnose
