// The plan: a built network with its profiles and the settings that it was built with. Serialised, it is a line with
// the version of TensorRT, and JSON, so that a test can see in its bytes what the engine was built with:
//
//   fake TensorRT 10.16 plan
//   {"graph": {...}, "profiles": [...], "settings": {"flags": ["kFP16", "kTF32"], "optimization_level": 3, ...}, ...}
//
// The names of enumerators are those of the headers. Settings that were never set are absent.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph.h"

namespace fake_tensorrt {

// What an optimisation profile holds, for each input: minimum, optimum and maximum, as in OptProfileSelector.
struct ProfileRow {
  std::map<std::string, std::array<std::optional<nvinfer1::Dims>, 3>> shapes;
  std::map<std::string, std::array<std::vector<std::int64_t>, 3>> values;  // of shape tensors
  bool has_wide_values = false;                                            // set with 64 bits
};

struct Plan {
  Graph graph;
  std::vector<ProfileRow> profiles;  // at least one
  std::string settings = "{}";       // JSON
  nvinfer1::ProfilingVerbosity verbosity = nvinfer1::ProfilingVerbosity::kLAYER_NAMES_ONLY;
  std::int64_t streamable_weights = 0;  // bytes
  std::int64_t stripped_weights = 0;    // bytes that STRIP_PLAN has left out; there are zeros in their place
  bool is_refittable = false;
  bool is_strongly_typed = false;
};

[[nodiscard]] std::string serialize(const Plan& plan);
// Returns nothing if the bytes aren't a plan of this version.
[[nodiscard]] std::optional<Plan> parse_plan(std::string_view bytes);

// Returns the shape that an input has in a profile. A size that isn't dynamic is that of the network.
[[nodiscard]] std::optional<nvinfer1::Dims> profile_shape(const Plan& plan, int tensor, int profile, int selector);
// Returns the values that a shape tensor has in a profile, or null if there are none.
[[nodiscard]] const std::vector<std::int64_t>* profile_values(const Plan& plan, int tensor, int profile, int selector);

}  // namespace fake_tensorrt
