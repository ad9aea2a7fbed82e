// Each object's known members are taken out by name, and what remains becomes attributes: each type of layer has
// members of its own, and each version of TensorRT adds some.
#include "tensorrt/engine_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>

#include "base/json_text.h"
#include "base/mapped_file.h"
#include "base/strings.h"
#include "tensor/parse_json.h"
#include "tensorrt/engine_names.h"

namespace assay::tensorrt {
namespace {

using base::ErrorKind;
using base::fail;
using Json = nlohmann::ordered_json;

tl::unexpected<base::Error> malformed(std::string what) {
  return fail(ErrorKind::invalid_input, std::move(what), {},
              "Use a complete file that `trtexec --exportLayerInfo=FILE` wrote");
}

base::Expected<Json> parse_layers(std::string_view text) {
  const bool has_separators = text.find_first_of("\x1e\x1f") != std::string_view::npos;
  auto json = has_separators ? tensor::parse_json(escape_separators(text)) : tensor::parse_json(text);
  if (!json) return malformed("not a JSON file of an engine's layers: " + json.error().what);
  return json;
}

EngineAttribute to_attribute(const std::string& name, const Json& value) {
  return {name, base::json_text(value)};
}

base::Expected<std::int64_t> to_integer(const Json& value, std::string_view name) {
  const bool fits =
      !value.is_number_unsigned() || value.get<std::uint64_t>() <= std::numeric_limits<std::int64_t>::max();
  if (!value.is_number_integer() || !fits)
    return malformed(fmt::format("'{}' has a value that isn't an integer", name));
  return value.get<std::int64_t>();
}

// The members of an object, from which known ones are taken by name. A member that is null counts as absent.
class Members {
 public:
  explicit Members(const Json& object) : object_(object) {}

  // Returns null if the member is absent.
  const Json* take(std::string_view name) {
    taken_.push_back(name);
    const auto at = object_.find(name);
    return at == object_.end() || at->is_null() ? nullptr : &*at;
  }
  // Returns an empty text if the member is absent.
  base::Expected<std::string> take_text(std::string_view name) {
    const Json* value = take(name);
    if (value == nullptr) return std::string();
    if (!value->is_string()) return malformed(fmt::format("'{}' isn't a text", name));
    return value->get<std::string>();
  }
  base::Expected<std::string> take_name() {
    if (take("Name") == nullptr) return malformed("'Name' is missing");
    return take_text("Name");
  }
  // Returns null if the member is absent.
  base::Expected<const Json*> take_list(std::string_view name) {
    const Json* value = take(name);
    if (value != nullptr && !value->is_array()) return malformed(fmt::format("'{}' isn't a list", name));
    return value;
  }
  [[nodiscard]] std::vector<EngineAttribute> rest() const {
    std::vector<EngineAttribute> attributes;
    for (const auto& [name, value] : object_.items()) {
      if (std::ranges::find(taken_, name) == taken_.end()) attributes.push_back(to_attribute(name, value));
    }
    return attributes;
  }

