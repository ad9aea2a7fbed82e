// A source of inputs that are in memory, for tests.
#pragma once

#include <utility>
#include <vector>

#include "data/input_source.h"

namespace assay::data::test {

class GivenInputs final : public InputSource {
 public:
  explicit GivenInputs(std::vector<tensor::NamedTensors> iterations) : iterations_(std::move(iterations)) {}

  base::Expected<std::optional<tensor::NamedTensors>> iteration(std::int64_t index,
                                                                std::span<const tensor::TensorSpec>) override {
    if (ends_before(index)) return std::nullopt;
    return iterations_[static_cast<std::size_t>(index)];
  }
  [[nodiscard]] bool ends_before(std::int64_t index) const override {
    return index >= static_cast<std::int64_t>(iterations_.size());
  }

 private:
  std::vector<tensor::NamedTensors> iterations_;
};

}  // namespace assay::data::test
