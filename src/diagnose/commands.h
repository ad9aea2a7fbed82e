// Words of command lines that a diagnosis runs, or suggests.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "diagnose/case.h"
#include "diagnose/state.h"
#include "diagnose/trial.h"
#include "run/reduction_words.h"

namespace assay::diagnose {

// "ONNX Runtime 1.31.1", or "the saved results". A second runner of the same engine is named by its runner, too.
std::string name_of(const Case& task, const Facts& facts, int side);

// Returns the engine that is assumed to be right; it can be the engine at fault with other settings. Nothing if these
// are the saved results, or no side.
std::optional<run::EngineSetup> good_engine(const Case& task, const Facts& facts);

// Records how long an engine took to load or run the model.
void note_time(const std::string& runner, const Trial& trial, Facts& facts);
// Returns the longest that an engine of the check took to load or run the model. An engine that was only asked for its
// opinion may have taken a thousand times as long. There must be a side at fault.
double slowest_s_of_check(const Case& task, const Facts& facts);

// Returns how many seconds an engine may take to load or run a part of the model, if the whole takes `slowest_s`. A
// part can make an engine hang that runs the whole model: ONNX Runtime's quantisation has been seen to loop forever. If
// the whole model hangs, it is the time after which that was seen.
double time_limit(const Facts& facts, double slowest_s);

// Returns how often each of two sessions runs the model to show whether an engine is deterministic. `slowest_s`: the
// time that it takes.
int repeats_of(double slowest_s);

// Returns true if the candidates run on saved inputs of the whole model: there is no piece, and no new inputs can be
// generated for each candidate.
bool needs_values_at_cuts(const Case& task, const Facts& facts);
// Returns the reduction of the failure. `inputs_file`: the inputs of the whole model; not used if there is a piece.
run::ReductionWords reduction_of(const Case& task, const Facts& facts, const std::filesystem::path& inputs_file);

}  // namespace assay::diagnose
