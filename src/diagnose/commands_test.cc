#include "diagnose/commands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

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

Side runs_in(const std::string& runner, const std::string& kind) {
  return {.setup = {
              .runner = runner, .engine = runner, .spec = {.kind = kind, .library = {}, .options = {}}, .limits = {}}};
}

// A reference evaluator that took minutes would give a check of two fast engines hours to hang.
TEST(ReductionOf, TakesTheTimeLimitFromTheEnginesOfTheCheck) {
  const model::Model model = model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[3] x) => (float[3] y) { y = Relu(x) })")
                                 .value();
  Case task{.file = "model.onnx", .model = model};
  task.sides = {runs_in("ort", "onnxruntime"), runs_in("ov", "openvino"), runs_in("ref", "python")};
  task.sides[2].setup.spec.options = {{"module", "reference"}};
  Facts facts;
  const auto ran = [&](const std::string& runner, double load_s, double run_s) {
    Trial trial;
    trial.load_s = load_s;
    trial.run_s = run_s;
    note_time(runner, trial, facts);
  };
  ran("ort", 4, 1);
  ran("ov", 2, 6);
  ran("ov", 1, 1);
  ran("ref", 1, 300);
  const auto limit = [&](Failure failure, int faulty, int good) {
    facts.failure = failure;
    facts.faulty_side = faulty;
    facts.good_side = good;
    const std::vector<std::string> check = reduction_of(task, facts, "out/all.json").check;
    return *std::next(std::ranges::find(check, "--engine-timeout"));
  };
  EXPECT_EQ(limit(Failure::differs, 0, 1), "120");
  EXPECT_EQ(limit(Failure::differs, 0, 2), "6000");
  EXPECT_EQ(limit(Failure::differs, 0, kGolden), "80");
  EXPECT_EQ(limit(Failure::random, 0, 0), "80");
  EXPECT_EQ(limit(Failure::not_finite, 0, 2), "80");
  // The check of a model that is refused runs one engine, whose own time says nothing.
  EXPECT_EQ(limit(Failure::refused, 0, 1), "120");
  EXPECT_EQ(limit(Failure::refused, 0, 2), "80");
  facts.engine_s.clear();  // as in a journal of an older version
  EXPECT_EQ(limit(Failure::differs, 0, 1), "6000");
  facts.slowest_s = 0.5;
  EXPECT_EQ(limit(Failure::differs, 0, 1), "60");
}

}  // namespace
}  // namespace assay::diagnose
