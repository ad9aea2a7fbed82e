// Real models in TensorRT and in ONNX Runtime. Which of them TensorRT takes hasn't been recorded yet, so it may refuse
// most of them, in its own words; the outputs of those that it takes have to agree.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <iostream>
#include <optional>
#include <string>

#include "base/strings.h"
#include "tests/gpu/gpu_workspace.h"
#include "tests/support/paths.h"

namespace assay::e2e {
namespace {

namespace fs = std::filesystem;

struct Row {
  const char* name;
  bool has_to_run = false;       // plain convolutions, which TensorRT can't refuse
  bool differs_in_half = false;  // in float16, its values overflow, or ONNX Runtime's own results are too far away
  bool converts_badly = false;   // in float16, its weights or values are infinity if they are rounded everywhere
};

// All models of shared/models that ONNX Runtime runs with dynamic dimensions of 1, but for quantized ones, whose steps
// are larger than the tolerances. Large ones come last, so that a run that is cut short has told of many.
constexpr Row kModels[] = {
    {"ext_weights"},
    {"gpt2_megatron"},
    {"light_squeezenet", false, true},
    {"scan_1"},
    {"nuphar_tiny_loop"},
    {"gpt2_past"},
    {"computation_reduction_e2e"},
    {"basic_pitch", false, true},
    {"tiny_random_lfm2"},
    {"test_training_model"},
    {"tiny_random_gpt2"},
    {"whisper_dummy_decoder"},
    {"ultraface_rfb_320", true},
    {"fastestdet", false, true},
    {"polygraphy_reduce_example"},
    {"dtln_1"},
    {"squeezenet_fp16"},
    {"dtln_2"},
    {"light_shufflenet", false, false, true},
    {"light_resnet50", false, true},
    {"magika_v2_1"},
    {"magika_v3_3"},
    {"light_inception_v2", false, false, true},
    {"light_densenet121", false, false, true},
};

// Names the row in the lists of GoogleTest.
void PrintTo(const Row& row, std::ostream* stream) {
  *stream << row.name;
}

constexpr auto kSmall = R"(<ir_version: 8, opset_import: ["" : 17]>
  small (float[N, 4] x) => (float[N, 4] y) <float[4] w = {1, -2, 3, -4}> { a = Add(x, w) b = Relu(a) y = Add(b, x) })";

std::optional<fs::path> find_model(const std::string& name) {
  std::vector<fs::path> folders = {test::models_dir()};
  if (const auto shared = test::shared_dir()) folders.push_back(*shared / "models");
  for (const fs::path& folder : folders) {
    std::error_code code;
    if (fs::exists(folder / (name + ".onnx"), code)) return folder / (name + ".onnx");
  }
  return std::nullopt;
}

class ModelRuns : public Gpu {
 protected:
  // Compares both engines; returns false if TensorRT refused the model.
  bool agrees(const std::string& model, bool in_half) {
    const bool converts = in_half && tensorrt_major() > 10;
    const char* tolerance = in_half ? "2e-2" : "1e-3";
    // TensorRT's choice of tactics isn't the subject, and takes most of the time of a build.
    Words words = {"run",
                   converts ? to_float16(model) : model,
                   "--onnxrt",
                   "--trt",
                   "--builder-optimization-level",
                   "0",
                   "--atol",
                   tolerance,
                   "--rtol",
                   tolerance};
    if (in_half && !converts) words.emplace_back("--fp16");
    const Finished finished = assay(words);
    EXPECT_TRUE(no_process_left());
    return passed(finished);
  }
  // Returns whether a command passed. If not, TensorRT must have refused its model. Prints its reason.
  static bool passed(const Finished& finished) {
    if (finished.status == 0) return true;
    const auto says = [&](const char* text) { return finished.output.find(text) != std::string::npos; };
    const bool refused =
        (says("the engine failed while loading the model:") || says("the engine failed while building:")) &&
        says("(in TensorRT)");
    EXPECT_TRUE(refused) << finished.output;
    for (const std::string& line : base::split(finished.output, '\n')) {
      if (line.find("the engine failed while") == std::string::npos) continue;
      std::cout << "note: refused: " << line << std::endl;
      break;
    }
    return false;
  }

 private:
  // Returns a model in float16, in whose types TensorRT 11 computes.
  std::string to_float16(const std::string& model) const {
    passes({"convert", model, "--fp-to-fp16", "-o", "half.onnx"});
    return "half.onnx";
  }
};

TEST_F(ModelRuns, ASmallModelAgreesInBothTypes) {
  write_model("small.onnx", kSmall);
  EXPECT_TRUE(agrees("small.onnx", false));
  EXPECT_TRUE(agrees("small.onnx", true));
}

class Models : public ModelRuns, public testing::WithParamInterface<Row> {
 protected:
  void SetUp() override {
    ModelRuns::SetUp();
    if (IsSkipped()) return;
    const auto file = find_model(GetParam().name);
    if (!file) GTEST_SKIP() << test::kNoSharedDir;
    model_ = file->string();
  }
  // Returns whether TensorRT may refuse the model.
  static bool may_be_refused() { return !GetParam().has_to_run || on_stand_in(); }

  std::string model_;
};

TEST_P(Models, AgreesInFloat32) {
  EXPECT_TRUE(agrees(model_, false) || may_be_refused());
}

TEST_P(Models, AgreesInFloat16) {
  if (GetParam().differs_in_half || (GetParam().converts_badly && tensorrt_major() > 10)) {
    GTEST_SKIP() << "float16 has too few bits for it";
  }
  EXPECT_TRUE(agrees(model_, true) || may_be_refused());
}

// Every kind of layer is asked for its attributes.
TEST_P(Models, ShowsItsNetwork) {
  const Finished shown = assay({"inspect", "model", model_, "--display-as", "trt", "--show", "layers", "attrs"});
  EXPECT_TRUE(passed(shown) || may_be_refused());
  EXPECT_EQ(shown.status == 0, shown.output.find("[Op: ") != std::string::npos) << shown.output;
}

INSTANTIATE_TEST_SUITE_P(Real, Models, testing::ValuesIn(kModels),
                         [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace assay::e2e
