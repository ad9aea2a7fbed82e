#include "data/save_batches.h"

#include <gtest/gtest.h>

#include "base/temp_dir.h"
#include "data/test_inputs.h"
#include "tensor/npz.h"

namespace assay::data {
namespace {

using tensor::ElementType;
using tensor::Tensor;

TEST(SaveBatches, WritesAFileForEachIteration) {
  const auto folder = base::TempDir::create().value();
  std::vector<tensor::NamedTensors> iterations(2);
  iterations[0].set("/in:0", Tensor::of<double>(ElementType::float64, {2}, {1, 2}));
  iterations[1].set("/in:0", Tensor::of<double>(ElementType::float64, {2}, {3, 4}));
  const std::vector<tensor::TensorSpec> ports = {{"/in:0", ElementType::float32, {-1}}};
  base::SilentLog log;
  test::GivenInputs inputs(iterations);
  const auto saved = save_batches(inputs, ports, folder.path(), log);
  ASSERT_TRUE(saved) << saved.error().message();
  const auto second = tensor::read_npz(folder.path() / "1.npz").value();
  EXPECT_TRUE(identical(*second.find("/in:0"), Tensor::of<float>(ElementType::float32, {2}, {3, 4})));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "2.npz"));
}

TEST(SaveBatches, NoInputsAreAnError) {
  const auto folder = base::TempDir::create().value();
  base::SilentLog log;
  test::GivenInputs none({});
  EXPECT_FALSE(save_batches(none, {}, folder.path(), log));
}

}  // namespace
}  // namespace assay::data
