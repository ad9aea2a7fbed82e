#include "diagnose/commands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/load.h"

namespace assay::diagnose {
namespace {

TEST(ReductionOf, GeneratesInputsOfCandidatesIfTheModelRunsOnGeneratedOnes) {
  const model::Model model = model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[N,3] x, float[2] w) => (float[N,3] y) { y = Relu(x) })")
                                 .value();
  Case task{.file = "model.onnx", .model = model};
  task.folder = "out";
  task.sides.push_back({.setup = {.runner = "ort",
                                  .engine = "ONNX Runtime",
                                  .spec = {.kind = "onnxruntime", .library = {}, .options = {}},
                                  .limits = {}}});
  tensor::NamedTensors& inputs = task.inputs.emplace_back();
  inputs.set("x", tensor::Tensor::of<float>(tensor::ElementType::float32, {1, 3}, {1, 2, 3}));
  inputs.set("w", tensor::Tensor::of<float>(tensor::ElementType::float32, {2}, {1, 2}));
  task.data_words = {"--iterations", "2", "--seed", "7"};
  Facts facts;
  facts.failure = Failure::refused;
  facts.faulty_side = 0;
  using testing::AnyOf;
  using testing::Contains;
  using testing::IsSupersetOf;
  using testing::Not;
  const run::ReductionWords random = reduction_of(task, facts, "out/all.json");
  EXPECT_THAT(random.command,
              testing::ElementsAre("debug", "reduce", "model.onnx", "--seed", "7", "--model-input-shapes", "x:[1,3]"));
  EXPECT_THAT(random.check, IsSupersetOf({"--iterations", "2", "--seed", "7", "--input-shapes", "x:[1,3]"}));

  task.inputs_are_random = false;
  const run::ReductionWords given = reduction_of(task, facts, "out/all.json");
  EXPECT_THAT(given.command, testing::ElementsAre("debug", "reduce", "model.onnx", "--load-inputs", "out/all.json"));
  EXPECT_THAT(given.check, IsSupersetOf({"--load-inputs", "out/all.json"}));
  EXPECT_THAT(given.check, Not(AnyOf(Contains("--infinities-compare-equal"), Contains("--nans-compare-equal"))));
}

// A part with the same infinities, or NaN, on both sides is no difference for the steps before, either.
TEST(ReductionOf, ComparesAsTheDiagnosisDoes) {
  const model::Model model = model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[3] x) => (float[3] y) { y = Relu(x) })")
                                 .value();
  Case task{.file = "model.onnx", .model = model};
  const run::EngineSetup engine{.runner = "ort",
                                .engine = "ONNX Runtime",
                                .spec = {.kind = "onnxruntime", .library = {}, .options = {}},
                                .limits = {}};
  task.sides = {{.setup = engine}, {.setup = engine}};
  Facts facts;
  facts.failure = Failure::differs;
  facts.faulty_side = 0;
  facts.good_side = 1;
  EXPECT_THAT(reduction_of(task, facts, "out/all.json").check,
              testing::IsSupersetOf({"--infinities-compare-equal", "--nans-compare-equal"}));
}

}  // namespace
}  // namespace assay::diagnose
