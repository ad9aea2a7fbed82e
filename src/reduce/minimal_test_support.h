// For tests that run a whole reduction: defaults for the parts that the test doesn't examine.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "edit/test_models.h"
#include "reduce/reduce_model.h"

namespace assay::reduce::test {

using Names = std::vector<std::string>;

// Returns true if the model has all of these nodes.
inline bool holds(const model::Model& model, const Names& nodes) {
  const Names present = edit::test::node_names(model);
  return std::ranges::all_of(
      nodes, [&](const std::string& name) { return std::ranges::find(present, name) != present.end(); });
}

// A reference that knows every tensor as the same two numbers, or none.
class FixedReference final : public Reference {
 public:
  explicit FixedReference(bool works = true) : works_(works) {}
  tensor::NamedTensors available(const std::vector<std::string>& names) override {
    tensor::NamedTensors result;
    if (!works_) return result;
    for (const std::string& name : names) {
      result.set(name, tensor::Tensor::of<float>(tensor::ElementType::float32, {2}, {3, 4}));
    }
    return result;
  }

 private:
  bool works_;
};

// No journal, no iterations and no values; nothing is logged, and no stop is requested.
inline ReduceParts bare_parts(Judges& judges) {
  static base::SilentLog log;
  static const base::Stop stop;
  return {.explore = {.judges = judges, .journal = nullptr, .iterations = nullptr, .log = log, .stop = stop}};
}

inline base::Expected<Reduction> reduce(model::Model model, const ReduceOptions& options, const ReduceParts& parts) {
  return reduce_model(std::make_shared<const model::Model>(std::move(model)), options, parts);
}

}  // namespace assay::reduce::test
