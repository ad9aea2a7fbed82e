// Tests the step without a reduction: the command of Assay is a function that only saves a model.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/temp_dir.h"
#include "diagnose/steps.h"
#include "model/external_data.h"
#include "model/load.h"
#include "model/save.h"

namespace assay::diagnose {
namespace {

struct Answered {
  report::PageStep answer;
  Facts facts;
  std::vector<std::string> ran;
  std::string file;  // of the minimal case
};

model::Model model_of(const std::string& graph) {
  return model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]> )" + graph).value();
}

// Runs the step on a model that is invalid, so that `check lint` is the check. The reduction saves it as it is.
Answered run_step(const model::Model& model) {
  const auto folder = base::TempDir::create().value();
  Case task{.file = "model.onnx", .model = model};
  task.folder = folder.path();
  task.program = "/a/folder/bin/assay";
  Answered result;
  result.file = (folder.path() / "minimal.onnx").string();
  result.facts.defect_is_official = true;

  base::Stop stop;
  base::SilentLog log;
  worker::Pool pool({.worker_dir = ".", .max_idle = 1}, stop);
  StepContext context{.pool = pool, .log = log, .stop = stop, .seconds = 0, .assay = {}};
  context.assay = [&](const std::vector<std::string>& words) {
    result.ran = words;
    EXPECT_TRUE(model::save(model, result.file));
    return CommandResult{};
  };
  auto answer = reduce_model(task, result.facts, context);
  EXPECT_TRUE(answer) << answer.error().message();
  if (answer) result.answer = *std::move(answer);
  return result;
}

Answered run_step(const std::string& graph) {
  return run_step(model_of(graph));
}

// The check of the reduction starts this program by its path. People see a command that they can type.
TEST(ReduceModel, NamesAssayInTheCheckByItsShortName) {
  const Answered step = run_step("g (float[2] x) => (float[2] y) { y = Relu(x) }");
  EXPECT_NE(std::ranges::find(step.ran, "/a/folder/bin/assay"), step.ran.end());
  EXPECT_EQ(step.facts.minimal.check, "assay check lint " + step.file);
}

TEST(ReduceModel, CountsNodesOfBodiesAsTheReductionDoes) {
  const Answered step = run_step(R"(g (float[2] x, bool c) => (float[2] y) {
      a = Constant<value = float[2] {1, 2}>()
      y = If (c) <then_branch = t () => (float[2] p) { b = Abs(x)  p = Add(a, b) },
                  else_branch = e () => (float[2] q) { q = Neg(x) }> })");
  EXPECT_EQ(step.facts.minimal.nodes, 4);
  EXPECT_THAT(step.facts.minimal.lines, testing::ElementsAre("If 'y' (node #1)", "    Abs 'b' (node #0)",
                                                             "    Add 'p' (node #1)", "    Neg 'q' (node #0)"));
  ASSERT_EQ(step.facts.minimal.outer.size(), 1U);
  EXPECT_EQ(step.facts.minimal.outer.front().title, "If 'y'");
  EXPECT_EQ(step.answer.answer, "4 nodes: " + step.file);
}

// In another folder, hundreds of megabytes would have to be copied.
TEST(ReduceModel, PutsCandidatesNextToLargeWeights) {
  const auto folder = base::TempDir::create().value();
  constexpr std::int64_t kElements = std::int64_t{80} << 20;
  model::Model model = model_of("g (float[2] x) => (float[2] y) { y = Add(x, w) }");
  onnx::TensorProto& weight = *model.graph().add_initializer();
  weight.set_name("w");
  weight.set_data_type(onnx::TensorProto::FLOAT);
  weight.add_dims(kElements);
  model::set_external_data(weight, {.location = "w.bin", .offset = 0, .length = {}, .inline_form = {}});
  std::ofstream(folder.path() / "w.bin").close();
  std::filesystem::resize_file(folder.path() / "w.bin", kElements * sizeof(float));
  std::ofstream(folder.path() / "m.onnx") << model.proto.SerializeAsString();
  const model::Model loaded = model::load(folder.path() / "m.onnx").value();

  const auto place_of_candidates = [](const Answered& step) {
    return std::filesystem::path(*std::next(std::ranges::find(step.ran, "--iter-artifact"))).parent_path();
  };
  EXPECT_EQ(place_of_candidates(run_step(loaded)), folder.path());
  EXPECT_NE(place_of_candidates(run_step(model_of("g (float[2] x) => (float[2] y) { y = Relu(x) }"))), folder.path());
}

TEST(ReduceModel, KeepsTheNamesOfFunctionsThatNoNodeCalls) {
  const Answered step = run_step(R"(g (float[2] x) => (float[2] y) { y = Relu(x) }
      <domain: "local", opset_import: ["" : 17]> spare (a) => (b) { b = Neg(a) })");
  EXPECT_THAT(step.facts.minimal.uncalled_functions, testing::ElementsAre("spare"));
}

}  // namespace
}  // namespace assay::diagnose
