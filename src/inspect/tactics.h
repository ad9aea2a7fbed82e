// Tactic replays: which implementation TensorRT chose for each layer, in the files of Polygraphy's --save-tactics. They
// are plain JSON, so that reading and comparing them needs neither TensorRT nor a GPU.
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/log.h"

namespace assay::inspect {

// An input or output of a layer as the tactic reads or writes it.
struct TacticTensor {
  std::string dtype;  // as in the file: "DataType.FLOAT"
  std::vector<std::int64_t> strides;
  std::optional<std::int64_t> vectorized_dim;  // absent in replays of TensorRT before 8.6
  std::optional<std::int64_t> components_per_element;

  auto operator<=>(const TacticTensor&) const = default;
};

struct Tactic {
  std::int64_t implementation = 0;
  std::int64_t tactic = 0;
  std::vector<TacticTensor> inputs;
  std::vector<TacticTensor> outputs;

  auto operator<=>(const Tactic&) const = default;
};

using TacticReplay = std::vector<std::pair<std::string, Tactic>>;  // by layer, in the order of the file

// Errors: not_found; invalid_input if the file holds something else.
base::Expected<TacticReplay> load_tactic_replay(const std::filesystem::path& path);

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
// verbose. Errors: not_found; invalid_input if a path is a file that isn't a replay.
base::Expected<TacticDifference> diff_tactics(const std::filesystem::path& good, const std::filesystem::path& bad,
                                              base::Log& log);

// Returns two lines or more for each layer: "Layer: NAME", and an indented line for each tactic, "implementation 1,
// tactic 2 | inputs: DataType.FLOAT strides (3, 1) | outputs: ...".
std::string tactics_text(const TacticReplay& replay);
std::string suspects_text(const TacticDifference& difference);

// Return an object, indented by 2:
//   {"layers": [{"layer", "implementation", "tactic", "inputs": [TENSOR], "outputs": [TENSOR]}]}
//   {"good_files", "bad_files", "suspects": [{"layer", "tactics": [{"implementation", ...}]}]}
//   TENSOR: {"dtype", "strides", "vectorized_dim" or null, "components_per_element" or null}
std::string tactics_json(const TacticReplay& replay);
std::string suspects_json(const TacticDifference& difference);

}  // namespace assay::inspect
