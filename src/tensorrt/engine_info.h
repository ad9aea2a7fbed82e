// What TensorRT's engine inspector says about an engine: its layers, their tensors and tactics, and the bindings. The
// inspector's JSON is a plain text, so showing an engine needs neither TensorRT nor a GPU. `trtexec
// --exportLayerInfo=FILE` writes it, and so does IEngineInspector::getEngineInformation() with kJSON.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace assay::tensorrt {

// A member of a JSON object that has no field of its own here.
struct EngineAttribute {
  std::string name;
  std::string value;  // JSON: "[3,3]", "\"RELU\""
};

// The values of a tensor in a run.
struct ValueRange {
  double least = 0;
  double greatest = 0;
  double mean = 0;
};

struct EngineTensor {
  std::string name;
  std::optional<std::vector<std::int64_t>> shape;  // -1: a dimension that is known at run time only
  std::string type;                                // as Assay spells it: "float16"; empty: unknown
  std::string format;                              // TensorRT's words for type and layout
  std::string location;                            // "Device", "Host"; empty: unknown
  std::vector<EngineAttribute> attributes;
  std::optional<ValueRange> range{};  // isn't in the inspector's JSON; absent: unknown
};

struct EngineWeights {
  std::string type;  // TensorRT's word: "Half"
  std::int64_t count = 0;
  std::vector<EngineAttribute> attributes;
};

struct EngineLayer {
  std::string name;
  std::string type;  // "CaskConvolution"; empty if the file has names only
  std::vector<EngineTensor> inputs;
  std::vector<EngineTensor> constants;
  std::vector<EngineTensor> outputs;
  std::string tactic_name;
  std::string tactic_value;  // a hexadecimal number
  std::optional<EngineWeights> weights;
  std::vector<std::string> onnx_nodes;  // that the layer computes; empty if the file doesn't say it (before 8.6)
  std::string metadata;                 // the text that the ONNX nodes are in
  std::vector<EngineAttribute> attributes;
};

// The limits of a profile for an input with dynamic dimensions: its shapes or, for a shape tensor, its values.
struct EngineRange {
  std::vector<std::int64_t> min, opt, max;
};

// An input or output of the engine. The file has only its name; the rest is that of the layers which use it.
struct EngineBinding {
  enum class Direction { unknown, input, output };
  EngineTensor tensor;
  Direction direction = Direction::unknown;
  std::optional<EngineRange> range{};  // only the worker tells it
};

// An optimization profile. TensorRT before version 10 has layers of their own for each.
struct EngineProfile {
  int index = 0;
  std::vector<EngineLayer> layers;
  std::vector<EngineBinding> bindings;
};

struct EngineInfo {
  bool names_only = false;              // the engine was built without detailed profiling verbosity
  std::vector<EngineProfile> profiles;  // by index, at least the one with index 0
  std::vector<EngineAttribute> attributes;
};

// The member that the worker adds to the inspector's JSON: for each profile, the EngineRange of inputs by name.
inline constexpr std::string_view kEngineRanges = "ProfileRanges";

// TensorRT separates the parts of metadata by control characters, which JSON allows only if they are escaped
// (https://github.com/NVIDIA/TensorRT/issues/2779). Returns its text about an engine as JSON.
std::string escape_separators(std::string_view text);

// Members that Assay doesn't know are kept as attributes. Errors: invalid_input if the text isn't complete JSON, nests
// deeper than 64 lists and objects, or if a member has another type than TensorRT writes.
base::Expected<EngineInfo> parse_engine_info(std::string_view text);

// Errors: those of parse_engine_info() and base::MappedFile::open().
base::Expected<EngineInfo> load_engine_info(const std::filesystem::path& path);

}  // namespace assay::tensorrt
