// The values of a model that was made from another one.
//
// Tensors that both models have keep their values from the original: computed by the smaller model, they would come
// from generated inputs in the middle of the graph, and mean less.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "edit/subject.h"
#include "reduce/values/reference.h"

namespace assay::reduce {

class LayeredReference final : public Reference {
 public:
  // `original` may be null, as may `own`. `subject`, of the original model, must outlive this object.
  LayeredReference(std::shared_ptr<Reference> original, const edit::Subject& subject, std::unique_ptr<Reference> own)
      : original_(std::move(original)), subject_(subject), own_(std::move(own)) {}

  // Errors: not_found if neither reference knows one of the values.
  base::Expected<tensor::NamedTensors> values(const std::vector<std::string>& names) override;
  tensor::NamedTensors known(const std::vector<std::string>& names) override;

 private:
  std::shared_ptr<Reference> original_;
  const edit::Subject& subject_;
  std::unique_ptr<Reference> own_;
};

}  // namespace assay::reduce
