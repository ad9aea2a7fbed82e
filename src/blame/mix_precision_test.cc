#include "blame/mix_precision.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/load.h"
#include "tensor/tensor_spec.h"

namespace assay::blame {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr auto kFloats = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[2] x) => (float[2] y) { [first] a = Relu(x)  [second] b = Neg(a)  [third] y = Abs(b) })";
constexpr auto kQuantized = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[2] x) => (float[2] y) <float s = {0.1}> {
    [first] a = Relu(x)  q = QuantizeLinear(a, s)  r = DequantizeLinear(q, s)
    [second] b = Neg(r)  [third] y = Abs(b) })";

// Returns a task whose check passes if the candidates with these names are kept.
MixTask task_of(std::set<std::string> needed) {
  MixTask task{.model = model::parse_text(kFloats).value(), .name = "m.onnx", .quantized_name = "q.onnx"};
  task.plan.inputs = [](std::int64_t, std::span<const tensor::TensorSpec>) {
    return base::Expected<std::optional<tensor::NamedTensors>>();
  };
  task.check = [needed = std::move(needed)](const MixedModel& models) -> base::Expected<PrecisionJudge> {
    return [needed, &models](const std::set<int>& keep) -> base::Expected<reduce::Verdict> {
      const std::vector<std::string> names = models.names_of(keep);
      const std::set<std::string> kept(names.begin(), names.end());
      const bool passes = std::ranges::includes(kept, needed);
      return reduce::Verdict{.kind = passes ? reduce::Verdict::Kind::passes : reduce::Verdict::Kind::fails, .text = ""};
    };
  };
  return task;
}

base::Expected<MixAnswer> mix(MixTask task) {
  const base::Stop stop;
  worker::Pool pool({.worker_dir = "/nowhere", .max_idle = 1}, stop);
  base::SilentLog log;
  const backend::EngineSearch engines;
  return mix_precision(std::move(task), {pool, log, stop, engines});
}

TEST(MixPrecision, ACheckFindsTheNodesThatCannotBeFloat16) {
  const auto answer = mix(task_of({"second"}));
  ASSERT_TRUE(answer) << answer.error().message();
  EXPECT_THAT(answer->models->names_of(answer->choice.keep), ElementsAre("second"));
  EXPECT_THAT(to_text(answer->choice, *answer->models, answer->search),
              HasSubstr("1 of 3 nodes has to stay in float32"));
}

TEST(MixPrecision, ACheckFindsTheNodesThatCannotBeQuantized) {
  MixTask task = task_of({"second"});
  task.quantized = model::parse_text(kQuantized).value();
  const auto answer = mix(std::move(task));
  ASSERT_TRUE(answer) << answer.error().message();
  EXPECT_EQ(answer->models->candidates().size(), 1U);
  EXPECT_THAT(answer->models->names_of(answer->choice.keep), ElementsAre("second"));
}

TEST(MixPrecision, AModelThatAlwaysFailsIsNamed) {
  EXPECT_THAT(mix(task_of({"missing"})).error().message(), HasSubstr("(in m.onnx). Find out first why it fails"));
  MixTask task = task_of({"missing"});
  task.quantized = model::parse_text(kQuantized).value();
  EXPECT_THAT(mix(std::move(task)).error().message(), HasSubstr("Check that 'q.onnx' was made from this very model"));
}

TEST(MixPrecision, TensorRTMustNotChoosePrecisions) {
  run::EngineSetup engine{.runner = "trt", .engine = "TensorRT", .spec = {}, .limits = {}};
  EXPECT_TRUE(check_keeps_types(engine));
  engine.spec.options["--fp16"] = "";
  EXPECT_THAT(check_keeps_types(engine).error().message(), HasSubstr("Use --strongly-typed instead"));
  engine.spec.options["--strongly-typed"] = "";
  EXPECT_TRUE(check_keeps_types(engine));
}

}  // namespace
}  // namespace assay::blame
