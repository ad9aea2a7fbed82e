// The builder configuration that a user asks for, as data.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "tensorrt/given_settings.h"
#include "tensorrt/parse_values.h"

namespace assay::tensorrt {

// An optimisation profile: the smallest, most usual and largest shape of each input, by its name or a wildcard for
// several inputs. Those of a shape tensor are its values, which can be negative.
struct Profile {
  struct Range {
    Shape min, opt, max;
    bool is_optional = false;  // ignored if the network lacks the input; otherwise that is an error
  };
  std::map<std::string, Range> inputs;

  // Returns the range of this input: that of its name, or else of the longest wildcard that stands for it; null if the
  // profile doesn't mention it.
  [[nodiscard]] const Range* find(const std::string& input) const;
};

inline constexpr const char* kLegacyCalibrator = "IInt8LegacyCalibrator";

struct Calibrator {
  std::string base = "IInt8EntropyCalibrator2";  // class in TensorRT
  std::string cache;                             // file, which need not exist yet; empty: none
  double quantile = 0.5;                         // of the legacy calibrator
  double regression_cutoff = 0.5;                // likewise
};

struct ConfigPlan {
  struct Choice {
    std::string type;  // an enumeration of TensorRT: "HardwareCompatibilityLevel"
    std::string name;  // "AMPERE_PLUS"
  };
  struct List {
    std::string type;
    std::vector<std::string> names;  // the enumerators that are on; all others are off
  };
  std::vector<Profile> profiles;
  // By input: values for profiles that don't mention it. They count for shape tensors alone.
  Shapes shape_values;
  std::vector<std::string> flags;                    // of BuilderFlag, to be set
  std::vector<std::string> flags_of_best;            // of BuilderFlag, to be set if the GPU has what they allow
  std::vector<std::string> cleared;                  // of BuilderFlag, which TensorRT sets by itself
  std::vector<std::string> flags_of_10;              // of BuilderFlag, to be set if TensorRT's version is below 11
  std::map<std::string, std::int32_t> numbers;       // by property of the configuration
  std::map<std::string, Choice> choices;             // likewise
  std::map<std::string, List> lists;                 // by function of the configuration: "set_tactic_sources"
  std::map<std::string, std::uint64_t> pool_limits;  // in bytes, by enumerator of MemoryPoolType
  std::optional<Calibrator> calibrator;              // nullopt without settings for it
  std::string timing_cache;                          // file to read; empty: none
  std::string save_tactics;                          // file for the tactics that were chosen; empty: none
  std::string load_tactics;                          // file with tactics to choose; empty: none
  std::vector<std::string> plugins;                  // libraries that the engine contains
  bool use_dla = false;
  bool falls_back = false;       // to the GPU, from the DLA
  std::optional<int> dla_core;   // nullopt: the first one, if the DLA is used
  std::string needs_10;          // why TensorRT 11 can't make this configuration: removed_in_11(); empty: it can
  std::optional<Script> begin;   // returns the configuration to begin with
  std::optional<Script> change;  // changes the result
};

// `inputs`: the shapes of inputs that profiles don't mention (Profile::Range::is_optional). Errors: invalid_input.
base::Expected<ConfigPlan> plan_config(const GivenSettings& given, const Shapes& inputs);

// Returns what was given, with the shapes that later profiles take from earlier ones, as in Polygraphy: an input that
// no option of a profile mentions keeps its largest shape of the profile before.
GivenSettings keep_shapes(GivenSettings given);

// Checks that a model with these inputs has all inputs that the profiles mention. Errors: not_found.
base::Status check_inputs(const ConfigPlan& plan, const std::vector<std::string>& inputs);

}  // namespace assay::tensorrt
