#include "reduce/values/layered_reference.h"

#include <utility>

namespace assay::reduce {

base::Expected<tensor::NamedTensors> LayeredReference::values(const std::vector<std::string>& names) {
  tensor::NamedTensors result = known(names);
  for (const std::string& name : names) {
    if (result.find(name) == nullptr) return base::fail(base::ErrorKind::not_found, "the value is unknown", name);
  }
  return result;
}

tensor::NamedTensors LayeredReference::known(const std::vector<std::string>& names) {
  std::vector<std::string> of_original;
  for (const std::string& name : names) {
    if (original_ && subject_->view().find(name) != edit::kNone) of_original.push_back(name);
  }
  tensor::NamedTensors result = of_original.empty() ? tensor::NamedTensors{} : original_->known(of_original);
  std::vector<std::string> unknown;
  for (const std::string& name : names) {
    if (result.find(name) == nullptr) unknown.push_back(name);
  }
  if (unknown.empty() || !own_) return result;
  for (const auto& [name, value] : own_->known(unknown)) result.set(name, value);
  return result;
}

}  // namespace assay::reduce
