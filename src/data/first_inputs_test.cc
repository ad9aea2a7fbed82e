#include "data/first_inputs.h"

#include <gtest/gtest.h>

namespace assay::data {
namespace {

// Counts how often each iteration is read.
class Counting final : public InputSource {
 public:
  explicit Counting(bool considers_ports = true) : considers_ports_(considers_ports) {}
  std::vector<int> reads = {0, 0};

  base::Expected<std::optional<tensor::NamedTensors>> iteration(std::int64_t index,
                                                                std::span<const tensor::TensorSpec>) override {
    if (ends_before(index)) return std::nullopt;
    ++reads[static_cast<std::size_t>(index)];
    return tensor::NamedTensors();
  }
  [[nodiscard]] bool ends_before(std::int64_t index) const override { return index >= 2; }
  [[nodiscard]] bool considers_ports() const override { return considers_ports_; }

 private:
  bool considers_ports_;
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

  Counting files(false);
  FirstInputs loaded(files);
  EXPECT_TRUE(loaded.get(0, {}).value());
  EXPECT_TRUE(loaded.get(0, ports).value());
  EXPECT_EQ(files.reads[0], 1) << "these are the same for all ports";
}

}  // namespace
}  // namespace assay::data