 private:
  const Json& object_;
  std::vector<std::string_view> taken_;
};

base::Expected<std::optional<std::vector<std::int64_t>>> read_shape(Members& members, std::string_view name) {
  ASSAY_ASSIGN(const Json* list, members.take_list(name));
  if (list == nullptr) return std::optional<std::vector<std::int64_t>>();
  std::vector<std::int64_t> shape;
  for (const Json& dimension : *list) {
    ASSAY_ASSIGN(const std::int64_t size, to_integer(dimension, name));
    shape.push_back(size);
  }
  return std::optional(std::move(shape));
}

base::Expected<EngineTensor> read_tensor(const Json& value) {
  if (!value.is_object()) return malformed("a tensor isn't an object");
  Members members(value);
  EngineTensor tensor;
  ASSAY_ASSIGN(tensor.name, members.take_name());
  ASSAY_ASSIGN(tensor.shape, read_shape(members, "Dimensions"));
  ASSAY_ASSIGN(tensor.location, members.take_text("Location"));
  ASSAY_ASSIGN(const std::string together, members.take_text("Format/Datatype"));
  ASSAY_ASSIGN(const std::string type, members.take_text("Datatype"));  // these two: from TensorRT 11 on
  ASSAY_ASSIGN(const std::string layout, members.take_text("Format"));
  tensor.format = base::trim(together + " " + type + " " + layout);
  tensor.type = element_type_of(tensor.format);
  tensor.attributes = members.rest();
  return tensor;
}

base::Expected<std::vector<EngineTensor>> read_tensors(Members& members, std::string_view name) {
  ASSAY_ASSIGN(const Json* list, members.take_list(name));
  std::vector<EngineTensor> tensors;
  if (list == nullptr) return tensors;
  for (const Json& item : *list) {
    auto tensor = read_tensor(item);
    if (!tensor) return fail(std::move(tensor).error().within(fmt::format("'{}'", name)));
    tensors.push_back(*std::move(tensor));
  }
  return tensors;
}

base::Expected<std::optional<EngineWeights>> read_weights(Members& members) {
  const Json* value = members.take("Weights");
  if (value == nullptr) return std::optional<EngineWeights>();
  if (!value->is_object()) return malformed("'Weights' isn't an object");
  Members inner(*value);
  EngineWeights weights;
  ASSAY_ASSIGN(weights.type, inner.take_text("Type"));
  if (const Json* count = inner.take("Count"); count != nullptr) {
    ASSAY_ASSIGN(weights.count, to_integer(*count, "Count"));
  }
  weights.attributes = inner.rest();
  return std::optional(std::move(weights));
}

// Reads everything but the name.
base::Status read_details(Members& members, EngineLayer& layer) {
  ASSAY_ASSIGN(layer.type, members.take_text("LayerType"));
  ASSAY_ASSIGN(layer.inputs, read_tensors(members, "Inputs"));
  ASSAY_ASSIGN(layer.constants, read_tensors(members, "Constants"));
  ASSAY_ASSIGN(layer.outputs, read_tensors(members, "Outputs"));
  ASSAY_ASSIGN(layer.tactic_name, members.take_text("TacticName"));
  ASSAY_ASSIGN(layer.tactic_value, members.take_text("TacticValue"));
  ASSAY_ASSIGN(layer.weights, read_weights(members));
  ASSAY_ASSIGN(layer.metadata, members.take_text("Metadata"));
  layer.onnx_nodes = onnx_nodes_of(layer.metadata);
  layer.attributes = members.rest();
  return {};
}

base::Expected<EngineLayer> read_layer(const Json& value, std::size_t index) {
  EngineLayer layer;
  if (value.is_string()) {
    layer.name = value.get<std::string>();
    return layer;
  }
  const std::string place = fmt::format("layer {}", index);
  if (!value.is_object()) return fail(malformed("a layer is neither an object nor a name").value().within(place));
  Members members(value);
  auto name = members.take_name();
  if (!name) return fail(std::move(name).error().within(place));
  layer.name = *std::move(name);
  const base::Status details = read_details(members, layer);
  if (!details) return fail(base::Error(details.error()).within(fmt::format("{}, '{}'", place, layer.name)));
  return layer;
}

// The tensors of a profile's layers, by their names without profile.
using Tensors = std::unordered_map<std::string_view, EngineBinding>;

Tensors collect_tensors(const EngineProfile& profile) {
  using enum EngineBinding::Direction;
  Tensors tensors;
  for (const EngineLayer& layer : profile.layers) {
    for (const EngineTensor& tensor : layer.inputs) tensors.try_emplace(split_profile(tensor.name).base, tensor, input);
    for (const EngineTensor& tensor : layer.outputs) {
      tensors.insert_or_assign(split_profile(tensor.name).base, EngineBinding{tensor, output});
    }
  }
  return tensors;
}

base::Status add_bindings(const Json& list, std::map<int, EngineProfile>& profiles) {
  for (const Json& name : list) {
    if (!name.is_string()) return malformed("'Bindings' has an element that isn't a name");
    auto text = name.get<std::string>();
    const int index = split_profile(text).profile;
    EngineBinding& binding = profiles[index].bindings.emplace_back();
    binding.tensor.name = std::move(text);
  }
  const Tensors common = collect_tensors(profiles[0]);
  for (auto& [index, profile] : profiles) {
    const Tensors own = collect_tensors(profile);
    for (EngineBinding& binding : profile.bindings) {
      const std::string_view base = split_profile(binding.tensor.name).base;
      // Since TensorRT 10, all profiles share the layers.
      const Tensors& tensors = own.contains(base) ? own : common;
      const auto found = tensors.find(base);
      if (found == tensors.end()) continue;
      std::string name = std::move(binding.tensor.name);
      binding = found->second;
      binding.tensor.name = std::move(name);
    }
  }
  return {};
}

base::Expected<EngineRange> read_range(const Json& value) {
  if (!value.is_object()) return malformed("a range isn't an object");
  Members members(value);
  EngineRange range;
  for (const auto& [name, shape] : {std::pair{"min", &range.min}, {"opt", &range.opt}, {"max", &range.max}}) {
    ASSAY_ASSIGN(auto read, read_shape(members, name));
    if (!read) return malformed(fmt::format("'{}' of a range is missing", name));
    *shape = *std::move(read);
  }
  return range;
}

EngineBinding* find_binding(EngineProfile& profile, const std::string& name) {
  for (EngineBinding& binding : profile.bindings) {
    if (split_profile(binding.tensor.name).base == name) return &binding;
  }
  return nullptr;
}

// Returns the binding of a profile. Since TensorRT 10, bindings needn't be listed for profiles other than the first
// one.
EngineBinding& binding_of(std::map<int, EngineProfile>& profiles, int index, const std::string& name) {
  if (EngineBinding* listed = find_binding(profiles[index], name); listed != nullptr) return *listed;
  EngineBinding added;
  added.tensor.name = name;
  added.direction = EngineBinding::Direction::input;
  if (const EngineBinding* first = find_binding(profiles[0], name); first != nullptr) added.tensor = first->tensor;
  return profiles[index].bindings.emplace_back(std::move(added));
}

base::Status add_ranges(const Json& list, std::map<int, EngineProfile>& profiles) {
  int index = 0;
  for (const Json& inputs : list) {
    if (!inputs.is_object()) return malformed(fmt::format("'{}' has an element that isn't an object", kEngineRanges));
    for (const auto& [name, value] : inputs.items()) {
      auto range = read_range(value);
      if (!range) return fail(std::move(range).error().within(fmt::format("'{}', '{}'", kEngineRanges, name)));
      binding_of(profiles, index, name).range = *std::move(range);
    }
    ++index;
  }
  return {};
}

}  // namespace

std::string escape_separators(std::string_view text) {
  return base::replace_all(base::replace_all(text, "\x1e", "\\u001e"), "\x1f", "\\u001f");
}

base::Expected<EngineInfo> parse_engine_info(std::string_view text) {
  ASSAY_ASSIGN(const Json root, parse_layers(text));
  if (!root.is_object() || !root.contains("Layers")) return malformed("not the layers of a TensorRT engine");
  Members members(root);
  ASSAY_ASSIGN(const Json* layers, members.take_list("Layers"));
  ASSAY_ASSIGN(const Json* bindings, members.take_list("Bindings"));  // absent in old files
  ASSAY_ASSIGN(const Json* ranges, members.take_list(kEngineRanges));
  EngineInfo info;
  std::map<int, EngineProfile> profiles = {{0, {}}};
  if (layers != nullptr) {
    info.names_only =
        !layers->empty() && std::ranges::all_of(*layers, [](const Json& layer) { return layer.is_string(); });
    for (std::size_t i = 0; i < layers->size(); ++i) {
      ASSAY_ASSIGN(EngineLayer layer, read_layer((*layers)[i], i));
      const int index = split_profile(layer.name).profile;
      profiles[index].layers.push_back(std::move(layer));
    }
  }
  if (bindings != nullptr) ASSAY_TRY(add_bindings(*bindings, profiles));
  if (ranges != nullptr) ASSAY_TRY(add_ranges(*ranges, profiles));
  info.attributes = members.rest();
  for (auto& [index, profile] : profiles) {
    profile.index = index;
    info.profiles.push_back(std::move(profile));
  }
  return info;
}

base::Expected<EngineInfo> load_engine_info(const std::filesystem::path& path) {
  ASSAY_ASSIGN(const auto file, base::MappedFile::open(path));
  const auto bytes = file->bytes();
  auto info = parse_engine_info({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  if (!info) return fail(std::move(info).error().within(path.string()));
  return info;
}

}  // namespace assay::tensorrt
