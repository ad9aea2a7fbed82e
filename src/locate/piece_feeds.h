// Chooses what pieces of a model are fed, from the good values (good_values.h). Some become constants in the piece. The
// others are its inputs, each in the type that the side takes.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "locate/good_values.h"
#include "locate/side_models.h"
#include "locate/sides/skeleton.h"
#include "tensor/tensor.h"

namespace assay::locate {

// Returns those of the values that a piece has as constants instead of inputs: small integer tensors, which are usually
// shapes, axes and indices rather than data, and which engines want as constants. `names` are the tensors that the
// piece reads. Returns none if the piece would have no inputs left.
tensor::NamedTensors choose_constants(const std::vector<std::string>& names, const Skeleton& skeleton,
                                      const GoodValues& values);

// All references must outlive it.
struct PieceFeeds {
  const GoodValues& values;
  const SideModels& models;

  // Returns what a piece of this side with these inputs is fed. Errors: not_found if a value isn't in memory.
  [[nodiscard]] base::Expected<tensor::NamedTensors> of(const SideModel& side,
                                                        const std::vector<std::string>& inputs) const;

 private:
  // Returns a good value, rounded if necessary so that both sides can represent it.
  [[nodiscard]] tensor::Tensor shared(const std::string& name, const tensor::Tensor& value) const;
};

}  // namespace assay::locate
