// A reference that gives only values that are already computed. With it, looking ahead finds out whether a candidate
// can be built without running an engine.
#pragma once

#include <string>
#include <vector>

#include "reduce/values/reference.h"

namespace assay::reduce {

class ComputedOnlyReference final : public Reference {
 public:
  // `reference` must outlive this object.
  explicit ComputedOnlyReference(Reference& reference) : reference_(reference) {}

  // Returns nothing if one of the values isn't computed yet.
  tensor::NamedTensors available(const std::vector<std::string>& names) override {
    return is_refused(names) ? tensor::NamedTensors{} : reference_.available(names);
  }

  // Returns whether a value was asked for that isn't computed yet.
  [[nodiscard]] bool refused() const { return refused_; }

 private:
  bool is_refused(const std::vector<std::string>& names) {
    const bool refused = !reference_.answers_at_once(names);
    refused_ |= refused;
    return refused;
  }

  Reference& reference_;
  bool refused_ = false;
};

}  // namespace assay::reduce
