// Runs models that need more than one element in the real ONNX Runtime.
#include "diagnose/find_sizes.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/stop.h"
#include "model/load.h"
#include "tensor/tensor.h"
#include "tests/support/fetched.h"
#include "tests/support/paths.h"
#include "worker/models/model_source.h"

namespace assay::diagnose {
namespace {

class FindSizesTest : public testing::Test {
 protected:
  // Returns the sizes found for a model whose inputs have been generated with these shapes. `given`: the inputs whose
  // shapes the user has chosen.
  std::string find(const std::string& graph, const std::vector<std::pair<std::string, tensor::Shape>>& inputs,
                   std::set<std::string> given = {}) {
    const model::Model model = model::parse_text("<ir_version: 8, opset_import: [\"\" : 17]> g " + graph).value();
    Case task{.model = model, .source = worker::model_source(model).value()};
    task.shaped_inputs = std::move(given);
    tensor::NamedTensors feeds;
    for (const auto& [name, shape] : inputs) {
      feeds.set(name, tensor::Tensor::of(tensor::ElementType::float32, shape,
                                         std::vector<float>(tensor::element_count(shape).value(), 1.0F)));
    }
    task.inputs = {std::move(feeds)};
    const base::Stop stop;
    worker::Pool pool({.worker_dir = test::workers_dir()}, stop);
    base::SilentLog log;
    const run::EngineSetup engine{.runner = "onnxrt",
                                  .engine = "ONNX Runtime",
                                  .spec = {.kind = "onnxruntime", .library = library_, .options = {}},
                                  .limits = {}};
    const auto found = find_sizes(task, engine, {.pool = pool, .log = log, .stop = stop, .assay = {}});
    return found ? *found : "error: " + found.error().message();
  }

  void SetUp() override {
    if (library_.empty()) GTEST_SKIP() << test::kNoOnnxRuntime;
  }

  std::string library_ = test::fetched_onnxruntime();
};

// A reflecting Pad of 5 elements needs 6.
constexpr const char* kPad = R"((float[n] x) => (float[m] y) <int64[2] pads = {5, 5}> {
    y = Pad <mode = "reflect"> (x, pads) })";

TEST_F(FindSizesTest, ReturnsTheFirstSizesThatTheEngineRuns) {
  EXPECT_EQ(find(kPad, {{"x", {1}}}), "x:[8]");
}

TEST_F(FindSizesTest, KeepsTheShapesThatTheUserHasGiven) {
  EXPECT_EQ(find(kPad, {{"x", {1}}}, {"x"}), "");
  EXPECT_EQ(find(kPad, {{"x", {1}}}, {"?"}), "") << "a wildcard";
  EXPECT_EQ(find("(float[batch, n] x, float[k] z) => (float[m] y) <int64[2] pads = {5, 5}> {"
                 "  p = Pad <mode = \"reflect\"> (z, pads)  s = ReduceSum <keepdims = 0> (x)  y = Add(p, s) }",
                 {{"x", {1, 3}}, {"z", {1}}}, {"x"}),
            "z:[8] x:[1,3]");
}

TEST_F(FindSizesTest, ReturnsNothingIfTheEngineFailsWithAll) {
  EXPECT_EQ(find("(float[n] x) => (float[m] y) <int64[1] shape = {1000003}> { y = Reshape(x, shape) }", {{"x", {1}}}),
            "");
}

TEST_F(FindSizesTest, ReturnsNothingForInputsOfFixedSizes) {
  EXPECT_EQ(find("(float[1] x) => (float[m] y) <int64[2] pads = {5, 5}> { y = Pad <mode = \"reflect\"> (x, pads) }",
                 {{"x", {1}}}),
            "");
}

}  // namespace
}  // namespace assay::diagnose
