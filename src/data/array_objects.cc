#include "data/array_objects.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

namespace assay::data {

base::Expected<tensor::NamedTensors> read_arrays(const tensor::JsonDocument& document,
                                                 const nlohmann::ordered_json& object,
                                                 const std::unordered_set<std::string>* wanted) {
  tensor::NamedTensors arrays;
  for (const auto& [name, value] : object.items()) {
    if (name == kClassKey || (wanted != nullptr && !wanted->contains(name))) continue;
    auto array = document.array(value);
    if (!array) return base::fail(std::move(array).error().within(fmt::format("array '{}'", name)));
    arrays.set(name, std::move(*array));
  }
  return arrays;
}

}  // namespace assay::data
