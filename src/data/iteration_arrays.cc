#include "data/iteration_arrays.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "data/array_objects.h"

namespace assay::data {

IterationArrays::IterationArrays(const tensor::JsonDocument& document, const nlohmann::ordered_json& object,
                                 std::string place)
    : place_(std::move(place)), document_(&document) {
  for (const auto& [name, value] : object.items()) {
    if (name == kClassKey) continue;
    names_.push_back(name);
    arrays_.emplace(name, &value);
  }
}

IterationArrays::IterationArrays(const tensor::NamedTensors& arrays, std::string place)
    : place_(std::move(place)), names_(arrays.names()) {
  for (const auto& [name, value] : arrays) arrays_.emplace(name, &value);
}

IterationArrays::IterationArrays(const tensor::NpzContent& archive, std::string place)
    : IterationArrays(archive.arrays, std::move(place)) {
  for (const auto& [name, error] : archive.unreadable) {
    if (arrays_.emplace(name, &error).second) names_.push_back(name);
  }
}

base::Expected<tensor::Tensor> IterationArrays::read(const std::string& name) const {
  const auto found = arrays_.find(name);
  if (found == arrays_.end()) {
    return base::fail(base::ErrorKind::not_found, fmt::format("there is no array '{}'", name), place_);
  }
  if (const auto* loaded = std::get_if<const tensor::Tensor*>(&found->second)) return **loaded;
  if (const auto* error = std::get_if<const base::Error*>(&found->second)) return base::fail(base::Error(**error));
  auto array = document_->array(*std::get<const nlohmann::ordered_json*>(found->second));
  if (!array) return base::fail(std::move(array).error().within(fmt::format("array '{}'", name)).within(place_));
  return array;
}

}  // namespace assay::data
