// Shows tactic replays, and finds the tactics that only bad ones have. Needs neither TensorRT nor a GPU.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "tensorrt/tactic_replay.h"

namespace assay::inspect {

using tensorrt::load_tactic_replay;
using tensorrt::Tactic;
using tensorrt::tactic_json;
using tensorrt::TacticReplay;

struct SuspectLayer {
  std::string layer;
  std::vector<Tactic> tactics;  // each once, in order of first occurrence
};

struct TacticDifference {
  std::size_t good_files = 0;
  std::size_t bad_files = 0;
  std::vector<SuspectLayer> suspects;  // in order of first occurrence
};

// Returns the tactics of each layer that occur in bad replays but not in good ones. Each path is a replay, or a folder
// that is searched for replays, including the folders in it. Other files there are skipped with a message of level
// verbose. An empty path stands for no replays. Errors: not_found; invalid_input if a path is a file that isn't a
// replay.
base::Expected<TacticDifference> diff_tactics(const std::filesystem::path& good, const std::filesystem::path& bad,
                                              base::Log& log);

// Returns two lines or more for each layer: "Layer: NAME", and an indented line for each tactic, "implementation 1,
// tactic 2 | inputs: DataType.FLOAT strides (3, 1) | outputs: ...".
std::string tactics_text(const TacticReplay& replay);
std::string suspects_text(const TacticDifference& difference);

// Return an object, indented by 2, whose tactics are those of tactic_json():
//   {"layers": [{"layer", "implementation", ...}]}
//   {"good_files", "bad_files", "suspects": [{"layer", "tactics": [{"implementation", ...}]}]}
std::string tactics_json(const TacticReplay& replay);
std::string suspects_json(const TacticDifference& difference);

}  // namespace assay::inspect
