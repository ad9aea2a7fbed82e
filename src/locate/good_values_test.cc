#include "locate/good_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::locate {
namespace {

using testing::ElementsAre;

tensor::NamedTensors values_of_8_bytes(const std::vector<std::string>& names) {
  tensor::NamedTensors values;
  for (const std::string& name : names)
    values.set(name, tensor::Tensor::of<float>(tensor::ElementType::float32, {2}, {1, 2}));
  return values;
}

TEST(GoodValues, DropsWhatItKeptIfTheBudgetDoesNotHoldMore) {
  GoodValues values(values_of_8_bytes({"x"}), 16);
  values.keep(values_of_8_bytes({"a"}));
  values.keep(values_of_8_bytes({"b"}));
  EXPECT_THAT(values.missing({"x", "a", "b", "c"}), ElementsAre("c"));
  EXPECT_TRUE(values.drops_others(values_of_8_bytes({"c"})));
  values.keep(values_of_8_bytes({"c"}));
  EXPECT_THAT(values.missing({"x", "a", "b", "c"}), ElementsAre("a", "b"));
}

TEST(GoodValues, KeepsTheInputsWhateverTheBudget) {
  GoodValues values(values_of_8_bytes({"x"}), 0);
  values.keep(values_of_8_bytes({"a"}));
  values.keep(values_of_8_bytes({"b"}));
  EXPECT_NE(values.find("x"), nullptr);
  EXPECT_FALSE(values.contains("a"));
}

}  // namespace
}  // namespace assay::locate
