// The values that pieces of a model are fed: those of the side that is right, as far as they are in memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tensor/tensor.h"

namespace assay::locate {

class GoodValues {
 public:
  // `given`: the values of the model's inputs, which always stay in memory. `budget`: bytes for all others together.
  GoodValues(tensor::NamedTensors given, std::uint64_t budget);

  // Adds values, and drops the others first if the budget doesn't hold all.
  void keep(const tensor::NamedTensors& values);
  // Returns whether keep() would drop others.
  [[nodiscard]] bool drops_others(const tensor::NamedTensors& values) const;

  // Returns whether it is the value of an input of the model.
  [[nodiscard]] bool is_given(const std::string& name) const { return given_.contains(name); }
  // Returns null if the value isn't in memory.
  [[nodiscard]] const tensor::Tensor* find(const std::string& name) const { return values_.find(name); }
  [[nodiscard]] bool contains(const std::string& name) const { return values_.contains(name); }
  // Returns those of the names that aren't in memory.
  [[nodiscard]] std::vector<std::string> missing(const std::vector<std::string>& names) const;

 private:
  tensor::NamedTensors given_;
  tensor::NamedTensors values_;  // these and others
  std::uint64_t bytes_ = 0;      // of the others
  std::uint64_t budget_;
};

}  // namespace assay::locate
