// Words of command lines that a diagnosis runs, or suggests.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "diagnose/case.h"
#include "diagnose/state.h"

namespace assay::diagnose {

inline constexpr const char* kCandidate = "polygraphy_debug.onnx";  // the file that a check judges

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

// The reduction of a failure: what to reduce, and the check, for `assay debug reduce`.
struct ReductionCommand {
  std::vector<std::string> words;  // without "assay"
  std::vector<std::string> check;  // of the file kCandidate
};
// Returns true if the candidates run on saved inputs of the whole model: there is no piece, and no new inputs can be
// generated for each candidate.
bool needs_values_at_cuts(const Case& task, const Facts& facts);
// `inputs_file`: the inputs of the whole model; not used if there is a piece.
ReductionCommand reduction_of(const Case& task, const Facts& facts, const std::filesystem::path& inputs_file);

}  // namespace assay::diagnose
