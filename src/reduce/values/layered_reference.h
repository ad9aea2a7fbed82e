// The reference values for a model that was derived from another one.
//
// Tensors that both models have keep their values from the original. Computed by the smaller model, they would depend
// on generated inputs in the middle of the graph and mean less. But sizes may have been reduced since. Values that no
// longer fit the smaller model are computed by it. So is everything that depends on an input or a weight whose sizes
// have changed: what a Shape computes fits, but is wrong.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "edit/subject.h"
#include "edit/tensor_facts.h"
#include "reduce/values/reference.h"

namespace assay::reduce {

class LayeredReference final : public Reference {
 public:
  // `original` and `own` may be null. `original_facts`: of the original model, which `original` keeps alive. `facts`:
  // of the smaller one, whose subject must outlive this object.
  LayeredReference(std::shared_ptr<Reference> original, edit::TensorFacts original_facts,
                   std::unique_ptr<Reference> own, edit::TensorFacts facts);

  tensor::NamedTensors available(const std::vector<std::string>& names) override;
  [[nodiscard]] bool answers_at_once(const std::vector<std::string>& names) override;
  [[nodiscard]] bool is_slow() const override;

 private:
  [[nodiscard]] std::vector<std::string> of_original(const std::vector<std::string>& names) const;
  void compare_sizes();
  // Marks the tensors that depend on inputs and weights whose sizes have changed, unless that is done already.
  void mark_resized();
  // Returns the original's values that are still right.
  [[nodiscard]] tensor::NamedTensors from_original(const std::vector<std::string>& names);
  // Returns the names for which there is no value.
  static std::vector<std::string> without(const tensor::NamedTensors& values, const std::vector<std::string>& names);

  std::shared_ptr<Reference> original_;
  edit::TensorFacts original_facts_;
  std::unique_ptr<Reference> own_;
  edit::TensorFacts facts_;
  std::vector<edit::TensorId> changed_;   // inputs and weights that certainly have other sizes than in the original
  std::vector<std::string> in_question_;  // inputs with sizes that only the original's values can tell
  std::vector<bool> resized_;             // by tensor of the smaller model; empty: not marked yet
};

}  // namespace assay::reduce
