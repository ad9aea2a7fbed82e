#include "tensorrt/tactic_replay.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/json_text.h"
#include "base/strings.h"
#include "tensor/json.h"

namespace assay::tensorrt {
namespace {

using base::ErrorKind;
using base::fail;
using Json = nlohmann::ordered_json;

// By number in DataType, with the names of TensorRT's Python module.
constexpr std::string_view kTypes[] = {"FLOAT", "HALF", "INT8",  "INT32", "BOOL", "UINT8",
                                       "FP8",   "BF16", "INT64", "INT4",  "FP4",  "E8M0"};

tl::unexpected<base::Error> malformed(std::string what) {
  return fail(ErrorKind::invalid_input, std::move(what), {}, "Use a file written by --save-tactics");
}

// Returns a member, or null if there is none.
const Json* find(const Json& object, const char* name) {
  const auto at = object.is_object() ? object.find(name) : object.end();
  return at == object.end() ? nullptr : &*at;
}

base::Expected<std::int64_t> read_integer(const Json& object, const char* name) {
  const Json* value = find(object, name);
  if (value == nullptr || !value->is_number_integer()) return malformed(fmt::format("'{}' isn't an integer", name));
  return value->get<std::int64_t>();
}

base::Expected<std::optional<std::int64_t>> read_optional(const Json& object, const char* name) {
  const Json* value = find(object, name);
  if (value == nullptr || value->is_null()) return std::optional<std::int64_t>();
  ASSAY_ASSIGN(const std::int64_t number, read_integer(object, name));
  return std::optional(number);
}

base::Expected<TacticTensor> read_tensor(const Json& object) {
  TacticTensor tensor;
  const Json* dtype = find(object, "dtype");
  const Json* strides = find(object, "strides");
  if (dtype == nullptr || !dtype->is_string() || strides == nullptr || !strides->is_array() ||
      !std::ranges::all_of(*strides, [](const Json& stride) { return stride.is_number_integer(); })) {
    return malformed("a tensor of a layer has no 'dtype' or 'strides'");
  }
  tensor.dtype = dtype->get<std::string>();
  tensor.strides = strides->get<std::vector<std::int64_t>>();
  ASSAY_ASSIGN(tensor.vectorized_dim, read_optional(object, "vectorized_dim"));
  ASSAY_ASSIGN(tensor.components_per_element, read_optional(object, "components_per_element"));
  return tensor;
}

base::Expected<std::vector<TacticTensor>> read_tensors(const Json& object, const char* name) {
  const Json* list = find(object, name);
  if (list == nullptr || !list->is_array()) return malformed(fmt::format("'{}' isn't a list", name));
  std::vector<TacticTensor> tensors;
  for (const Json& item : *list) {
    ASSAY_ASSIGN(TacticTensor tensor, read_tensor(item));
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

base::Expected<Tactic> read_tactic(const Json& object) {
  Tactic tactic;
  ASSAY_ASSIGN(tactic.implementation, read_integer(object, "implementation"));
  ASSAY_ASSIGN(tactic.tactic, read_integer(object, "tactic"));
  ASSAY_ASSIGN(tactic.inputs, read_tensors(object, "inputs"));
  ASSAY_ASSIGN(tactic.outputs, read_tensors(object, "outputs"));
  return tactic;
}

base::Expected<TacticReplay> read_replay(const Json& root) {
  const Json* layers = tensor::polygraphy_class(root) == "TacticReplayData" ? find(root, "replay") : nullptr;
  if (layers == nullptr || !layers->is_object()) return malformed("not a tactic replay");
  TacticReplay replay;
  for (const auto& [layer, object] : layers->items()) {
    auto tactic = read_tactic(object);
    if (!tactic) return fail(std::move(tactic).error().within(fmt::format("layer '{}'", layer)));
    replay.emplace_back(layer, *std::move(tactic));
  }
  return replay;
}

std::string tensors_text(const std::vector<TacticTensor>& tensors) {
  std::vector<std::string> parts;
  for (const TacticTensor& tensor : tensors) {
    std::string text = fmt::format("{} strides ({})", tensor.dtype, fmt::join(tensor.strides, ", "));
    if (tensor.vectorized_dim) text += fmt::format(" vectorized dim {}", *tensor.vectorized_dim);
    if (tensor.components_per_element) text += fmt::format(" components {}", *tensor.components_per_element);
    parts.push_back(std::move(text));
  }
  return base::join(parts, "; ");
}

Json tensors_json(const std::vector<TacticTensor>& tensors) {
  const auto number = [](const std::optional<std::int64_t>& value) { return value ? Json(*value) : Json(); };
  Json list = Json::array();
  for (const TacticTensor& tensor : tensors) {
    list.push_back({{"dtype", tensor.dtype},
                    {"strides", tensor.strides},
                    {"vectorized_dim", number(tensor.vectorized_dim)},
                    {"components_per_element", number(tensor.components_per_element)}});
  }
  return list;
}

}  // namespace

base::Expected<TacticReplay> load_tactic_replay(const std::filesystem::path& path) {
  ASSAY_ASSIGN(const auto document, tensor::JsonDocument::open(path));
  auto replay = read_replay(document.root());
  if (!replay) return fail(std::move(replay).error().within(path.string()));
  return replay;
}

Json tactic_json(const Tactic& tactic) {
  return {{"implementation", tactic.implementation},
          {"tactic", tactic.tactic},
          {"inputs", tensors_json(tactic.inputs)},
          {"outputs", tensors_json(tactic.outputs)}};
}

std::string write_tactic_replay(const TacticReplay& replay) {
  Json layers = Json::object();
  for (const auto& [layer, tactic] : replay) {
    Json& object = layers[layer];
    object = tactic_json(tactic);
    for (const char* const tensors : {"inputs", "outputs"}) {
      for (Json& tensor : object[tensors]) tensor["polygraphy_class"] = "TensorInfo";
    }
    object["polygraphy_class"] = "Algorithm";
  }
  const Json root = {{"replay", std::move(layers)}, {"polygraphy_class", "TacticReplayData"}};
  return base::json_text(root);
}

std::string tactic_text(const Tactic& tactic) {
  return fmt::format("implementation {}, tactic {} | inputs: {} | outputs: {}", tactic.implementation, tactic.tactic,
                     tensors_text(tactic.inputs), tensors_text(tactic.outputs));
}

std::string tactic_type(int data_type) {
  const bool is_known = data_type >= 0 && data_type < std::ssize(kTypes);
  return is_known ? fmt::format("DataType.{}", kTypes[data_type]) : fmt::format("DataType.{}", data_type);
}

}  // namespace assay::tensorrt
