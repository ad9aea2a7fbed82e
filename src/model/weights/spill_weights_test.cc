#include "model/weights/spill_weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include "model/load.h"
#include "model/save.h"
#include "model/weights.h"

namespace assay::model {
namespace {

using tensor::ElementType;
using tensor::Tensor;

TEST(SpillWeights, LargeOnesAreSpilledToAFileAndSavedInline) {
  Model model =
      parse_text("<ir_version: 8, opset_import: [\"\" : 17]> g (float[2] x) => (float[2] y) { y = Abs(x) }").value();
  const Tensor large = Tensor::of(ElementType::float32, {1000}, std::vector<float>(1000, 2.5F));
  const Tensor larger = Tensor::of(ElementType::int8, {4096}, std::vector<std::int8_t>(4096, 7));
  const Tensor small = Tensor::of<float>(ElementType::float32, {2}, {1, 2});
  const Tensor words = Tensor::make_strings({1}, {std::string(5000, 'a')}).value();
  for (int round = 0; round < 2; ++round) {
    auto messages = spill_weights(model, {{"large", large}, {"small", small}, {"words", words}, {"larger", larger}});
    ASSERT_TRUE(messages);
    ASSERT_EQ(messages->size(), 4u);
    EXPECT_FALSE((*messages)[0].has_raw_data());
    EXPECT_TRUE((*messages)[1].has_raw_data());
    for (onnx::TensorProto& message : *messages) {
      message.set_name(message.name() + std::to_string(round));
      *model.graph().add_initializer() = std::move(message);
    }
  }
  const base::TempDir dir = base::TempDir::create().value();
  ASSERT_TRUE(save(model, dir.path() / "m.onnx"));
  const Model loaded = load(dir.path() / "m.onnx").value();
  for (const Model* now : {&std::as_const(model), &loaded}) {
    for (const int i : {0, 4}) {
      EXPECT_TRUE(identical(read_weight(*now, now->graph().initializer(i)).value(), large));
      EXPECT_TRUE(identical(read_weight(*now, now->graph().initializer(i + 1)).value(), small));
      EXPECT_TRUE(identical(read_weight(*now, now->graph().initializer(i + 2)).value(), words));
      EXPECT_TRUE(identical(read_weight(*now, now->graph().initializer(i + 3)).value(), larger));
    }
  }
}

// A limit on the size of files acts like a full disk.
TEST(SpillWeights, AFullFolderIsAnErrorWithItsReason) {
  rlimit before = {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small = {.rlim_cur = 4096, .rlim_max = before.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  Model model;
  const auto messages =
      spill_weights(model, {{"large", Tensor::of(ElementType::int8, {1 << 20}, std::vector<std::int8_t>(1 << 20, 7))}});
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(messages);
  EXPECT_THAT(messages.error().message(),
              testing::StartsWith("cannot write computed weights to the temporary folder: File too large (in "));
  EXPECT_THAT(messages.error().message(), testing::EndsWith("Free some space, or set TMPDIR to another folder"));
}

}  // namespace
}  // namespace assay::model
