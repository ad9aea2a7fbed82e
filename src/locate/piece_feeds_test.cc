#include "locate/piece_feeds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::locate {
namespace {

using tensor::ElementType;
using tensor::Tensor;
using testing::ElementsAre;
using testing::IsEmpty;

// Cells compute all values but `x`, which is an input of the model.
class ChooseConstants : public testing::Test {
 protected:
  ChooseConstants() : values_(given(), 1 << 20) {
    skeleton_.cell_of = {{"data", 0}, {"shape", 1}, {"table", 2}};
    tensor::NamedTensors computed;
    computed.set("data", Tensor::of<float>(ElementType::float32, {2}, {1, 2}));
    computed.set("shape", Tensor::of<std::int64_t>(ElementType::int64, {2}, {1, 2}));
    computed.set("table", Tensor::of<std::int64_t>(ElementType::int64, {1, 2}, {1, 2}));
    values_.keep(computed);
  }

  static tensor::NamedTensors given() {
    tensor::NamedTensors inputs;
    inputs.set("x", Tensor::of<std::int64_t>(ElementType::int64, {2}, {1, 2}));
    return inputs;
  }

  Skeleton skeleton_;
  GoodValues values_;
};

TEST_F(ChooseConstants, TakesVectorsOfIntegersThatCellsCompute) {
  EXPECT_THAT(choose_constants({"x", "data", "shape", "table"}, skeleton_, values_).names(), ElementsAre("shape"));
}

TEST_F(ChooseConstants, LeavesAnInput) {
  EXPECT_THAT(choose_constants({"shape"}, skeleton_, values_).names(), IsEmpty());
}

}  // namespace
}  // namespace assay::locate
