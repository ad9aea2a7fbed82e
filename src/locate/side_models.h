// The models that the sides run, and how their values relate.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "locate/sides/pair.h"
#include "locate/sides/part_builder.h"
#include "tensor/tensor.h"

namespace assay::locate {

// The model of one side: the builder of its parts, and the inputs of the whole model.
struct SideModel {
  PartBuilder& builder;
  tensor::NamedTensors feeds;
};

// Whether the first side runs a float16 version of the second side's model.
enum class Float16Version {
  none,
  usual,
  // Weights were limited to float16's range. Most are masks, such as -3.4e38 in attention, which mean the same at
  // -65504, so values of inner tensors beyond that range are compared as the largest that float16 has.
  with_limited_weights,
};

struct SideModels {
  SideModel first;
  std::optional<SideModel> second;  // unset if only one engine runs
  bool first_is_good = false;       // the first side's values are the good ones; otherwise the second's are
  Float16Version float16 = Float16Version::none;

  // Returns the inputs, or the values, of the good side. A side that has none leaves that to the other.
  [[nodiscard]] const tensor::NamedTensors& good_feeds() const;
  [[nodiscard]] const tensor::NamedTensors& good_values(const Answers& answers) const;
  // Passes the values to the builders, see PartBuilder::learn().
  void learn(const Answers& answers) const;
  // Returns both whole models with these tensors as additional outputs.
  [[nodiscard]] base::Expected<Question> whole(const std::vector<std::string>& marked) const;
};

}  // namespace assay::locate
