// Words of command lines that a diagnosis runs, or suggests.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "diagnose/case.h"
#include "diagnose/state.h"
#include "run/reduction_words.h"

namespace assay::diagnose {

// "ONNX Runtime 1.31.1", or "the saved results". A second runner of the same engine is named by its runner, too.
std::string name_of(const Case& task, const Facts& facts, int side);

// Returns the engine that is assumed to be right; it can be the engine at fault with other settings. Nothing if these
// are the saved results, or no side.
std::optional<run::EngineSetup> good_engine(const Case& task, const Facts& facts);

// Returns how many seconds an engine may take to load or run a part of the model. A part can make an engine hang that
// runs the whole model: ONNX Runtime's quantisation has been seen to loop forever. If the whole model hangs, it is the
// time after which that was seen.
double time_limit(const Facts& facts);

// Returns how often each of two sessions runs the model to show whether the engine is deterministic.
int repeats_of(const Facts& facts);

// Returns true if the candidates run on saved inputs of the whole model: there is no piece, and no new inputs can be
// generated for each candidate.
bool needs_values_at_cuts(const Case& task, const Facts& facts);
// Returns the reduction of the failure. `inputs_file`: the inputs of the whole model; not used if there is a piece.
run::ReductionWords reduction_of(const Case& task, const Facts& facts, const std::filesystem::path& inputs_file);

}  // namespace assay::diagnose
