// The reference values for a model that was derived from another one.
//
// Tensors that both models have keep their values from the original. Computed by the smaller model, they would depend
// on generated inputs in the middle of the graph and mean less. But sizes may have been reduced since: values that no
// longer fit the smaller model are computed by it.
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
  // `original` and `own` may be null. `subject`: of the original model. `facts`: of the smaller one, whose subject must
  // outlive this object.
  LayeredReference(std::shared_ptr<Reference> original, std::shared_ptr<const edit::Subject> subject,
                   std::unique_ptr<Reference> own, edit::TensorFacts facts)
      : original_(std::move(original)), subject_(std::move(subject)), own_(std::move(own)), facts_(std::move(facts)) {}

  tensor::NamedTensors available(const std::vector<std::string>& names) override;
  [[nodiscard]] bool answers_at_once(const std::vector<std::string>& names) override;
  [[nodiscard]] bool is_slow() const override;

 private:
  [[nodiscard]] std::vector<std::string> of_original(const std::vector<std::string>& names) const;
  // Returns the original's values that fit.
  [[nodiscard]] tensor::NamedTensors from_original(const std::vector<std::string>& names) const;
  // Returns the names for which there is no value.
  static std::vector<std::string> without(const tensor::NamedTensors& values, const std::vector<std::string>& names);

  std::shared_ptr<Reference> original_;
  std::shared_ptr<const edit::Subject> subject_;
  std::unique_ptr<Reference> own_;
  edit::TensorFacts facts_;
};

}  // namespace assay::reduce
