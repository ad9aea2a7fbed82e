// Tactic replays: which implementation TensorRT chose for each layer, in the files of Polygraphy's --save-tactics. They
// are plain JSON, so that reading, comparing and writing them needs neither TensorRT nor a GPU.
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"

namespace assay::tensorrt {

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

// Returns a replay as a file's text, which Polygraphy reads, too. Bytes of names that aren't UTF-8 are replaced.
std::string write_tactic_replay(const TacticReplay& replay);

// Returns {"implementation", "tactic", "inputs": [TENSOR], "outputs": [TENSOR]}; a TENSOR is {"dtype", "strides",
// "vectorized_dim" or null, "components_per_element" or null}.
nlohmann::ordered_json tactic_json(const Tactic& tactic);

// Returns one line: "implementation 1, tactic 2 | inputs: DataType.FLOAT strides (3, 1) | outputs: ...".
std::string tactic_text(const Tactic& tactic);

// Returns a type as replays name it, "DataType.HALF", by its number in TensorRT's DataType.
std::string tactic_type(int data_type);

}  // namespace assay::tensorrt
