#include "reduce/layered_reference.h"

#include <utility>

namespace assay::reduce {

base::Expected<tensor::NamedTensors> LayeredReference::values(const std::vector<std::string>& names) {
  tensor::NamedTensors result;
  std::vector<std::string> unknown;
  std::vector<std::string> known;
  for (const std::string& name : names) {
    (original_ && subject_.view().find(name) != edit::kNone ? known : unknown).push_back(name);
  }
  if (!known.empty()) {
    auto values = original_->values(known);
    if (!values && !own_) return values;
    if (values) {
      result = *std::move(values);
    } else {
      unknown.insert(unknown.end(), known.begin(), known.end());
    }
  }
  if (unknown.empty()) return result;
  if (!own_) return base::fail(base::ErrorKind::not_found, "no engine can compute the value", unknown.front());
  ASSAY_ASSIGN(const tensor::NamedTensors own, own_->values(unknown));
  for (const auto& [name, value] : own) result.set(name, value);
  return result;
}

}  // namespace assay::reduce
