#include "data/first_inputs.h"

#include <gtest/gtest.h>

namespace assay::data {
namespace {

// Counts how often each iteration is read.
class Counting final : public InputSource {
 public:
  std::vector<int> reads = {0, 0};

  base::Expected<std::optional<tensor::NamedTensors>> iteration(std::int64_t index,
                                                                std::span<const tensor::TensorSpec>) override {
    if (ends_before(index)) return std::nullopt;
    ++reads[static_cast<std::size_t>(index)];
    return tensor::NamedTensors();
  }
  [[nodiscard]] bool ends_before(std::int64_t index) const override { return index >= 2; }
};

TEST(FirstInputs, OnlyTheFirstIterationStaysInMemory) {
  Counting source;
  FirstInputs inputs(source);
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(inputs.get(0, {}).value());
    EXPECT_TRUE(inputs.get(1, {}).value());
    EXPECT_FALSE(inputs.get(2, {}).value());
  }
  EXPECT_EQ(source.reads, (std::vector{1, 2}));
}

TEST(FirstInputs, OtherPortsNeedOtherInputs) {
  Counting source;
  FirstInputs inputs(source);
  const std::vector<tensor::TensorSpec> ports = {{.name = "x", .type = tensor::ElementType::float32, .shape = {}}};
  EXPECT_TRUE(inputs.get(0, {}).value());
  EXPECT_TRUE(inputs.get(0, ports).value());
  EXPECT_TRUE(inputs.get(0, ports).value());
  EXPECT_EQ(source.reads[0], 2);
}

}  // namespace
}  // namespace assay::data
