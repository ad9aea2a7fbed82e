#include "reduce/values/layered_reference.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "edit/fits.h"

namespace assay::reduce {

std::vector<std::string> LayeredReference::of_original(const std::vector<std::string>& names) const {
  std::vector<std::string> result;
  if (!original_) return result;
  std::ranges::copy_if(names, std::back_inserter(result),
                       [&](const std::string& name) { return subject_->view().find(name) != edit::kNone; });
  return result;
}

tensor::NamedTensors LayeredReference::from_original(const std::vector<std::string>& names) const {
  tensor::NamedTensors result;
  if (names.empty()) return result;
  for (const auto& [name, value] : original_->available(names)) {
    const edit::TensorId id = facts_.subject().view().find(name);
    if (id == edit::kNone || edit::fits(value, facts_.find(id))) result.set(name, value);
  }
  return result;
}

std::vector<std::string> LayeredReference::without(const tensor::NamedTensors& values,
                                                   const std::vector<std::string>& names) {
  std::vector<std::string> result;
  std::ranges::copy_if(names, std::back_inserter(result),
                       [&](const std::string& name) { return values.find(name) == nullptr; });
  return result;
}

tensor::NamedTensors LayeredReference::available(const std::vector<std::string>& names) {
  tensor::NamedTensors result = from_original(of_original(names));
  const std::vector<std::string> unknown = without(result, names);
  if (unknown.empty() || !own_) return result;
  for (const auto& [name, value] : own_->available(unknown)) result.set(name, value);
  return result;
}

bool LayeredReference::answers_at_once(const std::vector<std::string>& names) {
  const std::vector<std::string> first = of_original(names);
  if (first.empty()) return !own_ || own_->answers_at_once(names);
  return original_->answers_at_once(first) && (!own_ || own_->answers_at_once(without(from_original(first), names)));
}

bool LayeredReference::is_slow() const {
  return (original_ && original_->is_slow()) || (own_ && own_->is_slow());
}

}  // namespace assay::reduce
